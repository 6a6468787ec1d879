// Reading whole files: mapped, piped, raw, damaged. Header details are in npy_test.cpp.
#include "io/array_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <thread>

#include "io/npy.hpp"
#include "io/text_file.hpp"
#include "temporary_folder.hpp"

namespace wgprim::io {
namespace {

using Values = std::vector<std::uint32_t>;

Values make_values() { return {3, 1, 4, 2}; }

std::string npy_file() { return make_npy_header(DataType::uint32, 4) + bytes_of(make_values()); }

Values values_of(const ArrayFile& array) {
  const auto values = array.view().as<std::uint32_t>();
  return {values.begin(), values.end()};
}

std::string refusal(const std::string& path, ErrorCode code, const ReadOptions& options = {}) {
  const auto array = read_array(path, options);
  if (array) return "accepted";
  EXPECT_EQ(array.error().code, code);
  return array.error().message;
}

class ArrayFileTest : public testing::Test {
 protected:
  std::string make(std::string_view name, std::string_view contents) {
    write_file(folder_ / name, contents);
    return folder_ / name;
  }

  TemporaryFolder folder_;
};

TEST_F(ArrayFileTest, reads_npy_by_its_magic_whatever_its_name) {
  const auto array = read_array(make("values.bin", npy_file()));
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(array->format(), FileFormat::npy);
  EXPECT_EQ(array->dtype(), DataType::uint32);
  EXPECT_EQ(array->rows(), 4u);
  EXPECT_EQ(array->trailing_bytes(), 0u);
  EXPECT_EQ(values_of(*array), make_values());
}

TEST_F(ArrayFileTest, reads_raw_elements_where_a_type_is_named) {
  const auto raw =
      read_array(make("a.raw", bytes_of(make_values())), {.raw_dtype = DataType::uint32});
  ASSERT_TRUE(raw) << raw.error().message;
  EXPECT_EQ(raw->format(), FileFormat::raw);
  EXPECT_EQ(values_of(*raw), make_values());

  const auto bytes = read_array(make("a.npy", npy_file()), {.raw_dtype = DataType::uint8});
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(bytes->rows(), npy_file().size());

  const ReadOptions fallback{.dtype_without_magic = DataType::uint32};
  EXPECT_EQ(values_of(*read_array(folder_ / "a.raw", fallback)), make_values());
  EXPECT_EQ(read_array(folder_ / "a.npy", fallback)->format(), FileFormat::npy);
}

TEST_F(ArrayFileTest, reads_arrays_without_rows) {
  EXPECT_EQ(read_array(make("a.npy", make_npy_header(DataType::uint32, 0)))->rows(), 0u);
  EXPECT_EQ(read_array(make("a.raw", ""), {.raw_dtype = DataType::uint32})->rows(), 0u);
}

TEST_F(ArrayFileTest, reads_to_the_end_of_a_fifo) {
  const std::string path = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  Values many(1'000'000);
  for (std::uint32_t i = 0; i < many.size(); ++i)
    many[i] = i;
  std::thread writer(
      [&] { write_file(path, make_npy_header(DataType::uint32, many.size()) + bytes_of(many)); });
  const auto array = read_array(path);
  writer.join();
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(values_of(*array), many);
}

TEST_F(ArrayFileTest, reads_standard_input) {
  const std::string path = make("a.npy", npy_file());
  EXPECT_EQ(run_in_child([&] {
              if (::dup2(::open(path.c_str(), O_RDONLY), 0) != 0) return 1;
              const auto array = read_array("-");
              return array && values_of(*array) == make_values() ? 0 : 2;
            }),
            0);
  EXPECT_EQ(run_in_child([&] {
              ::dup2(::open("/dev/null", O_RDONLY), 0);
              const auto array = read_array("-");
              return !array && array.error().message.starts_with("Standard input is empty;") ? 0
                                                                                             : 2;
            }),
            0);
}

TEST_F(ArrayFileTest, outlives_the_replacement_of_its_path) {
  const auto array = read_array(make("a.npy", npy_file()));
  std::filesystem::rename(make("b.npy", "other"), folder_ / "a.npy");
  EXPECT_EQ(values_of(*array), make_values());
  std::filesystem::remove(folder_ / "a.npy");
  EXPECT_EQ(values_of(*array), make_values());
}

TEST_F(ArrayFileTest, aligns_data_behind_an_unpadded_header) {
  const std::string dictionary = "{'descr':'<u4','fortran_order':False,'shape':(4,)} ";
  const std::string header =
      std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(dictionary.size()) + '\0' + dictionary;
  ASSERT_NE(header.size() % 4, 0u);
  const auto array = read_array(make("a.npy", header + bytes_of(make_values())));
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array->view().bytes.data()) % 4, 0u);
  EXPECT_EQ(values_of(*array), make_values());
}

TEST_F(ArrayFileTest, ignores_trailing_bytes_as_numpy_does) {
  const auto array = read_array(make("a.npy", npy_file() + "more"));
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(values_of(*array), make_values());
  EXPECT_EQ(array->trailing_bytes(), 4u);
}

TEST_F(ArrayFileTest, refuses_what_cannot_be_opened) {
  const std::string missing = folder_ / "missing.npy";
  EXPECT_EQ(refusal(missing, ErrorCode::io), "Input '" + missing + "' does not exist.");
  const std::string folder = folder_ / ".";
  EXPECT_EQ(refusal(folder, ErrorCode::io), "Input '" + folder + "' is a directory, not a file.");
  const std::string below = make("a.npy", npy_file()) + "/b";
  EXPECT_EQ(refusal(below, ErrorCode::io),
            "Input '" + below + "' cannot be opened: Not a directory.");
}

