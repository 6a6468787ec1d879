// Ids and the indices that stand for them: documents name nodes and buffers by id, plans and graphs
// by index. Called by the readers and writers of both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wgprim {

/// Does not own the ids: what they stand in must outlive it unchanged.
class IdTable {
 public:
  /// The next index stands for this id. False where the id has an index already.
  bool add(std::string_view id) {
    ids_.push_back(id);
    return index_by_id_.try_emplace(id, static_cast<std::uint32_t>(ids_.size() - 1)).second;
  }

  std::optional<std::uint32_t> find(std::string_view id) const {
    const auto found = index_by_id_.find(id);
    return found == index_by_id_.end() ? std::nullopt : std::optional(found->second);
  }

  /// Empty where the index stands for none.
  std::string_view id(std::uint32_t index) const {
    return index < ids_.size() ? ids_[index] : std::string_view();
  }

 private:
  std::vector<std::string_view> ids_;
  std::unordered_map<std::string_view, std::uint32_t> index_by_id_;
};

/// Of the items of a list, in its order.
template <class Items>
IdTable ids_of(const Items& items) {
  IdTable table;
  for (const auto& item : items)
    table.add(item.id);
  return table;
}

}  // namespace wgprim
