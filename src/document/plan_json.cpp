// Plans as JSON, both ways; see wgprim/document.hpp.
#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "document/json_reader.hpp"
#include "document/json_writer.hpp"
#include "document/plan_fields.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/document.hpp"

namespace wgprim {
namespace {

constexpr std::uint64_t kPlanFormat = 1;

/// Reads a plan; ids first, since everything else refers to them.
class PlanReader {
 public:
  explicit PlanReader(JsonReader& root) : root_(root) {}

  Plan read() {
    root_.version("wgprim_plan", kPlanFormat);
    std::vector<std::string> order;
    root_.texts("order", order);
    take_ids("nodes", order, nodes_, std::identity());
    list("buffers", plan_.buffers);
    take_ids("buffers", plan_.buffers, buffers_, &PlanBuffer::id);
    list("nodes", plan_.nodes);
    if (!std::ranges::equal(order, plan_.nodes, {}, {}, &PlanNode::id)) {
      root_.refuse("order", "does not list the ids of 'nodes'");
    }
    list("slots", plan_.slots);
    list("kernels", plan_.kernels);
    list("dispatches", plan_.dispatches);
    list("passes", plan_.passes);
    list("steps", plan_.steps);
    check_indices();
    root_.number("scratch_bytes", plan_.scratch_bytes);
    root_.number("scratch_bytes_without_reuse", plan_.scratch_bytes_without_reuse);
    root_.number("largest_binding_bytes", plan_.largest_binding_bytes);
    root_.object("workload", [&](JsonReader& inner) { PlanFields::counts(inner, plan_.workload); });
    root_.finish();
    return std::move(plan_);
  }

 private:
  template <class Item>
  void list(const char* key, std::vector<Item>& items) {
    root_.list(key, items, PlanFields{nodes_, buffers_, plan_.kernels});
  }

  /// What stands as a number for an item of a list that is read later: whoever prints a plan or
  /// sums it up takes these as they are.
  void check_indices() {
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
      const auto& slot = plan_.buffers[i].slot;
      if (slot && *slot >= plan_.slots.size()) {
        root_.refuse(concat("buffers[", i, "].slot"),
                     concat("is ", *slot, ", where 'slots' has ", plan_.slots.size()));
      }
    }
    for (std::size_t i = 0; i < plan_.passes.size(); ++i) {
      const auto* pass = std::get_if<PlanComputePass>(&plan_.passes[i]);
      if (pass != nullptr) check_range("passes", i, *pass, "dispatches", plan_.dispatches.size());
    }
    for (std::size_t i = 0; i < plan_.steps.size(); ++i)
      check_range("steps", i, plan_.steps[i], "nodes", plan_.nodes.size());
  }

  void check_range(std::string_view list, std::size_t index, const auto& range,
                   std::string_view items, std::size_t count) {
    if (range.first < range.end && range.end <= count) return;
    root_.refuse(concat(list, "[", index, "]"), concat("is [", range.first, ", ", range.end,
                                                       ") of '", items, "', which has ", count));
  }

  template <class Items, class IdOf>
  void take_ids(const char* key, const Items& items, IdTable& table, IdOf id_of) {
    for (const auto& item : items) {
      const std::string& id = std::invoke(id_of, item);
      if (!table.add(id)) root_.refuse(key, concat("has the id '", id, "' twice"));
    }
  }

  JsonReader& root_;
  Plan plan_;
  IdTable nodes_;
  IdTable buffers_;
};

}  // namespace

std::string to_json(const Plan& plan) {
  const IdTable nodes = ids_of(plan.nodes);
  const IdTable buffers = ids_of(plan.buffers);
  const PlanFields fields{nodes, buffers, plan.kernels};
  std::string text = begin_document("wgprim_plan", kPlanFormat);
  append_json_list(begin_member(text, "order"), plan.nodes,
                   [&](const PlanNode& node) { append_json(text, node.id); });
  append_lines(text, "nodes", plan.nodes, fields);
  append_lines(text, "buffers", plan.buffers, fields);
  append_lines(text, "slots", plan.slots, fields);
  append_lines(text, "kernels", plan.kernels, fields);
  append_lines(text, "dispatches", plan.dispatches, fields);
  append_lines(text, "passes", plan.passes, fields);
  append_lines(text, "steps", plan.steps, fields);
  append_json(begin_member(text, "scratch_bytes"), plan.scratch_bytes);
  append_json(begin_member(text, "scratch_bytes_without_reuse"), plan.scratch_bytes_without_reuse);
  append_json(begin_member(text, "largest_binding_bytes"), plan.largest_binding_bytes);
  JsonWriter::write(begin_member(text, "workload"),
                    [&](JsonWriter& writer) { PlanFields::counts(writer, plan.workload); });
  return text + "\n}\n";
}

Result<Plan> plan_from_json(std::string_view text) {
  const auto document = parse_json(text);
  if (!document) return pass_on(document);
  Error error;
  JsonReader root(*document, error);
  Plan plan = PlanReader(root).read();
  if (!root.is_fine()) return std::unexpected(std::move(error));
  return plan;
}

}  // namespace wgprim
