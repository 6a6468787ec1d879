// Keeps a user's operator to itself; see the header.
#include "kernels/custom_operator.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "kernels/kernel_table.hpp"
#include "kernels/wgsl_bounds.hpp"
#include "kernels/wgsl_tokens.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::kernels {
namespace {

bool is_allowed_declaration(std::string_view token) {
  return token == "fn" || token == "const" || token == "alias" || token == "struct" ||
         token == "const_assert" || token == ";";
}

/// What compilers or devices would need the lanes to agree on.
bool needs_uniform_flow(std::string_view token) {
  return token.ends_with("Barrier") || token.starts_with("subgroup") || token.starts_with("quad") ||
         token == "workgroupUniformLoad";
}

bool opens(std::string_view token) { return token == "{" || token == "(" || token == "["; }
bool closes(std::string_view token) { return token == "}" || token == ")" || token == "]"; }

/// Names that the texts of the kernels declare at module scope, those of an operator left out.
std::set<std::string_view> names_of_kernels() {
  std::set<std::string_view> names;
  for (const ShaderFile& file : shader_files()) {
    const auto tokens = wgsl_tokens(file.text);
    std::size_t depth = 0;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (opens(tokens[i])) ++depth;
      if (closes(tokens[i]) && depth > 0) --depth;
      if (depth > 0) continue;
      if (tokens[i] == "fn" || tokens[i] == "alias" || tokens[i] == "struct" ||
          tokens[i] == "override" || tokens[i] == "const") {
        names.insert(tokens[i + 1]);
      }
      if (tokens[i] == ":" && i > 0) names.insert(tokens[i - 1]);  // var<...> NAME: TYPE
    }
  }
  for (const char* own : {"Element", "identity", "combine"})
    names.erase(own);
  return names;
}

/// Names that the kernels call on or take for types, builtin ones among them: an operator that
/// declared one would change what they do.
std::set<std::string_view> names_that_kernels_use() {
  std::set<std::string_view> names;
  for (const ShaderFile& file : shader_files()) {
    const auto tokens = wgsl_tokens(file.text);
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
      const bool is_called = tokens[i + 1] == "(" || tokens[i + 1] == "<";
      const bool is_type = tokens[i - 1] == ":" || tokens[i - 1] == "<" || tokens[i - 1] == "->" ||
                           tokens[i - 1] == ">" || tokens[i - 1] == "=";
      if (is_called || is_type) names.insert(tokens[i]);
    }
  }
  for (const char* own : {"Element", "identity", "combine"})
    names.erase(own);
  return names;
}

class OperatorText {
 public:
  explicit OperatorText(std::string_view wgsl)
      : ended_(std::string(wgsl) + "\n;"), tokens_(wgsl_tokens(ended_)) {}

  Result<void> check() {
    if (tokens_.empty() || tokens_.back() != ";") return refuse("leaves a comment open");
    tokens_.pop_back();
    if (auto ok = check_bounds(ended_, tokens_); !ok) {
      return refuse(concat("is too deep: ", ok.error().message));
    }
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      if (auto ok = check_token(); !ok) return ok;
    }
    if (depth_ != 0) return refuse("leaves a bracket open");
    for (const char* needed : {"identity", "combine"}) {
      if (!functions_.contains(needed)) return refuse(concat("has no function '", needed, "'"));
    }
    return {};
  }

 private:
  Result<void> check_token() {
    const std::string_view token = tokens_[at_];
    if (token == "@") return refuse("has an attribute");
    if (needs_uniform_flow(token)) return refuse(concat("calls '", token, "'"));
    if (is_name_of_kernels(token)) {
      return refuse(concat("uses '", token, "', a name of the kernels it goes into"));
    }
    if (depth_ == 0 && at_declaration_) {
      if (!is_allowed_declaration(token)) {
        return refuse(concat("has '", token,
                             "' where a function, a constant, an alias or a struct may stand"));
      }
      if (at_ + 1 < tokens_.size()) {
        const std::string_view declared = tokens_[at_ + 1];
        if (token == "fn") functions_.insert(declared);
        if (token != ";" && is_used_by_kernels(declared)) {
          return refuse(concat("declares '", declared, "', which the kernels it goes into use"));
        }
      }
    }
    if (opens(token)) ++depth_;
    if (closes(token)) {
      if (depth_ == 0) return refuse("closes a bracket that is not open");
      --depth_;
    }
    at_declaration_ = depth_ == 0 && (token == ";" || token == "}");
    return {};
  }

  static bool is_used_by_kernels(std::string_view name) {
    static const std::set<std::string_view> kNames = names_that_kernels_use();
    return kNames.contains(name);
  }

  /// A member of a struct or a swizzle may be called as it likes.
  bool is_name_of_kernels(std::string_view token) const {
    static const std::set<std::string_view> kNames = names_of_kernels();
    return (at_ == 0 || tokens_[at_ - 1] != ".") && kNames.contains(token);
  }

  static std::unexpected<Error> refuse(std::string_view what) {
    return fail(ErrorCode::invalid_argument, concat("The operator's WGSL ", what, "."));
  }

  std::string ended_;
  std::vector<std::string_view> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  bool at_declaration_ = true;
  std::set<std::string_view> functions_;
};

}  // namespace

Result<void> check_operator(std::string_view wgsl) { return OperatorText(wgsl).check(); }

}  // namespace wgprim::kernels
