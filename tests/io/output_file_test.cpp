// Outputs are complete or absent, whatever the target is. Faults are in output_fault_test.cpp.
#include "io/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "io/array_file.hpp"
#include "io/npy.hpp"
#include "temporary_folder.hpp"

namespace wgprim::io {
namespace {

namespace fs = std::filesystem;

std::span<const std::byte> bytes_in(std::string_view text) {
  return std::as_bytes(std::span(text));
}

Result<void> write_whole(const std::string& path, std::string_view text) {
  auto output = OutputFile::create(path);
  if (!output) return pass_on(output);
  if (auto written = output->write(bytes_in(text)); !written) return written;
  return output->commit();
}

unsigned mode_of(const std::string& path) {
  return static_cast<unsigned>(fs::status(path).permissions());
}

TEST(OutputFileTest, appears_on_commit) {
  const TemporaryFolder folder;
  const std::string path = folder / "out.raw";
  auto output = OutputFile::create(path);
  ASSERT_TRUE(output) << output.error().message;
  ASSERT_TRUE(output->write(bytes_in("one ")));
  ASSERT_TRUE(output->write(bytes_in("two")));
  EXPECT_FALSE(fs::exists(path));
  ASSERT_TRUE(output->commit());
  EXPECT_EQ(read_file(path), "one two");
  EXPECT_EQ(folder.entry_count(), 1u);
  EXPECT_FALSE(output->write(bytes_in("three")));
}

TEST(OutputFileTest, gives_back_reserved_room) {
  const TemporaryFolder folder;
  auto output = OutputFile::create(folder / "out");
  ASSERT_TRUE(output) << output.error().message;
  ASSERT_TRUE(output->reserve(1000));
  ASSERT_TRUE(output->write(bytes_in("short")));
  ASSERT_TRUE(output->commit());
  EXPECT_EQ(read_file(folder / "out"), "short");
}

TEST(OutputFileTest, leaves_nothing_without_commit) {
  const TemporaryFolder folder;
  write_file(folder / "old", "old");
  for (const char* name : {"new", "old"}) {
    auto output = OutputFile::create(folder / name);
    ASSERT_TRUE(output) << output.error().message;
    ASSERT_TRUE(output->write(bytes_in("partial")));
    const auto moved = std::move(*output);
  }
  EXPECT_EQ(read_file(folder / "old"), "old");
  EXPECT_EQ(folder.entry_count(), 1u);
}

TEST(OutputFileTest, has_the_mode_of_a_fresh_or_of_the_replaced_file) {
  const TemporaryFolder folder;
  write_file(folder / "fresh", "");
  ASSERT_TRUE(write_whole(folder / "new", "x"));
  EXPECT_EQ(mode_of(folder / "new"), mode_of(folder / "fresh"));
  for (const mode_t mode : {0600u, 0666u, 0751u}) {
    ASSERT_EQ(::chmod((folder / "fresh").c_str(), mode), 0);
    ASSERT_TRUE(write_whole(folder / "fresh", "x"));
    EXPECT_EQ(mode_of(folder / "fresh"), mode);
  }
}

TEST(OutputFileTest, replaces_the_target_of_symbolic_links) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "data");
  fs::create_symlink("data/real", folder / "inner");
  fs::create_symlink(folder / "inner", folder / "outer");
  for (const char* text : {"first, the target being absent", "second"}) {
    ASSERT_TRUE(write_whole(folder / "outer", text));
    EXPECT_TRUE(fs::is_symlink(folder / "outer"));
    EXPECT_TRUE(fs::is_symlink(folder / "inner"));
    EXPECT_EQ(read_file(folder / "data/real"), text);
  }
  EXPECT_EQ(folder.entry_count(), 3u);
}

TEST(OutputFileTest, knows_its_target_whatever_it_is_called) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "data");
  fs::create_symlink("data/real", folder / "link");
  const auto target_of = [](const std::string& path) { return OutputFile::create(path)->target(); };
  EXPECT_EQ(target_of(folder / "link"), target_of(folder / "data/../data/./real"));
  EXPECT_NE(target_of(folder / "link"), target_of(folder / "data/other"));
  EXPECT_EQ(target_of("/dev/null"), "");
}

