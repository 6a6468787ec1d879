// From fragments and descriptions to the oracle's operators; see the header.
#include "support/kernel_operator.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "kernels/kernel_table.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

using reference::ElementType;
using reference::RowOperator;

const char* const kLastNonzero = R"(fn identity() -> Element { return 0u; }
fn combine(a: Element, b: Element) -> Element { return select(a, b, b != 0u); }
)";

const char* const kAffine = R"(fn identity() -> Element { return vec2u(1u, 0u); }
fn combine(a: Element, b: Element) -> Element { return vec2u(b.x * a.x, b.x * a.y + b.y); }
)";

const char* const kUnitriangular = R"(fn identity() -> Element { return vec3u(); }
fn combine(a: Element, b: Element) -> Element {
  return vec3u(a.xy + b.xy, a.z + b.z + a.x * b.y);
}
)";

const char* const kMatrices = R"(fn identity() -> Element { return vec4u(1u, 0u, 0u, 1u); }
fn row_by(a: vec2u, b: Element) -> vec2u { return a.x * b.xy + a.y * b.zw; }
fn combine(a: Element, b: Element) -> Element { return vec4u(row_by(a.xy, b), row_by(a.zw, b)); }
)";

RowOperator custom(std::string_view wgsl) {
  for (const CustomOperator& known : custom_operators()) {
    if (known.wgsl == wgsl) return known.oracle;
  }
  throw std::runtime_error(concat("no custom operator has the text\n", wgsl));
}

ElementType type_of(Format format) {
  switch (format) {
    case Format::uint32: return ElementType::u32;
    case Format::int32: return ElementType::i32;
    case Format::float32: return ElementType::f32;
    case Format::uint64: return ElementType::u64;
    case Format::int64: return ElementType::i64;
    default: throw std::runtime_error(concat("records are no numbers: ", to_string(format)));
  }
}

/// Keys of f32 rows are ordered as u32.
ElementType type_of_order(std::string_view fragment, std::string_view code) {
  if (code.starts_with("code_f32")) return ElementType::f32;
  for (const ElementType type : reference::element_types()) {
    if (fragment == concat("order_", reference::to_string(type))) return type;
  }
  throw std::runtime_error(concat("no type is ordered by ", fragment));
}

/// Calls visit for the kernel's file and each file that it imports.
template <class Visit>
void each_file(const PlanKernel& kernel, const Visit& visit) {
  const kernels::ShaderFile* file = kernels::find_shader_file(kernel.name);
  if (file == nullptr) throw std::runtime_error(concat("no kernel is called ", kernel.name));
  visit(*file);
  for (const std::string_view import : file->imports)
    visit(*kernels::find_shader_file(import));
}

}  // namespace

std::span<const CustomOperator> custom_operators() {
  static const std::vector<CustomOperator> kOperators = {
      {"last_nonzero", kLastNonzero, reference::last_nonzero()},
      {"affine", kAffine, reference::affine_composition()},
      {"unitriangular", kUnitriangular, reference::unitriangular_product()},
      {"matrices", kMatrices, reference::matrix_product()}};
  return kOperators;
}

std::string_view fragment_of(const PlanKernel& kernel, std::string_view slot) {
  for (const auto& [name, fragment] : kernel.slots) {
    if (name == slot) return fragment;
  }
  std::string_view found;
  each_file(kernel, [&](const kernels::ShaderFile& file) {
    for (const auto& declared : file.slots) {
      if (declared.name == slot) found = declared.default_fragment;
    }
  });
  return found;
}

std::uint32_t constant_of(const PlanKernel& kernel, std::string_view name) {
  for (const auto& [given, value] : kernel.constants) {
    if (given == name) return value;
  }
  std::uint32_t found = 0;
  each_file(kernel, [&](const kernels::ShaderFile& file) {
    for (const auto& declared : file.overrides) {
      if (declared.name == name) found = declared.value;
    }
  });
  return found;
}

RowOperator operator_of(const PlanKernel& kernel) {
  const std::string_view fragment = fragment_of(kernel, "operator");
  if (fragment == "op_add") return reference::sum_of(ElementType::u32);
  if (fragment == "op_add_f32") return reference::sum_of(ElementType::f32);
  if (fragment == "op_add_u64") return reference::sum_of(ElementType::u64);
  if (fragment == "op_custom") return custom(kernel.operator_wgsl);
  const ElementType type = type_of_order(fragment_of(kernel, "order"), fragment_of(kernel, "code"));
  if (fragment == "op_min") return reference::min_of(type);
  if (fragment == "op_max") return reference::max_of(type);
  throw std::runtime_error(concat("no operator is called ", fragment));
}

RowOperator oracle_of(const Operator& op, Format format) {
  switch (op.kind) {
    case OperatorKind::sum: return reference::sum_of(type_of(format));
    case OperatorKind::min: return reference::min_of(type_of(format));
    case OperatorKind::max: return reference::max_of(type_of(format));
    case OperatorKind::custom: break;
  }
  return custom(op.wgsl);
}

}  // namespace wgprim::testing
