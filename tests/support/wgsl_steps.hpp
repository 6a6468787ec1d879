// The few statements of WGSL that a block scan is written in, compiled to steps that lanes can take
// one at a time in any order: u32 arithmetic, workgroup arrays, if, for, barriers, and the three
// subgroup operations of op_add_subgroup. Whatever else a text holds is an error, not a guess.
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
    subgroup,       ///< target = operation over the subgroup's values
    barrier,        ///< Waits for all lanes.
    jump,           ///< To `next`.
    jump_if_false,  ///< To `next` unless value.
    finish,         ///< Returns value and second.
  };
  Kind kind = Kind::assign;
  std::string target;
  std::string operation;  ///< "subgroup_exclusive", "subgroup_inclusive" or "subgroup_total".
  Expression index;
  Expression value;
  Expression second;
  std::size_t next = 0;
};

/// The steps of `block_scan` in a kernel's final text. Throws std::runtime_error on anything that
/// is not understood.
std::vector<Step> steps_of_block_scan(std::string_view wgsl);

}  // namespace wgprim::testing
