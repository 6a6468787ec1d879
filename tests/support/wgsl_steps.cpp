// A recursive-descent parser that emits steps as it goes; see the header.
#include "support/wgsl_steps.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <utility>

#include "support/wgsl_words.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

constexpr std::string_view kCallersOwn[] = {"combine_items", "identity_item", "min", "select"};
constexpr std::array<std::string_view, 2> kBlockScan = {"before", "through"};
constexpr std::array<std::string_view, 2> kRoundScan = {"before", "total"};

Expression named(std::string name) {
  return {.kind = Expression::Kind::name, .text = std::move(name)};
}

/// Writes out one function; what it calls are functions of their own.
class Compiler {
 public:
  Compiler(std::string_view wgsl, std::vector<Step>& steps, std::string_view function)
      : wgsl_(wgsl), steps_(steps), prefix_(concat(function, "@", steps.size(), ".")) {
    const auto start = wgsl.find(concat("fn ", function, "("));
    if (start == wgsl.npos) throw std::runtime_error(concat("there is no function ", function));
    const auto end = wgsl.find("\n}\n", start);
    tokens_ = wgsl_words(wgsl.substr(start, end == wgsl.npos ? end : end + 2 - start));
    at_ = 3;  // Behind `fn name (`.
  }

  /// Returns the variable with the result, or, where that is a struct, what its members' begin
  /// with.
  std::string run(const std::vector<Expression>& arguments) {
    for (const Expression& argument : arguments) {
      const std::string name = declare(take());
      expect(":");
      take();
      accept(",");
      assign(name, argument);
    }
    expect(")");
    expect("->");
    members_ = take();
    block();
    return prefix_;
  }

  /// Of a struct that it returns.
  std::array<std::string_view, 2> members() const {
    return members_ == "RoundScan" ? kRoundScan : kBlockScan;
  }
  bool returns_struct() const { return members_ == "RoundScan" || members_ == "BlockScan"; }

 private:
  const std::string& peek() const {
    if (at_ >= tokens_.size()) throw std::runtime_error("a function has no end");
    return tokens_[at_];
  }

  std::string take() {
    static_cast<void>(peek());  // There is one.
    return tokens_[at_++];
  }

  bool accept(std::string_view token) {
    if (peek() != token) return false;
    ++at_;
    return true;
  }

  void expect(std::string_view token) {
    if (!accept(token)) {
      throw std::runtime_error(concat(prefix_, " has `", peek(), "` where `", token, "` is due"));
    }
  }

  void assign(std::string target, Expression value) {
    steps_.push_back({.target = std::move(target), .value = std::move(value)});
  }

  std::string declare(const std::string& name) {
    locals_.insert(name);
    return prefix_ + name;
  }

  /// A local variable, or one of the module.
  std::string resolve(const std::string& name) const {
    return locals_.contains(name) ? prefix_ + name : name;
  }

  void block() {
    expect("{");
    while (!accept("}"))
      statement();
  }

  void statement() {
    if (accept("workgroupBarrier")) {
      for (const char* token : {"(", ")", ";"})
        expect(token);
      steps_.push_back({.kind = Step::Kind::barrier});
    } else if (accept("if")) {
      branch();
    } else if (accept("for")) {
      loop();
    } else if (accept("return")) {
      give_back();
      expect(";");
      if (peek() != "}") throw std::runtime_error(concat(prefix_, " returns before its end"));
    } else {
      assignment();
      expect(";");
    }
  }

  void branch() {
    expect("(");
    const std::size_t over = jump_unless(expression());
    expect(")");
    block();
    if (accept("else")) {
      steps_.push_back({.kind = Step::Kind::jump});
      const std::size_t end = steps_.size() - 1;
      steps_[over].next = steps_.size();
      block();
      steps_[end].next = steps_.size();
    } else {
      steps_[over].next = steps_.size();
    }
  }

  void loop() {
    expect("(");
    assignment();
    expect(";");
    const std::size_t start = steps_.size();
    const std::size_t over = jump_unless(expression());
    expect(";");
    const std::size_t before_update = steps_.size();
    assignment();
    const std::vector<Step> update(steps_.begin() + static_cast<std::ptrdiff_t>(before_update),
                                   steps_.end());
    steps_.resize(before_update);
    expect(")");
    block();
    steps_.insert(steps_.end(), update.begin(), update.end());
    steps_.push_back({.kind = Step::Kind::jump, .next = start});
    steps_[over].next = steps_.size();
  }

  std::size_t jump_unless(Expression condition) {
    steps_.push_back({.kind = Step::Kind::jump_if_false, .value = std::move(condition)});
    return steps_.size() - 1;
  }

