// The executor runs the five hand-made plans, each at least twice, with scratch poisoned before
// every run and canaries round every imported buffer.
#include <gtest/gtest.h>

#include <numeric>

#include "support/golden_plans.hpp"
#include "support/gpu_fixture.hpp"

namespace wgprim::testing {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::size_t kFrontWords = kGoldenOffset / 4;

/// Canaries up to the golden offset, then the rows.
Words behind_canaries(const Words& rows) {
  Words words(kFrontWords, kCanary);
  words.insert(words.end(), rows.begin(), rows.end());
  return words;
}

Words numbers(std::size_t count, std::uint32_t factor, std::uint32_t offset) {
  Words words(count);
  for (std::size_t i = 0; i < count; ++i) {
    words[i] = static_cast<std::uint32_t>(i) * factor + offset;
  }
  return words;
}

class GoldenPlans : public GpuTest {
 protected:
  Buffer make(const Words& rows) { return make_buffer(device(), behind_canaries(rows)); }

  void expect_rows(Buffer& buffer, const Words& rows) {
    EXPECT_EQ(read_words(device(), buffer, kFrontWords + rows.size()), behind_canaries(rows));
    EXPECT_TRUE(has_canaries(device(), buffer, kFrontWords + rows.size()));
  }

  Executable ready(Plan plan) { return must(Executable::create(device(), std::move(plan))); }
};

TEST_F(GoldenPlans, ChainedOverTwoBuffers) {
  Executable executable = ready(chained_plan());
  const Words all = numbers(812, 2654435761u, 17);
  Words sums(all.size());
  std::exclusive_scan(all.begin(), all.end(), sums.begin(), 0u);
  const Words in0(all.begin(), all.begin() + 512), in1(all.begin() + 512, all.end());
  const Words sums0(sums.begin(), sums.begin() + 512), sums1(sums.begin() + 512, sums.end());
  Buffer a = make(in0), b = make(in1);
  for (int round = 0; round < 3; ++round) {
    Buffer c = make(Words(512, 7)), d = make(Words(300, 7));
    poison_slots(device(), executable);
    run_once(device(), executable, {{{"in0", &a}, {"in1", &b}, {"out0", &c}, {"out1", &d}}});
    expect_rows(c, sums0);
    expect_rows(d, sums1);
  }
  expect_rows(a, in0);
  expect_rows(b, in1);
}

TEST_F(GoldenPlans, StateSurvivesFromEncodeToEncode) {
  Executable executable = ready(surviving_state_plan());
  Buffer out = make(Words(64, 7));
  for (std::uint32_t encode = 1; encode <= 3; ++encode) {
    run_once(device(), executable, {{{"out", &out}}});
    expect_rows(out, numbers(64, 1, 1000 * encode));
  }
}

TEST_F(GoldenPlans, SeveralEncodesBeforeOneSubmit) {
  Executable executable = ready(surviving_state_plan());
  Buffer first = make(Words(64, 7)), second = make(Words(64, 7));
  const WGPUCommandEncoder encoder = make_encoder(device());
  for (const Buffer* out : {&first, &second}) {
    const Import import{"out", out};
    must(executable.encode(encoder, {.imports = {&import, 1}}));
  }
  must(device().submit_and_wait(encoder, 0));
  expect_rows(first, numbers(64, 1, 1000));
  expect_rows(second, numbers(64, 1, 2000));
}

TEST_F(GoldenPlans, CompactionFeedsAnIndirectDispatch) {
  Executable executable = ready(compaction_plan());
  const Words in = numbers(300, 3, 5);
  Buffer source = make(in);
  for (const std::uint32_t step : {1u, 2u, 7u, 299u, 1000u}) {
    Words flags(300, 0), kept(300, 7);
    std::uint32_t count = 0;
    for (std::uint32_t i = step == 1000 ? 300 : 0; i < 300; i += step) {
      flags[i] = step;
      kept[count++] = 0u - in[i];
    }
    Buffer flag_buffer = make(flags), out = make(Words(300, 7)), number = make({99});
    poison_slots(device(), executable);
    run_once(device(), executable,
             {{{"in", &source}, {"flags", &flag_buffer}, {"out", &out}, {"count", &number}}});
    expect_rows(out, kept);
    expect_rows(number, {count});
  }
}

TEST_F(GoldenPlans, ConditionsSkipDispatchesAndCopies) {
  Executable executable = ready(conditioned_plan());
  Buffer in = make(numbers(128, 1, 0));
  for (const bool twice : {false, true}) {
    for (const bool reflect : {true, false}) {
      Buffer out = make(Words(128, 7)), mirror = make(Words(128, 7));
      const Import imports[] = {{"in", &in}, {"out", &out}, {"mirror", &mirror}};
      const Parameter parameters[] = {{"double", twice}, {"mirror", reflect}};
      poison_slots(device(), executable);
      run_once(device(), executable, imports, parameters);
      const Words expected = twice ? numbers(128, 2, 2) : numbers(128, 1, 1);
      expect_rows(out, expected);
      expect_rows(mirror, reflect ? expected : Words(128, 7));
    }
  }
}

TEST_F(GoldenPlans, SkippedNodesNeedNoImport) {
  Executable executable = ready(conditioned_plan());
  Buffer in = make(numbers(128, 1, 0)), out = make(Words(128, 7));
  const Parameter parameters[] = {{"double", true}, {"mirror", false}};
  run_once(device(), executable, {{{"in", &in}, {"out", &out}}}, parameters);
  expect_rows(out, numbers(128, 2, 2));
}

TEST_F(GoldenPlans, ThousandChunks) {
  Executable executable = ready(thousand_chunks_plan());
  Buffer in = make(numbers(64'000, 5, 1));
  Words expected = numbers(64'000, 5, 1);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] += static_cast<std::uint32_t>(i / 64);
  for (int round = 0; round < 2; ++round) {
    Buffer out = make(Words(64'000, 7));
    run_once(device(), executable, {{{"in", &in}, {"out", &out}}});
    expect_rows(out, expected);
  }
}

}  // namespace
}  // namespace wgprim::testing
