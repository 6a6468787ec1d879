// Runs and comparisons; see the header.
#include "support/family_on_device.hpp"

#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

/// The buffers after two runs of the reduction, and its plan.
Image image_of(Device& device, const ReduceCase& reduce) {
  const Plan plan = must(plan_reduction(reduce, must(device.profile())));
  return must(run_on_device(device, plan, image_before(reduce), reduce.encoded_rows));
}

template <class Case>
Case taken(Case some, const Way& way) {
  some.path = way.path;
  some.subgroups = way.subgroups;
  return some;
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, const Way& way) {
  return stream << to_string(way.path) << ", subgroups " << to_string(way.subgroups);
}

std::vector<Way> FamilyOnDevice::ways() {
  std::vector<Way> ways;
  for (const Path path : {Path::chained, Path::reduce_then_scan}) {
    ways.push_back({path, Subgroups::off});
    if (must(device().profile()).capabilities.subgroups) ways.push_back({path, Subgroups::on});
  }
  return ways;
}

void FamilyOnDevice::expect_right(ScanCase scan, int runs) {
  for (const Way& way : ways()) {
    scan = taken(std::move(scan), way);
    const auto checked = check_on_device(device(), scan, runs);
    EXPECT_TRUE(checked) << checked.error().message << "\n" << scan;
  }
}

void FamilyOnDevice::expect_right(ReduceCase reduce) {
  for (const Way& way : ways()) {
    reduce = taken(std::move(reduce), way);
    EXPECT_EQ(image_of(device(), reduce), image_after(reduce, image_before(reduce))) << reduce;
  }
}

void FamilyOnDevice::expect_output(ScanCase scan, const Words& stated) {
  for (const Way& way : ways()) {
    scan = taken(std::move(scan), way);
    const Image image = must(run_on_device(device(), scan, must(plan_for(device(), scan))));
    EXPECT_EQ(rows_in(image, scan.output, scan.row_words()), stated) << scan;
  }
}

void FamilyOnDevice::expect_output(ReduceCase reduce, const Words& stated) {
  for (const Way& way : ways()) {
    reduce = taken(std::move(reduce), way);
    const Image image = image_of(device(), reduce);
    const Words& output = image[reduce.rows.size()];  // Behind the buffers of the input.
    const auto first = output.begin() + static_cast<std::ptrdiff_t>(reduce.lead);
    EXPECT_EQ(Words(first, first + static_cast<std::ptrdiff_t>(stated.size())), stated) << reduce;
  }
}

void FamilyOnDevice::expect_stated(const StatedScans& scans) {
  for (StatedScan stated : scans) {
    for (const Way& way : ways()) {
      stated.scan = taken(std::move(stated.scan), way);
      const Plan plan = must(plan_for(device(), stated.scan));
      const auto checked = check_on_device(device(), stated.scan, plan);
      EXPECT_TRUE(checked) << checked.error().message << "\n" << stated.scan;
      const Image after = must(run_on_device(device(), stated.scan, plan));
      EXPECT_EQ(first_untruth(stated, after), std::nullopt) << stated.scan;
    }
  }
}

}  // namespace wgprim::testing
