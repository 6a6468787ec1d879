// The scan on a device under unusual conditions: shrunk limits, offsets, shared buffers, chunks,
// several encodes before one submit, and random cases of all of these together.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "support/family_on_device.hpp"
#include "support/random_scan.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

class ScanConditionsTest : public FamilyOnDevice {
 protected:
  static void expect_right_with(std::string limit, const ScanCase& scan) {
    expect_right(with_limit(scan, std::move(limit)));
  }
};

TEST_F(ScanConditionsTest, S10_two_workgroups_a_dimension) {
  ScanCase scan = separate_scan(1025);
  scan.limits = {"maxComputeWorkgroupsPerDimension=2"};
  EXPECT_EQ(must(plan_for(device(), scan)).dispatches[0].shape, (Shape{2, 2, 2}));
  for (const std::uint64_t rows : {513u, 1024u, 1025u, 2047u, 2048u}) {
    expect_right_with("maxComputeWorkgroupsPerDimension=2", separate_scan(rows));
    expect_right_with("maxComputeWorkgroupsPerDimension=2", in_place_scan(rows));
  }
  expect_right_with("maxComputeWorkgroupsPerDimension=3", in_place_scan(6912));
}

TEST_F(ScanConditionsTest, S15_bindings_of_a_kibibyte_and_odd_ones) {
  for (const char* bytes : {"1024", "1021", "1027", "4097"}) {
    const std::string limit = concat("maxStorageBufferBindingSize=", bytes);
    expect_right_with(limit, separate_scan(3000, ScanMode::inclusive));
    expect_right_with(limit, in_place_scan(3000));
    expect_right_with(limit, shared_buffer_scan(1000, 70));
  }
}

// No device offers fewer than 128; lavapipe takes a minute to compile 256 rows a lane.
TEST_F(ScanConditionsTest, S17_narrow_workgroups) {
  for (const char* invocations : {"128", "64"}) {
    const std::string limit = concat("maxComputeInvocationsPerWorkgroup=", invocations);
    expect_right_with(limit, separate_scan(1000));
    expect_right_with(limit, in_place_scan(66000, ScanMode::inclusive));
  }
}

TEST_F(ScanConditionsTest, sums_in_several_buffers) {
  expect_right_with("maxBufferSize=16", separate_scan(5000));
  expect_right_with("maxBufferSize=1024", separate_scan(70000, ScanMode::inclusive));
}

TEST_F(ScanConditionsTest, A9_any_byte_offset) {
  for (const std::uint64_t offset : {0u, 4u, 252u, 256u, 260u, 1020u}) {
    ScanCase scan = separate_scan(600);
    scan.buffers = {{"input", 4096}, {"output", 4096}};
    scan.input[0].byte_offset = offset;
    expect_right(scan);
    std::swap(scan.input[0].byte_offset, scan.output[0].byte_offset);
    expect_right(scan);
    scan.input[0].byte_offset = offset;
    expect_right(scan);
  }
}

TEST_F(ScanConditionsTest, A4_contract_SC_6_near_ranges_of_one_buffer) {
  ScanCase scan = shared_buffer_scan(1000, 0);
  EXPECT_EQ(must(plan_for(device(), scan)).dispatches[0].bindings.size(), 2u);
  expect_right(scan);
  std::swap(scan.input, scan.output);
  expect_right(scan);
}

TEST_F(ScanConditionsTest, A4_contract_SC_6_far_ranges_of_one_buffer) {
  ScanCase scan = shared_buffer_scan(1000, 3000);
  scan.limits = {"maxStorageBufferBindingSize=8192"};
  EXPECT_EQ(must(plan_for(device(), scan)).dispatches[0].bindings.size(), 3u);
  expect_right(scan);
  std::swap(scan.input, scan.output);
  expect_right(scan);
}

