// The arrays of a one-call form on the device, each in one buffer or several, as lay_out_array
// says.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wgprim/graph.hpp"
#include "wgprim/native.hpp"
#include "wgprim/plan.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::api {

/// An array of a plan: its name, how wide its rows are, and where they lie.
struct PlacedArray {
  std::string_view name;
  std::uint64_t row_bytes = 0;
  ArrayLayout layout;
};

/// Errors: those of lay_out_array.
Result<PlacedArray> place_array(std::string_view name, std::uint64_t rows, Format format,
                                const Placement& placement, const Limits& limits);

class DeviceArrays {
 public:
  /// A buffer for every import of the plan but for those given.
  static Result<DeviceArrays> create(Device& device, const Plan& plan,
                                     std::vector<Import> given = {});

  std::vector<Import> imports() const;
  void set_given(std::vector<Import> given) { given_ = std::move(given); }

  /// The most bytes in flight between host and device from now on.
  void set_slice(std::uint64_t bytes) { slice_bytes_ = bytes; }

  /// Fills the array with its rows; `progress`, if any, hears of the bytes done.
  Result<void> upload(Device& device, const PlacedArray& array, std::span<const std::byte> bytes,
                      const std::function<void(std::uint64_t)>& progress = {});

  /// Hands out the rows of the array as words, in order, `most` words if it has more.
  Result<void> download(Device& device, const PlacedArray& array, const RowSink& sink,
                        std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

 private:
  Buffer& buffer_of(const PlacedArray& array, std::size_t index);
  Result<void> upload_slices(Device& device, Buffer& buffer, std::span<const std::byte> bytes,
                             const std::function<void(std::uint64_t)>& progress) const;

  std::vector<Import> given_;
  std::uint64_t slice_bytes_ = std::numeric_limits<std::uint64_t>::max();
  std::map<std::string, Buffer, std::less<>> buffers_;
};

/// What the plan of one operation on `rows` rows says of itself.
ScanReport report_of(const Plan& plan, std::uint64_t rows);

}  // namespace wgprim::api
