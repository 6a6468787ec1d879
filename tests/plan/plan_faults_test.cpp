// The checks that other tests lean on can fail: each rule of find_faults is broken once, and each
// kind of wrong plan that the interpreter should notice is put before it.
#include "support/plan_faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "support/plan_interpreter.hpp"
#include "support/plan_lines.hpp"
#include "support/user_kernels.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint64_t kRows = 65537;

/// Three levels: 5 dispatches, 2 transients, of 257 and 2 sums.
Plan sound_plan() { return plan_scan(separate_scan(kRows)).value(); }

/// A kernel of the user's with a uniform and a shape on the device, a copy, a clear, external work.
Plan plan_of_all_commands() {
  Graph graph;
  const DataView steps{.buffer = graph.import_buffer({"steps", 16}).value(), .rows = 4};
  const DataView rows{.buffer = graph.import_buffer({"rows", 1024}).value(), .rows = 256};
  const DataView record{.buffer = graph.import_buffer({"record", 12}).value(), .rows = 3};
  const DataView spare{.buffer = graph.declare_transient({"spare", 256}).value(), .rows = 256};
  const UserKernel& kernel = user_kernels()[3];
  const bool is_added =
      graph.add(Clear{.id = "clear", .destination = spare}) &&
      graph.add(Compute{.id = "advance",
                        .wgsl = kernel.wgsl,
                        .uses = {{steps, kernel.uses[0], 0}, {spare, kernel.uses[1], 1}},
                        .workgroups = {8, 1, 1},
                        .indirect = IndirectWorkgroups{record}}) &&
      graph.add(Copy{.id = "copy", .source = spare, .destination = rows}) &&
      graph.add(External{.id = "draw", .uses = {{rows, Use::vertex}}});
  EXPECT_TRUE(is_added);
  return graph.compile({}).value();
}

void expect_fault(const std::string& sentence, const std::function<void(Plan&)>& damage,
                  DeviceProfile profile = {}, Plan plan = sound_plan()) {
  damage(plan);
  const auto faults = find_faults(plan, profile);
  const bool is_named = std::ranges::any_of(
      faults, [&](const std::string& fault) { return fault.find(sentence) != fault.npos; });
  EXPECT_TRUE(is_named) << "not noticed: " << sentence;
}

TEST(PlanFaultsTest, a_sound_plan_has_none) {
  EXPECT_EQ(find_faults(sound_plan(), {}), std::vector<std::string>());
}

TEST(PlanFaultsTest, dispatches) {
  expect_fault("a dimension is 0", [](Plan& plan) { plan.dispatches[0].shape[1] = 0; });
  expect_fault("a dimension is 0", [](Plan& plan) { plan.dispatches[0].shape[0] = 65536; });
  expect_fault("the launched counts", [](Plan& plan) { plan.dispatches[2].shape[1] = 2; });
  expect_fault("more bindings", [](Plan&) {},
               {.limits = {.max_storage_buffers_per_shader_stage = 2}});
  expect_fault("wider than", [](Plan&) {}, {.limits = {.max_compute_workgroup_size_x = 255}});
  expect_fault("no subgroups", [](Plan& plan) { plan.kernels[0].uses_subgroups = true; });
  expect_fault("not those of the kernel",
               [](Plan& plan) { plan.dispatches[0].bindings.pop_back(); });
  expect_fault("leave a gap",
               [](Plan& plan) { std::get<PlanComputePass>(plan.passes[0]).first = 1; });
  expect_fault("in no pass", [](Plan& plan) { std::get<PlanComputePass>(plan.passes[0]).end = 2; });
}

TEST(PlanFaultsTest, bindings) {
  expect_fault("multiple of 256", [](Plan& plan) { plan.dispatches[0].bindings[0].offset = 32; });
  expect_fault("in words", [](Plan& plan) { plan.dispatches[0].bindings[0].bytes = 0; });
  expect_fault("ends behind", [](Plan& plan) { plan.dispatches[0].bindings[1].offset = 256; });
  expect_fault("above maxStorageBufferBindingSize", [](Plan&) {},
               {.limits = {.max_storage_buffer_binding_size = 2055}});
  expect_fault("has not the usage", [](Plan& plan) { plan.buffers[0].usage = kUsageCopySource; });
  expect_fault("for reading and for writing",
               [](Plan& plan) { plan.dispatches[0].bindings[2].buffer = 1; });
  expect_fault("share bytes", [](Plan& plan) { plan.dispatches[0].bindings[1].buffer = 1; });
}

