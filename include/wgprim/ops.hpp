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

#include "wgprim/operator.hpp"
#include "wgprim/view.hpp"

namespace wgprim {

/// Exclusive: row i of the output is the combination of the input rows before i.
/// Inclusive: of the input rows up to and including i.
enum class ScanMode { exclusive, inclusive };

/// How an operation goes about its work; `automatic` leaves the choice to the planner, which states
/// it and its reason in the plan.
enum class Path { automatic, chained, reduce_then_scan };

/// Whether kernels with subgroup operations are used. `on` is an error where the device has none.
enum class Subgroups { automatic, on, off };

const char* to_string(ScanMode mode);
const char* to_string(Path path);
const char* to_string(Subgroups subgroups);

/// The running combination of rows by an associative operator: prefix sums, running minima, ...
///
/// Shapes: `output` has at least the rows of `input` (up to 2^32 - 1) and their format; rows beyond
/// them are untouched. `segment_flags` (uint32 or int32) has at least as many. Chunks of all three
/// are independent; views are packed and start at a multiple of 4 bytes. A view that starts at a
/// multiple of 16 is read and written faster.
///
/// Segments: every row whose flag is not 0 starts one, and so does the first row, unless there is a
/// carry_in; a reverse scan
/// goes from the last row to the first, and a flag then ends a segment: the rows before it in
/// memory start anew. `init` is what the scan and every segment start from, in place of the
/// operator's identity; an inclusive scan includes it. `carry_in`, one row on the device, is what
/// the scan alone starts from, so that a scan may go on where another ended (not both); its later
/// segments start from `segment_init`, in place of the identity, as those of the scan before did.
/// `carry_out`, one row, takes what the last open segment adds up to, carry_in or init included; it
/// is written even if there is no row.
///
/// Aliasing: output may be the very view of input, or a disjoint range of its buffer; a partial
/// overlap is an error, and so are output chunks that overlap each other. Flags share no buffer
/// with the output. What a scan writes shares no buffer with row_count, carry_in and carry_out.
///
/// Algorithms: path `chained` scans blocks of 256 rows, scans their totals with the same kernel,
/// and adds them back (scan-then-propagate; Hillis and Steele 1986 within a block), 4 words of
/// traffic a word; path `reduce_then_scan` totals up tiles, scans the totals, and scans each tile
/// from what enters it (Dotsenko et al. 2008), 3 words of traffic. Segments are scans of pairs
/// (Blelloch 1990). Every result is the same bit for bit on each run; float32 sums differ between
/// devices.
///
/// The rows of `input` are a capacity: each encode may give a smaller row count, and `row_count`,
/// one uint32 on the device that earlier work wrote, lowers it further. Rows from the count on are
/// untouched; a count above the capacity acts as the capacity.
struct Scan {
  std::string id;
  VectorView input;
  VectorView output;
  ScanMode mode = ScanMode::exclusive;
  Operator op;
  std::optional<VectorView> segment_flags;
  bool is_reverse = false;
  std::optional<RowValue> init;
  std::optional<DataView> carry_in;
  std::optional<RowValue> segment_init;
  std::optional<DataView> carry_out;
  std::optional<DataView> row_count;
  Path path = Path::automatic;
  Subgroups subgroups = Subgroups::automatic;
  /// Refuse a plan that might not give the same bits on every run.
  bool is_deterministic = false;
  std::vector<std::string> depends_on;
  std::string condition;
};

/// Prefix sums modulo 2^64 of numbers whose low and high words lie apart: row i of the inputs is
/// the number input_high[i] * 2^32 + input_low[i], and so are the sums in the outputs.
///
/// Shapes: all four are uint32, packed, and start at a multiple of 4 bytes; chunks of each are
/// independent, and carries cross them. Both inputs have the same number of rows (up to 2^32 - 1),
/// both outputs at least as many; rows beyond them are untouched. Without rows nothing is written.
///
/// Aliasing: output_low shares no buffer with the other three, output_high none with input_low; the
/// inputs may share one. output_high may be the very view of input_high, chunk for chunk, or reuse
/// its buffers in any other way: then the high words are copied to scratch first, a buffer a chunk,
/// so that the buffers of input_high are copy sources. The next encode reads what this one left.
///
/// Algorithms, paths, `row_count` and smaller row counts per encode as of a Scan of uint64 rows,
/// which takes numbers whose words stand side by side. Every result is the same on each run.
struct ScanU64 {
  std::string id;
  VectorView input_low;
  VectorView input_high;
  VectorView output_low;
  VectorView output_high;
  ScanMode mode = ScanMode::exclusive;
  std::optional<DataView> row_count;
  Path path = Path::automatic;
  Subgroups subgroups = Subgroups::automatic;
  std::vector<std::string> depends_on;
  std::string condition;
};

/// The combination of rows by an associative operator, in their order: of all, or of each segment.
///
/// All rows: `output` is one row of the input's format; without input rows it receives the
/// operator's identity. Segments by `segment_flags` (uint32 or int32, at least as many rows as the
/// input): one starts with the first row and with every row whose flag is not 0; the output has at
/// least the rows of the input, of which those below the number of segments are written, and
/// `count`, one uint32, receives that number. Segments by `offsets` (uint32, k + 1 rows in one
/// view): row i of the output, which has at least k, is of the rows from offset i to before offset
/// i + 1. Offsets beyond the rows act as their number; a range that ends where it starts or before
/// is empty and gives the identity; ranges may overlap. Flags and offsets exclude each other.
///
/// Views, row counts and determinism as of a Scan. Aliasing: what a reduction writes shares no
/// buffer with what it reads, nor the count with the output.
///
/// Algorithms: tiles are totalled up, then their totals, until one is left; `chained` has tiles of
/// 4 rows a lane, `reduce_then_scan` of up to 16. One word of traffic a word. By flags: a segmented
/// scan (see Scan) whose scan of the tiles stores what a segment adds up to where the next one
/// starts; 2 words a word of rows and of flags. By offsets: totals of tiles of 256 rows, of 256 of
/// these, and so on; a lane puts each range together from the largest tiles that it holds whole (a
/// query of a segment tree); at most 2 words a word where ranges do not overlap. An output in
/// several chunks or bindings takes all rows once more for each, by flags.
struct Reduce {
  std::string id;
  VectorView input;
  VectorView output;
  Operator op;
  std::optional<VectorView> segment_flags;
  std::optional<DataView> offsets;
  std::optional<DataView> count;  ///< Only with segment_flags.
  std::optional<DataView> row_count;
  Path path = Path::automatic;
  Subgroups subgroups = Subgroups::automatic;
  bool is_deterministic = false;
  std::vector<std::string> depends_on;
  std::string condition;
};

/// How an array lies on the device where nobody but the library sees it.
struct Placement {
  std::vector<std::uint64_t> chunks;  ///< Rows of each chunk, empty ones among them; none: one.
  std::uint64_t byte_offset = 0;      ///< Of the first row in each buffer, a multiple of 4.
  bool operator==(const Placement&) const = default;
};

/// What a scan of one array may be told beyond its rows.
struct ScanOptions {
  ScanMode mode = ScanMode::exclusive;
  Format format = Format::uint32;
  Operator op;
  bool is_reverse = false;
  std::optional<RowValue> init = {};
  /// A second array 'flags', one uint32 a row.
  bool is_segmented = false;
  Path path = Path::automatic;
  Subgroups subgroups = Subgroups::automatic;
  /// The output takes the input's place on the device, which halves the device memory needed.
  bool is_in_place = false;
  /// How the arrays lie on the device; see lay_out_array.
  Placement input = {};
  Placement output = {};
  Placement flags = {};
  /// One row more, 'carry_in', that the scan goes on from; only its later segments start from
  /// `init` then.
  bool has_carry_in = false;
  /// One row more, 'carry_out', that takes what the last segment adds up to.
  bool has_carry_out = false;
};

/// What a scan of two arrays, of low and of high words, may be told beyond its rows.
struct ScanU64Options {
  ScanMode mode = ScanMode::exclusive;
  Path path = Path::automatic;
  Subgroups subgroups = Subgroups::automatic;
};

/// What a reduction of one array may be told beyond its rows.
struct ReduceOptions {
  Format format = Format::uint32;
  Operator op;
  /// Segments by a second array 'flags', one uint32 a row: the output has room for as many rows as
  /// come in, and 'number' receives how many segments there are.
  bool is_segmented = false;
  /// So many segments, by a second array 'offsets' of one more uint32. Not both.
  std::optional<std::uint64_t> ranges = {};
  Path path = Path::automatic;
  Subgroups subgroups = Subgroups::automatic;
  /// One row more, 'carry_in', before those of the input: what an earlier reduction came to.
  bool has_carry_in = false;
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
using Operation = std::variant<Scan, ScanU64, Reduce, Compute, Copy, Clear, External>;

}  // namespace wgprim
