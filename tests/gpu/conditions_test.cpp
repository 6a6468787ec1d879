// Conditions, outcomes and defaults of an encode, and that none of them costs more than its nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "native/executable_state.hpp"
#include "support/golden_plans.hpp"
#include "support/gpu_fixture.hpp"
#include "support/log_plans.hpp"

namespace wgprim::testing {
namespace {

using Words = std::vector<std::uint32_t>;

class Conditions : public GpuTest {
 protected:
  Result<void> encode(Executable& executable, const EncodeOptions& options) {
    const native::CommandEncoderHandle encoder(make_encoder(device()));
    return executable.encode(encoder.get(), options);
  }

  std::string refusal_of(Executable& executable, const EncodeOptions& options = {}) {
    const auto encoded = encode(executable, options);
    return encoded ? std::string() : encoded.error().message;
  }
};

TEST_F(Conditions, contract_CO_3_OutcomesOfTheLatestEncode) {
  Plan plan = compaction_plan();  // "pick" writes the record that "negate" is launched by.
  plan.nodes[0].condition = "pick";
  Executable executable = must(Executable::create(device(), std::move(plan)));
  const Buffer in = make_buffer(device(), Words(400, 1)), out = make_buffer(device(), Words(400)),
               count = make_buffer(device(), Words(400));
  const Import imports[] = {{"in", &in}, {"flags", &in}, {"out", &out}, {"count", &count}};
  const auto after = [&](bool pick) {
    const Parameter parameters[] = {{"pick", pick}};
    must(encode(executable, {.imports = imports, .parameters = parameters}));
    return std::vector<Outcome>(executable.outcomes().begin(), executable.outcomes().end());
  };
  using Outcomes = std::vector<Outcome>;
  EXPECT_TRUE(executable.outcomes().empty());
  EXPECT_EQ(after(true), (Outcomes{Outcome::executed, Outcome::gpu_resolved}));
  EXPECT_EQ(after(false), (Outcomes{Outcome::skipped, Outcome::gpu_resolved}));
  EXPECT_FALSE(encode(executable, {.imports = imports}));
  EXPECT_EQ(executable.outcomes()[0], Outcome::skipped) << "A refused encode changes nothing.";
}

TEST_F(Conditions, OneParameterServesAllNodesThatNameIt) {
  Plan plan = log_plan(1);
  for (const char* condition : {"left", "right", "left", "right"})
    add_log_node(plan, "n" + std::to_string(plan.nodes.size()), condition);
  Executable executable = must(Executable::create(device(), std::move(plan)));
  Buffer log = make_log(device());
  const Import imports[] = {{"log", &log}};
  for (const bool left : {true, false}) {
    const Parameter parameters[] = {{"right", !left}, {"left", left}};
    run_once(device(), executable, imports, parameters);
  }
  EXPECT_EQ(read_log(device(), log), (Words{0, 1, 3, 0, 2, 4}));
}

TEST_F(Conditions, AHundredThousandNodesTakeMicrosecondsEach) {
  constexpr std::uint32_t kNodes = 100'000, kNames = 10'000;
  Plan plan;
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < kNames; ++i)
    names.push_back("condition" + std::to_string(i));
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    plan.nodes.push_back({.id = "n" + std::to_string(i), .condition = names[i % kNames]});
    plan.nodes.back().row_capacity = 10;
  }
  Executable executable = must(Executable::create(device(), std::move(plan)));
  std::vector<Parameter> parameters;
  for (const std::string& name : names)
    parameters.push_back({name, parameters.size() % 2 == 0});
  std::vector<RowCount> counts;
  for (std::uint32_t i = 0; i < kNodes; i += 10)
    counts.push_back({executable.plan().nodes[i].id, 3});
  using Clock = std::chrono::steady_clock;
  auto best = std::chrono::nanoseconds::max();
  for (int round = 0; round < 5; ++round) {
    const auto start = Clock::now();
    must(encode(executable, {.parameters = parameters, .row_counts = counts}));
    best = std::min<std::chrono::nanoseconds>(best, Clock::now() - start);
  }
  EXPECT_LT(best / kNodes, std::chrono::microseconds(1)) << best.count() << " ns";
  EXPECT_EQ(std::ranges::count(executable.outcomes(), Outcome::skipped), kNodes / 2);
}

