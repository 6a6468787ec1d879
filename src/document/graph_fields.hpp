// The items of a graph, key by key, for JsonReader and JsonWriter alike. A new operation gets its
// name in kOperations and its fields in OperationFields; nothing else here knows operations.
// Called by graph_json_read.cpp and graph_json_write.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "document/fields.hpp"
#include "document/id_table.hpp"
#include "graph/graph_state.hpp"
#include "wgprim/ops.hpp"
#include "wgprim/view.hpp"

namespace wgprim {

inline constexpr std::uint64_t kGraphFormat = 1;
inline constexpr const char* kNotOffered = "is not offered by this version";

/// In the order of Operation.
inline constexpr std::array kOperations = {"scan", "scan_u64", "reduce",  "compute",
                                           "copy", "clear",    "external"};
/// What graph files hold besides, in other versions.
inline constexpr std::array kOtherOperations = {"compact", "partition", "unique", "run_lengths"};

inline constexpr std::array kScanModes = {ScanMode::exclusive, ScanMode::inclusive};
inline constexpr std::array kPaths = {Path::automatic, Path::chained, Path::reduce_then_scan};
inline constexpr std::array kOtherPaths = {"single-pass"};
inline constexpr std::array kOperatorKinds = {OperatorKind::sum, OperatorKind::min,
                                              OperatorKind::max};
inline constexpr std::array kSubgroups = {Subgroups::automatic, Subgroups::on, Subgroups::off};
inline constexpr std::array kComputeAccesses = {Use::storage_read, Use::storage_write,
                                                Use::storage_read_write, Use::uniform};

struct BufferForm {
  std::string id;
  std::uint64_t bytes = 0;
  bool is_transient = false;
  std::vector<Use> usage;
};

inline constexpr auto kBufferFields = [](auto& io, auto& buffer) {
  io.text("id", buffer.id);
  io.number("bytes", buffer.bytes);
  if (io.given("transient", buffer.is_transient)) io.flag("transient", buffer.is_transient);
  if (io.given("usage", !buffer.usage.empty())) io.choices("usage", buffer.usage, uses());
};

/// A named view: of one chunk, or of a list of them.
struct ViewFields {
  const std::vector<GraphBuffer>& graph_buffers;
  const IdTable& buffers;
  const void* owner = nullptr;  ///< Of the BufferIds; for readers.

  template <class Io>
  void operator()(Io& io, Is<NamedView> auto& named) const {
    auto& chunks = named.view.chunks;
    io.text("id", named.id);
    Format format = chunks.empty() ? Format::uint32 : chunks.front().format;
    if (io.given("format", format != Format::uint32)) io.choice("format", format, formats());
    if (io.given("chunks", chunks.size() != 1)) {
      for (const char* key : {"buffer", "rows", "byte_offset", "byte_stride"})
        io.forbid(key, "cannot stand beside 'chunks'");
      io.list("chunks", chunks, [&](auto& item, auto& chunk) {
        if constexpr (Io::kReads) chunk.format = format;
        if (item.given("format", chunk.format != format)) {
          item.choice("format", chunk.format, formats());
        }
        location(item, chunk);
      });
    } else {
      if constexpr (Io::kReads) chunks = {{.format = format}};
      location(io, chunks.front());
    }
  }

 private:
  template <class Io>
  void location(Io& io, auto& view) const {
    std::uint32_t buffer = view.buffer.index;
    io.reference("buffer", buffer, buffers);
    if (io.given("rows", true)) io.number("rows", view.rows);
    if (io.given("byte_offset", view.byte_offset != 0)) io.number("byte_offset", view.byte_offset);
    io.optional("byte_stride", view.byte_stride,
                [&](auto& stride) { io.number("byte_stride", stride); });
    if constexpr (Io::kReads) {
      view.buffer = {owner, buffer};
      if (io.is_fine() && !io.has("rows")) view.rows = rows_to_end(view);
    }
  }

  /// As many rows as lie between the view's start and the end of its buffer.
  std::uint64_t rows_to_end(const DataView& view) const {
    const std::uint64_t end = graph_buffers[view.buffer.index].bytes;
    const std::uint64_t width = row_bytes(view.format);
    if (view.byte_offset > end || end - view.byte_offset < width) return 0;
    const std::uint64_t stride = view.byte_stride.value_or(width);
    return stride == 0 ? 1 : 1 + (end - view.byte_offset - width) / stride;
  }
};

/// A node. `Operands` finds or names the views of operands: vector(io, key, VectorView), and
/// single(io, key, DataView) where one chunk is taken; and program(io, text).
template <class Operands>
struct OperationFields {
  Operands& operands;

  void operator()(auto& io, Is<Operation> auto& operation) const {
    io.forbid_words("op", kOtherOperations, kNotOffered, ErrorCode::unsupported);
    io.alternative("op", operation, kOperations);
    std::visit([&](auto& one) { node(io, one); }, operation);
  }

 private:
  template <class Node>
  void node(auto& io, Node& node) const {
    io.text("id", node.id);
    operands.begin(node.id);
    fields(io, node);
    if constexpr (!Is<Node, Compute>) {
      io.forbid("indirect", "cannot stand there: only compute nodes take a GPU condition");
    }
    if (io.given("depends_on", !node.depends_on.empty())) io.texts("depends_on", node.depends_on);
    if (io.given("condition", !node.condition.empty())) {
      io.object("condition", [&](auto& inner) { inner.name("parameter", node.condition); });
    }
  }

