// What the executor promises about encoding: every misuse is an Error and leaves the encoder
// usable, a second encode creates nothing, and no cache keeps a released buffer alive.
#include <gtest/gtest.h>

#include <optional>

#include "native/executable_state.hpp"
#include "native/handle.hpp"
#include "support/golden_plans.hpp"
#include "support/gpu_fixture.hpp"

namespace wgprim::testing {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::size_t kRows = 300;
constexpr std::size_t kWords = kGoldenOffset / 4 + kRows;

/// The compaction plan with buffers of its own; a test spoils one import.
class Encode : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    executable_ = must(Executable::create(device(), compaction_plan()));
    for (auto* buffer : {&in_, &flags_, &out_, &count_})
      *buffer = make();
  }

  Buffer make() { return make_buffer(device(), Words(kWords, 1)); }

  std::vector<Import> imports() const {
    return {{"in", &*in_}, {"flags", &*flags_}, {"out", &*out_}, {"count", &*count_}};
  }
  std::vector<Import> imports_with(std::size_t index, ImportedHandle handle) const {
    std::vector<Import> spoiled = imports();
    spoiled[index].buffer = handle;
    return spoiled;
  }

  /// Expects an error that contains `part`, and then that the same encoder takes a sound encode.
  void expect_refused(const std::vector<Import>& spoiled, std::string_view part,
                      ErrorCode code = ErrorCode::invalid_argument) {
    const WGPUCommandEncoder encoder = make_encoder(device());
    const auto refused = executable_->encode(encoder, {.imports = spoiled});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, code);
    EXPECT_NE(refused.error().message.find(part), std::string::npos) << refused.error().message;
    Buffer in = make(), out = make(), count = make();
    const Import sound[] = {{"in", &in}, {"flags", &in}, {"out", &out}, {"count", &count}};
    must(executable_->encode(encoder, {.imports = sound}));
    must(device().submit_and_wait(encoder, 0));
    EXPECT_EQ(read_words(device(), count, kGoldenOffset / 4 + 1).back(), kRows);
    EXPECT_EQ(device().take_uncaptured_error(), std::nullopt);
  }

  std::optional<Executable> executable_;
  std::optional<Buffer> in_, flags_, out_, count_;
};

TEST_F(Encode, RefusesMissingUnknownAndRepeatedImports) {
  std::vector<Import> spoiled = imports();
  spoiled.pop_back();
  expect_refused(spoiled, "Import 'count' is not given.");
  spoiled.push_back({"cuont", &*count_});
  expect_refused(spoiled, "Import 'cuont' is no imported buffer of the plan.");
  spoiled.back() = {"in", &*in_};
  expect_refused(spoiled, "Import 'in' is given twice.");
}

TEST_F(Encode, RefusesNullAndDestroyedBuffers) {
  expect_refused(imports_with(0, static_cast<const Buffer*>(nullptr)), "Import 'in' is a null");
  expect_refused(imports_with(0, WGPUBuffer{nullptr}), "Import 'in' is a null");
  in_->destroy();
  expect_refused(imports(), "The buffer given as 'in' is destroyed.");
  Buffer moved = std::move(*flags_);
  in_ = make();
  expect_refused(imports(), "The buffer given as 'flags' is destroyed.");
  const auto bare = raw_buffer(device(), 4 * kWords, WGPUBufferUsage_Storage);
  wgpuBufferDestroy(bare.get());
  flags_ = make();
  expect_refused(imports_with(0, bare.get()), "destroyed");
}

TEST_F(Encode, RefusesBuffersTooSmallOrWithoutUsage) {
  Buffer small = make_buffer(device(), Words(10, 0));
  expect_refused(imports_with(2, &small),
                 "Import 'out' holds 296 bytes, fewer than the plan's 1456.");
  Buffer unusable = make_buffer(device(), Words(kWords, 0), kUsageCopyDestination);
  expect_refused(imports_with(2, &unusable),
                 "Import 'out' is a buffer without the usage storage, which the plan needs.");
}

