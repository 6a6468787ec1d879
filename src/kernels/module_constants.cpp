// Reads declarations, works out expressions; see the header. Time grows with the text: a constant's
// tokens are looked at once, and only if it is asked for.
#include "kernels/module_constants.hpp"

#include <algorithm>
#include <charconv>

#include "wgprim/detail/text.hpp"

namespace wgprim::kernels {
namespace {

/// Expressions and constants that refer to each other deeper than this are not read.
constexpr int kMostDepth = 32;

/// What no workgroup size comes near; products of two such numbers fit 64 bits.
constexpr std::int64_t kMostValue = 0x7fffffff;

std::optional<std::int64_t> bounded(std::int64_t value) {
  return value >= 0 && value <= kMostValue ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> number_of(std::string_view token) {
  if (token.empty() || token[0] < '0' || token[0] > '9') return std::nullopt;
  if (token.ends_with('u') || token.ends_with('i')) token.remove_suffix(1);
  const bool is_hexadecimal = token.starts_with("0x") || token.starts_with("0X");
  if (is_hexadecimal) token.remove_prefix(2);
  std::uint32_t value = 0;
  const char* const end = token.data() + token.size();
  const auto [rest, error] = std::from_chars(token.data(), end, value, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || rest != end) return std::nullopt;
  return bounded(value);
}

/// Up to the next of the signs that end a declaration.
std::size_t end_of_declaration(TokenSpan tokens, std::size_t at) {
  const auto ends = [](std::string_view token) {
    return token == ";" || token == "{" || token == "}";
  };
  return static_cast<std::size_t>(
      std::find_if(tokens.begin() + std::ptrdiff_t(at), tokens.end(), ends) - tokens.begin());
}

/// What stands behind the first "=" of a declaration, or nothing.
TokenSpan value_in(TokenSpan declaration) {
  const auto equals = std::ranges::find(declaration, "=");
  if (equals == declaration.end()) return {};
  return {equals + 1, declaration.end()};
}

/// The one token between the parentheses at `at`, or more than that where there are more.
TokenSpan argument(TokenSpan tokens, std::size_t at) {
  const TokenSpan found = tokens.subspan(std::min(at, tokens.size()));
  const bool is_one = found.size() > 2 && (found[2] == ")" || found[2] == ",");
  return is_one ? found.subspan(1, 1) : found;
}

}  // namespace

/// Recursive descent over one expression.
class Evaluator {
 public:
  Evaluator(ModuleConstants& constants, TokenSpan tokens, int depth)
      : constants_(constants), tokens_(tokens), depth_(depth) {}

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
    return constants_.value_of(token, depth_ + 1);
  }

  ModuleConstants& constants_;
  TokenSpan tokens_;
  int depth_;
  std::size_t at_ = 0;
};

Result<ModuleConstants> ModuleConstants::read(
    TokenSpan tokens, const std::vector<std::pair<std::string, std::uint32_t>>& given) {
  ModuleConstants constants;
  if (auto ok = constants.declare_all(tokens); !ok) return pass_on(ok);
  if (given.empty()) return constants;
  std::map<std::string, Constant*> overrides;  // By the key of a pipeline constant.
  for (auto& [name, constant] : constants.constants_) {
    if (!constant.is_override) continue;
    const auto id = constant.id.empty() ? 0 : constants.evaluate(constant.id);
    if (!id) {
      return fail(ErrorCode::invalid_argument,
                  concat("The @id of override '", name, "' in the WGSL cannot be read."));
    }
    overrides.emplace(constant.id.empty() ? std::string(name) : std::to_string(*id), &constant);
  }
  for (const auto& [key, value] : given) {
    const auto found = overrides.find(key);
    if (found == overrides.end()) continue;
    found->second->state = State::done;
    found->second->value = bounded(value);
  }
  return constants;
}

Result<void> ModuleConstants::declare_all(TokenSpan tokens) {
  std::size_t braces = 0;
  TokenSpan id;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const std::string_view token = tokens[i];
    if (token == "{") ++braces;
    if (token == "}" && braces > 0) --braces;
    if (token == ";" || token == "}") id = {};
    if (braces > 0) continue;
    if (token == "@" && tokens[i + 1] == "id") id = argument(tokens, i + 2);
    if (token != "const" && token != "override") continue;
    const std::string_view name = tokens[i + 1];
    const std::size_t end = end_of_declaration(tokens, i);
    const bool is_override = token == "override";
    const Constant constant{.expression = value_in(tokens.subspan(i, end - i)),
                            .id = is_override ? id : TokenSpan(),
                            .is_override = is_override};
    if (!constants_.emplace(name, constant).second) {
      return fail(ErrorCode::invalid_argument, concat("The WGSL declares '", name, "' twice."));
    }
    i = end - 1;
  }
  return {};
}

std::optional<std::int64_t> ModuleConstants::evaluate(TokenSpan expression, int depth) {
  return Evaluator(*this, expression, depth).run();
}

std::optional<std::int64_t> ModuleConstants::value_of(std::string_view name, int depth) {
  const auto found = constants_.find(name);
  if (found == constants_.end()) return std::nullopt;
  Constant& constant = found->second;
  if (constant.state == State::in_progress) return std::nullopt;
  if (constant.state == State::unread) {
    constant.state = State::in_progress;
    constant.value = evaluate(constant.expression, depth);
    constant.state = State::done;
  }
  return constant.value;
}

}  // namespace wgprim::kernels
