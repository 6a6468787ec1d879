// The generator of random scans; see the header. Chunks are laid one behind the other into a few
// buffers with gaps between, so that they are disjoint by construction.
#include "support/random_scan.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "kernels/kernel_table.hpp"
#include "support/kernel_operator.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

using Number = std::uint64_t;

Number below(Number end) { return *rc::gen::inRange<Number>(0, end); }

Number one_of(std::vector<Number> numbers) { return *rc::gen::elementOf(std::move(numbers)); }

/// Rows cut into chunks, empty ones among them.
std::vector<Number> partition(Number rows) {
  std::vector<Number> cuts = {0, rows};
  for (Number i = below(6); i > 0; --i)
    cuts.push_back(below(rows + 1));
  std::ranges::sort(cuts);
  std::vector<Number> parts;
  for (std::size_t i = 1; i < cuts.size(); ++i)
    parts.push_back(cuts[i] - cuts[i - 1]);
  return parts;
}

/// Lays chunks one behind the other into a few buffers of its own.
class Layout {
 public:
  /// With `alignment` 16 most chunks start where rows can be taken four at a time.
  Layout(ScanCase& scan, const char* prefix, Number buffers, Number alignment)
      : scan_(scan), first_(scan.buffers.size()), count_(buffers), alignment_(alignment) {
    for (Number i = 0; i < buffers; ++i)
      scan.buffers.push_back({concat(prefix, i), 0});
  }

  Chunk place(Number rows, Number row_bytes) {
    const Number index = first_ + below(count_);
    Number& end = scan_.buffers[index].bytes;
    end += 4 * one_of({0, 1, 63, 64, below(700)});
    end = (end + alignment_ - 1) / alignment_ * alignment_;
    const Chunk chunk{static_cast<std::uint32_t>(index), rows, end};
    end += row_bytes * rows;
    return chunk;
  }

 private:
  ScanCase& scan_;
  Number first_;
  Number count_;
  Number alignment_;
};

void choose_rows(ScanCase& scan) {
  constexpr std::pair<Format, OperatorKind> kNumbers[] = {
      {Format::uint32, OperatorKind::sum},  {Format::int32, OperatorKind::min},
      {Format::float32, OperatorKind::sum}, {Format::float32, OperatorKind::min},
      {Format::float32, OperatorKind::max}, {Format::uint64, OperatorKind::sum},
      {Format::int64, OperatorKind::max},   {Format::uint64, OperatorKind::min}};
  constexpr Format kRecords[] = {Format::uint32, Format::uint32x2, Format::uint32x3,
                                 Format::uint32x4};
  if (below(3) == 0) {
    const CustomOperator& custom = custom_operators()[below(4)];
    scan.op = custom.description();
    scan.format = kRecords[custom.oracle.words - 1];
    return;
  }
  const auto [format, kind] = kNumbers[below(2) == 0 ? 0 : below(std::size(kNumbers))];
  scan.format = format;
  scan.op.kind = kind;
}

reference::Row random_row(const ScanCase& scan) {
  const auto word = [&] { return *rc::gen::arbitrary<std::uint32_t>(); };
  if (scan.format == Format::float32) return reference::to_row(static_cast<float>(word() % 9));
  reference::Row row = {};
  for (std::uint32_t k = 0; k < scan.row_words(); ++k)
    row.at(k) = word();
  return row;
}

