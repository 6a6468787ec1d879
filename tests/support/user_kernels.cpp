// The texts of the users' kernels in tests; see the header. tests/shaders/tint.test.mjs compiles
// them as well.
#include "support/user_kernels.hpp"

namespace wgprim::testing {

const std::vector<UserKernel>& user_kernels() {
  static const std::vector<UserKernel> kernels = {
      {R"(@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) i: vec3u) {
  if (i.x < arrayLength(&data)) { data[i.x] = i.x; }
}
)",
       {Use::storage_write}},
      {R"(@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> flags: array<u32>;
const WIDTH = 128u;
@compute @workgroup_size(WIDTH) fn flag(@builtin(global_invocation_id) i: vec3u) {
  if (i.x < min(arrayLength(&source), arrayLength(&flags))) { flags[i.x] = source[i.x] & 1u; }
}
)",
       {Use::storage_read, Use::storage_write}},
      {R"(@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read_write> kept: array<u32>;
@compute @workgroup_size(8, 4) fn scatter(@builtin(global_invocation_id) i: vec3u) {
  if (i.x < min(arrayLength(&values), arrayLength(&offsets))) {
    let place = offsets[i.x];
    if (place < arrayLength(&kept)) { kept[place] = values[i.x]; }
  }
}
)",
       {Use::storage_read, Use::storage_read, Use::storage_write}},
      {R"(@group(0) @binding(0) var<uniform> step: u32;
@group(0) @binding(1) var<storage, read_write> data: array<u32>;
override WIDTH: u32 = 32;
@compute @workgroup_size(WIDTH) fn advance(@builtin(global_invocation_id) i: vec3u) {
  if (i.x < arrayLength(&data)) { data[i.x] += step; }
}
)",
       {Use::uniform, Use::storage_read_write}},
      {R"(@group(0) @binding(0) var<storage, read_write> low: array<u32>;
@group(0) @binding(1) var<storage, read_write> high: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<u32>;
@compute @workgroup_size(1) fn split() {
  low[0] = source[0] & 0xffffu;
  high[0] = source[0] >> 16u;
}
)",
       {Use::storage_write, Use::storage_write, Use::storage_read}},
  };
  return kernels;
}

}  // namespace wgprim::testing
