"""wgprim reduce: one value, alone on stdout, as NumPy has it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_scan_family_cli import DTYPES, OPERATORS, flags_of, identity, rows_of
from wgprim_cli import (
    Array,
    adapter_info,
    environment,
    npy_bytes,
    random_words,
    refusal,
    run,
    run_json,
)

SIZES = [1, 255, 256, 257, 4095, 4096, 4097, 70_001]


def right(rows: Array, op: str) -> Any:
    if rows.size == 0:
        return np.array([identity(rows.dtype.name, op)], rows.dtype)[0]
    if op == "sum":
        return rows.sum(dtype=rows.dtype)
    return rows.min() if op == "min" else rows.max()


def reduce(folder: Path, rows: Array, *options: object) -> str:
    np.save(folder / "in.npy", rows)
    return run("reduce", folder / "in.npy", "--verify", *options).stdout.decode()


def text(value: Any) -> str:
    return f"{value:.9g}\n" if value.dtype == np.float32 else f"{value}\n"


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type_and_operator(folder: Path, dtype: str, op: str) -> None:
    rows = rows_of(dtype, 4097)
    assert reduce(folder, rows, "--op", op) == text(right(rows, op))


@pytest.mark.parametrize("path", ["chained", "reduce-then-scan"])
@pytest.mark.parametrize("rows", SIZES)
def test_sizes_around_edges(folder: Path, rows: int, path: str) -> None:
    words = random_words(rows)
    assert reduce(folder, words, "--path", path) == text(right(words, "sum"))


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("dtype", ["int64", "uint32"])
def test_nothing_gives_the_identity(folder: Path, dtype: str, op: str) -> None:
    assert reduce(folder, np.zeros(0, dtype), "--op", op) == text(right(np.zeros(0, dtype), op))


@pytest.mark.parametrize(
    ("rows", "op", "value"),
    [
        ([1.5, np.nan, -np.inf], "min", "nan"),
        ([np.inf, np.nan], "max", "nan"),
        ([0.0, -0.0], "min", "-0"),
        ([-0.0, 0.0], "max", "0"),
        ([-0.0], "sum", "-0"),
        ([], "min", "inf"),
        ([], "max", "-inf"),
        ([0.1, 0.2], "max", "0.200000003"),
        ([1e30, 1e30], "sum", "2.00000003e+30"),
    ],
)
def test_floats(folder: Path, rows: list[float], op: str, value: str) -> None:
    assert reduce(folder, np.array(rows, np.float32), "--op", op).lstrip("+") == f"{value}\n"


def test_the_report(folder: Path) -> None:
    words = random_words(1000)
    np.save(folder / "in.npy", words)
    report = run_json("reduce", folder / "in.npy", "--op", "max", "--path", "chained")
    assert report["adapter"] == adapter_info()["adapter"]
    assert report["value"] == int(words.max())
    assert (report["path"], report["reason"], report["rows"]) == ("chained", "asked for", 1000)
    assert report["bytes_read"] >= 4000
    assert report["bytes_written"] >= 4
    assert report["verified"] is None
    assert report["deterministic"] is True
    assert run_json("reduce", folder / "in.npy", "--verify")["verified"] is True


@pytest.mark.parametrize(
    ("rows", "value"),
    [
        (np.array([2**63, 5], np.uint64), 2**63 + 5),
        (np.array([-(2**62), -1], np.int64), -(2**62) - 1),
        (np.array([-5], np.int32), -5),
        (np.array([0.5, 1], np.float32), 1.5),
        (np.array([np.nan], np.float32), "nan"),
        (np.array([-np.inf], np.float32), "-inf"),
    ],
)
def test_values_in_json(folder: Path, rows: Array, value: Any) -> None:
    np.save(folder / "in.npy", rows)
    assert run_json("reduce", folder / "in.npy")["value"] == value


def test_streams_and_raw_files(folder: Path) -> None:
    rows = rows_of("int64", 1000)
    assert run("reduce", "-", input=npy_bytes(rows)).stdout.decode() == text(rows.sum())
    done = run("reduce", "-", "--dtype", "int64", "--op", "min", input=rows.tobytes())
    assert done.stdout.decode() == text(rows.min())


@pytest.mark.parametrize("limit", ["maxBufferSize=8192", "maxStorageBufferBindingSize=8192"])
def test_an_array_over_several_buffers_and_bindings(folder: Path, limit: str) -> None:
    rows = rows_of("uint64", 5000)
    assert reduce(folder, rows, "--limit", limit) == text(right(rows, "sum"))


def test_without_subgroups(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(5000))
    report = run_json("reduce", folder / "in.npy", "--subgroups", "off", "--verify")
    assert report["subgroups"] is False


def test_verify_finds_a_wrong_value(folder: Path, lying_device: Path) -> None:
    np.save(folder / "in.npy", np.array([3, 4], np.uint32))
    lies = environment(LD_PRELOAD=str(lying_device), LIE_IN_BYTES="4")
    command = ["reduce", folder / "in.npy", "--verify"]
    message = refusal(*command, env=lies, status=1, code="verification_failed")
    assert message == "The result is 6, the reference says 7."


def test_verify_finds_missing_segments(folder: Path, lying_device: Path) -> None:
    np.save(folder / "in.npy", np.arange(5, dtype=np.uint32))
    np.save(folder / "flags.npy", np.array([0, 1, 0, 1, 0], np.uint32))
    lies = environment(LD_PRELOAD=str(lying_device), LIE_IN_BYTES="4")
    command = ["reduce", folder / "in.npy", "--segments", folder / "flags.npy", "--verify"]
    message = refusal(*command, env=lies, status=1, code="verification_failed")
    assert message == "The result has 2 segments, the reference has 3."


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ("", "invalid_argument", ["IN"]),
        ("in.npy --op product", "invalid_argument", ["'product'", "sum, min, max"]),
        ("in.npy --path single-pass", "invalid_argument", ["not offered by this version"]),
        ("in.npy -o out.npy", "invalid_argument", ["--segments"]),
        ("in.npy --segments short.npy", "invalid_argument", ["'short.npy'", "3 rows", "10"]),
        ("in.npy --segments in.npy --memory 1M", "invalid_argument", ["--memory", "exclude"]),
        ("- --segments -", "invalid_argument", ["stdin"]),
        ("in.npy --dtype uint33", "invalid_argument", ["'uint33'", "float32"]),
        ("in.npy --reverse", "invalid_argument", ["--reverse"]),
        ("doubles.npy", "unsupported", ["float64", "float32 are accepted"]),
    ],
)
def test_wrong_usage_says_what_is_right(
    folder: Path, options: str, code: str, words: list[str]
) -> None:
    np.save(folder / "in.npy", random_words(10))
    np.save(folder / "doubles.npy", np.ones(3))
    np.save(folder / "short.npy", random_words(3))
    message = refusal("reduce", *options.split(), cwd=folder, status=2, code=code)
    for word in words:
        assert word in message


def by_segments(rows: Array, flags: Array, op: str) -> Array:
    starts = np.flatnonzero(np.concatenate([[1], flags[1:]])) if rows.size else []
    return np.array([right(part, op) for part in np.split(rows, starts)[1:]], rows.dtype)


@pytest.mark.parametrize("path", ["chained", "reduce-then-scan"])
@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_contract_RD_1_one_value_a_segment(folder: Path, dtype: str, op: str, path: str) -> None:
    rows, flags = rows_of(dtype, 9001), flags_of(9001)
    np.save(folder / "flags.npy", flags)
    printed = reduce(folder, rows, "--op", op, "--segments", folder / "flags.npy", "--path", path)
    assert printed == "".join(text(value) for value in by_segments(rows, flags, op))


@pytest.mark.parametrize("count", [0, 1, 5000])
def test_values_of_segments_go_to_a_file(folder: Path, count: int) -> None:
    rows, flags = rows_of("int64", count), flags_of(count, "bool")
    np.save(folder / "in.npy", rows)
    np.save(folder / "flags.npy", flags)
    command = ("reduce", folder / "in.npy", "--segments", folder / "flags.npy", "--verify")
    expected = by_segments(rows, flags, "sum")
    report = run_json(*command, "-o", folder / "out.npy")
    assert report["segments"] == expected.size and "values" not in report
    assert np.array_equal(np.load(folder / "out.npy"), expected)
    assert run(*command, "-o", folder / "out.raw").stdout == b""
    assert (folder / "out.raw").read_bytes() == expected.tobytes()
    assert run(*command, "-o", "-").stdout == npy_bytes(expected)
    assert [int(value) for value in run_json(*command)["values"]] == expected.tolist()


def test_values_and_a_report_do_not_share_stdout(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(10))
    command = ["reduce", "in.npy", "--segments", "in.npy", "-o", "-", "--json"]
    report = json.loads(run(*command, status=2, cwd=folder).stdout)
    assert report["error"]["message"] == "--json and -o - both want stdout."