/// Input, output and flags, each cut into chunks in its own way. The operands take turns, so that
/// any may lie below another in a buffer.
void place_operands(ScanCase& scan, Number rows) {
  const Number alignment = one_of({4, 16});
  const Number row_bytes = 4 * scan.row_words();
  Layout layout(scan, "b", 1 + below(4), alignment);
  Layout read_only(scan, "f", 1 + below(2), alignment);
  const std::vector<Number> input = partition(rows);
  const std::vector<Number> output = partition(rows + one_of({0, 0, 1, 300}));
  const std::vector<Number> flags = partition(rows + one_of({0, 0, 0, 5}));
  const bool is_in_place = below(3) == 0;
  const bool has_flags = below(2) == 0;
  for (std::size_t i = 0; i < std::max({input.size(), output.size(), flags.size()}); ++i) {
    const bool is_beside_flags = !is_in_place && below(4) == 0;
    Layout& of_input = is_beside_flags ? read_only : layout;
    if (i < input.size()) scan.input.push_back(of_input.place(input[i], row_bytes));
    if (i < output.size() && !is_in_place)
      scan.output.push_back(layout.place(output[i], row_bytes));
    if (i < flags.size() && has_flags) scan.flags.push_back(read_only.place(flags[i], 4));
  }
  if (is_in_place) scan.output = scan.input;
  for (ImportedBuffer& buffer : scan.buffers)
    buffer.bytes = std::max<Number>(4, buffer.bytes + 4 * below(4));
}

/// Split rows: inputs apart or in the same buffers, the high output apart, on the very views of the
/// high input, or anywhere in one of its buffers.
void place_split_operands(ScanCase& scan, Number rows) {
  scan.format = Format::uint64;
  const Number alignment = one_of({4, 16});
  Layout inputs(scan, "i", 1 + below(3), alignment);
  Layout low(scan, "l", 1 + below(2), alignment);
  Layout high(scan, "h", 1 + below(2), alignment);
  const auto place = [&](std::vector<Chunk>& chunks, Layout& layout, Number count) {
    for (const Number part : partition(count))
      chunks.push_back(layout.place(part, 4));
  };
  place(scan.input, inputs, rows);
  place(scan.output, low, rows + one_of({0, 0, 1, 300}));
  const Number sharing = below(4);
  place(scan.input_high, sharing == 0 ? inputs : high, rows);
  if (sharing == 2) {
    scan.output_high = scan.input_high;
  } else if (sharing == 3) {
    const Number offset = 4 * below(1 + std::min<Number>(rows, 3));
    const auto buffer = scan.input_high.front().buffer;
    scan.output_high = {{buffer, rows, offset}};
    Number& bytes = scan.buffers[buffer].bytes;
    bytes = std::max(bytes, offset + 4 * rows);
  } else {
    place(scan.output_high, high, rows + one_of({0, 0, 2}));
  }
  for (ImportedBuffer& buffer : scan.buffers)
    buffer.bytes = std::max<Number>(4, buffer.bytes + 4 * below(4));
}

Number random_row_count() { return one_of({0, 1, 255, 256, 257, 513, below(2048), below(6000)}); }

ScanCase random_case(bool is_split) {
  ScanCase scan;
  scan.mode = *rc::gen::element(ScanMode::exclusive, ScanMode::inclusive);
  scan.path = *rc::gen::element(Path::chained, Path::reduce_then_scan);
  scan.seed = *rc::gen::arbitrary<std::uint32_t>();
  if (is_split) {
    place_split_operands(scan, random_row_count());
    return scan;
  }
  scan.is_reverse = below(3) == 0;
  choose_rows(scan);
  place_operands(scan, random_row_count());
  const Number start = below(4);
  const reference::Row value = random_row(scan);
  if (start == 1) scan.init = RowValue(scan.format, value);
  if (start == 2) scan = with_carry_in(std::move(scan), value);
  return below(3) == 0 ? with_carry_out(std::move(scan)) : scan;
}

/// Whether all operands are a single array each and nothing else is asked for.
bool is_simple(const ScanCase& scan) {
  return scan.input.size() < 2 && scan.output.size() < 2 && !scan.is_segmented() &&
         !scan.is_split() && !scan.carry_in && !scan.carry_out;
}

