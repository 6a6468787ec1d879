// Strict reading of JSON; see the header. Called for plans, and for graphs when they are files.
#include "document/json_reader.hpp"

#include <map>

#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

constexpr int kMaxDepth = 32;

/// Listens to the parser for what the parsed value no longer shows: repeated keys and depth.
class Guard {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    const auto level = static_cast<std::size_t>(depth);
    if (depth > kMaxDepth) fault_ = concat("nests deeper than ", kMaxDepth, " levels");
    if (event == Json::parse_event_t::object_start) keys_[level + 1].clear();
    if (event == Json::parse_event_t::key) {
      const auto& key = value.get_ref<const std::string&>();
      if (!keys_[level].insert(key).second) fault_ = concat("repeats the key '", key, "'");
    }
    return fault_.empty();
  }

  const std::string& fault() const { return fault_; }

 private:
  std::map<std::size_t, std::set<std::string>> keys_;
  std::string fault_;
};

}  // namespace

Result<Json> parse_json(std::string_view text) {
  Guard guard;
  Json json = Json::parse(text, std::ref(guard), /*allow_exceptions=*/false);
  if (!guard.fault().empty()) {
    return fail(ErrorCode::invalid_file, concat("The JSON document ", guard.fault(), "."));
  }
  if (json.is_discarded()) {
    return fail(ErrorCode::invalid_file, "The document is not valid JSON.");
  }
  return json;
}

JsonReader::JsonReader(const Json& object, std::string place, Error& error)
    : object_(object), place_(std::move(place)), error_(error) {
  if (!object.is_object() && error_.message.empty()) {
    error_ = {ErrorCode::invalid_file,
              concat(place_.empty() ? "The document" : place_, " is not an object.")};
  }
}

bool JsonReader::has(const char* key) const { return object_.is_object() && object_.contains(key); }

std::string JsonReader::text(const char* key) {
  const Json* value = member(key, Json::value_t::string, "a text");
  return value == nullptr ? std::string() : value->get<std::string>();
}

bool JsonReader::flag(const char* key) {
  const Json* value = member(key, Json::value_t::boolean, "true or false");
  return value != nullptr && value->get<bool>();
}

std::uint64_t JsonReader::number(const char* key, std::uint64_t limit) {
  const Json* value = member(key, Json::value_t::number_unsigned, "a number that is not negative");
  if (value == nullptr) return 0;
  const auto number = value->get<std::uint64_t>();
  if (number > limit) refuse(key, concat("is ", number, ", above its limit (", limit, ")"));
  return number;
}

std::vector<std::uint32_t> JsonReader::words(const char* key) {
  std::vector<std::uint32_t> words;
  const Json* items = member(key, Json::value_t::array, "a list");
  if (items == nullptr) return words;
  for (const Json& item : *items) {
    const bool is_word = item.is_number_unsigned() &&
                         item.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
    if (!is_word) {
      refuse(key, "holds something else than 32-bit words");
      break;
    }
    words.push_back(item.get<std::uint32_t>());
  }
  return words;
}

std::vector<std::string> JsonReader::texts(const char* key) {
  std::vector<std::string> texts;
  const Json* items = member(key, Json::value_t::array, "a list");
  if (items == nullptr) return texts;
  for (const Json& item : *items) {
    if (!item.is_string()) {
      refuse(key, "holds something else than texts");
      break;
    }
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

std::vector<std::string> JsonReader::keys() const {
  std::vector<std::string> keys;
  if (!object_.is_object()) return keys;
  for (const auto& [key, value] : object_.items())
    keys.push_back(key);
  return keys;
}

void JsonReader::finish() {
  if (!object_.is_object()) return;
  for (const auto& [key, value] : object_.items()) {
    if (!seen_.contains(key)) refuse(key.c_str(), "is not a key that is known there");
  }
}

void JsonReader::refuse(const char* key, std::string_view what) {
  if (!error_.message.empty()) return;
  error_ = {ErrorCode::invalid_file, concat("'", place_of(key), "' ", what, ".")};
}

const Json* JsonReader::member(const char* key, Json::value_t type, std::string_view kind) {
  seen_.emplace(key);
  if (!error_.message.empty()) return nullptr;
  const auto found = object_.find(key);
  if (found == object_.end()) {
    refuse(key, "is missing");
    return nullptr;
  }
  if (found->type() != type) {
    refuse(key, concat("is not ", kind));
    return nullptr;
  }
  return &*found;
}

std::string JsonReader::place_of(const char* key) const {
  return place_.empty() ? std::string(key) : concat(place_, ".", key);
}

}  // namespace wgprim
