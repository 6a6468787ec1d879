// The judge of the subgroup self-test: right reports of every size pass, and a single wrong word
// fails exactly the operation it belongs to.
#include "native/subgroup_probe.hpp"

#include <gtest/gtest.h>

namespace wgprim::testing {
namespace {

using native::judge;
using native::LaneReport;

std::vector<LaneReport> right_reports(std::uint32_t width, std::uint32_t size) {
  std::vector<LaneReport> reports;
  for (std::uint32_t i = 0; i < width; ++i) {
    LaneReport report{.subgroup = i / size, .lane = i % size, .size = size};
    for (std::uint32_t other = i / size * size; other < (i / size + 1) * size; ++other) {
      if (other <= i) report.inclusive += other + 1;
      if (other < i) report.exclusive += other + 1;
      report.total += other + 1;
    }
    report.up = i;
    report.across = i % 2 == 0 ? i + 2 : i;
    report.last = (i / size + 1) * size;
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
      const std::uint32_t other = i % size / 32 * 32 + bit;
      if (other < size && other % 3 == 0) report.vote += 1u << bit;
    }
    reports.push_back(report);
  }
  return reports;
}

TEST(SubgroupProbe, AcceptsEveryPowerOfTwoUpTo128) {
  for (std::uint32_t size = 1; size <= 128; size *= 2) {
    for (const std::uint32_t width : {128u, 256u}) {
      const auto probe = judge(right_reports(width, size));
      EXPECT_TRUE(probe.all_passed) << size;
      EXPECT_EQ(probe.subgroup_size, size);
    }
  }
}

TEST(SubgroupProbe, RefusesSizesNoKernelIsMadeFor) {
  EXPECT_FALSE(judge(right_reports(256, 256)).all_passed);
  EXPECT_FALSE(judge(std::vector<LaneReport>(256)).all_passed) << "Nothing was written.";
  auto odd = right_reports(256, 8);
  for (LaneReport& report : odd)
    report.size = 6;
  EXPECT_FALSE(judge(odd).all_passed);
}

TEST(SubgroupProbe, AWrongWordFailsItsOperationOnly) {
  std::uint32_t LaneReport::* const words[] = {
      &LaneReport::lane, &LaneReport::inclusive, &LaneReport::exclusive, &LaneReport::total,
      &LaneReport::up,   &LaneReport::across,    &LaneReport::last,      &LaneReport::vote};
  for (std::size_t wrong = 0; wrong < std::size(words); ++wrong) {
    auto reports = right_reports(256, 32);
    reports[77].*words[wrong] += 1;
    const auto probe = judge(reports);
    EXPECT_FALSE(probe.all_passed);
    for (std::size_t test = 0; test < probe.tests.size(); ++test)
      EXPECT_EQ(probe.tests[test].passed, test != wrong) << probe.tests[test].operation;
  }
}

}  // namespace
}  // namespace wgprim::testing
