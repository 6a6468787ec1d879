// Every refused encode leaves the encoder usable and empty: after each refusal something good is
// encoded into the same encoder, and only that has run.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <ostream>

#include "native/executable_state.hpp"
#include "support/gpu_fixture.hpp"
#include "support/log_plans.hpp"

namespace wgprim::testing {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kOld = 77;

/// Nodes "n0", "outside", "n2" on the condition "more", "aside", and "number", which takes a count.
Plan varied_plan() {
  Plan plan = log_plan(1);
  add_external_node(plan);
  add_log_node(plan, "n2", "more");
  add_copy_node(plan);
  const Plan counted = counted_plan();
  plan.buffers.push_back(counted.buffers[0]);
  plan.nodes.push_back(counted.nodes[0]);
  plan.kernels.push_back(counted.kernels[0]);
  for (PlanDispatch dispatch : counted.dispatches) {
    dispatch.node = 4;
    dispatch.kernel = 1;
    dispatch.bindings[0].buffer = 2;
    plan.dispatches.push_back(std::move(dispatch));
  }
  plan.passes.push_back(PlanComputePass{2, 4});
  plan.steps = {{0, 2}, {2, 5}};
  return plan;
}

/// What one encode is given, good until a case spoils it.
struct Given {
  Device& device;
  Executable& executable;
  Buffer log = make_log(device);
  Buffer copy = make_log(device);
  Buffer out = make_buffer(device, Words(kCountedRows, kOld));
  int external_calls = 0;
  std::vector<Import> imports = {{"log", &log}, {"copy", &copy}, {"out", &out}};
  std::vector<Parameter> parameters = {{"more", true}};
  std::vector<RowCount> row_counts = {{"number", 700}};
  std::vector<ExternalCall> externals = {
      {"outside", [this](const ExternalWork&) { ++external_calls; }}};
  Timer* timer = nullptr;
  NodeTimer* node_timer = nullptr;

  // What a case spoils it with, alive until after the refusal.
  std::optional<Device> other_device;
  std::optional<Buffer> buffer;
  native::BufferHandle bare;
  std::optional<Timer> own_timer;
  std::optional<NodeTimer> own_node_timer;
  std::optional<Execution> execution;

  EncodeOptions options() const {
    return {.imports = imports,
            .parameters = parameters,
            .row_counts = row_counts,
            .externals = externals,
            .timer = timer,
            .node_timer = node_timer};
  }
  void give_bare(WGPUBufferUsage usage, bool is_mapped = false) {
    bare = raw_buffer(device, kLogBytes, usage, is_mapped);
    imports[1].buffer = bare.get();
  }
  void give(Buffer wrong) {
    buffer = std::move(wrong);
    imports[1].buffer = &*buffer;
  }
};

struct Refusal {
  const char* name;
  const char* message;  ///< Part of what it says.
  std::function<void(Given&)> spoil;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

constexpr WGPUBufferUsage kTarget = WGPUBufferUsage_CopyDst;

const Refusal kRefusals[] = {
    {"missing_import", "Import 'copy' is not given.",
     [](Given& g) { g.imports.erase(g.imports.begin() + 1); }},
    {"unknown_import", "Import 'cpoy' is no imported buffer of the plan.",
     [](Given& g) { g.imports[1].id = "cpoy"; }},
    {"repeated_import", "Import 'log' is given twice.",
     [](Given& g) { g.imports[1] = g.imports[0]; }},
    {"null_buffer", "Import 'copy' is a null Buffer.",
     [](Given& g) { g.imports[1].buffer = static_cast<const Buffer*>(nullptr); }},
    {"null_handle", "Import 'copy' is a null WGPUBuffer.",
     [](Given& g) { g.imports[1].buffer = WGPUBuffer{nullptr}; }},
    {"too_small", "Import 'copy' holds 288 bytes, fewer than the plan's 1024.",
     [](Given& g) { g.give(make_buffer(g.device, Words(8))); }},
    {"wrong_usage", "without the usage copy-destination",
     [](Given& g) { g.give(must(g.device.create_buffer(kLogBytes, kUsageStorage, "wrong"))); }},
    {"destroyed", "The buffer given as 'copy' is destroyed.",
     [](Given& g) {
       g.give(make_log(g.device));
       g.buffer->destroy();
     }},
    {"moved_from", "The buffer given as 'copy' is destroyed.",
     [](Given& g) {
       g.give(make_log(g.device));
       const Buffer moved = std::move(*g.buffer);
     }},
    {"of_another_device", "The buffer given as 'copy' belongs to another device.",
     [](Given& g) {
       g.other_device = must(Device::create());
       g.give(make_log(*g.other_device));
     }},
    {"bare_of_another_device", "The buffer given as 'copy' cannot be used",
     [](Given& g) {
       g.other_device = must(Device::create());
       g.give(make_log(*g.other_device));
       g.imports[1].buffer = g.buffer->handle();
     }},
    {"bare_mapped", "The buffer given as 'copy' is mapped",
     [](Given& g) { g.give_bare(kTarget, /*is_mapped=*/true); }},
    {"bare_about_to_be_mapped", "The buffer given as 'copy' is mapped or about to be mapped",
     [](Given& g) {
       g.give_bare(kTarget | WGPUBufferUsage_MapRead);
       ask_for_map(g.bare.get(), WGPUMapMode_Read);
     }},
    {"bare_destroyed", "destroyed",
     [](Given& g) {
       g.give_bare(kTarget);
       wgpuBufferDestroy(g.bare.get());
     }},
    {"aliasing", "Imports 'log' and 'copy' are the same buffer, which the plan writes.",
     [](Given& g) { g.imports[1].buffer = &g.log; }},
    {"missing_parameter", "Node 'n2' runs on the condition 'more', a parameter that is not given.",
     [](Given& g) { g.parameters.clear(); }},
    {"unknown_parameter", "Parameter 'mroe' is no condition of the plan.",
     [](Given& g) { g.parameters.push_back({"mroe", true}); }},
    {"repeated_parameter", "Parameter 'more' is given twice.",
     [](Given& g) { g.parameters.push_back({"more", true}); }},
    {"row_count_of_no_node", "names no node of the plan.",
     [](Given& g) { g.row_counts[0].node = "numbre"; }},
    {"row_count_of_a_fixed_node", "Node 'n0' takes no row count.",
     [](Given& g) { g.row_counts.push_back({"n0", 1}); }},
    {"row_count_above_capacity",
     "given 1001 rows, more than the capacity it was planned for (1000).",
     [](Given& g) { g.row_counts[0].rows = 1001; }},
    {"repeated_row_count", "The row count of node 'number' is given twice.",
     [](Given& g) { g.row_counts.push_back({"number", 1}); }},
    {"missing_call", "The call of external node 'outside' is not given.",
     [](Given& g) { g.externals.clear(); }},
    {"empty_call", "The call of external node 'outside' is empty.",
     [](Given& g) { g.externals[0].record = nullptr; }},
    {"unknown_call", "The call of node 'n0' names no external node of the plan.",
     [](Given& g) { g.externals.push_back({"n0", g.externals[0].record}); }},
    {"repeated_call", "The call of external node 'outside' is given twice.",
     [](Given& g) { g.externals.push_back(g.externals[0]); }},
    {"two_timers", "An encode takes a timer or a node timer, not both.",
     [](Given& g) {
       g.own_timer = must(Timer::create(g.device));
       g.own_node_timer = must(NodeTimer::create(g.device, 5));
       g.timer = &*g.own_timer;
       g.node_timer = &*g.own_node_timer;
     }},
    {"small_node_timer", "The node timer was made for 4 nodes, fewer than the plan's 5.",
     [](Given& g) {
       g.own_node_timer = must(NodeTimer::create(g.device, 4));
       g.node_timer = &*g.own_node_timer;
     }},
    {"timer_of_another_device", "The timer was moved from or belongs to another device.",
     [](Given& g) {
       g.other_device = must(Device::create());
       g.own_timer = must(Timer::create(*g.other_device));
       g.timer = &*g.own_timer;
     }},
    {"execution_in_progress", "An execution of the executable is in progress",
     [](Given& g) { g.execution = must(g.executable.begin(g.options())); }},
};

class Refusals : public GpuTest, public ::testing::WithParamInterface<Refusal> {
 protected:
  static void expect_refusal(const Error& error) {
    EXPECT_NE(error.message.find(GetParam().message), std::string::npos) << error.message;
  }