TEST(OutputFileTest, may_replace_the_mapped_input) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.npy";
  const std::string contents = make_npy_header(DataType::uint32, 3) + bytes_of({1, 2, 3});
  write_file(path, contents);
  const auto input = read_array(path);
  ASSERT_TRUE(input) << input.error().message;
  auto output = OutputFile::create(path);
  ASSERT_TRUE(output) << output.error().message;
  ASSERT_TRUE(write_array(*output, FileFormat::npy, input->view()));
  ASSERT_TRUE(output->commit());
  EXPECT_EQ(input->view().as<std::uint32_t>()[2], 3u);
  EXPECT_EQ(read_file(path), contents);
}

TEST(OutputFileTest, writes_devices_directly) {
  ASSERT_TRUE(write_whole("/dev/null", "x"));
  struct stat status{};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST(OutputFileTest, writes_a_fifo_directly) {
  const TemporaryFolder folder;
  const std::string path = folder / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = read_file(path); });
  const std::string large(1'000'000, 'x');
  const auto written = write_whole(path, large);
  reader.join();
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(received, large);
  EXPECT_TRUE(fs::is_fifo(path));
}

TEST(OutputFileTest, appends_to_an_open_stream) {
  const TemporaryFolder folder;
  const std::string path = folder / "log";
  for (const char* name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    write_file(path, "before,");
    EXPECT_EQ(run_in_child([&] {
                ::dup2(::open(path.c_str(), O_WRONLY | O_APPEND), 1);
                return write_whole(name, "after") ? 0 : 1;
              }),
              0);
    EXPECT_EQ(read_file(path), "before,after") << name;
  }
}

TEST(OutputFileTest, waits_for_a_pipe_in_non_blocking_mode) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  const FileDescriptor read_end(ends[0]);
  std::size_t received = 0;
  std::thread reader([&] {
    std::vector<std::byte> buffer(4096);
    while (received < 1'000'000) {
      received += static_cast<std::size_t>(read_some(read_end, buffer));
    }
  });
  const auto written =
      write_whole("/dev/fd/" + std::to_string(ends[1]), std::string(1'000'000, 'x'));
  reader.join();
  ::close(ends[1]);
  EXPECT_TRUE(written);
  EXPECT_EQ(received, 1'000'000u);
}

TEST(OutputFileTest, reports_progress_in_bounded_pieces) {
  const TemporaryFolder folder;
  const std::string text(9 << 20, 'x');
  std::vector<std::uint64_t> done;
  auto output = OutputFile::create(folder / "out");
  ASSERT_TRUE(output->write(bytes_in(text), [&](std::uint64_t bytes, std::uint64_t total) {
    EXPECT_EQ(total, text.size());
    done.push_back(bytes);
  }));
  EXPECT_EQ(done, (std::vector<std::uint64_t>{4 << 20, 8 << 20, 9 << 20}));
}

TEST(OutputFileTest, writes_npy_or_raw) {
  const TemporaryFolder folder;
  const std::vector<std::uint32_t> values{1, 2, 3};
  const ArrayView array{std::as_bytes(std::span(values)), 3, DataType::uint32};
  const std::string header = make_npy_header(DataType::uint32, 3);
  for (const auto& [format, contents] : {std::pair(FileFormat::npy, header + bytes_of(values)),
                                         std::pair(FileFormat::raw, bytes_of(values))}) {
    auto output = OutputFile::create(folder / "out");
    ASSERT_TRUE(write_array(*output, format, array));
    ASSERT_TRUE(output->commit());
    EXPECT_EQ(read_file(folder / "out"), contents);
  }
  EXPECT_EQ(format_for_output("a.npy", FileFormat::raw), FileFormat::npy);
  EXPECT_EQ(format_for_output("a.u32", FileFormat::npy), FileFormat::raw);
  EXPECT_EQ(format_for_output("-", FileFormat::npy), FileFormat::npy);
  EXPECT_EQ(format_for_output("-", FileFormat::raw), FileFormat::raw);
}

}  // namespace
}  // namespace wgprim::io
