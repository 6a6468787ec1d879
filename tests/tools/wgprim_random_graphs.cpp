// wgprim_random_graphs COUNT [FIRST_SEED]: a line of JSON for each random graph, with its document,
// the settings of the device, and the plan or the error that this build makes of them. Called by
// tests/wasm, which holds the planner in WebAssembly against it byte by byte.
#include <charconv>
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "support/random_graph.hpp"
#include "wgprim/document.hpp"

namespace wgprim::testing {
namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

nlohmann::ordered_json line_of(std::uint64_t seed) {
  RandomGraph random = random_graph(seed, Externals::left_out);
  nlohmann::ordered_json line = {{"seed", seed}};
  const auto document = to_json(random.graph);
  line["graph"] = document ? *document : "";
  line["settings"] = random.settings;
  const auto plan = random.graph.compile(random.profile);
  if (plan) {
    line["plan"] = to_json(*plan);
  } else {
    line["error"] = plan.error().message;
  }
  return line;
}

}  // namespace
}  // namespace wgprim::testing

int main(int argc, char** argv) {
  const auto count = argc > 1 ? wgprim::testing::number(argv[1]) : std::nullopt;
  const auto first = argc > 2 ? wgprim::testing::number(argv[2]) : 0;
  if (!count || !first || argc > 3) {
    std::cerr << "usage: wgprim_random_graphs COUNT [FIRST_SEED]\n";
    return 2;
  }
  for (std::uint64_t seed = *first; seed - *first < *count; ++seed)
    std::cout << wgprim::testing::line_of(seed).dump() << '\n';
  return std::cout.flush() ? 0 : 2;
}
