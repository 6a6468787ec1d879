"""wgprim bench scan: what a report holds, and that it says when a figure means less."""

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import pytest
from wgprim_cli import CLI, adapter_info, environment, refusal, run, run_json

QUICK = ("--sizes", "1000,2^12", "--samples", "3")


def results(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Of the first size, by name."""
    return {result["name"]: result for result in report["sizes"][0]["results"]}


def test_a_report_names_machine_and_clock() -> None:
    report = run_json("bench", "scan", *QUICK)
    info = adapter_info()
    assert report["adapter"] == info["adapter"]
    assert report["versions"] == info["versions"]
    assert report["driver"] == info["adapters"][info["index"]]["driver"]
    assert report["clock"] == "device"
    assert report["mode"] == "exclusive"
    assert [size["rows"] for size in report["sizes"]] == [1000, 4096]
    for size in report["sizes"]:
        assert size["batch"] == 1 and not size["is_clock_too_coarse"]
        assert size["clock_step_ns"] > 0


def test_figures_agree_with_each_other() -> None:
    found = results(run_json("bench", "scan", *QUICK, "--inclusive", "--baselines", "all"))
    assert list(found)[:3] == ["copy", "read only", "two reads, one write"]
    assert [found[name]["bytes"] for name in list(found)[:3]] == [8000, 4000, 12000]
    for result in found.values():
        assert 0 < result["min_us"] <= result["median_us"] <= result["p95_us"] <= result["max_us"]
        rate = result["bytes"] / (result["median_us"] * 1e3)
        assert math.isclose(result["gigabytes_per_second"], rate, rel_tol=1e-6)
        share = found["copy"]["median_us"] / result["median_us"]
        assert math.isclose(result["share_of_copy"], share, rel_tol=1e-6)
        assert result["samples"] + result["dropped"] == 3


@pytest.mark.parametrize(
    ("choice", "names"),
    [
        ("off", ["chained, portable"]),
        ("on", ["chained, subgroups"]),
        ("both", ["chained, portable", "chained, subgroups"]),
    ],
)
def test_subgroups_are_timed_as_asked(choice: str, names: list[str]) -> None:
    found = results(run_json("bench", "scan", *QUICK, "--subgroups", choice))
    assert list(found) == ["copy", *names]


def test_without_timestamps_the_host_times_and_says_so() -> None:
    report = run_json("bench", "scan", *QUICK, "--capability", "timestamps=off")
    assert report["clock"] == "host"
    assert "no timestamps" in report["remarks"]
    text = run("bench", "scan", *QUICK, "--capability", "timestamps=off").stdout.decode()
    assert "no timestamps" in text


def test_an_array_over_several_bindings_and_buffers() -> None:
    limits = ("--limit", "maxStorageBufferBindingSize=65536", "--limit", "maxBufferSize=204800")
    report = run_json("bench", "scan", "--sizes", "100000", "--samples", "3", *limits)
    assert results(report)["copy"]["dispatches"] == 7  # 51,200 rows take 4 bindings, the rest 3


def test_a_table_has_a_line_for_each_variant() -> None:
    lines = run("bench", "scan", "--from", "8", "--to", "9", "--samples", "3").stdout.decode()
    assert lines.startswith("exclusive scan on ")
    assert lines.count("  copy ") == 2
    for words in ("median us", "+-", "p95 us", "GB/s", "of copy", "dropped", "512"):
        assert words in lines
    assert "clock steps by" in lines
    info = adapter_info()
    for words in (info["adapter"], info["adapters"][info["index"]]["driver"]):
        assert words in lines
    for name, version in info["versions"].items():
        assert f"{name.replace('_', '-')} {version}" in lines


def test_without_subgroups_only_portable_kernels_are_timed_and_it_says_so() -> None:
    report = run_json("bench", "scan", *QUICK, "--capability", "subgroups=off")
    assert list(results(report)) == ["copy", "chained, portable"]
    assert "no subgroup operations" in report["remarks"]


@pytest.mark.parametrize("samples", ["0", "100001", "18446744073709551615"])
def test_too_few_or_too_many_samples_are_refused(samples: str) -> None:
    sentence = refusal("bench", "scan", "--samples", samples, status=2, code="invalid_argument")
    assert sentence == f"--samples takes a number from 1 to 100000, not {samples}."


def test_scenario_H6_a_coarse_clock_is_met_by_batches(lying_device: Path) -> None:
    one_sample = ("bench", "scan", "--sizes", "1000", "--samples", "1", "--subgroups", "off")
    step = round(results(run_json(*one_sample))["copy"]["median_us"] * 1e3)
    coarse = {"COARSE_IN_BYTES": "32", "COARSE_STEP": str(step)}  # two pairs: one turn
    lying = environment(LD_PRELOAD=str(lying_device), **coarse)
    size = run_json(*one_sample, env=lying)["sizes"][0]
    assert size["clock_step_ns"] % step == 0
    assert size["batch"] > 1
    assert all(result["median_us"] > 0 for result in size["results"])
    assert "runs: the clock steps by" in run(*one_sample, env=lying).stdout.decode()


@pytest.mark.parametrize(
    ("program", "names"),
    [
        ("planner_benchmark", ["plan_scan/256", "plan_scan/16777217"]),
        ("encode_benchmark", ["encode_scan/256", "encode_scan/1048576"]),
    ],
)
def test_the_host_side_is_timed_too(program: str, names: list[str]) -> None:
    quick = ("--benchmark_min_time=0.001", "--benchmark_format=json")
    command = [Path(CLI).with_name(program), *quick]
    done = subprocess.run(command, env=environment(), capture_output=True, check=True, timeout=60)
    found = {result["name"]: result for result in json.loads(done.stdout)["benchmarks"]}
    assert set(names) <= set(found)
    for result in found.values():
        assert not result.get("error_occurred"), result.get("error_message")
        assert result["real_time"] > 0
