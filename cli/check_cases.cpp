// From a seed to a case; see the header.
#include "check_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <random>

#include "reference/random_rows.hpp"
#include "rows.hpp"

namespace wgprim::cli {
namespace {

/// Sizes where scans break: around subgroups, blocks and blocks of blocks.
constexpr std::uint64_t kEdges[] = {0,    1,    2,    3,    7,    8,    31,    32,    33,
                                    63,   64,   65,   127,  128,  129,  255,   256,   257,
                                    1023, 1024, 1025, 4095, 4096, 4097, 65535, 65536, 65537};

using Random = std::mt19937_64;

std::uint64_t draw_rows(Random& random) {
  const std::uint64_t pick = random();
  const bool is_edge = pick % 2 == 0;
  return is_edge ? kEdges[(pick >> 1) % std::size(kEdges)] : (pick >> 1) % 131072;
}

/// One chunk, a few, or very many of some rows; empty ones among them.
std::vector<std::uint64_t> draw_chunks(Random& random, std::uint64_t rows) {
  constexpr std::uint64_t kMostTinyRows = 5000;
  const std::uint64_t kind = random() % 8;
  std::vector<std::uint64_t> chunks;
  std::uint64_t left = rows;
  if (kind == 0 && rows <= kMostTinyRows) {
    for (; left > 0; left -= chunks.back())
      chunks.push_back(std::min(left, random() % 4));
  } else if (kind < 4) {
    for (std::uint64_t count = random() % 6; count > 0; --count) {
      chunks.push_back(random() % 3 == 0 ? 0 : random() % (left + 1));
      left -= chunks.back();
    }
    chunks.push_back(left);
  }
  return chunks;
}

Placement draw_placement(Random& random, std::uint64_t rows) {
  return {draw_chunks(random, rows), 4 * (random() % 4)};
}

void draw_mode(Random& random, const CheckCommand& command, ScanOptions& options) {
  const bool is_inclusive = random() % 2 == 1;
  const bool is_given = command.mode ? *command.mode == "inclusive" : is_inclusive;
  options.mode = is_given ? ScanMode::inclusive : ScanMode::exclusive;
  options.is_reverse |= random() % 3 == 0;
  options.is_segmented |= random() % 3 == 0;
  options.is_in_place |= random() % 4 == 0 && !command.chunks.is_given();
}

/// A whole number, which every format has.
std::optional<std::string> draw_init(Random& random) {
  const std::uint64_t pick = random();
  return pick % 4 == 0 ? std::optional(std::to_string((pick >> 2) % 1000)) : std::nullopt;
}

void draw_placements(Random& random, const CheckCommand& command, std::uint64_t rows,
                     ScanOptions& options) {
  const Placement input = draw_placement(random, rows);
  const Placement output = draw_placement(random, rows);
  const Placement flags = draw_placement(random, rows);
  if (command.chunks.is_given()) return;
  options.input = input;
  options.output = options.is_in_place ? input : output;
  if (options.is_segmented) options.flags = flags;
}

/// As the command line would say it; nothing for what it need not say.
std::string words_for(const CheckCase& test, const ScanChoices& choices,
                      const std::optional<std::string>& init, const ChunkChoices& chunks) {
  const ScanOptions& options = test.options;
  std::string words;
  if (!choices.dtype.empty()) words += " --dtype " + choices.dtype;
  if (options.op.kind != OperatorKind::sum)
    words += fmt::format(" --op {}", to_string(options.op.kind));
  if (options.is_reverse) words += " --reverse";
  if (init) words += " --init " + *init;
  if (options.is_segmented) words += " --segments";
  if (options.is_in_place) words += " --in-place";
  for (const auto& [name, list] :
       {std::pair("--chunks", &chunks.all), std::pair("--chunks-flags", &chunks.flags),
        std::pair("--chunks-out", &chunks.output)}) {
    if (*list) words += fmt::format(" {} {}", name, **list);
  }
  return words;
}

/// Sums of any bits would soon be infinite, where every answer is right; and of three cases out of
/// four no minimum or maximum shall be lost to a NaN.
std::uint32_t tame_float(std::uint32_t word, const CheckCase& test) {
  constexpr std::uint32_t kExponent = 0x7f800000;
  if (test.options.op.kind == OperatorKind::sum) {
    return std::bit_cast<std::uint32_t>(std::ldexp(static_cast<float>(word) - 0x1p31f, -20));
  }
  const bool is_kept = test.seed % 4 == 0 || (word & kExponent) != kExponent;
  return is_kept ? word : word & ~kExponent;
}

}  // namespace

std::string CheckCase::reproduction(const DeviceRequest& request) const {
  std::string line = fmt::format("wgprim check {} --n {}", operation, rows);
  if (operation == "scan") line += fmt::format(" --mode {}", to_string(options.mode));
  line += fmt::format("{} --seed {} --cases 1 --path {} --subgroups {}", words, seed,
                      to_string(options.path), to_string(options.subgroups));
  if (!request.adapter.empty()) line += fmt::format(" --adapter '{}'", request.adapter);
  for (const std::string& limit : request.limits)
    line += " --limit " + limit;
  for (const std::string& capability : request.capabilities)
    line += " --capability " + capability;
  return line;
}

std::vector<std::uint32_t> CheckCase::input() const {
  const std::uint64_t row_words = row_bytes(options.format) / 4;
  auto values = reference::random_rows(rows * row_words, seed);
  if (options.format == Format::float32) {
    for (std::uint32_t& value : values)
      value = tame_float(value, *this);
  }
  return values;
}

std::vector<std::uint32_t> CheckCase::flags() const {
  if (!options.is_segmented) return {};
  constexpr std::uint32_t kMeanRows[] = {2, 10, 300, 10000};
  const std::uint32_t mean = kMeanRows[seed % std::size(kMeanRows)];
  auto flags = reference::random_rows(rows, ~seed);
  for (std::uint32_t& flag : flags)
    flag = flag % mean == 0 ? flag | 1 : 0;
  return flags;
}

Result<CheckCase> make_case(const CheckCommand& command, const ScanOptions& options,
                            std::uint64_t index) {
  CheckCase test{.operation = command.operation,
                 .rows = 0,
                 .seed = command.seed + index,
                 .options = options,
                 .words = {}};
  Random random(test.seed);
  const std::uint64_t rows = draw_rows(random);
  test.rows = command.rows.value_or(rows);
  std::optional<std::string> init = command.choices.init;
  if (command.is_scan()) {
    draw_mode(random, command, test.options);
    const auto drawn = draw_init(random);
    if (!init) init = drawn;
    if (init) {
      const auto value = parse_row_value("--init", *init, options.format);
      if (!value) return pass_on(value);
      test.options.init = *value;
    }
    draw_placements(random, command, test.rows, test.options);
    if (auto ok = command.chunks.apply_to(test.options, test.rows); !ok) return pass_on(ok);
  } else {
    test.options.is_segmented |= random() % 3 == 0;
  }
  test.words = words_for(test, command.choices, init, command.chunks);
  return test;
}

}  // namespace wgprim::cli
