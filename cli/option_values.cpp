// Validators for CLI11, which puts the option's name before what they say; figures.
#include "option_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace wgprim::cli {

namespace {

/// The number above `most`, as a power of two where it is one that word sizes know.
std::string bound_text(std::uint64_t most) {
  if (most == std::numeric_limits<std::uint64_t>::max()) return "2^64";
  if (most == std::numeric_limits<std::uint32_t>::max()) return "2^32";
  return std::to_string(most + 1);
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

}  // namespace wgprim::cli
