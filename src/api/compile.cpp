// A graph ready to run in one call; see the header.
#include "wgprim/wgprim.hpp"

namespace wgprim {

Result<Executable> compile(Device& device, Graph& graph) {
  const auto profile = device.profile();
  if (!profile) return pass_on(profile);
  auto plan = graph.compile(*profile);
  if (!plan) return pass_on(plan);
  return Executable::create(device, std::move(*plan));
}

}  // namespace wgprim
