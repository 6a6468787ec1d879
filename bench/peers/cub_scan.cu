// Times CUB's device-wide primitives beside a copy of the same rows, in one run:
//     cub_scan [--from EXPONENT] [--to EXPONENT] [--samples N] > cuda.json
// Everything that an operation needs is inside its timed span; scratch is allocated beforehand.
// Build: nvcc -O3 -std=c++17 -arch=native cub_scan.cu -o cub_scan
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cub/version.cuh>

#include <cctype>
#include <fstream>
#include <iterator>
#include <memory>

#include "cuda_bench.cuh"

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr int kNoDevice = 77;  // The exit status that bench/peers/run takes for a peer left out.

// 256 lanes, four vectors each: the copy of wgprim's benchmark.
__global__ void copy_rows(uint4* output, const uint4* input, u32 vectors) {
  const u32 first = blockIdx.x * 1024 + threadIdx.x;
#pragma unroll
  for (u32 k = 0; k < 4; ++k) {
    const u32 i = first + k * 256;
    if (i < vectors) output[i] = input[i];
  }
}

// The rows of wgprim's benchmark; flags, keys and wide rows are made of them.
std::vector<u32> make_values(std::size_t rows) {
  std::vector<u32> values(rows);
  u32 x = 1;
  for (u32& value : values)
    value = x = x * 1664525u + 1013904223u;
  return values;
}
u32 flag(u32 value) { return value >> 31; }                    // Half are kept.
bool is_head(u32 value) { return (value >> 8) % 1024 == 0; }   // Segments of about 1,024 rows.
u64 widened(u32 value) { return value * u64{0x1'0000'0001}; }  // Carries cross the halves.

template <class T>
std::vector<T> map(const std::vector<u32>& values, T (*function)(u32)) {
  std::vector<T> results(values.size());
  std::transform(values.begin(), values.end(), results.begin(), function);
  return results;
}

