// Scans and reductions whose operands share buffers, start anywhere, or outlive what made them
// (scenarios A), on every path, with and without subgroups.
#include <gtest/gtest.h>

#include "support/family_on_device.hpp"

namespace wgprim::testing {
namespace {

class ScenarioAliasingTest : public FamilyOnDevice {};

TEST_F(ScenarioAliasingTest, A1_A2_case_B03_in_place) {
  for (const ScanMode mode : {ScanMode::exclusive, ScanMode::inclusive}) {
    for (const std::uint64_t rows : {8u, 65537u}) {
      const ScanCase scan = in_place_scan(rows, mode);
      ASSERT_EQ(scan.input, scan.output) << "the test really aliases";
      ASSERT_EQ(scan.buffers.size(), 1u);
      expect_right(scan);
    }
  }
  expect_right(with_flags(in_place_scan(20000)));
}

TEST_F(ScenarioAliasingTest, A9_A10_any_byte_offset_of_flags_and_carries) {
  for (const std::uint64_t offset : {4u, 252u, 256u, 260u}) {
    ScanCase scan = with_flags(with_carry_out(with_carry_in(separate_scan(600), {9})));
    scan.flags[0].byte_offset = scan.carry_in->byte_offset = scan.carry_out->byte_offset = offset;
    scan.buffers[scan.flags[0].buffer].bytes += offset;
    expect_right(scan);
  }
}

TEST_F(ScenarioAliasingTest, A9_any_byte_offset_of_reductions) {
  for (const std::uint64_t lead : {1u, 63u, 64u, 65u}) {
    expect_right(ReduceCase{.rows = {600}, .lead = lead});
    expect_right(ReduceCase{.rows = {600}, .lead = lead, .offsets = Words{0, 1, 599, 600}});
  }
}

TEST_F(ScenarioAliasingTest, A14_what_was_encoded_may_go_before_it_has_run) {
  for (const Way& way : ways()) {
    ScanCase scan = separate_scan(70000, ScanMode::inclusive);
    scan.path = way.path;
    scan.subgroups = way.subgroups;
    const Image before = image_before(scan);
    DeviceBuffers buffers(device(), scan.buffers);
    buffers.upload(before);
    const WGPUCommandEncoder encoder = make_encoder(device());
    {
      Executable executable = must(Executable::create(device(), must(plan_for(device(), scan))));
      poison_slots(device(), executable);
      const auto imports = buffers.imports();
      must(executable.encode(encoder, {.imports = imports}));
    }
    must(device().submit_and_wait(encoder, 0));
    EXPECT_EQ(first_difference(scan, image_after(scan, before), buffers.download()), std::nullopt)
        << way;
  }
}

TEST_F(ScenarioAliasingTest, A16_words_around_totals_and_their_number_stay) {
  for (const std::uint32_t rows : {1u, 2u, 255u, 256u, 257u, 1023u, 1024u, 1025u, 4097u}) {
    for (const std::uint32_t every : {1u, 3u, 5000u}) {
      expect_right(ReduceCase{.rows = {rows}, .flags = generated(rows, [&](auto i) {
                                                return i % every == 0 ? 1u : 0u;
                                              })});
    }
  }
}

}  // namespace
}  // namespace wgprim::testing
