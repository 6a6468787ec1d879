// The generator of random scans; see the header. Chunks are laid one behind the other into a few
// buffers with gaps between, so that they are disjoint by construction.
#include "support/random_scan.hpp"

#include <algorithm>

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

class Layout {
 public:
  explicit Layout(ScanCase& scan) : scan_(scan) {
    const Number count = 1 + below(4);
    for (Number i = 0; i < count; ++i)
      scan.buffers.push_back({concat("b", i), 0});
  }

  Chunk place(Number rows) {
    const auto index = static_cast<std::uint32_t>(below(scan_.buffers.size()));
    Number& end = scan_.buffers[index].bytes;
    end += 4 * one_of({0, 1, 63, 64, below(700)});
    const Chunk chunk{index, rows, end};
    end += 4 * rows;
    return chunk;
  }

  /// A buffer has at least one word.
  void finish() {
    for (ImportedBuffer& buffer : scan_.buffers)
      buffer.bytes += 4 * (1 + below(3));
  }

 private:
  ScanCase& scan_;
};

ScanCase random_case() {
  ScanCase scan{.mode = *rc::gen::element(ScanMode::exclusive, ScanMode::inclusive),
                .seed = *rc::gen::arbitrary<std::uint32_t>()};
  const Number rows = one_of({0, 1, 255, 256, 257, 513, below(2048), below(6000)});
  Layout layout(scan);
  const std::vector<Number> input = partition(rows);
  const std::vector<Number> output = partition(rows + one_of({0, 0, 1, 300}));
  // The two operands take turns, so that either may lie below the other in a buffer.
  const bool is_in_place = below(3) == 0;
  for (std::size_t i = 0; i < std::max(input.size(), output.size()); ++i) {
    if (i < input.size()) scan.input.push_back(layout.place(input[i]));
    if (i < output.size() && !is_in_place) scan.output.push_back(layout.place(output[i]));
  }
  if (is_in_place) scan.output = scan.input;
  layout.finish();
  return scan;
}

/// Limits that refuse nothing: at least 256 bytes a binding, two sums a buffer, and groups enough.
DeviceProfile random_profile(Number rows) {
  DeviceProfile profile;
  Limits& limits = profile.limits;
  limits.max_storage_buffer_binding_size =
      one_of({256, 257, 259, 511, 1021, 1024, 4097, 256 + below(8192), 134217728});
  limits.max_buffer_size = one_of({8, 9, 12, 256, 1000, 1024, 1028, 4096, 268435456});
  limits.max_compute_workgroups_per_dimension =
      rows > 2048 ? one_of({3, 4, 65535}) : one_of({2, 3, 65535});
  limits.max_compute_invocations_per_workgroup = one_of({256, 256, 255, 128, 64, 32});
  limits.max_compute_workgroup_size_x = one_of({256, 128, 100});
  limits.max_storage_buffers_per_shader_stage = one_of({3, 8});
  profile.capabilities.subgroups = below(2) == 1;
  return profile;
}

bool is_written(const ScanCase& scan, std::uint32_t buffer) {
  return std::ranges::any_of(scan.output,
                             [&](const Chunk& chunk) { return chunk.buffer == buffer; });
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
  // Nominal size always: the sizes above are chosen already.
  return rc::gen::resize(rc::kNominalSize, rc::gen::exec([] {
                           RandomScan random{.scan = random_case(), .profile = {}};
                           random.profile = random_profile(random.scan.rows());
                           return random;
                         }));
}

rc::Gen<RandomScan> random_counted_scans() {
  return rc::gen::resize(rc::kNominalSize, rc::gen::exec([] {
                           RandomScan random = *random_scans();
                           const Number counts = 1 + below(3);  // One, the other, both.
                           if ((counts & 1) != 0) add_row_count(random.scan);
                           if ((counts & 2) != 0) {
                             const Number rows = random.scan.rows();
                             random.scan.encoded_rows = one_of({0, below(rows + 1), rows});
                           }
                           // The count is a fourth buffer beside input, output and sums.
                           random.profile.limits.max_storage_buffers_per_shader_stage = 4;
                           return random;
                         }));
}

}  // namespace wgprim::testing
