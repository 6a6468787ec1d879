// Words to ScanOptions; see the header.
#include "scan_options.hpp"

#include <map>

namespace wgprim::cli {

void add_scan_options(CLI::App& verb, ScanOptions& options) {
  const auto inclusive = verb.add_flag_callback(
      "--inclusive", [&options] { options.mode = ScanMode::inclusive; },
      "Row i is the sum of the rows up to and including i");
  verb.add_flag_callback(
          "--exclusive", [&options] { options.mode = ScanMode::exclusive; },
          "Row i is the sum of the rows before i (default)")
      ->excludes(inclusive);
  verb.add_flag("--in-place", options.is_in_place,
                "Scan within one device array: half the device memory");
  const std::map<std::string, Path> paths = {{"auto", Path::automatic}, {"chained", Path::chained}};
  verb.add_option("--path", options.path, "How to go about it")
      ->transform(CLI::CheckedTransformer(paths).description(""))
      ->type_name("auto|chained");
  const std::map<std::string, Subgroups> subgroups = {
      {"auto", Subgroups::automatic}, {"on", Subgroups::on}, {"off", Subgroups::off}};
  verb.add_option("--subgroups", options.subgroups, "Whether kernels use subgroup operations")
      ->transform(CLI::CheckedTransformer(subgroups).description(""))
      ->type_name("auto|on|off");
}

}  // namespace wgprim::cli
