// External work: the caller's own commands, recorded in their place between a plan's.
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "native/executable_state.hpp"
#include "support/gpu_fixture.hpp"
#include "support/log_plans.hpp"

namespace wgprim::testing {
namespace {

using Words = std::vector<std::uint32_t>;

/// Nodes "n0", "outside" (numbered 1) and "n2" over one log.
Plan external_plan() {
  Plan plan = log_plan(1);
  add_external_node(plan);
  add_log_node(plan, "n2");
  return plan;
}

class ExternalNodes : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    executable_ = must(Executable::create(device(), external_plan()));
    log_ = make_log(device());
    fifty_ = make_buffer(device(), Words{2, 0, 50});
  }

  Result<void> encode(WGPUCommandEncoder encoder, const std::vector<ExternalCall>& calls,
                      std::span<const Parameter> parameters = {}) {
    const Import imports[] = {{"log", &*log_}};
    return executable_->encode(encoder,
                               {.imports = imports, .parameters = parameters, .externals = calls});
  }

  std::string message_of(const std::vector<ExternalCall>& calls) {
    const native::CommandEncoderHandle encoder(make_encoder(device()));
    const auto result = encode(encoder.get(), calls);
    return result ? std::string() : result.error().message;
  }

  /// Appends 50 to a log with one entry.
  void append_fifty(const ExternalWork& work) const {
    wgpuCommandEncoderCopyBufferToBuffer(work.encoder, fifty_->handle(), 8, work.buffers[1].buffer,
                                         8, 4);
    wgpuCommandEncoderCopyBufferToBuffer(work.encoder, fifty_->handle(), 0, work.buffers[1].buffer,
                                         work.buffers[1].offset, 4);
  }

  std::optional<Executable> executable_;
  std::optional<Buffer> log_, fifty_;
};

TEST_F(ExternalNodes, contract_G_3_RunInTheirPlaceWithTheirBuffersInOrder) {
  int calls = 0;
  const WGPUCommandEncoder encoder = make_encoder(device());
  must(encode(encoder, {{"outside", [&](const ExternalWork& work) {
                           ++calls;
                           EXPECT_EQ(work.encoder, encoder);
                           ASSERT_EQ(work.buffers.size(), 2u);
                           EXPECT_EQ(work.buffers[0].buffer, log_->handle());
                           EXPECT_EQ(work.buffers[0].offset, 4u);
                           EXPECT_EQ(work.buffers[0].bytes, 8u);
                           EXPECT_EQ(work.buffers[1].offset, 0u);
                           EXPECT_EQ(work.buffers[1].bytes, 4u);
                           append_fifty(work);
                         }}}));
  EXPECT_EQ(calls, 1) << "Trying the encode out leaves the caller's work out.";
  EXPECT_EQ(executable_->state()->compute_passes, 2u);
  must(device().submit_and_wait(encoder, 0));
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 50, 2}));
}

TEST_F(ExternalNodes, MistakesInCallsAreNamed) {
  const auto nothing = [](const ExternalWork&) {};
  EXPECT_EQ(message_of({}), "The call of external node 'outside' is not given.");
  EXPECT_EQ(message_of({{"outside", {}}}), "The call of external node 'outside' is empty.");
  EXPECT_EQ(message_of({{"outside", nothing}, {"outside", nothing}}),
            "The call of external node 'outside' is given twice.");
  EXPECT_EQ(message_of({{"n0", nothing}}),
            "The call of node 'n0' names no external node of the plan.");
  EXPECT_EQ(message_of({{"outsied", nothing}}),
            "The call of node 'outsied' names no external node of the plan.");
  EXPECT_EQ(message_of({{"outside", nothing}}), "");
}

TEST_F(ExternalNodes, ASkippedOneNeedsNoCallAndMakesNone) {
  Plan plan = external_plan();
  plan.nodes[1].condition = "draw";
  executable_ = must(Executable::create(device(), std::move(plan)));
  const Parameter no[] = {{"draw", false}};
  const WGPUCommandEncoder encoder = make_encoder(device());
  must(encode(encoder, {}, no));
  must(encode(encoder, {{"outside", [](const ExternalWork&) { FAIL(); }}}, no));
  EXPECT_EQ(executable_->outcomes()[1], Outcome::skipped);
  const Parameter yes[] = {{"draw", true}};
  EXPECT_FALSE(encode(encoder, {}, yes));
  must(device().submit_and_wait(encoder, 0));
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 2, 0, 2}));
}

