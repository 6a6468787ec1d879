// What the value of an option may be: one of a few words, or a whole number. Figures in tables.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wgprim::cli {

/// Refuses any other word.
CLI::Validator one_of(const std::vector<std::string>& words);

/// Refuses what CLI11 would bend into shape (signs, octal and hexadecimal digits) and what is above
/// `most`.
CLI::Validator whole_number(std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// Adds --memory: a whole number of bytes, or one of K, M or G (2^10, 2^20, 2^30 bytes).
void add_memory(CLI::App& verb, std::optional<std::uint64_t>& bytes);

/// With so many decimals, or as many as two significant digits take: never "0.00" for what is not
/// 0.
std::string figure(double value, int decimals);

/// "auto|on|off".
std::string joined(const std::vector<std::string>& words, std::string_view separator);

/// Adds an option whose words stand for values.
template <class Value>
CLI::Option* add_choice(CLI::App& verb, const std::string& name, Value& value,
                        const std::vector<std::pair<std::string, Value>>& choices,
                        const std::string& help) {
  std::vector<std::string> words;
  words.reserve(choices.size());
  for (const auto& choice : choices)
    words.push_back(choice.first);
  const auto choose = [&value, choices](const std::string& word) {
    for (const auto& choice : choices) {
      if (choice.first == word) value = choice.second;
    }
  };
  return verb.add_option_function<std::string>(name, choose, help)
      ->check(one_of(words))
      ->type_name(joined(words, "|"));
}

}  // namespace wgprim::cli
