// Hazards to waits, waits to an order; see the header.
#include "graph/schedule.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

/// Cycles longer than this are told by their first nodes.
constexpr std::size_t kMostNamed = 16;

/// Who touched a buffer so far.
struct BufferHistory {
  std::optional<std::uint32_t> writer;
  std::vector<std::uint32_t> readers;  ///< Since that writer.
};

void append(std::vector<std::uint32_t>& list, const std::vector<std::uint32_t>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// The buffers of a node, each once, and whether it writes them.
std::vector<std::pair<std::uint32_t, bool>> touched_by(const Node& node) {
  std::vector<std::pair<std::uint32_t, bool>> touched;
  for (const BufferUse& use : node.uses)
    touched.emplace_back(use.buffer, writes(use.use));
  std::ranges::sort(touched, std::greater());  // The uses that write come first.
  const auto rest =
      std::ranges::unique(touched, {}, [](const auto& buffer) { return buffer.first; });
  touched.erase(rest.begin(), rest.end());
  return touched;
}

void add_hazards(const Graph::State& graph, Schedule& schedule) {
  std::vector<BufferHistory> histories(graph.buffers.size());
  for (std::uint32_t index = 0; index < graph.nodes.size(); ++index) {
    auto& before = schedule.before[index];
    for (const auto& [buffer, is_written] : touched_by(graph.nodes[index])) {
      BufferHistory& history = histories[buffer];
      if (history.writer) before.push_back(*history.writer);
      if (is_written) {
        append(before, history.readers);
        history = {.writer = index, .readers = {}};
      } else {
        history.readers.push_back(index);
      }
    }
  }
}

Result<void> add_dependencies(const Graph::State& graph, Schedule& schedule) {
  for (std::uint32_t index = 0; index < graph.nodes.size(); ++index) {
    const Node& node = graph.nodes[index];
    for (const std::string& id : node.depends_on()) {
      const auto found = graph.node_index.find(id);
      if (found == graph.node_index.end()) {
        return fail(ErrorCode::invalid_graph,
                    concat("Node '", node.id, "' depends on '", id, "', which is no node."));
      }
      schedule.before[index].push_back(found->second);
    }
  }
  return {};
}

/// The nodes that were never ready wait for each other; walking back from any of them ends in a
/// cycle.
std::unexpected<Error> cycle_error(const Graph::State& graph, const Schedule& schedule,
                                   const std::vector<std::uint32_t>& waits_left) {
  constexpr std::uint32_t kUnseen = 0xffffffff;
  std::vector<std::uint32_t> place(graph.nodes.size(), kUnseen);
  std::vector<std::uint32_t> path;
  const auto stuck = [&](std::uint32_t node) { return waits_left[node] > 0; };
  auto node = static_cast<std::uint32_t>(
      std::ranges::find_if(waits_left, [](auto count) { return count > 0; }) - waits_left.begin());
  while (place[node] == kUnseen) {
    place[node] = static_cast<std::uint32_t>(path.size());
    path.push_back(node);
    node = *std::ranges::find_if(schedule.before[node], stuck);
  }
  path.erase(path.begin(), path.begin() + place[node]);
  std::string names;
  for (std::size_t i = 0; i < std::min(path.size(), kMostNamed); ++i)
    names += concat("'", graph.nodes[path[i]].id, "' -> ");
  if (path.size() > kMostNamed) names += concat("... (", path.size(), " nodes) -> ");
  return fail(ErrorCode::invalid_graph, concat("Nodes wait for each other in a cycle: ", names, "'",
                                               graph.nodes[path.front()].id, "'."));
}

Result<void> order_by_waves(const Graph::State& graph, Schedule& schedule) {
  const std::size_t count = graph.nodes.size();
  std::vector<std::vector<std::uint32_t>> after(count);
  std::vector<std::uint32_t> waits_left(count);
  std::vector<std::uint32_t> wave;
  for (std::uint32_t node = 0; node < count; ++node) {
    waits_left[node] = static_cast<std::uint32_t>(schedule.before[node].size());
    if (waits_left[node] == 0) wave.push_back(node);
    for (const std::uint32_t earlier : schedule.before[node])
      after[earlier].push_back(node);
  }
  while (!wave.empty()) {
    append(schedule.order, wave);
    std::vector<std::uint32_t> next;
    for (const std::uint32_t node : wave) {
      for (const std::uint32_t later : after[node]) {
        if (--waits_left[later] == 0) next.push_back(later);
      }
    }
    std::ranges::sort(next);
    wave = std::move(next);
  }
  if (schedule.order.size() < count) return cycle_error(graph, schedule, waits_left);
  return {};
}

/// Who wrote a transient so far.
struct Writers {
  bool is_written_always = false;
  std::set<std::string_view> conditions;
  std::uint32_t first = 0;  ///< The first node that writes under a condition.
};

Result<void> check_read(const Graph::State& graph, const Node& node, std::uint32_t buffer,
                        const Writers& writers) {
  const std::string& id = graph.buffers[buffer].id;
  if (writers.is_written_always) return {};
  if (writers.conditions.empty()) {
    return fail(ErrorCode::invalid_graph, concat("Node '", node.id, "' reads transient '", id,
                                                 "', which no node before it writes."));
  }
  if (writers.conditions.contains(node.condition())) return {};
  const Node& first = graph.nodes[writers.first];
  return fail(ErrorCode::invalid_graph,
              concat("Node '", node.id, "' reads transient '", id, "', which '", first.id,
                     "' writes only if '", first.condition(),
                     "'; it needs that condition too, or a clear of '", id, "' before both."));
}

void add_writer(const Graph::State& graph, std::uint32_t index, Writers& writers) {
  const std::string& condition = graph.nodes[index].condition();
  if (condition.empty()) {
    writers.is_written_always = true;
    return;
  }
  if (writers.conditions.empty()) writers.first = index;
  writers.conditions.insert(condition);
}

}  // namespace

Result<Schedule> schedule(const Graph::State& graph) {
  Schedule schedule;
  schedule.before.resize(graph.nodes.size());
  add_hazards(graph, schedule);
  if (auto ok = add_dependencies(graph, schedule); !ok) return pass_on(ok);
  for (auto& before : schedule.before) {
    std::ranges::sort(before);
    before.erase(std::ranges::unique(before).begin(), before.end());
  }
  if (auto ok = order_by_waves(graph, schedule); !ok) return pass_on(ok);
  return schedule;
}

Result<void> check_transients(const Graph::State& graph) {
  std::vector<Writers> writers(graph.buffers.size());
  const auto is_transient = [&](const BufferUse& use) {
    return graph.buffers[use.buffer].role == BufferRole::transient;
  };
  for (std::uint32_t index = 0; index < graph.nodes.size(); ++index) {
    const Node& node = graph.nodes[index];
    for (const BufferUse& use : node.uses) {
      if (!is_transient(use) || !reads(use.use)) continue;
      const auto written = check_read(graph, node, use.buffer, writers[use.buffer]);
      if (!written) return written;
    }
    for (const BufferUse& use : node.uses) {
      if (is_transient(use) && writes(use.use)) add_writer(graph, index, writers[use.buffer]);
    }
  }
  return {};
}

}  // namespace wgprim
