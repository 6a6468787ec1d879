// Reading, rewriting and comparing golden files; see the header.
#include "support/golden.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// For each pair of positions the length of the longest common subsequence of what follows.
std::vector<std::vector<std::size_t>> common_lengths(const std::vector<std::string_view>& left,
                                                     const std::vector<std::string_view>& right) {
  std::vector<std::vector<std::size_t>> common(left.size() + 1,
                                               std::vector<std::size_t>(right.size() + 1));
  for (std::size_t i = left.size(); i-- > 0;) {
    for (std::size_t j = right.size(); j-- > 0;) {
      common[i][j] = left[i] == right[j] ? common[i + 1][j + 1] + 1
                                         : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  return common;
}

}  // namespace

std::string line_diff(std::string_view left, std::string_view right) {
  const auto a = lines_of(left);
  const auto b = lines_of(right);
  const auto common = common_lengths(a, b);
  std::string diff;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i, ++j;
    } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      diff += concat("-", i + 1, ": ", a[i], "\n");
      ++i;
    } else {
      diff += concat("+", j + 1, ": ", b[j], "\n");
      ++j;
    }
  }
  return diff;
}

::testing::AssertionResult matches_golden(std::string_view name, std::string_view text) {
  const std::filesystem::path path =
      std::filesystem::path(WGPRIM_SOURCE_DIR) / "tests" / "golden" / name;
  if (std::getenv("WGPRIM_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return ::testing::AssertionSuccess();
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return ::testing::AssertionFailure() << path << " cannot be read";
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  if (golden == text) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "tests/golden/" << name << " differs (- golden, + now; WGPRIM_UPDATE_GOLDEN=1 "
         << "rewrites it)\n"
         << line_diff(golden, text);
}

}  // namespace wgprim::testing
