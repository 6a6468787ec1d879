// The items of a plan, key by key, for JsonReader and JsonWriter alike. Nodes and buffers are named
// by id in the document, by index in Plan. Called by plan_json.cpp.
#pragma once

#include <array>
#include <vector>

#include "document/fields.hpp"
#include "document/id_table.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/plan.hpp"

namespace wgprim {

inline constexpr std::array kBufferRoles = {BufferRole::imported, BufferRole::transient,
                                            BufferRole::state, BufferRole::constant};
inline constexpr std::array kAccesses = {Access::storage_read, Access::storage_read_write,
                                         Access::uniform, Access::parameters};
/// In the order of PlanPass.
inline constexpr std::array kPassKinds = {"compute", "copy", "clear", "external"};

struct PlanFields {
  const IdTable& nodes;
  const IdTable& buffers;
  const std::vector<PlanKernel>& kernels;

  void operator()(auto& io, Is<PlanNode> auto& node) const {
    io.text("id", node.id);
    io.text("operation", node.operation);
    io.text("path", node.path);
    io.text("reason", node.reason);
    io.text("condition", node.condition);
    io.flag("subgroups", node.uses_subgroups);
    io.flag("deterministic", node.is_deterministic);
    io.optional("row_capacity", node.row_capacity,
                [&](auto& rows) { io.number("row_capacity", rows); });
    io.references("after", node.after, nodes);
    io.references("reads", node.reads, buffers);
    io.references("writes", node.writes, buffers);
  }

  void operator()(auto& io, Is<PlanBuffer> auto& buffer) const {
    io.text("id", buffer.id);
    io.number("bytes", buffer.bytes);
    io.choice("role", buffer.role, kBufferRoles);
    io.flags("usage", buffer.usage, buffer_usage_names());
    io.optional("slot", buffer.slot, [&](auto& slot) { io.word("slot", slot); });
    if (io.given("words", !buffer.words.empty())) io.words("words", buffer.words);
  }

  void operator()(auto& io, Is<PlanSlot> auto& slot) const {
    io.number("bytes", slot.bytes);
    io.flags("usage", slot.usage, buffer_usage_names());
  }

  void operator()(auto& io, Is<PlanKernel> auto& kernel) const {
    io.text("name", kernel.name);
    io.entries("slots", kernel.slots);
    io.entries("constants", kernel.constants);
    io.list("bindings", kernel.bindings, *this);
    io.flag("uses_subgroups", kernel.uses_subgroups);
    if (io.given("wgsl", !kernel.wgsl.empty())) io.text("wgsl", kernel.wgsl);
    if (io.given("entry_point", !kernel.entry_point.empty())) {
      io.text("entry_point", kernel.entry_point);
    }
    if (io.given("operator_wgsl", !kernel.operator_wgsl.empty())) {
      io.text("operator_wgsl", kernel.operator_wgsl);
    }
  }

  void operator()(auto& io, Is<KernelBinding> auto& binding) const {
    io.word("binding", binding.binding);
    io.choice("access", binding.access, kAccesses);
  }

  void operator()(auto& io, Is<PlanDispatch> auto& dispatch) const {
    io.reference("node", dispatch.node, nodes);
    kernel_of(io, dispatch);
    io.text("label", dispatch.label);
    io.words("shape", dispatch.shape);
    io.optional("indirect", dispatch.indirect, [&](auto& indirect) {
      io.object("indirect", [&](auto& inner) {
        inner.reference("buffer", indirect.buffer, buffers);
        inner.number("offset", indirect.offset);
      });
    });
    io.optional("extent", dispatch.extent, [&](auto& extent) {
      io.object("extent", [&](auto& inner) {
        inner.number("first_item", extent.first_item);
        inner.number("items", extent.items);
        inner.number("rows_per_item", extent.rows_per_item);
        inner.word("items_per_workgroup", extent.items_per_workgroup);
        if (inner.given("keeps_workgroups", extent.keeps_workgroups)) {
          inner.flag("keeps_workgroups", extent.keeps_workgroups);
        }
      });
    });
    io.list("bindings", dispatch.bindings, *this);
    io.words("parameters", dispatch.parameters);
    io.object("workload", [&](auto& inner) { counts(inner, dispatch.workload); });
  }

  void operator()(auto& io, Is<PlanBinding> auto& binding) const {
    io.word("binding", binding.binding);
    io.reference("buffer", binding.buffer, buffers);
    io.number("offset", binding.offset);
    io.number("bytes", binding.bytes);
  }

  void operator()(auto& io, Is<PlanPass> auto& pass) const {
    io.alternative("kind", pass, kPassKinds);
    std::visit([&](auto& one) { (*this)(io, one); }, pass);
  }

  void operator()(auto& io, Is<PlanComputePass> auto& pass) const {
    io.word("first", pass.first);
    io.word("end", pass.end);
  }

  void operator()(auto& io, Is<PlanCopy> auto& copy) const {
    io.reference("node", copy.node, nodes);
    io.reference("source", copy.source, buffers);
    io.number("source_offset", copy.source_offset);
    io.reference("destination", copy.destination, buffers);
    io.number("destination_offset", copy.destination_offset);
    io.number("bytes", copy.bytes);
  }

  void operator()(auto& io, Is<PlanClear> auto& clear) const {
    io.reference("node", clear.node, nodes);
    io.reference("buffer", clear.buffer, buffers);
    io.number("offset", clear.offset);
    io.number("bytes", clear.bytes);
  }

  void operator()(auto& io, Is<PlanExternal> auto& external) const {
    io.reference("node", external.node, nodes);
    io.list("uses", external.uses, *this);
  }

  void operator()(auto& io, Is<PlanExternalUse> auto& use) const {
    io.reference("buffer", use.buffer, buffers);
    io.number("offset", use.offset);
    io.number("bytes", use.bytes);
    io.flags("usage", use.usage, buffer_usage_names());
    io.flag("written", use.is_written);
  }

  void operator()(auto& io, Is<PlanStep> auto& step) const {
    io.word("first", step.first);
    io.word("end", step.end);
    io.flag("oversized", step.is_oversized);
  }

  static void counts(auto& io, auto& workload) {
    io.number("workgroups", workload.workgroups);
    io.number("invocations", workload.invocations);
    io.number("bytes_read", workload.bytes_read);
    io.number("bytes_written", workload.bytes_written);
  }

 private:
  /// By name for readers, and by index, since one kernel comes in several specialisations.
  template <class Io>
  void kernel_of(Io& io, auto& dispatch) const {
    const auto name_of = [&](std::uint32_t index) {
      return index < kernels.size() ? kernels[index].name : std::string();
    };
    std::string name = name_of(dispatch.kernel);
    io.text("kernel", name);
    io.word("specialisation", dispatch.kernel);
    if constexpr (Io::kReads) {
      if (dispatch.kernel >= kernels.size() || name_of(dispatch.kernel) != name) {
        io.refuse("specialisation",
                  concat("is ", dispatch.kernel, ", where no kernel '", name, "' stands"));
      }
    }
  }
};

}  // namespace wgprim
