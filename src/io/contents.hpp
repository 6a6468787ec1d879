// Bringing the bytes of a file or stream into memory, and memory that grows without exceptions.
// Called by array_file.cpp and text_file.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "wgprim/result.hpp"

namespace wgprim::io {

/// Bytes and their owner, which unmaps or frees them.
struct Contents {
  std::shared_ptr<const void> storage;
  std::span<const std::byte> bytes;
};

/// "Input 'a.npy'", "Standard input": how errors' sentences begin.
std::string subject_of(const std::string& path);

/// The most bytes that an input may have. Streams and devices may never end.
struct SizeBounds {
  std::uint64_t file = std::numeric_limits<std::uint64_t>::max();    ///< Of what is mapped,
  std::uint64_t stream = std::numeric_limits<std::uint64_t>::max();  ///< and of what is read.
};

/// The bytes of `path`, or of standard input for "-". Regular files are mapped.
/// Errors: io for what cannot be opened or read; out_of_memory; invalid_file for more than
/// `bounds`, beyond which nothing is read.
Result<Contents> load(const std::string& path, std::string_view subject, SizeBounds bounds = {});

/// The same bytes at an address that is a multiple of `alignment`, copied where they have to be.
/// Errors: out_of_memory.
Result<Contents> align(Contents data, std::size_t alignment, std::string_view subject);

}  // namespace wgprim::io