TEST_F(Conditions, contract_E_2_DefaultsStandBehindImports) {
  Executable executable = must(Executable::create(device(), log_plan(2)));
  Buffer usual = make_log(device()), other = make_log(device());
  EXPECT_EQ(refusal_of(executable), "Import 'log' is not given.");
  must(executable.set_default({"log", &usual}));
  run_once(device(), executable, {});
  run_once(device(), executable, {{{"log", &other}}});
  const CreationCounts before = device().creation_counts();
  run_once(device(), executable, {});
  EXPECT_EQ(device().creation_counts(), before);
  EXPECT_EQ(read_log(device(), usual), (Words{0, 1, 0, 1}));
  EXPECT_EQ(read_log(device(), other), (Words{0, 1}));
  must(executable.set_default({"log", &other}));
  run_once(device(), executable, {});
  EXPECT_EQ(read_log(device(), other), (Words{0, 1, 0, 1}));
}

TEST_F(Conditions, contract_E_2_DefaultsAreHeldAndCheckedEachTime) {
  Executable executable = must(Executable::create(device(), log_plan(2)));
  std::optional<Buffer> log = make_log(device());
  Buffer held = *log;
  must(executable.set_default({"log", &*log}));
  log.reset();
  run_once(device(), executable, {});
  EXPECT_EQ(read_log(device(), held), (Words{0, 1}));
  held.destroy();
  EXPECT_EQ(refusal_of(executable), "The buffer given as 'log' is destroyed.");
  Buffer small = make_buffer(device(), Words(8));
  must(executable.set_default({"log", &small}));
  EXPECT_EQ(refusal_of(executable), "Import 'log' holds 288 bytes, fewer than the plan's 1024.");
}

TEST_F(Conditions, contract_E_2_BareDefaultsAreWatched) {
  constexpr WGPUBufferUsage kUsage = WGPUBufferUsage_Storage | WGPUBufferUsage_Vertex |
                                     WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;
  Executable executable = must(Executable::create(device(), log_plan(2)));
  auto bare = raw_buffer(device(), kLogBytes, kUsage, /*is_mapped=*/true);
  must(executable.set_default({"log", bare.get()}));
  EXPECT_NE(refusal_of(executable).find("is mapped or about to be mapped"), std::string::npos);
  wgpuBufferUnmap(bare.get());
  Buffer log = must(Buffer::adopt(device(), bare.get()));
  const WGPUBuffer handle = bare.get();
  bare.reset();
  run_once(device(), executable, {});
  const CreationCounts before = device().creation_counts();
  run_once(device(), executable, {});
  EXPECT_EQ(device().creation_counts(), before) << "Held by us, its bind groups can be kept.";
  EXPECT_EQ(read_log(device(), log), (Words{0, 1, 0, 1}));
  wgpuBufferDestroy(handle);
  EXPECT_NE(refusal_of(executable).find("destroyed"), std::string::npos);
}

TEST_F(Conditions, MistakesInDefaultsAreNamed) {
  Executable executable = must(Executable::create(device(), log_plan(1)));
  Buffer log = make_log(device());
  const auto message_of = [&](const Import& import) {
    const auto set = executable.set_default(import);
    return set ? std::string() : set.error().message;
  };
  EXPECT_EQ(message_of({"lgo", &log}), "Import 'lgo' is no imported buffer of the plan.");
  EXPECT_EQ(message_of({"log", static_cast<const Buffer*>(nullptr)}),
            "Import 'log' is a null Buffer.");
  EXPECT_EQ(message_of({"log", WGPUBuffer{nullptr}}), "Import 'log' is a null WGPUBuffer.");
  Device other = must(Device::create());
  Buffer foreign = make_log(other);
  EXPECT_EQ(message_of({"log", &foreign}), "The buffer given as 'log' belongs to another device.");
  EXPECT_NE(message_of({"log", foreign.handle()}), "");
  EXPECT_EQ(message_of({"log", &log}), "");
}

TEST_F(Conditions, contract_E_6_NoCacheKeepsADefaultThatWasReplaced) {
  Executable executable = must(Executable::create(device(), log_plan(1)));
  const auto bare = raw_buffer(device(), kLogBytes,
                               WGPUBufferUsage_Storage | WGPUBufferUsage_Vertex |
                                   WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst);
  must(executable.set_default({"log", bare.get()}));
  run_once(device(), executable, {});
  const native::BindingKey key = executable.state()->resolution.key;
  EXPECT_NE(executable.state()->binding_sets->find(key), nullptr);
  Buffer other = make_log(device());
  must(executable.set_default({"log", &other}));
  EXPECT_EQ(executable.state()->binding_sets->find(key), nullptr);
}

}  // namespace
}  // namespace wgprim::testing
