"""wgprim check scan: right devices pass, and one that lies is found and its case repeated."""

import shlex
from pathlib import Path

import pytest
from wgprim_cli import MODES, adapter_info, environment, run, run_json

CASE = ["check", "scan", "--n", "1300", "--cases", "3", "--seed", "7"]


def test_random_cases_are_right() -> None:
    outcome = run_json("check", "scan", "--cases", "25", "--seed", "3")
    assert outcome == {
        "adapter": adapter_info()["adapter"],
        "operation": "scan",
        "cases": 25,
        "seed": 3,
        "failures": [],
    }


@pytest.mark.parametrize(
    "options",
    [["--subgroups", "off"], ["--in-place"], ["--path", "chained", "--mode", "inclusive"]],
)
def test_every_way_can_be_checked(options: list[str]) -> None:
    said = run("check", "scan", "--cases", "8", *options).stdout.decode()
    assert said == f"8 of 8 cases right on {adapter_info()['adapter']}\n"


@pytest.mark.parametrize("options", [[], ["--in-place", "--subgroups", "off"]])
def test_a_lie_is_found_and_repeated(lying_device: Path, options: list[str]) -> None:
    lies = environment(LD_PRELOAD=str(lying_device), LIE_IN_BYTES="5200")
    done = run(*CASE, *options, env=lies, status=1)
    *failures, total = done.stdout.decode().splitlines()
    assert total == f"0 of 3 cases right on {adapter_info()['adapter']}"
    assert done.stderr == b"wgprim: 3 of 3 cases differ from the reference.\n"
    assert len(failures) == 3
    for line in failures:
        reproduction, message = line.split(": ")
        tool, *arguments = shlex.split(reproduction)
        assert tool == "wgprim"
        # The same case: the same wrong row and the same values.
        again = run(*arguments, env=lies, status=1).stdout.decode().splitlines()
        assert again[0] == line
        assert message.startswith("row 1299 is ")
        assert run(*arguments).stdout.startswith(b"1 of 1 cases right")


def test_the_reproduction_asks_for_the_same_device(lying_device: Path) -> None:
    lies = environment(LD_PRELOAD=str(lying_device), LIE_IN_BYTES="5200")
    options = ["--adapter", adapter_info()["adapter"]]
    options += ["--limit", "maxComputeWorkgroupsPerDimension=2", "--capability", "timestamps=off"]
    failure = run_json(*CASE, *options, env=lies, status=1)["failures"][0]
    words = shlex.split(failure["reproduction"])
    assert words[-6:] == options
    again = run_json(*words[1:], env=lies, status=1)
    assert again["failures"] == [failure]


def test_a_failure_is_one_json_object_too(lying_device: Path) -> None:
    lies = environment(LD_PRELOAD=str(lying_device), LIE_IN_BYTES="5200")
    outcome = run_json(*CASE, env=lies, status=1)
    assert len(outcome["failures"]) == outcome["cases"] == 3
    assert outcome["error"] == {
        "code": "verification_failed",
        "message": "3 of 3 cases differ from the reference.",
    }
    modes = {f["reproduction"].split("--mode ")[1].split()[0] for f in outcome["failures"]}
    assert modes <= set(MODES)


def test_the_seed_makes_the_cases(lying_device: Path) -> None:
    lies = environment(LD_PRELOAD=str(lying_device), LIE_IN_BYTES="5200")
    outcomes = [run_json(*CASE[:-1], seed, env=lies, status=1) for seed in ("7", "7", "8")]
    first, same, other = (outcome["failures"] for outcome in outcomes)
    assert first == same
    assert first != other
    assert first[1:] == other[:-1]  # the next seed begins with the next case
