// What is read out of the user's WGSL: entry points, workgroup sizes, the subgroups directive.
#include "kernels/read_entry_point.hpp"

#include <gtest/gtest.h>

#include "kernels/assemble.hpp"
#include "support/graphs.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::kernels {
namespace {

using testing::expect_error;
using Size = std::array<std::uint32_t, 3>;

Size size_of(std::string_view wgsl, std::string_view name = "") {
  const auto entry_point = read_entry_point(wgsl, name);
  return entry_point ? entry_point->workgroup_size : Size{0, 0, 0};
}

TEST(EntryPointTest, sizes_are_numbers_constants_and_products) {
  EXPECT_EQ(size_of("@compute @workgroup_size(64) fn f() {}"), (Size{64, 1, 1}));
  EXPECT_EQ(size_of("@workgroup_size(8u, 0x8,2,) @compute\nfn f() {}"), (Size{8, 8, 2}));
  EXPECT_EQ(
      size_of("const a = 4; override b: u32 = a * 2u; @compute @workgroup_size((a + b) / 3, b - 1) "
              "fn f() {}"),
      (Size{4, 7, 1}));
  EXPECT_EQ(size_of("@id(7) override width: u32 = 32;\n@compute @workgroup_size(width) fn f() {}"),
            (Size{32, 1, 1}));
}

TEST(EntryPointTest, constants_that_are_given_replace_defaults) {
  const std::string_view wgsl = "override w: u32 = 32; @compute @workgroup_size(w) fn f() {}";
  EXPECT_EQ(read_entry_point(wgsl, "", {{"w", 128}})->workgroup_size, (Size{128, 1, 1}));
}

TEST(EntryPointTest, an_override_with_an_id_is_given_by_its_number) {
  const std::string_view wgsl =
      "@id(7) override w: u32 = 32; const c = 1; @compute @workgroup_size(w) fn f() {}";
  EXPECT_EQ(read_entry_point(wgsl, "", {{"7", 4096}})->workgroup_size, (Size{4096, 1, 1}));
  EXPECT_EQ(read_entry_point(wgsl, "", {{"w", 64}})->workgroup_size, (Size{32, 1, 1}));
  EXPECT_FALSE(read_entry_point(
      "@id(1 + 2) override w: u32 = 1; @compute @workgroup_size(w) fn f() {}", "", {{"3", 2}}));
  EXPECT_EQ(read_entry_point("const c = 8; @compute @workgroup_size(c) fn f() {}", "", {{"c", 9}})
                ->workgroup_size,
            (Size{8, 1, 1}));
}

TEST(EntryPointTest, only_module_scope_counts) {
  EXPECT_EQ(size_of("fn g() { const w = 1; } const w = 64; fn h() { const w = 2; }"
                    "@compute @workgroup_size(w) fn f() {}"),
            (Size{64, 1, 1}));
  EXPECT_FALSE(
      read_entry_point("fn g() { const w = 1; } @compute @workgroup_size(w) fn f() {}", ""));
  expect_error(
      read_entry_point("const w = 1; const w = 2; @compute @workgroup_size(1) fn f() {}", ""),
      ErrorCode::invalid_argument, "The WGSL declares 'w' twice.");
}

TEST(EntryPointTest, lines_end_where_wgsl_has_it) {
  for (const char* end : {"\n", "\v", "\f", "\r", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"}) {
    const std::string wgsl = concat("// @compute", end, "@compute @workgroup_size(2) fn f() {}");
    EXPECT_EQ(size_of(wgsl), (Size{2, 1, 1}));
  }
  EXPECT_EQ(size_of("@compute\xe2\x80\x8e@workgroup_size(2)\xe2\x80\x8f"
                    "fn\xe2\x80\x8e"
                    "f\t() {}"),
            (Size{2, 1, 1}));
}

TEST(EntryPointTest, sizes_that_cannot_be_read_are_refused) {
  for (const char* size :
       {"0", "w", "f(1)", "1 / 0", "-1", "1, 1, 1, 1", "", "4294967295 * 2", "99999999999", "1.5",
        "a", "4294967295 * 4294967295 * 4294967295", "4294967295"}) {
    const std::string wgsl =
        concat("const a = b; const b = a; @compute @workgroup_size(", size, ") fn f() {}");
    EXPECT_FALSE(read_entry_point(wgsl, "")) << size;
  }
  EXPECT_FALSE(read_entry_point("@compute fn f() {}", "")) << "no size at all";
  const std::string deep(100'000, '(');
  EXPECT_FALSE(read_entry_point("@compute @workgroup_size(" + deep + ") fn f() {}", ""));
}

TEST(EntryPointTest, comments_hide_what_is_in_them) {
  EXPECT_EQ(size_of("/* @compute /* nested */ @workgroup_size(1) fn g() {} */ // @compute fn h\n"
                    "@compute /**/ @workgroup_size(64 // sixty-four\n) fn f() {}"),
            (Size{64, 1, 1}));
  EXPECT_FALSE(read_entry_point("/* @compute @workgroup_size(1) fn f() {}", ""));
}

TEST(EntryPointTest, one_of_several_is_named) {
  const std::string_view wgsl =
      "@group(0) @binding(0) var<storage> a: array<u32>;\n"
      "@compute @workgroup_size(1) fn one(@builtin(local_invocation_index) i: u32) {}\n"
      "fn helper() {}\n@vertex fn v() -> @builtin(position) vec4f { return vec4f(); }\n"
      "@compute @workgroup_size(2) fn two() {}";
  EXPECT_EQ(size_of(wgsl, "two"), (Size{2, 1, 1}));
  expect_error(read_entry_point(wgsl, "v"), ErrorCode::invalid_argument,
               "The WGSL has no entry point 'v'; it has 'one', 'two'.");
  expect_error(read_entry_point(wgsl, ""), ErrorCode::invalid_argument,
               "The WGSL has several entry points ('one', 'two'), of which none is named.");
  expect_error(read_entry_point("fn helper() {}", "helper"), ErrorCode::invalid_argument,
               "The WGSL has no compute entry point.");
}

TEST(EntryPointTest, the_subgroups_directive_is_found_and_blanked) {
  const std::string body = "@compute @workgroup_size(1) fn f() {}";
  EXPECT_TRUE(read_entry_point("enable subgroups;" + body, "")->uses_subgroups);
  EXPECT_TRUE(read_entry_point("enable f16 , subgroups;" + body, "")->uses_subgroups);
  EXPECT_FALSE(read_entry_point("// enable subgroups;\n" + body, "")->uses_subgroups);
  EXPECT_EQ(without_subgroups_directive("enable subgroups; a"), "                  a");
  EXPECT_EQ(without_subgroups_directive("enable f16, subgroups; a"), "enable f16           ; a");
  EXPECT_EQ(without_subgroups_directive("enable subgroups, f16; a"), "enable            f16; a");
}

TEST(EntryPointTest, each_compiler_gets_the_directive_as_it_likes_it) {
  const std::string body = "@compute @workgroup_size(1) fn f() {}";
  PlanKernel kernel{.name = "f", .uses_subgroups = true, .wgsl = "enable subgroups;\n" + body};
  EXPECT_EQ(assemble(kernel, Dialect::tint).value(), kernel.wgsl);
  EXPECT_EQ(assemble(kernel, Dialect::naga).value().find("enable"), std::string::npos);
  kernel.wgsl = body;
  EXPECT_EQ(assemble(kernel, Dialect::tint).value(), "enable subgroups; " + body);
  EXPECT_EQ(assemble(kernel, Dialect::naga).value(), body);
}

}  // namespace
}  // namespace wgprim::kernels
