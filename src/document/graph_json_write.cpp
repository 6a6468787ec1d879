// A graph as JSON; see wgprim/document.hpp.
#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "document/graph_fields.hpp"
#include "document/json_writer.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/document.hpp"

namespace wgprim {
namespace {

bool comes_before(const DataView& a, const DataView& b) {
  const auto key = [](const DataView& view) {
    return std::tie(view.buffer.index, view.byte_offset, view.rows, view.byte_stride, view.format);
  };
  return key(a) < key(b);
}

struct ViewOrder {
  bool operator()(const VectorView* a, const VectorView* b) const {
    return std::ranges::lexicographical_compare(a->chunks, b->chunks, comes_before);
  }
};

/// Names for operands: their own, that of a whole buffer, or a new one that nothing else has.
class Operands {
 public:
  explicit Operands(const Graph::State& graph) : graph_(graph) {
    for (const NamedView& named : graph.views)
      take(named);
  }

  void begin(std::string_view node) { node_ = node; }

  void vector(JsonWriter& io, const char* key, const VectorView& view) {
    io.text(key, name_of(view, key));
  }
  void single(JsonWriter& io, const char* key, const DataView& view) {
    io.text(key, name_of(view, key));
  }
  void program(JsonWriter& io, const std::string& wgsl) { io.text("wgsl", wgsl); }

  /// The views of the graph, then those that got a name here.
  const std::vector<const NamedView*>& views() const { return views_; }

 private:
  void take(const NamedView& named) {
    views_.push_back(&named);
    names_.try_emplace(&named.view, named.id);
  }

  std::string_view name_of(const VectorView& view, const char* key) {
    if (const auto known = names_.find(&view); known != names_.end()) return known->second;
    if (const GraphBuffer* buffer = whole_buffer(view)) return buffer->id;
    take(new_views_.emplace_back(new_name(key), view));
    return new_views_.back().id;
  }

  const GraphBuffer* whole_buffer(const VectorView& view) const {
    if (view.chunks.size() != 1) return nullptr;
    const DataView& chunk = view.chunks.front();
    const GraphBuffer& buffer = graph_.buffer(chunk.buffer);
    const DataView whole{.buffer = chunk.buffer, .rows = buffer.bytes / row_bytes(Format::uint32)};
    return chunk == whole ? &buffer : nullptr;
  }

  /// "NODE.KEY", with a number behind it from the second on.
  std::string new_name(const char* key) {
    const std::string base = concat(node_, ".", key);
    std::uint32_t& count = counts_[base];
    std::string name;
    do {
      ++count;
      name = count == 1 ? base : concat(base, count);
    } while (graph_.buffer_index.contains(name) || graph_.view_index.contains(name) ||
             !new_names_.insert(name).second);
    return name;
  }

  const Graph::State& graph_;
  std::string_view node_;
  std::vector<const NamedView*> views_;
  std::map<const VectorView*, std::string_view, ViewOrder> names_;
  std::deque<NamedView> new_views_;  ///< Stays where it is as it grows.
  std::unordered_set<std::string> new_names_;
  std::unordered_map<std::string, std::uint32_t> counts_;
};

Result<void> check_is_document(const Graph::State& graph) {
  for (const Node& node : graph.nodes) {
    if (!std::holds_alternative<External>(node.operation)) continue;
    return fail(ErrorCode::unsupported,
                concat("Node '", node.id, "' is external work, which no document can hold."));
  }
  return {};
}

}  // namespace

Result<std::string> to_json(const Graph& graph) {
  const Graph::State& state = graph.state();
  if (const auto ok = state.check_own_id(); !ok) return pass_on(ok);
  if (const auto ok = check_is_document(state); !ok) return pass_on(ok);
  std::string text = begin_document("wgprim_graph", kGraphFormat);
  append_json(begin_member(text, "id"), state.id);
  append_lines(text, "buffers", state.buffers, [](JsonWriter& io, const GraphBuffer& buffer) {
    const BufferForm form{buffer.id, buffer.bytes, buffer.role == BufferRole::transient,
                          buffer.usage};
    kBufferFields(io, form);
  });
  Operands operands(state);
  std::string nodes;  // First, since operands without a name get one, which the views then list.
  append_lines(nodes, "nodes", state.nodes, [&](JsonWriter& io, const Node& node) {
    OperationFields<Operands>{operands}(io, node.operation);
  });
  const IdTable buffer_ids = ids_of(state.buffers);
  append_lines(text, "views", operands.views(), [&](JsonWriter& io, const NamedView* named) {
    ViewFields{state.buffers, buffer_ids}(io, *named);
  });
  return text + nodes + "\n}\n";
}

}  // namespace wgprim
