// Reads JSON objects key by key, strictly: each key once, none unknown, numbers in range.
// The first fault is kept and everything after it is skipped, so that reading code stays straight.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wgprim/result.hpp"

namespace wgprim {

using Json = nlohmann::ordered_json;

/// Parses a whole document. Errors: invalid_file for text that is no JSON, for a repeated key, and
/// for nesting deeper than 32.
Result<Json> parse_json(std::string_view text);

class JsonReader {
 public:
  /// `place` is how messages call the object: "dispatches[3]".
  JsonReader(const Json& object, std::string place, Error& error);

  bool has(const char* key) const;
  std::string text(const char* key);
  bool flag(const char* key);
  std::uint64_t number(const char* key,
                       std::uint64_t limit = std::numeric_limits<std::uint64_t>::max());
  std::uint32_t word(const char* key) {
    return static_cast<std::uint32_t>(number(key, std::numeric_limits<std::uint32_t>::max()));
  }
  std::vector<std::uint32_t> words(const char* key);
  std::vector<std::string> texts(const char* key);
  std::vector<std::string> keys() const;

  /// Calls `read(JsonReader&)` for each object of the list under `key`.
  template <class Read>
  void list(const char* key, Read read) {
    const Json* items = member(key, Json::value_t::array, "a list");
    for (std::size_t i = 0; items != nullptr && i < items->size() && error_.message.empty(); ++i) {
      JsonReader item((*items)[i], place_of(key) + "[" + std::to_string(i) + "]", error_);
      read(item);
      item.finish();
    }
  }

  /// Calls `read(JsonReader&)` for the object under `key`.
  template <class Read>
  void object(const char* key, Read read) {
    const Json* item = member(key, Json::value_t::object, "an object");
    if (item == nullptr) return;
    JsonReader reader(*item, place_of(key), error_);
    read(reader);
    reader.finish();
  }

  /// Keys of the object that nobody asked for are an error.
  void finish();

  void refuse(const char* key, std::string_view what);

 private:
  const Json* member(const char* key, Json::value_t type, std::string_view kind);
  std::string place_of(const char* key) const;

  const Json& object_;
  std::string place_;
  Error& error_;
  std::set<std::string, std::less<>> seen_;
};

}  // namespace wgprim
