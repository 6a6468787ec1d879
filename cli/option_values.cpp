// Validators for CLI11; it puts the option's name before what they say.
#include "option_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace wgprim::cli {

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

CLI::Validator whole_number() {
  const auto refuse_others = [](const std::string& word) -> std::string {
    std::uint64_t number = 0;
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, number);
    // Printed again it is the same: no sign, no leading zeros, nothing behind it.
    if (error == std::errc() && rest == end && word == std::to_string(number)) return {};
    return fmt::format("'{}' is not a whole number below 2^64", word);
  };
  return {refuse_others, /*description=*/""};
}

}  // namespace wgprim::cli
