"""The options of a scan: the way it is done changes, the result does not."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from wgprim_cli import (
    MODES,
    adapter_info,
    cumsum,
    environment,
    random_words,
    refusal,
    run,
    run_json,
    scan,
    scan_json,
)

HAS_SUBGROUPS = adapter_info()["features"]["subgroups"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rows", [1000, 66000])
def test_in_place_is_exact(folder: Path, rows: int, mode: str) -> None:
    words = random_words(rows)
    result = scan(folder, words, mode, "--in-place")
    np.testing.assert_array_equal(result, cumsum(words, mode))


@pytest.mark.parametrize("choice", ["off", "auto"] + ["on"] * HAS_SUBGROUPS)
def test_subgroups_do_as_told(folder: Path, choice: str) -> None:
    for path, dispatches in (("chained", 5), ("auto", 3)):
        report = scan_json(folder, random_words(66000), "--subgroups", choice, "--path", path)
        assert report["subgroups"] is (choice != "off" and HAS_SUBGROUPS)
        assert report["dispatches"] == dispatches


def test_subgroups_that_are_not_there_are_refused(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(10))
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy", "--subgroups", "on"]
    message = refusal(*command, "--capability", "subgroups=off", status=2, code="unsupported")
    assert "subgroups" in message
    assert not (folder / "out.npy").exists()


@pytest.mark.parametrize("path", ["auto", "chained", "reduce-then-scan"])
def test_the_path_and_its_reason_are_told(folder: Path, path: str) -> None:
    report = scan_json(folder, random_words(257), "--path", path)
    assert report["path"] == ("reduce-then-scan" if path == "auto" else path)
    assert (report["reason"] == "asked for") is (path != "auto")


def test_exclusive_is_the_default(folder: Path) -> None:
    np.save(folder / "in.npy", np.array([3, 1, 4, 2], np.uint32))
    run("scan", folder / "in.npy", "-o", folder / "out.npy")
    assert np.load(folder / "out.npy").tolist() == [0, 3, 4, 8]


def test_verify_is_told(folder: Path) -> None:
    assert scan_json(folder, random_words(1000), "--verify")["verified"] is True
    assert scan_json(folder, random_words(1000))["verified"] is None


@pytest.mark.parametrize("mode", MODES)
def test_verify_finds_a_wrong_row(folder: Path, lying_device: Path, mode: str) -> None:
    words = random_words(1461)
    np.save(folder / "in.npy", words)
    lies = environment(LD_PRELOAD=str(lying_device), LIE_IN_BYTES=str(4 * 1461))
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy", f"--{mode}"]
    message = refusal(*command, "--verify", env=lies, status=1, code="verification_failed")
    right = int(cumsum(words, mode)[-1])
    assert message == f"Row 1460 of the result is {right ^ 1}, the reference says {right}."
    assert [path.name for path in folder.iterdir()] == ["in.npy"]
    run(*command, env=lies)  # unasked, nobody notices
    assert int(np.load(folder / "out.npy")[-1]) == right ^ 1


LIMITS = [  # (limit, rows, dispatches): low enough to shape the plan of so many rows
    ("maxBufferSize=8192", 5000, range(4, 20)),
    ("maxStorageBufferBindingSize=8192", 5000, range(4, 20)),
    ("maxComputeWorkgroupsPerDimension=2", 1025, [3]),  # 2 x 2 x 2
    ("maxComputeInvocationsPerWorkgroup=128", 1025, [3]),
    ("maxComputeWorkgroupSizeX=128", 1025, [3]),
]


@pytest.mark.parametrize(("limit", "rows", "dispatches"), LIMITS)
def test_lowered_limits_change_the_plan_alone(
    folder: Path, limit: str, rows: int, dispatches: Sequence[int]
) -> None:
    report = scan_json(folder, random_words(rows), "--limit", limit, "--path", "chained")
    assert report["dispatches"] in dispatches
    scan_json(folder, random_words(rows), "--limit", limit)


def test_limits_add_up() -> None:
    lowered = {"maxBufferSize": 65536, "maxStorageBufferBindingSize": 32768}
    options = [word for name, value in lowered.items() for word in ("--limit", f"{name}={value}")]
    limits = run_json("info", *options)["limits"]
    assert limits == adapter_info()["limits"] | lowered


@pytest.mark.parametrize(
    ("rows", "limit"),
    [
        (2049, "maxComputeWorkgroupsPerDimension=2"),  # 9 workgroups, 8 to be had
        (10, "maxBufferSize=4"),
        (10, "maxStorageBuffersPerShaderStage=1"),
        (10, "maxComputeWorkgroupStorageSize=16"),
    ],
)
def test_too_low_a_limit_is_named(folder: Path, rows: int, limit: str) -> None:
    np.save(folder / "in.npy", random_words(rows))
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy", "--limit", limit]
    # Without subgroups, as nothing runs then before the plan is made, not even their self-test.
    command += ["--capability", "subgroups=off", "--path", "chained"]
    message = refusal(*command, status=2, code="limit_exceeded")
    assert limit.split("=")[0] in message
    assert [path.name for path in folder.iterdir()] == ["in.npy"]


def test_timestamps_can_be_switched_off(folder: Path) -> None:
    words = random_words(66000)
    assert scan_json(folder, words, "--capability", "timestamps=off")["gpu_ms"] is None
    if adapter_info()["features"]["timestamps"]:
        assert scan_json(folder, words)["gpu_ms"] > 0
    features = run_json("info", "--capability", "timestamps=off")["features"]
    assert features == adapter_info()["features"] | {"timestamps": False}


@pytest.mark.when(HAS_SUBGROUPS)
@pytest.mark.parametrize("lanes", [1, 4, 32, 128])
def test_an_assumed_subgroup_size_only_tunes(folder: Path, lanes: int) -> None:
    options = ["--capability", f"subgroup_size={lanes}", "--path"]
    assert scan_json(folder, random_words(1025), *options, "chained")["dispatches"] == 3
    assert scan_json(folder, random_words(1025), *options, "auto")["dispatches"] == 1
