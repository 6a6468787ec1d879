// What the field lists of documents share.
#pragma once

#include <concepts>
#include <type_traits>

namespace wgprim {

/// T, or const T where it is written.
template <class Value, class T>
concept Is = std::same_as<std::remove_const_t<Value>, T>;

}  // namespace wgprim
