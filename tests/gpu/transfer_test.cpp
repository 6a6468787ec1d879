// Uploads and downloads: ranges, pieces, sinks that fail or misbehave, buffers that go meanwhile.
#include <gtest/gtest.h>

#include <numeric>
#include <optional>

#include "native/transfer.hpp"
#include "native/wgpu_native.hpp"
#include "support/gpu_fixture.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint32_t kCopies = kUsageCopySource | kUsageCopyDestination;

class Transfer : public GpuTest {
 protected:
  static Result<void> ignore(std::span<const std::byte>) { return {}; }
};

TEST_F(Transfer, LargerThanAPieceArrivesWholeAndInOrder) {
  const std::uint64_t words = native::kTransferPieceBytes / 4 + 12345;
  std::vector<std::uint32_t> content(words);
  std::iota(content.begin(), content.end(), 7u);
  Buffer buffer = must(device().create_buffer(4 * words, kCopies, "large"));
  std::vector<std::uint64_t> progress;
  must(device().upload(buffer, 0, std::as_bytes(std::span(content)),
                       [&](std::uint64_t done) { progress.push_back(done); }));
  EXPECT_EQ(progress, (std::vector<std::uint64_t>{native::kTransferPieceBytes, 4 * words}));
  std::uint64_t next = 0;
  bool is_equal = true;
  must(device().download(
      buffer, 0, 4 * words, [&](std::span<const std::byte> piece) -> Result<void> {
        EXPECT_LE(piece.size(), native::kTransferPieceBytes);
        const auto* found = reinterpret_cast<const std::uint32_t*>(piece.data());
        is_equal = is_equal && std::equal(found, found + piece.size() / 4,
                                          content.begin() + static_cast<std::ptrdiff_t>(next));
        next += piece.size() / 4;
        return {};
      }));
  EXPECT_TRUE(is_equal);
  EXPECT_EQ(next, words);
}

TEST_F(Transfer, RefusesRangesThatAreNotWordsOfTheBuffer) {
  Buffer buffer = must(device().create_buffer(16, kCopies, "small"));
  const std::byte bytes[20] = {};
  const auto upload = [&](std::uint64_t offset, std::size_t count) {
    return bool(device().upload(buffer, offset, std::span(bytes, count)));
  };
  const auto download = [&](std::uint64_t offset, std::uint64_t count) {
    return bool(device().download(buffer, offset, count, ignore));
  };
  EXPECT_TRUE(upload(0, 16));
  EXPECT_TRUE(upload(16, 0));
  EXPECT_FALSE(upload(2, 4));
  EXPECT_FALSE(upload(0, 3));
  EXPECT_FALSE(upload(4, 16));
  EXPECT_FALSE(upload(~std::uint64_t{3}, 16));
  EXPECT_TRUE(download(4, 12));
  EXPECT_TRUE(download(16, 0));
  EXPECT_FALSE(download(1, 4));
  EXPECT_FALSE(download(20, 0));
  EXPECT_FALSE(download(4, ~std::uint64_t{3}));
}

TEST_F(Transfer, RefusesBuffersWithoutTheUsage) {
  Buffer storage = must(device().create_buffer(16, kUsageStorage, "storage"));
  const auto down = device().download(storage, 0, 16, ignore);
  ASSERT_FALSE(down);
  EXPECT_EQ(down.error().message, "The buffer of this download lacks the usage copy-source.");
  EXPECT_FALSE(device().upload(storage, 0, std::as_bytes(std::span("abc", 4))));
  storage.destroy();
  EXPECT_FALSE(device().download(storage, 0, 16, ignore));
}

TEST_F(Transfer, RefusesEmptySinks) {
  Buffer buffer = make_buffer(device(), std::vector<std::uint32_t>(4));
  const auto refused = device().download(buffer, 0, 16, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "The sink of a download is empty.");
  const auto scanned = scan(device(), std::vector<std::uint32_t>(4), {});
  ASSERT_FALSE(scanned);
  EXPECT_EQ(scanned.error().message, "The sink for the rows of the result is empty.");
}

