// Follows a plan over its runs: outcomes and times by node. Called by users and `wgprim run`.
#include <algorithm>
#include <cmath>

#include "wgprim/report.hpp"

namespace wgprim {

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::executed: return "executed";
    case Outcome::skipped: return "skipped";
    case Outcome::gpu_resolved: return "gpu-resolved";
  }
  return "executed";
}

Inspector::Inspector(const Plan& plan, const DeviceProfile& profile,
                     std::optional<bool> is_software)
    : plan_nodes_(plan.nodes),
      profile_(profile),
      is_software_(is_software),
      histories_(plan.nodes.size()) {}

void Inspector::add_run(std::span<const Outcome> outcomes,
                        std::span<const std::optional<double>> gpu_ns) {
  for (std::size_t i = 0; i < std::min(outcomes.size(), histories_.size()); ++i)
    histories_[i].outcome = outcomes[i];
  for (History& history : histories_)
    history.latest_ns.reset();
  for (std::size_t i = 0; i < std::min(gpu_ns.size(), histories_.size()); ++i) {
    if (!gpu_ns[i] || !std::isfinite(*gpu_ns[i])) continue;
    History& history = histories_[i];
    history.latest_ns = gpu_ns[i];
    if (history.times_ns.size() < kMostTimes) {
      history.times_ns.push_back(*gpu_ns[i]);
    } else {
      history.times_ns[history.next] = *gpu_ns[i];
    }
    history.next = (history.next + 1) % kMostTimes;
  }
}

std::vector<Inspector::NodeReport> Inspector::nodes() const {
  std::vector<NodeReport> reports;
  reports.reserve(histories_.size());
  for (std::size_t i = 0; i < histories_.size(); ++i) {
    const PlanNode& node = plan_nodes_[i];
    const History& history = histories_[i];
    NodeReport report{.id = node.id,
                      .operation = node.operation,
                      .path = node.path,
                      .reason = node.reason,
                      .outcome = history.outcome,
                      .latest_ns = history.latest_ns,
                      .times_ns = {}};
    if (!history.times_ns.empty()) {
      const auto distribution = distribution_of(history.times_ns);
      if (distribution) report.times_ns = *distribution;
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace wgprim
