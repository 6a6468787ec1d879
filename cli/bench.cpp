// wgprim bench OP: how long an operation takes, beside what the memory allows.
#include "bench.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "verbs.hpp"
#include "wgprim/version.hpp"

namespace wgprim::cli {
namespace {

struct BenchEntry {
  const char* name;
  const char* summary;
  Verb (*add)(CLI::App&);
};

constexpr std::array kOperations = {
    BenchEntry{"scan", "Prefix sums by size, beside a copy of the same array", add_bench_scan},
    BenchEntry{"reduce", "Sums, minima and maxima by size, beside a kernel that only reads",
               add_bench_reduce},
    BenchEntry{"workgroup-scan", "The scan within a workgroup, portable against subgroups",
               add_bench_workgroup_scan},
};

std::string operation_names() {
  std::string names;
  for (const BenchEntry& entry : kOperations)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  return names;
}

/// For the end of an operation's help: the options that stand at the verb.
std::string options_of_the_verb(const CLI::App& verb) {
  const auto options =
      verb.get_options([&](const CLI::Option* option) { return option != verb.get_help_ptr(); });
  const std::string group =
      CLI::Formatter().make_group("Options of every verb", /*is_positional=*/false, options);
  return group.substr(group.find_first_not_of('\n'));
}

}  // namespace

Json bench_machine(const Device& device) {
  return {{"adapter", device.adapter().name},
          {"driver", device.adapter().driver},
          {"backend", device.adapter().backend},
          {"versions", {{"wgprim", kVersion}, {"wgpu_native", webgpu_library_version()}}}};
}

std::string bench_title(std::string_view operation, const Device& device) {
  const AdapterInfo& adapter = device.adapter();
  return fmt::format("{} on {} ({}, driver {}), wgprim {}, wgpu-native {}\n", operation,
                     adapter.name, adapter.backend,
                     adapter.driver.empty() ? "unknown" : adapter.driver, kVersion,
                     webgpu_library_version());
}

const char* bench_clock(bool has_timestamps) { return has_timestamps ? "device" : "host"; }

std::string bench_remarks(const Device& device, bool has_timestamps) {
  std::string remarks;
  if (!has_timestamps) {
    remarks +=
        "The device has no timestamps: times are the host's, from submit to completion, and "
        "contain what submitting and waiting cost.\n";
  }
  if (device.adapter().is_software) {
    remarks += "The adapter is a CPU: its times say nothing about a GPU.\n";
  }
  return remarks;
}

std::string sample_remark(std::uint64_t samples) {
  constexpr std::uint64_t kFewest = 20;  // By nearest rank, which gives the maximum below.
  if (samples >= kFewest) return {};
  return fmt::format("Of fewer than {} samples p95 is the longest.\n", kFewest);
}

Verb add_bench(CLI::App& verb) {
  auto chosen = std::make_shared<Verb>();
  verb.require_subcommand(0, 1);
  for (const BenchEntry& entry : kOperations) {
    CLI::App* operation = verb.add_subcommand(entry.name, entry.summary);
    operation->fallthrough();  // The options that every verb has may stand behind the operation.
    operation->footer([&verb] { return options_of_the_verb(verb); });
    operation->callback([chosen, run = entry.add(*operation)] { *chosen = run; });
  }
  return [chosen](Session& session) -> Result<void> {
    if (*chosen) return (*chosen)(session);
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("The operation to bench is required: OP is one of {}.", operation_names()));
  };
}

}  // namespace wgprim::cli
