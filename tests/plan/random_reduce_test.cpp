// What must hold for every reduction, tried on random rows, chunks, operators, counts and limits:
// those of random scans, with a row for the total in place of their output.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>

#include "reference/row_reduce.hpp"
#include "support/kernel_operator.hpp"
#include "support/plan_faults.hpp"
#include "support/plan_interpreter.hpp"
#include "support/random_scan.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint64_t kPlace = 70;  // Word of the total in its buffer.
constexpr std::uint64_t kTotalWords = 100;

/// Those whose rows a reduction takes, too: rows that are not split.
rc::Gen<RandomScan> whole(rc::Gen<RandomScan> scans) {
  return rc::gen::suchThat(std::move(scans),
                           [](const RandomScan& random) { return !random.scan.is_split(); });
}

Plan plan_of(const RandomScan& random) {
  const ScanCase& rows = random.scan;
  Graph graph;
  std::vector<BufferId> buffers;
  for (const ImportedBuffer& buffer : rows.buffers)
    buffers.push_back(graph.import_buffer(buffer).value());
  Reduce reduce{.id = "reduce", .op = rows.op, .path = rows.path, .subgroups = rows.subgroups};
  for (const Chunk& chunk : rows.input) {
    reduce.input.chunks.push_back({.buffer = buffers[chunk.buffer],
                                   .rows = chunk.rows,
                                   .byte_offset = chunk.byte_offset,
                                   .format = rows.format});
  }
  reduce.output = DataView{.buffer = graph.import_buffer({"total", 4 * kTotalWords}).value(),
                           .rows = 1,
                           .byte_offset = 4 * kPlace,
                           .format = rows.format};
  if (rows.row_count) {
    reduce.row_count = DataView{.buffer = buffers[rows.row_count->buffer],
                                .rows = 1,
                                .byte_offset = rows.row_count->byte_offset};
  }
  if (const auto added = graph.add(std::move(reduce)); !added) RC_FAIL(added.error().message);
  auto plan = graph.compile(random.profile);
  if (!plan) RC_FAIL(plan.error().message);
  return *std::move(plan);
}

/// The buffers with a total at its place, sentinels around it.
Image image_of(const ScanCase& rows, const reference::Row& total) {
  Image image = image_before(rows);
  Words words(kTotalWords, kSentinelAfter);
  std::copy_n(total.begin(), rows.row_words(), words.begin() + kPlace);
  image.push_back(std::move(words));
  return image;
}

void expect_right(const RandomScan& random) {
  const ScanCase& rows = random.scan;
  Words words = rows_in(image_before(rows), rows.input, rows.row_words());
  words.resize(rows.live_rows() * rows.row_words());
  const auto total = reference::reduce_rows(words, oracle_of(rows.op, rows.format)).value();
  EncodedRows encoded;
  if (rows.encoded_rows) encoded["reduce"] = *rows.encoded_rows;
  const reference::Row nothing = {kSentinelAfter, kSentinelAfter, kSentinelAfter, kSentinelAfter};
  const auto found = interpret(plan_of(random), image_of(rows, nothing), encoded);
  if (!found) RC_FAIL(found.error().message);
  RC_ASSERT(*found == image_of(rows, total));
}

RC_GTEST_PROP(RandomReduceTest, plans_break_no_rule, ()) {
  const RandomScan random = *whole(random_scans());
  RC_ASSERT(find_faults(plan_of(random), random.profile) == std::vector<std::string>());
}

RC_GTEST_PROP(RandomReduceTest, contract_RD_1_totals_are_the_oracles_and_nothing_else_is_touched,
              ()) {
  expect_right(*whole(random_scans()));
}

RC_GTEST_PROP(RandomReduceTest, contract_SC_16_fewer_rows_than_planned_for, ()) {
  expect_right(*whole(random_counted_scans()));
}

RC_GTEST_PROP(RandomReduceTest, equal_graphs_give_equal_plans, ()) {
  const RandomScan random = *whole(random_scans());
  RC_ASSERT(plan_of(random) == plan_of(random));
}

}  // namespace
}  // namespace wgprim::testing
