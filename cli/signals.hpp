// Ends that a signal brings: an interruption, a crash of the driver. No output is left half
// written, and with --json the error is an object like any other.
#pragma once

namespace wgprim::cli {

/// Comes before anything is opened.
void set_up_signals();

/// Whether an error that a signal brings is due as JSON on stdout. It is no more once the one
/// object that --json promises is being printed.
void expect_json(bool is_due);

}  // namespace wgprim::cli
