#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <sstream>
#include <sys/stat.h>
#include <thread>

#include "src/profile/environment.hpp"
#include "src/profile/symbol_name.hpp"
#include "src/runtime/compiled_relayout.hpp"
#include "tests/profile/profile_support.hpp"

namespace relayout::testing {
namespace {

struct MapLine {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::string name;
};

/// As perf reads it: two hexadecimal numbers, then a name up to the line's end.
std::vector<MapLine> read_map(const std::string& text) {
  std::vector<MapLine> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    char* end = nullptr;
    MapLine read;
    read.address = std::strtoull(line.c_str(), &end, 16);
    EXPECT_EQ(*end, ' ') << line;
    read.bytes = std::strtoull(end, &end, 16);
    EXPECT_EQ(*end, ' ') << line;
    read.name = end + 1;
    lines.push_back(read);
  }
  return lines;
}

std::uint64_t entry_of(const Relayout& convert) {
  return reinterpret_cast<std::uint64_t>(convert.compiled().code->nests()[0].temporal);
}

class PerfMap : public ProfilingFor {
 protected:
  PerfMap() : ProfilingFor({.perf_map = true}) {}
  static std::vector<MapLine> own_lines() { return read_map(file_text(map_path(getpid()))); }
};

TEST_F(PerfMap, example) {
  const Relayout convert = column_major_of("f32[64,48]");
  const auto lines = own_lines();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].address, entry_of(convert));
  EXPECT_GT(lines[0].bytes, 50U);
  EXPECT_LE(lines[0].bytes, convert.code_bytes());
  EXPECT_EQ(lines[0].name, "relayout:f32[64,48][0,1]->f32[64,48][1,0]:" +
                               std::string(to_string(convert.isa())) + ":permute:0");
}

TEST_F(PerfMap, has_every_function_of_a_pair_once) {
  CompileOptions options;
  options.streaming = StreamingStores::kAlways;
  const Relayout convert = column_major_of("f32[64,48]", options);
  const auto nests = convert.compiled().code->nests();
  const auto lines = own_lines();
  const auto streaming = std::find_if(lines.begin(), lines.end(),
                                      [](const MapLine& line) { return line.name.ends_with(":streaming"); });
  ASSERT_NE(streaming, lines.end());
  EXPECT_EQ(streaming->address, reinterpret_cast<std::uint64_t>(nests[0].streaming));
  EXPECT_EQ(lines.size(), 2 * nests.size());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_LE(lines[i - 1].address + lines[i - 1].bytes, lines[i].address);
  }
}

TEST_F(PerfMap, is_for_this_user_alone) {
  column_major_of("f32[8,8]");
  struct stat facts {};
  ASSERT_EQ(stat(map_path(getpid()).c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
}

TEST_F(PerfMap, never_gives_an_address_twice) {
  for (int i = 8; i < 40; ++i) {
    column_major_of("u32[64," + std::to_string(i) + "]");
    clear_cache();
  }
  auto lines = own_lines();
  ASSERT_EQ(lines.size(), 32U);
  std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_LE(lines[i - 1].address + lines[i - 1].bytes, lines[i].address);
  }
}

TEST_F(PerfMap, holds_whole_lines_of_all_threads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 16; ++i)
        column_major_of("u32[" + std::to_string(t + 8) + "," + std::to_string(i + 8) + "]");
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::map<std::string, int> names;
  for (const MapLine& line : own_lines()) ++names[line.name];
  std::size_t pairs = 0;
  for (const auto& [name, count] : names) {
    EXPECT_EQ(count, 1) << name;
    if (name.ends_with(":0")) ++pairs;
  }
  EXPECT_EQ(pairs, 64U);
}

TEST_F(PerfMap, of_a_child_starts_with_what_it_inherited) {
  const Relayout inherited = column_major_of("u16[64,64]");
  const std::string parents = file_text(map_path(getpid()));
  EXPECT_EQ(in_child([&] {
              const Relayout own = column_major_of("u64[64,64]");
              const auto lines = own_lines();
              unlink(map_path(getpid()).c_str());
              if (lines.size() != 2) return 1;
              return lines[0].address == entry_of(inherited) && lines[1].address == entry_of(own) ? 0 : 2;
            }),
            0);
  EXPECT_EQ(file_text(map_path(getpid())), parents);
}

TEST_F(PerfMap, pairs_that_were_cached_without_it_are_compiled_anew) {
  ASSERT_TRUE(set_profiling({}));
  column_major_of("f32[16,16]");
  EXPECT_TRUE(own_lines().empty());
  ASSERT_TRUE(set_profiling({.perf_map = true}));
  column_major_of("f32[16,16]");
  EXPECT_EQ(own_lines().size(), 1U);
}

TEST_F(PerfMap, that_another_process_left_behind_is_emptied_and_this_ones_is_kept) {
  ASSERT_TRUE(set_profiling({}));
  const std::string path = map_path(getpid());
  std::ofstream(path) << "1000 10 of_this_process\n";
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  ASSERT_TRUE(set_profiling({.perf_map = true}));
  EXPECT_EQ(own_lines().size(), 1U);
  ASSERT_TRUE(set_profiling({}));
  const timespec long_ago[] = {{1000, 0}, {1000, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), long_ago, 0), 0);
  ASSERT_TRUE(set_profiling({.perf_map = true}));
  EXPECT_TRUE(own_lines().empty());
}

TEST_F(PerfMap, follows_no_symbolic_link) {
  ASSERT_TRUE(set_profiling({}));
  const std::string path = map_path(getpid());
  unlink(path.c_str());
  ASSERT_EQ(symlink("/dev/null", path.c_str()), 0);
  const Status status = set_profiling({.perf_map = true});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kSystem);
  EXPECT_NE(status.error().message.find(path), std::string::npos);
  EXPECT_FALSE(profiling().any());
}

TEST(SymbolName, is_one_word_with_both_layouts_and_the_level) {
  EXPECT_EQ(profile::symbol_name({"f32[6,8]", "f32[6,8][1, 0, 1 p(4)]", "avx2", "copy", 3, true}),
            "relayout:f32[6,8]->f32[6,8][1,0,1_p(4)]:avx2:copy:3:streaming");
}

TEST(SymbolName, holds_neither_line_breaks_nor_what_flame_graphs_separate_frames_by) {
  const std::string name = profile::symbol_name({"a\nb", "c;d\te", "avx2", "copy"});
  EXPECT_EQ(name, "relayout:a_b->c_d_e:avx2:copy:0");
}

TEST(SymbolName, of_endless_layouts_is_cut) {
  const std::string endless(5000, 'x');
  EXPECT_LT(profile::symbol_name({endless, endless, "avx2", "copy"}).size(), 900U);
}

TEST(RequestOfTheEnvironment, lists_tools_between_commas) {
  const auto request = profile::parse_profiling(" perfmap,gdb ,, jitdumps,all");
  EXPECT_EQ(request.profiling, (Profiling{.perf_map = true, .jitdump = false, .gdb = true}));
  EXPECT_EQ(request.unknown_words, (std::vector<std::string>{"jitdumps", "all"}));
  EXPECT_FALSE(profile::parse_profiling("").profiling.any());
}

}  // namespace
}  // namespace relayout::testing
