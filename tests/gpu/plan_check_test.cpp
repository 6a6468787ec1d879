// Plans that contradict themselves, as a file could hold them: each is an Error that says what is
// wrong. Random damage to sound plans must never end the process, whatever it makes of them.
#include "native/plan_check.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "kernels/assemble.hpp"
#include "support/golden_plans.hpp"
#include "support/gpu_fixture.hpp"
#include "support/plan_damage.hpp"
#include "wgprim/graph.hpp"

namespace wgprim::testing {
namespace {

using native::check_plan;

TEST(PlanCheck, GoldenPlansAreSound) {
  for (const GoldenPlan& golden : golden_plans())
    EXPECT_EQ(plan_fault(golden.plan), "sound") << golden.name;
}

TEST(PlanCheck, NamesWhatIsWrongWithMemory) {
  expect_faults(
      compaction_plan(),
      {{"buffer 'record' has slot 7", [](Plan& p) { p.buffers[4].slot = 7; }},
       {"buffer 'in' has a slot", [](Plan& p) { p.buffers[0].slot = 0; }},
       {"buffer 'record' does not fit slot 0", [](Plan& p) { p.slots[0].bytes = 8; }},
       {"does not fit slot 0", [](Plan& p) { p.slots[0].usage = kUsageStorage; }},
       {"uses transient 'record', which has no slot", [](Plan& p) { p.buffers[4].slot.reset(); }},
       {"slot 0 has usage 128", [](Plan& p) { p.slots[0].usage = 128; }},
       {"slot 0 is empty", [](Plan& p) { p.slots[0].bytes = 0; }},
       {"slot 0 needs 1099511627776 bytes", [](Plan& p) { p.slots[0].bytes = 1ull << 40; }},
       {"buffer 'in' has usage 4096", [](Plan& p) { p.buffers[0].usage = 4096; }},
       {"two imported buffers are called 'flags'", [](Plan& p) { p.buffers[0].id = "flags"; }}});
}

TEST(PlanCheck, NamesWhatIsWrongWithDispatches) {
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  expect_faults(
      compaction_plan(),
      {{"node 9", [](Plan& p) { p.dispatches[0].node = 9; }},
       {"kernel 9", [](Plan& p) { p.dispatches[0].kernel = 9; }},
       {"uses buffer 9", [](Plan& p) { p.dispatches[0].bindings[0].buffer = 9; }},
       {"not whole words", [](Plan& p) { p.dispatches[0].bindings[0].offset = 128; }},
       {"not whole words", [](Plan& p) { p.dispatches[0].bindings[0].bytes = 6; }},
       {"uses 0 bytes", [](Plan& p) { p.dispatches[0].bindings[0].bytes = 0; }},
       {"of buffer 'in'", [](Plan& p) { p.dispatches[0].bindings[0].bytes = kMost - 255; }},
       {"of buffer 'in'", [](Plan& p) { p.dispatches[0].bindings[0].offset = kMost - 255; }},
       {"as storage", [](Plan& p) { p.buffers[0].usage = kUsageUniform; }},
       {"does not bind 0",
        [](Plan& p) { p.dispatches[0].bindings.erase(p.dispatches[0].bindings.begin()); }},
       {"binds 7, which", [](Plan& p) { p.dispatches[0].bindings.push_back({7, 0, 0, 4}); }},
       {"parameter words", [](Plan& p) { p.dispatches[0].parameters = {1}; }},
       {"maxComputeWorkgroupsPerDimension", [](Plan& p) { p.dispatches[0].shape[2] = 65536; }},
       {"maxStorageBufferBindingSize",
        [](Plan& p) {
          p.buffers[0].bytes = 1u << 30;
          p.dispatches[0].bindings[0].bytes = 1u << 29;
        }},
       {"both reads and writes", [](Plan& p) { p.dispatches[0].bindings[2].buffer = 0; }},
       {"writes overlapping", [](Plan& p) { p.dispatches[0].bindings[3].buffer = 2; }},
       {"both reads and writes", [](Plan& p) { p.dispatches[0].indirect = IndirectShape{4, 0}; }},
       {"workgroup counts at offset 2",
        [](Plan& p) {
          p.buffers[0].usage |= kUsageIndirect;
          p.dispatches[1].indirect = IndirectShape{0, 2};
        }},
       {"uses 12 bytes at offset 4", [](Plan& p) { p.dispatches[1].indirect->offset = 4; }}});
}

TEST(PlanCheck, NamesWhatIsWrongWithKernelsAndPasses) {
  expect_faults(
      conditioned_plan(),
      {{"out of order", [](Plan& p) { p.kernels[0].bindings[1].binding = 0; }},
       {"above 999", [](Plan& p) { p.kernels[0].bindings[1].binding = 5000; }},
       {"maxStorageBuffersPerShaderStage",
        [](Plan& p) {
          for (std::uint32_t i = 2; i < 9; ++i)
            p.kernels[0].bindings.push_back({i, Access::storage_read});
        }},
       {"binds 13 uniform buffers, more than the device's limit maxUniformBuffersPerShaderStage "
        "(12)",
        [](Plan& p) {
          for (std::uint32_t i = 2; i < 15; ++i)
            p.kernels[0].bindings.push_back({i, Access::uniform});
        }},
       {"bindings for parameters",
        [](Plan& p) {
          for (std::uint32_t i = 2; i < 4; ++i)
            p.kernels[0].bindings.push_back({i, Access::parameters});
        }},
       {"no pass holds dispatch 2", [](Plan& p) { p.passes.erase(p.passes.begin() + 2); }},
       {"is the next of", [](Plan& p) { p.passes[2] = p.passes[1]; }},
       {"is the next of", [](Plan& p) { p.passes[2] = PlanComputePass{2, 900}; }},
       {"is the next of", [](Plan& p) { p.passes[2] = PlanComputePass{2, 2}; }},
       {"a clear uses 0 bytes", [](Plan& p) { std::get<PlanClear>(p.passes[0]).bytes = 0; }},
       {"a clear at offset 2", [](Plan& p) { p.passes[0] = PlanClear{0, 3, 2, 8}; }},
       {"a clear has node 77", [](Plan& p) { std::get<PlanClear>(p.passes[0]).node = 77; }},
       {"a copy uses buffer 50", [](Plan& p) { std::get<PlanCopy>(p.passes[3]).source = 50; }},
       {"stays within one buffer", [](Plan& p) { p.passes[3] = PlanCopy{4, 3, 0, 3, 256, 64}; }},
       {"as copy-destination", [](Plan& p) { std::get<PlanCopy>(p.passes[3]).destination = 0; }}});
}

TEST(PlanCheck, MeasuresTheWorkgroupsOfTableKernels) {
  Plan plan;
  plan.kernels = {must(kernels::specialise("scan_blocks", {}, {{"WORKGROUP_WIDTH", 256}}))};
  EXPECT_EQ(plan_fault(plan), "sound");
  const auto message_within = [&](std::uint64_t Limits::* limit, std::uint64_t value) {
    Limits limits;
    limits.*limit = value;
    const auto checked = check_plan(plan, limits);
    if (checked) return std::string("sound");
    EXPECT_EQ(checked.error().code, ErrorCode::limit_exceeded);
    return checked.error().message;
  };
  EXPECT_EQ(message_within(&Limits::max_compute_workgroup_storage_size, 1023),
            "Kernel 'scan_blocks' takes 1024 bytes of workgroup memory, more than the device's "
            "limit maxComputeWorkgroupStorageSize (1023).");
  EXPECT_EQ(message_within(&Limits::max_compute_invocations_per_workgroup, 128),
            "Kernel 'scan_blocks' takes 256 lanes, more than the device's limit "
            "maxComputeInvocationsPerWorkgroup (128).");
  EXPECT_EQ(message_within(&Limits::max_compute_workgroup_size_x, 64),
            "Kernel 'scan_blocks' takes 256 lanes, more than the device's limit "
            "maxComputeWorkgroupSizeX (64).");
  plan.kernels[0].constants.clear();
  EXPECT_EQ(message_within(&Limits::max_compute_workgroup_size_x, 256), "sound") << "The default.";
}

class HostilePlan : public GpuTest {};

TEST_F(HostilePlan, KernelsThatDoNotCompileSayWhere) {
  Plan plan = surviving_state_plan();
  plan.kernels[0].wgsl = "@compute @workgroup_size(1)\nfn broken() { let x = y; }\n";
  const auto made = Executable::create(device(), plan);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::invalid_argument);
  EXPECT_NE(made.error().message.find("Kernel 'number_encodes' does not compile"),
            std::string::npos);
  EXPECT_NE(made.error().message.find("wgsl:2:"), std::string::npos) << made.error().message;
}

TEST_F(HostilePlan, KernelsThatDoNotFitTheirBindingsAreRefused) {
  const auto refused = [&](const std::function<void(PlanKernel&)>& damage) {
    Plan plan = chained_plan();
    damage(plan.kernels[0]);
    return !Executable::create(device(), plan);
  };
  EXPECT_TRUE(refused([](PlanKernel& k) { k.bindings[2].access = Access::storage_read; }));
  EXPECT_TRUE(refused([](PlanKernel& k) { k.constants = {{"BLOKC", 64}}; }));
  EXPECT_TRUE(refused([](PlanKernel& k) { k.wgsl.clear(); })) << "No such kernel in the table.";
  EXPECT_TRUE(refused([](PlanKernel& k) {
    k.wgsl.replace(k.wgsl.find("workgroup_size(1)"), 17, "workgroup_size(100000)");
  })) << "More invocations than any device allows.";
  EXPECT_TRUE(refused([](PlanKernel& k) { k.wgsl += k.wgsl; }));
}

TEST_F(HostilePlan, KernelsThatTakeCompilersDownAreRefused) {
  const auto message = [&](const std::function<void(Plan&)>& damage) {
    Plan plan = surviving_state_plan();
    damage(plan);
    const auto made = Executable::create(device(), plan);
    return made ? "sound" : made.error().message;
  };
  const auto with = [&](const std::string& wgsl) {
    return message([&](Plan& plan) { plan.kernels[0].wgsl += wgsl; });
  };
  EXPECT_EQ(with("// \xff"), "In the plan a text of kernel 0 is not valid UTF-8.");
  EXPECT_EQ(message([](Plan& plan) { plan.kernels[0].entry_point = "\xff"; }),
            "In the plan a text of kernel 0 is not valid UTF-8.");
  EXPECT_EQ(message([](Plan& plan) { plan.dispatches[0].label = "\xff"; }),
            "In the plan a text of dispatch 0 is not valid UTF-8.");
  EXPECT_EQ(message([](Plan& plan) { plan.buffers[0].id = "\xff"; }),
            "In the plan a text of buffer 0 is not valid UTF-8.");
  EXPECT_NE(with("const c = " + std::string(5'000, '(')).find("nests too deep"), std::string::npos);
  EXPECT_NE(message([](Plan& plan) {
              plan.kernels[0].wgsl = "@compute @workgroup_size(min(1, 2)) fn f() {}";
              plan.kernels[0].entry_point.clear();
            }).find("cannot be read"),
            std::string::npos);
  EXPECT_NE(message([](Plan& plan) {
              plan.kernels[0].wgsl =
                  "@id(7) override w: u32 = 1; @compute @workgroup_size(w) fn f() {}";
              plan.kernels[0].entry_point.clear();
              plan.kernels[0].constants = {{"7", 1u << 20}};
            }).find("takes 1048576 lanes"),
            std::string::npos);
}

TEST_F(HostilePlan, BindingsTooShortForTheKernelAreRefused) {
  Plan plan = chained_plan();
  plan.kernels[0].wgsl.replace(plan.kernels[0].wgsl.find("rows: u32"), 9,
                               "many: array<vec4<u32>, 16>, rows: u32");
  EXPECT_EQ(Executable::create(device(), plan).error().code, ErrorCode::invalid_argument);

  Graph graph;
  const BufferId data = must(graph.import_buffer({.id = "data", .bytes = 16}));
  must(
      graph.add(Compute{.id = "greedy",
                        .wgsl = "@group(0) @binding(0) var<storage, read_write> a: array<u32, 100>;"
                                "@compute @workgroup_size(1) fn f() { a[0] = 1u; }",
                        .uses = {{DataView{.buffer = data, .rows = 4}, Use::storage_write, 0}}}));
  const auto refused = Executable::create(device(), must(graph.compile({})));
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.starts_with("Node 'greedy': Kernel 'f' does not compile"))
      << refused.error().message;
}

TEST_F(HostilePlan, WorkgroupsBeyondALoweredLimitAreRefused) {
  Device lowered = must(Device::create({.limits = {"maxComputeInvocationsPerWorkgroup=64"}}));
  Plan plan;
  plan.kernels = {must(kernels::specialise("scan_blocks", {}, {{"WORKGROUP_WIDTH", 128}}))};
  const auto refused = Executable::create(lowered, plan);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::limit_exceeded);
  plan.kernels[0].constants = {{"WORKGROUP_WIDTH", 64}};
  EXPECT_TRUE(Executable::create(lowered, plan));
}

TEST_F(HostilePlan, SubgroupsSwitchedOffStayOffWhateverAPlanClaims) {
  Device without = must(Device::create({.capabilities = {"subgroups=off"}}));
  const auto code_of = [&](const PlanKernel& kernel) {
    Plan plan;
    plan.kernels = {kernel};
    const auto made = Executable::create(without, plan);
    return made ? ErrorCode::internal : made.error().code;
  };
  PlanKernel of_table = must(kernels::specialise("scan_blocks_subgroup"));
  EXPECT_EQ(code_of(of_table), ErrorCode::unsupported);
  of_table.uses_subgroups = false;
  EXPECT_EQ(code_of(of_table), ErrorCode::unsupported);
  PlanKernel own{.name = "own", .bindings = {{0, Access::storage_read_write}}};
  own.wgsl =
      "@group(0) @binding(0) var<storage, read_write> sum: array<u32>;\n"
      "@compute @workgroup_size(32) fn own() { sum[0] = subgroupAdd(1u); }\n";
  EXPECT_EQ(code_of(own), ErrorCode::invalid_argument) << "Its compiler knows.";
  own.uses_subgroups = true;
  EXPECT_EQ(code_of(own), ErrorCode::unsupported);
}

/// Damages one number of the plan.
void damage(Plan& plan, std::mt19937& random) {
  constexpr std::uint64_t kValues[] = {0,
                                       1,
                                       2,
                                       3,
                                       4,
                                       5,
                                       12,
                                       255,
                                       256,
                                       257,
                                       512,
                                       65535,
                                       65536,
                                       0x7fffffff,
                                       0xffffffff,
                                       0x100000000,
                                       ~std::uint64_t{0}};
  const auto value = kValues[random() % std::size(kValues)];
  const auto small = static_cast<std::uint32_t>(value);
  const auto any = [&](auto& list) -> auto& { return list[random() % list.size()]; };
  PlanDispatch& dispatch = any(plan.dispatches);
  PlanKernel& kernel = any(plan.kernels);
  switch (random() % 21) {
    case 0: any(dispatch.bindings).offset = value; break;
    case 1: any(dispatch.bindings).bytes = value; break;
    case 2: any(dispatch.bindings).buffer = small % 7; break;
    case 3: any(dispatch.bindings).binding = small; break;
    case 4: any(dispatch.shape) = small % 300; break;
    case 5: dispatch.node = small % 7; break;
    case 6: dispatch.kernel = small % 4; break;
    case 7: dispatch.indirect = IndirectShape{small % 7, value}; break;
    case 8: any(plan.buffers).bytes = value; break;
    case 9: any(plan.buffers).usage = small; break;
    case 10: any(plan.buffers).role = static_cast<BufferRole>(small % 3); break;
    case 11: any(plan.buffers).slot = small % 2; break;
    case 12: any(kernel.bindings).access = static_cast<Access>(small % 4); break;
    case 13: any(kernel.bindings).binding = small; break;
    case 14: kernel.constants = {{"BLOCK", small}}; break;
    case 15: any(plan.nodes).row_capacity = value; break;
    case 16:
      plan.nodes[dispatch.node % plan.nodes.size()].row_capacity = value;
      dispatch.extent = PlanExtent{random() % 3, value, 1 + random() % 2, small};
      break;
    case 17: plan.steps = {{0, small % 7}}; break;
    case 18: any(plan.nodes).after = {small}; break;
    case 19:
      plan.passes.emplace_back(PlanExternal{small % 7, {{small % 7, value, value, small, true}}});
      break;
    default: any(plan.passes) = PlanClear{small % 7, small % 7, value, value}; break;
  }
}

TEST_F(HostilePlan, RandomDamageNeverEndsTheProcess) {
  std::mt19937 random(42);  // NOLINT(bugprone-random-generator-seed): the same damage every run.
  const std::vector<std::uint32_t> zeros(64 + 512, 1);
  std::vector<Buffer> buffers;
  buffers.reserve(7);
  for (int i = 0; i < 7; ++i)
    buffers.push_back(make_buffer(device(), zeros));
  int ran = 0;
  for (int i = 0; i < 400; ++i) {
    const std::vector<GoldenPlan> golden = golden_plans();
    Plan plan = golden[random() % 4].plan;
    const auto damages = 1 + random() % 3;
    for (std::uint32_t n = 0; n < damages; ++n)
      damage(plan, random);
    auto executable = Executable::create(device(), plan);
    if (!executable) continue;
    std::vector<Import> imports;
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
      if (plan.buffers[b].role == BufferRole::imported)
        imports.push_back({plan.buffers[b].id, &buffers[b]});
    }
    const Parameter parameters[] = {{"double", true}, {"mirror", true}};
    const auto given = plan.nodes.size() > 2 ? std::span<const Parameter>(parameters)
                                             : std::span<const Parameter>();
    std::vector<RowCount> counts;
    for (const PlanNode& node : plan.nodes) {
      if (node.row_capacity) counts.push_back({node.id, *node.row_capacity / 2});
    }
    std::vector<ExternalCall> calls;
    for (const PlanPass& pass : plan.passes) {
      if (const auto* external = std::get_if<PlanExternal>(&pass))
        calls.push_back({plan.nodes[external->node].id, [](const ExternalWork&) {}});
    }
    const EncodeOptions options{
        .imports = imports, .parameters = given, .row_counts = counts, .externals = calls};
    ran += run(device(), *executable, options) ? 1 : 0;
  }
  EXPECT_GT(ran, 20) << "Most damage must not be caught by the first check.";
  EXPECT_FALSE(device().is_lost());
}

}  // namespace
}  // namespace wgprim::testing
