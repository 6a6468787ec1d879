// Finds entry points and works out their workgroup sizes; see the header.
#include "kernels/read_entry_point.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include "kernels/wgsl_tokens.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::kernels {
namespace {

using Tokens = std::vector<std::string_view>;
using Constants = std::vector<std::pair<std::string, std::string>>;

/// Expressions and constants that refer to each other deeper than this are not read.
constexpr int kMostDepth = 32;

std::optional<std::int64_t> number_of(std::string_view token) {
  if (token.empty() || token[0] < '0' || token[0] > '9') return std::nullopt;
  if (token.ends_with('u') || token.ends_with('i')) token.remove_suffix(1);
  const bool is_hexadecimal = token.starts_with("0x") || token.starts_with("0X");
  if (is_hexadecimal) token.remove_prefix(2);
  std::uint32_t value = 0;
  const char* const end = token.data() + token.size();
  const auto [rest, error] = std::from_chars(token.data(), end, value, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

/// The text's constants and overrides by name, each with the tokens of its value.
std::map<std::string_view, Tokens> constants_of(const Tokens& tokens, const Constants& given) {
  std::map<std::string_view, Tokens> constants;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i] != "const" && tokens[i] != "override") continue;
    const auto end = std::find(tokens.begin() + std::ptrdiff_t(i), tokens.end(), ";");
    const auto equals = std::find(tokens.begin() + std::ptrdiff_t(i), end, "=");
    if (equals != end) constants.emplace(tokens[i + 1], Tokens(equals + 1, end));
  }
  for (const auto& [name, value] : given)
    constants[name] = {value};
  return constants;
}

/// Works out an expression of whole numbers by recursive descent.
class Evaluator {
 public:
  Evaluator(const Tokens& tokens, const std::map<std::string_view, Tokens>& constants, int depth)
      : tokens_(tokens), constants_(constants), depth_(depth) {}

  std::optional<std::int64_t> run() {
    const auto value = sum();
    return at_ == tokens_.size() ? value : std::nullopt;
  }

 private:
  bool take(std::string_view sign) {
    const bool is_there = at_ < tokens_.size() && tokens_[at_] == sign;
    if (is_there) ++at_;
    return is_there;
  }

  std::optional<std::int64_t> sum() {
    auto value = product();
    while (value && at_ < tokens_.size()) {
      const bool is_plus = take("+");
      if (!is_plus && !take("-")) break;
      const auto other = product();
      if (!other) return std::nullopt;
      value = bounded(is_plus ? *value + *other : *value - *other);
    }
    return value;
  }

  std::optional<std::int64_t> product() {
    auto value = term();
    while (value && at_ < tokens_.size()) {
      const bool is_times = take("*");
      if (!is_times && !take("/")) break;
      const auto other = term();
      if (!other || (!is_times && *other == 0)) return std::nullopt;
      value = bounded(is_times ? *value * *other : *value / *other);
    }
    return value;
  }

  std::optional<std::int64_t> term() {
    if (depth_ > kMostDepth || at_ == tokens_.size()) return std::nullopt;
    if (take("(")) {
      ++depth_;
      const auto value = sum();
      --depth_;
      return take(")") ? value : std::nullopt;
    }
    const std::string_view token = tokens_[at_++];
    if (const auto number = number_of(token)) return number;
    const auto constant = constants_.find(token);
    if (constant == constants_.end()) return std::nullopt;
    return Evaluator(constant->second, constants_, depth_ + 1).run();
  }

  /// What no workgroup size comes near.
  static std::optional<std::int64_t> bounded(std::int64_t value) {
    constexpr std::int64_t kMost = 0x7fffffff;
    return value >= 0 && value <= kMost ? std::optional(value) : std::nullopt;
  }

  const Tokens& tokens_;
  const std::map<std::string_view, Tokens>& constants_;
  int depth_;
  std::size_t at_ = 0;
};

/// An entry point as it stands in the text.
struct Declaration {
  std::string_view name;
  std::vector<Tokens> sizes;  ///< The arguments of @workgroup_size.
};

/// The arguments between the parentheses that open at `at`, which moves behind them.
std::vector<Tokens> arguments(const Tokens& tokens, std::size_t& at) {
  std::vector<Tokens> list(1);
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    const std::string_view token = tokens[at];
    depth += token == "(" ? 1 : 0;
    depth -= token == ")" ? 1 : 0;
    if (depth == 0) break;
    if (depth == 1 && token == "(") continue;
    if (depth == 1 && token == ",") {
      list.emplace_back();
    } else {
      list.back().push_back(token);
    }
  }
  if (list.back().empty()) list.pop_back();  // A comma may trail.
  return list;
}

