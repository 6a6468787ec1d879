// Error scopes. wgpu-native calls the pop callback before wgpuDevicePopErrorScope returns.
#include "native/error_scope.hpp"

#include "native/device_state.hpp"
#include "native/handle.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::native {
namespace {

struct Caught {
  WGPUErrorType type = WGPUErrorType_NoError;
  std::string message;
};

Caught pop_scope(WGPUDevice device) {
  Caught caught;
  WGPUPopErrorScopeCallbackInfo info = WGPU_POP_ERROR_SCOPE_CALLBACK_INFO_INIT;
  info.mode = WGPUCallbackMode_AllowSpontaneous;
  info.userdata1 = &caught;
  info.callback = [](WGPUPopErrorScopeStatus, WGPUErrorType type, WGPUStringView message,
                     void* userdata, void*) {
    *static_cast<Caught*>(userdata) = {type, std::string(from_webgpu(message))};
  };
  wgpuDevicePopErrorScope(device, info);
  return caught;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \n") - first + 1);
}

}  // namespace

ErrorScope::ErrorScope(Device::State& device)
    : device_(device), lock_(device.scope_mutex, std::defer_lock) {
  open();
}

void ErrorScope::open() {
  lock_.lock();
  wgpuDevicePushErrorScope(device_.device.get(), WGPUErrorFilter_Validation);
  wgpuDevicePushErrorScope(device_.device.get(), WGPUErrorFilter_OutOfMemory);
  is_open_ = true;
}

ErrorScope::~ErrorScope() {
  if (is_open_) close(ErrorCode::internal, {});
}

std::optional<Error> ErrorScope::close(ErrorCode code, std::string_view context) {
  is_open_ = false;
  Caught caught = pop_scope(device_.device.get());
  const Caught validation = pop_scope(device_.device.get());
  lock_.unlock();
  if (caught.type == WGPUErrorType_NoError) caught = validation;
  if (caught.type == WGPUErrorType_NoError) return std::nullopt;
  // SwiftShader's lack of memory arrives as a validation error.
  if (caught.type == WGPUErrorType_OutOfMemory || contains(caught.message, "Not enough memory")) {
    code = ErrorCode::out_of_memory;
  } else if (contains(caught.message, "device is lost")) {
    device_.lose("WebGPU reports that it is gone");
    return device_.check_alive().error();
  }
  return Error{code, concat(context, ": ", plain_text(caught.message))};
}

std::string plain_text(std::string_view message) {
  constexpr std::string_view kFrame = "Caused by:\n";
  if (const std::size_t frame = message.find(kFrame); frame != std::string_view::npos) {
    message.remove_prefix(frame + kFrame.size());
  }
  message = trimmed(message);
  if (contains(message, "\u2502")) {  // A quoted shader keeps its lines.
    const std::size_t start = message.find("Shader '");
    return std::string(message.substr(start == std::string_view::npos ? 0 : start));
  }
  std::string text;
  while (!message.empty()) {
    const std::size_t end = message.find('\n');
    const std::string_view line = trimmed(message.substr(0, end));
    if (!line.empty()) text += concat(text.empty() ? "" : ": ", line);
    message.remove_prefix(end == std::string_view::npos ? message.size() : end + 1);
  }
  if (!text.ends_with('.')) text += '.';
  return text;
}

}  // namespace wgprim::native
