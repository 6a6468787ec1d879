// JSON to plan; see plan_json.hpp. Buffers and nodes are named by id in the text, by index in Plan.
#include <algorithm>
#include <array>
#include <set>

#include "document/json_reader.hpp"
#include "document/plan_json.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

/// The value whose name stands under `key`.
template <class Value>
Value choice(JsonReader& reader, const char* key,
             std::initializer_list<std::pair<const char*, Value>> names) {
  const std::string text = reader.text(key);
  for (const auto& [name, value] : names) {
    if (text == name) return value;
  }
  reader.refuse(key, concat("is '", text, "', which is not known there"));
  return names.begin()->second;
}

class PlanReader {
 public:
  Result<Plan> run(const Json& document) {
    JsonReader root(document, "", error_);
    if (root.number("wgprim_plan") != 1) root.refuse("wgprim_plan", "is not 1");
    root.list("nodes", [&](JsonReader& item) { read_node(item); });
    root.list("buffers", [&](JsonReader& item) { read_buffer(item); });
    root.list("slots", [&](JsonReader& item) {
      plan_.slots.push_back({item.number("bytes"), read_usage(item)});
    });
    root.list("kernels", [&](JsonReader& item) { read_kernel(item); });
    root.list("dispatches", [&](JsonReader& item) { read_dispatch(item); });
    root.list("passes", [&](JsonReader& item) { read_pass(item); });
    root.list("steps", [&](JsonReader& item) {
      plan_.steps.push_back({item.word("first"), item.word("end"), item.flag("oversized")});
    });
    plan_.scratch_bytes = root.number("scratch_bytes");
    plan_.scratch_bytes_without_reuse = root.number("scratch_bytes_without_reuse");
    plan_.largest_binding_bytes = root.number("largest_binding_bytes");
    plan_.workload = read_workload(root);
    check_order(root);
    check_unique(root, "nodes", plan_.nodes);
    check_unique(root, "buffers", plan_.buffers);
    root.finish();
    if (!error_.message.empty()) return std::unexpected(error_);
    return std::move(plan_);
  }

 private:
  void check_order(JsonReader& root) {
    const std::vector<std::string> order = root.texts("order");
    if (!std::ranges::equal(order, plan_.nodes, {}, {}, &PlanNode::id)) {
      root.refuse("order", "does not list the ids of 'nodes'");
    }
  }

  /// Everything else in the document refers to these by id.
  template <class Items>
  void check_unique(JsonReader& root, const char* key, const Items& items) {
    std::set<std::string_view> ids;
    for (const auto& item : items) {
      if (!ids.insert(item.id).second) root.refuse(key, concat("has the id '", item.id, "' twice"));
    }
  }

  void read_node(JsonReader& item) {
    plan_.nodes.push_back({.id = item.text("id"),
                           .operation = item.text("operation"),
                           .path = item.text("path"),
                           .reason = item.text("reason"),
                           .condition = item.text("condition"),
                           .uses_subgroups = item.flag("subgroups"),
                           .is_deterministic = item.flag("deterministic")});
  }

  void read_buffer(JsonReader& item) {
    PlanBuffer buffer;
    buffer.id = item.text("id");
    buffer.bytes = item.number("bytes");
    buffer.role = choice<BufferRole>(item, "role",
                                     {{"imported", BufferRole::imported},
                                      {"transient", BufferRole::transient},
                                      {"state", BufferRole::state}});
    buffer.usage = read_usage(item);
    if (item.has("slot")) buffer.slot = item.word("slot");
    plan_.buffers.push_back(std::move(buffer));
  }

  std::uint32_t read_usage(JsonReader& item) {
    std::uint32_t usage = 0;
    for (const std::string& name : item.texts("usage")) {
      const auto known = std::ranges::find_if(buffer_usage_names(),
                                              [&](const auto& one) { return one.name == name; });
      if (known == buffer_usage_names().end()) {
        item.refuse("usage", concat("names '", name, "', which is no usage"));
      } else {
        usage |= known->flag;
      }
    }
    return usage;
  }