/// Limits that refuse nothing: at least 256 bytes a binding, two totals a buffer, and groups
/// enough.
DeviceProfile random_profile(const ScanCase& scan) {
  const Number rows = scan.rows();
  const Number two_totals = 2 * kernels::item_bytes(scan.row_words(), scan.is_segmented());
  DeviceProfile profile;
  Limits& limits = profile.limits;
  // A wide row may reach over a multiple of 256, and its result start there in the same binding.
  const Number least = scan.row_words() == 1 ? 256 : 512 + row_bytes(scan.format);
  limits.max_storage_buffer_binding_size =
      one_of({least, least + 1, least + 3, 511, 1021, 1024, 4097, least + below(8192), 134217728});
  limits.max_buffer_size = one_of(
      {two_totals, two_totals + 1, two_totals / 2 * 3, 256, 1000, 1024, 1028, 4096, 268435456});
  limits.max_compute_workgroups_per_dimension =
      rows > 3300 ? one_of({4, 5, 65535}) : one_of({rows > 1000 ? 3u : 2u, 4, 65535});
  limits.max_compute_invocations_per_workgroup = one_of({256, 256, 255, 128, 64, 32});
  limits.max_compute_workgroup_size_x = one_of({256, 128, 100});
  limits.max_storage_buffers_per_shader_stage = is_simple(scan) ? one_of({3, 8}) : 8;
  profile.capabilities.subgroups = below(2) == 1;
  return profile;
}

bool is_written(const ScanCase& scan, std::uint32_t buffer) {
  const auto is_there = [&](const Chunk& chunk) { return chunk.buffer == buffer; };
  return (scan.carry_out && scan.carry_out->buffer == buffer) ||
         std::ranges::any_of(scan.output, is_there) ||
         std::ranges::any_of(scan.output_high, is_there);
}

void add_row_count(ScanCase& scan) {
  const auto value = static_cast<std::uint32_t>(
      one_of({0, 1, below(scan.rows() + 1), scan.rows(), scan.rows() + 1, 0xffffffff}));
  const auto buffer = static_cast<std::uint32_t>(below(scan.buffers.size()));
  if (is_written(scan, buffer)) {
    scan = with_count(std::move(scan), value);
    return;
  }
  scan.row_count = {.buffer = buffer, .byte_offset = scan.buffers[buffer].bytes, .value = value};
  scan.buffers[buffer].bytes += 4;
}

RandomScan random_scan(bool is_split) {
  RandomScan random{.scan = random_case(is_split), .profile = {}};
  random.profile = random_profile(random.scan);
  return random;
}

/// By a count on the device (1), one given per encode (2), or both (3).
void count_rows(RandomScan& random, Number counts) {
  if ((counts & 1) != 0) add_row_count(random.scan);
  if ((counts & 2) != 0) {
    const Number rows = random.scan.rows();
    random.scan.encoded_rows = one_of({0, below(rows + 1), rows});
  }
  // The count is a buffer beside those of the scan.
  if (counts != 0) random.profile.limits.max_storage_buffers_per_shader_stage = 8;
}

/// Nominal size always: the sizes above are chosen already.
template <class Make>
rc::Gen<RandomScan> generator(Make make) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::exec(make));
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, const RandomScan& random) {
  stream << random.scan << "\n  buffers:";
  for (const ImportedBuffer& buffer : random.scan.buffers) {
    stream << " " << buffer.id << " of " << buffer.bytes << " bytes";
  }
  for (const LimitName& limit : limit_names()) {
    stream << "\n  " << limit.name << "=" << random.profile.limits.*limit.member;
  }
  return stream << "\n  subgroups=" << (random.profile.capabilities.subgroups ? "on" : "off");
}

rc::Gen<RandomScan> random_scans() {
  return generator([] { return random_scan(below(4) == 0); });
}

rc::Gen<RandomScan> random_counted_scans() {
  return generator([] {
    RandomScan random = random_scan(below(4) == 0);
    count_rows(random, 1 + below(3));
    return random;
  });
}

rc::Gen<RandomScan> random_split_scans() {
  return generator([] {
    RandomScan random = random_scan(true);
    count_rows(random, below(4));
    return random;
  });
}

}  // namespace wgprim::testing
