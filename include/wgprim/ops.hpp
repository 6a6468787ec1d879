// The primitives: one description each. Graph::add validates a description and takes it in.
#pragma once

#include <string>
#include <variant>

#include "wgprim/view.hpp"

namespace wgprim {

/// Exclusive: row i of the output is the combination of the input rows before i.
/// Inclusive: of the input rows up to and including i.
enum class ScanMode { exclusive, inclusive };

/// How an operation goes about its work; `automatic` leaves the choice to the planner, which states
/// it and its reason in the plan.
enum class Path { automatic, chained };

/// Whether kernels with subgroup operations are used. `on` is an error where the device has none.
enum class Subgroups { automatic, on, off };

const char* to_string(ScanMode mode);
const char* to_string(Path path);
const char* to_string(Subgroups subgroups);

/// Prefix sums modulo 2^32.
///
/// Shapes: `output` has at least the rows of `input` (up to 2^32 - 1); rows beyond them are
/// untouched. Chunks of input and output are independent; views are packed and start at a multiple
/// of 4 bytes. Aliasing: output may be the very view of input, or a disjoint range of its buffer; a
/// partial overlap is an error, and so are output chunks that overlap each other. Algorithm: path
/// `chained` scans blocks of 256 rows, scans their sums with the same kernel, and adds them back
/// (scan-then-propagate; Hillis and Steele 1986 within a block).
struct Scan {
  std::string id;
  VectorView input;
  VectorView output;
  ScanMode mode = ScanMode::exclusive;
  Path path = Path::automatic;
  Subgroups subgroups = Subgroups::automatic;
};

/// What a scan of one array may be told beyond its rows.
struct ScanOptions {
  ScanMode mode = ScanMode::exclusive;
  Path path = Path::automatic;
  Subgroups subgroups = Subgroups::automatic;
  /// The output takes the input's place on the device, which halves the device memory needed.
  bool is_in_place = false;
};

/// Any operation a graph can hold.
using Operation = std::variant<Scan>;

}  // namespace wgprim
