// Reads JSON objects key by key, strictly: each key once, none unknown, numbers in range.
// The first fault is kept and everything after it is skipped, so that reading code stays straight.
// JsonWriter has the same methods, so that one list of fields serves both ways.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "document/id_table.hpp"
#include "document/json.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/ops.hpp"
#include "wgprim/plan.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

class JsonReader {
 public:
  static constexpr bool kReads = true;

  /// Reads the whole document; the error is set at the first fault.
  JsonReader(const Json& document, Error& error)
      : JsonReader(document, error, nullptr, {}, kNone) {}

  void text(const char* key, std::string& value);
  void name(const char* key, std::string& value);  ///< A text that is not empty.
  void flag(const char* key, bool& value);
  /// A whole number, also as a decimal string: JSON numbers of other programs end at 2^53.
  void number(const char* key, std::uint64_t& value);
  void word(const char* key, std::uint32_t& value);
  void words(const char* key, std::vector<std::uint32_t>& values);
  void words(const char* key, std::array<std::uint32_t, 3>& values);
  void texts(const char* key, std::vector<std::string>& values);
  /// The index of the id that stands under `key`.
  void reference(const char* key, std::uint32_t& index, const IdTable& ids);
  void references(const char* key, std::vector<std::uint32_t>& indices, const IdTable& ids);
  /// Flags by name.
  void flags(const char* key, std::uint32_t& flags, std::span<const BufferUsageName> names);

  /// The value of a row of that format.
  void row_value(const char* key, RowValue& value, Format format);
  /// Whether an object stands under `key`. (A writer says whether one shall.)
  bool is_object(const char* key, bool) const;

  /// One of the values, under the word that to_string gives it.
  template <class Value>
  void choice(const char* key, Value& value, std::type_identity_t<std::span<const Value>> values) {
    std::string name;
    text(key, name);
    choose(key, name, value, values);
  }
  template <class Value>
  void choices(const char* key, std::vector<Value>& chosen,
               std::type_identity_t<std::span<const Value>> values) {
    std::vector<std::string> names;
    texts(key, names);
    for (const std::string& name : names)
      choose(key, name, chosen.emplace_back(), values);
  }

  /// Which alternative of a variant stands there; makes the value that one, empty.
  template <class... Alternatives>
  void alternative(const char* key, std::variant<Alternatives...>& value,
                   const std::array<const char*, sizeof...(Alternatives)>& names) {
    static constexpr std::array<std::variant<Alternatives...> (*)(), sizeof...(Alternatives)>
        kMake = {[]() -> std::variant<Alternatives...> { return Alternatives{}; }...};
    std::string name;
    text(key, name);
    if (!is_fine()) return;
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return refuse_word(key, name);
    value = kMake[static_cast<std::size_t>(found - names.begin())]();
  }

  /// Whether a key that may be left out is there. (A writer says whether it shall be.)
  bool given(const char* key, bool) const { return has(key); }
  template <class Value, class Read>
  void optional(const char* key, std::optional<Value>& value, Read read) {
    if (has(key)) read(value.emplace());
  }

  /// Calls `read(JsonReader&, item)` for each object of the list under `key`.
  template <class Item, class Read>
  void list(const char* key, std::vector<Item>& items, Read read) {
    each(key, [&](JsonReader& reader) { read(reader, items.emplace_back()); });
  }
  template <class Read>
  void each(const char* key, Read read) {
    const Json* items = member(key, Json::value_t::array, "a list");
    for (std::size_t i = 0; items != nullptr && i < items->size() && is_fine(); ++i) {
      JsonReader item((*items)[i], error_, this, key, i);
      read(item);
      item.finish();
    }
  }

  /// Calls `read(JsonReader&)` for the object under `key`.
  template <class Read>
  void object(const char* key, Read read) {
    const Json* item = member(key, Json::value_t::object, "an object");
    if (item == nullptr) return;
    JsonReader reader(*item, error_, this, key, kNone);
    read(reader);
    reader.finish();
  }

  /// An object with any keys.
  void entries(const char* key, std::vector<std::pair<std::string, std::string>>& entries);
  void entries(const char* key, std::vector<std::pair<std::string, std::uint32_t>>& entries);

  bool has(const char* key) const;
  bool is_fine() const { return error_.message.empty(); }

  /// The number of the format that the document is written in.
  void version(const char* key, std::uint64_t expected);

  /// Keys of the object that nobody asked for are an error.
  void finish();

  /// "'nodes[3].input' WHAT."
  void refuse(std::string_view key, std::string_view what,
              ErrorCode code = ErrorCode::invalid_file);
  /// An error of other code on the object, or on what stands under `key`, with the place before it.
  void refuse(const Error& error, std::string_view key = {});
  /// The key must not be there, or must not say that: "'nodes[3].operator' WHAT."
  void forbid(const char* key, std::string_view what, ErrorCode code = ErrorCode::invalid_file) {
    if (has(key)) refuse(key, what, code);
  }
  void forbid_words(const char* key, std::span<const char* const> words, std::string_view what,
                    ErrorCode code);

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  JsonReader(const Json& value, Error& error, const JsonReader* parent, std::string_view key,
             std::size_t index);

  /// The value under `key` if it has that type, else null and an error.
  const Json* member(const char* key, Json::value_t type, std::string_view kind);
  const Json* member(const char* key);
  void refuse_word(const char* key, std::string_view name);
  std::string place() const;
  std::string place_of(std::string_view key) const;

  template <class Value>
  void choose(const char* key, std::string_view name, Value& value, std::span<const Value> values) {
    if (!is_fine()) return;
    const auto found =
        std::ranges::find_if(values, [&](Value one) { return name == to_string(one); });
    if (found == values.end()) return refuse_word(key, name);
    value = *found;
  }

  const Json& value_;
  Error& error_;
  const JsonReader* parent_;
  std::string_view key_;  ///< Of the parent, under which this stands,
  std::size_t index_;     ///< and where in the list there.
  std::vector<std::string_view> asked_;
};

}  // namespace wgprim
