#include "src/cli/text_file.hpp"

#include <csignal>
#include <sys/resource.h>

#include "tests/cli/temporary_folder.hpp"

namespace relayout::cli {
namespace {

class TextFile : public TemporaryFolder {};

/// No file grows past `bytes` while this lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

TEST_F(TextFile, example) {
  ASSERT_TRUE(write_text_file(path("page"), "text").ok());
  EXPECT_EQ(*read_text_file(path("page")), "text");
  ASSERT_TRUE(write_text_file(path("page"), "").ok());
  EXPECT_EQ(*read_text_file(path("page")), "");
}

TEST_F(TextFile, a_write_that_fails_leaves_the_old_text) {
  write("page", "old");
  {
    const FileSizeLimit limit(100);
    EXPECT_FALSE(write_text_file(path("page"), std::string(1000, 'n')).ok());
  }
  EXPECT_EQ(read("page"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(TextFile, devices_are_written_to) {
  EXPECT_TRUE(write_text_file("/dev/null", "text").ok());
}

TEST_F(TextFile, errors_name_the_file) {
  EXPECT_EQ(read_text_file(path(".")).error().message, path(".") + ": cannot read: Is a directory");
  EXPECT_EQ(read_text_file(path("none")).error().message, path("none") + ": cannot open");
  EXPECT_EQ(write_text_file(path("no/where"), "").error().message,
            path("no/where") + ": No such file or directory");
  EXPECT_EQ(write_text_file(path("."), "").error().message, path(".") + ": not a regular file");
}

}  // namespace
}  // namespace relayout::cli