TEST(PlanFaultsTest, users_kernels_transfers_and_external_work) {
  const Plan sound = plan_of_all_commands();
  EXPECT_EQ(find_faults(sound, {}), std::vector<std::string>());
  const auto expect = [&](const std::string& sentence, const std::function<void(Plan&)>& damage,
                          DeviceProfile profile = {}) {
    expect_fault(sentence, damage, profile, sound);
  };
  expect("above maxUniformBufferBindingSize", [](Plan&) {},
         {.limits = {.max_uniform_buffer_binding_size = 12}});
  expect("more bindings than maxUniformBuffersPerShaderStage", [](Plan&) {},
         {.limits = {.max_uniform_buffers_per_shader_stage = 0}});
  expect("wider than", [](Plan&) {}, {.limits = {.max_compute_invocations_per_workgroup = 31}});
  expect("between words", [](Plan& plan) { plan.dispatches[0].indirect->offset = 2; });
  expect("ends behind its buffer", [](Plan& plan) { plan.dispatches[0].indirect->offset = 4; });
  expect("holds its shape", [](Plan& plan) { plan.dispatches[0].indirect->buffer = 3; });
  expect("ends behind its buffer",
         [](Plan& plan) { std::get<PlanCopy>(plan.passes[2]).source_offset = 4; });
  expect("stays within one buffer", [](Plan& plan) {
    auto& copy = std::get<PlanCopy>(plan.passes[2]);
    copy.source = copy.destination;
  });
  expect("has not the usage", [](Plan& plan) { plan.buffers[3].usage &= ~kUsageCopyDestination; });
  expect("has not the usage", [](Plan& plan) { plan.buffers[1].usage &= ~kUsageVertex; });
  expect("the workload is", [](Plan& plan) { ++std::get<PlanClear>(plan.passes[0]).bytes; });
}

TEST(PlanFaultsTest, extents) {
  const auto expect = [](const std::string& sentence, const auto& damage) {
    expect_fault(sentence,
                 [&](Plan& plan) { damage(plan.dispatches[1], *plan.dispatches[1].extent); });
  };
  expect("nothing to count by", [](auto&, PlanExtent& extent) { extent.rows_per_item = 0; });
  expect("nothing to count by", [](auto&, PlanExtent& extent) { extent.items_per_workgroup = 0; });
  expect("nothing to count by", [](PlanDispatch& dispatch, auto&) { dispatch.parameters = {1}; });
  expect("the rows are not", [](PlanDispatch& dispatch, auto&) { ++dispatch.parameters[0]; });
  expect("the workgroups are not", [](PlanDispatch& dispatch, auto&) { ++dispatch.parameters[1]; });
  expect("rows that the node has not", [](auto&, PlanExtent& extent) { ++extent.rows_per_item; });
  expect("rows that the node has not", [](auto&, PlanExtent& extent) { ++extent.first_item; });
}

TEST(PlanFaultsTest, constants) {
  ScanCase chunks = separate_scan(100);
  chunks.input = {{0, 30, 4}, {0, 69, 128}};
  const Plan sound = plan_scan(chunks).value();
  EXPECT_EQ(find_faults(sound, {}), std::vector<std::string>());
  ASSERT_EQ(sound.buffers[2].role, BufferRole::constant);
  const auto expect = [&](const std::string& sentence, const std::function<void(Plan&)>& damage,
                          DeviceProfile profile = {}) {
    expect_fault(sentence, damage, profile, sound);
  };
  expect("not the words", [](Plan& plan) { plan.buffers[2].words.pop_back(); });
  expect("not the words", [](Plan& plan) { plan.buffers[0].words = {1}; });
  expect("a constant is above", [](Plan&) {}, {.limits = {.max_buffer_size = 31}});
  expect("that is no transient has a slot", [](Plan& plan) { plan.buffers[2].slot = 0; });
  expect("a constant is written", [](Plan& plan) {
    for (KernelBinding& binding : plan.kernels[0].bindings)
      if (binding.binding == 8) binding.access = Access::storage_read_write;
  });
}

TEST(PlanFaultsTest, scratch_and_totals) {
  expect_fault("share a slot alive", [](Plan& plan) { plan.buffers[3].slot = 0; });
  expect_fault("does not fit its slot", [](Plan& plan) { plan.slots[0].bytes = 8; });
  expect_fault("has no slot", [](Plan& plan) { plan.buffers[2].slot.reset(); });
  expect_fault("above maxBufferSize", [](Plan&) {}, {.limits = {.max_buffer_size = 8}});
  expect_fault("scratch totals", [](Plan& plan) { plan.scratch_bytes += 4; });
  expect_fault("the workload", [](Plan& plan) { plan.workload.bytes_read += 4; });
  expect_fault("the largest binding", [](Plan& plan) { plan.largest_binding_bytes += 4; });
}

std::string verdict(const std::function<void(Plan&)>& damage) {
  Plan plan = sound_plan();
  damage(plan);
  const auto checked = check_on_host(plan, separate_scan(kRows));
  return checked ? "right" : checked.error().message;
}

void expect_verdict(const std::string& part, const std::function<void(Plan&)>& damage) {
  const std::string found = verdict(damage);
  EXPECT_NE(found.find(part), found.npos) << found;
}

