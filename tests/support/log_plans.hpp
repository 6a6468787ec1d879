// Plans whose results tell what ran: nodes that write their numbers into a log, and rows that a row
// count cuts short.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "support/gpu_fixture.hpp"
#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// Word 0 of a log is the number of entries behind it.
inline constexpr std::size_t kLogEntries = 255;
inline constexpr std::uint64_t kLogBytes = 4 * (1 + kLogEntries);

/// Nodes "n0", "n1", ... each append their number, 0 first, to the import "log".
Plan log_plan(std::uint32_t nodes);

/// Appends a node with the number of its place, in a compute pass of its own.
void add_log_node(Plan& plan, std::string id, std::string condition = {});

/// Appends a node "aside" that copies the log to the import "copy", "wipe" that clears "copy", or
/// "outside" of external work that writes the log.
void add_copy_node(Plan& plan);
void add_clear_node(Plan& plan);
void add_external_node(Plan& plan);

/// A log without entries, with room for kLogEntries.
Buffer make_log(Device& device);
/// The entries of a log.
std::vector<std::uint32_t> read_log(Device& device, Buffer& log);

/// Node "number", of capacity 1000 rows: "out"[i] = 7 * i + 1, by two dispatches, of rows 0 to 599
/// and of the rest, each in more dimensions and workgroups than it needs.
Plan counted_plan();
inline constexpr std::uint32_t kCountedRows = 1000;
/// What counted_plan makes of rows that were all `old`.
std::vector<std::uint32_t> counted_rows(std::uint64_t rows, std::uint32_t old);

}  // namespace wgprim::testing
