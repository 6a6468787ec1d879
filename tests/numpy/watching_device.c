// Preloaded into the command-line tool, it writes a word a line to the file WATCHED_CALLS: `clear`
// for a buffer cleared, a kernel's label for its dispatch, `submit` for a submit. The tests of the
// benchmark read the order of its work there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <webgpu.h>

static void write_line(WGPUStringView word) {
  FILE* file = fopen(getenv("WATCHED_CALLS"), "a");
  if (file == NULL) abort();
  fprintf(file, "%.*s\n", (int)word.length, word.data);
  fclose(file);
}

void wgpuCommandEncoderClearBuffer(WGPUCommandEncoder encoder, WGPUBuffer buffer, uint64_t offset,
                                   uint64_t size) {
  write_line((WGPUStringView){"clear", 5});
  ((WGPUProcCommandEncoderClearBuffer)dlsym(RTLD_NEXT, __func__))(encoder, buffer, offset, size);
}

void wgpuComputePassEncoderPushDebugGroup(WGPUComputePassEncoder pass, WGPUStringView label) {
  write_line(label);
  ((WGPUProcComputePassEncoderPushDebugGroup)dlsym(RTLD_NEXT, __func__))(pass, label);
}

void wgpuQueueSubmit(WGPUQueue queue, size_t count, WGPUCommandBuffer const* commands) {
  write_line((WGPUStringView){"submit", 6});
  ((WGPUProcQueueSubmit)dlsym(RTLD_NEXT, __func__))(queue, count, commands);
}
