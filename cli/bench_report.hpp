// The report of `wgprim bench scan` and `bench reduce`: a size as JSON, and that as lines of a
// table.
#pragma once

#include <string>

#include "bench/harness/row_bench.hpp"
#include "console.hpp"

namespace wgprim::cli {

/// The baseline beside which an operation stands in the table.
struct Yardstick {
  const char* name;   ///< Of the variant: "copy".
  const char* key;    ///< "share_of_copy": its time over a variant's.
  const char* head;   ///< "of copy",
  const char* owner;  ///< and whose time that is: "the copy's".
};

inline constexpr Yardstick kCopyYardstick = {"copy", "share_of_copy", "of copy", "the copy's"};
inline constexpr Yardstick kReadYardstick = {"read only", "share_of_read_only", "of read",
                                             "the reading kernel's"};

/// Shares of copy always, and of what only reads where that was timed.
Json size_json(const bench::RowBenchResult& result);

std::string table_head(const Yardstick& yardstick);
std::string table_rows(const Json& size, const Yardstick& yardstick);
std::string table_foot(const Json& sizes, const Yardstick& yardstick);

std::uint64_t fewest_samples(const Json& sizes);

}  // namespace wgprim::cli