/// Attributes stand before what they belong to; anything between them and `fn` parts the two.
std::vector<Declaration> entry_points(const Tokens& tokens) {
  std::vector<Declaration> found;
  bool is_compute = false;
  std::vector<Tokens> sizes;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i] == "@") {
      const std::string_view attribute = tokens[++i];
      is_compute = is_compute || attribute == "compute";
      if (i + 1 < tokens.size() && tokens[i + 1] == "(") {
        auto list = arguments(tokens, ++i);
        if (attribute == "workgroup_size") sizes = std::move(list);
      }
      continue;
    }
    if (tokens[i] == "fn" && is_compute) found.push_back({tokens[i + 1], sizes});
    is_compute = false;
    sizes.clear();
  }
  return found;
}

std::string names_of(const std::vector<Declaration>& declarations) {
  std::string names;
  for (const Declaration& declaration : declarations)
    names += concat(names.empty() ? "'" : ", '", declaration.name, "'");
  return names;
}

Result<Declaration> choose(const std::vector<Declaration>& declarations, std::string_view name) {
  if (declarations.empty()) {
    return fail(ErrorCode::invalid_argument, "The WGSL has no compute entry point.");
  }
  if (name.empty()) {
    if (declarations.size() == 1) return declarations.front();
    return fail(ErrorCode::invalid_argument,
                concat("The WGSL has several entry points (", names_of(declarations),
                       "), of which none is named."));
  }
  const auto found = std::ranges::find(declarations, name, &Declaration::name);
  if (found != declarations.end()) return *found;
  return fail(ErrorCode::invalid_argument, concat("The WGSL has no entry point '", name,
                                                  "'; it has ", names_of(declarations), "."));
}

/// First and last token of a directive `enable ..., subgroups, ...;`.
std::optional<std::pair<std::size_t, std::size_t>> find_directive(const Tokens& tokens,
                                                                  std::size_t from) {
  for (std::size_t i = from; i < tokens.size(); ++i) {
    if (tokens[i] != "enable") continue;
    const auto begin = tokens.begin() + std::ptrdiff_t(i);
    const auto end = std::find(begin, tokens.end(), ";");
    if (end == tokens.end()) return std::nullopt;
    if (std::find(begin, end, "subgroups") != end) {
      return std::pair(i, static_cast<std::size_t>(end - tokens.begin()));
    }
  }
  return std::nullopt;
}

}  // namespace

Result<EntryPoint> read_entry_point(
    std::string_view wgsl, std::string_view name,
    const std::vector<std::pair<std::string, std::uint32_t>>& constants) {
  const Tokens tokens = wgsl_tokens(wgsl);
  const auto declaration = choose(entry_points(tokens), name);
  if (!declaration) return pass_on(declaration);
  EntryPoint entry_point{.name = std::string(declaration->name),
                         .uses_subgroups = find_directive(tokens, 0).has_value()};
  const auto& sizes = declaration->sizes;
  Constants given;
  for (const auto& [constant, value] : constants)
    given.emplace_back(constant, std::to_string(value));
  const auto values = constants_of(tokens, given);
  bool is_read = !sizes.empty() && sizes.size() <= entry_point.workgroup_size.size();
  for (std::size_t axis = 0; is_read && axis < sizes.size(); ++axis) {
    const auto size = Evaluator(sizes[axis], values, 0).run();
    is_read = size.value_or(0) > 0;
    if (is_read) entry_point.workgroup_size[axis] = static_cast<std::uint32_t>(*size);
  }
  if (is_read) return entry_point;
  return fail(ErrorCode::invalid_argument,
              concat("The workgroup size of entry point '", entry_point.name,
                     "' cannot be read; it is made of numbers, constants or overrides with "
                     "defaults, each size at least 1."));
}

std::string without_subgroups_directive(std::string_view wgsl) {
  std::string text(wgsl);
  const Tokens tokens = wgsl_tokens(wgsl);
  const auto blank = [&](std::size_t index) {
    const auto begin = text.begin() + (tokens[index].data() - wgsl.data());
    std::fill_n(begin, tokens[index].size(), ' ');
  };
  for (auto found = find_directive(tokens, 0); found;
       found = find_directive(tokens, found->second)) {
    const auto [first, last] = *found;
    const bool is_alone = std::count(tokens.begin() + std::ptrdiff_t(first),
                                     tokens.begin() + std::ptrdiff_t(last), ",") == 0;
    for (std::size_t i = first; i <= last; ++i) {
      const bool is_name = tokens[i] == "subgroups";
      if (is_alone || is_name) blank(i);
      if (is_alone || !is_name) continue;
      blank(tokens[i + 1] == "," ? i + 1 : i - 1);  // Its comma.
    }
  }
  return text;
}

}  // namespace wgprim::kernels
