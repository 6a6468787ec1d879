// Every entry goes free -> taken -> listed -> free. Only a listed entry's path may be read by the
// signal handler; only the thread that took an entry writes its path.
#include "io/unfinished_outputs.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>

#include "io/output_file.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::io {
namespace {

enum class State : unsigned char { free, taken, listed };

struct Entry {
  std::atomic<State> state = State::free;
  char path[PATH_MAX] = {};
};

static_assert(std::atomic<State>::is_always_lock_free, "A signal handler reads the states.");

constexpr std::size_t kMaxEntries = 64;
std::array<Entry, kMaxEntries> entries;

}  // namespace

Result<UnfinishedOutput> UnfinishedOutput::list(const std::string& path) {
  if (path.size() >= PATH_MAX) {
    return fail(ErrorCode::invalid_argument, concat("Output path '", path, "' is too long (",
                                                    path.size(), " bytes of ", PATH_MAX - 1, ")."));
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    State expected = State::free;
    if (!entries[i].state.compare_exchange_strong(expected, State::taken)) continue;
    std::memcpy(entries[i].path, path.c_str(), path.size() + 1);
    entries[i].state = State::listed;
    return UnfinishedOutput(i);
  }
  return fail(ErrorCode::limit_exceeded,
              concat("More than ", kMaxEntries, " output files are unfinished at once."));
}

UnfinishedOutput::~UnfinishedOutput() {
  if (!is_listed()) return;
  ::unlink(path());
  keep();
}

const char* UnfinishedOutput::path() const { return entries[entry_].path; }

void UnfinishedOutput::keep() {
  if (!is_listed()) return;
  entries[std::exchange(entry_, kNone)].state = State::free;
}

void remove_unfinished_outputs() noexcept {
  const int errno_of_interrupted_code = errno;
  for (const Entry& entry : entries) {
    if (entry.state == State::listed) ::unlink(entry.path);
  }
  errno = errno_of_interrupted_code;
}

}  // namespace wgprim::io
