"""wgprim bench: kernels take turns, many in a submit, so that the device is busy all along."""

from pathlib import Path

from wgprim_cli import environment, run

SHORT = ("--workgroups", "3", "--rounds", "1", "--dispatches", "1", "--warmup", "2")
KERNEL = "workgroup_scan_benchmark"
PORTABLE_TURN = ["clear", KERNEL]
SUBGROUP_TURN = ["clear", f"{KERNEL}_subgroup"]


def submits(watching_device: Path, folder: Path, *arguments: str) -> list[list[str]]:
    """What `bench` recorded into each submit that ran one of the kernels timed, in order."""
    calls = folder / "calls"
    watched = environment(LD_PRELOAD=str(watching_device), WATCHED_CALLS=str(calls))
    run("bench", *arguments, env=watched)
    recorded = [submit.split() for submit in calls.read_text(encoding="utf-8").split("submit")]
    timed = {KERNEL, f"{KERNEL}_subgroup", "copy_rows", "scan_blocks"}
    return [submit for submit in recorded if timed & set(submit)]


def test_scan_takes_turns_within_one_submit(watching_device: Path, folder: Path) -> None:
    one_block = ("--sizes", "200", "--samples", "8", "--subgroups", "off", "--path", "chained")
    longest = max(submits(watching_device, folder, "scan", *one_block), key=len)
    assert len(longest) >= 4
    turns = ["copy_rows", "scan_blocks", "scan_blocks", "copy_rows"]
    first = 0 if longest[0] == "copy_rows" else 2  # forwards or backwards
    assert longest == (turns * 5)[first : first + len(longest)]


def test_workgroup_scan_takes_turns_within_one_submit(watching_device: Path, folder: Path) -> None:
    arguments = ("workgroup-scan", *SHORT, "--measured", "3")
    measured = submits(watching_device, folder, *arguments)[-1]
    forwards, backwards = PORTABLE_TURN + SUBGROUP_TURN, SUBGROUP_TURN + PORTABLE_TURN
    assert measured == forwards + backwards + forwards


def test_workgroup_scan_without_timestamps_submits_each_turn(
    watching_device: Path, folder: Path
) -> None:
    arguments = ("workgroup-scan", *SHORT, "--measured", "2", "--capability", "timestamps=off")
    portable, subgroups = PORTABLE_TURN[1:], SUBGROUP_TURN[1:]  # cleared in submits of their own
    measured = submits(watching_device, folder, *arguments)[-4:]
    assert measured == [portable, subgroups, subgroups, portable]
