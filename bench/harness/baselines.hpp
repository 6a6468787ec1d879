// Kernels that do nothing but move memory: what an operation of the same traffic is held against.
#pragma once

#include <cstdint>
#include <span>

#include "wgprim/limits.hpp"
#include "wgprim/plan.hpp"

namespace wgprim::bench {

/// copy: one read and one write a row. read_only: one read, and a word a workgroup written.
/// two_reads: two reads and one write.
enum class Traffic { copy, read_only, two_reads };

/// The plan over arrays whose pieces have these rows: "input", "second" (two_reads), "output", or
/// "input0", "input1", ... where there are several pieces. Each vec4 is moved whole, 4 a lane, 256
/// lanes a workgroup where the device takes so many: the shape that copies fastest on the GPUs
/// measured. Pieces above the largest binding take a dispatch for each binding.
Plan baseline_plan(Traffic traffic, std::span<const std::uint64_t> piece_rows,
                   const Limits& limits);

/// Words that read_only writes.
std::uint64_t read_only_words(std::span<const std::uint64_t> piece_rows, const Limits& limits);

}  // namespace wgprim::bench