TEST(PlanInterpreterTest, a_sound_plan_is_right) {
  EXPECT_EQ(verdict([](Plan&) {}), "right");
}

TEST(PlanInterpreterTest, wrong_work_is_noticed) {
  expect_verdict("of buffer 'output' is", [](Plan& plan) { plan.dispatches[4].shape[0] = 256; });
  expect_verdict("of buffer 'output' is", [](Plan& plan) { --plan.dispatches[0].parameters[0]; });
  expect_verdict("of buffer 'output' is", [](Plan& plan) { --plan.dispatches[4].parameters[3]; });
  expect_verdict("of buffer 'output' is", [](Plan& plan) { --plan.dispatches[0].parameters[2]; });
  expect_verdict("of buffer 'output' is", [](Plan& plan) {
    for (auto& constant : plan.kernels[0].constants) {
      if (constant.first == "IS_INCLUSIVE") constant.second = 1;
    }
  });
}

/// A scan with segments, chunks and carries over three blocks.
std::string rich_verdict(const std::function<void(Plan&)>& damage) {
  ScanCase scan = with_carry_out(with_carry_in(with_flags(separate_scan(700)), {5}));
  scan.input = {{0, 300, 4}, {0, 399, 1208}};
  Plan plan = plan_scan(scan).value();
  damage(plan);
  const auto checked = check_on_host(plan, scan);
  return checked ? "right" : checked.error().message;
}

void set(Plan& plan, std::size_t dispatch, const char* slot, const char* fragment) {
  for (auto& [name, filled] : plan.kernels[plan.dispatches[dispatch].kernel].slots) {
    if (name == slot) filled = fragment;
  }
}

TEST(PlanInterpreterTest, wrong_tables_segments_and_carries_are_noticed) {
  const auto table = [](Plan& plan) -> Words& {
    return std::ranges::find(plan.buffers, BufferRole::constant, &PlanBuffer::role)->words;
  };
  const auto parameter = [](Plan& plan, std::size_t dispatch, const char* name) -> std::uint32_t& {
    return plan.dispatches[dispatch].parameters[parameter_places().at(name)];
  };
  const std::vector<std::function<void(Plan&)>> mutations = {
      [&](Plan& plan) { ++table(plan)[4]; },
      [&](Plan& plan) { ++table(plan)[5]; },
      [&](Plan& plan) { ++table(plan)[6]; },
      [&](Plan& plan) { ++table(plan)[7]; },
      [&](Plan& plan) { --parameter(plan, 0, "run_count"); },
      [&](Plan& plan) { --parameter(plan, 1, "carry_in"); },
      [&](Plan& plan) { --parameter(plan, 1, "carry_out"); },
      [](Plan& plan) { set(plan, 0, "flags", "flags_quads"); },
      [](Plan& plan) { set(plan, 0, "item", "item_plain"); },
      [](Plan& plan) { set(plan, 1, "start", "start_identity"); },
      [](Plan& plan) { set(plan, 0, "open", "open_none"); },
      [](Plan& plan) { set(plan, 2, "rows", "offset_plain"); }};
  EXPECT_EQ(rich_verdict([](Plan&) {}), "right");
  for (std::size_t i = 0; i < mutations.size(); ++i)
    EXPECT_NE(rich_verdict(mutations[i]), "right") << "mutation " << i;
}

TEST(PlanInterpreterTest, access_beyond_a_binding_is_noticed) {
  expect_verdict("beyond binding 3", [](Plan& plan) { ++plan.dispatches[0].parameters[2]; });
  expect_verdict("beyond binding 2", [](Plan& plan) {
    ++plan.dispatches[0].parameters[1];
    plan.dispatches[0].shape[0] = 258;
  });
}

TEST(PlanInterpreterTest, scratch_that_nothing_wrote_is_noticed) {
  expect_verdict("which nothing wrote", [](Plan& plan) { plan.dispatches[0].shape[0] = 256; });
  expect_verdict("which nothing wrote",
                 [](Plan& plan) { std::swap(plan.dispatches[0], plan.dispatches[1]); });
}

TEST(PlanInterpreterTest, scratch_that_another_buffer_overwrote_is_noticed) {
  expect_verdict("which nothing wrote", [](Plan& plan) { plan.buffers[3].slot = 0; });
}

TEST(PlanInterpreterTest, writing_what_may_only_be_read_is_noticed) {
  expect_verdict("which it may only read", [](Plan& plan) {
    for (KernelBinding& binding : plan.kernels[0].bindings)
      binding.access = Access::storage_read;
  });
}

TEST(PlanInterpreterTest, groups_that_touch_each_others_words_are_noticed) {
  expect_verdict("one of them writes", [](Plan& plan) {
    plan.dispatches[0].bindings[2].buffer = plan.dispatches[0].bindings[0].buffer;
    plan.dispatches[0].parameters[2] = 0;  // Output one row above the input it reads.
  });
}

}  // namespace
}  // namespace wgprim::testing
