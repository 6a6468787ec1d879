// The cache of bind groups and the way buffers take their leave of it.
#include "native/binding_sets.hpp"

#include <algorithm>

namespace wgprim::native {
namespace {

/// Enough for buffers that take turns (double and triple buffering, two branches of a condition).
constexpr std::size_t kMaxSets = 8;

}  // namespace

std::shared_ptr<const BindingSet> BindingSets::find(const BindingKey& key) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(sets_, [&](const auto& set) { return set->key == key; });
  if (found == sets_.end()) return nullptr;
  std::rotate(sets_.begin(), found, found + 1);
  return sets_.front();
}

void BindingSets::insert(std::shared_ptr<const BindingSet> set) {
  const std::lock_guard lock(mutex_);
  if (sets_.size() == kMaxSets) sets_.pop_back();
  sets_.insert(sets_.begin(), std::move(set));
}

void BindingSets::forget(std::uint64_t serial) {
  const std::lock_guard lock(mutex_);
  std::erase_if(sets_, [&](const auto& set) {
    return std::ranges::find(set->key.serials, serial) != set->key.serials.end();
  });
}

void BindingSetRegistry::add(const std::shared_ptr<BindingSets>& sets) {
  const std::lock_guard lock(mutex_);
  std::erase_if(caches_, [](const auto& cache) { return cache.expired(); });
  caches_.push_back(sets);
}

void BindingSetRegistry::forget(std::uint64_t serial) {
  const std::lock_guard lock(mutex_);
  for (const auto& cache : caches_) {
    if (const auto sets = cache.lock()) sets->forget(serial);
  }
}

}  // namespace wgprim::native
