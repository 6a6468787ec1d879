// Reports as text for people; see report.hpp. Called by the command line.
#include <algorithm>
#include <cmath>

#include "graph/text_layout.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/report.hpp"

namespace wgprim {
namespace {

std::string totals_text(std::string_view name, const BufferTotals& totals) {
  std::string text;
  append_padded(text, name, 24);
  return text + concat(grouped(totals.count), totals.count == 1 ? " buffer, " : " buffers, ",
                       grouped(totals.bytes), " B\n");
}

std::vector<std::string> work_row(const std::string& name, const NodeWork& node) {
  const Workload& work = node.workload;
  return {name,
          node.operation,
          node.path,
          grouped(node.commands),
          grouped(work.workgroups),
          grouped(work.invocations),
          grouped(work.bytes_read),
          grouped(work.bytes_written)};
}

std::string exceeded_text(const ExceededLimit& limit) {
  return concat("does not fit: ", limit.what, " needs ", grouped(limit.needed), ", ", limit.limit,
                " allows ", grouped(limit.allowed), "\n");
}

/// Microseconds with two decimals: "12.30".
std::string microseconds(const std::optional<double>& nanoseconds) {
  if (!nanoseconds) return "-";
  const auto hundredths = static_cast<std::uint64_t>(std::llround(*nanoseconds / 10));
  const std::string decimals = std::to_string(hundredths % 100);
  return concat(grouped(hundredths / 100), ".", decimals.size() < 2 ? "0" : "", decimals);
}

std::vector<std::string> node_row(const Inspector::NodeReport& node) {
  return {quoted(node.id), node.operation, node.outcome ? to_string(*node.outcome) : "not run",
          node.path.empty() ? "-" : concat(node.path, " (", printable(node.reason), ")")};
}

void append_times(std::vector<std::string>& row, const Inspector::NodeReport& node) {
  row.push_back(microseconds(node.latest_ns));
  row.push_back(node.times_ns ? microseconds(node.times_ns->median) : "-");
  row.push_back(node.times_ns ? microseconds(node.times_ns->p95) : "-");
}

/// What the runs ran on: two lines.
std::string device_text(const Inspector& inspector) {
  const auto word = [](std::optional<bool> fact) {
    return !fact ? "unknown" : *fact ? "yes" : "no";
  };
  const Capabilities& capabilities = inspector.capabilities();
  std::string text = concat("software adapter: ", word(inspector.is_software()),
                            "; subgroups: ", word(capabilities.subgroups));
  if (capabilities.subgroup_size > 0) text += concat(" (of ", capabilities.subgroup_size, ")");
  text += concat("; timestamps: ", word(capabilities.timestamps), "\nlimits:");
  for (const LimitName& limit : limit_names()) {
    text += concat(text.ends_with(':') ? " " : ", ", limit.name, " ",
                   grouped(inspector.limits().*limit.member));
  }
  return text + "\n";
}

}  // namespace

std::string to_text(const PlanStats& stats) {
  std::string text = "order";
  for (const std::string& id : stats.order)
    text += concat(text.size() == 5 ? " " : ", ", quoted(id));
  text += "\n";
  text += totals_text("imported", stats.imported);
  text += totals_text("transient", stats.logical);
  text += totals_text("memory of the plan", stats.physical);
  append_padded(text, "saved by sharing", 24);
  return text + concat(grouped(stats.saved_bytes), " B\n");
}

std::string to_text(const Preflight& preflight) {
  TextTable table(
      {"node", "operation", "path", "commands", "workgroups", "invocations", "B read", "B written"},
      3);
  for (const NodeWork& node : preflight.nodes)
    table.add(work_row(quoted(node.id), node));
  table.add(work_row("total", preflight.total));
  std::string text = table.text();
  text += concat("largest buffer ", grouped(preflight.largest_buffer_bytes), " B, largest binding ",
                 grouped(preflight.largest_binding_bytes), " B\n");
  for (const ExceededLimit& limit : preflight.exceeded)
    text += exceeded_text(limit);
  if (preflight.fits()) text += "fits the limits\n";
  return text;
}

std::string to_text(const Inspector& inspector) {
  const auto nodes = inspector.nodes();
  const bool is_timed = std::ranges::any_of(
      nodes, [](const Inspector::NodeReport& node) { return node.times_ns.has_value(); });
  std::vector<std::string> head = {"node", "operation", "outcome", "path"};
  if (is_timed) head.insert(head.end(), {"latest us", "p50 us", "p95 us"});
  TextTable table(std::move(head), 4);
  for (const Inspector::NodeReport& node : nodes) {
    auto row = node_row(node);
    if (is_timed) append_times(row, node);
    table.add(std::move(row));
  }
  return table.text() + device_text(inspector);
}

}  // namespace wgprim
