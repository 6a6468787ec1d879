// Sentences for CLI11's exceptions; see the header. They hold the option only in their text, as
// "NAME: ..." or "...: NAME = VALUE".
#include "usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "option_values.hpp"

namespace wgprim::cli {
namespace {

std::string names_below(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(below->get_name());
  return joined(names, ", ");
}

/// The first word left over that is no option.
std::optional<std::string> unknown_word(const CLI::App& app) {
  const auto words = app.remaining(/*recurse=*/true);
  const auto unknown =
      std::ranges::find_if(words, [](const std::string& word) { return !word.starts_with('-'); });
  return unknown == words.end() ? std::nullopt : std::optional(*unknown);
}

/// The verb asked for, or the operation below it.
const CLI::App* deepest(const CLI::App* app) {
  const auto chosen = app->get_subcommands();
  return chosen.empty() ? app : deepest(chosen.front());
}

/// "N,N,..." for --sizes; empty where the option has no such text or is none.
std::string type_of(const CLI::App& app, const std::string& name) {
  for (const CLI::App* at = deepest(&app); at != nullptr; at = at->get_parent()) {
    if (const auto* option = at->get_option_no_throw(name)) return option->get_type_name();
  }
  return {};
}

std::string missing_verb(const CLI::App& app) {
  const auto unknown = unknown_word(app);
  if (!unknown) return fmt::format("A verb is required ({}).", names_below(app));
  return fmt::format("There is no verb '{}' ({}).", *unknown, names_below(app));
}

/// A value that is missing, given twice, or given to a flag.
std::string mismatch(const CLI::App& app, std::string_view words) {
  const std::string name(words.substr(0, words.find_first_of(": ")));
  if (words.ends_with("flag override")) return fmt::format("{} takes no value.", name);
  constexpr std::string_view kReceived = " but received ";
  const auto received = words.find(kReceived);
  if (received != std::string_view::npos && words.contains(": At Most ")) {
    return fmt::format("{} may be given once, not {} times.", name,
                       words.substr(received + kReceived.size()));
  }
  const std::string type = type_of(app, name);
  return type.empty() ? fmt::format("{}: a value is missing.", name)
                      : fmt::format("{}: a value is missing ({}).", name, type);
}

/// "Could not convert: NAME = VALUE": a number beyond what the option takes, or no number.
std::string conversion(std::string_view words) {
  constexpr std::string_view kStart = "Could not convert: ";
  constexpr std::string_view kEquals = " = ";
  const auto equals = words.find(kEquals);
  if (!words.starts_with(kStart) || equals == std::string_view::npos) {
    return fmt::format("{} takes no value.", words.substr(0, words.find(':')));
  }
  return fmt::format("{}: '{}' is not a value that it takes.",
                     words.substr(kStart.size(), equals - kStart.size()),
                     words.substr(equals + kEquals.size()));
}

}  // namespace

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  if (app.get_subcommands().empty()) return missing_verb(app);
  const std::string words = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return mismatch(app, words);
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) return conversion(words);
  const CLI::App& at = *deepest(&app);
  const std::string operations = names_below(at);
  const auto unknown = unknown_word(at);
  if (!operations.empty() && unknown) {
    return fmt::format("'{}' has no operation '{}' ({}).", at.get_name(), *unknown, operations);
  }
  return words.ends_with('.') ? words : words + ".";
}

}  // namespace wgprim::cli