TEST_F(Encode, RefusesMappedAndPendingBuffers) {
  Executable executable = must(Executable::create(device(), conditioned_plan()));
  const auto mappable =
      raw_buffer(device(), 4 * kWords, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
  Buffer in = make(), out = make();
  const Import imports[] = {{"in", &in}, {"out", &out}, {"mirror", mappable.get()}};
  const Parameter parameters[] = {{"double", true}, {"mirror", true}};
  const auto encode = [&] {
    const native::CommandEncoderHandle encoder(make_encoder(device()));
    return executable.encode(encoder.get(), {.imports = imports, .parameters = parameters});
  };
  EXPECT_TRUE(encode());
  EXPECT_TRUE(encode()) << "The probe for a mapping leaves the buffer as it was.";
  ask_for_map(mappable.get(), WGPUMapMode_Read);
  const auto pending = encode();
  ASSERT_FALSE(pending);
  EXPECT_NE(pending.error().message.find("map"), std::string::npos) << pending.error().message;
  wgpuBufferUnmap(mappable.get());
  EXPECT_TRUE(encode());
}

TEST_F(Encode, RefusesABareBufferStillMappedFromItsCreation) {
  const auto mapped = raw_buffer(device(), 4 * kWords, WGPUBufferUsage_Storage, true);
  expect_refused(imports_with(0, mapped.get()),
                 "The buffer given as 'in' is mapped or about to be mapped; unmap it before");
  wgpuBufferUnmap(mapped.get());
  run_once(device(), *executable_, imports_with(0, mapped.get()));
}

TEST_F(Encode, AdoptingEndsAMapping) {
  const auto mapped = raw_buffer(device(), 4 * kWords, WGPUBufferUsage_Storage, true);
  Buffer adopted = must(Buffer::adopt(device(), mapped.get()));
  run_once(device(), *executable_, imports_with(0, &adopted));
  EXPECT_FALSE(Buffer::adopt(device(), nullptr));
  wgpuBufferDestroy(mapped.get());
  EXPECT_FALSE(Buffer::adopt(device(), mapped.get()));
}

TEST_F(Encode, RefusesBuffersOfAnotherDevice) {
  Device other = must(Device::create());
  Buffer foreign = make_buffer(other, Words(kWords, 1));
  expect_refused(imports_with(0, &foreign), "The buffer given as 'in' belongs to another device.");
  expect_refused(imports_with(0, foreign.handle()), "The buffer given as 'in' cannot be used");
  EXPECT_FALSE(Buffer::adopt(device(), foreign.handle()));
  EXPECT_FALSE(device().upload(foreign, 0, {}));
}

TEST_F(Encode, RefusesAnEncoderOfAnotherDeviceAtSubmit) {
  Device other = must(Device::create());
  const auto empty = device().submit_and_wait(make_encoder(other), 0);
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().message, "The command encoder belongs to another device.");
  const WGPUCommandEncoder encoder = make_encoder(other);
  must(executable_->encode(encoder, {.imports = imports()}));
  EXPECT_FALSE(device().submit_and_wait(encoder, 0));
  EXPECT_FALSE(device().submit_and_wait(nullptr, 0));
  EXPECT_FALSE(executable_->encode(nullptr, {.imports = imports()}));
  run_once(device(), *executable_, imports());
}

TEST_F(Encode, RefusesCommandsThatWebGpuRefuses) {
  const WGPUCommandEncoder open_pass = make_encoder(device());
  const native::ComputePassHandle pass(wgpuCommandEncoderBeginComputePass(open_pass, nullptr));
  const auto unfinished = device().submit_and_wait(open_pass, 0);
  ASSERT_FALSE(unfinished);
  EXPECT_EQ(unfinished.error().code, ErrorCode::invalid_argument);
  const WGPUCommandEncoder finished = make_encoder(device());
  const native::CommandBufferHandle commands(wgpuCommandEncoderFinish(finished, nullptr));
  EXPECT_FALSE(device().submit_and_wait(finished, 0));
  run_once(device(), *executable_, imports());
}

TEST_F(Encode, RefusesAFinishedEncoder) {
  const native::CommandEncoderHandle encoder(make_encoder(device()));
  const native::CommandBufferHandle commands(wgpuCommandEncoderFinish(encoder.get(), nullptr));
  EXPECT_FALSE(executable_->encode(encoder.get(), {.imports = imports()}));
  EXPECT_EQ(device().take_uncaptured_error(), std::nullopt);
}

TEST_F(Encode, RecordsIntoACallersPass) {
  const WGPUCommandEncoder encoder = make_encoder(device());
  native::ComputePassHandle pass(wgpuCommandEncoderBeginComputePass(encoder, nullptr));
  must(executable_->encode_in_pass(pass.get(), {.imports = imports()}));
  Executable conditioned = must(Executable::create(device(), conditioned_plan()));
  const Import others[] = {{"in", &*in_}, {"out", &*out_}};
  const Parameter parameters[] = {{"double", true}, {"mirror", false}};
  const auto refused =
      conditioned.encode_in_pass(pass.get(), {.imports = others, .parameters = parameters});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "Node 'wipe' clears, which cannot be recorded into a compute pass.");
  EXPECT_FALSE(executable_->encode_in_pass(nullptr, {.imports = imports()}));
  wgpuComputePassEncoderEnd(pass.get());
  pass.reset();
  must(device().submit_and_wait(encoder, 0));
  EXPECT_EQ(read_words(device(), *count_, kGoldenOffset / 4 + 1).back(), kRows);
}

