# wgprim_fmt: fmt without its shared library, so that the command-line tool runs on machines that do
# not have it. Debian packages no static archive; the header-only form does the same.

find_package(fmt REQUIRED)
add_library(wgprim_fmt INTERFACE)
target_link_libraries(wgprim_fmt INTERFACE fmt::fmt-header-only)