class Bench {
 public:
  explicit Bench(std::size_t rows)
      : rows_(rows),
        values_(make_values(rows)),
        input_(values_),
        output_(rows),
        total_(1),
        wide_input_(map(values_, widened)),
        wide_output_(rows) {
    check(cudaStreamCreate(&stream_), "Creating a stream");
    add_copies();
    add_scans();
    add_scan_by_key();
    add_select("CUB Select::Flagged, u32 flags", flags_);
    add_select("CUB Select::Flagged, byte flags", byte_flags_);
    add_reduce();
    add_wide_scan();
  }
  ~Bench() { cudaStreamDestroy(stream_); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void run(std::size_t samples, bool is_first) {
    const auto spoil = [this] {
      output_.spoil();
      total_.spoil();
      wide_output_.spoil();
    };
    Rounds(stream_, works_, spoil).run(samples);
    print_size(rows_, works_, is_first);
  }

 private:
  // A CUB call with a null scratch only says how much it needs: call(scratch, bytes) is made twice.
  template <class Call>
  void add_cub(const std::string& name, u64 bytes, Call call, std::function<bool()> is_right) {
    std::size_t size = 0;
    check(call(nullptr, size), "Asking for the scratch of " + name);
    size = std::max<std::size_t>(size, 1);
    scratch_.push_back(std::make_unique<Array<u8>>(size));
    const auto queue = [call, size, scratch = scratch_.back()->get()]() mutable {
      return call(scratch, size);
    };
    works_.push_back({name, bytes, queue, std::move(is_right)});
  }

  void add_copies() {
    const auto is_right = [this] { return output_.read(rows_) == values_; };
    const auto kernel = [this] {
      const auto vectors = static_cast<u32>(rows_ / 4);
      copy_rows<<<(vectors + 1023) / 1024, 256, 0, stream_>>>(
          reinterpret_cast<uint4*>(output_.get()), reinterpret_cast<uint4*>(input_.get()), vectors);
      return cudaGetLastError();
    };
    const auto by_driver = [this] {
      return cudaMemcpyAsync(output_.get(), input_.get(), rows_ * 4, cudaMemcpyDeviceToDevice,
                             stream_);
    };
    works_.push_back({"copy", rows_ * 8, kernel, is_right});
    works_.push_back({"cudaMemcpy", rows_ * 8, by_driver, is_right});
  }

  void add_scans() {
    const auto exclusive = [this](void* scratch, std::size_t& size) {
      return cub::DeviceScan::ExclusiveSum(scratch, size, input_.get(), output_.get(), count(),
                                           stream_);
    };
    add_cub("CUB ExclusiveSum", rows_ * 8, exclusive, [this] {
      const std::vector<u32> result = output_.read(rows_);
      u32 sum = 0;
      for (std::size_t i = 0; i < rows_; sum += values_[i++]) {
        if (result[i] != sum) return false;
      }
      return true;
    });
    const auto inclusive = [this](void* scratch, std::size_t& size) {
      return cub::DeviceScan::InclusiveSum(scratch, size, input_.get(), output_.get(), count(),
                                           stream_);
    };
    add_cub("CUB InclusiveSum", rows_ * 8, inclusive, [this] {
      const std::vector<u32> result = output_.read(rows_);
      u32 sum = 0;
      for (std::size_t i = 0; i < rows_; ++i) {
        if (result[i] != (sum += values_[i])) return false;
      }
      return true;
    });
  }

  void add_scan_by_key() {
    std::vector<u32> keys(rows_);
    u32 key = 0;
    for (std::size_t i = 0; i < rows_; ++i)
      keys[i] = key += is_head(values_[i]);
    keys_ = std::make_unique<Array<u32>>(keys);
    const auto by_key = [this](void* scratch, std::size_t& size) {
      return cub::DeviceScan::ExclusiveSumByKey(scratch, size, keys_->get(), input_.get(),
                                                output_.get(), count(), cuda::std::equal_to<>{},
                                                stream_);
    };
    add_cub("CUB ExclusiveSumByKey, u32 keys", rows_ * 12, by_key, [this] {
      const std::vector<u32> result = output_.read(rows_);
      u32 sum = 0;
      for (std::size_t i = 0; i < rows_; sum += values_[i++]) {
        if (is_head(values_[i])) sum = 0;
        if (result[i] != sum) return false;
      }
      return true;
    });
  }

  template <class Flag>
  void add_select(const std::string& name, std::unique_ptr<Array<Flag>>& flags) {
    const std::vector<u32> wide = map(values_, flag);
    flags = std::make_unique<Array<Flag>>(std::vector<Flag>(wide.begin(), wide.end()));
    const auto kept = static_cast<u64>(std::count(wide.begin(), wide.end(), 1u));
    const u64 bytes = rows_ * (4 + sizeof(Flag)) + kept * 4 + 4;
    const auto select = [this, in = flags->get()](void* scratch, std::size_t& size) {
      return cub::DeviceSelect::Flagged(scratch, size, input_.get(), in, output_.get(),
                                        total_.get(), count(), stream_);
    };
    add_cub(name, bytes, select, [this] {
      std::vector<u32> expected;
      std::copy_if(values_.begin(), values_.end(), std::back_inserter(expected), flag);
      return total_.read(1)[0] == expected.size() && output_.read(expected.size()) == expected;
    });
  }

  void add_reduce() {
    const auto reduce = [this](void* scratch, std::size_t& size) {
      return cub::DeviceReduce::Sum(scratch, size, input_.get(), total_.get(), count(), stream_);
    };
    add_cub("CUB Reduce::Sum", rows_ * 4 + 4, reduce, [this] {
      u32 sum = 0;
      for (const u32 value : values_)
        sum += value;
      return total_.read(1)[0] == sum;
    });
  }

  void add_wide_scan() {
    const auto inclusive = [this](void* scratch, std::size_t& size) {
      return cub::DeviceScan::InclusiveSum(scratch, size, wide_input_.get(), wide_output_.get(),
                                           count(), stream_);
    };
    add_cub("CUB InclusiveSum, u64", rows_ * 16, inclusive, [this] {
      const std::vector<u64> result = wide_output_.read(rows_);
      u64 sum = 0;
      for (std::size_t i = 0; i < rows_; ++i) {
        if (result[i] != (sum += widened(values_[i]))) return false;
      }
      return true;
    });
  }

  int count() const { return static_cast<int>(rows_); }  // CUB is fastest with 32 bits.

  std::size_t rows_;
  std::vector<u32> values_;
  Array<u32> input_, output_, total_;
  Array<u64> wide_input_, wide_output_;
  std::unique_ptr<Array<u32>> keys_, flags_;
  std::unique_ptr<Array<u8>> byte_flags_;
  std::vector<std::unique_ptr<Array<u8>>> scratch_;
  cudaStream_t stream_ = nullptr;
  std::vector<Work> works_;
};

// The kernel module's version, which CUDA does not tell; empty where Linux does not say.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;) {
    const bool is_number = std::isdigit(static_cast<unsigned char>(word[0])) != 0;
    if (is_number && word.find('.') != std::string::npos) return word;
  }
  return "";
}

