// A reader of its own, written from Linux's tools/perf/Documentation/jitdump-specification.txt.

#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>
#include <thread>

#include "src/plan/plan_text.hpp"
#include "src/runtime/compiled_relayout.hpp"
#include "tests/profile/profile_support.hpp"

namespace relayout::testing {
namespace {

struct SourceLine {
  std::uint64_t address = 0;
  std::uint32_t line = 0;
  std::string file;
};

struct Loaded {
  std::uint32_t process = 0;
  std::uint64_t address = 0;
  std::uint64_t index = 0;
  std::string name;
  std::string code;
  std::vector<SourceLine> lines;
  std::uint64_t unwinding_bytes = 0;
};

struct Dump {
  std::uint32_t process = 0;
  std::vector<Loaded> loaded;
  bool closed = false;
};

class Reader {
 public:
  explicit Reader(std::string bytes) : bytes_(std::move(bytes)) {}

  bool at_end() const { return position_ == bytes_.size(); }
  std::size_t position() const { return position_; }
  template <class T>
  T get() {
    T value{};
    EXPECT_LE(position_ + sizeof value, bytes_.size());
    if (position_ + sizeof value <= bytes_.size())
      std::memcpy(&value, bytes_.data() + position_, sizeof value);
    position_ += sizeof value;
    return value;
  }
  std::string text() {
    std::string value = bytes_.c_str() + position_;
    position_ += value.size() + 1;
    return value;
  }
  std::string take(std::size_t size) {
    std::string value = bytes_.substr(position_, size);
    position_ += size;
    return value;
  }

 private:
  std::string bytes_;
  std::size_t position_ = 0;
};

class DumpReader {
 public:
  explicit DumpReader(const std::string& path) : reader_(file_text(path)) {}

  Dump read() {
    EXPECT_EQ(reader_.get<std::uint32_t>(), 0x4A695444U);
    EXPECT_EQ(reader_.get<std::uint32_t>(), 1U);
    EXPECT_EQ(reader_.get<std::uint32_t>(), 40U);
    EXPECT_EQ(reader_.get<std::uint32_t>(), 62U) << "x86-64";
    reader_.get<std::uint32_t>();
    dump_.process = reader_.get<std::uint32_t>();
    last_time_ = reader_.get<std::uint64_t>();
    EXPECT_EQ(reader_.get<std::uint64_t>(), 0U);
    while (!reader_.at_end() && !::testing::Test::HasFailure()) read_record();
    return std::move(dump_);
  }

 private:
  void read_record() {
    const std::size_t start = reader_.position();
    const auto id = reader_.get<std::uint32_t>();
    const auto size = reader_.get<std::uint32_t>();
    const auto time = reader_.get<std::uint64_t>();
    EXPECT_GE(time, last_time_) << "records are in the order of time";
    last_time_ = time;
    if (id == 0) read_load();
    if (id == 2) read_lines();
    if (id == 4) read_unwinding(start + size);
    dump_.closed = id == 3;
    EXPECT_TRUE(id == 0 || id == 2 || id == 3 || id == 4) << id;
    EXPECT_EQ(reader_.position(), start + size);
  }

  void read_load() {
    next_.process = reader_.get<std::uint32_t>();
    EXPECT_NE(reader_.get<std::uint32_t>(), 0U) << "the thread";
    next_.address = reader_.get<std::uint64_t>();
    EXPECT_EQ(reader_.get<std::uint64_t>(), next_.address);
    const auto bytes = reader_.get<std::uint64_t>();
    next_.index = reader_.get<std::uint64_t>();
    next_.name = reader_.text();
    next_.code = reader_.take(bytes);
    for (const SourceLine& line : next_.lines) {
      EXPECT_GE(line.address, next_.address);
      EXPECT_LT(line.address, next_.address + bytes);
    }
    dump_.loaded.push_back(std::exchange(next_, {}));
  }

  void read_lines() {
    const auto address = reader_.get<std::uint64_t>();
    const auto count = reader_.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < count; ++i) {
      SourceLine line;
      line.address = reader_.get<std::uint64_t>();
      line.line = reader_.get<std::uint32_t>();
      EXPECT_EQ(reader_.get<std::uint32_t>(), 0U);
      line.file = reader_.text();
      EXPECT_GE(line.address, next_.lines.empty() ? address : next_.lines.back().address);
      next_.lines.push_back(line);
    }
  }

