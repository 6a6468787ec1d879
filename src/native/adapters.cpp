// Lists, ranks and chooses adapters.
#include "native/adapters.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "native/wgpu_native.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace native {
namespace {

std::unexpected<Error> no_adapter_at_all() {
  return fail(ErrorCode::no_adapter,
              "This machine has no GPU adapter and no software one. Install a Vulkan driver, for "
              "example mesa-vulkan-drivers.");
}

std::string lowercase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

const char* backend_name(WGPUBackendType type) {
  switch (type) {
    case WGPUBackendType_D3D11: return "D3D11";
    case WGPUBackendType_D3D12: return "D3D12";
    case WGPUBackendType_Metal: return "Metal";
    case WGPUBackendType_Vulkan: return "Vulkan";
    case WGPUBackendType_OpenGL: return "OpenGL";
    case WGPUBackendType_OpenGLES: return "OpenGL ES";
    case WGPUBackendType_WebGPU: return "WebGPU";
    default: return "unknown";
  }
}

const char* type_name(WGPUAdapterType type) {
  switch (type) {
    case WGPUAdapterType_DiscreteGPU: return "discrete";
    case WGPUAdapterType_IntegratedGPU: return "integrated";
    case WGPUAdapterType_CPU: return "software";
    default: return "unknown";
  }
}

/// Null and mock drivers accept every command and compute nothing.
bool computes_nothing(const WGPUAdapterInfo& info) {
  return info.backendType == WGPUBackendType_Null ||
         lowercase(from_webgpu(info.device)).find("mock") != std::string::npos;
}

/// Lower is better.
int rank(const AdapterInfo& info) {
  const int kind = info.type == "discrete"     ? 0
                   : info.type == "integrated" ? 1
                   : info.is_software          ? 3
                                               : 2;
  return 2 * kind + (info.backend == "Vulkan" ? 0 : 1);
}

std::optional<AdapterInfo> describe(WGPUAdapter adapter) {
  WGPUAdapterInfo raw = WGPU_ADAPTER_INFO_INIT;
  if (wgpuAdapterGetInfo(adapter, &raw) != WGPUStatus_Success) return std::nullopt;
  std::optional<AdapterInfo> info;
  if (!computes_nothing(raw)) {
    info = AdapterInfo{.name = std::string(from_webgpu(raw.device)),
                       .vendor = std::string(from_webgpu(raw.vendor)),
                       .driver = std::string(from_webgpu(raw.description)),
                       .backend = backend_name(raw.backendType),
                       .type = type_name(raw.adapterType),
                       .is_software = raw.adapterType == WGPUAdapterType_CPU};
  }
  wgpuAdapterInfoFreeMembers(raw);
  return info;
}

std::string list_names(std::span<const AdapterInfo> adapters) {
  std::string names;
  for (const AdapterInfo& info : adapters) {
    names +=
        concat(names.empty() ? "" : ", ", info.index, ": '", info.name, "' (", info.backend, ")");
  }
  return names;
}

std::optional<std::size_t> as_index(std::string_view text, std::size_t count) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size() || index >= count) return {};
  return index;
}

std::optional<std::size_t> find_named(std::span<const AdapterInfo> adapters,
                                      std::string_view request) {
  if (const auto index = as_index(request, adapters.size())) return index;
  const std::string wanted = lowercase(request);
  const auto found = std::ranges::find_if(adapters, [&](const AdapterInfo& info) {
    return wanted == "software" ? info.is_software
                                : lowercase(info.name).find(wanted) != std::string::npos;
  });
  if (found == adapters.end()) return {};
  return static_cast<std::size_t>(found - adapters.begin());
}

}  // namespace

std::vector<Adapter> usable_adapters() {
  std::vector<Adapter> adapters;
  for (AdapterHandle& handle : enumerate_adapters()) {
    if (auto info = describe(handle.get())) adapters.push_back({std::move(handle), *info});
  }
  std::ranges::stable_sort(adapters, {}, [](const Adapter& adapter) { return rank(adapter.info); });
  std::uint32_t index = 0;
  for (Adapter& adapter : adapters)
    adapter.info.index = index++;
  return adapters;
}

Result<AdapterChoice> choose_adapter(std::span<const AdapterInfo> adapters,
                                     std::string_view request, std::string_view source) {
  if (adapters.empty()) return no_adapter_at_all();
  if (!request.empty()) {
    const auto index = find_named(adapters, request);
    if (index) return AdapterChoice{*index, concat("named '", request, "' by ", source)};
    return fail(ErrorCode::no_adapter,
                concat("No adapter matches '", request, "', named by ", source,
                       ". This machine has: ", list_names(adapters), "."));
  }
  if (adapters[0].is_software) {
    return AdapterChoice{0, "a software adapter, because this machine offers no GPU"};
  }
  if (adapters.size() == 1) return AdapterChoice{0, "the only adapter"};
  return AdapterChoice{0, concat("the best of ", adapters.size(), " adapters")};
}

}  // namespace native

Result<std::vector<AdapterInfo>> list_adapters() {
  std::vector<AdapterInfo> infos;
  for (const native::Adapter& adapter : native::usable_adapters())
    infos.push_back(adapter.info);
  if (infos.empty()) return native::no_adapter_at_all();
  return infos;
}

}  // namespace wgprim
