// wgprim run GRAPH: a graph over files, once or often, whole or in steps, timed by node.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "graph_file.hpp"
#include "run_buffers.hpp"
#include "run_loop.hpp"
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

Json to_json(const RunCommand& command, const Device& device, const Plan& plan, const RunLoop& loop,
             const Session& session) {
  Json nodes = Json::array();
  for (const Inspector::NodeReport& node : loop.inspector().nodes())
    nodes.push_back(node_json(node, command.is_timed && command.repeat > 1));
  Json steps = Json::array();
  for (const PlanStep& step : plan.steps)
    steps.push_back({{"first", step.first}, {"end", step.end}, {"oversized", step.is_oversized}});
  const bool is_deterministic = std::ranges::all_of(plan.nodes, &PlanNode::is_deterministic);
  return {{"adapter", device.adapter().name},
          {"backend", device.adapter().backend},
          {"path", nullptr},  // These three are of one operation; see "nodes".
          {"reason", nullptr},
          {"rows", nullptr},
          {"dispatches", plan.dispatches.size()},
          {"bytes_read", plan.workload.bytes_read},
          {"bytes_written", plan.workload.bytes_written},
          {"scratch_bytes", plan.scratch_bytes},
          {"gpu_ms", milliseconds(loop.gpu_ns())},
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

std::string to_text(const RunCommand& command, const Device& device, const Plan& plan,
                    const RunLoop& loop, const Session& session) {
  std::string sentence =
      fmt::format("{} run on {}", counted(plan.nodes.size(), "node"), device.adapter().name);
  if (command.repeat > 1) sentence += fmt::format(", {} times", grouped(command.repeat));
  if (!plan.steps.empty()) sentence += fmt::format(", in {}", counted(plan.steps.size(), "step"));
  const std::string on_device =
      loop.gpu_ns() ? fmt::format(", {:.3f} ms on the device", *loop.gpu_ns() / 1e6) : "";
  return wgprim::to_text(loop.inspector()) +
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

/// Uploads, runs, writes.
Result<void> execute(Device& device, RunLoop& loop, std::uint64_t times, const RunWords& words,
                     RunBuffers& buffers, RunOutputs& outputs) {
  ProgressLine line(ProgressLine::Unit::others);
  if (auto ok = buffers.upload(device, line); !ok) return ok;
  const std::vector<Import> imports = buffers.imports();
  std::vector<Parameter> parameters;
  for (const auto& [name, value] : words.parameters)
    parameters.push_back({name, value});
  const auto ran = loop.run(times, {.imports = imports, .parameters = parameters}, line);
  return ran ? outputs.write(device, buffers) : ran;
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
  auto buffers = RunBuffers::read(*plan, words->binds, words->parameters);
  if (!buffers) return pass_on(buffers);
  const auto stream_format = buffers->stdin_format().value_or(io::FileFormat::raw);
  auto outputs = RunOutputs::open(words->outs, *graph, *plan, stream_format);
  if (!outputs) return pass_on(outputs);
  auto executable = Executable::create(*device, *plan);
  if (!executable) return pass_on(executable);
  auto loop = RunLoop::create(*device, *executable, *profile, command.is_timed);
  if (!loop) return pass_on(loop);
  const auto done = execute(*device, *loop, command.repeat, *words, *buffers, *outputs);
  if (!done) return done;
  if (session.is_json) return print_json(to_json(command, *device, *plan, *loop, session));
  const std::string text = to_text(command, *device, *plan, *loop, session);
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
