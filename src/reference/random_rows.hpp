// The rows that random cases are made of. Shared by `wgprim check` and the tests, so that the
// command line a failed test prints repeats that very case.
#pragma once

#include <cstdint>
#include <vector>

namespace wgprim::reference {

/// `rows` words over the whole range, the same for the same seed on every machine.
std::vector<std::uint32_t> random_rows(std::uint64_t rows, std::uint64_t seed);

}  // namespace wgprim::reference
