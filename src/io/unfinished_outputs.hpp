// The list of temporary files that must not outlive the process. It is a fixed table of atomics and
// character arrays, so that a signal handler can walk it. Used by output_file.cpp only; callers
// find remove_unfinished_outputs() in output_file.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "wgprim/result.hpp"

namespace wgprim::io {

/// One path of the list. The file is removed when this object goes, unless it was kept. Move-only.
class UnfinishedOutput {
 public:
  /// Lists `path` (absolute, below PATH_MAX) before its file is made, so that no signal falls
  /// between the two. Error: limit_exceeded with 64 outputs listed, invalid_argument for the
  /// length.
  static Result<UnfinishedOutput> list(const std::string& path);

  UnfinishedOutput() = default;
  UnfinishedOutput(UnfinishedOutput&& other) noexcept
      : entry_(std::exchange(other.entry_, kNone)) {}
  UnfinishedOutput& operator=(UnfinishedOutput&& other) noexcept {
    std::swap(entry_, other.entry_);
    return *this;
  }
  ~UnfinishedOutput();

  bool is_listed() const { return entry_ != kNone; }
  const char* path() const;

  /// Takes the path off the list and leaves its file, if any, alone.
  void keep();

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  explicit UnfinishedOutput(std::size_t entry) : entry_(entry) {}

  std::size_t entry_ = kNone;
};

}  // namespace wgprim::io