  void give_back() {
    if (!returns_struct()) return assign(prefix_, expression());
    take();
    expect("(");
    for (const std::string_view member : members()) {
      assign(concat(prefix_, ".", member), expression());
      accept(",");
    }
    expect(")");
  }

  /// `let a = e`, `var a = e`, `a = e`, `a += e`, `a <<= e` or `a[i] = e`.
  void assignment() {
    const bool is_declared = accept("let") || accept("var");
    const std::string name = take();
    if (accept("[")) {
      Expression index = expression();
      expect("]");
      expect("=");
      Expression value = expression();
      steps_.push_back({.kind = Step::Kind::store,
                        .target = name,
                        .index = std::move(index),
                        .value = std::move(value)});
      return;
    }
    const std::string token = take();
    if (token != "=" && token != "+=" && token != "<<=") {
      throw std::runtime_error(concat(prefix_, " has `", token, "` where an assignment is due"));
    }
    Expression value = expression();
    const std::string target = is_declared ? declare(name) : resolve(name);
    if (value.kind == Expression::Kind::name && structs_.contains(value.text)) {
      structs_.insert(target);
      for (const auto& members : {kBlockScan, kRoundScan}) {
        for (const std::string_view member : members) {
          const std::string source = concat(value.text, ".", member);
          if (has_target(source)) assign(concat(target, ".", member), named(source));
        }
      }
      return;
    }
    if (token != "=") value = binary(token.substr(0, token.size() - 1), named(target), value);
    assign(target, std::move(value));
  }

  bool has_target(const std::string& name) const {
    return std::ranges::find(steps_, name, &Step::target) != steps_.end();
  }

  /// Binary operators from the loosest to the tightest.
  Expression expression(std::size_t level = 0) {
    static const std::vector<std::vector<std::string_view>> kLevels = {
        {"<", ">", ">=", "<=", "=="}, {"&"}, {"+", "-"}, {"*", "/"}};
    if (level == kLevels.size()) return primary();
    Expression left = expression(level + 1);
    while (std::ranges::find(kLevels[level], peek()) != kLevels[level].end()) {
      const std::string token = take();
      left = binary(token, std::move(left), expression(level + 1));
    }
    return left;
  }

  static Expression binary(std::string_view token, Expression left, Expression right) {
    return {.kind = Expression::Kind::binary,
            .text = std::string(token),
            .children = {std::move(left), std::move(right)}};
  }

  Expression primary() {
    std::string token = take();
    if (token == "(") {
      Expression inner = expression();
      expect(")");
      return inner;
    }
    if (token[0] >= '0' && token[0] <= '9') {
      return {.number = static_cast<std::uint32_t>(std::stoul(token))};
    }
    if (accept("(")) return call(std::move(token));
    if (accept("[")) {
      Expression index = expression();
      expect("]");
      return {.kind = Expression::Kind::element, .text = token, .children = {std::move(index)}};
    }
    std::string name = resolve(token);
    if (accept(".")) name += "." + take();
    return named(std::move(name));
  }

  Expression call(std::string name) {
    std::vector<Expression> arguments;
    while (!accept(")")) {
      arguments.push_back(expression());
      accept(",");
    }
    if (name.starts_with("subgroup") && name.find('_') == name.npos) {
      const std::string target = concat(prefix_, "operation", steps_.size());
      Step step{.kind = Step::Kind::subgroup, .target = target, .operation = std::move(name)};
      step.value = arguments.at(0);
      if (arguments.size() > 1) step.second = arguments[1];
      steps_.push_back(std::move(step));
      return named(target);
    }
    if (std::ranges::find(kCallersOwn, name) != std::end(kCallersOwn)) {
      return {.kind = Expression::Kind::call,
              .text = std::move(name),
              .children = std::move(arguments)};
    }
    Compiler callee(wgsl_, steps_, name);
    std::string result = callee.run(arguments);
    if (callee.returns_struct()) structs_.insert(result);
    return named(std::move(result));
  }

  std::string_view wgsl_;
  std::vector<Step>& steps_;
  std::string prefix_;
  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
  std::string members_;
  std::set<std::string> locals_;
  std::set<std::string> structs_;  // Variables of a struct.
};

}  // namespace

std::vector<Step> steps_of(std::string_view wgsl, std::string_view function) {
  std::vector<Step> steps;
  Compiler compiler(wgsl, steps, function);
  const std::string result = compiler.run({named("lane"), named("value")});
  if (!compiler.returns_struct()) throw std::runtime_error(concat(function, " returns one value"));
  Step finish{.kind = Step::Kind::finish};
  finish.value = named(concat(result, ".", compiler.members()[0]));
  finish.second = named(concat(result, ".", compiler.members()[1]));
  steps.push_back(std::move(finish));
  return steps;
}

}  // namespace wgprim::testing