TEST_F(Transfer, RefusesMappedBuffers) {
  const auto expect_refused = [](const Result<void>& transfer) {
    ASSERT_FALSE(transfer);
    EXPECT_EQ(transfer.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(transfer.error().message.find("is mapped or about to be mapped"), std::string::npos)
        << transfer.error().message;
  };
  const auto source = raw_buffer(device(), 64, WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc);
  const auto target = raw_buffer(device(), 64, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
  Buffer from = must(Buffer::adopt(device(), source.get()));
  Buffer to = must(Buffer::adopt(device(), target.get()));
  const auto download = [&] { return device().download(from, 0, 64, ignore); };
  const auto upload = [&] { return device().upload(to, 0, std::as_bytes(std::span("abc", 4))); };
  ask_for_map(source.get(), WGPUMapMode_Write);
  ask_for_map(target.get(), WGPUMapMode_Read);
  expect_refused(download());
  expect_refused(upload());
  native::poll(device().handle());
  expect_refused(download());
  expect_refused(upload());
  wgpuBufferUnmap(source.get());
  wgpuBufferUnmap(target.get());
  must(download());
  must(upload());
}

TEST_F(Transfer, ASinkThatMapsItsBufferEndsTheDownload) {
  const std::uint64_t bytes = native::kTransferPieceBytes + 64;
  const auto usage = WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc;
  Buffer buffer = must(Buffer::adopt(device(), raw_buffer(device(), bytes, usage).get()));
  int pieces = 0;
  const auto result =
      device().download(buffer, 0, bytes, [&](std::span<const std::byte>) -> Result<void> {
        if (++pieces == 1) ask_for_map(buffer.handle(), WGPUMapMode_Write);
        return {};
      });
  EXPECT_FALSE(result);
  EXPECT_EQ(pieces, 1);
}

TEST_F(Transfer, HoldsTheRoundedSizeAgainstTheLimit) {
  Device small = must(Device::create({.limits = {"maxBufferSize=1022"}}));
  EXPECT_TRUE(small.create_buffer(1020, kCopies, "fits"));
  const auto rounded_up = small.create_buffer(1021, kCopies, "odd");
  ASSERT_FALSE(rounded_up);
  EXPECT_EQ(rounded_up.error().code, ErrorCode::limit_exceeded);
}

TEST_F(Transfer, RefusesBuffersThatCannotBe) {
  EXPECT_FALSE(device().create_buffer(16, 0, "no usage"));
  EXPECT_FALSE(device().create_buffer(16, 1u << 20, "unknown usage"));
  EXPECT_EQ(device().create_buffer(std::uint64_t{1} << 50, kCopies, "huge").error().code,
            ErrorCode::limit_exceeded);
  EXPECT_EQ(device().create_buffer(~std::uint64_t{0}, kCopies, "huger").error().code,
            ErrorCode::limit_exceeded);
  EXPECT_EQ(must(device().create_buffer(0, kCopies, "empty")).bytes(), 4u);
  EXPECT_EQ(must(device().create_buffer(5, kCopies, "odd")).bytes(), 8u);
  EXPECT_TRUE(device().create_buffer(4, kCopies, "label that is no UTF-8: \xff\xfe"));
}

TEST_F(Transfer, ASinksErrorEndsTheDownload) {
  Buffer buffer = make_buffer(device(), std::vector<std::uint32_t>(16, 1));
  const auto result = device().download(buffer, 0, 64, [](std::span<const std::byte>) {
    return Result<void>(fail(ErrorCode::io, "The disk is full."));
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::io);
  EXPECT_EQ(read_words(device(), buffer, 16), std::vector<std::uint32_t>(16, 1));
}

TEST_F(Transfer, ASinkMayDownloadDestroyAndThrow) {
  Buffer buffer = make_buffer(device(), std::vector<std::uint32_t>(16, 1));
  Buffer other = make_buffer(device(), std::vector<std::uint32_t>(16, 2));
  must(device().download(buffer, 0, 64, [&](std::span<const std::byte>) -> Result<void> {
    buffer.destroy();
    EXPECT_EQ(read_words(device(), other, 16), std::vector<std::uint32_t>(16, 2));
    return {};
  }));
  const auto thrower = [](std::span<const std::byte>) -> Result<void> { throw 1; };
  EXPECT_THROW((void)device().download(other, 0, 64, thrower), int);
  EXPECT_EQ(read_words(device(), other, 16), std::vector<std::uint32_t>(16, 2));
}

}  // namespace
}  // namespace wgprim::testing
