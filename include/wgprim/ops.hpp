// What a graph can hold, one description each: the primitives, the user's own kernels, copies,
// clears, and work that the caller records. Graph::add validates a description and takes it in.
//
// Every description has an `id`, unique in its graph, `depends_on` (ids of nodes that run before it
// besides those that its buffers ask for; may name later ones) and `condition` (a boolean parameter
// given at each encode; false: the node is skipped, its dependents still run. Empty: always runs).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

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
///
/// The rows of `input` are a capacity: each encode may give a smaller row count, and `row_count`,
/// one uint32 on the device that earlier work wrote, lowers it further. Rows from the count on are
/// untouched; a count above the capacity acts as the capacity.
struct Scan {
  std::string id;
  VectorView input;
  VectorView output;
  ScanMode mode = ScanMode::exclusive;
  std::optional<DataView> row_count;
  Path path = Path::automatic;
  Subgroups subgroups = Subgroups::automatic;
  std::vector<std::string> depends_on;
  std::string condition;
};

/// What a scan of one array may be told beyond its rows.
struct ScanOptions {
  ScanMode mode = ScanMode::exclusive;
  Path path = Path::automatic;
  Subgroups subgroups = Subgroups::automatic;
  /// The output takes the input's place on the device, which halves the device memory needed.
  bool is_in_place = false;
};

/// What a node does with a buffer, and what a buffer may be declared for.
enum class Use {
  storage_read,
  storage_write,
  storage_read_write,
  uniform,
  copy_source,
  copy_destination,
  indirect,
  vertex,
  index,
};

/// All uses in the order of their declaration.
std::span<const Use> uses();
const char* to_string(Use use);  ///< "storage-read".

/// A view bound to a kernel, whose byte_offset is a multiple of 256, as that of every binding: a
/// kernel that needs rows from elsewhere on is bound a view from the multiple below and adds the
/// rest itself. (A view without rows may stand anywhere; a word that starts so is bound.)
struct ComputeUse {
  DataView view;
  Use access = Use::storage_read;  ///< storage_read, storage_write, storage_read_write or uniform.
  std::uint32_t binding = 0;       ///< Of group 0.
};

/// Workgroup counts on the device: 3 words, `byte_offset` bytes into the view.
struct IndirectWorkgroups {
  DataView view;
  std::uint64_t byte_offset = 0;
};

/// A kernel of the user's own.
///
/// `wgsl` is standard WGSL; `enable subgroups;` in it asks for subgroups and is taken on every
/// platform. The layout comes from `uses`: storage_read is `var<storage, read>`, storage_write and
/// storage_read_write are `var<storage, read_write>`. Workgroup sizes are numbers or named
/// constants of module scope. The text is UTF-8, and bounded in how deep it nests and how much it
/// declares (the error says what and where), since compilers descend into it by recursion.
/// Aliasing: one buffer may be written through several uses if the bound ranges are disjoint; it
/// may not be both read and written through two uses, nor written and read as uniform or indirect.
/// With `indirect` (a GPU condition) the device decides how many workgroups run: none for a 0, and
/// none where a count is beyond the device's limit; `workgroups` is then what budgets count.
/// A transient that such a node writes first is read unwritten where the device leaves the node
/// out: a Clear before it makes that zeros.
struct Compute {
  std::string id;
  std::string wgsl;
  std::string entry_point;  ///< May be empty where the text has one only.
  std::vector<ComputeUse> uses;
  std::array<std::uint32_t, 3> workgroups = {1, 1, 1};
  std::optional<IndirectWorkgroups> indirect;
  std::vector<std::string> depends_on;
  std::string condition;
};

/// Copies the rows of `source` to the first rows of `destination`: packed views of one format in
/// different buffers, chunked independently.
struct Copy {
  std::string id;
  VectorView source;
  VectorView destination;
  std::vector<std::string> depends_on;
  std::string condition;
};

/// Zeroes the rows of a packed view.
struct Clear {
  std::string id;
  VectorView destination;
  std::vector<std::string> depends_on;
  std::string condition;
};

struct ExternalUse {
  DataView view;
  Use use = Use::storage_read;
};

/// Work that the caller records when the graph is encoded (EncodeOptions::externals), a render pass
/// that draws from a count, say. The uses give its place in the order.
struct External {
  std::string id;
  std::vector<ExternalUse> uses;
  std::vector<std::string> depends_on;
  std::string condition;
};

/// Any operation a graph can hold.
using Operation = std::variant<Scan, Compute, Copy, Clear, External>;

}  // namespace wgprim
