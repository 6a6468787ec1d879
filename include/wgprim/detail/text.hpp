// Sentences from parts without streams, so that the planner stays small as WebAssembly:
// concat("Output '", name, "' holds ", rows, " rows").
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace wgprim {

inline void append_to(std::string& text, std::string_view part) { text += part; }
inline void append_to(std::string& text, std::integral auto number) {
  text += std::to_string(number);
}

template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string text;
  (append_to(text, parts), ...);
  return text;
}

}  // namespace wgprim
