// Times std::inclusive_scan and std::exclusive_scan on one CPU thread beside a copy of the rows:
//     cpu_scan [FROM_EXPONENT TO_EXPONENT SAMPLES] > cpu.json
// Kinds of work take turns, a second of warm-up, results checked before and after, wall time.
// Build: c++ -O3 -march=native -std=c++17 cpu_scan.cpp -o cpu_scan
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Rows = std::vector<std::uint32_t>;

/// One kind of work, what it must leave in the output, and its samples in microseconds.
struct Work {
  const char* name;
  std::function<void()> run;
  Rows expected;
  std::vector<double> samples;
};

[[noreturn]] void stop(const std::string& sentence) {
  std::fprintf(stderr, "cpu_scan: %s\n", sentence.c_str());
  std::exit(1);
}

/// The processor's name where Linux tells it.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "CPU";
}

void check(std::vector<Work>& works, Rows& output) {
  for (Work& work : works) {
    std::fill(output.begin(), output.end(), 0xA5A5A5A5u);
    work.run();
    if (output != work.expected) stop(std::string(work.name) + " computes a wrong result.");
  }
}

std::vector<Work> measure(std::size_t rows, std::size_t samples) {
  Rows input(rows);
  Rows output(rows);
  Rows inclusive(rows);
  Rows exclusive(rows);
  std::uint32_t x = 1;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    input[i] = x = x * 1664525u + 1013904223u;
    exclusive[i] = sum;
    inclusive[i] = sum += input[i];
  }
  const auto first = input.begin();
  const auto last = input.end();
  const auto out = output.begin();
  std::vector<Work> works = {
      {"copy", [&] { std::memcpy(output.data(), input.data(), rows * 4); }, input, {}},
      {"std::inclusive_scan", [=] { std::inclusive_scan(first, last, out); }, inclusive, {}},
      {"std::exclusive_scan", [=] { std::exclusive_scan(first, last, out, 0u); }, exclusive, {}}};
  check(works, output);
  const auto warm = Clock::now() + std::chrono::seconds(1);
  while (Clock::now() < warm) {
    for (Work& work : works)
      work.run();
  }
  for (std::size_t i = 0; i < samples; ++i) {
    for (Work& work : works) {
      const auto start = Clock::now();
      work.run();
      work.samples.push_back(
          std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
  }
  check(works, output);
  for (Work& work : works)
    std::sort(work.samples.begin(), work.samples.end());
  return works;
}

void print_size(std::size_t rows, const std::vector<Work>& works, bool is_first) {
  std::printf("%s\n    {\"rows\": %zu, \"results\": [", is_first ? "" : ",", rows);
  const std::size_t count = works[0].samples.size();
  const std::size_t middle = (count - 1) / 2;  // Nearest rank, as wgprim's.
  const double copy = works[0].samples[middle];
  for (const Work& work : works) {
    const double median = work.samples[middle];
    const auto bytes = static_cast<double>(rows) * 8;
    std::printf("%s\n      {\"name\": \"%s\", \"samples\": %zu, ", &work == &works[0] ? "" : ",",
                work.name, count);
    std::printf("\"median_us\": %.3f, \"p95_us\": %.3f, \"min_us\": %.3f, ", median,
                work.samples[(count * 95 + 99) / 100 - 1], work.samples[0]);
    std::printf("\"bytes\": %.0f, \"gigabytes_per_second\": %.3f, \"share_of_copy\": %.4f}", bytes,
                bytes / median / 1e3, copy / median);
    std::fprintf(stderr, "%11zu rows  %-30s %10.1f us\n", rows, work.name, median);
  }
  std::printf("\n    ]}");
}

}  // namespace

int main(int argument_count, char** arguments) {
  int numbers[] = {16, 22, 30};  // from, to, samples
  if (argument_count != 1 && argument_count != 4)
    stop("It takes FROM, TO and SAMPLES, or nothing.");
  for (int i = 1; i < argument_count; ++i)
    numbers[i - 1] = std::atoi(arguments[i]);
  const auto [from, to, samples] = numbers;
  if (from < 10 || to > 30 || from > to) stop("FROM and TO are exponents from 10 to 30 in order.");
  if (samples < 1) stop("SAMPLES is at least 1.");
  std::printf(
      "{\n  \"adapter\": \"%s\", \"clock\": \"host\",\n"
      "  \"versions\": {\"compiler\": \"%s\"}, \"sizes\": [",
      processor().c_str(), __VERSION__);
  for (int exponent = from; exponent <= to; ++exponent) {
    const std::size_t rows = std::size_t{1} << exponent;
    print_size(rows, measure(rows, static_cast<std::size_t>(samples)), exponent == from);
  }
  std::printf("\n  ]\n}\n");
  return 0;
}
