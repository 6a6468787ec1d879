// Building, planning and judging a ReduceCase; see the header. Buffers come in this order: input
// chunks, output chunks, then those of flags, offsets, number and row count that there are.
#include "support/reduce_case.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "reference/random_rows.hpp"
#include "reference/row_reduce.hpp"
#include "support/kernel_operator.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint64_t kWordsBehind = 5;

std::uint64_t sum(const std::vector<std::uint64_t>& rows) {
  return std::accumulate(rows.begin(), rows.end(), std::uint64_t{0});
}

std::vector<std::uint64_t> or_one(const std::vector<std::uint64_t>& chunks, std::uint64_t rows) {
  return chunks.empty() ? std::vector{rows} : chunks;
}

std::vector<std::uint64_t> output_chunks(const ReduceCase& reduce) {
  if (reduce.flags) return or_one(reduce.output_rows, reduce.input_rows());
  return or_one(reduce.output_rows, reduce.offsets ? reduce.offsets->size() - 1 : 1);
}

std::vector<std::uint64_t> flag_chunks(const ReduceCase& reduce) {
  return or_one(reduce.flag_rows, reduce.flags->size());
}

/// Those given, or any words; of f32 that are added up small whole numbers, whose sums no order
/// rounds.
Words words_of(const ReduceCase& reduce, std::uint64_t rows, std::size_t chunk) {
  if (!reduce.values.empty()) {
    const auto before = std::span(reduce.rows).first(chunk);
    const auto first = std::accumulate(before.begin(), before.end(), std::uint64_t{0});
    const auto given =
        std::span(reduce.values).subspan(first * reduce.row_words(), rows * reduce.row_words());
    return {given.begin(), given.end()};
  }
  Words words = reference::random_rows(rows * reduce.row_words(), chunk);
  if (reduce.format == Format::float32 && reduce.op.kind == OperatorKind::sum) {
    for (std::uint32_t& word : words)
      word = std::bit_cast<std::uint32_t>(static_cast<float>(word % 33));
  }
  return words;
}

/// A buffer with the words behind `lead` others.
Words placed(const ReduceCase& reduce, const Words& words) {
  Words buffer(reduce.lead, kSentinelBefore);
  buffer.insert(buffer.end(), words.begin(), words.end());
  buffer.insert(buffer.end(), kWordsBehind, kSentinelAfter);
  return buffer;
}

/// Declares the buffers of a graph in the order of the image.
class Declaration {
 public:
  Declaration(Graph& graph, const ReduceCase& reduce) : graph_(graph), reduce_(reduce) {}

  VectorView chunks(const char* name, const std::vector<std::uint64_t>& rows, Format format) {
    VectorView vector;
    for (const std::uint64_t chunk : rows)
      vector.chunks.push_back(view(concat(name, vector.chunks.size()), chunk, format));
    return vector;
  }

  DataView view(const std::string& name, std::uint64_t rows, Format format = Format::uint32) {
    const std::uint64_t bytes = 4 * (reduce_.lead + kWordsBehind) + rows * row_bytes(format);
    return {.buffer = graph_.import_buffer({name, bytes}).value(),
            .rows = rows,
            .byte_offset = 4 * reduce_.lead,
            .format = format};
  }

 private:
  Graph& graph_;
  const ReduceCase& reduce_;
};

}  // namespace

Words random_flags(std::uint64_t rows, std::uint32_t every) {
  Words words = reference::random_rows(rows, every);
  for (std::uint32_t& word : words)
    word = word / 7 % every == 0 ? word | 1u : 0;
  return words;
}

Words random_offsets(std::uint64_t ranges, std::uint64_t rows, std::uint32_t seed) {
  Words words = reference::random_rows(ranges + 1, seed);
  for (std::uint32_t& word : words)
    word = static_cast<std::uint32_t>(word % (rows + rows / 8 + 2));
  return words;
}

std::uint64_t ReduceCase::input_rows() const { return sum(rows); }

std::uint64_t ReduceCase::live_rows() const {
  const std::uint64_t all = input_rows();
  return std::min({all, encoded_rows.value_or(all), std::uint64_t{row_count.value_or(0xffffffff)}});
}

