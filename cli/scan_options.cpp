// Words to ScanOptions; see the header.
#include "scan_options.hpp"

#include "option_values.hpp"

namespace wgprim::cli {

void add_scan_mode(CLI::App& verb, ScanOptions& options) {
  const auto inclusive = verb.add_flag_callback(
      "--inclusive", [&options] { options.mode = ScanMode::inclusive; },
      "Row i is the sum of the rows up to and including i");
  verb.add_flag_callback(
          "--exclusive", [&options] { options.mode = ScanMode::exclusive; },
          "Row i is the sum of the rows before i (default)")
      ->excludes(inclusive);
}

void add_scan_path(CLI::App& verb, ScanOptions& options) {
  add_choice<Path>(verb, "--path", options.path,
                   {{"auto", Path::automatic}, {"chained", Path::chained}}, "How to go about it");
}

void add_scan_options(CLI::App& verb, ScanOptions& options) {
  verb.add_flag("--in-place", options.is_in_place,
                "Scan within one device array: half the device memory");
  add_scan_path(verb, options);
  add_choice<Subgroups>(
      verb, "--subgroups", options.subgroups,
      {{"auto", Subgroups::automatic}, {"on", Subgroups::on}, {"off", Subgroups::off}},
      "Whether kernels use subgroup operations");
}

}  // namespace wgprim::cli
