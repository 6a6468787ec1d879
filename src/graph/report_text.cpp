// Reports as text for people; see report.hpp. Called by the command line.
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
  std::optional<double> median;
  std::optional<double> p95;
  if (node.times_ns) {
    median = node.times_ns->median;
    p95 = node.times_ns->p95;
  }
  return {quoted(node.id),
          node.operation,
          node.outcome ? to_string(*node.outcome) : "not run",
          node.path.empty() ? "-" : concat(node.path, " (", printable(node.reason), ")"),
          microseconds(node.latest_ns),
          microseconds(median),
          microseconds(p95)};
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
  TextTable table({"node", "operation", "outcome", "path", "latest us", "p50 us", "p95 us"}, 4);
  for (const Inspector::NodeReport& node : inspector.nodes())
    table.add(node_row(node));
  return table.text();
}

}  // namespace wgprim