TEST_F(ScanConditionsTest, A15_contract_SC_4_a_longer_output_keeps_its_other_rows) {
  expect_right(chunked_scan({300}, {301}));
  expect_right(chunked_scan({300, 4}, {100, 400, 50}));
}

TEST_F(ScanConditionsTest, F13_contract_SC_3_many_chunks) {
  expect_right(chunked_scan({1000, 24}, {7, 1017}));
  expect_right(chunked_scan(std::vector<std::uint64_t>(40, 30), {700, 500}));
}

TEST_F(ScanConditionsTest, G9_a_hundred_runs_agree) {
  const auto checked = check_on_device(device(), in_place_scan(4097), 100);
  EXPECT_TRUE(checked) << checked.error().message;
}

TEST_F(ScanConditionsTest, A13_several_scans_before_one_submit) {
  const std::vector<ScanCase> cases = {separate_scan(100), in_place_scan(1000),
                                       separate_scan(10, ScanMode::inclusive)};
  std::vector<DeviceBuffers> buffers;
  std::vector<Executable> executables;
  const WGPUCommandEncoder encoder = make_encoder(device());
  for (const ScanCase& scan : cases) {
    buffers.emplace_back(device(), scan.buffers).upload(image_before(scan));
    executables.push_back(must(Executable::create(device(), must(plan_for(device(), scan)))));
    poison_slots(device(), executables.back());
    const auto imports = buffers.back().imports();
    must(executables.back().encode(encoder, {.imports = imports}));
  }
  must(device().submit_and_wait(encoder, 0));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Image expected = image_after(cases[i], image_before(cases[i]));
    EXPECT_EQ(first_difference(cases[i], expected, buffers[i].download()), std::nullopt);
  }
}

TEST_F(ScanConditionsTest, contract_E_6_encoded_twice_before_one_submit_scans_twice) {
  const ScanCase scan = in_place_scan(70000, ScanMode::inclusive);
  DeviceBuffers buffers(device(), scan.buffers);
  buffers.upload(image_before(scan));
  Executable executable = must(Executable::create(device(), must(plan_for(device(), scan))));
  poison_slots(device(), executable);
  const auto imports = buffers.imports();
  const WGPUCommandEncoder encoder = make_encoder(device());
  must(executable.encode(encoder, {.imports = imports}));
  must(executable.encode(encoder, {.imports = imports}));
  must(device().submit_and_wait(encoder, 0));
  const Image expected = image_after(scan, image_after(scan, image_before(scan)));
  EXPECT_EQ(first_difference(scan, expected, buffers.download()), std::nullopt);
}

TEST_F(ScanConditionsTest, A12_new_data_through_the_same_executable) {
  ScanCase scan = separate_scan(1000);
  Executable executable = must(Executable::create(device(), must(plan_for(device(), scan))));
  DeviceBuffers buffers(device(), scan.buffers);
  for (scan.seed = 0; scan.seed < 20; ++scan.seed) {
    const Image before = image_before(scan);
    buffers.upload(before);
    const auto imports = buffers.imports();
    must(run(device(), executable, {.imports = imports}));
    EXPECT_EQ(first_difference(scan, image_after(scan, before), buffers.download()), std::nullopt)
        << "seed " << scan.seed;
  }
}

TEST_F(ScanConditionsTest, random_chunks_offsets_and_limits) {
  const DeviceProfile offered = must(device().profile());
  const auto scans = random_scans();
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomScan random = scans(rc::Random(seed), rc::kNominalSize).value();
    random.profile.capabilities.subgroups &= offered.capabilities.subgroups;
    std::uint64_t& invocations = random.profile.limits.max_compute_invocations_per_workgroup;
    invocations = std::max<std::uint64_t>(invocations, 64);
    const Plan plan = must(plan_scan(random.scan, random.profile));
    const auto checked = check_on_device(device(), random.scan, plan, 1);
    EXPECT_TRUE(checked) << checked.error().message << "\n" << random;
  }
}

}  // namespace
}  // namespace wgprim::testing
