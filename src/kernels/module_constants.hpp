// The constants and overrides that WGSL declares at module scope, and what expressions of whole
// numbers made of them come to. Called by read_entry_point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wgprim/result.hpp"

namespace wgprim::kernels {

using TokenSpan = std::span<const std::string_view>;

class ModuleConstants {
 public:
  /// The tokens outlive the constants. `given` are pipeline constants, by the name of an override
  /// or by its @id where it has one. Errors: invalid_argument for a name that is declared twice, or
  /// an @id that cannot be read.
  static Result<ModuleConstants> read(
      TokenSpan tokens, const std::vector<std::pair<std::string, std::uint32_t>>& given);

  /// Numbers, constants, parentheses, + - * /; nothing where it is anything else, or where a number
  /// or a part of it lies outside 0 to 2^31 - 1, as no workgroup size does.
  std::optional<std::int64_t> evaluate(TokenSpan expression) { return evaluate(expression, 0); }

 private:
  friend class Evaluator;

  /// Worked out once, however often it is named; one that is named meanwhile names itself.
  enum class State { unread, in_progress, done };
  struct Constant {
    TokenSpan expression;
    TokenSpan id;  ///< Of an override with @id.
    bool is_override = false;
    State state = State::unread;
    std::optional<std::int64_t> value = std::nullopt;
  };

  Result<void> declare_all(TokenSpan tokens);
  std::optional<std::int64_t> evaluate(TokenSpan expression, int depth);
  std::optional<std::int64_t> value_of(std::string_view name, int depth);

  std::map<std::string_view, Constant> constants_;
};

}  // namespace wgprim::kernels
