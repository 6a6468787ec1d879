#!/usr/bin/env python3
"""Times NumPy's cumsum of u32 rows beside a copy of them: `numpy_cumsum.py FROM TO SAMPLES`.

Kinds of work take turns after a second of warm-up, and results are checked before and after. The
report in JSON goes to standard output; FROM and TO are exponents of two.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

Rows = np.ndarray
Works = dict[str, tuple[Callable[[], object], Rows]]  # name: (what runs, what it must compute)


def processor() -> str:
    """The processor's name where Linux tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return "CPU"
    return next((line.split(": ")[1] for line in lines if line.startswith("model name")), "CPU")


def check(works: Works, output: Rows) -> None:
    for name, (run, expected) in works.items():
        output.fill(0xA5A5A5A5)
        run()
        if not np.array_equal(output, expected):
            sys.exit(f"numpy_cumsum.py: {name} computes a wrong result.")


def measure(rows: int, sample_count: int) -> dict[str, list[float]]:
    """The sorted samples of each kind of work in microseconds."""
    values = np.random.default_rng(1).integers(0, 2**32, rows, dtype=np.uint32)
    output = np.empty_like(values)
    expected = np.add.accumulate(values, dtype=np.uint64).astype(np.uint32)
    works: Works = {
        "copy": (lambda: np.copyto(output, values), values),
        "numpy.cumsum": (lambda: np.cumsum(values, dtype=np.uint32, out=output), expected),
    }
    check(works, output)
    warm = time.monotonic() + 1
    while time.monotonic() < warm:
        for run, _ in works.values():
            run()
    samples: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(sample_count):
        for name, (run, _) in works.items():
            start = time.perf_counter_ns()
            run()
            samples[name].append((time.perf_counter_ns() - start) / 1e3)
    check(works, output)
    return {name: sorted(values) for name, values in samples.items()}


def size_report(rows: int, sample_count: int) -> dict[str, object]:
    """An element of the report's sizes; median and p95 are by nearest rank, as wgprim's."""
    samples = measure(rows, sample_count)
    medians = {name: values[(len(values) - 1) // 2] for name, values in samples.items()}
    results = [
        {
            "name": name,
            "samples": len(values),
            "median_us": medians[name],
            "p95_us": values[-(-len(values) * 95 // 100) - 1],
            "min_us": values[0],
            "bytes": rows * 8,
            "gigabytes_per_second": rows * 8 / medians[name] / 1e3,
            "share_of_copy": medians["copy"] / medians[name],
        }
        for name, values in samples.items()
    ]
    for name, median in medians.items():
        print(f"{rows:11} rows  {name:30} {median:10.1f} us", file=sys.stderr)
    return {"rows": rows, "results": results}


def main() -> None:
    if len(sys.argv) != 4 or not all(text.isdigit() for text in sys.argv[1:]):
        sys.exit("numpy_cumsum.py: It takes three numbers: FROM, TO and SAMPLES.")
    first, last, samples = map(int, sys.argv[1:])
    sizes = [size_report(2**exponent, samples) for exponent in range(first, last + 1)]
    versions = {"numpy": np.__version__}
    report = {"adapter": processor(), "clock": "host", "versions": versions, "sizes": sizes}
    json.dump(report, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