TEST_F(Encode, OneBufferBehindTwoImports) {
  expect_refused(imports_with(3, &*out_), "Imports ", ErrorCode::aliasing);
  expect_refused(imports_with(2, &*in_), "are the same buffer, which the plan writes.",
                 ErrorCode::aliasing);
  expect_refused(imports_with(2, in_->handle()), "are the same buffer", ErrorCode::aliasing);
  run_once(device(), *executable_, imports_with(1, &*in_));  // Both are only read.
}

TEST_F(Encode, ParametersAreGivenOnceEach) {
  Executable executable = must(Executable::create(device(), conditioned_plan()));
  Buffer in = make(), out = make(), mirror = make();
  const Import imports[] = {{"in", &in}, {"out", &out}, {"mirror", &mirror}};
  const auto message_of = [&](std::initializer_list<Parameter> parameters) {
    const native::CommandEncoderHandle encoder(make_encoder(device()));
    const auto result = executable.encode(
        encoder.get(), {.imports = imports, .parameters = {parameters.begin(), parameters.size()}});
    return result ? std::string() : result.error().message;
  };
  EXPECT_EQ(message_of({{"mirror", true}}),
            "Node 'twice' runs on the condition 'double', a parameter that is not given.");
  EXPECT_EQ(message_of({{"mirror", true}, {"double", true}, {"double", true}}),
            "Parameter 'double' is given twice.");
  EXPECT_EQ(message_of({{"mirror", true}, {"double", true}, {"treble", true}}),
            "Parameter 'treble' is no condition of the plan.");
  EXPECT_EQ(message_of({{"mirror", true}, {"double", true}, {"", true}}),
            "Parameter '' is no condition of the plan.");
  EXPECT_EQ(message_of({{"mirror", true}, {"double", true}}), "");
}

TEST_F(Encode, ASecondEncodeCreatesNothing) {
  run_once(device(), *executable_, imports());
  const CreationCounts before = device().creation_counts();
  run_once(device(), *executable_, imports());
  EXPECT_EQ(device().creation_counts(), before);
  const Executable again = must(Executable::create(device(), compaction_plan()));
  EXPECT_EQ(device().creation_counts().pipelines, before.pipelines);
}

TEST_F(Encode, BuffersThatTakeTurnsKeepTheirBindGroups) {
  Buffer other = make();
  for (const Buffer* in : {&*in_, &other})
    run_once(device(), *executable_, imports_with(0, in));
  const CreationCounts before = device().creation_counts();
  for (const Buffer* in : {&*in_, &other, &*in_})
    run_once(device(), *executable_, imports_with(0, in));
  EXPECT_EQ(device().creation_counts(), before);
}

TEST_F(Encode, CachesLetGoOfAReleasedBuffer) {
  const auto& state = *executable_->state();
  const auto is_cached = [&](const native::BindingKey& key) {
    return state.binding_sets->find(key) != nullptr;
  };
  run_once(device(), *executable_, imports());
  const native::BindingKey key = state.resolution.key;
  EXPECT_TRUE(is_cached(key));
  const Buffer copy = *in_;
  in_.reset();
  EXPECT_TRUE(is_cached(key)) << "A copy still holds the buffer.";
  in_ = copy;
  in_->destroy();
  EXPECT_FALSE(is_cached(key));
  in_ = make();
  run_once(device(), *executable_, imports());
  const native::BindingKey second = state.resolution.key;
  EXPECT_TRUE(is_cached(second));
  out_.reset();
  EXPECT_FALSE(is_cached(second));
}

TEST_F(Encode, ABufferMayGoBetweenEncodeAndSubmit) {
  const WGPUCommandEncoder encoder = make_encoder(device());
  must(executable_->encode(encoder, {.imports = imports()}));
  in_->destroy();
  flags_.reset();
  must(device().submit_and_wait(encoder, 0));
  EXPECT_EQ(read_words(device(), *count_, kGoldenOffset / 4 + 1).back(), kRows);
}

TEST_F(Encode, BareBuffersWorkAndAreNotCached) {
  const auto bare = raw_buffer(device(), 4 * kWords, WGPUBufferUsage_Storage);
  run_once(device(), *executable_, imports_with(0, bare.get()));
  EXPECT_EQ(executable_->state()->binding_sets->find(executable_->state()->resolution.key),
            nullptr);
}

}  // namespace
}  // namespace wgprim::testing
