"""wgprim scan --chunks: arrays in pieces on the device, against NumPy; and what is refused."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_scan_family_cli import How, assert_scanned, flags_of, rows_of
from wgprim_cli import random_words, refusal, run, run_json

DTYPES = ("uint32", "int32", "uint64", "int64", "float32")


def parts(random: np.random.Generator, rows: int) -> str:
    """Ten chunks, empty ones among them, as the option takes them."""
    cuts = np.concatenate([[0], np.sort(random.integers(0, rows + 1, 9)), [rows]])
    return ",".join(str(chunk) for chunk in np.diff(cuts))


@pytest.mark.parametrize("seed", range(20))
def test_contract_SC_3_random_partitions(folder: Path, seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = int(random.choice([0, 1, 300, 4097, 20_000]))
    how = How(str(random.choice(["sum", "min", "max"])), str(random.choice(["exclusive",
              "inclusive"])), reverse=bool(seed % 3 == 0), init=5 if seed % 4 == 0 else None)
    options = ["--chunks", parts(random, rows)]
    flags = flags_of(rows) if seed % 2 else None
    if flags is not None and seed % 5:
        options += ["--chunks-flags", parts(random, rows)]
    if seed % 7 == 0:
        options += ["--in-place"]
    elif seed % 3:
        options += ["--chunks-out", parts(random, rows)]
    path = "chained" if seed % 2 else "reduce-then-scan"
    dtype = DTYPES[seed % len(DTYPES)]
    assert_scanned(folder, rows_of(dtype, rows), how, *options, "--path", path, flags=flags)


def test_contract_V_3_empty_chunks_cost_no_dispatch(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(1000))
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy", "--verify"]
    plain = run_json(*command, "--chunks", "400,600")
    holes = run_json(*command, "--chunks", "0,400,0,0,600,0")
    assert holes["dispatches"] == plain["dispatches"]


def test_a_hundred_thousand_chunks(folder: Path) -> None:
    rows = random_words(200_000)
    np.save(folder / "in.npy", rows)
    chunks = np.tile(np.array([1, 2, 3], np.int64), 33_333)
    chunks = np.append(chunks, 200_000 - chunks.sum())
    (folder / "chunks").write_text("\n".join(map(str, chunks)))
    start = time.monotonic()
    report = run_json("scan", folder / "in.npy", "-o", folder / "out.npy", "--chunks",
                      f"@{folder / 'chunks'}", "--verify")
    assert time.monotonic() - start < 60
    assert report["verified"]


def test_each_chunk_is_a_buffer_of_its_own_in_the_plan() -> None:
    plan = run_json("plan", "scan", "--n", 10, "--chunks", "3,0,7", "--chunks-out", "5,5")
    sizes = {b["id"]: b["bytes"] for b in plan["buffers"] if b["role"] == "imported"}
    inputs = {"input0": 12, "input1": 0, "input2": 28}
    assert sizes == inputs | {"output0": 20, "output1": 20}


def test_many_chunks_share_buffers_in_the_plan() -> None:
    chunks = ",".join(["1"] * 5000)
    plan = run_json("plan", "scan", "--n", 5000, "--chunks", chunks)
    assert sum(b["id"].startswith("input") for b in plan["buffers"]) == 1000


WRONG: list[tuple[list[str], str]] = [
    (["--chunks", "4,5"], "The chunks of --chunks add up to 9 rows, but the input has 10."),
    (["--chunks", "10", "--chunks-out", "11"],
     "The chunks of --chunks-out add up to 11 rows, but the input has 10."),
    (["--chunks", ""], "--chunks: '' is no number of rows."),
    (["--chunks", "5,,5"], "--chunks: '' is no number of rows."),
    (["--chunks", "-1,11"], "--chunks: '-1' is no number of rows."),
    (["--chunks-flags", "10"],
     "--chunks-flags splits the flags of --segments, which is not given."),
    (["--in-place", "--chunks", "4,6", "--chunks-out", "6,4"],
     "--chunks-out differs from --chunks, but with --in-place the output has the input's chunks."),
    (["--chunks", "10", "--memory", "1M"],
     "--chunks and --memory both cut the arrays; only one of them can be given."),
]


@pytest.mark.parametrize(("options", "sentence"), WRONG)
def test_chunks_that_do_not_fit_are_refused(
    folder: Path, options: list[str], sentence: str
) -> None:
    np.save(folder / "in.npy", random_words(10))
    command: list[Any] = ["scan", folder / "in.npy", "-o", folder / "out.npy", *options]
    assert refusal(*command, status=2, code="invalid_argument") == sentence
    assert not (folder / "out.npy").exists()
    if "--memory" not in options:
        planned = refusal("plan", "scan", "--n", 10, *options, status=2, code="invalid_argument")
        assert planned == sentence


def test_a_missing_list_is_named() -> None:
    command = ["plan", "scan", "--n", 10, "--chunks", "@missing"]
    assert "'missing'" in refusal(*command, status=2, code="io")


def test_the_help_tells_of_chunks() -> None:
    said = run("scan", "--help").stdout.decode()
    for option in ("--chunks R,R,...", "--chunks-flags R,R,...", "--chunks-out R,R,..."):
        assert option in said
