// A recursive-descent parser for the one dictionary that NumPy writes into .npy headers. Each
// `parse_*` either takes its piece and returns true, or returns false with `position_` at the
// fault.
#include "io/npy_dictionary.hpp"

#include <algorithm>

namespace wgprim::io {
namespace {

// NumPy's own limit on dimensions; it keeps a hostile header from filling an error message.
constexpr std::size_t kMaxDimensions = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class DictionaryParser {
 public:
  explicit DictionaryParser(std::string_view text) : text_(text) {}

  bool parse() {
    if (!accept('{')) return false;
    while (!accept('}')) {
      if (!parse_entry()) return false;
      if (is_structured_) return true;
      if (accept(',')) continue;
      if (!accept('}')) return false;
      break;
    }
    skip_space();
    return position_ == text_.size() && has_descr_ && has_order_ && has_shape_;
  }

  NpyDictionary& dictionary() { return dictionary_; }
  std::size_t position() const { return position_; }

 private:
  bool parse_entry() {
    skip_space();
    const std::size_t start = position_;
    std::string_view key;
    if (!parse_string(key) || !accept(':')) return false;
    if (key == "descr") return has_descr_ = parse_descr();
    if (key == "fortran_order") return has_order_ = parse_order();
    if (key == "shape") return has_shape_ = parse_shape();
    position_ = start;
    return false;
  }

  bool parse_descr() {
    is_structured_ = accept('[') || accept('(');
    return is_structured_ || (parse_string(dictionary_.descr) && !dictionary_.descr.empty());
  }

  bool parse_order() {
    dictionary_.is_fortran_order = accept_word("True");
    return dictionary_.is_fortran_order || accept_word("False");
  }

  // A tuple: "()", "(5,)", "(3, 4)" or "(3, 4,)"; "(5)" is a number in Python, so no shape.
  bool parse_shape() {
    dictionary_.shape.clear();
    if (!accept('(')) return false;
    bool has_comma = true;
    while (!accept(')')) {
      if (!has_comma || dictionary_.shape.size() == kMaxDimensions) return false;
      if (!parse_dimension()) return false;
      has_comma = accept(',');
    }
    return has_comma || dictionary_.shape.size() > 1;
  }

  bool parse_dimension() {
    skip_space();
    const std::size_t start = position_;
    if (position_ < text_.size() && text_[position_] == '-') ++position_;
    const std::size_t digits = position_;
    while (position_ < text_.size() && is_digit(text_[position_]))
      ++position_;
    if (position_ == digits) return false;
    dictionary_.shape.push_back(text_.substr(start, position_ - start));
    if (position_ < text_.size() && text_[position_] == 'L') ++position_;  // Python 2 wrote 5L.
    return true;
  }

  bool parse_string(std::string_view& value) {
    skip_space();
    if (position_ == text_.size()) return false;
    const char quote = text_[position_];
    if (quote != '\'' && quote != '"') return false;
    const std::size_t end = text_.find(quote, position_ + 1);
    if (end == std::string_view::npos) return false;
    value = text_.substr(position_ + 1, end - position_ - 1);
    position_ = end + 1;
    return true;
  }

  bool accept(char expected) { return accept_word(std::string_view(&expected, 1)); }

  bool accept_word(std::string_view word) {
    skip_space();
    if (!text_.substr(position_).starts_with(word)) return false;
    position_ += word.size();
    return true;
  }

  void skip_space() {
    position_ = std::min(text_.find_first_not_of(" \t\r\n\f", position_), text_.size());
  }

  std::string_view text_;
  std::size_t position_ = 0;
  NpyDictionary dictionary_;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
  bool is_structured_ = false;
};

}  // namespace

std::expected<NpyDictionary, std::size_t> parse_npy_dictionary(std::string_view text) {
  DictionaryParser parser(text);
  if (!parser.parse()) return std::unexpected(parser.position());
  return std::move(parser.dictionary());
}

}  // namespace wgprim::io
