// A graph from JSON; see wgprim/document.hpp.
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "document/graph_fields.hpp"
#include "document/json_reader.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/document.hpp"

namespace wgprim {
namespace {

/// Nodes hold their views by value: without a bound, a few megabytes of text that name one long
/// view again and again would fill any memory.
constexpr std::size_t kMaxOperandChunks = std::size_t{1} << 22;

/// Nodes hold their WGSL by value, and a few bytes of text name a file of any size again and again.
constexpr std::uint64_t kMaxLoadedBytes = std::uint64_t{256} << 20;

/// The texts that nodes name as files: each file is read once, and what nodes hold of them bounded.
class LoadedTexts {
 public:
  explicit LoadedTexts(const LoadText& load) : load_(load) {}

  /// Puts the text of `path` into `wgsl`, or refuses what stands under `key`.
  void read(JsonReader& io, const char* key, const std::string& path, std::string& wgsl) {
    if (!load_) return io.refuse(key, "names a file, and none can be read here");
    if (path == "-") return io.refuse(key, "is '-', which stands for no file in a graph");
    auto found = texts_.find(path);
    if (found == texts_.end()) {
      auto text = load_(path);
      if (!text) return io.refuse(text.error(), key);
      found = texts_.emplace(path, std::move(*text)).first;
    }
    bytes_ += found->second.size();
    if (bytes_ > kMaxLoadedBytes) {
      return io.refuse(key,
                       concat("brings the texts that all nodes load to ", bytes_,
                              " bytes, above their limit (", kMaxLoadedBytes, ")"),
                       ErrorCode::limit_exceeded);
    }
    wgsl = found->second;
  }

 private:
  const LoadText& load_;
  std::unordered_map<std::string, std::string> texts_;  ///< By path.
  std::uint64_t bytes_ = 0;
};

/// Finds what nodes name.
class Operands {
 public:
  Operands(const Graph& graph, const LoadText& load) : graph_(graph), texts_(load) {}

  void begin(std::string_view) {}

  void vector(JsonReader& io, const char* key, VectorView& view) {
    std::string id;
    io.text(key, id);
    if (!io.is_fine()) return;
    auto found = graph_.find_view(id);
    if (!found) return io.refuse(key, concat("names '", id, "', which is no view and no buffer"));
    view = std::move(*found);
    chunks_ += view.chunks.size();
    if (chunks_ > kMaxOperandChunks) {
      io.refuse(key,
                concat("brings the chunks of all operands to ", chunks_, ", above their limit (",
                       kMaxOperandChunks, ")"),
                ErrorCode::limit_exceeded);
    }
  }

  void single(JsonReader& io, const char* key, DataView& view) {
    VectorView found;
    vector(io, key, found);
    if (!io.is_fine()) return;
    if (found.chunks.size() != 1) {
      return io.refuse(
          key, concat("names a view of ", found.chunks.size(), " chunks, where one chunk is taken"),
          ErrorCode::invalid_view);
    }
    view = found.chunks.front();
  }

  void program(JsonReader& io, std::string& wgsl) {
    constexpr const char* kFile = "wgsl_file";
    if (!io.has(kFile)) return io.text("wgsl", wgsl);
    io.forbid("wgsl", "cannot stand beside 'wgsl_file'");
    std::string path;
    io.text(kFile, path);
    if (io.is_fine()) texts_.read(io, kFile, path, wgsl);
  }

 private:
  const Graph& graph_;
  LoadedTexts texts_;
  std::size_t chunks_ = 0;
};

class GraphReader {
 public:
  GraphReader(JsonReader& root, const LoadText& load) : root_(root), load_(load) {}

  Graph read() {
    root_.version("wgprim_graph", kGraphFormat);
    std::string id;
    if (root_.has("id")) root_.text("id", id);
    graph_ = Graph(std::move(id));
    if (root_.has("buffers")) root_.each("buffers", [&](JsonReader& item) { read_buffer(item); });
    read_views();
    Operands operands(graph_, load_);
    if (root_.has("nodes")) {
      root_.each("nodes", [&](JsonReader& item) { read_node(item, {operands}); });
    }
    root_.finish();
    return std::move(graph_);
  }

 private:
  void read_buffer(JsonReader& item) {
    BufferForm form;
    kBufferFields(item, form);
    item.finish();
    if (!item.is_fine()) return;
    constexpr std::uint64_t kWordBytes = 4;
    const std::uint64_t words = form.bytes / kWordBytes + (form.bytes % kWordBytes == 0 ? 0 : 1);
    const auto buffer =
        form.is_transient
            ? graph_.declare_transient(
                  {.id = std::move(form.id), .rows = words, .usage = std::move(form.usage)})
            : graph_.import_buffer(
                  {.id = std::move(form.id), .bytes = form.bytes, .usage = std::move(form.usage)});
    if (!buffer) return item.refuse(buffer.error());
    owner_ = buffer->owner;
  }

  void read_views() {
    if (!root_.has("views")) return;
    const std::vector<GraphBuffer>& buffers = graph_.state().buffers;
    const IdTable ids = ids_of(buffers);
    const ViewFields fields{buffers, ids, owner_};
    root_.each("views", [&](JsonReader& item) {
      NamedView named;
      fields(item, named);
      item.finish();
      if (!item.is_fine()) return;
      const auto ok = graph_.name_view(std::move(named.id), std::move(named.view));
      if (!ok) item.refuse(ok.error());
    });
  }

  void read_node(JsonReader& item, const OperationFields<Operands>& fields) {
    Operation operation;
    fields(item, operation);
    item.finish();
    if (!item.is_fine()) return;
    const auto ok = std::visit([&](auto& one) { return graph_.add(std::move(one)); }, operation);
    if (!ok) item.refuse(ok.error());
  }

  JsonReader& root_;
  const LoadText& load_;
  Graph graph_;
  const void* owner_ = nullptr;
};

}  // namespace

Result<Graph> graph_from_json(std::string_view text, const LoadText& load) {
  const auto document = parse_json(text);
  if (!document) return pass_on(document);
  Error error;
  JsonReader root(*document, error);
  Graph graph = GraphReader(root, load).read();
  if (!root.is_fine()) return std::unexpected(std::move(error));
  return graph;
}

}  // namespace wgprim
