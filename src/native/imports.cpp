// Resolves the imports of an encode.
#include "native/imports.hpp"

#include <algorithm>

#include "native/buffer_state.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::native {
namespace {

/// Calls `use(buffer, is_written)` for each buffer that the dispatch names.
template <class Use>
void for_each_use(const Plan& plan, const PlanDispatch& dispatch, const Use& use) {
  // Bindings come in the kernel's order, `parameters` left out.
  auto declared = plan.kernels[dispatch.kernel].bindings.begin();
  for (const PlanBinding& bound : dispatch.bindings) {
    while (declared->binding != bound.binding)
      ++declared;
    use(bound.buffer, declared->access == Access::storage_read_write);
  }
  if (dispatch.indirect) use(dispatch.indirect->buffer, false);
}

template <class Use>
void for_each_use(const Plan& plan, const Command& command, const Use& use) {
  if (command.kind == Command::Kind::dispatch) {
    return for_each_use(plan, plan.dispatches[command.index], use);
  }
  const PlanPass& pass = plan.passes[command.index];
  if (const auto* copy = std::get_if<PlanCopy>(&pass)) {
    use(copy->source, false);
    use(copy->destination, true);
  } else if (const auto* clear = std::get_if<PlanClear>(&pass)) {
    use(clear->buffer, true);
  } else {
    for (const PlanExternalUse& external : std::get<PlanExternal>(pass).uses)
      use(external.buffer, external.is_written);
  }
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

void mark_needed(const Plan& plan, const ImportTable& table, Resolution& resolution) {
  resolution.is_needed.assign(plan.buffers.size(), 0);
  for (std::uint32_t node = 0; node < plan.nodes.size(); ++node) {
    if (resolution.key.active_nodes[node] == 0) continue;
    for (const std::uint32_t buffer : table.used_by(node))
      resolution.is_needed[buffer] = 1;
  }
}

Result<void> take_given(const ImportTable& table, std::span<const Import> imports,
                        Resolution& resolution) {
  for (const Import& import : imports) {
    const auto index = table.find(import.id);
    if (!index) {
      return fail(ErrorCode::invalid_argument,
                  concat("Import '", import.id, "' is no imported buffer of the plan."));
    }
    if (std::exchange(resolution.is_given[*index], 1) != 0) {
      return fail(ErrorCode::invalid_argument, concat("Import '", import.id, "' is given twice."));
    }
    if (resolution.is_needed[*index] == 0) continue;
    const auto source = source_of(import.buffer, import.id);
    if (!source) return pass_on(source);
    resolution.sources[*index] = *source;
  }
  return {};
}

/// Takes in what is given for one import, or the error it deserves.
Result<void> bind_import(Device::State& device, const PlanBuffer& wanted, std::uint32_t index,
                         Resolution& resolution) {
  const ImportSource& source = resolution.sources[index];
  if (const auto checked = check_source(device, source, wanted.id); !checked) return checked;
  resolution.buffers[index] = source.handle();
  if (source.buffer != nullptr) {
    resolution.key.serials[index] = source.buffer->state()->serial;
  } else {
    resolution.is_cacheable = false;
  }
  return check_fits(wanted, resolution.buffers[index]);
}

}  // namespace

ImportTable::ImportTable(const Plan& plan, const CommandList& commands)
    : is_written_(plan.buffers.size()) {
  std::vector<IdIndex::Entry> ids;
  for (std::uint32_t i = 0; i < plan.buffers.size(); ++i) {
    if (plan.buffers[i].role != BufferRole::imported) continue;
    imported_.push_back(i);
    ids.push_back({plan.buffers[i].id, i});
  }
  by_id_ = IdIndex(std::move(ids));
  std::vector<std::uint32_t> last_user(plan.buffers.size(), 0);  // Plus one; 0: none yet.
  for (std::uint32_t node = 0; node < plan.nodes.size(); ++node) {
    first_use_.push_back(static_cast<std::uint32_t>(uses_.size()));
    for (const Command& command : commands.of_nodes(node, node + 1)) {
      for_each_use(plan, command, [&](std::uint32_t buffer, bool is_written) {
        if (is_written) is_written_[buffer] = 1;
        const bool is_known = std::exchange(last_user[buffer], node + 1) == node + 1;
        if (!is_known && plan.buffers[buffer].role == BufferRole::imported) uses_.push_back(buffer);
      });
    }
  }
  first_use_.push_back(static_cast<std::uint32_t>(uses_.size()));
}

Result<ImportSource> source_of(const ImportedHandle& given, std::string_view name) {
  ImportSource source;
  if (const auto* buffer = std::get_if<const Buffer*>(&given)) {
    source.buffer = *buffer;
  } else {
    source.bare = std::get<WGPUBuffer>(given);
    source.is_probed = true;
  }
  if (source.buffer != nullptr || source.bare != nullptr) return source;
  return fail(ErrorCode::invalid_argument, concat("Import '", name, "' is a null ",
                                                  source.is_probed ? "WGPUBuffer." : "Buffer."));
}

HeldBuffer hold(const std::shared_ptr<Device::State>& device, const ImportSource& source) {
  if (source.buffer != nullptr) return {*source.buffer, source.is_probed};
  wgpuBufferAddRef(source.bare);
  return {Buffer::State::create(device, BufferHandle(source.bare)), source.is_probed};
}

Result<void> check_source(Device::State& device, const ImportSource& source,
                          std::string_view name) {
  if (source.is_probed) return check_available(device, source.handle(), name);
  return check_usable(*source.buffer, device, name);
}

Result<void> resolve_imports(Device::State& device, const Plan& plan, const ImportTable& table,
                             std::span<const Import> imports, std::span<const HeldBuffer> defaults,
                             Resolution& resolution) {
  resolution.is_cacheable = true;
  resolution.is_given.assign(plan.buffers.size(), 0);
  resolution.key.serials.assign(plan.buffers.size(), 0);
  resolution.sources.assign(plan.buffers.size(), {});
  for (const std::uint32_t index : table.imported())
    resolution.buffers[index] = nullptr;
  mark_needed(plan, table, resolution);
  if (const auto taken = take_given(table, imports, resolution); !taken) return taken;
  for (const std::uint32_t index : table.imported()) {
    if (resolution.is_needed[index] == 0) continue;
    const bool has_default = index < defaults.size() && defaults[index].buffer.has_value();
    if (resolution.is_given[index] == 0) {
      if (!has_default) {
        return fail(ErrorCode::invalid_argument,
                    concat("Import '", plan.buffers[index].id, "' is not given."));
      }
      resolution.sources[index] = defaults[index].source();
    }
    const auto bound = bind_import(device, plan.buffers[index], index, resolution);
    if (!bound) return bound;
  }
  return check_sharing(plan, table, resolution);
}

}  // namespace wgprim::native
