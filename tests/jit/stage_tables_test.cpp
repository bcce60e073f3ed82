#include "jit/stage_tables.hpp"

#include <array>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace relayout::jit {
namespace {

using Numbers = std::array<int, 2>;

/// Of stages with so many different tables each.
plan::Network network_of(const std::vector<std::size_t>& tables) {
  plan::Network network;
  network.vector_bytes = 32;
  std::uint8_t next = 0;
  for (const std::size_t count : tables) {
    plan::Stage stage;
    for (std::size_t t = 0; t < count; ++t) stage.tables.emplace_back(32, next++);
    network.stages.push_back(stage);
  }
  return network;
}

class StageTablesTest : public testing::Test {
 protected:
  StageTablesTest() {
    code_.init(asmjit::Environment(asmjit::Arch::kX64));
    emitter_.emplace(code_, Isa::kAvx2);
  }
  std::size_t emitted_bytes() { return emitter_->assembler().offset(); }

  asmjit::CodeHolder code_;
  std::optional<Emitter> emitter_;
};

TEST_F(StageTablesTest, keeps_tables_in_the_last_registers) {
  const plan::Network network = network_of({1, 0, 2});
  const StageTables tables(network, 16, 10);
  tables.prepare(*emitter_);
  const std::size_t loaded = emitted_bytes();
  EXPECT_GT(loaded, 0U);
  EXPECT_EQ(tables.of_stage(*emitter_, 0)[0], 15);
  EXPECT_EQ(tables.of_stage(*emitter_, 2), (Numbers{14, 13}));
  EXPECT_EQ(emitted_bytes(), loaded) << "nothing is loaded again";
}

TEST_F(StageTablesTest, loads_those_that_are_too_many_where_they_are_used) {
  const plan::Network network = network_of({1, 1, 2});
  const StageTables tables(network, 16, 13);
  tables.prepare(*emitter_);
  EXPECT_EQ(tables.of_stage(*emitter_, 0)[0], 15);
  const std::size_t loaded = emitted_bytes();
  EXPECT_EQ(tables.of_stage(*emitter_, 1)[0], 13);
  EXPECT_EQ(tables.of_stage(*emitter_, 2), (Numbers{13, 14}));
  EXPECT_GT(emitted_bytes(), loaded);
}

}  // namespace
}  // namespace relayout::jit
