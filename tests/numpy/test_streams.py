"""What comes in and goes out: .npy and raw files, standard input and output, devices, pipes."""

import os
import stat
import subprocess
from pathlib import Path

import numpy as np
import pytest
from graphs import select_graph, write
from wgprim_cli import CLI, cumsum, environment, npy_bytes, random_words, run, run_json

ROWS = 50_000  # more bytes than a pipe holds


@pytest.mark.parametrize("dtype", ["uint32", "int32"])
def test_npy_streams_through(dtype: str) -> None:
    words = random_words(ROWS, dtype)
    done = run("scan", "-", "-o", "-", input=npy_bytes(words))
    assert done.stdout == npy_bytes(cumsum(words, "exclusive"))
    assert done.stderr.startswith(b"50,000 rows scanned (exclusive)")


@pytest.mark.parametrize("dtype", ["uint32", "int32"])
def test_raw_streams_through(dtype: str) -> None:
    words = random_words(ROWS, dtype)
    done = run("scan", "-", "--dtype", dtype, "-o", "-", input=words.tobytes())
    assert done.stdout == cumsum(words, "exclusive").tobytes()


def test_npy_in_raw_out(folder: Path) -> None:
    words = random_words(1000)
    (folder / "in.npy").write_bytes(npy_bytes(words))
    run("scan", folder / "in.npy", "-o", folder / "out.raw")
    assert (folder / "out.raw").read_bytes() == cumsum(words, "exclusive").tobytes()


@pytest.mark.parametrize("dtype", ["uint32", "int32"])
def test_raw_in_npy_out(folder: Path, dtype: str) -> None:
    words = random_words(1000, dtype)
    (folder / "in.raw").write_bytes(words.tobytes())
    run("scan", folder / "in.raw", "--dtype", dtype, "-o", folder / "out.npy")
    assert (folder / "out.npy").read_bytes() == npy_bytes(cumsum(words, "exclusive"))


def test_dtype_takes_even_npy_bytes_as_raw(folder: Path) -> None:
    contents = npy_bytes(random_words(100))
    (folder / "in.npy").write_bytes(contents)
    run("scan", folder / "in.npy", "--dtype", "uint32", "-o", folder / "out.raw")
    expected = cumsum(np.frombuffer(contents, np.uint32), "exclusive")
    assert (folder / "out.raw").read_bytes() == expected.tobytes()


def test_npy_is_known_by_its_magic(folder: Path) -> None:
    words = random_words(100)
    (folder / "data").write_bytes(npy_bytes(words))
    run("scan", folder / "data", "-o", folder / "out.npy")
    assert (folder / "out.npy").read_bytes() == npy_bytes(cumsum(words, "exclusive"))


def test_a_one_dimensional_array_has_no_order(folder: Path) -> None:
    """NumPy may call it Fortran's; so may the header of any other writer."""
    words = random_words(100)
    fortran = npy_bytes(words).replace(b"'fortran_order': False", b"'fortran_order': True ")
    assert b"True" in fortran
    done = run("scan", "-", "-o", "-", input=fortran)
    assert done.stdout == npy_bytes(cumsum(words, "exclusive"))


@pytest.mark.parametrize("options", [[], ["--dtype", "uint32"]])
def test_no_rows_are_an_array_too(options: list[str]) -> None:
    nothing = np.empty(0, np.uint32)
    contents = nothing.tobytes() if options else npy_bytes(nothing)
    assert run("scan", "-", *options, "-o", "-", input=contents).stdout == contents


def test_no_rows_run_nothing(folder: Path) -> None:
    np.save(folder / "in.npy", np.empty(0, np.int32))
    report = run_json("scan", folder / "in.npy", "-o", folder / "out.npy")
    assert (report["rows"], report["dispatches"], report["gpu_ms"]) == (0, 0, None)
    assert np.load(folder / "out.npy").dtype == np.int32


def test_a_named_pipe_is_read_and_written(folder: Path) -> None:
    words = random_words(ROWS)
    for name in ("in", "out"):
        os.mkfifo(folder / name)
    command = [CLI, "scan", folder / "in", "-o", folder / "out"]
    with subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL) as process:
        (folder / "in").write_bytes(npy_bytes(words))
        assert (folder / "out").read_bytes() == cumsum(words, "exclusive").tobytes()
    assert process.returncode == 0
    assert stat.S_ISFIFO((folder / "out").stat().st_mode)


def test_devices_are_written_not_replaced(folder: Path) -> None:
    before = os.stat("/dev/null")
    np.save(folder / "in.npy", random_words(1000))
    run("scan", folder / "in.npy", "-o", "/dev/null")
    after = os.stat("/dev/null")
    assert stat.S_ISCHR(after.st_mode)
    assert (after.st_ino, after.st_rdev) == (before.st_ino, before.st_rdev)
    assert not [name for name in os.listdir("/dev") if "wgprim" in name]


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_stdout_by_name_is_the_stream_itself(folder: Path, name: str) -> None:
    words = random_words(1000)
    np.save(folder / "in.npy", words)
    command = ["scan", folder / "in.npy", "-o", name]
    done = run(*command)
    assert done.stdout == cumsum(words, "exclusive").tobytes()
    assert done.stderr.startswith(b"1,000 rows scanned")
    assert b"both want stdout" in run(*command, "--json", status=2).stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["scan", "in.npy", "-o", "-"],
        ["plan", "scan", "--n", "4294967295", "--json"],
        ["plan", "scan", "--n", "4294967295"],
        ["plan", "graph.json", "--format", "dot"],
        ["run", "graph.json", "--bind", "values=in.npy", "--json"],
        ["run", "graph.json", "--bind", "values=in.npy", "--out", "kept=-"],
        ["info"],
        ["info", "--json"],
        ["shader", "scan_blocks"],
        ["check", "scan", "--cases", "2"],
        ["scan", "missing.npy", "-o", "out.npy", "--json"],
        ["--help"],
    ],
)
def test_a_closed_pipe_ends_quietly(folder: Path, arguments: list[str]) -> None:
    np.save(folder / "in.npy", random_words(10 * ROWS))
    write(folder, select_graph(10 * ROWS))
    reader, writer = os.pipe()
    os.close(reader)
    command = [CLI, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment(), stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == (2 if "missing.npy" in arguments else 0)


def test_a_reader_that_has_had_enough(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(10 * ROWS))
    command = [CLI, "scan", folder / "in.npy", "-o", "-"]
    process = subprocess.Popen(
        command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout and process.stderr
    assert process.stdout.read(6) == b"\x93NUMPY"
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait() == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["plan", "scan", "--n", "70000"],
        ["plan", "scan", "--n", "70000", "--json"],
        ["plan", "graph.json", "--format", "dot"],
        ["run", "graph.json", "--bind", "values=in.npy"],
        ["run", "graph.json", "--bind", "values=in.npy", "--out", "kept=-"],
        ["info", "--json"],
        ["shader", "scan_blocks"],
        ["scan", "in.npy", "-o", "out.npy", "--json"],
        ["--help"],
    ],
)
def test_words_for_a_full_disk_are_missed(folder: Path, arguments: list[str]) -> None:
    np.save(folder / "in.npy", random_words(100))
    write(folder, select_graph(100))
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [CLI, *arguments],
            cwd=folder,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"wgprim: Standard output cannot be written")
    assert done.stderr.endswith(b": No space left on device.\n")
