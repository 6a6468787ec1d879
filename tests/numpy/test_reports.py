"""What runs say of themselves: the report of a scan, `info`, `shader`; and the time they take."""

import statistics
import time
from pathlib import Path

import numpy as np
import pytest
from wgprim_cli import (
    adapter_info,
    is_lavapipe,
    random_words,
    run,
    run_json,
    scan_json,
)

SCAN_KEYS = ["adapter", "backend", "path", "reason", "subgroups", "rows", "dispatches"]
SCAN_KEYS += ["bytes_read", "bytes_written", "scratch_bytes", "gpu_ms", "wall_ms", "verified"]
SCAN_KEYS += ["deterministic"]


CHAINED = [(0, 0), (1, 1), (256, 1), (257, 3), (65536, 3), (65537, 5)]
REPORTS = [*[("chained", *size) for size in CHAINED], ("auto", 0, 0), ("auto", 257, 1)]


@pytest.mark.parametrize(("path", "rows", "dispatches"), [*REPORTS, ("auto", 65536, 3)])
def test_a_scan_reports_its_plan(folder: Path, path: str, rows: int, dispatches: int) -> None:
    started = time.monotonic()
    report = scan_json(folder, random_words(rows), "--path", path)
    assert list(report) == SCAN_KEYS
    plan = run_json("plan", "scan", "--n", rows, "--path", path, "--adapter", "0")
    assert report["dispatches"] == dispatches == len(plan["dispatches"])
    assert report["rows"] == rows
    assert report["bytes_read"] == plan["workload"]["bytes_read"]
    assert report["bytes_written"] == plan["workload"]["bytes_written"]
    assert report["scratch_bytes"] == plan["scratch_bytes"]
    assert report["reason"] == plan["nodes"][0]["reason"]
    assert report["adapter"] == adapter_info()["adapter"]
    assert report["backend"] == adapter_info()["backend"]
    assert report["deterministic"] is True
    assert 0 < report["wall_ms"] < 1000 * (time.monotonic() - started)
    if adapter_info()["features"]["timestamps"] and rows:
        assert 0 < report["gpu_ms"] < report["wall_ms"]
    else:
        assert report["gpu_ms"] is None


def test_a_sentence_for_people(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(1461))
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy"]
    done = run(*command, "--inclusive", "--verify")
    assert done.stderr == b""
    said = done.stdout.decode()
    assert said.startswith(f"1,461 rows scanned (inclusive) on {adapter_info()['adapter']}: ")
    assert "path reduce-then-scan, 1 dispatch, " in said
    assert said.endswith("; every row verified.\n")
    assert "verified" not in run(*command).stdout.decode()


def test_info_tells_what_the_device_can() -> None:
    info = adapter_info()
    assert list(info) == [
        "adapters", "adapter", "index", "backend", "reason", "features", "subgroup_size",
        "self_test", "limits", "versions", "default_paths",
    ]  # fmt: skip
    assert info["limits"]["maxComputeWorkgroupsPerDimension"] == 65535
    assert len(info["limits"]) == 11
    default = "reduce-then-scan"
    assert info["default_paths"] == {"scan": default, "reduce": default}
    assert set(info["versions"]) == {"wgprim", "wgpu_native"}
    if info["features"]["subgroups"]:
        assert info["subgroup_size"] in (1, 2, 4, 8, 16, 32, 64, 128)
        assert set(info["self_test"].values()) == {"passed"}
        assert "subgroupExclusiveAdd" in info["self_test"]


def test_info_for_people_says_the_same() -> None:
    info = adapter_info()
    text = run("info").stdout.decode()
    for adapter in info["adapters"]:
        assert adapter["name"] in text
    for name, value in info["limits"].items():
        assert name in text
        assert f"{value:,}" in text
    assert f"taken: {info['adapter']} ({info['reason']})" in text


@pytest.mark.parametrize("subgroups", ["on", "off"])
def test_every_kernel_of_a_plan_can_be_printed(subgroups: str) -> None:
    plan = run_json(
        "plan", "scan", "--n", 70000, "--capability", f"subgroups={subgroups}"
    )
    assert len(plan["kernels"]) >= 2
    for kernel in plan["kernels"]:
        slots = [f"--slot={name}={fragment}" for name, fragment in kernel["slots"].items()]
        constants = [f"--constant={name}={value}" for name, value in kernel["constants"].items()]
        command = ["shader", kernel["name"], *slots, *constants]
        texts = {d: run(*command, "--dialect", d).stdout.decode() for d in ("naga", "tint")}
        assert run(*command).stdout.decode() == texts["naga"]
        assert all(f"fn {kernel['name']}(" in text for text in texts.values())
        assert "#import" not in texts["naga"]
        # The dialects differ in a prelude on the first line, which keeps the line numbers.
        assert ("enable subgroups;" in texts["tint"]) is kernel["uses_subgroups"]
        assert "enable" not in texts["naga"].split("\n")[0]
        assert texts["naga"].split("\n")[1:] == texts["tint"].split("\n")[1:]
        told = run_json(*command, "--dialect", "tint")
        assert told == {"kernel": kernel["name"], "dialect": "tint", "wgsl": texts["tint"]}


@pytest.mark.when(is_lavapipe())
def test_one_shot_within_a_second_and_a_half(folder: Path) -> None:
    """Process, device, pipelines and all, once the driver has compiled the kernels before."""
    np.save(folder / "in.npy", random_words(1000))
    seconds = []
    for _ in range(4):
        started = time.monotonic()
        run("scan", folder / "in.npy", "-o", folder / "out.npy")
        seconds.append(time.monotonic() - started)
    assert statistics.median(seconds[1:]) < 1.5, f"runs took {seconds} s"