TEST_F(ArrayFileTest, refuses_contents_without_a_type) {
  const std::string hint =
      "; --dtype names the element type of a raw file, for example --dtype uint32.";
  const std::string empty = make("empty.npy", "");
  EXPECT_EQ(refusal(empty, ErrorCode::invalid_file), "Input '" + empty + "' is empty" + hint);
  const std::string text = make("text.npy", "\x93NUMP");
  EXPECT_EQ(refusal(text, ErrorCode::invalid_file),
            "Input '" + text + "' is not a .npy file (its first bytes say so)" + hint);
}

TEST_F(ArrayFileTest, refuses_too_few_data) {
  const std::string whole = npy_file();
  const std::string path = make("a.npy", whole.substr(0, whole.size() - 1));
  EXPECT_EQ(refusal(path, ErrorCode::invalid_file),
            "Input '" + path +
                "' is truncated: its header announces 16 bytes of data (4 rows of "
                "uint32), 15 are there.");
  const std::string huge = make("huge.npy", make_npy_header(DataType::uint32, 1ull << 61));
  EXPECT_EQ(refusal(huge, ErrorCode::invalid_file),
            "Input '" + huge +
                "' is truncated: its header announces 9223372036854775808 bytes of "
                "data (2305843009213693952 rows of uint32), 0 are there.");
}

TEST_F(ArrayFileTest, refuses_part_of_a_raw_row) {
  const std::string path = make("a.raw", "0123456789");
  EXPECT_EQ(refusal(path, ErrorCode::invalid_file, {.raw_dtype = DataType::uint32}),
            "Input '" + path + "' holds 10 bytes, not a multiple of the 4 bytes of a uint32 row.");
}

TEST_F(ArrayFileTest, refuses_a_type_that_the_caller_does_not_accept) {
  const std::string path = make("a.npy", npy_file());
  const std::array accepted{DataType::int32};
  EXPECT_EQ(refusal(path, ErrorCode::unsupported, {.accepted = accepted}),
            "Input '" + path +
                "' holds uint32 elements; 1-D little-endian arrays of int32 are "
                "accepted.");
  EXPECT_EQ(refusal(path, ErrorCode::invalid_argument,
                    {.raw_dtype = DataType::uint32, .accepted = accepted}),
            "Input '" + path +
                "' cannot be taken as uint32; 1-D little-endian arrays of int32 are "
                "accepted.");
}

TEST_F(ArrayFileTest, refuses_a_header_by_the_name_of_its_file) {
  const std::string path = make("a.npy", "\x93NUMPY");
  EXPECT_EQ(refusal(path, ErrorCode::invalid_file),
            "Input '" + path + "' is truncated: it ends within its .npy header.");
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST_F(ArrayFileTest, a_payload_is_the_data_of_an_array_or_the_whole_file) {
  const std::string data = bytes_of(make_values());
  const auto npy =
      read_payload(make("a", make_npy_header(DataType::uint32, 2, 2) + data + "more"), 16);
  ASSERT_TRUE(npy) << npy.error().message;
  EXPECT_EQ(npy->format, FileFormat::npy);
  EXPECT_EQ(text_of(npy->bytes), data);

  const auto raw = read_payload(make("b.npy", "seven b"), 7);
  ASSERT_TRUE(raw) << raw.error().message;
  EXPECT_EQ(raw->format, FileFormat::raw);
  EXPECT_EQ(text_of(raw->bytes), "seven b");
  EXPECT_EQ(read_payload(make("empty", ""), 0)->bytes.size(), 0u);
}

TEST_F(ArrayFileTest, a_stream_is_not_read_beyond_what_is_wanted) {
  EXPECT_EQ(read_payload("/dev/zero", 28).error().message,
            "Input '/dev/zero' is larger than 1048604 bytes, the most that are taken.");
  EXPECT_EQ(read_payload("/dev/zero", 0).error().code, ErrorCode::invalid_file);
  const ReadOptions options{.raw_dtype = DataType::uint32, .most_streamed_bytes = 4000};
  EXPECT_EQ(read_array("/dev/zero", options).error().code, ErrorCode::invalid_file);
  const std::string path = make("long", std::string(2'000'000, 'x'));  // Mapped, so never read.
  EXPECT_EQ(read_payload(path, 28)->bytes.size(), 2'000'000u);
}

TEST_F(ArrayFileTest, refuses_a_payload_cut_short) {
  const std::string path = make("a", make_npy_header(DataType::uint32, 2, 3) + "0123");
  EXPECT_EQ(
      read_payload(path, 4).error().message,
      "Input '" + path + "' is truncated: its header announces 24 bytes of data, 4 are there.");
}

TEST_F(ArrayFileTest, reads_a_text_whole) {
  EXPECT_EQ(read_text(make("a.txt", "one\ntwo")).value(), "one\ntwo");
  EXPECT_EQ(read_text(make("b.txt", "")).value(), "");
  EXPECT_EQ(read_text(folder_ / "missing").error().code, ErrorCode::io);
}

TEST_F(ArrayFileTest, refuses_a_text_beyond_256_mib) {
  const std::string path = make("large", "x");
  std::filesystem::resize_file(path, kMostTextBytes + 1);  // Takes no room: a hole.
  const auto text = read_text(path);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::invalid_file);
  EXPECT_EQ(text.error().message,
            "Input '" + path + "' is larger than 268435456 bytes, the most that are taken.");
  EXPECT_FALSE(read_text("/dev/zero"));  // A stream has no size to ask for.
}

}  // namespace
}  // namespace wgprim::io
