#include "src/cli/mapped_file.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/temporary_folder.hpp"

namespace relayout::cli {
namespace {

namespace fs = std::filesystem;

class MappedFile : public TemporaryFolder {};

TEST_F(MappedFile, example) {
  auto output = MappedOutput::create(path("out"), 3);
  ASSERT_TRUE(output.ok()) << output.error().message;
  std::fill(output->bytes().begin(), output->bytes().end(), std::byte{'x'});
  EXPECT_FALSE(fs::exists(path("out")));
  ASSERT_TRUE(output->commit().ok());
  EXPECT_EQ(read("out"), "xxx");
  EXPECT_EQ(files(), 1u);
}

TEST_F(MappedFile, nothing_is_left_of_a_file_whose_process_is_killed) {
  const int folder = open(path(".").c_str(), O_TMPFILE | O_RDWR, 0600);
  if (folder < 0) GTEST_SKIP() << "every file has a name on this file system";
  close(folder);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto output = MappedOutput::create(path("out"), 100);
    raise(output.ok() ? SIGKILL : SIGABRT);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_EQ(files(), 0u);
}

TEST_F(MappedFile, a_file_that_is_replaced_hands_on_its_mode) {
  write("out", "old");
  fs::permissions(path("out"), fs::perms::owner_read | fs::perms::owner_write);
  auto output = MappedOutput::create(path("out"), 1);
  ASSERT_TRUE(output.ok());
  ASSERT_TRUE(output->commit().ok());
  EXPECT_EQ(fs::status(path("out")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(MappedFile, a_new_file_has_the_mode_of_any_new_file) {
  write("other", "");
  auto output = MappedOutput::create(path("out"), 1);
  ASSERT_TRUE(output.ok());
  ASSERT_TRUE(output->commit().ok());
  EXPECT_EQ(fs::status(path("out")).permissions(), fs::status(path("other")).permissions());
}

TEST_F(MappedFile, a_pipe_is_refused_without_waiting_for_who_writes) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(MappedInput::open(path("pipe")).error().message, path("pipe") + ": not a regular file");
}

TEST_F(MappedFile, without_a_commit_the_old_file_stays) {
  write("out", "old");
  {
    const auto output = MappedOutput::create(path("out"), 100);
    ASSERT_TRUE(output.ok());
  }
  EXPECT_EQ(read("out"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(MappedFile, a_commit_replaces_the_target_of_a_link) {
  write("target", "old");
  fs::create_symlink(path("target"), path("link"));
  auto output = MappedOutput::create(path("link"), 1);
  ASSERT_TRUE(output.ok());
  output->bytes()[0] = std::byte{'n'};
  ASSERT_TRUE(output->commit().ok());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read("target"), "n");
}

TEST_F(MappedFile, empty_files_are_read_and_written) {
  auto output = MappedOutput::create(path("out"), 0);
  ASSERT_TRUE(output.ok());
  ASSERT_TRUE(output->commit().ok());
  const auto input = MappedInput::open(path("out"));
  ASSERT_TRUE(input.ok());
  EXPECT_TRUE(input->bytes().empty());
}

TEST_F(MappedFile, input_holds_the_files_bytes) {
  write("in", "abc");
  const auto input = MappedInput::open(path("in"));
  ASSERT_TRUE(input.ok());
  ASSERT_EQ(input->bytes().size(), 3u);
  EXPECT_EQ(input->bytes()[1], std::byte{'b'});
}

TEST_F(MappedFile, errors_name_the_file) {
  EXPECT_EQ(MappedInput::open(path("none")).error().message, path("none") + ": No such file or directory");
  EXPECT_EQ(MappedInput::open(path(".")).error().message, path(".") + ": not a regular file");
  EXPECT_EQ(MappedOutput::create(path("no/where"), 1).error().message,
            path("no/where") + ": No such file or directory");
}

TEST_F(MappedFile, devices_are_never_replaced) {
  EXPECT_EQ(MappedOutput::create("/dev/null", 1).error().message, "/dev/null: not a regular file");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(MappedFile, one_file_by_two_names_is_one_file) {
  write("a", "1");
  write("b", "1");
  fs::create_hard_link(path("a"), path("c"));
  EXPECT_TRUE(is_same_file(path("a"), path("./a")));
  EXPECT_TRUE(is_same_file(path("a"), path("c")));
  EXPECT_FALSE(is_same_file(path("a"), path("b")));
  EXPECT_FALSE(is_same_file(path("none"), path("none")));
}

TEST_F(MappedFile, an_output_that_is_the_input_is_refused) {
  write("a", "1");
  EXPECT_TRUE(check_output(path("b"), path("a")).ok());
  EXPECT_EQ(check_output(path("./a"), path("a")).error().message, path("./a") + ": is the input file");
}

}  // namespace
}  // namespace relayout::cli
