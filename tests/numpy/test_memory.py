"""scan and reduce within --memory: the same results in pieces, and no more memory than that."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_scan_family_cli import How, accumulate, assert_bits, assert_scanned, flags_of, rows_of
from wgprim_cli import environment, random_words, refusal, run, run_json

ROWS = 70_001


def least_memory(*command: object) -> int:
    message = refusal(*command, "--memory", 1, status=2, code="limit_exceeded")
    said = re.fullmatch(r"The device buffers do not fit into 1 bytes; (\d+) bytes are the least "
                        r"that does\.", message)
    assert said, message
    return int(said[1])


@pytest.mark.parametrize("mode", ["exclusive", "inclusive"])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("op", ["sum", "min", "max"])
@pytest.mark.parametrize("segmented", [False, True])
def test_contract_SC_13_pieces_are_one_scan(
    folder: Path, mode: str, reverse: bool, op: str, segmented: bool
) -> None:
    how = How(op, mode, reverse, init=5)
    flags = flags_of(ROWS) if segmented else None
    dtype = {"sum": "uint64", "min": "int32", "max": "float32"}[op]
    assert_scanned(folder, rows_of(dtype, ROWS), how, "--memory", "200K", flags=flags)


@pytest.mark.parametrize("op", ["sum", "min", "max"])
@pytest.mark.parametrize("dtype", ["uint32", "int32", "uint64", "int64", "float32"])
def test_every_type_in_pieces(folder: Path, dtype: str, op: str) -> None:
    rows = rows_of(dtype, 20_000)
    assert_scanned(folder, rows, How(op, reverse=True), "--memory", "100K", "--in-place")
    command = ["reduce", folder / "in.npy", "--op", op, "--verify"]
    report = run_json(*command, "--memory", "100K")
    assert report["pieces"] > 1
    assert report["value"] == run_json(*command)["value"]
    assert_bits(np.array([report["value"]], dtype), accumulate(rows, op)[-1:])


def test_reports_are_sums_over_pieces(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(ROWS))
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy", "--verify"]
    whole = run_json(*command)
    report = run_json(*command, "--memory", "256K")
    assert "pieces" not in whole
    assert report["pieces"] > 2
    assert report["verified"]
    assert report["device_bytes"] <= 256 * 1024
    assert report["dispatches"] > report["pieces"]
    assert whole["bytes_written"] <= report["bytes_written"] < 1.2 * whole["bytes_written"]
    assert 0 < report["scratch_bytes"] < report["device_bytes"]
    said = run(*command, "--memory", "256K").stdout.decode()
    assert f" over {report['pieces']} pieces" in said


def test_all_at_once_where_it_fits(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(ROWS))
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy", "--verify"]
    assert run_json(*command, "--memory", "1G")["pieces"] == 1


@pytest.mark.parametrize("rows", [0, 1, 2, 257])
def test_the_least_memory_named_is_enough_and_a_byte_less_is_not(folder: Path, rows: int) -> None:
    np.save(folder / "in.npy", random_words(rows))
    for command in (["scan", folder / "in.npy", "-o", folder / "out.npy"],
                    ["reduce", folder / "in.npy"]):
        least = least_memory(*command)
        report = run_json(*command, "--verify", "--memory", least)
        assert report["device_bytes"] <= least
        message = refusal(*command, "--memory", least - 1, status=2, code="limit_exceeded")
        assert f" {least} bytes are the least " in message


@pytest.mark.parametrize("memory", ["40K", "300K", "2M"])
@pytest.mark.parametrize("verb", ["scan", "reduce"])
def test_no_more_memory_is_taken(
    folder: Path, counting_device: Path, verb: str, memory: str
) -> None:
    np.save(folder / "in.npy", random_words(ROWS))
    np.save(folder / "flags.npy", flags_of(ROWS))
    counted = environment(LD_PRELOAD=str(counting_device), PEAK_BYTES=str(folder / "peak"))
    command: list[Any] = [verb, folder / "in.npy", "--memory", memory]
    if verb == "scan":
        command += ["-o", folder / "out.npy", "--segments", folder / "flags.npy"]
    report = run_json(*command, env=counted)
    peak = int((folder / "peak").read_text())
    assert 0 < peak <= report["device_bytes"] <= int(memory[:-1]) * 1024 ** "_KM".index(memory[-1])


@pytest.mark.parametrize(
    "memory", ["", "K", "-1", "1.5M", "12X", "1k", "99999999999999999999", "18446744073709551615K"]
)
def test_what_is_no_number_of_bytes(folder: Path, memory: str) -> None:
    np.save(folder / "in.npy", random_words(10))
    command = ["reduce", folder / "in.npy", f"--memory={memory}"]
    message = run(*command, status=2).stderr.decode()
    assert "--memory" in message
    if memory:
        assert f"'{memory}' is no number of bytes" in message
