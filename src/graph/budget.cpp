// Cuts a plan into steps; called by users before Executable::begin, and by the command line.
#include "wgprim/budget.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "graph/node_work.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

constexpr std::uint64_t kNoBound = std::numeric_limits<std::uint64_t>::max();

/// The bounds in the order of Budget's members, and costs in the same order.
using Amounts = std::array<std::uint64_t, 5>;
constexpr std::array<std::string_view, 5> kNames = {"invocations", "nodes", "commands",
                                                    "read_bytes", "written_bytes"};

/// All but the first.
constexpr std::array kOptionalBounds = {&Budget::nodes, &Budget::commands, &Budget::read_bytes,
                                        &Budget::written_bytes};
static_assert(kNames.size() == kOptionalBounds.size() + 1);

Amounts bounds_of(const Budget& budget) {
  return {budget.invocations, budget.nodes.value_or(kNoBound), budget.commands.value_or(kNoBound),
          budget.read_bytes.value_or(kNoBound), budget.written_bytes.value_or(kNoBound)};
}

Amounts cost_of(const NodeWork& node) {
  return {node.workload.invocations, 1, node.commands, node.workload.bytes_read,
          node.workload.bytes_written};
}

Amounts sum_of(const Amounts& a, const Amounts& b) {
  Amounts sum{};
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = saturating_sum(a[i], b[i]);
  return sum;
}

/// A bound of 2^64 - 1 bounds nothing.
bool exceeds(const Amounts& amounts, const Amounts& bounds) {
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (amounts[i] > bounds[i]) return true;
  }
  return false;
}

bool reaches(const Amounts& amounts, const Amounts& bounds) {
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (amounts[i] >= bounds[i] && bounds[i] != kNoBound) return true;
  }
  return false;
}

}  // namespace

Result<void> set_bound(Budget& budget, std::string_view assignment) {
  const auto [name, value] = split_assignment(assignment);
  const auto at = static_cast<std::size_t>(std::ranges::find(kNames, name) - kNames.begin());
  if (at == kNames.size()) {
    std::string known;
    for (const std::string_view one : kNames)
      known += concat(known.empty() ? "" : ", ", one);
    return fail(ErrorCode::invalid_argument,
                concat("There is no bound '", name, "' (", known, ")."));
  }
  const auto bound = parse_number<std::uint64_t>(value);
  if (bound.value_or(0) == 0) {
    return fail(ErrorCode::invalid_argument,
                concat("Bound '", name, "' is given as '", value, "' (a positive number)."));
  }
  const bool is_set =
      at == 0 ? budget.invocations > 0 : (budget.*kOptionalBounds[at - 1]).has_value();
  if (is_set) {
    return fail(ErrorCode::invalid_argument, concat("The bound '", name, "' is given twice."));
  }
  if (at == 0) {
    budget.invocations = *bound;
  } else {
    budget.*kOptionalBounds[at - 1] = bound;
  }
  return {};
}

Result<void> apply_budget(Plan& plan, const Budget& budget) {
  const Amounts bounds = bounds_of(budget);
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (bounds[i] > 0) continue;
    return fail(ErrorCode::invalid_argument,
                concat("The budget allows 0 ", kNames[i], " a step; each bound is at least 1."));
  }
  plan.steps.clear();
  const std::vector<NodeWork> nodes = node_work(plan);
  PlanStep step;
  Amounts sum{};
  const auto close = [&] {
    if (step.end > step.first) plan.steps.push_back(step);
    step = {.first = step.end, .end = step.end};
    sum = {};
  };
  for (const NodeWork& node : nodes) {
    const Amounts cost = cost_of(node);
    if (exceeds(sum_of(sum, cost), bounds)) close();
    sum = sum_of(sum, cost);
    ++step.end;
    step.is_oversized = exceeds(cost, bounds);
    if (reaches(sum, bounds)) close();
  }
  close();
  return {};
}

}  // namespace wgprim
