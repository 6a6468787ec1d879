#!/usr/bin/env bash
# Builds the planner as WebAssembly: src/graph, src/ops, src/kernels, src/document, the kernel table
# and web/planner -> build/wasm/planner.wasm. No exceptions, threads, files or streams in it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly kOut=build/wasm
readonly kFlags=(--target=wasm32-wasi -std=c++23 -Oz -fno-exceptions -DJSON_NOEXCEPTION
  -Wall -Wextra -Werror -Wno-missing-designated-field-initializers -Wno-deprecated
  -Iinclude -Isrc "-I$kOut/include")

# Host headers must not slip in, so nlohmann-json is reached through a folder that holds it alone.
nlohmann=$(g++ -E -x c++ - <<<'#include <nlohmann/json.hpp>' |
  sed -n 's,^# 1 "\(.*/nlohmann\)/json\.hpp".*,\1,p' | head -n 1)
mkdir -p "$kOut/include" "$kOut/objects"
ln -sfn "$nlohmann" "$kOut/include/nlohmann"

python3 tools/pack_shaders.py --out "$kOut/kernel_table.cpp" shaders

compile() { # SOURCE
  local object
  object=$kOut/objects/$(tr / _ <<<"$1").o
  ccache clang++-22 "${kFlags[@]}" -c "$1" -o "$object"
}

rm -f "$kOut"/objects/*.o
running=0
for source in src/{graph,ops,kernels,document}/*.cpp "$kOut/kernel_table.cpp" web/planner/*.cpp; do
  compile "$source" &
  if ((++running >= $(nproc))); then
    wait -n
    running=$((running - 1))
  fi
done
while ((running-- > 0)); do wait -n; done

clang++-22 "${kFlags[@]}" -mexec-model=reactor "$kOut"/objects/*.o -o "$kOut/planner.wasm" \
  -Wl,--strip-all -Wl,--export=malloc -Wl,--export=free \
  -Wl,-z,stack-size=1048576 -Wl,--stack-first
echo "$kOut/planner.wasm: $(wc -c <"$kOut/planner.wasm") bytes"
