// Encoding an unchanged graph again allocates nothing of ours: every operator new of this program
// is counted while it runs. (WebGPU's own memory comes from another library.)
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "native/executable_state.hpp"
#include "support/gpu_fixture.hpp"
#include "support/log_plans.hpp"

namespace {

thread_local bool is_counting = false;
thread_local std::size_t allocations = 0;

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (is_counting) ++allocations;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// The other forms of new call these.
void* operator new(std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace wgprim::testing {
namespace {

class Allocations : public GpuTest {
 protected:
  /// How often `work` allocates.
  template <class Work>
  static std::size_t of(const Work& work) {
    allocations = 0;
    is_counting = true;
    const auto done = work();
    is_counting = false;
    must(done);
    return allocations;
  }

  std::size_t of_encode(Executable& executable, const EncodeOptions& options) {
    const native::CommandEncoderHandle encoder(make_encoder(device()));
    return of([&] { return executable.encode(encoder.get(), options); });
  }

  std::size_t of_encode_in_pass(Executable& executable, const EncodeOptions& options) {
    const native::CommandEncoderHandle encoder(make_encoder(device()));
    const native::ComputePassHandle pass(
        wgpuCommandEncoderBeginComputePass(encoder.get(), nullptr));
    const std::size_t count = of([&] { return executable.encode_in_pass(pass.get(), options); });
    wgpuComputePassEncoderEnd(pass.get());
    return count;
  }
};

TEST_F(Allocations, contract_E_6_AnUnchangedEncodeAllocatesNothing) {
  Plan plan = log_plan(3);
  add_log_node(plan, "n3", "a condition whose name is too long for a short string");
  add_copy_node(plan);
  add_clear_node(plan);
  add_external_node(plan);
  Executable executable = must(Executable::create(device(), std::move(plan)));
  const Buffer log = make_log(device()), copy = make_log(device());
  must(executable.set_default({"log", &log}));
  NodeTimer timer = must(NodeTimer::create(device(), 7));
  const Import imports[] = {{"copy", &copy}};
  const Parameter parameters[] = {{"a condition whose name is too long for a short string", true}};
  const ExternalCall calls[] = {{"outside", [](const ExternalWork&) {}}};
  EncodeOptions options{.imports = imports, .parameters = parameters, .externals = calls};
  EXPECT_GT(of_encode(executable, options), 0u) << "The first makes bind groups, and is counted.";
  const CreationCounts before = device().creation_counts();
  EXPECT_EQ(of_encode(executable, options), 0u);
  EXPECT_EQ(of_encode(executable, options), 0u);
  options.node_timer = &timer;
  EXPECT_EQ(of_encode(executable, options), 0u);
  EXPECT_EQ(device().creation_counts(), before);
}

TEST_F(Allocations, contract_E_6_NeitherDoesOneIntoAPass) {
  Executable executable = must(Executable::create(device(), log_plan(3)));
  const Buffer log = make_log(device());
  const Import imports[] = {{"log", &log}};
  EXPECT_GT(of_encode_in_pass(executable, {.imports = imports}), 0u);
  EXPECT_EQ(of_encode_in_pass(executable, {.imports = imports}), 0u);
}

TEST_F(Allocations, contract_E_6_NorAStepOfAnExecution) {
  Plan plan = log_plan(2);
  add_external_node(plan);
  plan.steps = {{0, 1}, {1, 3}};
  Executable executable = must(Executable::create(device(), std::move(plan)));
  const Buffer log = make_log(device());
  const Import imports[] = {{"log", &log}};
  const ExternalCall calls[] = {{"outside", [](const ExternalWork&) {}}};
  for (int round = 0; round < 2; ++round) {
    Execution execution = must(executable.begin({.imports = imports, .externals = calls}));
    const native::CommandEncoderHandle encoder(make_encoder(device()));
    while (!execution.is_done()) {
      const std::size_t count = of([&] { return execution.encode_next(encoder.get()); });
      EXPECT_TRUE(round == 0 || count == 0) << count;
    }
  }
}

TEST_F(Allocations, contract_E_6_RowCountsMakeBuffersAndNothingElse) {
  Executable executable = must(Executable::create(device(), counted_plan()));
  const Buffer out = make_buffer(device(), std::vector<std::uint32_t>(kCountedRows, 0));
  const Import imports[] = {{"out", &out}};
  const RowCount counts[] = {{"number", 700}};
  const EncodeOptions options{.imports = imports, .row_counts = counts};
  of_encode(executable, options);
  const CreationCounts before = device().creation_counts();
  EXPECT_GT(of_encode(executable, options), 0u);
  const CreationCounts after = device().creation_counts();
  EXPECT_EQ(after.pipelines, before.pipelines);
  EXPECT_EQ(after.bind_groups, before.bind_groups);
  EXPECT_EQ(after.buffers, before.buffers + 1);
}

}  // namespace
}  // namespace wgprim::testing
