// Buffers up, plan run, buffers down; see the header.
#include "support/scan_on_device.hpp"

#include "support/gpu_fixture.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint32_t kUsage = kUsageStorage | kUsageCopySource | kUsageCopyDestination;

Result<Image> run_once(Device& device, Executable& executable, DeviceBuffers& buffers,
                       std::optional<std::uint64_t> rows, const Image& before) {
  buffers.upload(before);
  poison_slots(device, executable);
  const auto imports = buffers.imports();
  std::vector<RowCount> counts;
  if (rows) counts.push_back({.node = "scan", .rows = *rows});
  const EncodeOptions options{.imports = imports, .row_counts = counts};
  if (auto ok = run(device, executable, options); !ok) return pass_on(ok);
  return buffers.download();
}

}  // namespace

Result<Plan> plan_for(Device& device, const ScanCase& scan) {
  const auto profile = device.profile();
  if (!profile) return pass_on(profile);
  return plan_scan(scan, *profile);
}

DeviceBuffers::DeviceBuffers(Device& device, std::vector<ImportedBuffer> declared)
    : device_(device), declared_(std::move(declared)) {
  for (const ImportedBuffer& buffer : declared_)
    buffers_.push_back(must(device.create_buffer(buffer.bytes, kUsage, buffer.id)));
}

void DeviceBuffers::upload(const Image& image) {
  for (std::size_t i = 0; i < image.size(); ++i) {
    must(device_.upload(buffers_[i], 0, std::as_bytes(std::span(image[i]))));
  }
}

Image DeviceBuffers::download() {
  Image image;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    image.push_back(read_words(device_, buffers_[i], declared_[i].bytes / 4));
  }
  return image;
}

std::vector<Import> DeviceBuffers::imports() const {
  std::vector<Import> imports;
  imports.reserve(buffers_.size());
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    imports.push_back({declared_[i].id, &buffers_[i]});
  }
  return imports;
}

Result<Image> run_on_device(Device& device, const ScanCase& scan, const Plan& plan) {
  auto executable = Executable::create(device, plan);
  if (!executable) return pass_on(executable);
  DeviceBuffers buffers(device, scan.buffers);
  return run_once(device, *executable, buffers, scan.encoded_rows, image_before(scan));
}

Result<Image> run_on_device(Device& device, const Plan& plan, const Image& before,
                            std::optional<std::uint64_t> rows) {
  auto executable = Executable::create(device, plan);
  if (!executable) return pass_on(executable);
  std::vector<ImportedBuffer> imports;
  for (const PlanBuffer& buffer : plan.buffers) {
    if (buffer.role == BufferRole::imported) imports.push_back({buffer.id, buffer.bytes});
  }
  DeviceBuffers buffers(device, std::move(imports));
  const auto first = run_once(device, *executable, buffers, rows, before);
  if (!first) return first;
  auto second = run_once(device, *executable, buffers, rows, before);
  if (!second || *second == *first) return second;
  return fail(ErrorCode::verification_failed, "The second run gave other words than the first.");
}

Result<void> check_on_device(Device& device, const ScanCase& scan, const Plan& plan, int runs) {
  auto executable = Executable::create(device, plan);
  if (!executable) return pass_on(executable);
  DeviceBuffers buffers(device, scan.buffers);
  const Image before = image_before(scan);
  const Image after = image_after(scan, before);
  for (int i = 0; i < runs; ++i) {
    const auto found = run_once(device, *executable, buffers, scan.encoded_rows, before);
    if (!found) return pass_on(found);
    if (const auto difference = first_difference(scan, after, *found)) {
      return fail(ErrorCode::verification_failed, *difference);
    }
  }
  return {};
}

Result<void> check_on_device(Device& device, const ScanCase& scan, int runs) {
  const auto plan = plan_for(device, scan);
  if (!plan) return pass_on(plan);
  return check_on_device(device, scan, *plan, runs);
}

}  // namespace wgprim::testing
