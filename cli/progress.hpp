// One line on stderr that shows how far a long job has come, its rate and the time left.
// Silent where stderr is no terminal, and for jobs that end within half a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace wgprim::cli {

class ProgressLine {
 public:
  enum class Unit { rows, others };  ///< Only rows have a rate worth showing.
  explicit ProgressLine(Unit unit = Unit::rows);
  ~ProgressLine();  ///< Wipes the line.
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// `done` of `total` of the stage. A new stage starts its own clock.
  void update(std::string_view stage, std::uint64_t done, std::uint64_t total);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(std::uint64_t done, std::uint64_t total, Clock::time_point now);

  Unit unit_;
  bool is_terminal_;
  bool is_drawn_ = false;
  std::string stage_;
  Clock::time_point start_;
  Clock::time_point stage_start_;
  Clock::time_point last_draw_;
};

}  // namespace wgprim::cli
