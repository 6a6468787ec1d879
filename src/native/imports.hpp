// From the imports and parameters of one encode to the buffers behind the plan's: every mistake
// that a caller can make there is found here, before anything is recorded. Called by
// Executable::encode.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "native/binding_sets.hpp"
#include "native/device_state.hpp"
#include "wgprim/native.hpp"

namespace wgprim::native {

/// What resolving wants to know of a plan again and again.
class ImportTable {
 public:
  explicit ImportTable(const Plan& plan);

  /// The plan's buffer of that id if it is an imported one.
  std::optional<std::uint32_t> find(const Plan& plan, std::string_view id) const;
  std::span<const std::uint32_t> imported() const { return by_id_; }
  bool is_written(std::uint32_t buffer) const { return is_written_[buffer] != 0; }
  /// Whether a node that runs uses the buffer.
  bool is_needed(std::uint32_t buffer, std::span<const char> active_nodes) const;

 private:
  std::vector<std::uint32_t> by_id_;               ///< Imported buffers, sorted by id.
  std::vector<char> is_written_;                   ///< By buffer.
  std::vector<std::vector<std::uint32_t>> users_;  ///< By buffer: the nodes that use it, ascending.
};

/// What one encode works on. Kept by the executable, so that the next encode allocates nothing.
struct Resolution {
  std::vector<WGPUBuffer> buffers;  ///< By plan buffer; null for an import that nothing needs.
  BindingKey key;
  bool is_cacheable = true;    ///< False where a bare WGPUBuffer is among the imports.
  std::vector<char> is_given;  ///< By plan buffer.
  std::vector<std::pair<WGPUBuffer, std::uint32_t>> by_handle;  ///< For finding shared buffers.
};

/// Which nodes run. Errors: a missing, unknown or repeated parameter.
Result<void> resolve_conditions(const Plan& plan, std::span<const Parameter> parameters,
                                Resolution& resolution);

/// What stands behind each import; needs the conditions resolved.
/// Errors: invalid_argument, aliasing.
Result<void> resolve_imports(Device::State& device, const Plan& plan, const ImportTable& table,
                             std::span<const Import> imports, Resolution& resolution);

}  // namespace wgprim::native
