// The adapters of this machine, and what can be asked of one when it is opened (Device::create in
// native.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "wgprim/result.hpp"

namespace wgprim {

struct AdapterInfo {
  std::uint32_t index = 0;  ///< Place in `list_adapters`.
  std::string name;         ///< "NVIDIA H200", "llvmpipe (LLVM 15.0.6, 256 bits)".
  std::string vendor;
  std::string driver;
  std::string backend;  ///< "Vulkan", "Metal", "D3D12", ...
  std::string type;     ///< "discrete", "integrated", "software" or "unknown".
  bool is_software = false;
};

/// What a subgroup operation returned against what it should, once an adapter and driver.
struct SubgroupSelfTest {
  std::string operation;  ///< "subgroupInclusiveAdd".
  bool passed = false;
};

struct DeviceRequest {
  /// Part of an adapter's name (any case), its index, or "software". Empty: the environment
  /// variable WGPRIM_ADAPTER, else the best real GPU, else a software adapter.
  std::string adapter;
  /// "maxBufferSize=1048576" and "subgroups=off": lower what the adapter offers.
  std::vector<std::string> limits;
  std::vector<std::string> capabilities;
  /// How long one wait may last beyond the time that the submitted bytes account for.
  std::chrono::milliseconds time_out{60'000};
};

/// Adapters of this machine, best first: discrete, integrated, unknown, software; within a kind
/// Vulkan first, since a GPU may be listed through two backends. Null adapters (which compute
/// nothing) and OpenGL (where a hung kernel cannot be waited out) are not listed. Errors: none
/// found (no_adapter).
Result<std::vector<AdapterInfo>> list_adapters();

/// Version of the loaded wgpu-native, for example "29.0.3.0".
std::string webgpu_library_version();

}  // namespace wgprim
