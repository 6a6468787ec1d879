// Lanes run one after the other here; what the kernel does between two barriers is one loop over
// them.
#include "reference/block_ladder.hpp"

#include <cstddef>

namespace wgprim::reference {

std::vector<std::vector<std::uint32_t>> trace_block_ladder(std::span<const std::uint32_t> values) {
  const std::size_t lanes = values.size();
  std::vector<std::uint32_t> partial(values.begin(), values.end());  // Workgroup memory.
  std::vector<std::uint32_t> left(lanes);                            // A register of each lane.
  std::vector<std::vector<std::uint32_t>> rounds;

  for (std::size_t distance = 1; distance < lanes; distance *= 2) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      left[lane] = lane >= distance ? partial[lane - distance] : 0;
    }
    // workgroupBarrier(): every lane has read `partial` before any lane writes it.
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      partial[lane] += left[lane];
    }
    // workgroupBarrier(): every lane has written `partial` before any lane reads the next round.
    rounds.push_back(partial);
  }
  return rounds;
}

}  // namespace wgprim::reference
