// Variants on a device: plans over buffers, timed by timestamps, or by the host's clock where the
// device has none.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure.hpp"
#include "wgprim/native.hpp"

namespace wgprim::bench {

/// One way to do the work. Buffers behind the imports outlive it.
struct Variant {
  std::string name;
  Plan plan;
  std::vector<Import> imports;
  std::uint64_t bytes = 0;  ///< Read and written by one run, without caches.
  /// Cleared before each check, so that no result of another variant passes for this one's.
  std::vector<const Buffer*> outputs = {};
  std::function<Result<void>()> check;  ///< Judges the outputs after one run.
};

class DeviceStage final : public Stage {
 public:
  /// With `has_timestamps` false each sample is a submit of its own and the time until its end.
  /// Errors: those of Executable::create.
  static Result<DeviceStage> create(Device& device, std::vector<Variant> variants,
                                    bool has_timestamps);

  std::size_t variant_count() const override { return variants_.size(); }
  const std::string& name(std::size_t variant) const override { return variants_[variant].name; }
  Result<void> check() override;
  Result<void> set_batch(std::uint32_t runs) override;
  Result<std::vector<Sample>> run(std::span<const std::size_t> order) override;

 private:
  DeviceStage(Device& device, std::vector<Variant> variants, bool has_timestamps)
      : device_(device), variants_(std::move(variants)), has_timestamps_(has_timestamps) {}
  Result<void> check(std::size_t index);
  Result<void> drain_queue();
  Result<std::vector<Sample>> run_by_timestamps(std::span<const std::size_t> order);
  Result<std::vector<Sample>> run_by_the_host_clock(std::span<const std::size_t> order);
  Result<Sample> run_by_the_host_clock(std::size_t index);

  Device device_;
  std::vector<Variant> variants_;
  bool has_timestamps_;
  std::uint32_t batch_ = 0;
  std::vector<Executable> executables_;
  std::vector<Timer> timers_;
};

/// The plan with its passes `times` times, one after the other. Its work must be repeatable.
Plan repeated(const Plan& plan, std::uint32_t times);

}  // namespace wgprim::bench
