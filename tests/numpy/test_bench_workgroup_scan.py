"""wgprim bench workgroup-scan: what a report holds, with and without timestamps and subgroups."""

import math
from pathlib import Path

import pytest
from wgprim_cli import environment, run, run_json

FEW = ("--workgroups", "3", "--dispatches", "2", "--warmup", "1", "--measured", "3")


@pytest.mark.parametrize(
    ("mode", "checksum"), [("exclusive", 2853987616), ("inclusive", 1510361664)]
)
def test_workgroup_scan_reports_both_implementations(mode: str, checksum: int) -> None:
    report = run_json("bench", "workgroup-scan", *FEW, "--mode", mode)
    assert report["checksum"] == checksum  # of the default 32 rounds
    assert report["clock"] == "device"
    assert (report["warmup"], report["measured"]) == (1, 3)
    portable, subgroups = report["implementations"]
    assert (portable["barriers_per_round"], subgroups["barriers_per_round"]) == (17, 2)
    for times in (portable, subgroups):
        for samples in (times["dispatch_us"], times["encode_us"]):
            assert 0 < samples["min"] <= samples["median"] <= samples["p95"] <= samples["max"]
        rate = 3 * 256 * 32 / (times["dispatch_us"]["median"] * 1e-6)
        assert math.isclose(times["elements_per_second"], rate, rel_tol=1e-6)
        assert times["dropped"] == 0


def test_workgroup_scan_without_subgroups_and_timestamps() -> None:
    lacking = ("--capability", "subgroups=off", "--capability", "timestamps=off")
    report = run_json("bench", "workgroup-scan", *FEW, *lacking)
    assert report["clock"] == "host"
    portable, subgroups = report["implementations"]
    assert portable["dispatch_us"]["min"] > 0 and portable["encode_us"]["min"] > 0
    assert portable["elements_per_second"] > 0 and portable["dropped"] == 0
    assert not subgroups["supported"]
    assert subgroups["dispatch_us"] is None and subgroups["encode_us"] is None
    assert "no timestamps" in report["remarks"]
    table = run("bench", "workgroup-scan", *FEW, *lacking).stdout.decode()
    assert "no timestamps" in table and "from submit to completion" in table
    portable_line = next(line for line in table.splitlines() if line.startswith("portable"))
    assert "-" not in portable_line.split()
    for text in (report["remarks"], table):
        assert "no subgroup operations: only the portable kernel is timed" in text
        assert "Of fewer than 20 samples p95 is the longest." in text


def test_workgroup_scan_with_subgroups_and_many_samples_has_no_such_remarks() -> None:
    remarks = run_json("bench", "workgroup-scan", *FEW[:-1], "20")["remarks"]
    assert "subgroup operations" not in remarks and "samples" not in remarks


def test_no_figure_of_the_table_is_nought() -> None:
    few = ("--workgroups", "1", "--rounds", "1", "--dispatches", "1", "--measured", "3")
    table = run("bench", "workgroup-scan", *few).stdout.decode()
    portable_line = next(line for line in table.splitlines() if line.startswith("portable"))
    assert all(float(figure) > 0 for figure in portable_line.split()[1:]), table


def test_workgroup_scan_says_when_the_clock_is_too_coarse(lying_device: Path) -> None:
    few = ("--workgroups", "3", "--rounds", "2", "--dispatches", "2", "--warmup", "2")
    arguments = ("bench", "workgroup-scan", *few, "--measured", "3")
    fine = run_json(*arguments)
    assert "steps of the clock" not in fine["remarks"]
    fastest_us = min(times["dispatch_us"]["median"] for times in fine["implementations"])
    step = round(fastest_us * 1e3)  # an iteration of two dispatches lasts two steps, or some more
    coarse = {"COARSE_IN_BYTES": "96", "COARSE_STEP": str(step)}  # six pairs: one submit
    lying = environment(LD_PRELOAD=str(lying_device), **coarse)
    report = run_json(*arguments, env=lying)
    assert report["clock_step_ns"] % step == 0
    assert "less than 20 steps of the clock" in report["remarks"]
    assert "steps of the clock" in run(*arguments, env=lying).stdout.decode()
