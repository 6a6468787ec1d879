// Reading a whole text file: graphs, and the shaders they name. Called by the command line.
#pragma once

#include <cstdint>
#include <string>

#include "wgprim/result.hpp"

namespace wgprim::io {

/// The largest text that is read: a graph of a million nodes fits.
inline constexpr std::uint64_t kMostTextBytes = std::uint64_t{256} << 20;

/// The text of `path`, or of standard input for "-". Errors: io for what cannot be opened or read,
/// invalid_file for more than kMostTextBytes, out_of_memory.
Result<std::string> read_text(const std::string& path);

}  // namespace wgprim::io
