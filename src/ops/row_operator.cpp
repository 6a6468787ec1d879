// Operators and formats to fragments; see the header.
#include "ops/row_operator.hpp"

#include <algorithm>

#include "kernels/custom_operator.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

std::string_view order_of(Format format) {
  switch (format) {
    case Format::int32: return "order_i32";
    case Format::uint64: return "order_u64";
    case Format::int64: return "order_i64";
    default: return "order_u32";
  }
}

std::string_view sum_of(Format format) {
  switch (format) {
    case Format::float32: return "op_add_f32";
    case Format::uint64:
    case Format::int64: return "op_add_u64";
    default: return "op_add";
  }
}

bool is_record(Format format) {
  return format == Format::uint32x2 || format == Format::uint32x3 || format == Format::uint32x4;
}

Result<RowOperator> custom(const Operator& op, std::uint64_t format_words, std::string_view what) {
  if (op.words != format_words) {
    return fail(ErrorCode::invalid_argument,
                concat("The operator of ", what, " takes rows of ", op.words,
                       op.words == 1 ? " word" : " words", ", not of ", format_words, "."));
  }
  if (auto ok = kernels::check_operator(op.wgsl); !ok) {
    return fail(ok.error().code, concat("In ", what, ": ", ok.error().message));
  }
  return RowOperator{.words = op.words, .fragment = "op_custom", .wgsl = op.wgsl};
}

}  // namespace

Result<RowOperator> row_operator(const Operator& op, Format format, std::string_view what) {
  const std::uint64_t words = row_bytes(format) / 4;
  if (op.kind == OperatorKind::custom) return custom(op, words, what);
  if (is_record(format)) {
    return fail(ErrorCode::invalid_argument,
                concat("The rows of ", what, " are ", to_string(format),
                       " records, which only a custom operator combines."));
  }
  RowOperator row{.words = static_cast<std::uint32_t>(words)};
  if (op.kind == OperatorKind::sum) {
    row.fragment = sum_of(format);
  } else {
    row.fragment = op.kind == OperatorKind::min ? "op_min" : "op_max";
    row.order = order_of(format);
    if (format == Format::float32) {
      row.code = op.kind == OperatorKind::min ? "code_f32_min" : "code_f32_max";
    }
  }
  return row;
}

}  // namespace wgprim
