#include "jit/code_memory.hpp"

#include <atomic>
#include <bit>
#include <cerrno>
#include <fstream>
#include <functional>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "jit/compiler.hpp"

namespace relayout::testing {
namespace {

using jit::CodeMemory;

/// mov eax, value; ret
std::vector<std::uint8_t> code_returning(std::uint8_t value) {
  return {0xB8, value, 0, 0, 0, 0xC3};
}

int call(const CodeMemory& memory) {
  return std::bit_cast<int (*)()>(memory.bytes().data())();
}

CodeMemory memory_returning(std::uint8_t value) {
  auto memory = CodeMemory::create(code_returning(value));
  EXPECT_TRUE(memory.ok());
  return std::move(memory).value();
}

/// Runs `body` in a child process; its result is the exit status, -1 if it died.
int in_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A line of /proc/self/maps that is writable and executable, or nothing.
std::string writable_and_executable_mapping() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t access = line.find(' ') + 1;
    if (line.compare(access + 1, 2, "wx") == 0) return line;
  }
  return {};
}

/// A lasting process-wide ban of new executable mappings made from writable ones; since Linux 6.3.
bool deny_write_execute() {
  constexpr int kSetMdwe = 65;
  return prctl(kSetMdwe, 1, 0, 0, 0) == 0;
}

TEST(CodeMemory, example) {
  EXPECT_EQ(call(memory_returning(7)), 7);
}

TEST(CodeMemory, is_available_here) {
  EXPECT_TRUE(jit::executable_memory_available());
}

TEST(CodeMemory, keeps_the_code_as_given) {
  std::vector<std::uint8_t> code(10000, 0xCC);
  code[9999] = 1;
  const auto memory = CodeMemory::create(code);
  ASSERT_TRUE(memory.ok());
  EXPECT_TRUE(std::equal(code.begin(), code.end(), memory->bytes().begin(), memory->bytes().end()));
}

TEST(CodeMemory, may_be_empty) {
  EXPECT_TRUE(CodeMemory::create({}).ok());
}

TEST(CodeMemory, moves) {
  CodeMemory first = memory_returning(1);
  CodeMemory second = std::move(first);
  EXPECT_EQ(call(second), 1);
  second = memory_returning(2);
  EXPECT_EQ(call(second), 2);
}

TEST(CodeMemory, is_never_writable_and_executable_at_once) {
  const CodeMemory memory = memory_returning(3);
  EXPECT_EQ(writable_and_executable_mapping(), "");
}

TEST(CodeMemory, is_returned_to_the_system) {
  const std::uint8_t* start = nullptr;
  {
    const CodeMemory memory = memory_returning(3);
    start = memory.bytes().data();
  }
  EXPECT_NE(msync(const_cast<std::uint8_t*>(start), 1, MS_ASYNC), 0);
  EXPECT_EQ(errno, ENOMEM) << "that is, not mapped";
}

TEST(CodeMemory, is_kept_apart_from_what_is_made_and_freed_before_and_after) {
  std::vector<CodeMemory> memories;
  for (int i = 0; i < 40; ++i) memories.push_back(memory_returning(static_cast<std::uint8_t>(i)));
  for (std::size_t i = 0; i < memories.size(); i += 2) memories[i] = memory_returning(100);
  for (std::size_t i = 0; i < memories.size(); ++i)
    EXPECT_EQ(call(memories[i]), i % 2 == 0 ? 100 : static_cast<int>(i));
}

TEST(CodeMemory, may_be_larger_than_what_is_mapped_ahead) {
  const CodeMemory before = memory_returning(1);
  std::vector<std::uint8_t> code = code_returning(2);
  code.resize(100'000, 0xCC);
  const auto large = CodeMemory::create(code);
  ASSERT_TRUE(large.ok());
  const CodeMemory after = memory_returning(3);
  EXPECT_EQ(call(before), 1);
  EXPECT_EQ(call(*large), 2);
  EXPECT_EQ(call(after), 3);
}

TEST(CodeMemory, may_be_made_by_several_threads_at_once) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (std::uint8_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread, &wrong] {
      for (int i = 0; i < 200; ++i) {
        const auto memory = CodeMemory::create(code_returning(thread));
        if (!memory.ok() || call(*memory) != thread) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(CodeMemory, of_a_parent_survives_what_its_child_compiles_and_frees) {
  CodeMemory parents = memory_returning(9);
  EXPECT_EQ(in_child([&] {
              CodeMemory childs = memory_returning(7);
              if (call(childs) != 7 || call(parents) != 9) return 1;
              parents = memory_returning(5);  // frees the inherited one
              return call(parents) == 5 ? 0 : 1;
            }),
            0);
  EXPECT_EQ(call(parents), 9);
}

/// The child waits for the parent to free its copy of the code and to compile other code, then calls its own
/// copy.
void expect_child_keeps_its_copy() {
  CodeMemory shared = memory_returning(9);
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    char byte = 0;
    const bool told = read(ready[0], &byte, 1) == 1;
    _exit(told && call(shared) == 9 ? 0 : 1);
  }
  shared = memory_returning(7);
  std::vector<CodeMemory> others;
  for (std::uint8_t i = 0; i < 50; ++i) others.push_back(memory_returning(i));
  ASSERT_EQ(write(ready[1], "x", 1), 1);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  close(ready[0]);
  close(ready[1]);
}

TEST(CodeMemory, of_a_child_survives_what_its_parent_compiles_and_frees) {
  expect_child_keeps_its_copy();
}

TEST(CodeMemory, works_where_pages_may_not_become_executable) {
  const int outcome = in_child([] {
    if (!deny_write_execute()) return 2;
    const auto memory = CodeMemory::create(code_returning(11));
    if (!memory.ok()) return 1;
    return call(*memory) == 11 && writable_and_executable_mapping().empty() ? 0 : 1;
  });
  if (outcome == 2) GTEST_SKIP() << "the kernel has no PR_SET_MDWE (Linux 6.3)";
  EXPECT_EQ(outcome, 0);
}

TEST(CodeMemory, survives_forks_where_pages_may_not_become_executable) {
  const int outcome = in_child([] {
    if (!deny_write_execute()) return 2;
    expect_child_keeps_its_copy();
    CodeMemory parents = memory_returning(9);
    const int inner = in_child([&] {
      const CodeMemory childs = memory_returning(7);
      return call(childs) == 7 && call(parents) == 9 ? 0 : 1;
    });
    return inner == 0 && call(parents) == 9 && !::testing::Test::HasFailure() ? 0 : 1;
  });
  if (outcome == 2) GTEST_SKIP() << "the kernel has no PR_SET_MDWE (Linux 6.3)";
  EXPECT_EQ(outcome, 0);
}

}  // namespace
}  // namespace relayout::testing
