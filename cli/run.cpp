// wgprim run GRAPH: a graph over files, once or often, whole or in steps, timed by node.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "graph_file.hpp"
#include "run_buffers.hpp"
#include "run_options.hpp"
#include "run_outputs.hpp"
#include "verbs.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/native.hpp"
#include "wgprim/report.hpp"

namespace wgprim::cli {
namespace {

/// Each condition of the plan must be set, and nothing else.
Result<void> check_parameters(const Plan& plan, std::map<std::string, bool> unknown) {
  const auto given = unknown;
  for (const PlanNode& node : plan.nodes) {
    if (node.condition.empty()) continue;
    unknown.erase(node.condition);
    if (given.contains(node.condition)) continue;
    return fail(ErrorCode::invalid_argument,
                fmt::format("Node '{}' runs on the parameter '{}', which is not set; --set "
                            "{}=true runs it.",
                            node.id, node.condition, node.condition));
  }
  if (unknown.empty()) return {};
  return fail(
      ErrorCode::invalid_argument,
      fmt::format("No node of the graph runs on a parameter '{}'.", unknown.begin()->first));
}

/// Times by node where they are asked for and can be had; says so where they cannot.
Result<std::optional<NodeTimer>> make_timer(Device& device, const Plan& plan, bool is_wanted) {
  if (!is_wanted) return std::nullopt;
  auto timer = NodeTimer::create(device, plan.nodes.size());
  if (timer) return std::move(*timer);
  if (timer.error().code != ErrorCode::unsupported) return pass_on(timer);
  say("the device has no timestamps; no node is timed.");
  return std::nullopt;
}

/// Encodes and submits a graph as often as asked, in the steps of its budget.
class Runner {
 public:
  Runner(Device& device, Executable& executable, Inspector& inspector)
      : device_(device), executable_(executable), inspector_(inspector) {}

  Result<void> run(std::uint64_t times, const EncodeOptions& options, ProgressLine& line) {
    const std::uint64_t steps = std::max<std::uint64_t>(executable_.plan().steps.size(), 1);
    for (std::uint64_t done = 0; done < times; ++done) {
      const auto show = [&](std::uint64_t step) {
        if (steps == 1) return line.update("run", done + step, times);
        line.update("step", step, steps);
      };
      const auto ran =
          executable_.plan().steps.empty() ? run_whole(options) : run_steps(options, show);
      if (!ran) return ran;
      show(steps);
      if (auto ok = note(options.node_timer); !ok) return ok;
    }
    return {};
  }

  /// Of the latest run; of its nodes in sum where these were timed.
  std::optional<double> gpu_ns() const { return gpu_ns_; }

 private:
  Result<void> run_whole(const EncodeOptions& options) {
    gpu_ns_.reset();
    return wgprim::run(device_, executable_, options,
                       options.node_timer == nullptr ? &gpu_ns_ : nullptr);
  }

  template <class Show>
  Result<void> run_steps(const EncodeOptions& options, Show show) {
    auto execution = executable_.begin(options);
    if (!execution) return pass_on(execution);
    const Workload& work = executable_.plan().workload;
    while (!execution->is_done()) {
      const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device_.handle(), nullptr);
      const auto encoded = execution->encode_next(encoder);
      // The encoder is consumed either way.
      const auto submitted = device_.submit_and_wait(encoder, work.bytes_read + work.bytes_written);
      if (!encoded) return pass_on(encoded);
      if (!submitted) return submitted;
      show(encoded->steps_done);
    }
    return {};
  }

  Result<void> note(NodeTimer* timer) {
    if (timer == nullptr) {
      inspector_.add_run(executable_.outcomes());
      return {};
    }
    const auto times = timer->read(device_);
    if (!times) return pass_on(times);
    inspector_.add_run(executable_.outcomes(), *times);
    gpu_ns_.reset();
    for (const auto& time : *times) {
      if (time) gpu_ns_ = gpu_ns_.value_or(0) + *time;
    }
    return {};
  }

