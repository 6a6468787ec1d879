// Random rows; see the header.
#include "reference/random_rows.hpp"

#include <algorithm>
#include <random>

namespace wgprim::reference {

std::vector<std::uint32_t> random_rows(std::uint64_t rows, std::uint64_t seed) {
  std::mt19937_64 random(seed ^ 0x9e3779b97f4a7c15u);  // Apart from the sequence that picks cases.
  std::vector<std::uint32_t> words(rows);
  std::ranges::generate(words, [&] { return static_cast<std::uint32_t>(random()); });
  return words;
}

}  // namespace wgprim::reference
