// Makes compute pipelines. Layouts are explicit: automatic ones drop unused bindings and fit no
// other pipeline.
#include "native/pipelines.hpp"

#include <span>
#include <vector>

#include "kernels/assemble.hpp"
#include "native/device_state.hpp"
#include "native/error_scope.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::native {
namespace {

/// Each part is preceded by its length, so that no two kernels share a key.
class Key {
 public:
  void add(std::string_view part) { text_ += concat(part.size(), ":", part); }
  void add(std::uint64_t number) { text_ += concat(number, ";"); }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

std::string key_of(const PlanKernel& kernel, std::span<const std::uint64_t> least_bytes) {
  Key key;
  key.add(kernel.name);
  key.add(kernel.wgsl);
  key.add(kernel.entry_point);
  key.add(kernel.operator_wgsl);
  key.add(kernel.slots.size());
  for (const auto& [slot, fragment] : kernel.slots) {
    key.add(slot);
    key.add(fragment);
  }
  key.add(kernel.constants.size());
  for (const auto& [constant, value] : kernel.constants) {
    key.add(constant);
    key.add(value);
  }
  for (const KernelBinding& binding : kernel.bindings) {
    key.add(binding.binding);
    key.add(static_cast<std::uint64_t>(binding.access));
  }
  for (const std::uint64_t bytes : least_bytes)
    key.add(bytes);
  return std::move(key).text();
}

WGPUBufferBindingType binding_type(Access access) {
  switch (access) {
    case Access::storage_read: return WGPUBufferBindingType_ReadOnlyStorage;
    case Access::storage_read_write: return WGPUBufferBindingType_Storage;
    case Access::uniform:
    case Access::parameters: return WGPUBufferBindingType_Uniform;
  }
  return WGPUBufferBindingType_Uniform;
}

BindGroupLayoutHandle create_layout(WGPUDevice device, const PlanKernel& kernel,
                                    std::span<const std::uint64_t> least_bytes) {
  std::vector<WGPUBindGroupLayoutEntry> entries;
  for (std::size_t i = 0; i < kernel.bindings.size(); ++i) {
    const KernelBinding& binding = kernel.bindings[i];
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.binding = binding.binding;
    entry.visibility = WGPUShaderStage_Compute;
    entry.buffer.type = binding_type(binding.access);
    entry.buffer.minBindingSize = least_bytes[i];
    entries.push_back(entry);
  }
  WGPUBindGroupLayoutDescriptor descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
  descriptor.label = to_webgpu(kernel.name);
  descriptor.entryCount = entries.size();
  descriptor.entries = entries.data();
  return BindGroupLayoutHandle(wgpuDeviceCreateBindGroupLayout(device, &descriptor));
}

PipelineLayoutHandle create_pipeline_layout(WGPUDevice device, WGPUBindGroupLayout group,
                                            const PlanKernel& kernel) {
  WGPUPipelineLayoutDescriptor descriptor = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
  descriptor.label = to_webgpu(kernel.name);
  descriptor.bindGroupLayoutCount = 1;
  descriptor.bindGroupLayouts = &group;
  return PipelineLayoutHandle(wgpuDeviceCreatePipelineLayout(device, &descriptor));
}

ShaderModuleHandle create_module(WGPUDevice device, std::string_view wgsl,
                                 const PlanKernel& kernel) {
  WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
  source.code = to_webgpu(wgsl);
  WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
  descriptor.nextInChain = &source.chain;
  descriptor.label = to_webgpu(kernel.name);
  return ShaderModuleHandle(wgpuDeviceCreateShaderModule(device, &descriptor));
}

/// Without a name the entry point is the text's only one.
ComputePipelineHandle create_compute(WGPUDevice device, WGPUPipelineLayout layout,
                                     WGPUShaderModule module, const PlanKernel& kernel) {
  std::vector<WGPUConstantEntry> constants;
  for (const auto& [name, value] : kernel.constants) {
    WGPUConstantEntry entry = WGPU_CONSTANT_ENTRY_INIT;
    entry.key = to_webgpu(name);
    entry.value = value;
    constants.push_back(entry);
  }
  WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
  descriptor.label = to_webgpu(kernel.name);
  descriptor.layout = layout;
  descriptor.compute.module = module;
  if (!kernel.entry_point.empty()) {
    descriptor.compute.entryPoint = to_webgpu(kernel.entry_point);
  }
  descriptor.compute.constantCount = constants.size();
  descriptor.compute.constants = constants.data();
  return ComputePipelineHandle(wgpuDeviceCreateComputePipeline(device, &descriptor));
}

/// The kernel table says whether a kernel of it uses subgroups, whatever a plan claims.
Result<void> check_subgroups(const Device::State& device, const PlanKernel& kernel) {
  const auto needs = kernels::needs_of(kernel);
  if (!needs) return pass_on(needs);
  if (!needs->subgroups || device.allowed.subgroups) return {};
  return fail(ErrorCode::unsupported,
              concat("Kernel '", kernel.name, "' uses subgroup operations, which this device (",
                     device.adapter.name, ") does not offer or was asked to leave out."));
}

Result<std::shared_ptr<const Pipeline>> create_pipeline(
    Device::State& device, const PlanKernel& kernel, std::span<const std::uint64_t> least_bytes) {
  const Result<std::string> wgsl = kernels::assemble(kernel, kernels::Dialect::naga);
  if (!wgsl) return pass_on(wgsl);
  const std::string context = concat("Kernel '", kernel.name, "' does not compile");
  const WGPUDevice handle = device.device.get();
  auto pipeline = std::make_shared<Pipeline>();
  // The module comes first and alone: a second error would only repeat that the module is invalid.
  ErrorScope module_scope(device);
  const ShaderModuleHandle module = create_module(handle, *wgsl, kernel);
  if (auto error = module_scope.close(ErrorCode::invalid_argument, context)) {
    return std::unexpected(std::move(*error));
  }
  ErrorScope pipeline_scope(device);
  pipeline->layout = create_layout(handle, kernel, least_bytes);
  const auto layout = create_pipeline_layout(handle, pipeline->layout.get(), kernel);
  pipeline->pipeline = create_compute(handle, layout.get(), module.get(), kernel);
  if (auto error = pipeline_scope.close(ErrorCode::invalid_argument, context)) {
    return std::unexpected(std::move(*error));
  }
  ++device.pipelines_created;
  return pipeline;
}

}  // namespace

Result<std::shared_ptr<const Pipeline>> PipelineCache::find_or_create(
    Device::State& device, const PlanKernel& kernel, std::span<const std::uint64_t> least_bytes) {
  if (const auto offered = check_subgroups(device, kernel); !offered) return pass_on(offered);
  std::string key = key_of(kernel, least_bytes);
  const std::lock_guard lock(mutex_);
  if (const auto found = pipelines_.find(key); found != pipelines_.end()) return found->second;
  auto pipeline = create_pipeline(device, kernel, least_bytes);
  if (pipeline) pipelines_.emplace(std::move(key), *pipeline);
  return pipeline;
}

}  // namespace wgprim::native
