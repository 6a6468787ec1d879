"""Runs the scripts of bench/ for the tests of this folder, on small made-up reports."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"

Report = dict[str, Any]


def result(name: str, median: float, p95: float | None = None, **more: object) -> Report:
    p95_entry = {} if p95 is None else {"p95_us": p95}
    return {"name": name, "median_us": median, **p95_entry, **more}


def report(sizes: dict[int, list[Report]], **more: object) -> Report:
    versions = {"wgprim": "9.8.7", "wgpu_native": "6.5"}
    head = {"adapter": "Toy GPU", "driver": "1.2", "versions": versions} | more
    return head | {
        "sizes": [{"rows": rows, "results": results} for rows, results in sizes.items()]
    }


def write(path: Path, content: Report) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def run(script: str, *arguments: object, status: int = 0) -> subprocess.CompletedProcess[str]:
    """Runs a script of bench/ without a display; its exit status must be `status`."""
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    done = subprocess.run(
        [sys.executable, str(BENCH / script), *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == status, f"{done.stdout}\n{done.stderr}"
    return done


def refusal(script: str, *arguments: object) -> str:
    """The one sentence with which a script refuses."""
    done = run(script, *arguments, status=2)
    assert done.stderr.startswith(f"{script}: ")
    assert done.stderr.endswith(".\n")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix(f"{script}: ")
