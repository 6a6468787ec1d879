// What the text of a user's operator may hold (contract T-1): it goes in front of kernels, which
// must stay what they are.
#include "kernels/custom_operator.hpp"

#include <gtest/gtest.h>

#include <string>

#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

constexpr const char* kSum =
    "fn identity() -> Element { return 0u; }\n"
    "fn combine(a: Element, b: Element) -> Element { return a + b; }\n";

std::string fault_of(const std::string& wgsl) {
  const auto checked = kernels::check_operator(wgsl);
  return checked ? "" : checked.error().message;
}

TEST(CustomOperatorTest, functions_constants_aliases_and_structs_are_taken) {
  EXPECT_EQ(fault_of(kSum), "");
  EXPECT_EQ(fault_of(std::string("const kHalf = 0.5;\nalias Pair = vec2u;\n"
                                 "struct Split { low: u32, high: u32 }\n"
                                 "fn lesser(x: u32, y: u32) -> u32 { return min(x, y); }\n") +
                     kSum),
            "");
}

TEST(CustomOperatorTest, names_that_kernels_use_are_not_declared) {
  for (const char* name : {"min", "max", "select", "bitcast"}) {
    const std::string own = concat("fn ", name, "(a: u32, b: u32) -> u32 { return a; }\n", kSum);
    EXPECT_EQ(fault_of(own), concat("The operator's WGSL declares '", name,
                                    "', which the kernels it goes into use."));
  }
  EXPECT_EQ(fault_of(concat("alias u32 = i32;\n", kSum)),
            "The operator's WGSL declares 'u32', which the kernels it goes into use.");
}

TEST(CustomOperatorTest, names_of_kernels_are_theirs) {
  EXPECT_EQ(fault_of("fn identity() -> Element { return parameters.row_count; }\n"
                     "fn combine(a: Element, b: Element) -> Element { return a; }"),
            "The operator's WGSL uses 'parameters', a name of the kernels it goes into.");
  EXPECT_EQ(fault_of(concat("struct Item { parameters: u32 }\n", kSum)),
            "The operator's WGSL declares 'Item', which the kernels it goes into use.");
}

TEST(CustomOperatorTest, what_lanes_would_have_to_agree_on_is_refused) {
  EXPECT_EQ(fault_of("fn identity() -> Element { workgroupBarrier(); return 0u; }"),
            "The operator's WGSL calls 'workgroupBarrier'.");
  EXPECT_EQ(fault_of("fn identity() -> Element { return subgroupAdd(1u); }"),
            "The operator's WGSL calls 'subgroupAdd'.");
}

TEST(CustomOperatorTest, texts_that_are_no_operator) {
  EXPECT_EQ(fault_of(""), "The operator's WGSL has no function 'identity'.");
  EXPECT_EQ(fault_of("fn identity() -> Element { return 0u; }"),
            "The operator's WGSL has no function 'combine'.");
  EXPECT_EQ(fault_of(concat(kSum, "/* and so on")), "The operator's WGSL leaves a comment open.");
  EXPECT_EQ(fault_of(concat(kSum, "}")),
            "The operator's WGSL has '}' where a function, a constant, an alias or a struct may "
            "stand.");
  EXPECT_EQ(fault_of(concat(kSum, "fn f() {")), "The operator's WGSL leaves a bracket open.");
  EXPECT_EQ(fault_of(concat("@must_use ", kSum)), "The operator's WGSL has an attribute.");
  EXPECT_EQ(fault_of(concat("var<private> x: u32;\n", kSum)),
            "The operator's WGSL has 'var' where a function, a constant, an alias or a struct may "
            "stand.");
}

}  // namespace
}  // namespace wgprim::testing
