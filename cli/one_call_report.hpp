// What the verbs that run one operation over files say when it is done.
#pragma once

#include <string>

#include "session.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::cli {

/// The keys that all of them share; `verified` is null where nobody asked.
Json to_json(const ScanReport& report, const Device& device, const Session& session,
             bool is_verified);

/// "path chained, 3 dispatches, 1.350 ms on the device, 49 ms in all".
std::string how_it_went(const ScanReport& report, const Session& session);

}  // namespace wgprim::cli
