// From the imports of one encode to the buffers behind the plan's: every mistake that a caller can
// make there is found here, before anything is recorded. Called by Executable::encode, begin and
// set_default, and by each step of an execution.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "native/commands.hpp"
#include "native/device_state.hpp"
#include "native/id_index.hpp"
#include "native/resolution.hpp"
#include "wgprim/native.hpp"

namespace wgprim::native {

/// What resolving wants to know of a plan again and again.
class ImportTable {
 public:
  ImportTable(const Plan& plan, const CommandList& commands);

  /// The plan's buffer of that id if it is an imported one.
  std::optional<std::uint32_t> find(std::string_view id) const { return by_id_.find(id); }
  /// Imported buffers, ascending.
  std::span<const std::uint32_t> imported() const { return imported_; }
  bool is_written(std::uint32_t buffer) const { return is_written_[buffer] != 0; }
  /// The imported buffers that a node uses, each once.
  std::span<const std::uint32_t> used_by(std::uint32_t node) const {
    return std::span(uses_).subspan(first_use_[node], first_use_[node + 1] - first_use_[node]);
  }

 private:
  IdIndex by_id_;
  std::vector<std::uint32_t> imported_;
  std::vector<char> is_written_;          ///< By buffer.
  std::vector<std::uint32_t> uses_;       ///< Of all nodes, node by node.
  std::vector<std::uint32_t> first_use_;  ///< By node, and one more.
};

/// A buffer that the library keeps for an import: a default, or of an execution.
struct HeldBuffer {
  std::optional<Buffer> buffer;  ///< Nothing where none is held.
  bool is_probed = false;        ///< It was given as a WGPUBuffer.

  ImportSource source() const { return {.buffer = &*buffer, .is_probed = is_probed}; }
};

/// What a caller gives for import `name`. Errors: a null buffer or handle.
Result<ImportSource> source_of(const ImportedHandle& given, std::string_view name);

/// Takes a reference to a source's buffer.
HeldBuffer hold(const std::shared_ptr<Device::State>& device, const ImportSource& source);

/// Errors: a buffer that is destroyed, mapped or of another device.
Result<void> check_source(Device::State& device, const ImportSource& source, std::string_view name);

/// What stands behind each import that a running node uses: what is given, else its default (by
/// plan buffer; may be empty); needs the conditions resolved. Errors: invalid_argument, aliasing.
Result<void> resolve_imports(Device::State& device, const Plan& plan, const ImportTable& table,
                             std::span<const Import> imports, std::span<const HeldBuffer> defaults,
                             Resolution& resolution);

}  // namespace wgprim::native
