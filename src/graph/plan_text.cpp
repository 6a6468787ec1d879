// A plan as a page of text: what `wgprim plan` prints. Kernel names are those of shaders/.
#include <string>
#include <vector>

#include "graph/plan_commands.hpp"
#include "graph/plan_timeline.hpp"
#include "graph/text_layout.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/plan.hpp"

namespace wgprim {
namespace {

/// Lines of text by node; what belongs to a node comes in any order of nodes.
class PlanPage {
 public:
  explicit PlanPage(const Plan& plan) : plan_(plan), commands_(plan.nodes.size()) {}

  std::string text() {
    for_each_command(plan_, [&](const auto& command) { add(command); });
    for (std::uint32_t node = 0; node < plan_.nodes.size(); ++node)
      append_node(node);
    append_steps();
    append_buffers();
    text_ += timeline_text(plan_);
    append_totals();
    return std::move(text_);
  }

 private:
  std::string buffer(std::uint32_t index) const { return quoted(plan_.buffers[index].id); }
  std::string place(std::uint32_t index, std::uint64_t offset) const {
    return concat(buffer(index), " at byte ", grouped(offset));
  }

  void add(const PlanDispatch& dispatch) {
    std::string& text = commands_[dispatch.node];
    text += "  ";
    append_padded(text, concat("dispatch ", &dispatch - plan_.dispatches.data()), 14);
    append_padded(text, kernel_text(plan_.kernels[dispatch.kernel]), 38);
    append_padded(text, concat(shape_text(dispatch), " workgroups"), 30);
    text += concat(grouped(dispatch.workload.bytes_read), " B read, ",
                   grouped(dispatch.workload.bytes_written), " B written\n");
  }

  void add(const PlanCopy& copy) {
    commands_[copy.node] += concat("  copy          ", grouped(copy.bytes), " B from ",
                                   place(copy.source, copy.source_offset), " to ",
                                   place(copy.destination, copy.destination_offset), "\n");
  }

  void add(const PlanClear& clear) {
    commands_[clear.node] += concat("  clear         ", grouped(clear.bytes), " B of ",
                                    place(clear.buffer, clear.offset), "\n");
  }

  void add(const PlanExternal& external) {
    std::string& text = commands_[external.node];
    text += "  external      recorded by the caller\n";
    for (const PlanExternalUse& use : external.uses) {
      text += concat("    ", usage_names(use.usage), use.is_written ? ", written: " : ": ",
                     grouped(use.bytes), " B of ", place(use.buffer, use.offset), "\n");
    }
  }

  /// "scan_blocks, source_in_place": the name, and the fragments chosen for its slots.
  static std::string kernel_text(const PlanKernel& kernel) {
    std::string text = printable(kernel.name);
    for (const auto& [slot, fragment] : kernel.slots)
      text += concat(", ", fragment);
    return text;
  }

  std::string shape_text(const PlanDispatch& dispatch) const {
    std::string shape =
        concat(dispatch.shape[0], " x ", dispatch.shape[1], " x ", dispatch.shape[2]);
    if (!dispatch.indirect) return shape;
    return concat("as ", place(dispatch.indirect->buffer, dispatch.indirect->offset),
                  " says, planned as ", shape);
  }

  void append_node(std::uint32_t index) {
    const PlanNode& node = plan_.nodes[index];
    text_ += concat("node ", quoted(node.id), ": ", node.operation);
    if (!node.path.empty()) text_ += concat(", path ", node.path, " (", node.reason, ")");
    text_ += node.uses_subgroups ? ", subgroups on" : ", subgroups off";
    if (!node.is_deterministic) text_ += ", not reproducible";
    if (node.row_capacity) text_ += concat(", up to ", grouped(*node.row_capacity), " rows");
    if (!node.condition.empty()) text_ += concat(", if ", quoted(node.condition));
    text_ += "\n";
    append_names("after", node.after, [&](std::uint32_t i) { return quoted(plan_.nodes[i].id); });
    append_names("reads", node.reads, [&](std::uint32_t i) { return buffer(i); });
    append_names("writes", node.writes, [&](std::uint32_t i) { return buffer(i); });
    text_ += commands_[index];
  }

  template <class Name>
  void append_names(std::string_view title, const std::vector<std::uint32_t>& indices, Name name) {
    if (indices.empty()) return;
    text_ += "  ";
    append_padded(text_, title, 14);
    for (std::size_t i = 0; i < indices.size(); ++i)
      text_ += concat(i == 0 ? "" : ", ", name(indices[i]));
    text_ += "\n";
  }

  void append_steps() {
    if (!plan_.steps.empty()) text_ += "steps\n";
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      const PlanStep& step = plan_.steps[i];
      text_ += "  ";
      append_padded(text_, concat("step ", i), 14);
      text_ += quoted(plan_.nodes[step.first].id);
      if (step.end - step.first > 1) {
        text_ += concat(" to ", quoted(plan_.nodes[step.end - 1].id), ", ",
                        grouped(step.end - step.first), " nodes");
      }
      text_ += step.is_oversized ? ", above the budget\n" : "\n";
    }
  }

  void append_buffers() {
    text_ += "buffers\n";
    for (const PlanBuffer& buffer : plan_.buffers) {
      text_ += "  ";
      append_padded(text_, quoted(buffer.id), 24);
      append_padded(text_, concat(grouped(buffer.bytes), " B"), 24);
      text_ += to_string(buffer.role);
      if (buffer.slot) text_ += concat(", slot ", *buffer.slot);
      text_ += "\n";
    }
  }

  void append_totals() {
    const std::size_t dispatches = plan_.dispatches.size();
    text_ += concat("totals: ", dispatches, dispatches == 1 ? " dispatch, " : " dispatches, ",
                    grouped(plan_.workload.bytes_read), " B read, ",
                    grouped(plan_.workload.bytes_written), " B written, scratch ",
                    grouped(plan_.scratch_bytes), " B (",
                    grouped(plan_.scratch_bytes_without_reuse), " B without reuse)\n");
  }

  const Plan& plan_;
  std::vector<std::string> commands_;  // By node.
  std::string text_;
};

}  // namespace

std::string to_text(const Plan& plan) { return PlanPage(plan).text(); }

}  // namespace wgprim
