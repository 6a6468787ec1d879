// Resolves conditions and imports of an encode.
#include "native/imports.hpp"

#include <algorithm>

#include "native/buffer_state.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::native {
namespace {

void add_user(std::vector<std::uint32_t>& users, std::uint32_t node) {
  if (std::ranges::find(users, node) == users.end()) users.push_back(node);
}

Result<void> check_bare(Device::State& device, WGPUBuffer handle, std::string_view name) {
  if (handle == nullptr) {
    return fail(ErrorCode::invalid_argument, concat("Import '", name, "' is a null WGPUBuffer."));
  }
  return check_available(device, handle, name);
}

Result<void> check_fits(const PlanBuffer& wanted, WGPUBuffer handle) {
  const std::uint64_t bytes = wgpuBufferGetSize(handle);
  if (bytes < wanted.bytes) {
    return fail(ErrorCode::invalid_argument,
                concat("Import '", wanted.id, "' holds ", bytes, " bytes, fewer than the plan's ",
                       wanted.bytes, "."));
  }
  if (const std::uint32_t missing = missing_usage(handle, wanted.usage); missing != 0) {
    return fail(ErrorCode::invalid_argument,
                concat("Import '", wanted.id, "' is a buffer without the usage ",
                       usage_names(missing), ", which the plan needs."));
  }
  return {};
}

/// Takes in one import: its handle, its serial number, or the error it deserves.
Result<void> resolve_import(Device::State& device, const PlanBuffer& wanted, std::uint32_t index,
                            const ImportedHandle& given, Resolution& resolution) {
  WGPUBuffer handle = nullptr;
  if (const auto* buffer = std::get_if<const Buffer*>(&given)) {
    if (*buffer == nullptr) {
      return fail(ErrorCode::invalid_argument,
                  concat("Import '", wanted.id, "' is a null Buffer."));
    }
    const auto usable = check_usable(**buffer, device, wanted.id);
    if (!usable) return usable;
    handle = (*buffer)->handle();
    resolution.key.serials[index] = (*buffer)->state()->serial;
  } else {
    handle = std::get<WGPUBuffer>(given);
    if (const auto checked = check_bare(device, handle, wanted.id); !checked) return checked;
    resolution.is_cacheable = false;
  }
  resolution.buffers[index] = handle;
  return check_fits(wanted, handle);
}

/// Two imports may stand for one buffer only if the plan writes neither.
Result<void> check_sharing(const Plan& plan, const ImportTable& table, Resolution& resolution) {
  auto& shared = resolution.by_handle;
  shared.clear();
  for (const std::uint32_t index : table.imported()) {
    if (resolution.buffers[index] != nullptr) shared.push_back({resolution.buffers[index], index});
  }
  std::ranges::sort(shared);
  for (std::size_t first = 0, end = 0; first < shared.size(); first = end) {
    bool is_written = false;
    for (end = first; end < shared.size() && shared[end].first == shared[first].first; ++end) {
      is_written = is_written || table.is_written(shared[end].second);
    }
    if (end - first < 2 || !is_written) continue;
    return fail(ErrorCode::aliasing, concat("Imports '", plan.buffers[shared[first].second].id,
                                            "' and '", plan.buffers[shared[first + 1].second].id,
                                            "' are the same buffer, which the plan writes."));
  }
  return {};
}

Result<void> check_all_given(const Plan& plan, const ImportTable& table,
                             const Resolution& resolution) {
  for (const std::uint32_t index : table.imported()) {
    if (resolution.is_given[index] || !table.is_needed(index, resolution.key.active_nodes))
      continue;
    return fail(ErrorCode::invalid_argument,
                concat("Import '", plan.buffers[index].id, "' is not given."));
  }
  return {};
}

/// A node without condition has an empty one.
bool is_condition(const Plan& plan, std::string_view name) {
  return !name.empty() &&
         std::ranges::find(plan.nodes, name, &PlanNode::condition) != plan.nodes.end();
}

const Parameter* find_parameter(std::span<const Parameter> parameters, std::string_view name) {
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

}  // namespace

ImportTable::ImportTable(const Plan& plan)
    : is_written_(plan.buffers.size()), users_(plan.buffers.size()) {
  for (std::uint32_t i = 0; i < plan.buffers.size(); ++i) {
    if (plan.buffers[i].role == BufferRole::imported) by_id_.push_back(i);
  }
  std::ranges::sort(by_id_, {}, [&](std::uint32_t i) { return plan.buffers[i].id; });
  for (const PlanDispatch& dispatch : plan.dispatches) {
    const auto& declared = plan.kernels[dispatch.kernel].bindings;
    for (const PlanBinding& bound : dispatch.bindings) {
      const auto binding = std::ranges::find(declared, bound.binding, &KernelBinding::binding);
      if (binding->access == Access::storage_read_write) is_written_[bound.buffer] = 1;
      add_user(users_[bound.buffer], dispatch.node);
    }
    if (dispatch.indirect) add_user(users_[dispatch.indirect->buffer], dispatch.node);
  }
  for (const PlanPass& pass : plan.passes) {
    if (const auto* copy = std::get_if<PlanCopy>(&pass)) {
      is_written_[copy->destination] = 1;
      add_user(users_[copy->source], copy->node);
      add_user(users_[copy->destination], copy->node);
    } else if (const auto* clear = std::get_if<PlanClear>(&pass)) {
      is_written_[clear->buffer] = 1;
      add_user(users_[clear->buffer], clear->node);
    }
  }
}

std::optional<std::uint32_t> ImportTable::find(const Plan& plan, std::string_view id) const {
  const auto id_of = [&](std::uint32_t i) -> std::string_view { return plan.buffers[i].id; };
  const auto found = std::ranges::lower_bound(by_id_, id, {}, id_of);
  if (found == by_id_.end() || id_of(*found) != id) return std::nullopt;
  return *found;
}

bool ImportTable::is_needed(std::uint32_t buffer, std::span<const char> active_nodes) const {
  return std::ranges::any_of(users_[buffer],
                             [&](std::uint32_t node) { return active_nodes[node] != 0; });
}

Result<void> resolve_conditions(const Plan& plan, std::span<const Parameter> parameters,
                                Resolution& resolution) {
  for (const Parameter& parameter : parameters) {
    if (find_parameter(parameters, parameter.name) != &parameter) {
      return fail(ErrorCode::invalid_argument,
                  concat("Parameter '", parameter.name, "' is given twice."));
    }
    if (!is_condition(plan, parameter.name)) {
      return fail(ErrorCode::invalid_argument,
                  concat("Parameter '", parameter.name, "' is no condition of the plan."));
    }
  }
  resolution.key.active_nodes.assign(plan.nodes.size(), 1);
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    const PlanNode& node = plan.nodes[i];
    if (node.condition.empty()) continue;
    const Parameter* parameter = find_parameter(parameters, node.condition);
    if (parameter == nullptr) {
      return fail(ErrorCode::invalid_argument,
                  concat("Node '", node.id, "' runs on the condition '", node.condition,
                         "', a parameter that is not given."));
    }
    resolution.key.active_nodes[i] = parameter->value ? 1 : 0;
  }
  return {};
}

Result<void> resolve_imports(Device::State& device, const Plan& plan, const ImportTable& table,
                             std::span<const Import> imports, Resolution& resolution) {
  resolution.is_cacheable = true;
  resolution.is_given.assign(plan.buffers.size(), 0);
  resolution.key.serials.assign(plan.buffers.size(), 0);
  for (const std::uint32_t index : table.imported())
    resolution.buffers[index] = nullptr;
  for (const Import& import : imports) {
    const auto index = table.find(plan, import.id);
    if (!index) {
      return fail(ErrorCode::invalid_argument,
                  concat("Import '", import.id, "' is no imported buffer of the plan."));
    }
    if (std::exchange(resolution.is_given[*index], 1) != 0) {
      return fail(ErrorCode::invalid_argument, concat("Import '", import.id, "' is given twice."));
    }
    if (!table.is_needed(*index, resolution.key.active_nodes)) continue;
    const auto resolved =
        resolve_import(device, plan.buffers[*index], *index, import.buffer, resolution);
    if (!resolved) return resolved;
  }
  if (const auto given = check_all_given(plan, table, resolution); !given) return given;
  return check_sharing(plan, table, resolution);
}

}  // namespace wgprim::native
