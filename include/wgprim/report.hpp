// Reports on plans and their runs: how much memory, how much work, whether a device takes it, and
// where the time goes. Values with a text and a JSON form; pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wgprim/distribution.hpp"
#include "wgprim/limits.hpp"
#include "wgprim/plan.hpp"

namespace wgprim {

/// A number of buffers and what they add up to.
struct BufferTotals {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  bool operator==(const BufferTotals&) const = default;
};

struct PlanStats {
  std::vector<std::string> order;  ///< Node ids as they run.
  BufferTotals imported;
  BufferTotals logical;           ///< Transients that the plan uses, each with memory of its own.
  BufferTotals physical;          ///< The slots they share, and state buffers.
  std::uint64_t saved_bytes = 0;  ///< By sharing slots.
};

PlanStats stats_of(const Plan& plan);

/// What a node amounts to.
struct NodeWork {
  std::string id;
  std::string operation;
  std::string path;
  std::uint64_t commands = 0;  ///< Dispatches, copies, clears, external work.
  Workload workload;
};

/// By node, in order.
std::vector<NodeWork> node_work(const Plan& plan);

/// A limit that a plan goes beyond, under its WebGPU name.
struct ExceededLimit {
  std::string limit;
  std::uint64_t allowed = 0;
  std::uint64_t needed = 0;
  std::string what;  ///< "buffer 'keys'", "dispatch 3 of node 'sum'".
};

struct Preflight {
  std::vector<NodeWork> nodes;
  NodeWork total;  ///< Sums; its texts are empty.
  std::uint64_t largest_buffer_bytes = 0;
  std::uint64_t largest_binding_bytes = 0;
  std::vector<ExceededLimit> exceeded;  ///< The worst offender of each limit; empty: it fits.
  bool fits() const { return exceeded.empty(); }
};

/// Holds a plan against a device's limits, which may be lower than those it was planned for.
Preflight preflight(const Plan& plan, const Limits& limits);

/// What became of a node in an encode.
enum class Outcome {
  executed,
  skipped,       ///< Its condition was false.
  gpu_resolved,  ///< The device decides how much of it runs.
};

const char* to_string(Outcome outcome);

/// Follows a plan over its runs. Keeps the latest `kMostTimes` times of each node.
class Inspector {
 public:
  static constexpr std::size_t kMostTimes = 1024;

  struct NodeReport {
    std::string id;
    std::string operation;
    std::string path;
    std::string reason;
    std::optional<Outcome> outcome;   ///< Of the latest run; nothing before the first.
    std::optional<double> latest_ns;  ///< GPU time in the latest run, where it was timed.
    std::optional<Distribution> times_ns;
  };

  /// `is_software`: whether the adapter is a CPU (AdapterInfo::is_software), where that is known.
  Inspector(const Plan& plan, const DeviceProfile& profile,
            std::optional<bool> is_software = std::nullopt);

  /// Takes in a run: Executable::outcomes() and NodeTimer::read(), both by node; the times may be
  /// empty.
  void add_run(std::span<const Outcome> outcomes,
               std::span<const std::optional<double>> gpu_ns = {});

  std::vector<NodeReport> nodes() const;
  const Capabilities& capabilities() const { return profile_.capabilities; }
  const Limits& limits() const { return profile_.limits; }
  std::optional<bool> is_software() const { return is_software_; }

 private:
  struct History {
    std::optional<Outcome> outcome;
    std::optional<double> latest_ns;
    std::vector<double> times_ns;  ///< A ring once it is full.
    std::size_t next = 0;
  };
  std::vector<PlanNode> plan_nodes_;
  DeviceProfile profile_;
  std::optional<bool> is_software_;
  std::vector<History> histories_;
};

std::string to_text(const PlanStats& stats);
std::string to_text(const Preflight& preflight);
std::string to_text(const Inspector& inspector);
std::string to_json(const PlanStats& stats);
std::string to_json(const Preflight& preflight);
std::string to_json(const Inspector& inspector);

}  // namespace wgprim
