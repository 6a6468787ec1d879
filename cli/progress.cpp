// The progress line; see the header.
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wgprim::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 500ms;  ///< Jobs that end sooner show nothing.
constexpr auto kInterval = 100ms;  ///< Between two drawings.
constexpr std::uint64_t kBarWidth = 24;

std::string bar(std::uint64_t done, std::uint64_t total) {
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const auto filled = static_cast<std::size_t>(share * kBarWidth);
  return std::string(filled, '#') + std::string(kBarWidth - filled, '.');
}

std::string duration(double seconds) {
  const auto whole = std::lround(seconds);
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{} min {} s", whole / 60, whole % 60);
}

}  // namespace

ProgressLine::ProgressLine(Unit unit)
    : unit_(unit),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      stage_start_(start_) {}

ProgressLine::~ProgressLine() {
  if (is_drawn_) std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::update(std::string_view stage, std::uint64_t done, std::uint64_t total) {
  if (!is_terminal_ || total == 0) return;
  const auto now = Clock::now();
  if (stage != stage_) {
    stage_ = stage;
    stage_start_ = now;
    last_draw_ = {};
  }
  if (now - start_ < kPatience || (now - last_draw_ < kInterval && done < total)) return;
  last_draw_ = now;
  draw(done, total, now);
}

void ProgressLine::draw(std::uint64_t done, std::uint64_t total, Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - stage_start_).count();
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  std::string tail;
  if (done > 0 && done < total && rate > 0) {
    tail = fmt::format("  {}{} left",
                       unit_ == Unit::rows ? fmt::format("{:.1f} M rows/s, ", rate / 1e6) : "",
                       duration(static_cast<double>(total - done) / rate));
  }
  const auto line =
      fmt::format("\r\x1b[K{:>9} [{}] {:3}%{}", stage_, bar(done, total), done * 100 / total, tail);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  is_drawn_ = true;
}

}  // namespace wgprim::cli
