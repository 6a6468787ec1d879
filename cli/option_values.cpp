// Validators for CLI11, which puts the option's name before what they say; figures.
#include "option_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "wgprim/detail/text.hpp"

namespace wgprim::cli {

namespace {

/// The number above `most`, as a power of two where it is one that word sizes know.
std::string bound_text(std::uint64_t most) {
  if (most == std::numeric_limits<std::uint64_t>::max()) return "2^64";
  if (most == std::numeric_limits<std::uint32_t>::max()) return "2^32";
  return std::to_string(most + 1);
}

/// "1000", "64K", "2M", "8G".
std::optional<std::uint64_t> byte_count(std::string_view text) {
  constexpr std::string_view kUnits = "KMG";
  const std::size_t unit = text.empty() ? kUnits.npos : kUnits.find(text.back());
  const std::uint64_t shift = unit == kUnits.npos ? 0 : 10 * (unit + 1);
  if (shift > 0) text.remove_suffix(1);
  const auto number = parse_number<std::uint64_t>(text);
  if (!number || *number > std::numeric_limits<std::uint64_t>::max() >> shift) return std::nullopt;
  return *number << shift;
}

}  // namespace

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  const auto refuse_others = [words](const std::string& word) -> std::string {
    if (std::ranges::find(words, word) != words.end()) return {};
    return fmt::format("'{}' is not among {}", word, joined(words, ", "));
  };
  return {refuse_others, /*description=*/""};
}

CLI::Validator whole_number(std::uint64_t most) {
  const auto refuse_others = [most](const std::string& word) -> std::string {
    std::uint64_t number = 0;
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, number);
    // Printed again it is the same: no sign, no leading zeros, nothing behind it.
    const bool is_whole = error == std::errc() && rest == end && word == std::to_string(number);
    if (is_whole && number <= most) return {};
    return fmt::format("'{}' is not a whole number below {}", word, bound_text(most));
  };
  return {refuse_others, /*description=*/""};
}

std::string figure(double value, int decimals) {
  constexpr int kSignificant = 2;
  const double size = std::abs(value);
  if (!std::isfinite(size) || size == 0) return fmt::format("{:.{}f}", value, decimals);
  // The place of the first digit behind the point; 0 and below where it is before it.
  const int place = -static_cast<int>(std::floor(std::log10(size)));
  if (place <= decimals) return fmt::format("{:.{}f}", value, decimals);
  return fmt::format("{:.{}f}", value, place + kSignificant - 1);
}

void add_memory(CLI::App& verb, std::optional<std::uint64_t>& bytes) {
  verb.add_option_function<std::string>(
          "--memory", [&bytes](const std::string& text) { bytes = byte_count(text); },
          "Work through the array in pieces, so that all device buffers together take no more "
          "than so many bytes; K, M and G are 2^10, 2^20 and 2^30")
      ->check(CLI::Validator(
          [](const std::string& text) {
            if (byte_count(text)) return std::string();
            return fmt::format(
                "'{}' is no number of bytes, nor one with K, M or G (2^10, 2^20, 2^30) behind it",
                text);
          },
          /*description=*/""))
      ->type_name("BYTES");
}

}  // namespace wgprim::cli