std::string cuda_version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

void print_machine() {
  cudaDeviceProp properties{};
  int driver = 0;
  int runtime = 0;
  check(cudaDriverGetVersion(&driver), "Asking for the driver's version");
  if (driver == 0) {
    std::fprintf(stderr, "cub_scan: There is no CUDA driver on this machine.\n");
    std::exit(kNoDevice);
  }
  check(cudaGetDeviceProperties(&properties, 0), "Asking for the first CUDA device");
  check(cudaRuntimeGetVersion(&runtime), "Asking for the runtime's version");
  std::printf("{\n  \"adapter\": \"%s\", \"driver\": \"%s\",\n", properties.name,
              driver_version().c_str());
  std::printf("  \"clock\": \"device\", \"versions\": {\"cuda\": \"%s\", \"cub\": \"%d.%d.%d\"},\n",
              cuda_version(runtime).c_str(), CUB_MAJOR_VERSION, CUB_MINOR_VERSION,
              CUB_SUBMINOR_VERSION);
}

// Whether the device has room: 33 bytes a row in arrays, and what CUB needs.
bool has_room(std::size_t rows) {
  std::size_t free_bytes = 0;
  std::size_t all_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &all_bytes), "Asking for the free memory");
  if (rows * 34 <= free_bytes) return true;
  std::fprintf(stderr, "cub_scan: %zu rows and more are left out: %zu bytes are free.\n", rows,
               free_bytes);
  return false;
}

// Reads the value of an option, a whole number within bounds.
long number(const std::string& option, const std::string& text, long least, long most) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (!text.empty() && *end == '\0' && value >= least && value <= most) return value;
  stop(option + " takes a number from " + std::to_string(least) + " to " + std::to_string(most) +
       ", not '" + text + "'.");
}

}  // namespace

int main(int argument_count, char** arguments) {
  long from = 16;
  long to = 22;
  long samples = 30;
  for (int i = 1; i < argument_count; i += 2) {
    const std::string option = arguments[i];
    const std::string value = i + 1 < argument_count ? arguments[i + 1] : "";
    if (option == "--from") {
      from = number(option, value, 10, 30);
    } else if (option == "--to") {
      to = number(option, value, 10, 30);
    } else if (option == "--samples") {
      samples = number(option, value, 1, 10000);
    } else {
      stop("'" + option + "' is not one of --from, --to and --samples.");
    }
  }
  print_machine();
  std::printf("  \"sizes\": [");
  for (long exponent = from; exponent <= to && has_room(std::size_t{1} << exponent); ++exponent) {
    Bench(std::size_t{1} << exponent).run(static_cast<std::size_t>(samples), exponent == from);
  }
  std::printf("\n  ]\n}\n");
  return 0;
}
