// Which path a scan takes; see the header. The passes are in a file a path: ops/chained_scan.cpp,
// ops/reduce_then_scan.cpp.
#include "ops/scan_paths.hpp"

#include "ops/chained_scan.hpp"
#include "ops/reduce_then_scan.hpp"
#include "ops/row_rules.hpp"

namespace wgprim {

Result<void> lower_scan(PlanBuilder& builder, std::string_view what, const PathChoice& choice,
                        RowTask task) {
  const auto uses_subgroups = note_choices(
      builder, what, choice.path, "moves 3 words a row, chained 4", choice.subgroups, choice.rows);
  if (!uses_subgroups) return pass_on(uses_subgroups);
  task.uses_subgroups = *uses_subgroups;
  return path_of(choice.path) == Path::reduce_then_scan ? lower_reduce_then_scan(builder, task)
                                                        : lower_chained_scan(builder, task);
}

}  // namespace wgprim
