// What one encode works on: which nodes run, on how many rows, and the buffers behind the plan's.
// Kept by the executable, so that the next encode allocates nothing; an execution fills it once for
// all its steps. Filled by conditions, node options and imports, read by the recorder.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "native/binding_sets.hpp"
#include "native/handle.hpp"
#include "wgprim/native.hpp"

namespace wgprim::native {

/// Acts as any capacity.
inline constexpr std::uint64_t kAllRows = ~std::uint64_t{0};

/// The buffer given for an import.
struct ImportSource {
  const Buffer* buffer = nullptr;
  WGPUBuffer bare = nullptr;  ///< Where `buffer` is null.
  bool is_probed = false;     ///< Its owner may map or destroy it unseen.

  WGPUBuffer handle() const { return buffer != nullptr ? buffer->handle() : bare; }
};

using ExternalFunction = std::function<void(const ExternalWork&)>;

struct Resolution {
  BindingKey key;

  std::vector<char> conditions;     ///< By the first node with the condition; see ConditionTable.
  std::vector<std::uint64_t> rows;  ///< By node; only where key.has_row_counts.
  std::vector<const ExternalFunction*> calls;  ///< By node, where the plan has external work.

  std::vector<WGPUBuffer> buffers;    ///< By plan buffer; null for an import that nothing needs.
  std::vector<ImportSource> sources;  ///< By plan buffer.
  std::vector<char> is_given;         ///< By plan buffer.
  std::vector<char> is_needed;        ///< By plan buffer: an import that a running node uses.
  bool is_cacheable = true;           ///< False where the caller gave a bare WGPUBuffer.

  // Room to work in.
  std::vector<std::pair<WGPUBuffer, std::uint32_t>> by_handle;  ///< For finding shared buffers.
  std::vector<ExternalBuffer> external_buffers;
  std::vector<BufferHandle> held;  ///< The imports, while external work may let go of them.
};

}  // namespace wgprim::native
