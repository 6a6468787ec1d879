// Faults to find, preloaded into the command-line tool by tests that see whether it notices:
//  - LIE_IN_BYTES: a bit is flipped in the last word of every download of exactly so many bytes,
//    from the LIE_FROM-th on (1 unless told). Others (self-tests, timestamps) are left alone.
//  - COARSE_IN_BYTES: in every download of exactly so many bytes each 64-bit word is rounded down
//    to a multiple of COARSE_STEP, as timestamps of a coarse clock are.
//  - SWAP_TIMES_EVERY: every Nth timed pass writes its end as its beginning and its beginning as
//    its end, so that it seems to take negative time.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <webgpu.h>

static uint64_t number(const char* variable, uint64_t otherwise) {
  const char* text = getenv(variable);
  return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

static void lie(uint32_t* words, size_t size) {
  static uint64_t downloads = 0;
  if (++downloads >= number("LIE_FROM", 1)) words[size / sizeof(uint32_t) - 1] ^= 1;
}

static void coarsen(uint64_t* times, size_t size) {
  for (size_t i = 0; i < size / sizeof(uint64_t); ++i)
    times[i] -= times[i] % number("COARSE_STEP", 1);
}

const void* wgpuBufferGetConstMappedRange(WGPUBuffer buffer, size_t offset, size_t size) {
  void* range =
      (void*)((WGPUProcBufferGetConstMappedRange)dlsym(RTLD_NEXT, __func__))(buffer, offset, size);
  if (range != NULL && size == number("LIE_IN_BYTES", 0)) lie(range, size);
  if (range != NULL && size == number("COARSE_IN_BYTES", 0)) coarsen(range, size);
  return range;
}

WGPUComputePassEncoder wgpuCommandEncoderBeginComputePass(
    WGPUCommandEncoder encoder, const WGPUComputePassDescriptor* descriptor) {
  static uint64_t timed_passes = 0;
  WGPUComputePassDescriptor copy = *descriptor;
  WGPUPassTimestampWrites times;
  const uint64_t every = number("SWAP_TIMES_EVERY", 0);
  if (copy.timestampWrites != NULL && every > 0 && ++timed_passes % every == 0) {
    times = *copy.timestampWrites;
    times.beginningOfPassWriteIndex = copy.timestampWrites->endOfPassWriteIndex;
    times.endOfPassWriteIndex = copy.timestampWrites->beginningOfPassWriteIndex;
    copy.timestampWrites = &times;
  }
  return ((WGPUProcCommandEncoderBeginComputePass)dlsym(RTLD_NEXT, __func__))(encoder, &copy);
}
