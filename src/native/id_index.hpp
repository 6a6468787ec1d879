// Finds the things of a plan by id: imports, nodes, conditions. Made once with an executable, so
// that an encode looks names up without a walk over the plan.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace wgprim::native {

/// Ids are not copied: what they view must outlive the index.
class IdIndex {
 public:
  struct Entry {
    std::string_view id;
    std::uint32_t index = 0;
    auto operator<=>(const Entry&) const = default;
  };

  IdIndex() = default;
  /// An id that comes twice stands for its lowest index.
  explicit IdIndex(std::vector<Entry> entries) : entries_(std::move(entries)) {
    std::ranges::sort(entries_);
    const auto repeated = std::ranges::unique(entries_, {}, &Entry::id);
    entries_.erase(repeated.begin(), repeated.end());
  }

  std::optional<std::uint32_t> find(std::string_view id) const {
    const auto found = std::ranges::lower_bound(entries_, id, {}, &Entry::id);
    if (found == entries_.end() || found->id != id) return std::nullopt;
    return found->index;
  }

  std::size_t size() const { return entries_.size(); }

 private:
  std::vector<Entry> entries_;
};

}  // namespace wgprim::native
