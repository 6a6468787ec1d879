// Benchmarks on the device at hand: figures for sound kernels, an error for a wrong one.
#include <gtest/gtest.h>

#include <chrono>

#include "bench/harness/arrays.hpp"
#include "bench/harness/baselines.hpp"
#include "bench/harness/device_stage.hpp"
#include "bench/harness/row_bench.hpp"
#include "support/gpu_fixture.hpp"

namespace wgprim::bench {
namespace {

using testing::must;

class BenchTest : public testing::GpuTest {};

MeasureOptions quick() {
  return {.samples = 3,
          .most_samples = 3,
          .warm_up = std::chrono::nanoseconds(0),
          .has_lead_turn = false};
}

TEST_F(BenchTest, a_scan_stands_beside_all_baselines) {
  RowBenchOptions options{.has_all_baselines = true, .measure = quick()};
  for (const std::uint64_t rows : {1u, 1003u, 5000u}) {
    const auto result = must(bench_rows(device(), rows, options));
    ASSERT_EQ(result.variants.size(), 4u);
    EXPECT_EQ(result.variants[0].name, "copy");
    EXPECT_EQ(result.variants[0].bytes, 8 * rows);
    EXPECT_EQ(result.variants[3].name, "reduce-then-scan, portable");
    for (const VariantTimes& times : result.measurement.variants)
      EXPECT_GT(times.nanoseconds.min, 0);
  }
}

TEST_F(BenchTest, every_type_operator_and_direction_is_checked_and_timed) {
  for (const Format format : {Format::int32, Format::float32, Format::uint64}) {
    for (const OperatorKind op : {OperatorKind::sum, OperatorKind::max}) {
      RowBenchOptions options{.measure = quick()};
      options.rows = {.format = format, .op = op, .is_reverse = true, .is_segmented = true};
      const auto result = must(bench_rows(device(), 5000, options));
      ASSERT_EQ(result.variants.size(), 3u);
      EXPECT_EQ(result.variants[1].name, "two reads, one write");
    }
  }
}

TEST_F(BenchTest, a_reduction_stands_beside_a_kernel_that_reads_only) {
  RowBenchOptions options{.is_reduction = true, .measure = quick()};
  for (const Format format : {Format::uint32, Format::float32, Format::int64}) {
    options.rows.format = format;
    const auto result = must(bench_rows(device(), 5003, options));
    ASSERT_EQ(result.variants.size(), 3u);
    EXPECT_EQ(result.variants[1].name, "read only");
    EXPECT_EQ(result.variants[1].bytes, 5003 * row_bytes(format));
    EXPECT_EQ(result.variants[2].name, "reduce-then-scan, portable");
  }
}

TEST_F(BenchTest, narrow_workgroups_are_enough_for_all_of_them) {
  Device narrow = must(Device::create(
      {.limits = {"maxComputeInvocationsPerWorkgroup=128", "maxComputeWorkgroupSizeX=100"}}));
  RowBenchOptions options{.has_all_baselines = true, .measure = quick()};
  EXPECT_EQ(must(bench_rows(narrow, 5000, options)).variants.size(), 4u);
}

TEST_F(BenchTest, no_rows_are_an_error) {
  EXPECT_EQ(bench_rows(device(), 0, {}).error().code, ErrorCode::invalid_argument);
}

/// A copy of 1,000 rows whose check wants the rows that it is given.
class OneCopy : public BenchTest {
 protected:
  void SetUp() override {
    BenchTest::SetUp();
    if (IsSkipped()) return;
    words_.resize(1000, 7);
    const std::uint64_t pieces[] = {words_.size()};
    input_ = must(Array::create(device(), "input", pieces));
    output_ = must(Array::create(device(), "output", pieces));
    must(input_.upload(device(), words_));
    variant_.plan = baseline_plan(Traffic::copy, pieces, must(device().profile()).limits);
    input_.append_imports(variant_.imports);
    output_.append_imports(variant_.imports);
    variant_.outputs = output_.buffers();
    variant_.check = [this] {
      return output_.download(device(), [](std::span<const std::uint32_t> rows) -> Result<void> {
        if (rows[999] == 7) return {};
        return fail(ErrorCode::verification_failed, "Row 999 is wrong.");
      });
    };
  }

  std::vector<std::uint32_t> words_;
  Array input_;
  Array output_;
  Variant variant_{.name = "copy", .bytes = 8000};
};

TEST_F(OneCopy, is_timed_by_the_device_and_by_the_host) {
  for (const bool has_timestamps : {true, false}) {
    auto stage = must(DeviceStage::create(device(), {variant_}, has_timestamps));
    const auto measurement = must(measure(stage, quick()));
    EXPECT_EQ(measurement.variants[0].samples, 3u);
  }
}

TEST_F(OneCopy, scenario_H9_work_queued_before_is_not_in_the_samples) {
  using Clock = std::chrono::steady_clock;
  Executable long_work = must(Executable::create(device(), repeated(variant_.plan, 2000)));
  auto stage = must(DeviceStage::create(device(), {variant_}, false));
  const auto time_of_queued = [&](const auto& next) {
    const WGPUCommandEncoder encoder = testing::make_encoder(device());
    must(long_work.encode(encoder, {.imports = variant_.imports}));
    const WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, nullptr);
    wgpuCommandEncoderRelease(encoder);
    const auto start = Clock::now();
    wgpuQueueSubmit(device().queue(), 1, &commands);
    wgpuCommandBufferRelease(commands);
    next();
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  };
  const double long_time =
      time_of_queued([&] { must(device().submit_and_wait(testing::make_encoder(device()), 0)); });
  const std::size_t once[] = {0};
  Sample sample;
  time_of_queued([&] { sample = must(stage.run(once))[0]; });
  EXPECT_LT(*sample, long_time / 4);
}

TEST_F(OneCopy, is_right_when_a_sample_is_several_runs) {
  auto stage = must(DeviceStage::create(device(), {variant_}, true));
  must(stage.set_batch(3));
  must(stage.check());
  EXPECT_EQ(repeated(variant_.plan, 3).dispatches.size(), 3u);
}

TEST_F(OneCopy, a_kernel_that_computes_nothing_is_refused_although_an_earlier_result_lies_there) {
  auto sound = must(DeviceStage::create(device(), {variant_}, true));
  must(sound.check());
  variant_.plan.dispatches[0].parameters[0] = 0;  // Copies no row.
  auto stage = must(DeviceStage::create(device(), {variant_}, true));
  const auto refused = measure(stage, quick());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::verification_failed);
  EXPECT_EQ(refused.error().message, "'copy' is not timed, its result is wrong. Row 999 is wrong.");
}

TEST_F(OneCopy, baselines_of_several_bindings_take_a_dispatch_for_each) {
  Limits limits = must(device().profile()).limits;
  limits.max_storage_buffer_binding_size = 1024;
  const std::uint64_t pieces[] = {1000};
  EXPECT_EQ(baseline_plan(Traffic::copy, pieces, limits).dispatches.size(), 4u);
  EXPECT_EQ(read_only_words(pieces, limits), 4u);
}

}  // namespace
}  // namespace wgprim::bench
