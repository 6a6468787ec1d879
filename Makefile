# Set-up, build and tests in one word each. The set-up (tools/setup.sh) installs what is missing on
# Debian 12 as root and names it elsewhere; everything made here lands in build/.
#
#   make demo    set-up, build, and a verified running total of four years of rain in Seattle
#   make build   set-up and build: build/release/bin/wgprim
#   make test    set-up, build and every test
#   make bench   set-up, build, and the scan beside a copy by size: build/bench/scan.json and .png
#   make peers   set-up, build, and the scan beside CUB, std::inclusive_scan and NumPy in one table
#   make format  formats the C++ sources in place
#   make clean   removes what was built; keeps what the set-up fetched

.PHONY: build demo test bench peers format clean
.DEFAULT_GOAL := build

cli := build/release/bin/wgprim
rain := data/seattle_precipitation.npy
total := build/demo/total_precipitation.npy

everything := $(patsubst %,-DWGPRIM_BUILD_%=ON,TESTS EXAMPLES BENCHMARKS)

build:
	@tools/setup.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target wgprim_cli

demo: build
	@mkdir -p $(dir $(total))
	$(cli) scan $(rain) -o $(total) --inclusive --verify
	@tenths=$$(tail -c 4 $(total) | od -An -t u4 | tr -d ' '); \
	  days=$$(( ($$(wc -c <$(rain)) - 128) / 4 )); \
	  printf 'Rain in Seattle, 2012 to 2015: %d days add up to %d.%d mm (running total: %s)\n' \
	    $$days $$((tenths / 10)) $$((tenths % 10)) $(total)

test:
	@tools/setup.sh test
	@cmake --preset release $(everything) >/dev/null
	@cmake --build --preset release
	@cmake --preset asan >/dev/null
	@cmake --build --preset asan --target wgprim_cpu_tests
	@tools/build_wasm_planner.sh
	@build/venv/bin/python tools/run_tests.py

bench: build
	@tools/setup.sh bench
	@mkdir -p build/bench
	$(cli) bench scan --json >build/bench/scan.json
	build/venv/bin/python bench/plot build/bench/scan.json -o build/bench/scan.png

peers: build
	@tools/setup.sh bench
	build/venv/bin/python bench/peers/run

format:
	@tools/setup.sh test
	@git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.h' | xargs clang-format-22 -i

clean:
	rm -rf build/release build/debug build/asan build/wasm build/demo build/bench build/tests
