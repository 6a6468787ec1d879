// libc++'s two ways to give up, as a trap. Its own versions print, which would make the module
// import file functions from its host.

#include <__verbose_abort>

extern "C" [[noreturn]] void __abort_message(const char*, ...) { __builtin_trap(); }

_LIBCPP_BEGIN_NAMESPACE_STD
void __libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }
_LIBCPP_END_NAMESPACE_STD
