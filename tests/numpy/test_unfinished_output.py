"""An output is complete or not there, whatever ends the run, and an input is never destroyed."""

import json
import os
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from graphs import select_graph, small_values, write
from wgprim_cli import (
    CLI,
    adapter_info,
    cumsum,
    environment,
    npy_bytes,
    random_words,
    refusal,
    run,
)

ROWS = 10_000


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def limit_file_size() -> None:
    """What a full disk is like: the first bytes are taken, the rest is not."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def test_a_full_disk(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(ROWS))
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy"]
    message = refusal(*command, preexec_fn=limit_file_size, status=2, code="io")
    assert str(folder / "out.npy") in message
    assert names(folder) == ["in.npy"]


@pytest.mark.when(adapter_info()["adapters"][0]["software"])
def test_a_limit_too_low_for_the_driver(folder: Path) -> None:
    """The CPU drivers keep device memory in files: they crash where the output would have fit."""
    np.save(folder / "in.npy", random_words(10))
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy"]
    done = run(*command, preexec_fn=limit_file_size, status=2)
    assert done.stderr.startswith(b"wgprim: A mapped file ended early: ")
    assert b"ulimit -f" in done.stderr
    assert names(folder) == ["in.npy"]


def test_a_full_device(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(ROWS))
    command = ["scan", folder / "in.npy", "-o", "/dev/full"]
    message = refusal(*command, status=2, code="io")
    assert "/dev/full" in message
    assert "No space left on device" in message


def test_a_failed_run_leaves_the_earlier_output(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(ROWS))
    (folder / "out.npy").write_bytes(b"of yesterday")
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy"]
    refusal(*command, preexec_fn=limit_file_size, status=2, code="io")
    assert (folder / "out.npy").read_bytes() == b"of yesterday"
    run(*command)
    expected = cumsum(random_words(ROWS), "exclusive")
    assert (folder / "out.npy").read_bytes() == npy_bytes(expected)
    assert names(folder) == ["in.npy", "out.npy"]


@pytest.mark.parametrize("output", ["data.npy", "./data.npy", "link.npy", "hard.npy"])
def test_the_output_may_be_the_input(folder: Path, output: str) -> None:
    words = random_words(ROWS)
    np.save(folder / "data.npy", words)
    (folder / "link.npy").symlink_to("data.npy")
    os.link(folder / "data.npy", folder / "hard.npy")
    run("scan", "data.npy", "-o", output, "--inclusive", "--verify", cwd=folder)
    expected = npy_bytes(cumsum(words, "inclusive"))
    assert (folder / output).read_bytes() == expected
    assert (folder / "link.npy").is_symlink()
    # Through the other hard link the array is as it was.
    assert (folder / "hard.npy").read_bytes() == (
        expected if output == "hard.npy" else npy_bytes(words)
    )


def test_a_failed_run_leaves_the_input(folder: Path) -> None:
    words = random_words(ROWS)
    np.save(folder / "data.npy", words)
    command = ["scan", folder / "data.npy", "-o", folder / "data.npy"]
    refusal(*command, preexec_fn=limit_file_size, status=2, code="io")
    assert (folder / "data.npy").read_bytes() == npy_bytes(words)
    assert names(folder) == ["data.npy"]


def heed_signals() -> None:
    """Undoes what the test run inherits in the background or under nohup."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


def catches(process: subprocess.Popen[bytes], number: signal.Signals) -> bool:
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return int(caught.split()[1], 16) >> (number - 1) & 1 == 1


