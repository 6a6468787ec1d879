"""Reads the JSON of a benchmark run, for the scripts of this folder. Standard library only.

    {"adapter": ..., "driver": ..., "versions": {"wgprim": ...},
     "sizes": [{"rows": N, "clock_step_ns": ..., "batch": ..., "results": [
         {"name": ..., "median_us": ..., "p95_us": ..., "samples": ..., "bytes": ...,
          "share_of_copy": ...}]}]}

Only rows, name and median_us must be there; the scripts do without the rest.
"""

import json
import math
import sys
from pathlib import Path
from typing import Any, NoReturn

# What was run, not on which machine: keys of "versions" or of the report itself, and their names.
VERSIONS = {"wgprim": "wgprim", "wgpu_native": "wgpu-native", "cuda": "CUDA", "cub": "CUB"}
VERSIONS |= {"compiler": "compiler", "numpy": "NumPy"}

Report = dict[str, Any]
Result = dict[str, Any]


def stop(sentence: str) -> NoReturn:
    """Ends the script with status 2 and a sentence."""
    print(f"{Path(sys.argv[0]).name}: {sentence}", file=sys.stderr)
    sys.exit(2)


def read_report(path: str) -> Report:
    """The report in a file ("-" reads standard input); ends the script if it is none."""
    source = "standard input" if path == "-" else path
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        stop(f"{source} cannot be read: {reason}.")
    try:
        report = json.loads(text)
    except json.JSONDecodeError as error:
        stop(f"{source} is not JSON: {error}.")
    problem = what_is_wrong(report)
    if problem:
        stop(f"{source} is not the JSON of a run by sizes: {problem}.")
    return dict(report)


def what_is_wrong(report: Any) -> str:
    """Why this is not a report; empty if it is one."""
    sizes = report.get("sizes") if isinstance(report, dict) else None
    if isinstance(report, dict) and "implementations" in report:
        return "it is one of bench workgroup-scan, which knows no sizes"
    if not isinstance(sizes, list):
        return "it has no list 'sizes'"
    seen = set()
    for size in sizes:
        if not isinstance(size, dict) or not is_positive(size.get("rows")):
            return "a size has no positive number 'rows'"
        if size["rows"] in seen:
            return f"the size of {size['rows']} rows is there twice"
        seen.add(size["rows"])
        if not isinstance(size.get("results"), list):
            return f"the size of {size['rows']} rows has no list 'results'"
        for result in size["results"]:
            if not isinstance(result, dict) or not isinstance(result.get("name"), str):
                return f"a result at {size['rows']} rows has no 'name'"
            if not is_positive(result.get("median_us")):
                return f"'{result['name']}' at {size['rows']} rows has no positive 'median_us'"
    return ""


def is_positive(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(value) and value > 0


def by_rows(report: Report) -> dict[int, dict[str, Result]]:
    """The results by rows and name, each with the step of the clock that timed it."""
    table: dict[int, dict[str, Result]] = {}
    for size in report["sizes"]:
        step = size.get("clock_step_ns")
        step_us = step / 1e3 / (size.get("batch") or 1) if is_positive(step) else 0.0
        results = table.setdefault(size["rows"], {})
        for result in size["results"]:
            results[result["name"]] = {"clock_step_us": step_us, **result}
    return table


def machine(report: Report) -> str:
    """'NVIDIA H200, driver 580.1'"""
    adapter, driver = report.get("adapter") or "unnamed machine", report.get("driver")
    return f"{adapter}, driver {driver}" if driver else str(adapter)


def versions(report: Report) -> str:
    """'wgprim 0.1.0, wgpu-native 29.0'"""
    found = {**report, **(report.get("versions") or {})}
    return ", ".join(f"{name} {found[key]}" for key, name in VERSIONS.items() if found.get(key))


def figure(value: float, decimals: int) -> str:
    """With so many decimals, or as many as two significant digits take: no '0.0' for 0.04."""
    if value and math.isfinite(value):
        place = -math.floor(math.log10(abs(value)))  # of the first digit behind the point
        if place > decimals:
            decimals = place + 1
    return f"{value:.{decimals}f}"


def rows_text(rows: int) -> str:
    """'2^24' where it is a power of two, digits in groups of three elsewhere."""
    exponent = rows.bit_length() - 1
    return f"2^{exponent}" if rows == 1 << exponent and exponent >= 10 else f"{rows:,}"
