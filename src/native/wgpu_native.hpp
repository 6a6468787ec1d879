// What wgpu-native offers beyond webgpu.h. Its header, wgpu.h, is included in wgpu_native.cpp only,
// so that another implementation of webgpu.h needs one other file.
#pragma once

#include <webgpu.h>

#include <vector>

#include "native/handle.hpp"

namespace wgprim::native {

/// The feature under which wgpu-native offers subgroup operations; WGPUFeatureName_Subgroups is
/// neither listed nor honoured there.
extern const WGPUFeatureName kSubgroupFeature;

/// The process's one instance, made at the first call and kept: drivers dislike being loaded twice.
WGPUInstance instance();

/// Every adapter of the instance, in its order; none through OpenGL.
std::vector<AdapterHandle> enumerate_adapters();

/// Lets callbacks of finished work run, without waiting. True where no submitted work is left.
bool poll(WGPUDevice device);

/// Nanoseconds of one timestamp tick.
double timestamp_period(WGPUQueue queue);

}  // namespace wgprim::native
