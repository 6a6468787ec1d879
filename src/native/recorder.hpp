// Writes a plan's commands into a command encoder. Everything was checked; nothing here can fail
// but for the encoder, which may be finished already.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "native/binding_sets.hpp"
#include "native/commands.hpp"
#include "native/error_scope.hpp"
#include "native/executable_state.hpp"
#include "native/parameters.hpp"
#include "wgprim/native.hpp"

namespace wgprim::native {

/// What an error of the encoder itself begins with.
inline constexpr std::string_view kEncoderRefuses = "The encoder takes no commands";

struct Recording {
  std::span<const Command> commands;  ///< All of the plan, or those of a step.
  /// Copied to the parameters of row counts before anything else.
  std::span<const ParameterPiece> parameters;
  /// Takes the begin of the first and the end of the last compute pass.
  const Timer::State* timer = nullptr;
  NodeTimer::State* node_timer = nullptr;  ///< Has room for the plan.
};

/// Records those of the commands whose nodes run, with the buffers of the executable's resolution,
/// and answers how many compute passes that took. Passes that follow each other become one, unless
/// nodes are timed; each dispatch keeps its label as a debug group. `scope` catches errors; it is
/// closed while work of the caller is recorded. Errors: what the scope had caught before such work;
/// what follows is not recorded then.
Result<std::uint32_t> record(Executable::State& executable, const BindingSet& set,
                             const Recording& recording, WGPUCommandEncoder encoder,
                             ErrorScope& scope);

/// Records into an open pass of the caller; every node that runs only dispatches.
void record_in_pass(Executable::State& executable, const BindingSet& set,
                    WGPUComputePassEncoder pass);

}  // namespace wgprim::native
