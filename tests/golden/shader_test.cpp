// The final text of every kernel variant in both dialects (design rule: a golden file holds it).
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/assemble.hpp"
#include "kernels/kernel_table.hpp"
#include "support/golden.hpp"
#include "support/kernel_operator.hpp"
#include "support/kernel_variants.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

using kernels::Dialect;

TEST(ShaderGoldenTest, every_variant_is_as_it_was) {
  for (const KernelVariant& variant : kernel_variants()) {
    const auto text = kernels::assemble(variant.kernel, Dialect::naga);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_TRUE(matches_golden(concat("shaders/", variant.name, ".wgsl"), *text));
  }
}

/// What tests/shaders/tint.test.mjs needs besides the texts to make a pipeline of each.
TEST(ShaderGoldenTest, the_list_of_variants_is_as_it_was) {
  std::string text = "[";
  for (const KernelVariant& variant : kernel_variants()) {
    nlohmann::ordered_json json = {{"name", variant.name},
                                   {"entry_point", variant.kernel.name},
                                   {"uses_subgroups", variant.kernel.uses_subgroups},
                                   {"constants", nlohmann::ordered_json::object()}};
    for (const auto& [name, value] : variant.kernel.constants)
      json["constants"][name] = value;
    text += concat(text == "[" ? "\n  " : ",\n  ", json.dump());
  }
  EXPECT_TRUE(matches_golden("shaders/variants.json", text + "\n]\n"));
}

TEST(ShaderGoldenTest, no_file_is_left_of_a_variant_that_is_gone) {
  std::set<std::string> expected = {"variants.json"};
  for (const KernelVariant& variant : kernel_variants())
    expected.insert(variant.name + ".wgsl");
  std::set<std::string> found;
  const std::filesystem::path folder(WGPRIM_SOURCE_DIR "/tests/golden/shaders");
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    found.insert(file.path().filename().string());
  }
  EXPECT_EQ(found, expected);
}

TEST(ShaderGoldenTest, every_fragment_is_in_some_variant) {
  std::set<std::string, std::less<>> used;
  for (const KernelVariant& variant : kernel_variants()) {
    const auto add_slots = [&](const kernels::ShaderFile& file) {
      for (const auto& slot : file.slots)
        used.emplace(fragment_of(variant.kernel, slot.name));
    };
    const kernels::ShaderFile* kernel = kernels::find_shader_file(variant.kernel.name);
    add_slots(*kernel);
    for (const std::string_view import : kernel->imports) {
      used.emplace(import);
      add_slots(*kernels::find_shader_file(import));
    }
  }
  for (const kernels::ShaderFile& file : kernels::shader_files())
    EXPECT_TRUE(file.is_kernel || used.contains(file.name)) << file.name;
}

TEST(ShaderGoldenTest, the_dialects_differ_by_the_prelude_alone) {
  for (const KernelVariant& variant : kernel_variants()) {
    const std::string prelude = variant.kernel.uses_subgroups ? "enable subgroups; " : "";
    EXPECT_EQ(kernels::assemble(variant.kernel, Dialect::tint).value(),
              prelude + kernels::assemble(variant.kernel, Dialect::naga).value());
  }
}

TEST(ShaderGoldenTest, no_directive_is_left_in_a_final_text) {
  for (const KernelVariant& variant : kernel_variants()) {
    const std::string text = kernels::assemble(variant.kernel, Dialect::naga).value();
    EXPECT_EQ(text.find('#'), text.npos) << variant.name;
    EXPECT_EQ(text.find("${"), text.npos) << variant.name;
  }
}

TEST(GoldenTest, a_difference_shows_its_lines) {
  EXPECT_EQ(line_diff("a\nb\nc\nd\n", "a\nx\nc\nd\ne\n"), "-2: b\n+2: x\n+5: e\n");
  EXPECT_EQ(line_diff("same\n", "same\n"), "");
}

}  // namespace
}  // namespace wgprim::testing
