// Edits of kernel texts; see the header.
#include "support/mutation.hpp"

#include <stdexcept>

#include "kernels/assemble.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

constexpr std::string_view kBarrier = "workgroupBarrier();";

}  // namespace

std::size_t count_barriers(std::string_view wgsl) {
  std::size_t count = 0;
  for (auto at = wgsl.find(kBarrier); at != wgsl.npos; at = wgsl.find(kBarrier, at + 1))
    ++count;
  return count;
}

std::string without_barrier(std::string wgsl, std::size_t index) {
  auto at = wgsl.find(kBarrier);
  for (; index > 0 && at != wgsl.npos; --index)
    at = wgsl.find(kBarrier, at + 1);
  if (at == wgsl.npos) fail_mutation(kBarrier);
  return wgsl.erase(at, kBarrier.size());
}

std::string with_replaced(std::string wgsl, std::string_view part, std::string_view replacement) {
  auto at = wgsl.find(part);
  if (at == wgsl.npos) fail_mutation(part);
  for (; at != wgsl.npos; at = wgsl.find(part, at + replacement.size())) {
    wgsl.replace(at, part.size(), replacement);
  }
  return wgsl;
}

std::string text_of(const PlanKernel& kernel) {
  auto text = kernels::assemble(kernel, kernels::Dialect::naga);
  if (!text) throw std::logic_error(text.error().message);
  return *std::move(text);
}

void fail_mutation(std::string_view what) {
  throw std::logic_error(concat("nothing to mutate: ", what));
}

}  // namespace wgprim::testing
