#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "src/interpret/scalar.hpp"
#include "src/runtime/proof_engine.hpp"
#include "src/runtime/proof_path.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/segv_guard.hpp"

namespace relayout::runtime {
namespace {

using relayout::testing::SegvGuard;

/// A correct conversion made from its own map, whose faults the tests below put in by hand.
struct Conversion {
  std::vector<std::int64_t> map;
  std::int64_t element_bytes = 4;

  ExpectedMap expected() const {
    const std::int64_t elements = map.empty() ? 0 : *std::max_element(map.begin(), map.end()) + 1;
    return {map, element_bytes, elements * element_bytes, std::vector<std::byte>{}};
  }

  void run_part(const std::byte* source, std::byte* destination, std::int64_t index,
                std::int64_t count) const {
    const auto elements = static_cast<std::int64_t>(map.size());
    for (std::int64_t element = elements * index / count; element < elements * (index + 1) / count;
         ++element) {
      move(source, destination, element, map[static_cast<std::size_t>(element)]);
    }
  }

  void move(const std::byte* source, std::byte* destination, std::int64_t to, std::int64_t from) const {
    const auto bytes = static_cast<std::size_t>(element_bytes);
    if (from < 0) {
      std::memset(destination + to * element_bytes, 0, bytes);
    } else {
      std::memcpy(destination + to * element_bytes, source + from * element_bytes, bytes);
    }
  }
};

/// (i, j) of 19 x 31 elements to (j, i), with two elements of padding at the end.
Conversion transpose_with_padding() {
  Conversion conversion;
  for (std::int64_t column = 0; column < 31; ++column) {
    for (std::int64_t row = 0; row < 19; ++row) conversion.map.push_back(row * 31 + column);
  }
  conversion.map.insert(conversion.map.end(), {-1, -1});
  return conversion;
}

using RunPart = decltype(ProofVariant::run_part);

RunPart correct(const Conversion& conversion) {
  return [&conversion](const std::byte* source, std::byte* destination, std::int64_t index,
                       std::int64_t count) { conversion.run_part(source, destination, index, count); };
}

ProofOutcome prove(const Conversion& conversion, RunPart run_part, bool thorough = false) {
  const auto outcome = prove_paths({conversion.expected(), {{"stores", std::move(run_part)}}, thorough, {}});
  EXPECT_TRUE(outcome);
  return *outcome;
}

TEST(Proof, example) {
  const Conversion conversion = transpose_with_padding();
  const ProofOutcome outcome = prove(conversion, correct(conversion));
  EXPECT_TRUE(outcome.ok) << outcome.message;
  EXPECT_EQ(outcome.wrong_byte, -1);
  // Three splits, seven placements and both ends; two levels, of which the first runs twice.
  EXPECT_EQ(outcome.runs, (3 + 7 + 1) * 3);
}

TEST(Proof, thorough_takes_every_combination) {
  const Conversion conversion = transpose_with_padding();
  const ProofOutcome outcome = prove(conversion, correct(conversion), true);
  EXPECT_TRUE(outcome.ok) << outcome.message;
  EXPECT_EQ(outcome.runs, 7 * 7 * 3 * 3);
}

TEST(Proof, an_unwritten_byte_is_found_even_where_the_value_before_is_the_right_one) {
  Conversion conversion;
  conversion.element_bytes = 1;
  conversion.map.resize(256);
  std::iota(conversion.map.begin(), conversion.map.end(), 0);
  for (const std::int64_t skipped : {0xA5, 0x5A, 0xFF}) {
    const auto outcome = prove(conversion, [&](auto source, auto destination, auto index, auto count) {
      const std::byte kept = destination[skipped];
      conversion.run_part(source, destination, index, count);
      destination[skipped] = kept;
    });
    EXPECT_FALSE(outcome.ok);
    EXPECT_EQ(outcome.wrong_byte, skipped);
  }
}

TEST(Proof, unwritten_padding_is_found) {
  const Conversion conversion = transpose_with_padding();
  Conversion leaves_padding = conversion;
  leaves_padding.map.resize(19 * 31);
  const ProofOutcome outcome = prove(conversion, correct(leaves_padding));
  EXPECT_FALSE(outcome.ok);
  EXPECT_EQ(outcome.wrong_byte, 19 * 31 * 4);
  EXPECT_NE(outcome.message.find("padding"), std::string::npos) << outcome.message;
}

TEST(Proof, padding_holds_the_fill_that_was_asked_for) {
  const Conversion conversion = transpose_with_padding();
  ExpectedMap expected = conversion.expected();
  expected.fill = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  const auto outcome = prove_paths({expected, {{"stores", correct(conversion)}}, false, {}});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->wrong_byte, 19 * 31 * 4);
}

TEST(Proof, bytes_swapped_within_elements_are_found) {
  const Conversion conversion = transpose_with_padding();
  const auto outcome = prove(conversion, [&](auto source, auto destination, auto index, auto count) {
    conversion.run_part(source, destination, index, count);
    if (index + 1 == count) std::swap(destination[10], destination[11]);
  });
  EXPECT_EQ(outcome.wrong_byte, 10);
}

TEST(Proof, source_bytes_that_agree_in_all_but_the_highest_bits_are_told_apart) {
  Conversion conversion;
  conversion.element_bytes = 1;
  conversion.map.resize(0x10010);
  std::iota(conversion.map.begin(), conversion.map.end(), 0);
  Conversion wrong_high_bits = conversion;
  wrong_high_bits.map[5] = 0x10005;
  const ProofOutcome wrong = prove(conversion, correct(wrong_high_bits));
  EXPECT_EQ(wrong.wrong_byte, 5);
  EXPECT_NE(wrong.message.find("byte 2 of the number"), std::string::npos) << wrong.message;
}

TEST(Proof, a_fault_at_one_alignment_only_is_found) {
  const Conversion conversion = transpose_with_padding();
  for (const std::uintptr_t offset : {0, 1, 4, 32, 63}) {
    for (const bool of_source : {false, true}) {
      const auto outcome = prove(conversion, [&](auto source, auto destination, auto index, auto count) {
        conversion.run_part(source, destination, index, count);
        const void* decisive = of_source ? static_cast<const void*>(source) : destination;
        if (reinterpret_cast<std::uintptr_t>(decisive) % 64 == offset) destination[77] = std::byte{0xEE};
      });
      EXPECT_EQ(outcome.wrong_byte, 77);
    }
  }
}

TEST(Proof, a_fault_in_one_split_only_is_found) {
  const Conversion conversion = transpose_with_padding();
  for (const std::int64_t parts : {1, 2, 7}) {
    const auto outcome = prove(conversion, [&](auto source, auto destination, auto index, auto count) {
      if (count == parts && index == count - 1) return;
      conversion.run_part(source, destination, index, count);
    });
    EXPECT_FALSE(outcome.ok);
    EXPECT_NE(outcome.message.find(std::to_string(parts) + " part"), std::string::npos) << outcome.message;
  }
}

TEST(Proof, a_fault_in_one_variant_only_names_the_variant) {
  const Conversion conversion = transpose_with_padding();
  const RunPart drops_the_last_byte = [&](auto source, auto destination, auto index, auto count) {
    conversion.run_part(source, destination, index, count);
    if (reinterpret_cast<std::uintptr_t>(destination) % 64 == 0 && count == 7)
      destination[0] = std::byte{0xEE};
  };
  const auto outcome = prove_paths({conversion.expected(),
                                    {{"temporal", correct(conversion)}, {"streaming", drops_the_last_byte}},
                                    false,
                                    {}});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->wrong_byte, 0);
  EXPECT_NE(outcome->message.find("streaming, 7 parts"), std::string::npos) << outcome->message;
}

