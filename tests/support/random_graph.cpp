// The generator of random graphs; see the header. Operands are drawn so that most operations are
// taken; what Graph::add refuses (an overlap, a usage that was not declared) is left out.
#include "support/random_graph.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <stdexcept>

#include "support/user_kernels.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

void insert_sorted(std::vector<std::uint32_t>& list, std::uint32_t value) {
  const auto at = std::ranges::lower_bound(list, value);
  if (at == list.end() || *at != value) list.insert(at, value);
}

bool reads_of(Use use) { return use != Use::storage_write && use != Use::copy_destination; }
bool writes_of(Use use) {
  return use == Use::storage_write || use == Use::storage_read_write ||
         use == Use::copy_destination;
}

class Generator {
 public:
  Generator(std::uint64_t seed, Externals externals)
      : numbers_(seed), has_externals_(externals == Externals::allowed) {}

  RandomGraph run() {
    const std::uint64_t buffers = 2 + below(9);
    for (std::uint64_t i = 0; i < buffers; ++i)
      add_buffer();
    planned_nodes_ = one_in(8) ? 20 + below(60) : 1 + below(20);
    for (next_node_ = 0; next_node_ < planned_nodes_; ++next_node_)
      add_node();
    choose_settings();
    return std::move(random_);
  }

 private:
  struct Buffer {
    BufferId id;
    std::uint64_t words = 0;
    std::optional<std::string> first_condition;  ///< Of the first node that writes it.
  };

  std::uint64_t below(std::uint64_t end) { return numbers_() % end; }
  bool one_in(std::uint64_t odds) { return below(odds) == 0; }
  template <class T>
  T one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

  void add_buffer() {
    const std::uint64_t words = one_of<std::uint64_t>({1, 4, 64, 300, 1000, 5000, 1 + below(3000)});
    std::vector<Use> usage;
    if (one_in(6)) {
      for (const Use use : uses()) {
        if (!one_in(3)) usage.push_back(use);
      }
    }
    const bool is_transient = one_in(2);
    const std::string id = concat(is_transient ? "t" : "b", buffers_.size());
    const auto declared =
        is_transient ? random_.graph.declare_transient({.id = id, .rows = words, .usage = usage})
                     : random_.graph.import_buffer({.id = id, .bytes = 4 * words, .usage = usage});
    if (!declared) throw std::logic_error(declared.error().message);
    buffers_.push_back({.id = *declared, .words = words, .first_condition = {}});
    random_.is_transient.push_back(is_transient);
  }

  void add_node() {
    node_ = {.id = concat("n", next_node_)};
    if (one_in(4)) node_.condition = one_of<std::string>({"p", "q"});
    for (std::uint64_t i = one_in(4) ? 1 + below(2) : 0; i > 0; --i)
      node_.depends_on.push_back(random_dependency());
    switch (below(has_externals_ ? 10 : 9)) {
      case 0:
      case 1:
      case 2: return add(scan());
      case 3:
      case 4:
      case 5: return add(compute());
      case 6:
      case 7: return add(copy());
      case 8: return add(clear());
      default: return add(external());
    }
  }

  /// A node that is there already, or now and then one that may come, or that never does.
  std::string random_dependency() {
    if (random_.nodes.empty() || one_in(30)) return concat("n", next_node_ + below(4));
    return random_.nodes[below(random_.nodes.size())].id;
  }

  template <class Description>
  void add(std::optional<Description> description) {
    if (!description) return;
    description->id = node_.id;
    description->depends_on = node_.depends_on;
    description->condition = node_.condition;
    if (!random_.graph.add(*std::move(description))) return;
    for (const std::uint32_t index : node_.writes) {
      auto& condition = buffers_[index].first_condition;
      if (!condition) condition = node_.condition;
    }
    random_.nodes.push_back(std::move(node_));
  }

  void note(const DataView& view, Use use) {
    if (reads_of(use)) insert_sorted(node_.reads, view.buffer.index);
    if (writes_of(use)) insert_sorted(node_.writes, view.buffer.index);
  }

  /// Whether something is there to be read, when this node runs; sometimes no matter whether.
  bool is_readable(std::uint32_t index) {
    if (!random_.is_transient[index] || one_in(60)) return true;
    const auto& condition = buffers_[index].first_condition;
    return condition && (condition->empty() || *condition == node_.condition);
  }

  std::optional<std::uint32_t> pick_buffer(bool to_read) {
    for (int i = 0; i < 8; ++i) {
      const auto index = static_cast<std::uint32_t>(below(buffers_.size()));
      if (!to_read || is_readable(index)) return index;
    }
    return std::nullopt;
  }

  /// Some rows of some buffer, `most` at most.
  std::optional<DataView> pick_view(Use use, std::uint64_t most = ~std::uint64_t{0}) {
    const auto index = pick_buffer(reads_of(use));
    if (!index) return std::nullopt;
    const Buffer& buffer = buffers_[*index];
    const std::uint64_t offset = one_in(2) ? 0 : below(buffer.words);
    const std::uint64_t rows = std::min(most, buffer.words - offset);
    return DataView{
        .buffer = buffer.id, .rows = one_in(3) ? rows : 1 + below(rows), .byte_offset = 4 * offset};
  }

