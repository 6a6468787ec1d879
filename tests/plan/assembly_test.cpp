// What a specialisation of a kernel may ask for. It may come from a plan file, so nonsense must end
// in a sentence, not in a crash or in endless text.
#include <gtest/gtest.h>

#include "kernels/assemble.hpp"

namespace wgprim::kernels {
namespace {

std::string refusal(const Result<PlanKernel>& kernel) {
  if (!kernel) return kernel.error().message;
  const auto text = assemble(*kernel, Dialect::naga);
  return text ? "" : text.error().message;
}

TEST(AssemblyTest, a_slot_takes_only_fragments_without_slots) {
  EXPECT_EQ(refusal(specialise("scan_blocks", {{"source", "source_in_place"}})), "");
  EXPECT_EQ(refusal(specialise("scan_blocks", {{"source", "block_subgroups"}})),
            "'block_subgroups' cannot fill slot 'source' of kernel 'scan_blocks': only a fragment "
            "without slots can.");
  EXPECT_EQ(refusal(specialise("scan_blocks", {{"source", "scan_blocks"}})),
            "'scan_blocks' cannot fill slot 'source' of kernel 'scan_blocks': only a fragment "
            "without slots can.");
  EXPECT_EQ(refusal(specialise("scan_blocks", {{"source", "nothing"}})),
            "Kernel 'scan_blocks' names the fragment 'nothing', which is not in the kernel table.");
}

TEST(AssemblyTest, names_that_are_not_declared_are_refused) {
  EXPECT_EQ(refusal(specialise("no_kernel")),
            "There is no kernel 'no_kernel' in the kernel table.");
  EXPECT_EQ(refusal(specialise("op_add")), "There is no kernel 'op_add' in the kernel table.");
  EXPECT_EQ(refusal(specialise("scan_blocks", {{"colour", "op_add"}})),
            "Kernel 'scan_blocks' has no slot 'colour'.");
  EXPECT_EQ(refusal(specialise("scan_blocks", {}, {{"COLOUR", 1}})),
            "Kernel 'scan_blocks' has no constant 'COLOUR'.");
}

TEST(AssemblyTest, repeats_are_bounded) {
  EXPECT_EQ(refusal(specialise("scan_blocks", {}, {{"ROWS_PER_LANE", 256}})), "");
  EXPECT_EQ(refusal(specialise("scan_blocks", {}, {{"ROWS_PER_LANE", 4000000000}})),
            "Kernel 'scan_blocks' would write lines out 4000000000 times (ROWS_PER_LANE, at most "
            "256).");
}

}  // namespace
}  // namespace wgprim::kernels
