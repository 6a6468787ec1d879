// Writes JSON objects as text, key by key, in one line each and always in the same order: the
// counterpart of JsonReader, method by method. Called for plans and graphs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "document/id_table.hpp"
#include "wgprim/ops.hpp"
#include "wgprim/plan.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// The text in quotes. Ids are the user's: bytes that are no UTF-8 are replaced, never fatal.
void append_json(std::string& out, std::string_view text);
/// A plain number up to 2^53, a decimal string above: what every JSON reader takes exactly.
void append_json(std::string& out, std::uint64_t number);

/// "[a,b]", with `append(item)` for each item.
template <class Items, class Append>
void append_json_list(std::string& out, const Items& items, Append append) {
  std::string_view separator = "[";
  for (const auto& item : items) {
    out += std::exchange(separator, ",");
    append(item);
  }
  out += items.empty() ? "[]" : "]";
}

/// As read_row_value (document/row_value.hpp) takes it.
void append_row_value(std::string& out, const RowValue& value);

class JsonWriter {
 public:
  static constexpr bool kReads = false;

  /// Writes one object, from the first brace to the last.
  template <class Write>
  static void write(std::string& out, Write write) {
    JsonWriter writer(out);
    out += '{';
    write(writer);
    out += '}';
  }

  void text(const char* key, std::string_view value) { append_json(begin(key), value); }
  void name(const char* key, std::string_view value) { text(key, value); }
  void flag(const char* key, bool value) { begin(key) += value ? "true" : "false"; }
  void number(const char* key, std::uint64_t value) { append_json(begin(key), value); }
  void word(const char* key, std::uint32_t value) { number(key, value); }
  void words(const char* key, std::span<const std::uint32_t> values) {
    append_json_list(begin(key), values, [&](std::uint32_t word) { append_json(out_, word); });
  }
  void texts(const char* key, std::span<const std::string> values) {
    append_json_list(begin(key), values, [&](const auto& one) { append_json(out_, one); });
  }
  void reference(const char* key, std::uint32_t index, const IdTable& ids) {
    text(key, ids.id(index));
  }
  void references(const char* key, std::span<const std::uint32_t> indices, const IdTable& ids) {
    append_json_list(begin(key), indices, [&](auto index) { append_json(out_, ids.id(index)); });
  }
  void flags(const char* key, std::uint32_t flags, std::span<const BufferUsageName> names);

  /// As a value of the rows: one of another format whose bits mean the same reads back so.
  void row_value(const char* key, const RowValue& value, Format format) {
    append_row_value(begin(key), {format, value.words});
  }
  bool is_object(const char*, bool is_wanted) const { return is_wanted; }

  template <class Value>
  void choice(const char* key, Value value, std::type_identity_t<std::span<const Value>>) {
    text(key, to_string(value));
  }
  template <class Value>
  void choices(const char* key, const std::vector<Value>& chosen,
               std::type_identity_t<std::span<const Value>>) {
    append_json_list(begin(key), chosen,
                     [&](Value one) { append_json(out_, std::string_view(to_string(one))); });
  }
  template <class... Alternatives>
  void alternative(const char* key, const std::variant<Alternatives...>& value,
                   const std::array<const char*, sizeof...(Alternatives)>& names) {
    text(key, names[value.index()]);
  }

  bool given(const char*, bool is_wanted) const { return is_wanted; }
  template <class Value, class Write>
  void optional(const char*, const std::optional<Value>& value, Write write) {
    if (value) write(*value);
  }

  template <class Item, class Write>
  void list(const char* key, const std::vector<Item>& items, Write write) {
    append_json_list(begin(key), items, [&](const Item& item) {
      JsonWriter::write(out_, [&](JsonWriter& writer) { write(writer, item); });
    });
  }
  template <class Write>
  void object(const char* key, Write write) {
    JsonWriter::write(begin(key), write);
  }
  template <class Value>
  void entries(const char* key, const std::vector<std::pair<std::string, Value>>& entries) {
    object(key, [&](JsonWriter& writer) {
      for (const auto& [name, value] : entries)
        append_json(writer.begin(name), value);
    });
  }

  /// Only readers refuse.
  void forbid(const char*, std::string_view, ErrorCode = {}) {}
  void forbid_words(const char*, std::span<const char* const>, std::string_view, ErrorCode) {}

 private:
  explicit JsonWriter(std::string& out) : out_(out) {}

  /// What comes before a value.
  std::string& begin(std::string_view key);

  std::string& out_;
  bool is_first_ = true;
};

/// A document of this format, up to its first member; `}` ends it.
std::string begin_document(std::string_view format, std::uint64_t version);
/// What comes before a value of the document itself: its members have a line each.
std::string& begin_member(std::string& out, std::string_view key);

/// A list of the document, with one item a line: made for line-by-line comparison.
template <class Items, class Write>
void append_lines(std::string& out, std::string_view key, const Items& items, Write write) {
  begin_member(out, key) += '[';
  std::string_view separator = "\n    ";
  for (const auto& item : items) {
    out += std::exchange(separator, ",\n    ");
    JsonWriter::write(out, [&](JsonWriter& writer) { write(writer, item); });
  }
  out += items.empty() ? "]" : "\n  ]";
}

}  // namespace wgprim
