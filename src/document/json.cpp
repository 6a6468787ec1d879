// Strict parsing of JSON; see the header. nlohmann's own tree builder looks every key up among
// those before it, and neither notices repeated keys nor bounds the depth; this one does.
#include "document/json.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kFewKeys = 16;  ///< Up to here a walk over the keys beats a set of them.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Listens to nlohmann's parser and builds the tree. The first fault ends the parsing.
class TreeBuilder {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Json::number_integer_t value) { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return add(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    auto& members = top().json->get_ref<Json::object_t&>();
    const bool is_repeated = !is_new(name, members);
    members.emplace_back(std::move(name), nullptr);
    if (is_repeated) fault_ = concat("'", place(), "' is given twice.");
    return fault_.empty();
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception&) {
    const std::string_view before = text_.substr(0, position == 0 ? 0 : position - 1);
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    fault_ = concat("The document is not valid JSON (line ", line, ", column ", column, ").");
    return false;
  }

  Json& root() { return root_; }
  std::string& fault() { return fault_; }

 private:
  struct Level {
    Json* json;
    std::unordered_set<std::string> keys;  ///< Once there are many.
  };

  Level& top() { return open_.back(); }

  Json* put(Json value) {
    if (open_.empty()) return &(root_ = std::move(value));
    Json& parent = *top().json;
    if (parent.is_object()) {
      return &(parent.get_ref<Json::object_t&>().back().second = std::move(value));
    }
    return &parent.get_ref<Json::array_t&>().emplace_back(std::move(value));
  }

  bool add(Json value) {
    put(std::move(value));
    return true;
  }

  bool open(Json value) {
    if (open_.size() >= kMaxDepth) {
      fault_ = concat("The JSON document nests deeper than ", kMaxDepth, " levels.");
      return false;
    }
    open_.push_back({put(std::move(value)), {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  bool is_new(const std::string& name, const Json::object_t& members) {
    if (members.size() < kFewKeys) {
      return std::ranges::none_of(members, [&](const auto& one) { return one.first == name; });
    }
    auto& keys = top().keys;
    if (keys.empty()) {
      for (const auto& [key, value] : members)
        keys.insert(key);
    }
    return keys.insert(name).second;
  }

  /// Where the parser is: "nodes[3].input".
  std::string place() const {
    std::string place;
    for (const Level& level : open_) {
      if (level.json->is_array()) {
        place += concat("[", level.json->size() - 1, "]");
      } else {
        const auto& members = level.json->get_ref<const Json::object_t&>();
        place += concat(place.empty() ? "" : ".", members.back().first);
      }
    }
    return place;
  }

  std::string_view text_;
  Json root_;
  std::vector<Level> open_;
  std::string fault_;
};

}  // namespace

Result<Json> parse_json(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) {
    return fail(ErrorCode::invalid_file,
                "The document starts with a byte order mark, which JSON does not have.");
  }
  TreeBuilder builder(text);
  if (!Json::sax_parse(text.begin(), text.end(), &builder)) {
    return fail(ErrorCode::invalid_file, std::move(builder.fault()));
  }
  return std::move(builder.root());
}

}  // namespace wgprim
