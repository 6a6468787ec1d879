// Conditions: each name is looked up once an encode, each node then looks at its leader's value.
#include "native/conditions.hpp"

#include "wgprim/detail/text.hpp"

namespace wgprim::native {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;

enum Value : char { kFalse, kTrue, kNotGiven };

}  // namespace

ConditionTable::ConditionTable(const Plan& plan) {
  std::vector<IdIndex::Entry> conditioned;
  for (std::uint32_t node = 0; node < plan.nodes.size(); ++node) {
    const std::string& condition = plan.nodes[node].condition;
    if (!condition.empty()) conditioned.push_back({condition, node});
  }
  if (conditioned.empty()) return;
  by_name_ = IdIndex(std::move(conditioned));
  for (const PlanNode& node : plan.nodes)
    leaders_.push_back(by_name_.find(node.condition).value_or(kNone));
}

Result<void> ConditionTable::resolve(const Plan& plan, std::span<const Parameter> parameters,
                                     Resolution& resolution) const {
  std::vector<char>& values = resolution.conditions;
  values.assign(leaders_.size(), kNotGiven);
  for (const Parameter& parameter : parameters) {
    const auto leader = by_name_.find(parameter.name);
    if (!leader) {
      return fail(ErrorCode::invalid_argument,
                  concat("Parameter '", parameter.name, "' is no condition of the plan."));
    }
    if (std::exchange(values[*leader], parameter.value ? kTrue : kFalse) != kNotGiven) {
      return fail(ErrorCode::invalid_argument,
                  concat("Parameter '", parameter.name, "' is given twice."));
    }
  }
  resolution.key.active_nodes.assign(plan.nodes.size(), 1);
  for (std::size_t node = 0; node < leaders_.size(); ++node) {
    if (leaders_[node] == kNone) continue;
    const char value = values[leaders_[node]];
    if (value == kNotGiven) {
      return fail(ErrorCode::invalid_argument,
                  concat("Node '", plan.nodes[node].id, "' runs on the condition '",
                         plan.nodes[node].condition, "', a parameter that is not given."));
    }
    resolution.key.active_nodes[node] = value;
  }
  return {};
}

}  // namespace wgprim::native
