# wgpu::native: the prebuilt wgpu-native library and its headers, unpacked by tools/setup.sh.
# The library has no SONAME on Linux, so the link records its bare file name and $ORIGIN finds it.

set(WGPRIM_WGPU_DIR "${PROJECT_SOURCE_DIR}/build/wgpu-native"
    CACHE PATH "Folder with include/webgpu.h, include/wgpu.h and lib/ of wgpu-native")

if(APPLE)
  set(wgpu_library_name "libwgpu_native-release.dylib")
else()
  set(wgpu_library_name "libwgpu_native-release.so")
endif()
set(wgpu_library "${WGPRIM_WGPU_DIR}/lib/${wgpu_library_name}")

foreach(file IN ITEMS "${wgpu_library}" "${WGPRIM_WGPU_DIR}/include/webgpu.h"
                      "${WGPRIM_WGPU_DIR}/include/wgpu.h")
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "wgpu-native is not unpacked: '${file}' does not exist. "
                        "Run 'tools/setup.sh build' (or 'make build') first.")
  endif()
endforeach()

add_library(wgpu::native SHARED IMPORTED GLOBAL)
set_target_properties(wgpu::native PROPERTIES
  IMPORTED_LOCATION "${wgpu_library}"
  IMPORTED_NO_SONAME TRUE)
target_include_directories(wgpu::native INTERFACE "${WGPRIM_WGPU_DIR}/include")

set(wgpu_copy "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${wgpu_library_name}")
add_custom_command(
  OUTPUT "${wgpu_copy}"
  COMMAND "${CMAKE_COMMAND}" -E copy "${wgpu_library}" "${wgpu_copy}"
  DEPENDS "${wgpu_library}"
  COMMENT "Copying ${wgpu_library_name} beside the executables")
add_custom_target(wgpu_native_beside_binaries DEPENDS "${wgpu_copy}")
