// Life and loss of a device. The registry lets callbacks and a second adoption find the state of a
// WGPUDevice without a pointer that could dangle.
#include "native/device_state.hpp"

#include <map>
#include <vector>

#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

class DeviceRegistry {
 public:
  /// The living state of the device, which is `state` unless there is one already.
  std::shared_ptr<Device::State> find_or_add(std::shared_ptr<Device::State> state) {
    const std::lock_guard lock(mutex_);
    std::weak_ptr<Device::State>& entry = states_[state->device.get()];
    if (auto known = entry.lock()) return known;
    entry = state;
    return state;
  }
  std::shared_ptr<Device::State> find(WGPUDevice device) {
    const std::lock_guard lock(mutex_);
    const auto found = states_.find(device);
    return found == states_.end() ? nullptr : found->second.lock();
  }
  /// Removes the entry of a state that is going, unless a newer state has taken its place.
  void remove_expired(WGPUDevice device) {
    const std::lock_guard lock(mutex_);
    const auto found = states_.find(device);
    if (found != states_.end() && found->second.expired()) states_.erase(found);
  }
  void keep(std::shared_ptr<Device::State> state) {
    const std::lock_guard lock(mutex_);
    kept_.push_back(std::move(state));
  }

 private:
  std::mutex mutex_;
  std::map<WGPUDevice, std::weak_ptr<Device::State>> states_;
  std::vector<std::shared_ptr<Device::State>> kept_;
};

/// Never destroyed: callbacks may come while the process exits.
DeviceRegistry& registry() {
  static auto* const kept = new DeviceRegistry;
  return *kept;
}

}  // namespace

Device::State::State(native::DeviceHandle owned_device, std::chrono::milliseconds wait_limit)
    : device(std::move(owned_device)),
      queue(wgpuDeviceGetQueue(device.get())),
      time_out(wait_limit) {}

Device::State::~State() { registry().remove_expired(device.get()); }

std::shared_ptr<Device::State> Device::State::find(WGPUDevice device) {
  return registry().find(device);
}

std::shared_ptr<Device::State> Device::State::enter_registry() {
  return registry().find_or_add(shared_from_this());
}

void Device::State::lose(std::string reason) {
  const std::lock_guard lock(messages_mutex);
  if (lost_reason.empty()) lost_reason = std::move(reason);
  is_lost = true;
}

void Device::State::abandon(std::string reason) {
  lose(std::move(reason));
  registry().keep(shared_from_this());
}

Result<void> Device::State::check_alive() const {
  if (!is_lost) return {};
  const std::lock_guard lock(messages_mutex);
  return fail(ErrorCode::device_lost, concat("The device is lost: ", lost_reason, "."));
}

}  // namespace wgprim
