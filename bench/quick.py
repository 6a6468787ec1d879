#!/usr/bin/env python3
"""Times whole `wgprim scan` runs at several sizes: `quick.py [CLI] [--adapter NAME] [--runs N]`.

A first look, not a benchmark: gpu_ms is the median of the device time of single cold runs, wall_ms
that of the whole command, both as `wgprim scan --json` reports them. Standard library only.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROW = "{:>10}  {:18}  {:9}  {:>10}  {:>10}"
SIZES = [2**exponent for exponent in (16, 18, 20, 22, 24)]


def scan(command: list[str]) -> dict:
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}\nstatus {run.returncode}: {run.stdout}{run.stderr}")
    return json.loads(run.stdout)


def median_ms(runs: list[dict], key: str) -> str:
    times = [run[key] for run in runs if run[key] is not None]
    return f"{statistics.median(times):.3f}" if times else "-"


def main() -> int:
    parser = argparse.ArgumentParser(description="Times whole scans at several sizes.")
    parser.add_argument("cli", nargs="?", default="build/release/bin/wgprim")
    parser.add_argument("--adapter", default="", help="as for wgprim itself")
    parser.add_argument("--runs", type=int, default=5, help="runs a row; the first is dropped")
    options = parser.parse_args()
    if options.runs < 2:
        parser.error("--runs must be at least 2")

    adapter = ["--adapter", options.adapter] if options.adapter else []
    named = False
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "rows.raw"
        for rows in SIZES:
            data.write_bytes(random.Random(rows).randbytes(4 * rows))
            command = [options.cli, "scan", str(data), "-o", "/dev/null", "--dtype", "uint32"]
            command += ["--json", *adapter]
            for subgroups in ("off", "auto"):
                runs = [scan([*command, "--subgroups", subgroups]) for _ in range(options.runs)][1:]
                if not named:
                    named = True
                    print(f"adapter: {runs[0]['adapter']}, median of {len(runs)} runs")
                    print(ROW.format("rows", "path", "subgroups", "gpu_ms", "wall_ms"))
                times = (median_ms(runs, "gpu_ms"), median_ms(runs, "wall_ms"))
                print(ROW.format(rows, runs[0]["path"], subgroups, *times), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
