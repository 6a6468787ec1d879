// Preloaded into the command-line tool, it counts the bytes of all buffers that live at once, those
// of queue writes that are not submitted yet among them, and writes the most there ever were to the
// file PEAK_BYTES when the tool ends. The tests of --memory hold it against the bound.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <webgpu.h>

#define REAL(type) ((type)dlsym(RTLD_NEXT, __func__))

typedef struct {
  WGPUBuffer buffer;
  uint64_t bytes;
  int references;
} Entry;

static Entry entries[4096];
static uint64_t live, pending, peak;

static Entry* find(WGPUBuffer buffer) {
  for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); ++i) {
    if (entries[i].buffer == buffer) return &entries[i];
  }
  if (buffer == NULL) abort();  // No room for another.
  return NULL;
}

static void note(void) {
  if (live + pending > peak) peak = live + pending;
}

WGPUBuffer wgpuDeviceCreateBuffer(WGPUDevice device, const WGPUBufferDescriptor* descriptor) {
  WGPUBuffer buffer = REAL(WGPUProcDeviceCreateBuffer)(device, descriptor);
  if (buffer == NULL) return buffer;
  *find(NULL) = (Entry){buffer, descriptor->size, 1};
  live += descriptor->size;
  note();
  return buffer;
}

void wgpuBufferAddRef(WGPUBuffer buffer) {
  Entry* entry = find(buffer);
  if (entry != NULL) ++entry->references;
  REAL(WGPUProcBufferAddRef)(buffer);
}

void wgpuBufferRelease(WGPUBuffer buffer) {
  Entry* entry = find(buffer);
  if (entry != NULL && --entry->references == 0) {
    live -= entry->bytes;
    entry->buffer = NULL;
  }
  REAL(WGPUProcBufferRelease)(buffer);
}

void wgpuQueueWriteBuffer(WGPUQueue queue, WGPUBuffer buffer, uint64_t offset, const void* data,
                          size_t size) {
  pending += size;
  note();
  REAL(WGPUProcQueueWriteBuffer)(queue, buffer, offset, data, size);
}

void wgpuQueueSubmit(WGPUQueue queue, size_t count, WGPUCommandBuffer const* commands) {
  pending = 0;
  REAL(WGPUProcQueueSubmit)(queue, count, commands);
}

__attribute__((destructor)) static void tell(void) {
  FILE* file = fopen(getenv("PEAK_BYTES"), "w");
  if (file == NULL) abort();
  fprintf(file, "%llu\n", (unsigned long long)peak);
  fclose(file);
}