  Device& device_;
  Executable& executable_;
  Inspector& inspector_;
  std::optional<double> gpu_ns_;
};

/// What one run of the verb works on, from the graph to the report.
struct Run {
  const RunCommand& command;
  Device& device;
  const Plan& plan;
  const Inspector& inspector;
  std::optional<double> gpu_ns;
};

Json milliseconds(const std::optional<double>& nanoseconds) {
  return nanoseconds ? Json(*nanoseconds / 1e6) : Json();
}

Json node_json(const Inspector::NodeReport& node, bool has_percentiles) {
  Json json = {{"id", node.id},
               {"outcome", node.outcome ? Json(to_string(*node.outcome)) : Json()},
               {"path", node.path},
               {"reason", node.reason},
               {"gpu_ms", milliseconds(node.latest_ns)}};
  if (!has_percentiles) return json;
  const auto part = [&](double Distribution::* member) {
    return node.times_ns ? Json((*node.times_ns).*member / 1e6) : Json();
  };
  json["gpu_ms_p50"] = part(&Distribution::median);
  json["gpu_ms_p95"] = part(&Distribution::p95);
  return json;
}

Json to_json(const Run& run, const Session& session) {
  const Plan& plan = run.plan;
  Json nodes = Json::array();
  for (const Inspector::NodeReport& node : run.inspector.nodes())
    nodes.push_back(node_json(node, run.command.is_timed && run.command.repeat > 1));
  Json steps = Json::array();
  for (const PlanStep& step : plan.steps)
    steps.push_back({{"first", step.first}, {"end", step.end}, {"oversized", step.is_oversized}});
  const bool is_deterministic = std::ranges::all_of(plan.nodes, &PlanNode::is_deterministic);
  return {{"adapter", run.device.adapter().name},
          {"backend", run.device.adapter().backend},
          {"dispatches", plan.dispatches.size()},
          {"bytes_read", plan.workload.bytes_read},
          {"bytes_written", plan.workload.bytes_written},
          {"scratch_bytes", plan.scratch_bytes},
          {"gpu_ms", milliseconds(run.gpu_ns)},
          {"wall_ms", session.wall_ms()},
          {"verified", nullptr},
          {"deterministic", is_deterministic},
          {"nodes", std::move(nodes)},
          {"steps", std::move(steps)}};
}

/// "1 node", "3 nodes".
std::string counted(std::uint64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", grouped(number), thing, number == 1 ? "" : "s");
}

std::string to_text(const Run& run, const Session& session) {
  const Plan& plan = run.plan;
  std::string sentence =
      fmt::format("{} run on {}", counted(plan.nodes.size(), "node"), run.device.adapter().name);
  if (run.command.repeat > 1) sentence += fmt::format(", {} times", grouped(run.command.repeat));
  if (!plan.steps.empty()) sentence += fmt::format(", in {}", counted(plan.steps.size(), "step"));
  const std::string on_device =
      run.gpu_ns ? fmt::format(", {:.3f} ms on the device", *run.gpu_ns / 1e6) : "";
  return wgprim::to_text(run.inspector) +
         fmt::format("{}: {} dispatch{}{}, {:.0f} ms in all.\n", sentence, plan.dispatches.size(),
                     plan.dispatches.size() == 1 ? "" : "es", on_device, session.wall_ms());
}

/// Compiles for the device, cuts into steps, and checks what the words say of conditions.
Result<Plan> plan_run(Graph& graph, const RunWords& words, const DeviceProfile& profile) {
  auto plan = graph.compile(profile);
  if (!plan) return plan;
  if (words.budget) {
    if (auto ok = apply_budget(*plan, *words.budget); !ok) return pass_on(ok);
  }
  if (auto ok = check_parameters(*plan, words.parameters); !ok) return pass_on(ok);
  return plan;
}

/// Uploads, runs, writes. Returns the GPU time of the latest run, where it is known.
Result<std::optional<double>> execute(Device& device, Executable& executable, Inspector& inspector,
                                      const RunCommand& command, const RunWords& words,
                                      RunBuffers& buffers, RunOutputs& outputs) {
  ProgressLine line(ProgressLine::Counts::things);
  if (auto ok = buffers.upload(device, line); !ok) return pass_on(ok);
  auto timer = make_timer(device, executable.plan(), command.is_timed);
  if (!timer) return pass_on(timer);
  const std::vector<Import> imports = buffers.imports();
  std::vector<Parameter> parameters;
  for (const auto& [name, value] : words.parameters)
    parameters.push_back({name, value});
  const EncodeOptions options{.imports = imports,
                              .parameters = parameters,
                              .row_counts = {},
                              .externals = {},
                              .node_timer = *timer ? &**timer : nullptr};
  Runner runner(device, executable, inspector);
  if (auto ok = runner.run(command.repeat, options, line); !ok) return pass_on(ok);
  if (auto ok = outputs.write(device, buffers); !ok) return pass_on(ok);
  return runner.gpu_ns();
}

Result<void> run(const RunCommand& command, Session& session) {
  const auto words = parse_words(command, session.is_json);
  if (!words) return pass_on(words);
  auto graph = read_graph(command.graph);
  if (!graph) return pass_on(graph);
  auto device = session.open_device();
  if (!device) return pass_on(device);
  const auto profile = device->profile();
  if (!profile) return pass_on(profile);
  const auto plan = plan_run(*graph, *words, *profile);
  if (!plan) return pass_on(plan);
  auto buffers = RunBuffers::read(*plan, words->binds);
  if (!buffers) return pass_on(buffers);
  const auto stream_format = buffers->stdin_format().value_or(io::FileFormat::raw);
  auto outputs = RunOutputs::open(words->outs, *graph, *plan, stream_format);
  if (!outputs) return pass_on(outputs);
  auto executable = Executable::create(*device, *plan);
  if (!executable) return pass_on(executable);
  Inspector inspector(*plan, *profile);
  const auto gpu_ns = execute(*device, *executable, inspector, command, *words, *buffers, *outputs);
  if (!gpu_ns) return pass_on(gpu_ns);
  const Run done{command, *device, *plan, inspector, *gpu_ns};
  if (session.is_json) return print_json(to_json(done, session));
  const std::string text = to_text(done, session);
  if (!outputs->has_stdout()) return print(text);
  if (!outputs->is_pipe_closed()) std::fputs(text.c_str(), stderr);
  return {};
}

}  // namespace

Verb add_run(CLI::App& verb) {
  auto command = std::make_shared<RunCommand>();
  add_run_options(verb, *command);
  return [command](Session& session) { return run(*command, session); };
}

}  // namespace wgprim::cli
