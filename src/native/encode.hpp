// The steps that every way of encoding shares: claim, resolve, bind, record. Used by
// Executable::encode, encode_in_pass and begin, and by Execution::encode_next.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "native/binding_sets.hpp"
#include "native/executable_state.hpp"
#include "native/recorder.hpp"
#include "wgprim/native.hpp"

namespace wgprim::native {

/// Whether the executable takes an encode of its own now. Errors: an execution is in progress, or
/// external work asks for an encode of the executable that is calling it.
Result<void> check_free(const Executable::State& state);

/// The timers of an encode, held while external work may let go of them; either may be null.
struct Timers {
  std::shared_ptr<Timer::State> timer;
  std::shared_ptr<NodeTimer::State> node_timer;
};

/// Errors: both timers, one of another device, a node timer that is too small or in use.
Result<Timers> timers_of(const Executable::State& state, const EncodeOptions& options);

/// Fills the executable's resolution; the first of the checks that precede recording.
/// Errors: those of Executable::encode.
Result<void> resolve(Executable::State& state, const EncodeOptions& options);

/// New parameters for the commands, where row counts were given; else none.
Result<std::vector<ParameterPiece>> create_row_count_parameters(Executable::State& state,
                                                                std::span<const Command> commands,
                                                                WGPUBufferUsage usage);

/// Records into the caller's encoder. Where that fails, or external work throws, no time is kept
/// and the executable can be encoded again.
Result<void> record_checked(Executable::State& state, const BindingSet& set,
                            const Recording& recording, WGPUCommandEncoder encoder);

/// Notes what became of the nodes.
void note_outcomes(Executable::State& state);

}  // namespace wgprim::native
