// How two rows become one, and the value of a row: what scans and reductions are told.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>

#include "wgprim/view.hpp"

namespace wgprim {

/// How two rows become one. All are associative; integer sums wrap.
/// sum, min, max: of uint32, int32, float32, uint64 or int64 rows, as the views say. Sums of
/// float32 are taken in an order that length, path and device fix; min and max of float32 order the
/// bits: NaN propagates, -0.0 is less than +0.0.
enum class OperatorKind { sum, min, max, custom };

const char* to_string(OperatorKind kind);  ///< "sum".

/// An operator: `OperatorKind::min`, or {OperatorKind::custom, text, words}.
struct Operator {
  OperatorKind kind = OperatorKind::sum;
  /// `fn identity() -> Element` and an associative `fn combine(a: Element, b: Element) -> Element`,
  /// which need not commute, with whatever functions, constants, aliases and structs they call on.
  /// `Element` is u32, vec2u, vec3u or vec4u for rows of 1 to 4 words: the rows' bits.
  std::string wgsl;
  std::uint32_t words = 1;  ///< Of a custom operator's rows.

  Operator(OperatorKind op = OperatorKind::sum, std::string text = {},  // NOLINT: a kind is one.
           std::uint32_t row_words = 1)
      : kind(op), wgsl(std::move(text)), words(row_words) {}
  bool operator==(const Operator&) const = default;
};

/// The value of one row, with its format: 5u, -5, 0.5f, a 64-bit number, or the words of a record.
struct RowValue {
  Format format = Format::uint32;
  std::array<std::uint32_t, 4> words = {};  ///< Low word first; as many as the format has.

  RowValue() = default;
  RowValue(std::uint32_t value) : words{value} {}  // NOLINT: a number is a row's value.
  RowValue(std::int32_t value)                     // NOLINT
      : format(Format::int32), words{static_cast<std::uint32_t>(value)} {}
  RowValue(float value)  // NOLINT
      : format(Format::float32), words{std::bit_cast<std::uint32_t>(value)} {}
  RowValue(std::uint64_t value)  // NOLINT
      : format(Format::uint64),
        words{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)} {}
  RowValue(std::int64_t value)  // NOLINT
      : RowValue(Format::int64,
                 {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)}) {}
  RowValue(Format row_format, std::array<std::uint32_t, 4> row_words)
      : format(row_format), words(row_words) {}
  bool operator==(const RowValue&) const = default;
};

}  // namespace wgprim
