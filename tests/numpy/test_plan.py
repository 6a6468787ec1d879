"""wgprim plan scan: what would run, told without any device, and what it says of itself."""

from typing import Any

import pytest
from wgprim_cli import environment, refusal, run, run_json

NO_DEVICE = environment(VK_DRIVER_FILES="/nonexistent", VK_ICD_FILENAMES="/nonexistent")


def plan(rows: int, *options: object) -> dict[str, Any]:
    return run_json("plan", "scan", "--n", rows, *options, env=NO_DEVICE)


DISPATCHES = [(0, 0), (1, 1), (256, 1), (257, 3), (65536, 3), (65537, 5), (16777216, 5)]
DISPATCHES += [(16777217, 7), (33554432, 7)]


@pytest.mark.parametrize(("rows", "dispatches"), DISPATCHES)
def test_case_J01_dispatches(rows: int, dispatches: int) -> None:
    result = plan(rows, "--path", "chained")
    assert result["wgprim_plan"] == 1
    assert result["order"] == ["scan"]
    assert len(result["dispatches"]) == dispatches


def test_rows_beyond_one_binding_take_more_dispatches() -> None:
    result = plan(33554433, "--path", "chained")  # one row more than 128 MiB
    assert len(result["dispatches"]) > 7
    assert result["largest_binding_bytes"] <= 128 * 2**20


def test_the_most_rows_are_planned_in_several_buffers() -> None:
    result = plan(2**32 - 1)
    imported = [buffer for buffer in result["buffers"] if buffer["role"] == "imported"]
    assert sum(buffer["bytes"] for buffer in imported) == 2 * 4 * (2**32 - 1)
    assert max(buffer["bytes"] for buffer in result["buffers"]) <= 256 * 2**20


def test_in_place_takes_one_array() -> None:
    buffers = plan(1000, "--in-place")["buffers"]
    assert [b["id"] for b in buffers if b["role"] == "imported"] == ["data"]


def test_limits_and_capabilities_shape_the_plan() -> None:
    narrow = plan(1025, "--path", "chained", "--limit", "maxComputeWorkgroupsPerDimension=2")
    assert narrow["dispatches"][0]["shape"] == [2, 2, 2]
    uses = [
        [node["subgroups"] for node in plan(1025, "--capability", f"subgroups={state}")["nodes"]]
        for state in ("on", "off")
    ]
    assert uses == [[True], [False]]


def test_equal_questions_get_equal_bytes() -> None:
    command = ["plan", "scan", "--n", 70000, "--json"]
    assert run(*command).stdout == run(*command, env=NO_DEVICE).stdout
    assert run(*command[:-1], "--format", "json").stdout == run(*command).stdout


def test_the_text_names_what_runs() -> None:
    text = run("plan", "scan", "--n", 65536, env=NO_DEVICE).stdout.decode()
    for dispatch in plan(65536)["dispatches"]:
        assert dispatch["label"] in text
        assert dispatch["kernel"] in text
    assert "reduce-then-scan" in text


def test_the_adapter_named_lends_its_limits() -> None:
    limits = run_json("info")["limits"]
    rows = limits["maxStorageBufferBindingSize"] // 4
    of_adapter = run_json("plan", "scan", "--n", rows, "--adapter", "0", "--json")
    assert of_adapter["largest_binding_bytes"] == 4 * rows


@pytest.mark.parametrize(
    ("rows", "code", "words"),
    [
        ("-5", "invalid_argument", "-5"),
        ("-0", "invalid_argument", "-0"),
        ("1e6", "invalid_argument", "1e6"),
        ("010", "invalid_argument", "010"),
        ("0x10", "invalid_argument", "0x10"),
        ("", "invalid_argument", "--n"),
        ("many", "invalid_argument", "many"),
        ("99999999999999999999999", "invalid_argument", "99999999999999999999999"),
        ("4294967296", "limit_exceeded", "4294967295"),
        ("18446744073709551615", "limit_exceeded", "4294967295"),
    ],
)
@pytest.mark.parametrize("verb", ["plan", "check"])
def test_rows_that_are_no_count_are_refused(verb: str, rows: str, code: str, words: str) -> None:
    """Neither wrapped, nor cut off, nor read as octal."""
    assert words in refusal(verb, "scan", "--n", rows, status=2, code=code)


def test_the_family_is_planned() -> None:
    options = ["--op", "max", "--reverse", "--init", "-5", "--segments", "--dtype", "int64"]
    result = plan(1000, *options)
    imported = {b["id"]: b["bytes"] for b in result["buffers"] if b["role"] == "imported"}
    assert imported == {"input": 8000, "output": 8000, "flags": 4000}
    assert result["nodes"][0]["path"] == "reduce-then-scan"


def test_contract_RD_1_reductions_are_planned() -> None:
    result = run_json("plan", "reduce", "--n", 1000, "--dtype", "uint64", "--op", "max",
                      "--path", "chained", env=NO_DEVICE)
    imported = {b["id"]: b["bytes"] for b in result["buffers"] if b["role"] == "imported"}
    assert imported == {"input": 8000, "output": 8}
    assert [(node["operation"], node["path"]) for node in result["nodes"]] == [("reduce", "chained")]
    sentence = refusal("plan", "reduce", status=2, code="invalid_argument")
    assert sentence == "--n is required: the rows that 'reduce' is planned for."
