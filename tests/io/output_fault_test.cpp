// Outputs that cannot be opened, written or finished: the sentence, and that nothing is left.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <iostream>
#include <optional>

#include "io/output_file.hpp"
#include "temporary_folder.hpp"

namespace wgprim::io {
namespace {

namespace fs = std::filesystem;

std::span<const std::byte> bytes_in(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string refusal(const std::string& path) {
  const auto output = OutputFile::create(path);
  if (output) return "accepted";
  EXPECT_EQ(output.error().code, ErrorCode::io);
  return output.error().message;
}

// 0 where the texts are equal, else 1 with both on stderr: the verdict of a child process.
int compare(const std::string& found, const std::string& expected) {
  if (found == expected) return 0;
  std::cerr << "found:    " << found << "\nexpected: " << expected << '\n';
  return 1;
}

TEST(OutputFaultTest, names_a_missing_folder) {
  const TemporaryFolder folder;
  const std::string path = folder / "missing/out.npy";
  EXPECT_EQ(refusal(path), "Output '" + path + "' cannot be created: folder '" +
                               (folder / "missing") + "' does not exist or cannot be entered.");
}

TEST(OutputFaultTest, refuses_directories_and_empty_names) {
  const TemporaryFolder folder;
  const std::string path = folder / ".";
  EXPECT_EQ(refusal(path), "Output '" + path + "' is a directory, not a file.");
  EXPECT_EQ(refusal(folder / "new/"), "Output '" + (folder / "new/") + "' names no file.");
  EXPECT_EQ(refusal(""), "Output '' names no file.");
}

TEST(OutputFaultTest, refuses_a_file_as_folder_and_a_ring_of_links) {
  const TemporaryFolder folder;
  write_file(folder / "file", "");
  const std::string below = folder / "file/out";
  EXPECT_EQ(refusal(below), "Output '" + below + "' cannot be opened: Not a directory.");
  fs::create_symlink("ring", folder / "ring");
  EXPECT_EQ(refusal(folder / "ring"), "Output '" + (folder / "ring") +
                                          "' cannot be opened: Too many levels of symbolic links.");
}

// As an ordinary user, because root may write anywhere.
TEST(OutputFaultTest, refuses_what_permissions_refuse) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "closed");
  write_file(folder / "file", "old");
  ::chmod((folder / "closed").c_str(), 0555);
  ::chmod((folder / "file").c_str(), 0444);
  EXPECT_EQ(run_in_child([&] {
              if (::geteuid() == 0 && ::setuid(65534) != 0) return 2;
              const std::string path = folder / "closed/out";
              return compare(refusal(path), "Output '" + path + "' cannot be created in folder '" +
                                                (folder / "closed") + "': Permission denied.");
            }),
            0);
  EXPECT_EQ(run_in_child([&] {
              if (::geteuid() == 0 && ::setuid(65534) != 0) return 2;
              const std::string path = folder / "file";
              return compare(refusal(path),
                             "Output '" + path + "' cannot be written: Permission denied.");
            }),
            0);
  EXPECT_EQ(read_file(folder / "file"), "old");
  EXPECT_EQ(folder.entry_count(), 2u);
}

TEST(OutputFaultTest, reports_a_closed_standard_output) {
  EXPECT_EQ(run_in_child([] {
              ::close(1);
              return compare(refusal("-"),
                             "Standard output cannot be opened: Bad file descriptor.");
            }),
            0);
}

TEST(OutputFaultTest, reports_a_full_disk) {
  auto output = OutputFile::create("/dev/full");
  if (!output) GTEST_SKIP() << "This system has no /dev/full.";
  const auto written = output->write(bytes_in("x"));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::io);
  EXPECT_EQ(written.error().message,
            "Output '/dev/full' cannot be written beyond 0 bytes: No space left on device.");
  EXPECT_FALSE(output->is_pipe_closed());
}