  void read_unwinding(std::size_t end) {
    const auto bytes = reader_.get<std::uint64_t>();
    const auto header_bytes = reader_.get<std::uint64_t>();
    EXPECT_EQ(header_bytes, 20U) << "one function";
    EXPECT_EQ(reader_.get<std::uint64_t>(), 0U);
    next_.unwinding_bytes = bytes;
    reader_.take(end - reader_.position());
  }

  Reader reader_;
  Dump dump_;
  Loaded next_;
  std::uint64_t last_time_ = 0;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class Jitdump : public ProfilingFor {
 protected:
  Jitdump() : ProfilingFor({.jitdump = true}) {}
  Dump own_dump() const { return DumpReader(dump_path(getpid())).read(); }
};

TEST_F(Jitdump, example) {
  const Relayout convert = column_major_of("f32[64,48]");
  const Dump dump = own_dump();
  EXPECT_EQ(dump.process, static_cast<std::uint32_t>(getpid()));
  ASSERT_EQ(dump.loaded.size(), 1U);
  const Loaded& loaded = dump.loaded[0];
  const auto code = convert.compiled().code->bytes();
  EXPECT_EQ(loaded.process, dump.process);
  EXPECT_EQ(loaded.address, reinterpret_cast<std::uint64_t>(code.data()));
  EXPECT_EQ(loaded.code,
            std::string(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(loaded.code.size())));
  EXPECT_TRUE(loaded.name.starts_with("relayout:f32[64,48][0,1]->f32[64,48][1,0]:")) << loaded.name;
  EXPECT_GT(loaded.unwinding_bytes, 0U);
}

TEST_F(Jitdump, ties_instructions_to_the_lines_of_the_plan) {
  column_major_of("u16[32,32]");  // so that the second pair's text does not start the file
  const Relayout convert = column_major_of("f32[64,48]");
  const Dump dump = own_dump();
  const Loaded& loaded = dump.loaded.back();
  const auto text = lines_of(file_text(plan_path(getpid())));
  std::vector<std::string> seen;
  for (const SourceLine& line : loaded.lines) {
    EXPECT_EQ(line.file, plan_path(getpid()));
    ASSERT_LE(line.line, text.size());
    seen.push_back(text[line.line - 1]);
  }
  const auto mentions = [&](const std::string& words) {
    return std::any_of(seen.begin(), seen.end(),
                       [&](const std::string& line) { return line.find(words) != std::string::npos; });
  };
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(loaded.lines.front().address, loaded.address);
  EXPECT_TRUE(seen.front().starts_with("nest 0 ")) << seen.front();
  EXPECT_TRUE(mentions("  for "));
  EXPECT_TRUE(mentions("permute "));
  EXPECT_TRUE(mentions("  source: "));
  EXPECT_TRUE(mentions("  destination: "));
  const auto& nest = convert.compiled().plan.nests[0];
  for (const auto& stage : std::get<plan::PermuteKernel>(nest.kernel).network.stages) {
    EXPECT_TRUE(stage.slot < 0 || mentions(" on slot " + std::to_string(stage.slot)));
  }
  EXPECT_EQ(std::count_if(seen.begin(), seen.end(), [](const auto& line) { return line.find("isa") == 0; }),
            0);
}

TEST_F(Jitdump, gives_every_function_its_own_number_and_name_after_eviction_too) {
  for (int i = 8; i < 24; ++i) {
    column_major_of("u8[64," + std::to_string(i) + "]");
    clear_cache();
  }
  std::map<std::uint64_t, std::string> names;
  const Dump dump = own_dump();
  for (const Loaded& loaded : dump.loaded) names[loaded.index] = loaded.name;
  EXPECT_EQ(names.size(), dump.loaded.size());
  for (int i = 8; i < 24; ++i) {
    const std::string start = "relayout:u8[64," + std::to_string(i) + "][0,1]->";
    EXPECT_TRUE(
        std::any_of(names.begin(), names.end(), [&](const auto& n) { return n.second.starts_with(start); }));
  }
}

TEST_F(Jitdump, holds_whole_records_of_all_threads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 8; ++i)
        column_major_of("u32[" + std::to_string(t + 16) + "," + std::to_string(i + 16) + "]");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(own_dump().loaded.size(), 32U);
}

TEST_F(Jitdump, of_a_child_starts_with_what_it_inherited) {
  column_major_of("u16[64,64]");
  const std::string parents = file_text(dump_path(getpid()));
  EXPECT_EQ(in_child([&] {
              column_major_of("u64[64,64]");
              const Dump dump = own_dump();
              if (dump.process != static_cast<std::uint32_t>(getpid()) || dump.loaded.size() != 2) return 1;
              return dump.loaded[0].name.find("u16[64,64]") != std::string::npos ? 0 : 2;
            }),
            0);
  EXPECT_EQ(file_text(dump_path(getpid())), parents);
}

TEST_F(Jitdump, is_found_by_an_executable_mapping_and_ends_with_a_record_that_says_so) {
  column_major_of("u16[64,64]");
  const auto mapped = [&] {
    const std::string maps = file_text("/proc/self/maps");
    const std::size_t path = maps.find(dump_path(getpid()));
    if (path == std::string::npos) return false;
    return maps.substr(maps.rfind('\n', path) + 1, 50).find("r-xp") != std::string::npos;
  };
  EXPECT_TRUE(mapped());
  EXPECT_FALSE(own_dump().closed);
  ASSERT_TRUE(set_profiling({}));
  EXPECT_FALSE(mapped());
  EXPECT_TRUE(own_dump().closed);
}

TEST_F(Jitdump, in_a_folder_that_does_not_exist_is_an_error) {
  ASSERT_TRUE(set_profiling({}));
  setenv("JITDUMPDIR", "/nonexistent", 1);
  const Status status = set_profiling({.jitdump = true});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kSystem);
  EXPECT_FALSE(profiling().jitdump);
}

