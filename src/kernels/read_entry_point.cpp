// Finds entry points and works out their workgroup sizes; see the header.
#include "kernels/read_entry_point.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/module_constants.hpp"
#include "kernels/wgsl_bounds.hpp"
#include "kernels/wgsl_tokens.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/detail/utf8.hpp"

namespace wgprim::kernels {
namespace {

using Tokens = std::vector<std::string_view>;

/// An entry point as it stands in the text.
struct Declaration {
  std::string_view name;
  std::vector<TokenSpan> sizes;  ///< The arguments of @workgroup_size.
};

/// The arguments between the parentheses that open at `at`, which moves to the one that closes.
std::vector<TokenSpan> arguments(TokenSpan tokens, std::size_t& at) {
  std::vector<TokenSpan> list;
  std::size_t first = at + 1;
  const auto end_argument = [&] {
    if (at > first) list.push_back(tokens.subspan(first, at - first));
    first = at + 1;
  };
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    const std::string_view token = tokens[at];
    depth += token == "(" ? 1 : 0;
    depth -= token == ")" ? 1 : 0;
    if (depth == 0 || (depth == 1 && token == ",")) end_argument();
    if (depth == 0) break;
  }
  return list;
}

/// Attributes stand before what they belong to; anything between them and `fn` parts the two.
std::vector<Declaration> entry_points(TokenSpan tokens) {
  std::vector<Declaration> found;
  bool is_compute = false;
  std::vector<TokenSpan> sizes;
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
    const auto last = static_cast<std::size_t>(end - tokens.begin());
    if (std::find(begin, end, "subgroups") != end) return std::pair(i, last);
    i = last;
  }
  return std::nullopt;
}

}  // namespace

Result<EntryPoint> read_entry_point(
    std::string_view wgsl, std::string_view name,
    const std::vector<std::pair<std::string, std::uint32_t>>& constants) {
  if (find_invalid_utf8(name)) {
    return fail(ErrorCode::invalid_argument, "The entry point's name is not valid UTF-8.");
  }
  const Tokens tokens = wgsl_tokens(wgsl);
  if (auto ok = check_bounds(wgsl, tokens); !ok) return pass_on(ok);
  const auto declaration = choose(entry_points(tokens), name);
  if (!declaration) return pass_on(declaration);
  EntryPoint entry_point{.name = std::string(declaration->name),
                         .uses_subgroups = find_directive(tokens, 0).has_value()};
  const auto& sizes = declaration->sizes;
  auto values = ModuleConstants::read(tokens, constants);
  if (!values) return pass_on(values);
  bool is_read = !sizes.empty() && sizes.size() <= entry_point.workgroup_size.size();
  for (std::size_t axis = 0; is_read && axis < sizes.size(); ++axis) {
    const auto size = values->evaluate(sizes[axis]);
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
