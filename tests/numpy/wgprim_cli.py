"""Runs the command-line tool for the tests of this folder, and says what they expect of any run.

WGPRIM_CLI names the tool; the environment (VK_DRIVER_FILES) chooses the adapter from outside. Tests
run on adapter 0 by name, so that stderr holds no remark about software adapters.
"""

import functools
import io
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
CLI = os.environ.get("WGPRIM_CLI", str(ROOT / "build" / "release" / "bin" / "wgprim"))
MODES = ("exclusive", "inclusive")
TIME_LIMIT_S = 60

Array = np.ndarray[Any, Any]
Run = subprocess.CompletedProcess[bytes]


def environment(**changes: str) -> dict[str, str]:
    cache = os.environ.get("MESA_SHADER_CACHE_DIR", str(ROOT / "build" / "shader-cache"))
    return os.environ | {"WGPRIM_ADAPTER": "0", "MESA_SHADER_CACHE_DIR": cache} | changes


def run(*arguments: object, status: int = 0, **options: Any) -> Run:
    """Runs the tool; the exit status must be `status`. The options are those of subprocess.run."""
    options = {"env": environment(), "timeout": TIME_LIMIT_S} | options
    if "input" not in options:
        options.setdefault("stdin", subprocess.DEVNULL)
    command = [CLI, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, check=False, **options)
    words = f"{command} left with {done.returncode}: {done.stdout[-500:]!r} {done.stderr[-500:]!r}"
    assert done.returncode == status, words
    return done


def run_json(*arguments: object, status: int = 0, **options: Any) -> dict[str, Any]:
    """Runs the tool with --json: one object on stdout, nothing on stderr."""
    done = run(*arguments, "--json", status=status, **options)
    assert done.stderr == b""
    result = json.loads(done.stdout)
    assert isinstance(result, dict)
    return result


def refusal(*arguments: object, status: int, code: str, **options: Any) -> str:
    """Runs what must be refused, with and without --json, and returns the one sentence it says."""
    plain = run(*arguments, status=status, **options)
    assert plain.stdout == b""
    said = re.fullmatch(r"wgprim: ([^\n]+\.)\n", plain.stderr.decode())
    assert said, plain.stderr
    told = run_json(*arguments, status=status, **options)
    assert told == {"error": {"code": code, "message": said[1]}}
    return said[1]


@functools.cache
def adapter_info() -> dict[str, Any]:
    """What `wgprim info` says of the adapter under test."""
    return run_json("info")


def is_lavapipe() -> bool:
    return "llvmpipe" in adapter_info()["adapter"]


def random_words(rows: int, dtype: str = "uint32") -> Array:
    """Words over the whole range, the same in every run, so that totals pass 2^32 at once."""
    return np.random.default_rng(rows).integers(0, 2**32, rows, np.uint32).view(dtype)


def cumsum(array: Array, mode: str) -> Array:
    """NumPy's answer: sums modulo 2^32 in the array's own type."""
    inclusive = np.cumsum(array, dtype=array.dtype)
    if mode == "inclusive":
        return inclusive
    return np.concatenate([np.zeros(1, array.dtype), inclusive])[: array.size]  # a shift


def npy_bytes(array: Array) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def scan(folder: Path, array: Array, mode: str, *options: object) -> Array:
    """Scans the array from .npy file to .npy file."""
    np.save(folder / "in.npy", array)
    run("scan", folder / "in.npy", "-o", folder / "out.npy", f"--{mode}", *options)
    return np.load(folder / "out.npy")


def scan_json(folder: Path, array: Array, *options: object) -> dict[str, Any]:
    """Scans the array and returns the report; the result must be NumPy's exclusive cumsum."""
    np.save(folder / "in.npy", array)
    report = run_json("scan", folder / "in.npy", "-o", folder / "out.npy", *options)
    np.testing.assert_array_equal(np.load(folder / "out.npy"), cumsum(array, "exclusive"))
    return report
