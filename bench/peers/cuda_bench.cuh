// Times kinds of work on a CUDA device by the rules of wgprim's own benchmark: results are checked
// before and after, a second of warm-up with the work itself, the kinds take turns in one stream
// that never runs dry, and medians are of the samples that CUDA events time. For cub_scan.cu.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

[[noreturn]] inline void stop(const std::string& sentence) {
  std::fprintf(stderr, "cub_scan: %s\n", sentence.c_str());
  std::exit(1);
}

inline void check(cudaError_t status, const std::string& what) {
  if (status == cudaSuccess) return;
  stop(what + " failed: " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ").");
}

// An array on the device.
template <class T>
class Array {
 public:
  explicit Array(std::size_t count) : bytes_(count * sizeof(T)) {
    check(cudaMalloc(&data_, bytes_), "Allocating " + std::to_string(bytes_) + " bytes");
  }
  explicit Array(const std::vector<T>& values) : Array(values.size()) {
    check(cudaMemcpy(data_, values.data(), bytes_, cudaMemcpyHostToDevice), "An upload");
  }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* get() const { return static_cast<T*>(data_); }
  std::vector<T> read(std::size_t count) const {
    std::vector<T> values(count);
    check(cudaMemcpy(values.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost),
          "A download");
    return values;
  }
  void spoil() { check(cudaMemset(data_, 0xA5, bytes_), "Overwriting an output"); }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// One kind of work and its samples in microseconds, sorted once they are complete.
struct Work {
  std::string name;
  std::uint64_t bytes;                 // Read and written.
  std::function<cudaError_t()> queue;  // Puts it into the stream.
  std::function<bool()> is_right;      // Whether its output is what it should be.
  std::vector<double> samples = {};

  // By nearest rank, as wgprim's.
  double median() const { return samples[(samples.size() - 1) / 2]; }
  double p95() const { return samples[(samples.size() * 95 + 99) / 100 - 1]; }
};

// Keeps the stream busy for about five milliseconds, while the host queues a round behind it.
__global__ void hold_the_stream() {
  const long long start = clock64();
  while (clock64() - start < 10'000'000) {
  }
}

class Rounds {
 public:
  // `spoil` overwrites every output, so that no check passes on the result of earlier work.
  Rounds(cudaStream_t stream, std::vector<Work>& works, std::function<void()> spoil)
      : stream_(stream), works_(works), spoil_(std::move(spoil)), spans_(works.size() * kTurns) {
    for (Span& span : spans_) {
      check(cudaEventCreate(&span.start), "Creating an event");
      check(cudaEventCreate(&span.end), "Creating an event");
    }
  }
  ~Rounds() {
    for (const Span& span : spans_) {
      cudaEventDestroy(span.start);
      cudaEventDestroy(span.end);
    }
  }
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;

  void run(std::size_t samples) {
    check_results();
    const auto warm = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (std::chrono::steady_clock::now() < warm)
      queue_round();
    while (works_.front().samples.size() < samples) {
      hold_the_stream<<<1, 1, 0, stream_>>>();
      check(cudaGetLastError(), "Queueing the hold");
      queue_round();
      read_round();
    }
    check_results();
    for (Work& work : works_)
      std::sort(work.samples.begin(), work.samples.end());
  }

 private:
  static constexpr std::size_t kTurns = 5;  // Samples of each kind of work a round.
  struct Span {
    cudaEvent_t start = nullptr;
    cudaEvent_t end = nullptr;
  };

  void queue_round() {
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      const Work& work = works_[i % works_.size()];
      check(cudaEventRecord(spans_[i].start, stream_), "Recording an event");
      check(work.queue(), "Queueing " + work.name);
      check(cudaEventRecord(spans_[i].end, stream_), "Recording an event");
    }
    check(cudaStreamSynchronize(stream_), "A round of work");
  }

  void read_round() {
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      Work& work = works_[i % works_.size()];
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, spans_[i].start, spans_[i].end), "Reading a time");
      if (milliseconds <= 0) stop("The device's clock gave no time for " + work.name + ".");
      work.samples.push_back(milliseconds * 1e3);
    }
  }

  void check_results() {
    for (const Work& work : works_) {
      spoil_();
      check(cudaDeviceSynchronize(), "Overwriting the outputs");
      check(work.queue(), "Queueing " + work.name);
      check(cudaStreamSynchronize(stream_), work.name);
      if (!work.is_right()) stop(work.name + " computes a wrong result.");
    }
  }

  cudaStream_t stream_;
  std::vector<Work>& works_;
  std::function<void()> spoil_;
  std::vector<Span> spans_;
};

// One element of the report's list `sizes`; the share of the copy is the first work's time over
// each.
inline void print_size(std::size_t rows, const std::vector<Work>& works, bool is_first) {
  std::printf("%s\n    {\"rows\": %zu, \"results\": [", is_first ? "" : ",", rows);
  for (const Work& work : works) {
    const double median = work.median();
    std::printf("%s\n      {\"name\": \"%s\", \"samples\": %zu, ", &work == &works[0] ? "" : ",",
                work.name.c_str(), work.samples.size());
    std::printf("\"median_us\": %.3f, \"p95_us\": %.3f, \"min_us\": %.3f, ", median, work.p95(),
                work.samples.front());
    std::printf("\"bytes\": %llu, \"gigabytes_per_second\": %.2f, \"share_of_copy\": %.4f}",
                static_cast<unsigned long long>(work.bytes), work.bytes / median / 1e3,
                works[0].median() / median);
    std::fprintf(stderr, "%11zu rows  %-30s %10.1f us\n", rows, work.name.c_str(), median);
  }
  std::printf("\n    ]}");
}