  /// As many chunks as give `rows` rows, or any rows in a few chunks.
  std::optional<VectorView> pick_vector(Use use, std::optional<std::uint64_t> rows = {}) {
    VectorView vector;
    std::uint64_t missing = rows.value_or(0);
    const std::uint64_t most_chunks = rows ? 12 : 1 + below(3);
    while (vector.chunks.size() < most_chunks && (!rows || missing > 0)) {
      const auto view = pick_view(use, rows ? missing : ~std::uint64_t{0});
      if (!view) return std::nullopt;
      vector.chunks.push_back(*view);
      if (rows) missing -= view->rows;
    }
    if (missing > 0) return std::nullopt;
    for (const DataView& chunk : vector.chunks)
      note(chunk, use);
    return vector;
  }

  static std::uint64_t rows_of(const VectorView& vector) {
    std::uint64_t rows = 0;
    for (const DataView& chunk : vector.chunks)
      rows += chunk.rows;
    return rows;
  }

  std::optional<Scan> scan() {
    Scan scan;
    const auto input = pick_vector(Use::storage_read);
    if (!input) return std::nullopt;
    const auto output = one_in(4) ? input : pick_vector(Use::storage_write, rows_of(*input));
    if (!output) return std::nullopt;
    for (const DataView& chunk : output->chunks)
      note(chunk, Use::storage_write);
    scan.input = *input;
    scan.output = *output;
    scan.mode = one_in(2) ? ScanMode::exclusive : ScanMode::inclusive;
    scan.subgroups = one_of<Subgroups>({Subgroups::automatic, Subgroups::off});
    if (one_in(4)) {
      scan.row_count = pick_view(Use::storage_read, 1);
      if (scan.row_count) note(*scan.row_count, Use::storage_read);
    }
    return scan;
  }

  std::optional<Compute> compute() {
    Compute compute;
    const UserKernel& kernel = user_kernels()[below(user_kernels().size())];
    compute.wgsl = kernel.wgsl;
    for (const Use use : kernel.uses) {
      auto view = pick_view(use);
      if (!view) return std::nullopt;
      if (!one_in(20)) view->byte_offset -= view->byte_offset % kBindingAlignment;
      note(*view, use);
      compute.uses.push_back({.view = *view,
                              .access = use,
                              .binding = static_cast<std::uint32_t>(compute.uses.size())});
    }
    const auto count = [&] { return static_cast<std::uint32_t>(1 + below(one_in(4) ? 200 : 4)); };
    compute.workgroups = {count(), one_in(3) ? count() : 1, 1};
    if (one_in(6)) {
      const auto view = pick_view(Use::indirect);
      if (view && view->rows >= 3) {
        note(*view, Use::indirect);
        compute.indirect =
            IndirectWorkgroups{.view = *view, .byte_offset = 4 * below(view->rows - 2)};
      }
    }
    return compute;
  }

  std::optional<Copy> copy() {
    const auto source = pick_vector(Use::copy_source);
    if (!source) return std::nullopt;
    const auto destination = pick_vector(Use::copy_destination, rows_of(*source));
    if (!destination) return std::nullopt;
    Copy copy;
    copy.source = *source;
    copy.destination = *destination;
    return copy;
  }

  std::optional<Clear> clear() {
    const auto destination = pick_vector(Use::copy_destination);
    if (!destination) return std::nullopt;
    Clear clear;
    clear.destination = *destination;
    return clear;
  }

  std::optional<External> external() {
    External external;
    for (std::uint64_t i = 1 + below(3); i > 0; --i) {
      const Use use = one_of(std::vector<Use>(uses().begin(), uses().end()));
      const auto view = pick_view(use);
      if (!view) return std::nullopt;
      note(*view, use);
      external.uses.push_back({.view = *view, .use = use});
    }
    return external;
  }

  void choose_settings() {
    const auto lower = [&](const char* name, const std::vector<std::uint64_t>& values) {
      if (one_in(3)) random_.settings.push_back(concat(name, "=", one_of(values)));
    };
    lower("maxBufferSize", {1 << 20, 20000, 4096});
    lower("maxStorageBufferBindingSize", {1 << 20, 20000, 8192, 1024});
    lower("maxStorageBuffersPerShaderStage", {4, 3});
    lower("maxComputeInvocationsPerWorkgroup", {128, 64});
    lower("maxComputeWorkgroupsPerDimension", {1000, 100, 4});
    for (const std::string& setting : random_.settings) {
      if (auto ok = lower_limit(random_.profile.limits, setting); !ok) {
        throw std::logic_error(ok.error().message);
      }
    }
    if (one_in(2)) return;
    random_.settings.emplace_back("subgroup_size=8");
    const auto ok = apply_capability(random_.profile.capabilities, random_.settings.back(), false);
    if (!ok) throw std::logic_error(ok.error().message);
  }

  std::mt19937_64 numbers_;
  bool has_externals_;
  RandomGraph random_;
  std::vector<Buffer> buffers_;
  NodeFacts node_;  ///< The node in the making.
  std::uint64_t next_node_ = 0;
  std::uint64_t planned_nodes_ = 0;
};

}  // namespace

RandomGraph random_graph(std::uint64_t seed, Externals externals) {
  return Generator(seed, externals).run();
}

}  // namespace wgprim::testing
