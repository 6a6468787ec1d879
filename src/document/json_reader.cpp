// Strict reading of JSON; see the header. Called for plans and graphs.
#include "document/json_reader.hpp"

#include <algorithm>

#include "document/row_value.hpp"

namespace wgprim {
namespace {

constexpr std::uint64_t kMaxWord = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMaxNumber = std::numeric_limits<std::uint64_t>::max();

std::string not_a_number(std::uint64_t limit) {
  return concat("is not a whole number from 0 to ", limit);
}

bool is_word(const Json& value) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() <= kMaxWord;
}

/// "007" and "+7" are no numbers of ours.
bool is_plain_decimal(std::string_view text) {
  return !text.empty() && (text == "0" || text.front() != '0');
}

}  // namespace

JsonReader::JsonReader(const Json& value, Error& error, const JsonReader* parent,
                       std::string_view key, std::size_t index)
    : value_(value), error_(error), parent_(parent), key_(key), index_(index) {
  if (!value.is_object() && is_fine()) {
    const std::string what = parent == nullptr ? "The document" : concat("'", place(), "'");
    error_ = fail(ErrorCode::invalid_file, concat(what, " is not an object.")).error();
  }
}

void JsonReader::text(const char* key, std::string& value) {
  const Json* found = member(key, Json::value_t::string, "a text");
  if (found != nullptr) value = found->get_ref<const std::string&>();
}

void JsonReader::name(const char* key, std::string& value) {
  text(key, value);
  if (value.empty()) refuse(key, "is empty");
}

void JsonReader::flag(const char* key, bool& value) {
  const Json* found = member(key, Json::value_t::boolean, "true or false");
  if (found != nullptr) value = found->get<bool>();
}

void JsonReader::number(const char* key, std::uint64_t& value) {
  const Json* found = member(key);
  if (found == nullptr) return;
  std::optional<std::uint64_t> number;
  if (found->is_number_unsigned()) number = found->get<std::uint64_t>();
  if (found->is_string()) {
    const auto& digits = found->get_ref<const std::string&>();
    if (is_plain_decimal(digits)) number = parse_number<std::uint64_t>(digits);
  }
  if (!number) return refuse(key, not_a_number(kMaxNumber));
  value = *number;
}

void JsonReader::word(const char* key, std::uint32_t& value) {
  const Json* found = member(key);
  if (found == nullptr) return;
  if (!is_word(*found)) return refuse(key, not_a_number(kMaxWord));
  value = found->get<std::uint32_t>();
}

void JsonReader::row_value(const char* key, RowValue& value, Format format) {
  const Json* found = member(key);
  if (found == nullptr) return;
  const auto read = read_row_value(*found, format);
  if (!read) return refuse(key, concat("is no value of a ", to_string(format), " row"));
  value = *read;
}

bool JsonReader::is_object(const char* key, bool) const {
  const auto found = value_.find(key);
  return found != value_.end() && found->is_object();
}

void JsonReader::words(const char* key, std::vector<std::uint32_t>& values) {
  const Json* items = member(key, Json::value_t::array, "a list");
  if (items == nullptr) return;
  values.resize(items->size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_word((*items)[i])) return refuse(concat(key, "[", i, "]"), not_a_number(kMaxWord));
    values[i] = (*items)[i].get<std::uint32_t>();
  }
}

void JsonReader::words(const char* key, std::array<std::uint32_t, 3>& values) {
  std::vector<std::uint32_t> three;
  words(key, three);
  if (!is_fine()) return;
  if (three.size() != values.size()) return refuse(key, "is not a list of three numbers");
  std::ranges::copy(three, values.begin());
}

void JsonReader::texts(const char* key, std::vector<std::string>& values) {
  const Json* items = member(key, Json::value_t::array, "a list");
  if (items == nullptr) return;
  for (const Json& item : *items) {
    if (!item.is_string()) return refuse(concat(key, "[", values.size(), "]"), "is not a text");
    values.push_back(item.get<std::string>());
  }
}

void JsonReader::reference(const char* key, std::uint32_t& index, const IdTable& ids) {
  const Json* found = member(key, Json::value_t::string, "a text");
  if (found == nullptr) return;
  const auto& id = found->get_ref<const std::string&>();
  const auto known = ids.find(id);
  if (!known) return refuse(key, concat("names '", id, "', which is not declared"));
  index = *known;
}

