// The runs of `wgprim run`: encode, submit, wait, as often as asked and in the steps of a budget.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "progress.hpp"
#include "wgprim/native.hpp"
#include "wgprim/report.hpp"

namespace wgprim::cli {

/// Keeps what each run was like. The device and the executable outlive it.
class RunLoop {
 public:
  /// With `is_timed` nodes are timed where the device can; where it cannot, that is said on stderr.
  static Result<RunLoop> create(Device& device, Executable& executable,
                                const DeviceProfile& profile, bool is_timed);

  /// One submit a run, or one a step where the plan has steps. Errors: those of encoding.
  Result<void> run(std::uint64_t times, EncodeOptions options, ProgressLine& line);

  const Inspector& inspector() const { return inspector_; }
  /// GPU time of the latest run, where it is known; of its nodes in sum where these are timed.
  std::optional<double> gpu_ns() const { return gpu_ns_; }

 private:
  RunLoop(Device& device, Executable& executable, const DeviceProfile& profile,
          std::optional<NodeTimer> timer)
      : device_(device),
        executable_(executable),
        inspector_(executable.plan(), profile, device.adapter().is_software),
        timer_(std::move(timer)) {}
  Result<void> run_whole(const EncodeOptions& options);
  template <class Show>
  Result<void> run_steps(const EncodeOptions& options, Show show);
  Result<void> note();

  Device& device_;
  Executable& executable_;
  Inspector inspector_;
  std::optional<NodeTimer> timer_;
  std::optional<double> gpu_ns_;
};

}  // namespace wgprim::cli
