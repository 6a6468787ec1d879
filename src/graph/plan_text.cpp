// A plan as a page of text: what `wgprim plan` prints. Kernel names are those of shaders/.
#include <string>

#include "graph/dispatch_shape.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/plan.hpp"

namespace wgprim {
namespace {

void append_padded(std::string& text, std::string_view part, std::size_t width) {
  text += part;
  if (part.size() < width) text.append(width - part.size(), ' ');
}

std::string shape_text(const PlanDispatch& dispatch, const Plan& plan) {
  if (dispatch.indirect) {
    return concat("from '", plan.buffers[dispatch.indirect->buffer].id, "' at byte ",
                  dispatch.indirect->offset);
  }
  return concat(dispatch.shape[0], " x ", dispatch.shape[1], " x ", dispatch.shape[2]);
}

/// "scan_blocks, source_in_place": the name, and the fragments chosen for its slots.
std::string kernel_text(const PlanKernel& kernel) {
  std::string text = kernel.name;
  for (const auto& [slot, fragment] : kernel.slots)
    text += concat(", ", fragment);
  return text;
}

void append_node(std::string& text, const Plan& plan, std::uint32_t index) {
  const PlanNode& node = plan.nodes[index];
  text += concat("node '", node.id, "': ", node.operation);
  if (!node.path.empty()) text += concat(", path ", node.path, " (", node.reason, ")");
  text += node.uses_subgroups ? ", subgroups on" : ", subgroups off";
  if (!node.condition.empty()) text += concat(", if '", node.condition, "'");
  text += "\n";
  for (std::size_t i = 0; i < plan.dispatches.size(); ++i) {
    const PlanDispatch& dispatch = plan.dispatches[i];
    if (dispatch.node != index) continue;
    text += "  ";
    append_padded(text, concat("dispatch ", i), 14);
    append_padded(text, kernel_text(plan.kernels[dispatch.kernel]), 38);
    append_padded(text, concat(shape_text(dispatch, plan), " workgroups"), 30);
    text += concat(grouped(dispatch.workload.bytes_read), " B read, ",
                   grouped(dispatch.workload.bytes_written), " B written\n");
  }
}

}  // namespace

std::string to_text(const Plan& plan) {
  std::string text;
  for (std::uint32_t node = 0; node < plan.nodes.size(); ++node)
    append_node(text, plan, node);
  text += "buffers\n";
  for (const PlanBuffer& buffer : plan.buffers) {
    text += "  ";
    append_padded(text, concat("'", buffer.id, "'"), 24);
    append_padded(text, concat(grouped(buffer.bytes), " B"), 24);
    text += to_string(buffer.role);
    if (buffer.slot) text += concat(", slot ", *buffer.slot);
    text += "\n";
  }
  text +=
      concat("totals: ", plan.dispatches.size(),
             plan.dispatches.size() == 1 ? " dispatch, " : " dispatches, ",
             grouped(plan.workload.bytes_read), " B read, ", grouped(plan.workload.bytes_written),
             " B written, scratch ", grouped(plan.scratch_bytes), " B (",
             grouped(plan.scratch_bytes_without_reuse), " B without reuse)\n");
  return text;
}

}  // namespace wgprim
