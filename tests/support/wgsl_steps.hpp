// The few statements of WGSL that block scans are written in, compiled to steps that lanes can take
// one at a time in any order: u32 arithmetic, workgroup arrays, if, for, barriers, subgroup
// operations, and calls of the text's own functions, which are written out where they are called.
// Items are u32. Whatever else a text holds is an error, not a guess.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wgprim::testing {

/// A number, a name, `name[child]`, `name(children...)`, or an operator over two children.
struct Expression {
  enum class Kind { number, name, element, call, binary };
  Kind kind = Kind::number;
  std::string text;  ///< Name or operator.
  std::uint32_t number = 0;
  std::vector<Expression> children;
};

struct Step {
  enum class Kind {
    assign,         ///< target = value
    store,          ///< target[index] = value
    subgroup,       ///< target = operation over the subgroup's values, with `second` if it has one
    barrier,        ///< Waits for all lanes.
    jump,           ///< To `next`.
    jump_if_false,  ///< To `next` unless value.
    finish,         ///< Returns value and second.
  };
  Kind kind = Kind::assign;
  std::string target;
  std::string operation;  ///< "subgroupAdd", "subgroupShuffleUp", ...
  Expression index;
  Expression value;
  Expression second;
  std::size_t next = 0;
};

/// The steps of a function of a kernel's final text, `fn NAME(lane: u32, value: Item)`, that
/// returns a BlockScan or a RoundScan: two values. `combine_items` and `identity_item` are the
/// caller's. Throws std::runtime_error on anything that is not understood.
std::vector<Step> steps_of(std::string_view wgsl, std::string_view function);

}  // namespace wgprim::testing