TEST(Proof, writes_just_outside_the_destination_are_found_in_the_margins) {
  const Conversion conversion = transpose_with_padding();
  for (const std::int64_t stray : {std::int64_t{-1}, conversion.expected().destination_bytes()}) {
    const auto outcome = prove(conversion, [&](auto source, auto destination, auto index, auto count) {
      conversion.run_part(source, destination, index, count);
      destination[stray] = std::byte{0};
    });
    EXPECT_FALSE(outcome.ok);
    EXPECT_EQ(outcome.wrong_byte, stray);
  }
}

TEST(Proof, a_write_to_the_source_is_found) {
  const Conversion conversion = transpose_with_padding();
  const auto outcome = prove(conversion, [&](auto source, auto destination, auto index, auto count) {
    conversion.run_part(source, destination, index, count);
    const_cast<std::byte*>(source)[9] = std::byte{0xEE};
  });
  EXPECT_FALSE(outcome.ok);
  EXPECT_NE(outcome.message.find("source byte 9 was written"), std::string::npos) << outcome.message;
}

TEST(ProofDeathTest, reads_past_either_end_of_the_source_die_with_the_name_of_the_pair_and_path) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  const Conversion conversion = transpose_with_padding();
  const auto reads_at = [&](std::int64_t stray) {
    SegvGuard guard("pair under test");
    const RunPart reads_outside = [&](auto source, auto destination, auto index, auto count) {
      static_cast<void>(*static_cast<const volatile std::byte*>(source + stray));
      conversion.run_part(source, destination, index, count);
    };
    const auto announce = [&guard](std::string_view path) { guard.set_detail(path); };
    static_cast<void>(prove_paths({conversion.expected(), {{"stores", reads_outside}}, false, announce}));
  };
  EXPECT_DEATH(reads_at(conversion.expected().source_bytes),
               "crashed in pair under test; source at the end guard");
  EXPECT_DEATH(reads_at(-1), "crashed in pair under test; source at the front guard");
}

