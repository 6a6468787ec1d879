// Rows as the GPU holds them: 1 to 4 words each, packed, whatever their type. Used by the oracles
// of scan and reduce; typed values go in and out by to_words and from_words.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace wgprim::reference {

inline constexpr std::uint32_t kMaxRowWords = 4;

/// One row: its words in order, a 64-bit value low word first. Words behind the row's are 0.
using Row = std::array<std::uint32_t, kMaxRowWords>;

/// Whole rows of equal width over packed words that someone else owns.
class PackedRows {
 public:
  /// `words` is a multiple of `row_words`, 1 to kMaxRowWords.
  PackedRows(std::span<const std::uint32_t> words, std::uint32_t row_words)
      : words_(words), row_words_(row_words) {}

  std::size_t size() const { return words_.size() / row_words_; }
  Row operator[](std::size_t row) const {
    Row result{};
    for (std::size_t word = 0; word < row_words_; ++word)
      result[word] = words_[row * row_words_ + word];
    return result;
  }

 private:
  std::span<const std::uint32_t> words_;
  std::uint32_t row_words_;
};

/// Stores the first `row_words` words of the row behind those of the rows before it.
inline void store_row(std::span<std::uint32_t> words, std::uint32_t row_words, std::size_t row,
                      const Row& value) {
  for (std::size_t word = 0; word < row_words; ++word)
    words[row * row_words + word] = value[word];
}

/// Values of 4 or 8 bytes.
template <typename T>
concept RowValue = std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

template <RowValue T>
Row to_row(T value) {
  if constexpr (sizeof(T) == 4) {
    return {std::bit_cast<std::uint32_t>(value)};
  } else {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
  }
}

template <RowValue T>
T from_row(const Row& row) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(row[0]);
  } else {
    return std::bit_cast<T>(row[0] | std::uint64_t{row[1]} << 32);
  }
}

/// One row of sizeof(T) / 4 words a value.
template <RowValue T>
std::vector<std::uint32_t> to_words(const std::vector<T>& values) {
  constexpr std::uint32_t kRowWords = sizeof(T) / 4;
  std::vector<std::uint32_t> words(values.size() * kRowWords);
  for (std::size_t row = 0; row < values.size(); ++row)
    store_row(words, kRowWords, row, to_row(values[row]));
  return words;
}

/// The inverse of to_words: `words` is a multiple of sizeof(T) / 4.
template <RowValue T>
std::vector<T> from_words(std::span<const std::uint32_t> words) {
  const PackedRows rows(words, sizeof(T) / 4);
  std::vector<T> values(rows.size());
  for (std::size_t row = 0; row < values.size(); ++row)
    values[row] = from_row<T>(rows[row]);
  return values;
}

}  // namespace wgprim::reference