TEST_F(Jitdump, in_a_current_folder_that_is_gone_is_an_error) {
  ASSERT_TRUE(set_profiling({}));
  unsetenv("JITDUMPDIR");
  const std::filesystem::path before = std::filesystem::current_path();
  const std::filesystem::path gone = std::filesystem::temp_directory_path() / "relayout-gone";
  std::filesystem::create_directories(gone);
  std::filesystem::current_path(gone);
  std::filesystem::remove(gone);
  const Status status = set_profiling({.jitdump = true});
  std::filesystem::current_path(before);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kSystem);
}

TEST(PlanText, rows_are_those_of_the_text) {
  const Relayout convert = column_major_of("u8[200,130]");
  if (convert.isa() == Isa::kPortable) GTEST_SKIP() << "no code is generated on this machine";
  const plan::Plan& plan = convert.compiled().plan;
  const plan::NumberedText numbered = plan::numbered_text(plan);
  EXPECT_EQ(numbered.text, plan::to_string(plan));
  const auto text = lines_of(numbered.text);
  const auto row = [&](std::size_t nest, int of_nest) {
    return text[static_cast<std::size_t>(numbered.nest_lines[nest] + of_nest) - 1];
  };
  for (std::size_t i = 0; i < plan.nests.size(); ++i) {
    const plan::Nest& nest = plan.nests[i];
    EXPECT_TRUE(row(i, plan::kNestRow).starts_with("nest " + std::to_string(i)));
    EXPECT_NE(row(i, plan::loop_row(0)).find("for "), std::string::npos);
    const auto* permute = std::get_if<plan::PermuteKernel>(&nest.kernel);
    if (permute == nullptr) continue;
    const int kernel = plan::kernel_row(nest);
    EXPECT_NE(row(i, kernel).find("permute "), std::string::npos);
    EXPECT_TRUE(row(i, kernel + plan::kSourceSideRow).starts_with("  source: "));
    EXPECT_TRUE(row(i, kernel + plan::kDestinationSideRow).starts_with("  destination: "));
    EXPECT_TRUE(row(i, kernel + plan::kFirstPhaseRow).starts_with("  phase "));
    for (std::size_t s = 0; s < permute->network.stages.size(); ++s) {
      EXPECT_TRUE(
          row(i, kernel + plan::stage_row(permute->network, static_cast<int>(s))).starts_with("    "));
    }
  }
}

}  // namespace
}  // namespace relayout::testing
