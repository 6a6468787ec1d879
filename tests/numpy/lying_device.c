// A fault to find: preloaded into the command-line tool, it flips a bit in the last word of every
// download of exactly LIE_IN_BYTES bytes, and leaves all others (self-tests, timestamps) alone.
// Built and used by the tests of --verify and `wgprim check`, which must notice.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef void* (*MapRange)(void* buffer, size_t offset, size_t size);

const void* wgpuBufferGetConstMappedRange(void* buffer, size_t offset, size_t size) {
  const MapRange true_range = (MapRange)dlsym(RTLD_NEXT, "wgpuBufferGetConstMappedRange");
  void* range = true_range(buffer, offset, size);
  const char* lie = getenv("LIE_IN_BYTES");
  if (range != NULL && lie != NULL && size == strtoull(lie, NULL, 10)) {
    ((uint32_t*)range)[size / sizeof(uint32_t) - 1] ^= 1;
  }
  return range;
}
