// Lanes with program counters, and a scheduler over them; see the header.
#include "support/lane_machine.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>

#include "support/wgsl_steps.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint32_t kPoisoned = 0xdeadbeef;

struct Lane {
  std::map<std::string, std::uint32_t, std::less<>> variables;
  std::size_t at = 0;
};

class Machine {
 public:
  Machine(std::vector<Step> steps, const Words& values, BlockSetting setting)
      : steps_(std::move(steps)),
        width_(static_cast<std::uint32_t>(values.size())),
        setting_(std::move(setting)) {
    const std::uint32_t size = setting_.subgroup_size;
    run_.before.resize(width_);
    run_.through.resize(width_);
    run_.memory = setting_.memory;
    for (std::uint32_t lane = 0; lane < width_; ++lane) {
      lanes_.push_back({.variables = {{"lane", lane},
                                      {"value", values[lane]},
                                      {"WORKGROUP_WIDTH", width_},
                                      {"subgroup", lane / size},
                                      {"lane_in_subgroup", lane % size},
                                      {"lanes_of_subgroup", size}}});
    }
    for (std::uint32_t first = 0; first < width_; first += size)
      subgroups_.push_back(std::span(lanes_).subspan(first, size));
    if (setting_.order == LaneOrder::descending) std::ranges::reverse(subgroups_);
  }

  BlockRun run() {
    while (true) {
      for (const auto subgroup : subgroups_)
        advance(subgroup);
      const std::size_t at = lanes_[0].at;
      if (std::ranges::any_of(lanes_, [&](const Lane& lane) { return lane.at != at; })) {
        run_.fault = "Lanes wait at different places.";
        return std::move(run_);
      }
      if (steps_[at].kind == Step::Kind::finish) return std::move(run_);
      run_.at_barriers.push_back(run_.memory.begin()->second);
      for (Lane& lane : lanes_)
        ++lane.at;
    }
  }

 private:
  /// To the next barrier or the end. Lanes of a subgroup meet at each subgroup operation.
  void advance(std::span<Lane> subgroup) {
    while (true) {
      for (Lane& lane : subgroup)
        advance(lane);
      const std::size_t at = subgroup[0].at;
      const bool is_together =
          std::ranges::all_of(subgroup, [&](const Lane& lane) { return lane.at == at; });
      if (!is_together || steps_[at].kind != Step::Kind::subgroup) return;
      operate(steps_[at], subgroup);
    }
  }

  /// To the next step that lanes take together.
  void advance(Lane& lane) {
    for (;; ++lane.at) {
      const Step& step = steps_.at(lane.at);
      switch (step.kind) {
        case Step::Kind::assign: lane.variables[step.target] = value(step.value, lane); break;
        case Step::Kind::store:
          element(step.target, value(step.index, lane)) = value(step.value, lane);
          break;
        case Step::Kind::jump: lane.at = step.next - 1; break;
        case Step::Kind::jump_if_false:
          if (value(step.value, lane) == 0) lane.at = step.next - 1;
          break;
        case Step::Kind::finish:
          run_.before[lane.variables["lane"]] = value(step.value, lane);
          run_.through[lane.variables["lane"]] = value(step.second, lane);
          return;
        case Step::Kind::subgroup:
        case Step::Kind::barrier: return;
      }
    }
  }

  void operate(const Step& step, std::span<Lane> subgroup) {
    Words values;
    for (const Lane& lane : subgroup)
      values.push_back(value(step.value, lane));
    for (std::size_t i = 0; i < subgroup.size(); ++i) {
      const std::uint32_t second = value(step.second, subgroup[i]);
      subgroup[i].variables[step.target] = result_of(step.operation, values, i, second);
      ++subgroup[i].at;
    }
  }

  /// Of a lane; what WGSL leaves open is poison.
  static std::uint32_t result_of(const std::string& operation, const Words& values,
                                 std::size_t lane, std::uint32_t second) {
    const auto sum_of_first = [&](std::size_t count) {
      return std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count),
                             0u);
    };
    const auto value_of = [&](std::size_t source) {
      return source < values.size() ? values[source] : kPoisoned;
    };
    if (operation == "subgroupAdd") return sum_of_first(values.size());
    if (operation == "subgroupExclusiveAdd") return sum_of_first(lane);
    if (operation == "subgroupInclusiveAdd") return sum_of_first(lane + 1);
    if (operation == "subgroupShuffle") return value_of(second);
    if (operation == "subgroupShuffleXor") return value_of(lane ^ second);
    if (operation == "subgroupShuffleUp") return value_of(lane - second);
    throw std::runtime_error(concat("there is no operation ", operation));
  }

  std::uint32_t& element(const std::string& array, std::uint32_t index) {
    return run_.memory.try_emplace(array, width_, kPoisoned).first->second.at(index);
  }

  std::uint32_t value(const Expression& expression, const Lane& lane) {
    const auto child = [&](std::size_t i) { return value(expression.children.at(i), lane); };
    switch (expression.kind) {
      case Expression::Kind::number: return expression.number;
      case Expression::Kind::name: return lane.variables.at(expression.text);
      case Expression::Kind::element: return element(expression.text, child(0));
      case Expression::Kind::call:
        if (expression.text == "identity_item") return setting_.op.identity;
        if (expression.text == "min") return std::min(child(0), child(1));
        if (expression.text == "select") return child(2) != 0 ? child(1) : child(0);
        return setting_.op.combine(child(0), child(1));
      case Expression::Kind::binary: break;
    }
    const std::string& token = expression.text;
    if (token == "+") return child(0) + child(1);
    if (token == "-") return child(0) - child(1);
    if (token == "*") return child(0) * child(1);
    if (token == "/") return child(0) / child(1);
    if (token == "&") return child(0) & child(1);
    if (token == "<<") return child(0) << child(1);
    if (token == "<") return child(0) < child(1) ? 1 : 0;
    if (token == ">") return child(0) > child(1) ? 1 : 0;
    if (token == ">=") return child(0) >= child(1) ? 1 : 0;
    if (token == "<=") return child(0) <= child(1) ? 1 : 0;
    return child(0) == child(1) ? 1 : 0;
  }

  std::vector<Step> steps_;
  std::uint32_t width_;
  BlockSetting setting_;
  std::vector<Lane> lanes_;
  std::vector<std::span<Lane>> subgroups_;
  BlockRun run_;
};

}  // namespace

LaneOperator lane_sum() {
  return {0, [](std::uint32_t a, std::uint32_t b) { return a + b; }};
}

LaneOperator lane_affine() {
  return {1u << 16, [](std::uint32_t f, std::uint32_t g) {
            const std::uint32_t factor = (g >> 16) * (f >> 16);
            const std::uint32_t offset = (g >> 16) * (f & 0xffff) + (g & 0xffff);
            return factor << 16 | (offset & 0xffff);
          }};
}

BlockRun run_lanes(std::string_view wgsl, const Words& values, BlockSetting setting) {
  std::vector<Step> steps = steps_of(wgsl, setting.function);
  return Machine(std::move(steps), values, std::move(setting)).run();
}

}  // namespace wgprim::testing