TEST_F(ExternalNodes, DoNotFitIntoACallersPass) {
  const WGPUCommandEncoder encoder = make_encoder(device());
  native::ComputePassHandle pass(wgpuCommandEncoderBeginComputePass(encoder, nullptr));
  const Import imports[] = {{"log", &*log_}};
  const ExternalCall calls[] = {{"outside", [](const ExternalWork&) { FAIL(); }}};
  const auto refused =
      executable_->encode_in_pass(pass.get(), {.imports = imports, .externals = calls});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "Node 'outside' is external work, which cannot be recorded into a compute pass.");
  wgpuComputePassEncoderEnd(pass.get());
  pass.reset();
  must(device().submit_and_wait(encoder, 0));
  EXPECT_EQ(read_log(device(), *log_), Words{});
}

TEST_F(ExternalNodes, MayEncodeAnotherExecutableButNotTheirOwn) {
  Executable other = must(Executable::create(device(), log_plan(3)));
  const Import imports[] = {{"log", &*log_}};
  std::string refusal;
  const WGPUCommandEncoder encoder = make_encoder(device());
  must(encode(encoder, {{"outside", [&](const ExternalWork& work) {
                           must(other.encode(work.encoder, {.imports = imports}));
                           const auto refused =
                               executable_->encode(work.encoder, {.imports = imports});
                           if (!refused) refusal = refused.error().message;
                         }}}));
  EXPECT_EQ(refusal, "External work asks for an encode of the executable that is just calling it.");
  must(device().submit_and_wait(encoder, 0));
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 0, 1, 2, 2}));
}

TEST_F(ExternalNodes, TheirMistakesReachTheCallerNotUs) {
  const WGPUCommandEncoder encoder = make_encoder(device());
  must(encode(encoder, {{"outside", [&](const ExternalWork&) {
                           raw_buffer(device(), 6, WGPUBufferUsage_Storage, true);
                         }}}));
  EXPECT_NE(device().take_uncaptured_error(), std::nullopt);
  must(device().submit_and_wait(encoder, 0));
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 2}));
}

TEST_F(ExternalNodes, AreNotCalledWithAFinishedEncoder) {
  const native::CommandEncoderHandle encoder(make_encoder(device()));
  const native::CommandBufferHandle commands(wgpuCommandEncoderFinish(encoder.get(), nullptr));
  EXPECT_FALSE(encode(encoder.get(), {{"outside", [](const ExternalWork&) { FAIL(); }}}));
  EXPECT_EQ(device().take_uncaptured_error(), std::nullopt);
}

TEST_F(ExternalNodes, contract_E_3_CountAsUsersAndWriters) {
  Plan plan = log_plan(0);
  plan.buffers.push_back({.id = "vertices", .bytes = 64, .usage = kUsageVertex | kUsageIndex});
  plan.nodes.push_back({.id = "draw", .operation = "external"});
  plan.passes = {PlanExternal{0,
                              {{1, 0, 64, kUsageVertex, false},
                               {1, 0, 64, kUsageIndex, true},
                               {0, 0, 4, kUsageStorage, false}}}};
  executable_ = must(Executable::create(device(), std::move(plan)));
  const Buffer vertices = must(device().create_buffer(64, kUsageVertex | kUsageIndex, "vertices"));
  const auto message_with = [&](const std::vector<Import>& imports) {
    const native::CommandEncoderHandle encoder(make_encoder(device()));
    const ExternalCall calls[] = {{"draw", [](const ExternalWork&) {}}};
    const auto result =
        executable_->encode(encoder.get(), {.imports = imports, .externals = calls});
    return result ? std::string() : result.error().message;
  };
  EXPECT_EQ(message_with({{"log", &*log_}}), "Import 'vertices' is not given.");
  EXPECT_EQ(message_with({{"log", &*log_}, {"vertices", &*log_}}),
            "Import 'vertices' is a buffer without the usage index, which the plan needs.");
  EXPECT_EQ(message_with({{"log", &*log_}, {"vertices", &vertices}}), "");
  const Buffer both = must(device().create_buffer(
      kLogBytes,
      kUsageVertex | kUsageIndex | kUsageStorage | kUsageCopySource | kUsageCopyDestination,
      "both"));
  EXPECT_EQ(message_with({{"log", &both}, {"vertices", &both}}),
            "Imports 'log' and 'vertices' are the same buffer, which the plan writes.");
}

}  // namespace
}  // namespace wgprim::testing
