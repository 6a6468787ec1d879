"""wgprim bench on a device that is wrong, or whose clock is: errors, and samples left out by name."""

from pathlib import Path

import pytest
from wgprim_cli import environment, run_json

FEW = ("--workgroups", "3", "--dispatches", "2", "--warmup", "1", "--measured", "3")
ONE_SCAN = ("--sizes", "1000", "--samples", "3", "--subgroups", "off")


@pytest.mark.parametrize(
    ("arguments", "lie_in_bytes", "lie_from"),
    [
        (("workgroup-scan", *FEW), 12, 1),
        (("workgroup-scan", *FEW), 12, 3),  # both are right after the warm-up
        (("scan", *ONE_SCAN), 4000, 1),
        (("scan", *ONE_SCAN), 4000, 3),  # copy and scan are right before the timing
    ],
)
def test_a_wrong_result_before_or_after_is_an_error_not_a_report(
    lying_device: Path, arguments: tuple[str, ...], lie_in_bytes: int, lie_from: int
) -> None:
    lie = {"LIE_IN_BYTES": str(lie_in_bytes), "LIE_FROM": str(lie_from)}
    lying = environment(LD_PRELOAD=str(lying_device), **lie)
    told = run_json("bench", *arguments, status=1, env=lying)
    assert list(told) == ["error"]
    assert told["error"]["code"] == "verification_failed"


def swapped(lying_device: Path, every: int) -> dict[str, str]:
    """The environment in which every Nth pair of timestamps is negative."""
    return environment(LD_PRELOAD=str(lying_device), SWAP_TIMES_EVERY=str(every))


def test_scenario_H7_negative_times_are_dropped_and_counted(lying_device: Path) -> None:
    few = ("--workgroups", "3", "--dispatches", "1", "--warmup", "1", "--measured", "4")
    report = run_json("bench", "workgroup-scan", *few, env=swapped(lying_device, 3))
    # Passes 1 and 2 are the warm-up's; of P S S P P S S P the first, fourth and seventh are spoilt.
    assert [times["dropped"] for times in report["implementations"]] == [2, 1]
    assert all(times["dispatch_us"]["min"] > 0 for times in report["implementations"])

    report = run_json("bench", "scan", *ONE_SCAN, env=swapped(lying_device, 5))
    found = report["sizes"][0]["results"]
    assert sum(result["dropped"] for result in found) > 0
    assert all(result["min_us"] > 0 for result in found)


@pytest.mark.parametrize("arguments", [("workgroup-scan", *FEW), ("scan", *ONE_SCAN)])
def test_a_clock_that_times_nothing_is_an_error(
    lying_device: Path, arguments: tuple[str, ...]
) -> None:
    told = run_json("bench", *arguments, status=2, env=swapped(lying_device, 1))
    assert told["error"]["code"] == "unsupported"
    assert "The clock gave no usable time for '" in told["error"]["message"]