TEST(Proof, holds_for_the_scalar_interpreter_on_random_problems) {
  const std::uint64_t seed = relayout::testing::test_seed();
  SCOPED_TRACE(relayout::testing::replay_hint(seed));
  relayout::testing::RandomProblems problems(seed);
  for (int count = 0; count < 100; ++count) {
    const plan::Problem problem = problems.next();
    SCOPED_TRACE(relayout::testing::describe(problem));
    const auto map = interpret::source_of_destination(problem);
    ASSERT_TRUE(map) << map.error().message;
    const ProofOutcome outcome = compare_with_map(
        {*map, problem.element_bytes, problem.source_elements * problem.element_bytes, std::nullopt},
        [&](const std::byte* source, std::byte* destination) {
          EXPECT_TRUE(interpret::run_scalar(problem, source, destination, INT64_MAX));
        });
    ASSERT_TRUE(outcome.ok) << outcome.message;
  }
}

TEST(Proof, of_an_empty_conversion_writes_nothing) {
  Conversion conversion;
  EXPECT_TRUE(prove(conversion, correct(conversion)).ok);
}

TEST(ProofPath, default_paths_take_every_value_and_guards_come_last) {
  const auto paths = proof_paths({.element_bytes = 8, .variants = 2});
  std::set<std::string> sources;
  std::set<std::string> destinations;
  std::set<std::pair<int, std::int64_t>> runs;
  bool guard_seen = false;
  for (const ProofPath& path : paths) {
    sources.insert(to_string(path.source));
    destinations.insert(to_string(path.destination));
    runs.insert({path.variant, path.parts});
    const bool guard =
        path.source.kind != Placement::Kind::kOffset || path.destination.kind != Placement::Kind::kOffset;
    EXPECT_FALSE(guard_seen && !guard);
    guard_seen |= guard;
  }
  const std::set<std::string> all = {"at offset 0",  "at offset 1",        "at offset 8",     "at offset 32",
                                     "at offset 63", "at the front guard", "at the end guard"};
  EXPECT_EQ(sources, all);
  EXPECT_EQ(destinations, all);
  EXPECT_EQ(runs.size(), 6u);
}

}  // namespace
}  // namespace relayout::runtime