  void fields(auto& io, Is<Scan> auto& scan) const {
    operands.vector(io, "input", scan.input);
    operands.vector(io, "output", scan.output);
    if (io.given("mode", true)) io.choice("mode", scan.mode, kScanModes);
    row_operator(io, scan.op);
    io.optional("segment_flags", scan.segment_flags,
                [&](auto& flags) { operands.vector(io, "segment_flags", flags); });
    if (io.given("reverse", scan.is_reverse)) io.flag("reverse", scan.is_reverse);
    io.optional("init", scan.init,
                [&](auto& init) { io.row_value("init", init, format_of(scan.input)); });
    io.optional("segment_init", scan.segment_init,
                [&](auto& init) { io.row_value("segment_init", init, format_of(scan.input)); });
    for (const auto& [key, row] :
         {std::pair{"carry_in", &scan.carry_in}, {"carry_out", &scan.carry_out}})
      io.optional(key, *row, [&](auto& view) { operands.single(io, key, view); });
    choices(io, scan);
    determinism(io, scan);
  }

  void fields(auto& io, Is<ScanU64> auto& scan) const {
    operands.vector(io, "input_low", scan.input_low);
    operands.vector(io, "input_high", scan.input_high);
    operands.vector(io, "output_low", scan.output_low);
    operands.vector(io, "output_high", scan.output_high);
    if (io.given("mode", true)) io.choice("mode", scan.mode, kScanModes);
    choices(io, scan);
  }

  void fields(auto& io, Is<Reduce> auto& reduce) const {
    operands.vector(io, "input", reduce.input);
    operands.vector(io, "output", reduce.output);
    row_operator(io, reduce.op);
    io.optional("segment_flags", reduce.segment_flags,
                [&](auto& flags) { operands.vector(io, "segment_flags", flags); });
    for (const auto& [key, row] : {std::pair{"offsets", &reduce.offsets}, {"count", &reduce.count}})
      io.optional(key, *row, [&](auto& view) { operands.single(io, key, view); });
    choices(io, reduce);
    determinism(io, reduce);
  }

  /// What scans and reductions may be told besides.
  void choices(auto& io, auto& node) const {
    io.optional("row_count", node.row_count,
                [&](auto& row) { operands.single(io, "row_count", row); });
    if (io.given("path", node.path != Path::automatic)) {
      io.forbid_words("path", kOtherPaths, kNotOffered, ErrorCode::unsupported);
      io.choice("path", node.path, kPaths);
    }
    if (io.given("subgroups", node.subgroups != Subgroups::automatic)) {
      io.choice("subgroups", node.subgroups, kSubgroups);
    }
  }

  /// Of those whose rows may be floats.
  void determinism(auto& io, auto& node) const {
    if (io.given("deterministic", node.is_deterministic)) {
      io.flag("deterministic", node.is_deterministic);
    }
  }

  static Format format_of(const VectorView& vector) {
    return vector.chunks.empty() ? Format::uint32 : vector.chunks.front().format;
  }

  /// A word, or the text of a custom one.
  void row_operator(auto& io, Is<Operator> auto& op) const {
    if (!io.given("operator", op != Operator{})) return;
    if (!io.is_object("operator", op.kind == OperatorKind::custom)) {
      return io.choice("operator", op.kind, kOperatorKinds);
    }
    if constexpr (std::remove_cvref_t<decltype(io)>::kReads) op.kind = OperatorKind::custom;
    io.object("operator", [&](auto& inner) {
      inner.text("wgsl", op.wgsl);
      inner.word("words", op.words);
    });
  }

  void fields(auto& io, Is<Compute> auto& compute) const {
    operands.program(io, compute.wgsl);
    if (io.given("entry_point", !compute.entry_point.empty())) {
      io.text("entry_point", compute.entry_point);
    }
    io.list("uses", compute.uses, [&](auto& item, auto& use) {
      operands.single(item, "view", use.view);
      item.choice("access", use.access, kComputeAccesses);
      item.word("binding", use.binding);
    });
    if (io.given("workgroups", true)) io.words("workgroups", compute.workgroups);
    io.optional("indirect", compute.indirect, [&](auto& indirect) {
      operands.single(io, "indirect", indirect.view);
      if (io.given("byte_offset", indirect.byte_offset != 0)) {
        io.number("byte_offset", indirect.byte_offset);
      }
    });
    if (!compute.indirect) io.forbid("byte_offset", "needs 'indirect' beside it");
  }

  void fields(auto& io, Is<Copy> auto& copy) const {
    operands.vector(io, "source", copy.source);
    operands.vector(io, "destination", copy.destination);
  }

  void fields(auto& io, Is<Clear> auto& clear) const {
    operands.vector(io, "destination", clear.destination);
  }

  /// Readers refuse it; writers do before they come here.
  void fields(auto& io, Is<External> auto&) const {
    io.forbid("op", "is 'external', work that only a program can declare", ErrorCode::unsupported);
  }
};

}  // namespace wgprim
