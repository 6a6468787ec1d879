// Runs a ScanCase on a device and holds every word of every buffer against the oracle. Scratch is
// poisoned before each run, so that nothing rests on fresh memory being zero.
#pragma once

#include "support/case.hpp"
#include "wgprim/native.hpp"

namespace wgprim::testing {

/// The case planned for this device, with the case's limits on top.
Result<Plan> plan_for(Device& device, const ScanCase& scan);

/// The imported buffers of a plan on a device.
class DeviceBuffers {
 public:
  DeviceBuffers(Device& device, std::vector<ImportedBuffer> declared);

  void upload(const Image& image);
  Image download();
  std::vector<Import> imports() const;

 private:
  Device& device_;
  std::vector<ImportedBuffer> declared_;
  std::vector<Buffer> buffers_;
};

/// What the buffers hold after one run of `plan` from image_before.
Result<Image> run_on_device(Device& device, const ScanCase& scan, const Plan& plan);

/// What the imported buffers of any plan hold after two runs from `before`, both of which must
/// agree; `rows`, where given, is the row count of node "scan".
Result<Image> run_on_device(Device& device, const Plan& plan, const Image& before,
                            std::optional<std::uint64_t> rows);

/// Runs `plan` from image_before `runs` times with one executable and compares after each.
/// Errors: verification_failed with the first word that differs, and those of the device.
Result<void> check_on_device(Device& device, const ScanCase& scan, const Plan& plan, int runs = 2);

/// Plans for the device and checks.
Result<void> check_on_device(Device& device, const ScanCase& scan, int runs = 2);

}  // namespace wgprim::testing
