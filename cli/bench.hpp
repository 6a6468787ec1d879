// The operations that `wgprim bench` knows, each a subcommand with a file of its own.
#pragma once

#include "session.hpp"

namespace wgprim::cli {

/// Each adds its options and returns what to run.
Verb add_bench_scan(CLI::App& operation);
Verb add_bench_reduce(CLI::App& operation);
Verb add_bench_workgroup_scan(CLI::App& operation);

/// Adapter, driver and versions: what every report starts with.
Json bench_machine(const Device& device);
/// "exclusive scan on NVIDIA H200 (Vulkan, driver 580.1), wgprim 0.1.0, wgpu-native 29.0.1.1\n";
/// "driver unknown" where the adapter names none.
std::string bench_title(std::string_view operation, const Device& device);

/// "device" where the adapter has timestamps, else "host".
const char* bench_clock(bool has_timestamps);
/// Sentences on how far the figures can be trusted here, a line each; empty where there are none.
std::string bench_remarks(const Device& device, bool has_timestamps);
/// What p95 is of so few samples; empty for more.
std::string sample_remark(std::uint64_t samples);

}  // namespace wgprim::cli