void JsonReader::references(const char* key, std::vector<std::uint32_t>& indices,
                            const IdTable& ids) {
  std::vector<std::string> names;
  texts(key, names);
  for (std::size_t i = 0; i < names.size() && is_fine(); ++i) {
    const auto known = ids.find(names[i]);
    if (!known) {
      return refuse(concat(key, "[", i, "]"),
                    concat("names '", names[i], "', which is not declared"));
    }
    indices.push_back(*known);
  }
}

void JsonReader::flags(const char* key, std::uint32_t& flags,
                       std::span<const BufferUsageName> names) {
  std::vector<std::string> given;
  texts(key, given);
  for (const std::string& name : given) {
    const auto known =
        std::ranges::find_if(names, [&](const auto& one) { return one.name == name; });
    if (known == names.end()) return refuse_word(key, name);
    flags |= known->flag;
  }
}

void JsonReader::entries(const char* key,
                         std::vector<std::pair<std::string, std::string>>& entries) {
  const Json* items = member(key, Json::value_t::object, "an object");
  if (items == nullptr) return;
  for (const auto& [name, value] : items->get_ref<const Json::object_t&>()) {
    if (!value.is_string()) return refuse(concat(key, ".", name), "is not a text");
    entries.emplace_back(name, value.get<std::string>());
  }
}

void JsonReader::entries(const char* key,
                         std::vector<std::pair<std::string, std::uint32_t>>& entries) {
  const Json* items = member(key, Json::value_t::object, "an object");
  if (items == nullptr) return;
  for (const auto& [name, value] : items->get_ref<const Json::object_t&>()) {
    if (!is_word(value)) return refuse(concat(key, ".", name), not_a_number(kMaxWord));
    entries.emplace_back(name, value.get<std::uint32_t>());
  }
}

bool JsonReader::has(const char* key) const {
  return is_fine() && value_.is_object() && value_.contains(key);
}

void JsonReader::version(const char* key, std::uint64_t expected) {
  const Json* found = member(key);
  if (found == nullptr) return;
  if (!found->is_number_unsigned()) return refuse(key, not_a_number(kMaxNumber));
  const auto number = found->get<std::uint64_t>();
  if (number == expected) return;
  refuse(key, concat("is ", number, "; this version reads format ", expected));
}

void JsonReader::finish() {
  if (!is_fine()) return;
  for (const auto& [key, value] : value_.get_ref<const Json::object_t&>()) {
    if (std::ranges::find(asked_, key) == asked_.end()) {
      return refuse(key, "is not a key that is known there");
    }
  }
}

void JsonReader::refuse(std::string_view key, std::string_view what, ErrorCode code) {
  if (is_fine()) error_ = fail(code, concat("'", place_of(key), "' ", what, ".")).error();
}

void JsonReader::refuse(const Error& error, std::string_view key) {
  if (!is_fine()) return;
  const std::string where = key.empty() ? place() : place_of(key);
  error_ = fail(error.code, concat("'", where, "': ", error.message)).error();
}

void JsonReader::forbid_words(const char* key, std::span<const char* const> words,
                              std::string_view what, ErrorCode code) {
  const Json* found = member(key);
  if (found == nullptr || !found->is_string()) return;
  const auto& name = found->get_ref<const std::string&>();
  if (std::ranges::find(words, name) != words.end()) {
    refuse(key, concat("is '", name, "', which ", what), code);
  }
}

const Json* JsonReader::member(const char* key) {
  asked_.emplace_back(key);
  if (!is_fine()) return nullptr;
  const auto& members = value_.get_ref<const Json::object_t&>();
  const auto found =
      std::ranges::find_if(members, [&](const auto& one) { return one.first == key; });
  if (found == members.end()) {
    refuse(key, "is missing");
    return nullptr;
  }
  return &found->second;
}

const Json* JsonReader::member(const char* key, Json::value_t type, std::string_view kind) {
  const Json* found = member(key);
  if (found == nullptr || found->type() == type) return found;
  refuse(key, concat("is not ", kind));
  return nullptr;
}

void JsonReader::refuse_word(const char* key, std::string_view name) {
  refuse(key, concat("is '", name, "', which is not known there"));
}

std::string JsonReader::place() const {
  if (parent_ == nullptr) return "";
  std::string place = parent_->place_of(key_);
  if (index_ != kNone) place += concat("[", index_, "]");
  return place;
}

std::string JsonReader::place_of(std::string_view key) const {
  const std::string own = place();
  return own.empty() ? std::string(key) : concat(own, ".", key);
}

}  // namespace wgprim
