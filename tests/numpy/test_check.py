"""wgprim check scan: right devices pass, and one that lies is found and its case repeated."""

import shlex
from pathlib import Path

import pytest
from wgprim_cli import MODES, adapter_info, environment, refusal, run, run_json

# One chunk: where the chunks are random, so is what a download holds.
CASE = ["check", "scan", "--n", "1300", "--chunks", "1300", "--cases", "3", "--seed", "7"]


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


@pytest.mark.parametrize(
    "options",
    [
        ["--op", "max", "--reverse", "--segments"],
        ["--dtype", "int64", "--op", "min", "--init", "-5"],
        ["--dtype", "uint64", "--segments", "--in-place"],
        ["--dtype", "float32", "--reverse"],
        ["--dtype", "float32", "--op", "min", "--segments"],
    ],
)
def test_the_family_can_be_checked(options: list[str]) -> None:
    said = run("check", "scan", "--cases", "4", *options).stdout.decode()
    assert said.endswith(f"4 of 4 cases right on {adapter_info()['adapter']}\n")


def test_the_reproduction_has_every_option(lying_device: Path) -> None:
    lies = environment(LD_PRELOAD=str(lying_device), LIE_IN_BYTES="2600")
    options = ["--dtype", "int32", "--op", "min", "--reverse", "--init", "-7", "--segments"]
    command = ["check", "scan", "--n", "650", "--cases", "1", "--chunks", "650", *options]
    failure = run_json(*command, env=lies, status=1)["failures"][0]
    assert " ".join(options) in failure["reproduction"]
    assert failure["message"].startswith("row 649 is ")
    again = run_json(*shlex.split(failure["reproduction"])[1:], env=lies, status=1)
    assert again["failures"] == [failure]


@pytest.mark.parametrize("op", ["sum", "min", "max"])
def test_reductions_can_be_checked(op: str) -> None:
    for dtype in ("uint32", "int64", "float32"):
        said = run("check", "reduce", "--cases", "6", "--op", op, "--dtype", dtype).stdout.decode()
        assert said.endswith(f"6 of 6 cases right on {adapter_info()['adapter']}\n")


def test_reductions_by_segments_can_be_checked() -> None:
    for dtype in ("uint32", "int64", "float32"):
        said = run("check", "reduce", "--cases", "6", "--segments", "--dtype", dtype).stdout.decode()
        assert said.endswith(f"6 of 6 cases right on {adapter_info()['adapter']}\n")


def test_a_wrong_reduction_is_found_and_repeated(lying_device: Path) -> None:
    lies = environment(LD_PRELOAD=str(lying_device), LIE_IN_BYTES="8")
    command = ["check", "reduce", "--n", "700", "--cases", "8", "--dtype", "int64", "--op", "max"]
    failures = run_json(*command, "--capability", "timestamps=off", env=lies, status=1)["failures"]
    assert 2 <= len(failures) < 8  # those with segments have more than one row to read
    for failure in failures:
        words = shlex.split(failure["reproduction"])
        assert words[1:5] == ["check", "reduce", "--n", "700"]
        assert "--mode" not in words
        assert run_json(*words[1:], env=lies, status=1)["failures"] == [failure]


@pytest.mark.parametrize("operation", ["scan", "reduce"])
def test_the_error_of_float32_sums_stands_beside_its_bound(operation: str) -> None:
    command = ["check", operation, "--cases", "5", "--dtype", "float32", "--n", "5000"]
    error = run_json(*command)["sum_error"]
    assert 0 < error["greatest"] <= error["bound"]
    said = run(*command).stdout.decode()
    assert f"{error['greatest']:.3g}, where the bound is {error['bound']:.3g}\n" in said
    assert "sum_error" not in run_json(*command, "--op", "min")


@pytest.mark.parametrize("verb", ["check", "plan"])
@pytest.mark.parametrize(
    "option", [["--reverse"], ["--init", "5"], ["--in-place"], ["--chunks", "5"]]
)
def test_a_reduction_has_no_options_of_a_scan(verb: str, option: list[str]) -> None:
    message = refusal(verb, "reduce", "--n", "5", *option, status=2, code="invalid_argument")
    assert message.startswith(f"{option[0]} is for scan; a reduction takes ")


def test_no_case_is_no_check() -> None:
    message = refusal("check", "scan", "--cases", "0", status=2, code="invalid_argument")
    assert message.startswith("--cases is at least 1")


@pytest.mark.parametrize("verb", ["check", "plan"])
def test_values_and_types_are_looked_at(verb: str) -> None:
    command = [verb, "scan", "--n", "5"]
    message = refusal(*command, "--dtype", "bool", status=2, code="invalid_argument")
    assert "'bool'" in message
    message = refusal(*command, "--init", "0.5", status=2, code="invalid_argument")
    assert message == "--init: '0.5' is no uint32."