std::ostream& operator<<(std::ostream& stream, const ReduceCase& reduce) {
  stream << "reduce of " << to_string(reduce.format) << " by " << to_string(reduce.op.kind)
         << ", path " << to_string(reduce.path) << ", chunks of";
  for (const std::uint64_t rows : reduce.rows)
    stream << " " << rows;
  stream << ", lead " << reduce.lead << ", live " << reduce.live_rows();
  if (reduce.flags) stream << ", by flags";
  if (reduce.offsets) stream << ", by " << reduce.offsets->size() << " offsets";
  for (const std::uint64_t rows : reduce.output_rows)
    stream << " " << rows;
  for (const std::string& limit : reduce.limits)
    stream << ", " << limit;
  return stream << ", subgroups " << to_string(reduce.subgroups);
}

Result<Plan> plan_reduction(const ReduceCase& reduce, DeviceProfile profile) {
  for (const std::string& limit : reduce.limits) {
    if (auto ok = lower_limit(profile.limits, limit); !ok) return pass_on(ok);
  }
  Graph graph;
  Declaration declare(graph, reduce);
  Reduce description{
      .id = "scan", .op = reduce.op, .path = reduce.path, .subgroups = reduce.subgroups};
  description.input = declare.chunks("input", reduce.rows, reduce.format);
  description.output = declare.chunks("output", output_chunks(reduce), reduce.format);
  if (reduce.flags) {
    description.segment_flags = declare.chunks("flags", flag_chunks(reduce), Format::uint32);
  }
  if (reduce.offsets) description.offsets = declare.view("offsets", reduce.offsets->size());
  if (reduce.flags && reduce.has_number) description.count = declare.view("number", 1);
  if (reduce.row_count) description.row_count = declare.view("count", 1);
  if (auto added = graph.add(std::move(description)); !added) return pass_on(added);
  return graph.compile(profile);
}

Image image_before(const ReduceCase& reduce) {
  Image image;
  for (const std::uint64_t rows : reduce.rows)
    image.push_back(placed(reduce, words_of(reduce, rows, image.size())));
  for (const std::uint64_t rows : output_chunks(reduce))
    image.push_back(placed(reduce, Words(rows * reduce.row_words(), kSentinelAfter)));
  if (reduce.flags) {
    auto flag = reduce.flags->begin();
    for (const std::uint64_t rows : flag_chunks(reduce)) {
      const auto end = flag + static_cast<std::ptrdiff_t>(rows);
      image.push_back(placed(reduce, Words(flag, end)));
      flag = end;
    }
  }
  if (reduce.offsets) image.push_back(placed(reduce, *reduce.offsets));
  if (reduce.flags && reduce.has_number) image.push_back(placed(reduce, {kSentinelAfter}));
  if (reduce.row_count) image.push_back(placed(reduce, {*reduce.row_count}));
  return image;
}

Image image_after(const ReduceCase& reduce, Image image) {
  Words rows;
  for (std::size_t chunk = 0; chunk < reduce.rows.size(); ++chunk) {
    const auto first = image[chunk].begin() + static_cast<std::ptrdiff_t>(reduce.lead);
    rows.insert(rows.end(), first,
                first + static_cast<std::ptrdiff_t>(reduce.rows[chunk] * reduce.row_words()));
  }
  rows.resize(reduce.live_rows() * reduce.row_words());
  const auto op = oracle_of(reduce.op, reduce.format);
  Words totals;
  std::uint64_t number = 0;
  if (reduce.flags) {
    const Words flags(reduce.flags->begin(),
                      reduce.flags->begin() + static_cast<std::ptrdiff_t>(reduce.live_rows()));
    auto found = reference::reduce_rows_by_flags(rows, op, flags).value();
    totals = std::move(found.totals);
    number = found.count;
  } else if (reduce.offsets) {
    totals = reference::reduce_rows_by_offsets(rows, op, *reduce.offsets).value().totals;
  } else {
    const auto total = reference::reduce_rows(rows, op).value();
    totals.assign(total.begin(), total.begin() + reduce.row_words());
  }
  std::size_t buffer = reduce.rows.size();
  std::span<const std::uint32_t> left = totals;
  for (const std::uint64_t chunk : output_chunks(reduce)) {
    const auto words = std::min<std::size_t>(left.size(), chunk * reduce.row_words());
    std::ranges::copy(left.first(words),
                      image[buffer++].begin() + static_cast<std::ptrdiff_t>(reduce.lead));
    left = left.subspan(words);
  }
  if (reduce.flags && reduce.has_number) {
    image[buffer + flag_chunks(reduce).size()][reduce.lead] = static_cast<std::uint32_t>(number);
  }
  return image;
}

}  // namespace wgprim::testing
