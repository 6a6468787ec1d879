# Helpers that give a folder of sources its target.

# wgprim_glob(OUT folder...): the .cpp files directly inside each folder.
function(wgprim_glob out)
  set(files)
  foreach(folder IN LISTS ARGN)
    file(GLOB found CONFIGURE_DEPENDS "${folder}/*.cpp")
    list(APPEND files ${found})
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# wgprim_add_library(NAME folder...): a static library with the project's warnings and includes.
function(wgprim_add_library name)
  wgprim_glob(sources ${ARGN})
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PRIVATE wgprim_options)
  target_compile_features(${name} PUBLIC cxx_std_23)
  target_include_directories(${name}
    PUBLIC "${PROJECT_SOURCE_DIR}/include"
    PRIVATE "${PROJECT_SOURCE_DIR}/src")
endfunction()

# wgprim_add_executable(NAME SOURCES file... LIBRARIES library...): beside the WebGPU library.
function(wgprim_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE wgprim_options ${arg_LIBRARIES})
  if(NOT WGPRIM_SANITIZE AND NOT APPLE)  # So that bin/ runs where this compiler's runtime is not.
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
  add_dependencies(${name} wgpu_native_beside_binaries)
endfunction()
