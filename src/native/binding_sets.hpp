// Bind groups of one executable, by the buffers behind its imports. A set is dropped as soon as one
// of its buffers goes, so that the cache never keeps a caller's memory alive.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "native/handle.hpp"
#include "wgprim/native.hpp"

namespace wgprim::native {

/// What one encode binds: an identity for each import, a mark for each node that runs, and whether
/// the parameters are those of the plan or of row counts.
struct BindingKey {
  std::vector<std::uint64_t> serials;  ///< A buffer's serial number; 0 where nothing is bound.
  std::vector<char> active_nodes;
  bool has_row_counts = false;
  bool operator==(const BindingKey&) const = default;
};

struct BindingSet {
  BindingKey key;
  std::vector<BindGroupHandle> groups;  ///< One a dispatch; null where its node does not run.
};

/// The most recently used sets of an executable.
class BindingSets {
 public:
  std::shared_ptr<const BindingSet> find(const BindingKey& key);
  void insert(std::shared_ptr<const BindingSet> set);
  /// Drops every set that holds the buffer.
  void forget(std::uint64_t serial);

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<const BindingSet>> sets_;  ///< Most recently used first.
};

/// The bind groups for the resolved buffers of an executable, from its cache or made.
/// Errors: invalid_argument (what WebGPU refuses), out_of_memory, device_lost.
Result<std::shared_ptr<const BindingSet>> find_or_create_binding_set(Executable::State& state);

/// The same with the buffers given for the parameters of row counts, and never cached.
Result<std::shared_ptr<const BindingSet>> create_binding_set(
    Executable::State& state, std::span<const WGPUBuffer> row_count_parameters);

/// The caches of all executables of a device, told when a buffer goes.
class BindingSetRegistry {
 public:
  void add(const std::shared_ptr<BindingSets>& sets);
  void forget(std::uint64_t serial);

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<BindingSets>> caches_;
};

}  // namespace wgprim::native
