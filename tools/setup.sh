#!/usr/bin/env bash
# Installs what the build (setup.sh build), the build and the curves of benchmarks (setup.sh bench),
# or all of it and the tests (setup.sh test) need, and says what it does. Nothing is installed that is
# already there, so a second run takes a moment.
#
# As root on Debian 12 it installs Debian packages; elsewhere it names what is missing and stops.
# The Python environment, the WebGPU library and the node packages go into build/ and web/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly kVenv=build/venv
readonly kWgpuPin=cmake/wgpu-native.requirements.txt
readonly kWgpuFolder=build/wgpu-native
readonly kLog=build/setup.log

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# quietly COMMAND...: runs it with its output in the log; shows the log's end if it fails.
quietly() {
  printf '\n$ %s\n' "$*" >>"$kLog"
  "$@" >>"$kLog" 2>&1 </dev/null || { tail -n 20 "$kLog" >&2; fail "failed: $* (log: $kLog)"; }
}

is_debian_12() {
  # shellcheck source=/dev/null
  (. /etc/os-release && [ "$ID" = debian ] && [ "${VERSION_ID:-}" = 12 ]) 2>/dev/null
}
can_install() { is_debian_12 && [ "$(id -u)" = 0 ]; }

# --- What is missing ---------------------------------------------------------------------------

missing_names=()
missing_packages=()

# need NAME "PACKAGE..." PROBE...: notes the thing and its Debian packages if the probe fails.
need() {
  local name=$1 packages=$2
  shift 2
  "$@" >/dev/null 2>&1 && return
  missing_names+=("$name")
  read -ra packages <<<"$packages"
  missing_packages+=("${packages[@]}")
}

has() { command -v "$1"; }
has_header() {
  printf '#if !__has_include(<%s>)\n#error missing\n#endif\n' "$1" | g++ -std=c++23 -E -x c++ -
}
is_at_least() { # COMMAND VERSION
  local found
  found=$("$1" --version | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1)
  [ "$(printf '%s\n' "$2" "$found" | sort -V | head -n 1)" = "$2" ]
}
links_for_wasm() {
  clang++-22 --target=wasm32-wasi -std=c++23 -fno-exceptions -mexec-model=reactor \
    -x c++ <(printf '#include <expected>\nint f() { return 1; }\n') -o /dev/null
}
has_driver() { python3 tools/vulkan_drivers.py "$1"; }

need_build_tools() {
  need "g++ 12 or newer (C++23)" g++ has_header expected
  need "CMake 3.25 or newer" cmake is_at_least cmake 3.25
  need Ninja ninja-build has ninja
  need ccache ccache has ccache
  need "Python 3.11 or newer, with venv" "python3 python3-venv" \
    python3 -c 'import ensurepip, sys, venv; assert sys.version_info >= (3, 11)'
  need "the system's certificates" ca-certificates test -s /etc/ssl/certs/ca-certificates.crt
  need "CLI11 headers" libcli11-dev has_header CLI/CLI.hpp
  need "fmt 9 or newer" libfmt-dev has_header fmt/core.h
  need "nlohmann-json 3.11 or newer" nlohmann-json3-dev has_header nlohmann/json.hpp
  need "the Vulkan loader" libvulkan1 python3 -c 'import ctypes; ctypes.CDLL("libvulkan.so.1")'
}

need_test_tools() {
  need GoogleTest libgtest-dev has_header gtest/gtest.h
  need "google-benchmark" libbenchmark-dev has_header benchmark/benchmark.h
  need RapidCheck librapidcheck-dev has_header rapidcheck.h
  need "clang 22 for wasm32 with libc++" "clang-22 lld-22 libc++-22-dev-wasm32 \
    libc++abi-22-dev-wasm32 libclang-rt-22-dev-wasm32 wasi-libc" links_for_wasm
  need clang-format-22 clang-format-22 has clang-format-22
  need clang-tidy-22 clang-tidy-22 has clang-tidy-22
  need "SwiftShader (in Chromium)" chromium has_driver swiftshader
}

# --- Debian packages ---------------------------------------------------------------------------

mirror() {
  apt-get indextargets --format '$(RELEASE) $(REPO_URI)' | awk '$1 == "bookworm" && !n++ { print $2 }'
}
has_suite() { [[ $'\n'$(apt-get indextargets --format '$(RELEASE)')$'\n' == *$'\n'"$1"$'\n'* ]]; }

# add_suite SUITE URI: adds a Debian suite that the machine does not list yet.
add_suite() {
  has_suite "$1" && return
  say "adding Debian's $1 to the package sources"
  echo "deb $2 $1 main" >"/etc/apt/sources.list.d/wgprim-$1.list"
  quietly apt-get update
}

apt_install() {
  say "installing Debian packages: $*"
  quietly env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 \
    install -y --no-install-recommends "$@"
}

