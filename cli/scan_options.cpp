// Words to ScanOptions; see the header.
#include "scan_options.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "option_values.hpp"
#include "rows.hpp"

namespace wgprim::cli {
namespace {

/// A path that the library will have and this version has not.
std::string refuse_single_pass(const std::string& word) {
  if (word != "single-pass") return {};
  return "'single-pass' is not offered by this version (auto, chained, reduce-then-scan are)";
}

}  // namespace

Result<ScanOptions> ScanChoices::options_for(Format format) const {
  ScanOptions asked = options;
  asked.format = format;
  if (init) {
    const auto value = parse_row_value("--init", *init, format);
    if (!value) return pass_on(value);
    asked.init = *value;
  }
  return asked;
}

Result<ScanOptions> ScanChoices::options_without_file() const {
  if (dtype.empty()) return options_for(Format::uint32);
  const auto format = format_named(dtype);
  return format ? options_for(*format) : pass_on(format);
}

ReduceOptions reduce_options(const ScanOptions& options) {
  return {.format = options.format,
          .op = options.op,
          .is_segmented = options.is_segmented,
          .path = options.path,
          .subgroups = options.subgroups};
}

std::vector<const CLI::Option*> options_of_scan_alone(const CLI::App& verb) {
  constexpr std::string_view kOptions[] = {"--inclusive", "--exclusive",    "--mode",
                                           "--reverse",   "--init",         "--in-place",
                                           "--chunks",    "--chunks-flags", "--chunks-out"};
  return verb.get_options([&](const CLI::Option* option) {
    return option->count() > 0 &&
           std::ranges::find(kOptions, option->get_name()) != std::end(kOptions);
  });
}

std::string describe(const ScanOptions& options) {
  std::string text = to_string(options.mode);
  if (options.op.kind != OperatorKind::sum) text += std::string(", ") + to_string(options.op.kind);
  if (options.is_reverse) text += ", reverse";
  if (options.is_segmented) text += ", segmented";
  return text;
}

void add_scan_mode(CLI::App& verb, ScanOptions& options) {
  const auto inclusive = verb.add_flag_callback(
      "--inclusive", [&options] { options.mode = ScanMode::inclusive; },
      "Row i is of the rows up to and including i");
  verb.add_flag_callback(
          "--exclusive", [&options] { options.mode = ScanMode::exclusive; },
          "Row i is of the rows before i (default)")
      ->excludes(inclusive);
}

void add_operator(CLI::App& verb, OperatorKind& kind) {
  add_choice<OperatorKind>(
      verb, "--op", kind,
      {{"sum", OperatorKind::sum}, {"min", OperatorKind::min}, {"max", OperatorKind::max}},
      "How two rows become one (default sum; integer sums wrap)");
}

void add_scan_operator(CLI::App& verb, ScanChoices& choices) {
  add_operator(verb, choices.options.op.kind);
  verb.add_flag("--reverse", choices.options.is_reverse, "From the last row to the first");
  verb.add_option("--init", choices.init,
                  "What the scan and every segment start from, in place of the operator's identity")
      ->type_name("VALUE");
}

void add_rows_without_file(CLI::App& verb, ScanChoices& choices) {
  verb.add_option("--dtype", choices.dtype, "What the rows are (default uint32)")
      ->type_name(row_type_names());
  verb.add_flag("--segments", choices.options.is_segmented, "With a flag a row");
}

void add_path(CLI::App& verb, Path& path) {
  auto* const option = add_choice<Path>(verb, "--path", path,
                                        {{"auto", Path::automatic},
                                         {"chained", Path::chained},
                                         {"reduce-then-scan", Path::reduce_then_scan}},
                                        "How to go about it");
  // Ahead of the choice's own validator, which knows the word no more than any other.
  option->transform(CLI::Validator(refuse_single_pass, /*description=*/""));
}

void add_subgroups(CLI::App& verb, Subgroups& subgroups) {
  add_choice<Subgroups>(
      verb, "--subgroups", subgroups,
      {{"auto", Subgroups::automatic}, {"on", Subgroups::on}, {"off", Subgroups::off}},
      "Whether kernels use subgroup operations");
}

void add_scan_options(CLI::App& verb, ScanOptions& options) {
  verb.add_flag("--in-place", options.is_in_place,
                "Scan within one device array: half the device memory");
  add_path(verb, options.path);
  add_subgroups(verb, options.subgroups);
}

}  // namespace wgprim::cli
