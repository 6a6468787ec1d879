// Lanes with program counters, and a scheduler over them; see the header.
#include "support/lane_machine.hpp"

#include <algorithm>
#include <map>
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
  Machine(std::vector<Step> steps, const Words& values, std::uint32_t subgroup_size)
      : steps_(std::move(steps)), width_(static_cast<std::uint32_t>(values.size())) {
    run_.before.resize(width_);
    run_.through.resize(width_);
    for (std::uint32_t lane = 0; lane < width_; ++lane) {
      lanes_.push_back({.variables = {{"lane", lane},
                                      {"value", values[lane]},
                                      {"WORKGROUP_WIDTH", width_},
                                      {"subgroup", lane / subgroup_size},
                                      {"lane_in_subgroup", lane % subgroup_size},
                                      {"lanes_of_subgroup", subgroup_size}}});
    }
    for (std::uint32_t first = 0; first < width_; first += subgroup_size) {
      subgroups_.push_back(std::span(lanes_).subspan(first, subgroup_size));
    }
  }

  BlockRun run(LaneOrder order) {
    if (order == LaneOrder::descending) std::ranges::reverse(subgroups_);
    while (true) {
      for (const auto subgroup : subgroups_)
        advance(subgroup);
      const std::size_t at = lanes_[0].at;
      if (std::ranges::any_of(lanes_, [&](const Lane& lane) { return lane.at != at; })) {
        run_.fault = "Lanes wait at different barriers.";
        return std::move(run_);
      }
      if (steps_[at].kind == Step::Kind::finish) return std::move(run_);
      run_.at_barriers.push_back(memory_.begin()->second);
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
      const Step& step = steps_.at(subgroup[0].at);
      if (step.kind != Step::Kind::subgroup) return;
      operate(step, subgroup);
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
    const std::uint32_t total = std::accumulate(values.begin(), values.end(), 0u);
    std::uint32_t running = 0;
    for (std::size_t i = 0; i < subgroup.size(); ++i) {
      const std::uint32_t before = running;
      running += values[i];
      subgroup[i].variables[step.target] = step.operation == "subgroup_exclusive"   ? before
                                           : step.operation == "subgroup_inclusive" ? running
                                                                                    : total;
      ++subgroup[i].at;
    }
  }

  std::uint32_t& element(const std::string& array, std::uint32_t index) {
    return memory_.try_emplace(array, width_, kPoisoned).first->second.at(index);
  }

  std::uint32_t value(const Expression& expression, const Lane& lane) {
    const auto child = [&](std::size_t i) { return value(expression.children.at(i), lane); };
    switch (expression.kind) {
      case Expression::Kind::number: return expression.number;
      case Expression::Kind::name: return lane.variables.at(expression.text);
      case Expression::Kind::element: return element(expression.text, child(0));
      case Expression::Kind::call:
        if (expression.text == "identity") return 0;
        if (expression.text == "combine") return child(0) + child(1);
        throw std::runtime_error(concat("there is no function ", expression.text));
      case Expression::Kind::binary: break;
    }
    const std::string& token = expression.text;
    if (token == "+") return child(0) + child(1);
    if (token == "-") return child(0) - child(1);
    if (token == "<<") return child(0) << child(1);
    if (token == "<") return child(0) < child(1) ? 1 : 0;
    if (token == ">") return child(0) > child(1) ? 1 : 0;
    if (token == ">=") return child(0) >= child(1) ? 1 : 0;
    if (token == "<=") return child(0) <= child(1) ? 1 : 0;
    return child(0) == child(1) ? 1 : 0;
  }

  std::vector<Step> steps_;
  std::uint32_t width_;
  std::vector<Lane> lanes_;
  std::vector<std::span<Lane>> subgroups_;
  std::map<std::string, Words> memory_;
  BlockRun run_;
};

}  // namespace

BlockRun run_block_scan(std::string_view wgsl, const Words& values, std::uint32_t subgroup_size,
                        LaneOrder order) {
  return Machine(steps_of_block_scan(wgsl), values, subgroup_size).run(order);
}

}  // namespace wgprim::testing