install_missing() {
  [ ${#missing_packages[@]} -gt 0 ] || return 0
  if ! can_install; then
    printf 'setup: missing: %s\n' "${missing_names[@]}" >&2
    printf 'setup: their Debian packages: %s\n' "${missing_packages[*]}" >&2
    fail "this script installs them itself only as root on Debian 12; install them and run it again"
  fi
  say "reading the package lists"
  quietly apt-get update
  # clang 22 comes with Debian 12's security updates.
  [[ " ${missing_packages[*]} " != *" clang-"* ]] ||
    add_suite bookworm-security "$(mirror | sed 's,/*$,,')-security"
  apt_install "${missing_packages[@]}"
  missing_names=()
  missing_packages=()
}

# Debian 12's own Mesa is too old to run the kernels; its backport is not.
install_lavapipe() {
  say "installing a CPU Vulkan driver (lavapipe, from Debian's backports)"
  quietly apt-get update
  add_suite bookworm-backports "$(mirror)"
  apt_install -t bookworm-backports mesa-vulkan-drivers libvulkan1
}

ensure_vulkan_device() {
  has_driver any >>"$kLog" 2>&1 && return
  if can_install; then
    install_lavapipe
  else
    say "no usable Vulkan device found: install your GPU's Vulkan driver, or Mesa 23 or newer for" \
      "the CPU driver lavapipe (package mesa-vulkan-drivers); the build itself does without"
  fi
}

ensure_lavapipe() {
  has_driver lavapipe >>"$kLog" 2>&1 && return
  can_install || fail "missing: lavapipe of Mesa 23 or newer (package mesa-vulkan-drivers)"
  install_lavapipe
}

# --- Python, the WebGPU library, node ----------------------------------------------------------

ensure_venv() {
  "$kVenv/bin/python" -m pip --version >/dev/null 2>&1 && return
  say "making the Python environment $kVenv"
  quietly python3 -m venv --clear "$kVenv"
}

# ensure_python_packages NAMES FILE PROBE...: installs the packages that a file in tools/ pins; the
# probe is a command of theirs.
ensure_python_packages() {
  local names=$1 file=$2 probe=$3
  shift 3
  cmp -s "tools/$file" "$kVenv/$file.installed" && "$kVenv/bin/$probe" "$@" >/dev/null 2>&1 && return
  say "installing $names into $kVenv"
  quietly "$kVenv/bin/python" -m pip install --disable-pip-version-check --require-hashes \
    --only-binary :all: --force-reinstall -r "tools/$file"
  cp "tools/$file" "$kVenv/$file.installed"
}

ensure_wgpu_native() {
  cmp -s "$kWgpuPin" "$kWgpuFolder/pin.unpacked" && return
  say "fetching wgpu-native into $kWgpuFolder"
  local download=$kWgpuFolder.download
  rm -rf "$download" "$kWgpuFolder"
  quietly "$kVenv/bin/python" -m pip download --disable-pip-version-check --no-deps \
    --only-binary :all: --require-hashes -d "$download" -r "$kWgpuPin"
  quietly "$kVenv/bin/python" -m zipfile -e "$download"/wgpu-*.whl "$download"
  mkdir -p "$kWgpuFolder/include" "$kWgpuFolder/lib"
  mv "$download"/wgpu/resources/{webgpu.h,wgpu.h} "$kWgpuFolder/include/"
  mv "$download"/wgpu/resources/*wgpu_native-release.* "$kWgpuFolder/lib/"
  cp "$kWgpuPin" "$kWgpuFolder/pin.unpacked"
  rm -rf "$download"
}

ensure_node_packages() {
  cmp -s web/package-lock.json web/node_modules/lock.installed && return
  say "installing the node packages of web/"
  local certificates=/etc/ssl/certs/ca-certificates.crt
  [ ! -s "$certificates" ] || export NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS:-$certificates}
  quietly "$kVenv/bin/npm" ci --prefix web --ignore-scripts --no-audit --no-fund
  cp web/package-lock.json web/node_modules/lock.installed
}

# -----------------------------------------------------------------------------------------------

main() {
  case "${1:-}" in
    build | bench | test) ;;
    *) fail "usage: tools/setup.sh build|bench|test" ;;
  esac
  mkdir -p build
  : >"$kLog"
  need_build_tools
  [ "$1" != test ] || need_test_tools
  install_missing
  ensure_venv
  ensure_wgpu_native
  [ "$1" = build ] ||
    ensure_python_packages "Matplotlib and NumPy" requirements-bench.txt python -c 'import matplotlib'
  if [ "$1" = test ]; then
    ensure_lavapipe
    ensure_python_packages "NumPy, pytest, jsonschema and node" requirements.txt node --version
    ensure_node_packages
  else
    ensure_vulkan_device
  fi
  say "ready to $1"
}

main "$@"