  void read_kernel(JsonReader& item) {
    PlanKernel kernel;
    kernel.name = item.text("name");
    item.object("slots", [&](JsonReader& slots) {
      for (const std::string& key : slots.keys()) {
        kernel.slots.emplace_back(key, slots.text(key.c_str()));
      }
    });
    item.object("constants", [&](JsonReader& constants) {
      for (const std::string& key : constants.keys()) {
        kernel.constants.emplace_back(key, constants.word(key.c_str()));
      }
    });
    item.list("bindings", [&](JsonReader& binding) {
      kernel.bindings.push_back({binding.word("binding"),
                                 choice<Access>(binding, "access",
                                                {{"storage-read", Access::storage_read},
                                                 {"storage-read-write", Access::storage_read_write},
                                                 {"uniform", Access::uniform},
                                                 {"parameters", Access::parameters}})});
    });
    kernel.uses_subgroups = item.flag("uses_subgroups");
    if (item.has("wgsl")) kernel.wgsl = item.text("wgsl");
    plan_.kernels.push_back(std::move(kernel));
  }

  void read_dispatch(JsonReader& item) {
    PlanDispatch dispatch;
    dispatch.node = node_index(item);
    dispatch.kernel = item.word("specialisation");
    const std::string kernel_name = item.text("kernel");
    if (dispatch.kernel >= plan_.kernels.size() ||
        plan_.kernels[dispatch.kernel].name != kernel_name) {
      item.refuse("specialisation",
                  concat("is ", dispatch.kernel, ", where no kernel '", kernel_name, "' stands"));
    }
    dispatch.label = item.text("label");
    const std::vector<std::uint32_t> shape = item.words("shape");
    if (shape.size() == dispatch.shape.size()) {
      std::ranges::copy(shape, dispatch.shape.begin());
    } else {
      item.refuse("shape", "is not a list of three counts");
    }
    if (item.has("indirect")) {
      item.object("indirect", [&](JsonReader& indirect) {
        dispatch.indirect = {buffer_index(indirect, "buffer"), indirect.number("offset")};
      });
    }
    item.list("bindings", [&](JsonReader& binding) {
      dispatch.bindings.push_back({binding.word("binding"), buffer_index(binding, "buffer"),
                                   binding.number("offset"), binding.number("bytes")});
    });
    dispatch.parameters = item.words("parameters");
    dispatch.workload = read_workload(item);
    plan_.dispatches.push_back(std::move(dispatch));
  }

  void read_pass(JsonReader& item) {
    enum class Kind { compute, copy, clear };
    switch (choice<Kind>(
        item, "kind", {{"compute", Kind::compute}, {"copy", Kind::copy}, {"clear", Kind::clear}})) {
      case Kind::compute:
        plan_.passes.emplace_back(PlanComputePass{item.word("first"), item.word("end")});
        break;
      case Kind::copy:
        plan_.passes.emplace_back(
            PlanCopy{node_index(item), buffer_index(item, "source"), item.number("source_offset"),
                     buffer_index(item, "destination"), item.number("destination_offset"),
                     item.number("bytes")});
        break;
      case Kind::clear:
        plan_.passes.emplace_back(PlanClear{node_index(item), buffer_index(item, "buffer"),
                                            item.number("offset"), item.number("bytes")});
        break;
    }
  }

  Workload read_workload(JsonReader& item) {
    Workload workload;
    item.object("workload", [&](JsonReader& counts) {
      workload = {counts.number("workgroups"), counts.number("invocations"),
                  counts.number("bytes_read"), counts.number("bytes_written")};
    });
    return workload;
  }

  template <class Items>
  std::uint32_t index_of(JsonReader& item, const char* key, const Items& items) {
    const std::string id = item.text(key);
    for (std::uint32_t index = 0; index < items.size(); ++index) {
      if (items[index].id == id) return index;
    }
    item.refuse(key, concat("names '", id, "', which is not declared"));
    return 0;
  }

  std::uint32_t node_index(JsonReader& item) { return index_of(item, "node", plan_.nodes); }
  std::uint32_t buffer_index(JsonReader& item, const char* key) {
    return index_of(item, key, plan_.buffers);
  }

  Plan plan_;
  Error error_;
};

}  // namespace

Result<Plan> plan_from_json(std::string_view text) {
  const auto document = parse_json(text);
  if (!document) return pass_on(document);
  return PlanReader().run(*document);
}

}  // namespace wgprim