@contextmanager
def unfinished_run(folder: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """A scan of 256 MiB that has begun; what ends it must leave the output of yesterday."""
    with open(folder / "in.raw", "wb") as file:
        file.truncate(4 * 2**26)
    (folder / "out.npy").write_bytes(b"of yesterday")
    command = [CLI, "scan", folder / "in.raw", "--dtype", "uint32", "-o", folder / "out.npy"]
    process = subprocess.Popen(
        [*command, *options],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_signals,
    )
    while not any(path.stat().st_size for path in folder.glob(".wgprim-*")):
        assert process.poll() is None, "It ended before it could be disturbed."
        time.sleep(0.001)
    yield process
    assert names(folder) == ["in.raw", "out.npy"]
    assert (folder / "out.npy").read_bytes() == b"of yesterday"


SIGNALS = [
    (signal.SIGINT, 130),
    (signal.SIGTERM, 143),
    (signal.SIGHUP, 129),
    (signal.SIGQUIT, 131),
    (signal.SIGABRT, 5),  # as the WebGPU library ends a process
    (signal.SIGSEGV, 5),  # as a driver may
]


@pytest.mark.parametrize(("number", "status"), SIGNALS)
@pytest.mark.parametrize("delay_s", [0, 0.2])  # in the set-up; in the work
def test_a_signal(folder: Path, number: signal.Signals, status: int, delay_s: float) -> None:
    with unfinished_run(folder) as process:
        time.sleep(delay_s)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
        assert process.returncode == status
        fault = b"wgprim: Internal fault: this tool or the driver crashed.\n"
        assert said == (fault if status == 5 else b"")


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_a_signal_is_told_as_json(folder: Path, number: signal.Signals, status: int) -> None:
    with unfinished_run(folder, "--json") as process:
        process.send_signal(number)
        told, said = process.communicate(timeout=60)
        assert process.returncode == status
        assert said == b""
        fault = {
            "code": "internal",
            "message": "Internal fault: this tool or the driver crashed.",
        }
        interruption = {"code": "interrupted", "message": f"Interrupted by {number.name}."}
        assert json.loads(told) == {"error": fault if status == 5 else interruption}


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_an_input_that_shrinks(folder: Path, options: list[str]) -> None:
    with unfinished_run(folder, *options) as process:
        os.truncate(folder / "in.raw", 4096)
        told, said = process.communicate(timeout=60)
        assert process.returncode == 2
        if options:
            error = json.loads(told)["error"]
            assert said == b""
            assert error["code"] == "io"
            assert error["message"].startswith("A mapped file ended early: ")
        else:
            assert told == b""
            assert said.startswith(b"wgprim: A mapped file ended early: ")


def test_hangups_that_are_ignored_stay_ignored(folder: Path) -> None:
    """As under nohup."""
    np.save(folder / "in.npy", random_words(ROWS))
    command = ["sh", "-c", "trap '' HUP; \"$@\" & kill -HUP $!; wait $!", "sh", CLI]
    command += ["scan", str(folder / "in.npy"), "-o", str(folder / "out.npy")]
    assert subprocess.run(command, env=environment(), check=False).returncode == 0
    assert names(folder) == ["in.npy", "out.npy"]


def test_interrupted_before_its_input_ends(folder: Path) -> None:
    command = [CLI, "scan", "-", "-o", folder / "out.npy"]
    process = subprocess.Popen(
        command,
        env=environment(),
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_signals,
    )
    assert process.stdin
    process.stdin.write(npy_bytes(random_words(ROWS))[:-4])
    process.stdin.flush()
    while not catches(process, signal.SIGINT):
        assert process.poll() is None, "It ended before it could be disturbed."
        time.sleep(0.001)
    time.sleep(0.2)  # It is reading by now.
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert names(folder) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_during_a_graph(folder: Path, number: signal.Signals) -> None:
    """Several outputs go together."""
    np.save(folder / "values.npy", small_values(100))
    graph = write(folder, select_graph(100))
    before = names(folder)
    command = [CLI, "run", graph, "--bind", f"values={folder}/values.npy", "--repeat", "1000000000"]
    command += ["--out", f"kept={folder}/kept.npy", "--out", f"count={folder}/count.npy"]
    with subprocess.Popen(command, env=environment(), preexec_fn=heed_signals) as process:
        while len(names(folder)) < len(before) + 2:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(number)
    assert process.returncode == 128 + number
    assert names(folder) == before
