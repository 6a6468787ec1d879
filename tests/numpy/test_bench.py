"""wgprim bench scan: what a report holds, and that it says when a figure means less."""

import json
import math
import os
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
        ("off", ["reduce-then-scan, portable"]),
        ("on", ["reduce-then-scan, subgroups"]),
        ("both", ["reduce-then-scan, portable", "reduce-then-scan, subgroups"]),
    ],
)
def test_subgroups_are_timed_as_asked(choice: str, names: list[str]) -> None:
    found = results(run_json("bench", "scan", *QUICK, "--subgroups", choice))
    assert list(found) == ["copy", *names]


FAMILY = [
    ["--op", "max", "--dtype", "int64", "--reverse"],
    ["--dtype", "float32", "--segments", "0.01", "--path", "chained"],
    ["--inclusive", "--init", "7", "--segments", "1"],
]


@pytest.mark.parametrize("options", FAMILY)
def test_the_family_is_timed(options: list[str]) -> None:
    report = run_json("bench", "scan", *QUICK, "--subgroups", "off", *options)
    asked = dict(zip(options[::2], options[1::2], strict=False))
    assert report["operation"] == "scan"
    assert report["op"] == asked.get("--op", "sum")
    assert report["dtype"] == asked.get("--dtype", "uint32")
    assert report["reverse"] == ("--reverse" in options)
    names = [f"{asked.get('--path', 'reduce-then-scan')}, portable"]
    if "--segments" in options:
        names.insert(0, "two reads, one write")
        assert report["segments"] == float(options[options.index("--segments") + 1])
    else:
        assert report["segments"] is None
    assert list(results(report)) == ["copy", *names]


def test_a_reduction_is_timed_beside_a_kernel_that_reads_only() -> None:
    report = run_json("bench", "reduce", *QUICK, "--subgroups", "off", "--op", "min")
    assert (report["operation"], report["op"]) == ("reduce", "min")
    assert "mode" not in report
    found = results(report)
    assert list(found) == ["copy", "read only", "reduce-then-scan, portable"]
    share = found["read only"]["median_us"] / found["reduce-then-scan, portable"]["median_us"]
    assert math.isclose(found["reduce-then-scan, portable"]["share_of_read_only"], share,
                        rel_tol=1e-6)
    table = run("bench", "reduce", *QUICK, "--dtype", "uint64").stdout.decode()
    assert table.startswith("reduction of uint64 on ")
    assert "of read is the reading kernel's time over the variant's" in table


@pytest.mark.parametrize("density", ["-1", "1.5", "nan"])
def test_a_density_is_a_share(density: str) -> None:
    command = ["bench", "scan", *QUICK, f"--segments={density}"]
    sentence = refusal(*command, status=2, code="invalid_argument")
    assert sentence.startswith("--segments takes the share of rows that start a segment, from 0")


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


def figures_of(table: str, name: str) -> list[str]:
    """The cells behind a name of a table's first line of that name."""
    line = next(line for line in table.splitlines() if f"  {name} " in line)
    return line.split(name, 1)[1].split()


def test_no_rate_of_a_table_is_nought() -> None:
    table = run("bench", "scan", "--sizes", "1", "--samples", "3").stdout.decode()
    for name in ("copy", "reduce-then-scan, portable"):
        median, _, p95, rate, share = figures_of(table, name)[:5]
        assert all(float(figure) > 0 for figure in (median, p95, rate, share)), table


def test_a_table_says_what_a_share_of_copy_is() -> None:
    table = run("bench", "scan", "--sizes", "1000", "--samples", "3").stdout.decode()
    assert "of copy is the copy's time over the variant's" in table


@pytest.mark.parametrize(("samples", "is_remarked"), [("19", True), ("20", False)])
def test_p95_of_few_samples_is_remarked(samples: str, is_remarked: bool) -> None:
    arguments = ("bench", "scan", "--sizes", "1000", "--samples", samples)
    sentence = "Of fewer than 20 samples p95 is the longest."
    assert (sentence in run_json(*arguments)["remarks"]) == is_remarked
    assert (sentence in run(*arguments).stdout.decode()) == is_remarked


@pytest.mark.parametrize("operation", ["scan", "workgroup-scan"])
def test_a_table_says_so_where_no_driver_is_named(operation: str) -> None:
    info = adapter_info()
    driver = info["adapters"][info["index"]]["driver"]
    quick = QUICK if operation == "scan" else ("--workgroups", "3", "--measured", "2")
    title = run("bench", operation, *quick).stdout.decode().splitlines()[0]
    assert f"driver {driver or 'unknown'})" in title


def on_a_terminal(*arguments: str) -> str:
    """What the tool writes to stderr where that is a terminal."""
    terminal, stderr = os.openpty()
    command = [CLI, *arguments]
    with subprocess.Popen(
        command, env=environment(), stdout=subprocess.DEVNULL, stderr=stderr
    ) as child:
        os.close(stderr)
        shown = b""
        while chunk := read_terminal(terminal):
            shown += chunk
        assert child.wait(timeout=60) == 0
    os.close(terminal)
    return shown.decode()


def read_terminal(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # EIO: nobody holds the other end any more
        return b""


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_long_run_shows_on_a_terminal_how_far_it_is(options: tuple[str, ...]) -> None:
    shown = on_a_terminal("bench", "scan", "--sizes", "2^16", "--samples", "150", *options)
    assert "65,536 rows [" in shown and "% " in shown
    assert shown.endswith("\r\x1b[K")


def test_without_subgroups_only_portable_kernels_are_timed_and_it_says_so() -> None:
    report = run_json("bench", "scan", *QUICK, "--capability", "subgroups=off")
    assert list(results(report)) == ["copy", "reduce-then-scan, portable"]
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
