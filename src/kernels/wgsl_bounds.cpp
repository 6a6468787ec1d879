// Adds up how deep WGSL nests, token by token; see the header.
#include "kernels/wgsl_bounds.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "wgprim/detail/text.hpp"
#include "wgprim/detail/utf8.hpp"

namespace wgprim::kernels {
namespace {

constexpr std::size_t kOperator = 1;
constexpr std::size_t kBlock = 3;    // A brace or an else-if.
constexpr std::size_t kBracket = 6;  // Also < and >, where they may be a template's.

bool begins_name(std::string_view token) {
  const char c = token[0];
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_declaration(std::string_view token) {
  return token == "fn" || token == "const" || token == "override" || token == "var" ||
         token == "alias" || token == "struct" || token == "const_assert";
}

/// Walks over the tokens. Brackets that do not match end every compiler's descent, so that it does
/// not matter what is made of them.
class Depth {
 public:
  explicit Depth(std::span<const std::string_view> tokens) : tokens_(tokens) {}

  /// The token at which the text nests too deep, or nothing.
  const std::string_view* find_too_deep() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      take(tokens_[at_]);
      if (depth_ > kMostWgslDepth) return &tokens_[at_];
    }
    return nullptr;
  }

  std::size_t declarations() const { return declarations_; }

 private:
  /// What is open between two brackets, each part in units of depth.
  struct Level {
    std::size_t bracket = 0;
    std::size_t operators = 0;  ///< Of the expression so far.
    std::size_t templates = 0;
    std::size_t else_ifs = 0;  ///< Of the chain so far.
  };

  void take(std::string_view token) {
    const char c = token[0];
    if (c == '(' || c == '[') {
      add(&Level::operators, kOperator);  // Calls and subscripts chain too.
      open(kBracket);
    } else if (c == '{') {
      end_statement();
      open(kBlock);
    } else if (c == ')' || c == ']' || c == '}') {
      close();
      if (c == '}') end_block();
    } else if (c == ',') {
      drop(&Level::operators);
    } else if (c == ';') {
      end_statement();
      drop(&Level::else_ifs);
    } else if (c == '<' && at_ > 0 && begins_name(tokens_[at_ - 1])) {
      add(&Level::templates, kBracket);
    } else if (c == '>' && levels_.back().templates > 0) {
      levels_.back().templates -= kBracket;
      depth_ -= kBracket;
    } else if (!begins_name(token) && !is_digit(c)) {
      if (!is_decimal_point()) add(&Level::operators, kOperator);
    } else if (levels_.size() == 1 && is_declaration(token)) {
      ++declarations_;
    }
  }

  void end_block() {
    end_statement();
    const bool goes_on = next() == "else";
    if (!goes_on) drop(&Level::else_ifs);
    if (goes_on && next(2) == "if") add(&Level::else_ifs, kBlock);
  }

  void end_statement() {
    drop(&Level::operators);
    drop(&Level::templates);
  }

  bool is_decimal_point() const {
    if (tokens_[at_] != ".") return false;
    return (at_ > 0 && is_digit(tokens_[at_ - 1][0])) || (!next().empty() && is_digit(next()[0]));
  }

  std::string_view next(std::size_t ahead = 1) const {
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : std::string_view();
  }

  void add(std::size_t Level::* part, std::size_t depth) {
    levels_.back().*part += depth;
    depth_ += depth;
  }

  void drop(std::size_t Level::* part) { depth_ -= std::exchange(levels_.back().*part, 0); }

  void open(std::size_t depth) {
    levels_.emplace_back();
    add(&Level::bracket, depth);
  }

  void close() {
    if (levels_.size() == 1) return;
    end_statement();
    drop(&Level::else_ifs);
    drop(&Level::bracket);
    levels_.pop_back();
  }

  std::span<const std::string_view> tokens_;
  std::size_t at_ = 0;
  std::vector<Level> levels_ = std::vector<Level>(1);
  std::size_t depth_ = 0;
  std::size_t declarations_ = 0;
};

}  // namespace

Result<void> check_bounds(std::string_view wgsl, std::span<const std::string_view> tokens) {
  if (const auto at = find_invalid_utf8(wgsl)) {
    return fail(ErrorCode::invalid_argument,
                concat("The WGSL is not valid UTF-8 (byte ", *at, ", counted from 0)."));
  }
  Depth depth(tokens);
  if (const std::string_view* token = depth.find_too_deep()) {
    const auto lines = std::count(wgsl.data(), token->data(), '\n') + 1;
    return fail(ErrorCode::invalid_argument,
                concat("The WGSL nests too deep in line ", lines, ": above ", kMostWgslDepth,
                       ", where an operator of an expression counts ", kOperator,
                       ", a brace or else-if ", kBlock, ", any other bracket ", kBracket, "."));
  }
  if (depth.declarations() <= kMostWgslDeclarations) return {};
  return fail(ErrorCode::invalid_argument,
              concat("The WGSL has ", depth.declarations(),
                     " declarations at module scope, more than ", kMostWgslDeclarations, "."));
}

}  // namespace wgprim::kernels
