"""wgprim scan with its operators, directions, start values and segments, against NumPy."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from wgprim_cli import Array, npy_bytes, random_words, refusal, run, run_json

DTYPES = ("uint32", "int32", "uint64", "int64", "float32")
OPERATORS = ("sum", "min", "max")
EDGES = [0, 1, 255, 256, 257, 4095, 4096, 4097]
LARGE = 70_001


def float_key(bits: Array, op: str) -> Array:
    """Integers that order floats: -0.0 < +0.0, and a NaN wins over all."""
    key = np.where(bits >> 31, ~bits, bits | np.uint32(0x80000000)).astype(np.uint32)
    turn = np.uint32(0x007FFFFF)
    return key + turn if op == "min" else key - turn


def from_key(key: Array, op: str) -> Array:
    turn = np.uint32(0x007FFFFF)
    ordered = key - turn if op == "min" else key + turn
    return np.where(ordered >> 31, ordered ^ np.uint32(0x80000000), ~ordered).astype(np.uint32)


def accumulate(rows: Array, op: str) -> Array:
    if op == "sum":
        return np.cumsum(rows, dtype=rows.dtype)
    ufunc = np.minimum if op == "min" else np.maximum
    if rows.dtype != np.float32:
        return ufunc.accumulate(rows)
    keys = ufunc.accumulate(float_key(rows.view(np.uint32), op))
    return from_key(keys, op).view(np.float32)


def identity(dtype: str, op: str) -> Any:
    if op == "sum":
        return 0
    if dtype == "float32":
        return np.inf if op == "min" else -np.inf
    return np.iinfo(dtype).max if op == "min" else np.iinfo(dtype).min


@dataclass(frozen=True)
class How:
    op: str = "sum"
    mode: str = "exclusive"
    reverse: bool = False
    init: Any = None

    def options(self) -> list[str]:
        options = [f"--{self.mode}", "--op", self.op, *["--reverse"] * self.reverse]
        return options if self.init is None else [*options, "--init", str(self.init)]


def scan_segment(rows: Array, how: How) -> Array:
    """One segment in scan direction: accumulated behind its start."""
    start = identity(rows.dtype.name, how.op) if how.init is None else how.init
    values = accumulate(np.concatenate([np.array([start], rows.dtype), rows]), how.op)
    if how.mode == "exclusive":
        return values[:-1]
    return accumulate(rows, how.op) if how.init is None else values[1:]


def expected(rows: Array, how: How, flags: Array | None = None) -> Array:
    if how.reverse:  # a flag ends its segment: the row behind it, in scan direction, starts one
        turned = None if flags is None else np.concatenate([[0], flags[::-1][:-1]])[: rows.size]
        forward = How(how.op, how.mode, init=how.init)
        return expected(rows[::-1], forward, turned)[::-1]
    starts = [] if flags is None else np.flatnonzero(flags)
    return np.concatenate([scan_segment(part, how) for part in np.split(rows, starts)])


def rows_of(dtype: str, count: int) -> Array:
    words = random_words(count * (2 if dtype.endswith("64") else 1))
    if dtype != "float32":
        return words.view(dtype)
    return (words % 2000).astype(np.float32) - 1000  # sums that float32 holds exactly


def flags_of(count: int, dtype: str = "uint32") -> Array:
    random = np.random.default_rng(count + 1)
    return np.where(random.random(count) < 0.01, random.integers(1, 2, count), 0).astype(dtype)


def scan(folder: Path, rows: Array, *options: object, flags: Array | None = None) -> Array:
    np.save(folder / "in.npy", rows)
    words = [*options, "--verify"]
    if flags is not None:
        np.save(folder / "flags.npy", flags)
        words += ["--segments", folder / "flags.npy"]
    run("scan", folder / "in.npy", "-o", folder / "out.npy", *words)
    result = np.load(folder / "out.npy")
    assert result.dtype == rows.dtype
    return result


def assert_bits(found: Array, right: Array) -> None:
    """Zeros of both signs and NaNs are told apart."""
    words = f"u{found.dtype.itemsize}"
    np.testing.assert_array_equal(found.view(words), right.astype(found.dtype).view(words))


def assert_scanned(folder: Path, rows: Array, how: How, *options: object, **operands: Any) -> None:
    found = scan(folder, rows, *how.options(), *options, **operands)
    right = expected(rows, how, **operands)
    if how.op == "sum" and rows.dtype == np.float32:
        np.testing.assert_array_equal(found, right)  # 0.0 is -0.0
    else:
        assert_bits(found, right)


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type_and_operator(folder: Path, dtype: str, op: str) -> None:
    rows = rows_of(dtype, 4097)
    assert_scanned(folder, rows, How(op))
    assert_scanned(folder, rows, How(op, "inclusive", reverse=True))


@pytest.mark.parametrize("rows", EDGES)
def test_sizes_around_edges(folder: Path, rows: int) -> None:
    words, flags = rows_of("int64", rows), flags_of(rows)
    assert_scanned(folder, words, How("max", "inclusive", init=-7))
    assert_scanned(folder, words, How("sum", reverse=True), flags=flags)


@pytest.mark.parametrize("path", ["chained", "reduce-then-scan"])
@pytest.mark.parametrize("dtype", ["uint32", "uint64"])
def test_larger_arrays_by_every_path(folder: Path, dtype: str, path: str) -> None:
    rows = rows_of(dtype, LARGE)
    how = How("sum", "inclusive", reverse=True, init=5)
    assert_scanned(folder, rows, how, "--path", path, flags=flags_of(LARGE))
    report = run_json("scan", folder / "in.npy", "-o", folder / "out.npy", "--path", path)
    assert (report["path"], report["reason"]) == (path, "asked for")


@pytest.mark.parametrize("mode", ["exclusive", "inclusive"])
def test_contract_SC_14(folder: Path, mode: str) -> None:
    rows = np.array([1, 2, 3], np.uint32)
    result = scan(folder, rows, "--reverse", f"--{mode}").tolist()
    assert result == {"exclusive": [5, 3, 0], "inclusive": [6, 5, 3]}[mode]
    result = scan(folder, rows, "--init", "10", f"--{mode}").tolist()
    assert result == {"exclusive": [10, 11, 13], "inclusive": [11, 13, 16]}[mode]


def test_contract_SC_7_segments(folder: Path) -> None:
    flags = np.array([1, 0, 1, 0], np.uint32)
    assert scan(folder, np.array([3, 1, 4, 2], np.uint32), flags=flags).tolist() == [0, 3, 0, 4]
    assert scan(folder, np.array([1, 0, 1, 1], np.uint32), flags=flags).tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int32", "uint32", "int64", "uint64"])
def test_flags_of_any_whole_type(folder: Path, dtype: str) -> None:
    flags = flags_of(1000, dtype)
    if dtype != "bool":
        top = np.array([1], dtype) << (8 * flags.itemsize - 1)  # any set bit counts
        flags = np.where(flags, top, flags).astype(dtype)
    assert_scanned(folder, rows_of("uint32", 1000), How(), flags=flags)


def test_raw_flags_are_words(folder: Path) -> None:
    rows, flags = rows_of("int32", 1000), flags_of(1000)
    (folder / "flags").write_bytes(flags.tobytes())
    command = ["scan", "-", "--dtype", "int32", "-o", "-", "--segments", folder / "flags"]
    done = run(*command, "--op", "min", input=rows.tobytes())
    assert_bits(np.frombuffer(done.stdout, np.int32), expected(rows, How("min"), flags))


@pytest.mark.parametrize("op", ["min", "max"])
def test_orders_of_float32(folder: Path, op: str) -> None:
    """Contract T-2, by bits: NaN propagates whatever its place; -0.0 < +0.0; identities are inf."""
    rows = np.array([0.0, -0.0, 1e-45, -np.inf, 3.0, np.inf, np.nan, 1.0, -0.0], np.float32)
    for how in (How(op), How(op, "inclusive"), How(op, "inclusive", reverse=True)):
        assert_scanned(folder, rows, how)
        assert_scanned(folder, rows[:6], how)
    assert np.isnan(scan(folder, rows, "--op", op, "--inclusive")[6:]).all()
    assert_scanned(folder, rows, How(op), flags=np.array([0, 1, 0, 0, 1, 0, 0, 1, 1], np.uint32))
    assert_bits(scan(folder, rows[1:2], "--op", op, "--inclusive"), rows[1:2])


def test_sums_of_float32(folder: Path) -> None:
    rows = np.random.default_rng(5).normal(size=4097).astype(np.float32)
    found = scan(folder, rows, "--inclusive")
    bound = 4097 * 2.0**-23 * np.cumsum(np.abs(rows.astype(np.float64)))
    assert (np.abs(found - np.cumsum(rows, dtype=np.float64)) <= bound).all()
    assert_bits(found, scan(folder, rows, "--inclusive"))  # the same bits each time
    rows[100] = np.nan
    found = scan(folder, rows, "--inclusive")
    assert np.isfinite(found[:100]).all()
    assert np.isnan(found[100:]).all()
    assert_bits(scan(folder, rows[:1] * 0), np.zeros(1, np.float32))


@pytest.mark.parametrize("dtype", ["uint64", "float32"])
def test_in_place_and_without_subgroups(folder: Path, dtype: str) -> None:
    rows = rows_of(dtype, 4097)
    how = How("max", "inclusive", reverse=True)
    assert_scanned(folder, rows, how, "--in-place", "--subgroups", "off", flags=flags_of(4097))


@pytest.mark.parametrize("limit", ["maxBufferSize=8192", "maxStorageBufferBindingSize=8192"])
@pytest.mark.parametrize("dtype", ["uint64", "uint32"])
def test_arrays_over_several_buffers_and_bindings(folder: Path, dtype: str, limit: str) -> None:
    rows = rows_of(dtype, 5000)
    how = How("sum", "inclusive", reverse=True)
    assert_scanned(folder, rows, how, "--limit", limit, flags=flags_of(5000))


def test_a_buffer_may_end_between_the_words_of_a_row(folder: Path) -> None:
    assert_scanned(folder, rows_of("int64", 3000), How("min"), "--limit", "maxBufferSize=8196")


@pytest.mark.parametrize(
    ("dtype", "option", "value"),
    [
        ("uint64", "18446744073709551615", 2**64 - 1),
        ("int64", "-9223372036854775808", -(2**63)),
        ("int32", "-2147483648", -(2**31)),
        ("float32", "-1.5e-3", -1.5e-3),
        ("float32", "inf", np.inf),
        ("float32", "3.4028235e38", np.finfo(np.float32).max),
    ],
)
def test_start_values(folder: Path, dtype: str, option: str, value: Any) -> None:
    found = scan(folder, rows_of(dtype, 3), "--init", option, "--op", "max")
    assert found[0] == np.array([value], dtype)[0]


WRONG = [  # (options, words of the sentence)
    ("--op product", ["--op", "'product'", "sum, min, max"]),
    ("--init", ["--init"]),
    ("--init 0.5", ["--init", "'0.5'", "uint32"]),
    ("--init -1", ["--init", "'-1'", "uint32"]),
    ("--init 4294967296", ["--init", "'4294967296'", "uint32"]),
    ("--path single-pass", ["'single-pass' is not offered by this version", "auto, chained"]),
    ("--segments short.npy", ["'short.npy'", "9 rows", "10"]),
    ("--reverse --reverse=maybe", ["--reverse"]),
]


@pytest.mark.parametrize(("options", "words"), WRONG)
def test_wrong_options_say_what_is_right(folder: Path, options: str, words: list[str]) -> None:
    np.save(folder / "in.npy", random_words(10))
    np.save(folder / "short.npy", random_words(9))
    command = ["scan", "in.npy", "-o", "out.npy", *options.split()]
    if options == "--init":
        message = run(*command, cwd=folder, status=2).stderr.decode()
    else:
        message = refusal(*command, cwd=folder, status=2, code="invalid_argument")
    for word in words:
        assert word in message
    assert not (folder / "out.npy").exists()


@pytest.mark.parametrize(
    ("dtype", "value"), [("float32", "1e39"), ("int64", "2^3"), ("int32", "seven")]
)
def test_start_values_of_another_type(folder: Path, dtype: str, value: str) -> None:
    np.save(folder / "in.npy", rows_of(dtype, 10))
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy", f"--init={value}"]
    message = refusal(*command, status=2, code="invalid_argument")
    assert dtype in message


def test_flags_that_are_none(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(10))
    np.save(folder / "flags.npy", np.ones(10, np.float32))
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy", "--segments"]
    message = refusal(*command, folder / "flags.npy", status=2, code="unsupported")
    assert "float32" in message
    message = refusal(*command, folder / "missing.npy", status=2, code="io")
    assert "missing.npy" in message
    command[1] = "-"
    message = refusal(*command, "-", input=b"", status=2, code="invalid_argument")
    assert message == "IN and --segments both want stdin."


def test_streams_keep_the_type(folder: Path) -> None:
    rows = rows_of("int64", 1000)
    done = run("scan", "-", "-o", "-", "--op", "max", input=npy_bytes(rows))
    assert done.stdout == npy_bytes(expected(rows, How("max")))
    assert done.stderr.startswith(b"1,000 rows scanned (exclusive, max) on ")
