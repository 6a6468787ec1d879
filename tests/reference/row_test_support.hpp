// What the tests of the row oracles share: types by name, random words, all operators.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "reference/row_operators.hpp"

namespace wgprim::reference {

using Words = std::vector<std::uint32_t>;

struct NamedOperator {
  std::string name;
  RowOperator op;
};

inline std::vector<NamedOperator> custom_operators() {
  return {{"matrix product", matrix_product()},
          {"affine composition", affine_composition()},
          {"last nonzero", last_nonzero()},
          {"unitriangular product", unitriangular_product()}};
}

/// Every operator that gives the same bits in any order of evaluation: all but the f32 sum.
inline std::vector<NamedOperator> exact_operators() {
  std::vector<NamedOperator> operators = custom_operators();
  for (const ElementType type : element_types()) {
    const std::string of_type = std::string(" of ") + to_string(type);
    if (type != ElementType::f32) operators.push_back({"sum" + of_type, sum_of(type)});
    operators.push_back({"min" + of_type, min_of(type)});
    operators.push_back({"max" + of_type, max_of(type)});
  }
  return operators;
}

/// Whole rows of any bits, every fourth word 0 so that operators that look for 0 find some.
inline Words random_row_words(std::size_t rows, const RowOperator& op, std::mt19937& random) {
  Words words(rows * op.words);
  std::ranges::generate(words, [&] { return random() % 4 == 0 ? 0u : random(); });
  return words;
}

inline Words random_flags(std::size_t rows, std::mt19937& random) {
  Words flags(rows);
  std::ranges::generate(flags, [&] { return random() % 10 == 0 ? random() | 1u : 0u; });
  return flags;
}

/// Calls use.template operator()<T>(type) for each element type, T being its type in C++.
void for_each_type(auto use) {
  use.template operator()<std::uint32_t>(ElementType::u32);
  use.template operator()<std::int32_t>(ElementType::i32);
  use.template operator()<float>(ElementType::f32);
  use.template operator()<std::uint64_t>(ElementType::u64);
  use.template operator()<std::int64_t>(ElementType::i64);
}

}  // namespace wgprim::reference
