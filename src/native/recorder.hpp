// Writes a plan's commands into a command encoder. Everything was checked; nothing here can fail.
#pragma once

#include "native/binding_sets.hpp"
#include "native/executable_state.hpp"
#include "wgprim/native.hpp"

namespace wgprim::native {

/// Records the nodes that run, with the buffers of the executable's resolution. Compute passes that
/// follow each other become one; each dispatch keeps its label as a debug group.
/// `timer` (may be null) takes the begin of the first and the end of the last compute pass; the
/// answer says whether there was one.
bool record(const Executable::State& executable, const BindingSet& set, const Timer::State* timer,
            WGPUCommandEncoder encoder);

/// Records into an open pass of the caller; no node that runs may copy or clear.
void record_in_pass(const Executable::State& executable, const BindingSet& set,
                    WGPUComputePassEncoder pass);

}  // namespace wgprim::native
