// The imported buffers of a graph during `wgprim run`: filled from files, given to the executor,
// read back row by row.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/array_file.hpp"
#include "progress.hpp"
#include "run_options.hpp"
#include "wgprim/native.hpp"
#include "wgprim/view.hpp"

namespace wgprim::cli {

class RunBuffers {
 public:
  /// Reads the bound files and checks them against the plan. `plan` outlives the buffers.
  /// Errors: a bound buffer that is unknown or scratch; a file whose payload is not exactly the
  /// buffer's bytes; an unbound buffer whose first use, by a node that runs with these parameters,
  /// only reads it; those of reading files.
  static Result<RunBuffers> read(const Plan& plan, const std::vector<Assignment>& binds,
                                 const std::map<std::string, bool>& parameters);

  /// Makes device buffers of all imports and fills them; the rest start as zeros.
  Result<void> upload(Device& device, ProgressLine& line);

  std::vector<Import> imports() const;

  /// Hands the bytes of the view's rows to `sink`, packed, piece by piece.
  Result<void> download(Device& device, const VectorView& view, const Device::Sink& sink);

  /// The format of what came by standard input, if anything did.
  std::optional<io::FileFormat> stdin_format() const { return stdin_format_; }

 private:
  explicit RunBuffers(const Plan& plan) : plan_(&plan) {}
  Result<void> bind(const Assignment& bind, std::uint32_t index);
  Result<void> check_unbound(const std::map<std::string, bool>& parameters) const;
  Result<void> fill(Device& device, std::uint32_t index, const std::function<void(std::uint64_t)>&);

  const Plan* plan_;
  std::unordered_map<std::uint32_t, io::Payload> payloads_;  // By buffer of the plan.
  std::vector<std::optional<Buffer>> buffers_;               // Likewise, once uploaded.
  std::optional<io::FileFormat> stdin_format_;
};

}  // namespace wgprim::cli
