// Line and glyph offsets of a text: where every glyph stands when letters are of different widths.
// Its line is an exclusive scan of the line ends before it; its place in the line is an exclusive
// scan of the widths, which starts anew after each line end.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "wgprim/wgprim.hpp"

namespace {

using Words = std::vector<std::uint32_t>;

/// A column a letter: its width in units of a proportional face, whether it ends a line, and
/// whether it is a line's first.
struct Glyphs {
  Words advances, ends, starts;
};

std::uint32_t advance_of(char letter) {
  constexpr std::string_view kNarrow = "fijlrtI.,:;'!|()[]", kWide = "mwMW@%";
  if (letter == '\n') return 0;
  if (kNarrow.find(letter) != kNarrow.npos) return 5;
  return kWide.find(letter) != kWide.npos ? 15 : 10;
}

Glyphs glyphs_of(std::string_view text) {
  Glyphs glyphs;
  for (std::size_t i = 0; i < text.size(); ++i) {
    glyphs.advances.push_back(advance_of(text[i]));
    glyphs.ends.push_back(text[i] == '\n' ? 1 : 0);
    glyphs.starts.push_back(i == 0 || text[i - 1] == '\n' ? 1 : 0);
  }
  return glyphs;
}

bool is_laid_out(const Glyphs& glyphs, const Words& lines, const Words& places) {
  std::uint32_t line = 0, place = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (glyphs.starts[i] != 0) place = 0;
    if (lines[i] != line || places[i] != place) return false;
    place += glyphs.advances[i];
    line += glyphs.ends[i];
  }
  return true;
}

/// The first lines, and under each letter the tens of its place.
void print(std::string_view text, const Words& lines, const Words& places) {
  std::string letters, tens;
  for (std::size_t i = 0; i < text.size() && lines[i] < 4; ++i) {
    if (text[i] != '\n') {
      letters += text[i];
      tens += static_cast<char>('0' + places[i] / 10 % 10);
      continue;
    }
    if (!letters.empty()) {
      std::printf("line %u: %s\n        %s\n", lines[i], letters.c_str(), tens.c_str());
    }
    letters = tens = "";
  }
}

}  // namespace

int main(int count, char** words) {
  std::ifstream file(count > 1 ? words[1] : "LICENSE");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.empty()) return std::fprintf(stderr, "There is no text to read.\n"), 1;
  const Glyphs glyphs = glyphs_of(text);
  auto device = wgprim::Device::create();
  if (!device) return std::fprintf(stderr, "%s\n", device.error().message.c_str()), 1;

  const auto lines = wgprim::exclusive_scan(*device, glyphs.ends);
  if (!lines) return std::fprintf(stderr, "%s\n", lines.error().message.c_str()), 1;
  const auto places = wgprim::exclusive_scan(*device, glyphs.advances, {}, glyphs.starts);
  if (!places) return std::fprintf(stderr, "%s\n", places.error().message.c_str()), 1;

  print(text, *lines, *places);
  const auto furthest = std::max_element(places->begin(), places->end());
  const auto widest = static_cast<std::size_t>(furthest - places->begin());
  std::printf("%zu glyphs in %u lines; the widest is line %u, whose last glyph stands at %u\n",
              text.size(), lines->back() + 1, (*lines)[widest], *furthest);
  return is_laid_out(glyphs, *lines, *places) ? 0 : 1;
}