  void expect_that_only_the_sound_ran(Given& sound, Given& spoiled) {
    EXPECT_EQ(sound.external_calls, 1);
    EXPECT_EQ(read_log(device(), sound.log), (Words{0, 2}));
    EXPECT_EQ(read_log(device(), sound.copy), (Words{0, 2}));
    EXPECT_EQ(read_words(device(), sound.out, kCountedRows), counted_rows(700, kOld));
    EXPECT_EQ(spoiled.external_calls, 0);
    EXPECT_EQ(read_log(device(), spoiled.log), Words{});
    EXPECT_EQ(read_log(device(), spoiled.copy), Words{});
    EXPECT_EQ(read_words(device(), spoiled.out, kCountedRows), counted_rows(0, kOld));
    EXPECT_EQ(device().take_uncaptured_error(), std::nullopt);
  }
};

TEST_P(Refusals, contract_E_1_LeaveTheEncoderUsableAndEmpty) {
  Executable executable = must(Executable::create(device(), varied_plan()));
  Given spoiled{.device = device(), .executable = executable};
  GetParam().spoil(spoiled);
  const WGPUCommandEncoder encoder = make_encoder(device());
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto refused = executable.encode(encoder, spoiled.options());
    ASSERT_FALSE(refused);
    expect_refusal(refused.error());
  }
  spoiled.execution.reset();
  Given sound{.device = device(), .executable = executable};
  must(executable.encode(encoder, sound.options()));
  must(device().submit_and_wait(encoder, 0));
  expect_that_only_the_sound_ran(sound, spoiled);
}

/// A pass and an execution refuse timers as such, in words of their own.
TEST_P(Refusals, contract_E_1_AreThoseOfPassesAndExecutionsToo) {
  Executable executable = must(Executable::create(device(), varied_plan()));
  Given spoiled{.device = device(), .executable = executable};
  GetParam().spoil(spoiled);
  const WGPUCommandEncoder encoder = make_encoder(device());
  native::ComputePassHandle pass(wgpuCommandEncoderBeginComputePass(encoder, nullptr));
  const auto in_pass = executable.encode_in_pass(pass.get(), spoiled.options());
  ASSERT_FALSE(in_pass);
  if (!spoiled.timer && !spoiled.node_timer) expect_refusal(in_pass.error());
  wgpuComputePassEncoderEnd(pass.get());
  pass.reset();
  const auto begun = executable.begin(spoiled.options());
  ASSERT_FALSE(begun);
  if (!spoiled.timer) expect_refusal(begun.error());
  spoiled.execution.reset();
  Given sound{.device = device(), .executable = executable};
  Execution execution = must(executable.begin(sound.options()));
  while (!execution.is_done())
    must(execution.encode_next(encoder));
  must(device().submit_and_wait(encoder, 0));
  expect_that_only_the_sound_ran(sound, spoiled);
}

INSTANTIATE_TEST_SUITE_P(All, Refusals, ::testing::ValuesIn(kRefusals),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

}  // namespace
}  // namespace wgprim::testing
