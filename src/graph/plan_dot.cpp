// A plan in the DOT language of Graphviz: what `wgprim plan --format dot` prints. Nodes are boxes
// from top to bottom in the order they run, buffers are rounded, a colour and a number tell slots.
#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "graph/plan_commands.hpp"
#include "graph/text_layout.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/plan.hpp"

namespace wgprim {
namespace {

/// Paul Tol's light scheme, made for black text on cells: distinct for colour-blind readers and in
/// print. Further slots begin again; the number beside the colour tells them apart.
constexpr std::array<std::string_view, 8> kSlotColours = {
    "#77AADD", "#EEDD88", "#FFAABB", "#44BB99", "#EE8866", "#BBCC33", "#99DDFF", "#AAAA00"};

std::string_view colour_of(std::uint32_t slot) { return kSlotColours[slot % kSlotColours.size()]; }

/// An id within a label, between double quotes: nothing in it is an escape or an entity of DOT.
std::string label(std::string_view id) {
  std::string text;
  for (const char c : printable(id)) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
    if (c == '&') text += "amp;";
  }
  return text;
}

class DotWriter {
 public:
  explicit DotWriter(const Plan& plan)
      : plan_(plan), seen_by_(plan.buffers.size(), kNobody), is_drawn_(plan.buffers.size()) {}

  std::string text() {
    text_ =
        "digraph plan {\n"
        "  graph [rankdir=TB, fontname=\"Helvetica\", ranksep=0.3]\n"
        "  node [fontname=\"Helvetica\", fontsize=11]\n"
        "  edge [fontname=\"Helvetica\", fontsize=10, arrowsize=0.7]\n";
    for (std::uint32_t node = 0; node < plan_.nodes.size(); ++node)
      append_node(node);
    for (std::uint32_t buffer = 0; buffer < plan_.buffers.size(); ++buffer)
      append_buffer(buffer);
    append_order();
    for (std::uint32_t node = 0; node < plan_.nodes.size(); ++node)
      append_uses(node);
    append_scratch();
    append_waits();
    append_legend();
    return std::move(text_) + "}\n";
  }

 private:
  static constexpr std::uint32_t kNobody = 0xffffffff;

  void append_node(std::uint32_t index) {
    const PlanNode& node = plan_.nodes[index];
    text_ += concat("  n", index, " [shape=box, label=\"", index + 1, ". ", label(node.id), "\\n",
                    node.operation);
    if (!node.path.empty()) text_ += concat(", ", node.path);
    if (!node.condition.empty()) text_ += concat("\\nif ", label(node.condition));
    text_ += "\"]\n";
  }

  void append_buffer(std::uint32_t index) {
    const PlanBuffer& buffer = plan_.buffers[index];
    text_ += concat("  b", index, " [shape=box, style=\"rounded,filled\", label=\"",
                    label(buffer.id), "\\n", grouped(buffer.bytes), " B");
    if (buffer.slot) {
      text_ +=
          concat(", slot ", *buffer.slot, "\", fillcolor=\"", colour_of(*buffer.slot), "\"]\n");
    } else if (buffer.role == BufferRole::imported) {
      text_ += "\", fillcolor=white]\n";
    } else {
      text_ +=
          concat(", ", buffer.role == BufferRole::transient ? "unused" : to_string(buffer.role),
                 "\", fillcolor=lightgrey]\n");
    }
  }

  /// Invisible edges keep the boxes in the order they run.
  void append_order() {
    for (std::uint32_t node = 1; node < plan_.nodes.size(); ++node)
      text_ += concat("  n", node - 1, " -> n", node, " [style=invis, weight=10]\n");
  }

  void append_uses(std::uint32_t index) {
    const PlanNode& node = plan_.nodes[index];
    for (const std::uint32_t buffer : node.reads) {
      const bool is_written = std::ranges::binary_search(node.writes, buffer);
      text_ += concat("  b", buffer, " -> n", index, is_written ? " [dir=both]\n" : "\n");
      see(buffer, index);
    }
    for (const std::uint32_t buffer : node.writes) {
      if (seen_by_[buffer] == index) continue;
      // An edge up to a buffer that was used before must not draw it down.
      const bool is_known = is_drawn_[buffer];
      text_ += concat("  n", index, " -> b", buffer, is_known ? " [constraint=false]\n" : "\n");
      see(buffer, index);
    }
  }

  /// A node's own scratch is in neither of its lists; its commands name it.
  void append_scratch() {
    std::ranges::fill(seen_by_, kNobody);
    for_each_command(plan_, [&](const auto& command) {
      for_each_buffer(command, [&](std::uint32_t buffer) {
        const bool is_own = seen_by_[buffer] != command.node && !is_declared(command.node, buffer);
        if (is_own) text_ += concat("  n", command.node, " -> b", buffer, " [dir=both]\n");
        see(buffer, command.node);
      });
    });
  }

  bool is_declared(std::uint32_t node, std::uint32_t buffer) const {
    return std::ranges::binary_search(plan_.nodes[node].reads, buffer) ||
           std::ranges::binary_search(plan_.nodes[node].writes, buffer);
  }

  void see(std::uint32_t buffer, std::uint32_t node) {
    seen_by_[buffer] = node;
    is_drawn_[buffer] = true;
  }

  /// Waits that follow from no buffer, dashed. What buffers ask for is found again in the order of
  /// execution, which keeps that of declaration wherever two nodes share a buffer.
  void append_waits() {
    constexpr std::string_view kAttributes = " [style=dashed, constraint=false]\n";
    std::vector<std::uint32_t> last_writer(plan_.buffers.size(), kNobody);
    std::vector<std::vector<std::uint32_t>> readers(plan_.buffers.size());
    for (std::uint32_t index = 0; index < plan_.nodes.size(); ++index) {
      const PlanNode& node = plan_.nodes[index];
      std::vector<std::uint32_t> explained;
      for (const std::uint32_t buffer : node.reads) {
        explained.push_back(last_writer[buffer]);
        readers[buffer].push_back(index);
      }
      for (const std::uint32_t buffer : node.writes) {
        explained.push_back(last_writer[buffer]);
        explained.insert(explained.end(), readers[buffer].begin(), readers[buffer].end());
        readers[buffer].clear();
        last_writer[buffer] = index;
      }
      std::ranges::sort(explained);
      std::vector<std::uint32_t> waits;
      std::ranges::set_difference(node.after, explained, std::back_inserter(waits));
      for (const std::uint32_t before : waits)
        text_ += concat("  n", before, " -> n", index, kAttributes);
    }
  }

  void append_legend() {
    if (plan_.slots.empty()) return;
    text_ += "  subgraph cluster_slots {\n    label=\"slots\"\n    color=grey\n";
    for (std::uint32_t slot = 0; slot < plan_.slots.size(); ++slot) {
      text_ += concat("    s", slot, " [shape=box, style=\"rounded,filled\", fillcolor=\"",
                      colour_of(slot), "\", label=\"slot ", slot, "\\n",
                      grouped(plan_.slots[slot].bytes), " B\"]\n");
      if (slot > 0) text_ += concat("    s", slot - 1, " -> s", slot, " [style=invis]\n");
    }
    text_ += "  }\n";
  }

  const Plan& plan_;
  std::vector<std::uint32_t> seen_by_;  // By buffer: the node that it was drawn for last.
  std::vector<bool> is_drawn_;          // By buffer: some node has an edge to it.
  std::string text_;
};

}  // namespace

std::string to_dot(const Plan& plan) { return DotWriter(plan).text(); }

}  // namespace wgprim
