// A recursive-descent parser that emits steps as it goes; see the header.
#include "support/wgsl_steps.hpp"

#include <cctype>
#include <stdexcept>

#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

constexpr std::string_view kFunction = "fn block_scan(lane: u32, value: Element) -> BlockScan {";

std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text[i] == ' ' || text[i] == '\n') {
      i = end;
      continue;
    }
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end]))
        ++end;
    } else {
      for (const std::string_view longer : {"<<=", "+=", ">=", "<=", "=="}) {
        if (text.substr(i).starts_with(longer)) {
          end = i + longer.size();
          break;
        }
      }
    }
    tokens.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return tokens;
}

class Compiler {
 public:
  explicit Compiler(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {}

  std::vector<Step> run() {
    while (peek() != "}")
      statement();
    return std::move(steps_);
  }

 private:
  const std::string& peek() const {
    if (at_ >= tokens_.size()) throw std::runtime_error("block_scan has no end");
    return tokens_[at_];
  }

  std::string take() {
    std::string token = peek();
    ++at_;
    return token;
  }

  bool accept(std::string_view token) {
    if (peek() != token) return false;
    ++at_;
    return true;
  }

  void expect(std::string_view token) {
    if (!accept(token)) {
      throw std::runtime_error(concat("block_scan has `", peek(), "` where `", token, "` is due"));
    }
  }

  void block() {
    expect("{");
    while (!accept("}"))
      statement();
  }

  void statement() {
    if (accept("workgroupBarrier")) {
      expect("(");
      expect(")");
      expect(";");
      steps_.push_back({.kind = Step::Kind::barrier});
    } else if (accept("if")) {
      expect("(");
      const std::size_t jump = emit_jump_if_false();
      expect(")");
      block();
      steps_[jump].next = steps_.size();
    } else if (accept("for")) {
      loop();
    } else if (accept("return")) {
      finish();
    } else {
      steps_.push_back(assignment());
      expect(";");
    }
  }

  void loop() {
    expect("(");
    steps_.push_back(assignment());
    expect(";");
    const std::size_t start = steps_.size();
    const std::size_t jump = emit_jump_if_false();
    expect(";");
    Step update = assignment();
    expect(")");
    block();
    steps_.push_back(std::move(update));
    steps_.push_back({.kind = Step::Kind::jump, .next = start});
    steps_[jump].next = steps_.size();
  }

  std::size_t emit_jump_if_false() {
    steps_.push_back({.kind = Step::Kind::jump_if_false, .value = expression()});
    return steps_.size() - 1;
  }

  void finish() {
    expect("BlockScan");
    expect("(");
    Step step{.kind = Step::Kind::finish, .value = expression()};
    expect(",");
    step.second = expression();
    expect(")");
    expect(";");
    steps_.push_back(std::move(step));
  }

  /// `let a = e`, `var a = e`, `a = e`, `a += e`, `a <<= e` or `a[i] = e`.
  Step assignment() {
    if (!accept("let")) accept("var");
    Step step{.target = take()};
    if (accept("[")) {
      step.kind = Step::Kind::store;
      step.index = expression();
      expect("]");
    }
    const std::string token = take();
    if (token == "=") {
      step.value = expression();
    } else if (token == "+=" || token == "<<=") {
      const Expression old{.kind = Expression::Kind::name, .text = step.target};
      step.value = {.kind = Expression::Kind::binary,
                    .text = token.substr(0, token.size() - 1),
                    .children = {old, expression()}};
    } else {
      throw std::runtime_error(concat("block_scan has `", token, "` where an assignment is due"));
    }
    if (step.value.kind == Expression::Kind::call && step.value.text.starts_with("subgroup_")) {
      step.kind = Step::Kind::subgroup;
      step.operation = step.value.text;
      step.value = Expression(step.value.children.at(0));
    }
    return step;
  }

  Expression expression() {
    Expression left = sum();
    for (const std::string_view token : {"<", ">", ">=", "<=", "=="}) {
      if (accept(token)) return binary(token, std::move(left), sum());
    }
    return left;
  }

  Expression sum() {
    Expression left = primary();
    while (peek() == "+" || peek() == "-") {
      const std::string token = take();
      left = binary(token, std::move(left), primary());
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
    if (std::isdigit(static_cast<unsigned char>(token[0])) != 0) {
      return {.number = static_cast<std::uint32_t>(std::stoul(token))};
    }
    Expression result{.kind = Expression::Kind::name, .text = std::move(token)};
    if (accept("[")) {
      result.kind = Expression::Kind::element;
      result.children.push_back(expression());
      expect("]");
    } else if (accept("(")) {
      result.kind = Expression::Kind::call;
      while (!accept(")")) {
        result.children.push_back(expression());
        accept(",");
      }
    }
    return result;
  }

  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
  std::vector<Step> steps_;
};

}  // namespace

std::vector<Step> steps_of_block_scan(std::string_view wgsl) {
  const auto start = wgsl.find(kFunction);
  if (start == wgsl.npos) throw std::runtime_error(concat("there is no `", kFunction, "`"));
  return Compiler(tokens_of(wgsl.substr(start + kFunction.size()))).run();
}

}  // namespace wgprim::testing
