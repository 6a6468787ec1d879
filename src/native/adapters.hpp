// Which adapters a machine has and which one a request means. Called by Device::create and by
// list_adapters; an adapter that computes nothing (a null or mock driver) is never among them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "native/handle.hpp"
#include "wgprim/native.hpp"

namespace wgprim::native {

struct Adapter {
  AdapterHandle handle;
  AdapterInfo info;
};

/// Best first: discrete, integrated, unknown, software; within a kind Vulkan first, because the
/// same GPU may be listed through two backends.
std::vector<Adapter> usable_adapters();

struct AdapterChoice {
  std::size_t index = 0;  ///< Into the adapters chosen from.
  std::string reason;
};

/// The adapter that `request` means: part of a name in any case, an index, "software", or empty for
/// the best one. `source` says where the request comes from, for the reason and for errors.
Result<AdapterChoice> choose_adapter(std::span<const AdapterInfo> adapters,
                                     std::string_view request, std::string_view source);

}  // namespace wgprim::native
