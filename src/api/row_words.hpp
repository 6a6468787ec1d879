// Rows of C++ types as the words that a device holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "wgprim/detail/text.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::api {

template <RowType T>
constexpr Format format_of() {
  if constexpr (std::is_same_v<T, std::uint32_t>) return Format::uint32;
  if constexpr (std::is_same_v<T, std::int32_t>) return Format::int32;
  if constexpr (std::is_same_v<T, float>) return Format::float32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return Format::uint64;
  if constexpr (std::is_same_v<T, std::int64_t>) return Format::int64;
}

/// Read as words for the transfer to a device alone, which copies bytes.
template <RowType T>
std::span<const std::uint32_t> words_of(std::span<const T> rows) {
  return {reinterpret_cast<const std::uint32_t*>(rows.data()), rows.size_bytes() / 4};
}

/// Rows of a result, appended word by word; a row of 8 bytes may come in two pieces.
template <RowType T>
class RowCollector {
 public:
  /// Errors: no memory for so many rows.
  static Result<RowCollector> create(std::size_t rows) {
    RowCollector collector;
    try {
      collector.rows_.resize(rows);
    } catch (const std::bad_alloc&) {
      return fail(ErrorCode::out_of_memory,
                  concat("The host has no memory for a result of ", rows, " rows."));
    }
    return collector;
  }

  void append(std::span<const std::uint32_t> words) {
    std::memcpy(reinterpret_cast<std::byte*>(rows_.data()) + bytes_, words.data(),
                words.size_bytes());
    bytes_ += words.size_bytes();
  }

  /// Those that came.
  std::vector<T> take() {
    rows_.resize(bytes_ / sizeof(T));
    return std::move(rows_);
  }

 private:
  std::vector<T> rows_;
  std::size_t bytes_ = 0;
};

inline constexpr std::string_view kResultSink = "sink for the rows of the result";

/// Errors: a sink or a source that is empty. `what` names it.
Result<void> check_given(std::string_view what, bool is_given);

/// Errors: carries, whose rows nobody could fill or read.
Result<void> check_no_carries(std::string_view operation, bool has_carries);

/// Errors: words that are no whole rows.
Result<std::uint64_t> count_rows(std::span<const std::uint32_t> words, Format format);

}  // namespace wgprim::api