TEST(OutputFaultTest, reports_a_disk_too_full_before_anything_is_written) {
  const TemporaryFolder folder;
  const std::string path = folder / "out";
  EXPECT_EQ(run_in_child([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{10'000, 10'000};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              auto output = OutputFile::create(path);
              if (!output || !output->reserve(10'000)) return 2;
              const auto reserved = output->reserve(10'001);
              if (reserved) return 3;
              return compare(reserved.error().message, "Output '" + path +
                                                           "' cannot be given 10001 bytes: "
                                                           "File too large.");
            }),
            0);
  EXPECT_EQ(folder.entry_count(), 0u);
}

TEST(OutputFaultTest, leaves_nothing_at_the_file_size_limit) {
  const TemporaryFolder folder;
  const std::string path = folder / "out";
  write_file(path, "old");
  EXPECT_EQ(run_in_child([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{10'000, 10'000};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              auto output = OutputFile::create(path);
              if (!output) return 2;
              const auto written = output->write(bytes_in(std::string(20'000, 'x')));
              if (written) return 3;
              return compare(written.error().message, "Output '" + path +
                                                          "' cannot be written "
                                                          "beyond 10000 bytes: File too large.");
            }),
            0);
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(folder.entry_count(), 1u);
}

TEST(OutputFaultTest, tells_a_closed_pipe_apart) {
  EXPECT_EQ(run_in_child([] {
              std::signal(SIGPIPE, SIG_IGN);
              int ends[2];
              if (::pipe(ends) != 0) return 2;
              ::close(ends[0]);
              auto output = OutputFile::create("/dev/fd/" + std::to_string(ends[1]));
              if (!output) return 3;
              const auto written = output->write(bytes_in("x"));
              return !written && output->is_pipe_closed() ? 0 : 4;
            }),
            0);
}

TEST(OutputFaultTest, leaves_nothing_when_the_target_became_a_directory) {
  const TemporaryFolder folder;
  const std::string path = folder / "out";
  {
    auto output = OutputFile::create(path);
    ASSERT_TRUE(output) << output.error().message;
    fs::create_directory(path);
    const auto committed = output->commit();
    ASSERT_FALSE(committed);
    EXPECT_EQ(committed.error().message,
              "Output '" + path + "' cannot be put in its place: Is a directory.");
  }
  EXPECT_EQ(folder.entry_count(), 1u);
}

TEST(OutputFaultTest, leaves_nothing_after_a_signal) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_in_child([&] {
              std::signal(SIGINT, [](int) {
                remove_unfinished_outputs();
                ::_exit(130);
              });
              auto first = OutputFile::create(folder / "first");
              auto second = OutputFile::create(folder / "second");
              if (!first || !second || !first->commit() || folder.entry_count() != 2) return 2;
              std::raise(SIGINT);
              return 3;
            }),
            130);
  EXPECT_TRUE(fs::exists(folder / "first"));
  EXPECT_EQ(folder.entry_count(), 1u);
}

TEST(OutputFaultTest, passes_over_a_temporary_file_of_somebody_else) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_in_child([&] {
              // The names of this process's next outputs are known from its number and a count.
              for (int i = 1; i < 100; ++i) {
                const auto name = ".wgprim-" + std::to_string(::getpid()) + "-" + std::to_string(i);
                if (i != 50) write_file(folder / (name + ".tmp"), "");
              }
              auto output = OutputFile::create(folder / "out");
              return output && output->commit() ? 0 : 1;
            }),
            0);
  EXPECT_TRUE(fs::exists(folder / "out"));
  EXPECT_EQ(folder.entry_count(), 99u);
}

TEST(OutputFaultTest, limits_the_outputs_that_are_unfinished_at_once) {
  const TemporaryFolder folder;
  {
    std::vector<OutputFile> outputs;
    for (int i = 0; i < 64; ++i) {
      auto output = OutputFile::create(folder / std::to_string(i));
      ASSERT_TRUE(output) << output.error().message;
      outputs.push_back(std::move(*output));
    }
    const auto output = OutputFile::create(folder / "out");
    ASSERT_FALSE(output);
    EXPECT_EQ(output.error().code, ErrorCode::limit_exceeded);
    EXPECT_EQ(output.error().message, "More than 64 output files are unfinished at once.");
  }
  EXPECT_EQ(folder.entry_count(), 0u);
  EXPECT_TRUE(OutputFile::create(folder / "out"));
}

}  // namespace
}  // namespace wgprim::io
