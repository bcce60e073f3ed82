#include <map>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include "relayout/relayout.hpp"
#include "src/runtime/record.hpp"

namespace relayout::testing {
namespace {

/// A reader of RFC 4180, for one line.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  EXPECT_FALSE(quoted) << line;
  return fields;
}

/// Records of one test, by the names of the template.
class Verbose : public ::testing::Test {
 protected:
  using Fields = std::map<std::string, std::string>;

  void start(Verbosity level) {
    clear_cache();
    set_verbosity(level, [this](LogLevel, std::string_view line) {
      const std::lock_guard lock(mutex_);
      lines_.emplace_back(line);
    });
  }
  void TearDown() override { set_verbosity(Verbosity::kOff); }

  std::vector<Fields> records() {
    set_verbosity(Verbosity::kOff);
    std::vector<Fields> records;
    EXPECT_FALSE(lines_.empty());
    const auto names = fields_of(lines_.front());
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      const auto fields = fields_of(lines_[i]);
      EXPECT_EQ(fields.size(), names.size()) << lines_[i];
      EXPECT_EQ(fields[0], "relayout");
      Fields record;
      for (std::size_t f = 0; f < std::min(names.size(), fields.size()); ++f) record[names[f]] = fields[f];
      records.push_back(record);
    }
    return records;
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

Result<Relayout> transpose(const std::string& spec, const CompileOptions& options = {}) {
  const auto source = Layout::parse(spec);
  return compile(*source, *Layout::parse_destination("[1, 0]", *source), options);
}

void call(const Relayout& convert) {
  std::vector<std::byte> from(static_cast<std::size_t>(convert.source_bytes()));
  std::vector<std::byte> to(static_cast<std::size_t>(convert.destination_bytes()));
  convert(from.data(), to.data());
}

TEST_F(Verbose, example) {
  start(Verbosity::kCompilations);
  const auto convert = transpose("f32[40,24]");
  ASSERT_TRUE(convert);
  const auto seen = records();
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].at("event"), "compile");
  EXPECT_EQ(seen[0].at("source"), "f32[40,24][0, 1]");
  EXPECT_EQ(seen[0].at("destination"), "f32[40,24][1, 0]");
  EXPECT_EQ(seen[0].at("isa"), to_string(convert->isa()));
  EXPECT_EQ(seen[0].at("kernel"), convert->kernel());
  EXPECT_EQ(seen[0].at("code_bytes"), std::to_string(convert->code_bytes()));
  double stages = 0;
  for (const char* stage : {"problem_us", "refine_us", "plan_us", "emit_us"}) {
    if (!seen[0].at(stage).empty()) stages += std::stod(seen[0].at(stage));
  }
  EXPECT_GT(stages, 0);
  EXPECT_LE(stages, std::stod(seen[0].at("duration_us")) + 0.01);
}

TEST_F(Verbose, template_comes_first_and_never_changes) {
  start(Verbosity::kCompilations);
  records();
  ASSERT_EQ(lines().size(), 1U);
  EXPECT_EQ(lines()[0],
            "relayout,event,time_us,thread,source,destination,isa,kernel,code_bytes,moved_bytes,duration_us,"
            "problem_us,refine_us,plan_us,emit_us,part,parts,detail");
}

TEST_F(Verbose, hits_evictions_and_failures_are_events) {
  const std::size_t capacity = cache_statistics().capacity;
  start(Verbosity::kCompilations);
  set_cache_capacity(1);
  EXPECT_TRUE(transpose("f32[40,24]"));
  EXPECT_TRUE(transpose("f32[40,24]"));
  EXPECT_TRUE(transpose("u8[40,24]"));
  EXPECT_FALSE(compile(*Layout::parse("f32[2,3]"), *Layout::parse("f32[3,2]")));
  set_cache_capacity(capacity);
  std::string events;
  const auto seen = records();
  for (const auto& record : seen) events += record.at("event") + " ";
  EXPECT_EQ(events, "compile hit evict compile evict fail ");
  EXPECT_EQ(seen[2].at("source"), "f32[40,24][0, 1]");
  EXPECT_EQ(seen[5].at("detail"), "the source is f32[2,3], the destination f32[3,2]");
}

TEST_F(Verbose, executions_have_durations_bytes_and_parts) {
  start(Verbosity::kCalls);
  const auto convert = transpose("f32[40,24]");
  call(*convert);
  std::vector<std::byte> from(3840);
  std::vector<std::byte> to(3840);
  convert->run_part(from.data(), to.data(), 1, 2);
  const auto seen = records();
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[1].at("event"), "execute");
  EXPECT_EQ(seen[1].at("moved_bytes"), "7680");
  EXPECT_GT(std::stod(seen[1].at("duration_us")), 0);
  EXPECT_EQ(seen[1].at("part") + "/" + seen[1].at("parts"), "0/1");
  EXPECT_EQ(seen[2].at("part") + "/" + seen[2].at("parts"), "1/2");
  EXPECT_EQ(seen[2].at("moved_bytes"), "3840");
}

TEST_F(Verbose, executions_are_left_out_below_their_level) {
  start(Verbosity::kCompilations);
  call(*transpose("f32[40,24]"));
  EXPECT_EQ(records().size(), 1U);
}

TEST_F(Verbose, a_sink_may_use_the_library) {
  int compiled = 0;
  clear_cache();
  set_verbosity(Verbosity::kCompilations, [&](LogLevel, std::string_view line) {
    if (line.find("f32[40,24]") != std::string_view::npos) compiled += transpose("u8[8,8]").ok() ? 1 : 0;
  });
  EXPECT_TRUE(transpose("f32[40,24]"));
  EXPECT_EQ(compiled, 1);
}

TEST_F(Verbose, records_of_all_threads_are_whole) {
  start(Verbosity::kCalls);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      const auto convert = transpose("u8[32," + std::to_string(t + 10) + "]");
      for (int i = 0; i < 50; ++i) call(*convert);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(records().size(), 4U * 51U);
}

TEST_F(Verbose, off_is_the_default_and_says_nothing) {
  EXPECT_EQ(verbosity(), Verbosity::kOff);
  start(Verbosity::kOff);
  EXPECT_TRUE(transpose("f32[40,24]"));
  EXPECT_TRUE(lines().empty());
}

TEST(Record, quotes_what_would_be_taken_for_a_separator) {
  runtime::Record record;
  record.field("plain").field("a,b").field("say \"x\"").field("two\nlines").field("").microseconds(1234567);
  EXPECT_EQ(record.text(), R"(plain,"a,b","say ""x""","two lines",,1234.567)");
  EXPECT_EQ(fields_of(record.text()),
            (std::vector<std::string>{"plain", "a,b", "say \"x\"", "two lines", "", "1234.567"}));
}

}  // namespace
}  // namespace relayout::testing
