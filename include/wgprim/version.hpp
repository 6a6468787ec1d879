// The version of this library.
#pragma once

namespace wgprim {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace wgprim
