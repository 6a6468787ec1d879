// Nodes, dispatches and kernels of hand-made plans.
#include "support/plan_pieces.hpp"

namespace wgprim::testing {

PlanNode node(std::string id, std::string condition) {
  return {.id = std::move(id), .operation = "compute", .condition = std::move(condition)};
}

PlanDispatch dispatch(std::uint32_t node, std::uint32_t kernel, std::string label,
                      std::vector<PlanBinding> bindings, std::vector<std::uint32_t> parameters,
                      Shape shape) {
  PlanDispatch made{.node = node, .kernel = kernel, .label = std::move(label)};
  made.bindings = std::move(bindings);
  made.parameters = std::move(parameters);
  made.shape = shape;
  return made;
}

PlanKernel kernel(std::string name, const char* wgsl, const std::vector<Access>& accesses,
                  std::vector<std::pair<std::string, std::uint32_t>> constants) {
  PlanKernel made{.name = std::move(name)};
  made.constants = std::move(constants);
  made.wgsl = wgsl;
  for (std::uint32_t i = 0; i < accesses.size(); ++i)
    made.bindings.push_back({i, accesses[i]});
  return made;
}

}  // namespace wgprim::testing
