// The files that `wgprim run` leaves: opened before anything runs, written when all has run, put in
// place together at the end.
#pragma once

#include <string>
#include <vector>

#include "io/output_file.hpp"
#include "run_buffers.hpp"
#include "run_options.hpp"
#include "wgprim/graph.hpp"

namespace wgprim::cli {

class RunOutputs {
 public:
  /// Opens an output a word and claims its room. `stream_format` is that of standard output.
  /// Errors: a name that is neither an imported buffer nor a view, or that lies in scratch; two
  /// outputs in one file; those of io::OutputFile.
  static Result<RunOutputs> open(const std::vector<Assignment>& outs, const Graph& graph,
                                 const Plan& plan, io::FileFormat stream_format);

  /// Writes all, then puts all in place; a pipe whose reader has had enough is left alone. Errors:
  /// those of downloading and writing; then none is left, unless a rename at the very end failed.
  Result<void> write(Device& device, RunBuffers& buffers);

  /// Whether one goes to standard output, where nothing else may be printed then.
  bool has_stdout() const;
  /// Whether the reader of a pipe has had enough: time to end quietly.
  bool is_pipe_closed() const;

 private:
  struct Output {
    std::string path;
    VectorView view;
    io::FileFormat format = io::FileFormat::raw;
    io::OutputFile file;
  };
  static Result<void> write(Output& output, Device& device, RunBuffers& buffers);

  std::vector<Output> outputs_;
};

}  // namespace wgprim::cli
