"""wgprim run: what goes into buffers and what comes out of them, by file and by stream."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graphs import Graph, branch_graph, buffer, copy, graph, select_graph, small_values, write
from wgprim_cli import Array, npy_bytes, random_words, refusal, run, run_json


def copy_graph(size: int, views: list[Graph] | None = None) -> Graph:
    """`out` becomes `in`; views may show either."""
    return graph([buffer("in", size), buffer("out", size)], [copy("copy", "in", "out")], views)


def read_view(folder: Path, data: Array, view: dict[str, Any], name: str = "seen.npy") -> Path:
    """What the view shows of a buffer that holds the data."""
    np.save(folder / "in.npy", data)
    path = write(folder, copy_graph(data.nbytes, [{"id": "seen"} | view]))
    run("run", path, "--bind", f"in={folder}/in.npy", "--out", f"seen={folder / name}")
    return folder / name


@pytest.mark.parametrize(
    ("name", "dtype", "columns"),
    [
        ("uint32", np.uint32, 1),
        ("int32", np.int32, 1),
        ("float32", np.float32, 1),
        ("uint64", np.uint64, 1),
        ("uint32x2", np.uint32, 2),
        ("uint32x3", np.uint32, 3),
        ("uint32x4", np.uint32, 4),
    ],
)
def test_a_view_comes_out_in_its_format(
    folder: Path, name: str, dtype: type, columns: int
) -> None:
    data = random_words(12 * 97)
    shape = (-1,) if columns == 1 else (-1, columns)
    expected = data.view(dtype).reshape(shape)
    path = read_view(folder, data, {"buffer": "out", "format": name})
    assert path.read_bytes() == npy_bytes(expected)
    path = read_view(folder, data, {"buffer": "out", "format": name}, "seen.raw")
    assert path.read_bytes() == data.tobytes()


@pytest.mark.parametrize("stride", [8, 12, 64, 4096])
def test_strided_rows_are_gathered(folder: Path, stride: int) -> None:
    """Also where more bytes lie between them than one piece of a download holds."""
    rows = 1500
    data = random_words(stride // 4 * rows)
    view = {"buffer": "out", "byte_offset": 4, "byte_stride": stride, "rows": rows}
    seen = np.load(read_view(folder, data, view))
    np.testing.assert_array_equal(seen, data[1 :: stride // 4])


def test_chunks_come_out_as_one_sequence(folder: Path) -> None:
    data = random_words(1000)
    chunks = [
        {"buffer": "out", "rows": 300, "byte_offset": 400},
        {"buffer": "in", "rows": 0},
        {"buffer": "in", "rows": 5, "byte_offset": 8, "byte_stride": 16},
        {"buffer": "out", "rows": 100},
    ]
    seen = np.load(read_view(folder, data, {"chunks": chunks}))
    expected = np.concatenate([data[100:400], data[2:22:4], data[:100]])
    np.testing.assert_array_equal(seen, expected)


def test_a_view_without_rows(folder: Path) -> None:
    view = {"buffer": "out", "rows": 0, "format": "float32"}
    path = read_view(folder, random_words(8), view)
    assert path.read_bytes() == npy_bytes(np.empty(0, np.float32))


@pytest.mark.parametrize(
    "data",
    [
        random_words(24),
        random_words(24).reshape(4, 6),
        random_words(24).view(np.uint8),
        random_words(24).view(np.float64).reshape(3, 2, 2),
        random_words(24).view(np.bool_),
    ],
)
def test_any_array_fills_a_buffer(folder: Path, data: Array) -> None:
    """The bytes count, not the type: those of an array, or of any other file."""
    np.save(folder / "in.npy", data)
    (folder / "in.raw").write_bytes(data.tobytes())
    path = write(folder, copy_graph(data.nbytes))
    for name in ("in.npy", "in.raw"):
        run("run", path, "--bind", f"in={folder / name}", "--out", f"out={folder}/out.npy")
        assert np.load(folder / "out.npy").tobytes() == data.tobytes()


def test_streams_in_and_out(folder: Path) -> None:
    data = random_words(50_000)
    path = write(folder, copy_graph(data.nbytes))
    streams = ["--bind", "in=-", "--out", "out=-"]
    done = run("run", path, *streams, input=npy_bytes(data))
    assert done.stdout == npy_bytes(data)
    assert b"1 node run on" in done.stderr
    assert run("run", path, *streams, input=data.tobytes()).stdout == data.tobytes()
    np.save(folder / "in.npy", data)
    command = ["run", path, "--bind", f"in={folder}/in.npy", "--out", "out=-"]
    assert run(*command).stdout == data.tobytes()


def test_an_output_may_replace_its_input(folder: Path) -> None:
    values = small_values(1000)
    np.save(folder / "values.npy", values)
    path = write(folder, branch_graph(1000))
    files = [f"values={folder}/values.npy", f"result={folder}/values.npy"]
    run("run", path, "--bind", files[0], "--out", files[1], "--set", "totals=true")
    np.testing.assert_array_equal(np.load(folder / "values.npy"), np.cumsum(values))


def test_what_is_written_first_starts_as_zeros(folder: Path) -> None:
    nodes = [copy("part", "in", "head")]
    views = [{"id": "head", "buffer": "out", "rows": 2, "byte_offset": 4}]
    path = write(folder, graph([buffer("in", 8), buffer("out", 20)], nodes, views))
    np.save(folder / "in.npy", np.array([7, 8], np.uint32))
    np.save(folder / "out.npy", np.arange(5, dtype=np.uint32))
    command = ["run", path, "--bind", f"in={folder}/in.npy", "--out", f"out={folder}/result.npy"]
    run(*command)
    assert np.load(folder / "result.npy").tolist() == [0, 7, 8, 0, 0]
    run(*command, "--bind", f"out={folder}/out.npy")
    assert np.load(folder / "result.npy").tolist() == [0, 7, 8, 3, 4]


def test_an_import_that_nothing_uses(folder: Path) -> None:
    contents = copy_graph(8)
    contents["buffers"].append(buffer("idle", 12))
    path = write(folder, contents)
    np.save(folder / "in.npy", random_words(2))
    np.save(folder / "idle.npy", random_words(3))
    command = ["run", path, "--bind", f"in={folder}/in.npy", "--out", f"idle={folder}/seen.npy"]
    run(*command)
    assert np.load(folder / "seen.npy").tolist() == [0, 0, 0]
    run(*command, "--bind", f"idle={folder}/idle.npy")
    np.testing.assert_array_equal(np.load(folder / "seen.npy"), random_words(3))


@pytest.fixture
def selecting(folder: Path) -> list[object]:
    """A command that runs, up to its outputs; the files it needs are all that the folder holds."""
    np.save(folder / "values.npy", small_values(300))
    path = write(folder, select_graph(300))
    return ["run", path, "--bind", f"values={folder}/values.npy"]


def check_refusal(
    folder: Path, command: list[object], *words: str, code: str = "invalid_argument", **how: Any
) -> None:
    before = sorted(os.listdir(folder))
    message = refusal(*command, status=2, code=code, **how)
    for word in words:
        assert word in message
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("other=x.npy", ["'other'", "neither a view nor a buffer"]),
        ("flags=x.npy", ["'flags'", "transient"]),
        ("kept", ["--out", "'kept'", "NAME=VALUE"]),
        ("=x.npy", ["'=x.npy'"]),
        ("kept=", ["'kept='"]),
    ],
)
def test_what_cannot_come_out(
    folder: Path, selecting: list[object], out: str, words: list[str]
) -> None:
    check_refusal(folder, [*selecting, "--out", out], *words, cwd=folder)


def test_a_view_of_scratch_cannot_come_out(folder: Path) -> None:
    contents = select_graph(100)
    contents["views"] = [{"id": "seen", "buffer": "flags", "rows": 5}]
    np.save(folder / "values.npy", small_values(100))
    command = ["run", write(folder, contents), "--bind", f"values={folder}/values.npy"]
    words = ["'seen'", "transient buffer 'flags'", "shared"]
    check_refusal(folder, [*command, "--out", f"seen={folder}/x.npy"], *words)


def test_a_view_of_several_formats_cannot_come_out(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(8))
    chunks = [{"buffer": "out", "rows": 1}, {"buffer": "out", "rows": 1, "format": "float32"}]
    path = write(folder, copy_graph(32, [{"id": "seen", "chunks": chunks}]))
    command: list[object] = ["run", path, "--bind", f"in={folder}/in.npy"]
    command += ["--out", f"seen={folder}/x.npy"]
    check_refusal(folder, command, "'seen'", "uint32, float32")


def test_two_outputs_in_one_file(folder: Path, selecting: list[object]) -> None:
    os.symlink("x.npy", folder / "link.npy")
    for other in ("x.npy", "./x.npy", "link.npy"):
        outs = ["--out", "kept=x.npy", "--out", f"count={other}"]
        check_refusal(folder, [*selecting, *outs], "'kept'", "'count'", other, cwd=folder)
    run(*selecting, "--out", "kept=/dev/null", "--out", "count=/dev/null")


def test_one_thing_on_each_stream(folder: Path, selecting: list[object]) -> None:
    both = ["--out", "kept=-", "--out", "count=/dev/stdout"]
    check_refusal(folder, [*selecting, *both], "one --out")
    error = run_json(*selecting, "--out", "kept=-", status=2)["error"]
    assert error["message"] == "--json and --out both want stdout."
    twice = ["run", folder / "graph.json", "--bind", "values=-", "--bind", "kept=-"]
    check_refusal(folder, twice, "Standard input", "2 times")
    twice = ["run", "-", "--bind", "values=-"]
    check_refusal(folder, twice, "Standard input", "2 times")


@pytest.mark.parametrize(
    ("bind", "code", "words"),
    [
        ("other=values.npy", "invalid_argument", ["'other'"]),
        ("flags=values.npy", "invalid_argument", ["'flags'", "scratch"]),
        ("place.sums1=values.npy", "invalid_argument", ["'place.sums1'", "scratch"]),
        ("values=values.npy", "invalid_argument", ["'values'", "bound twice"]),
        ("count=values.npy", "invalid_file", ["'count'", "4 bytes", "'values.npy'", "1200"]),
        ("kept=missing.npy", "io", ["'missing.npy'", "does not exist"]),
        ("kept=.", "io", ["'.'", "directory"]),
        ("kept", "invalid_argument", ["--bind", "'kept'"]),
    ],
)
def test_what_cannot_go_in(
    folder: Path, bind: str, code: str, words: list[str], selecting: list[object]
) -> None:
    command = [*selecting, "--bind", bind, "--out", "kept=out.npy"]
    check_refusal(folder, command, *words, code=code, cwd=folder)


def test_an_array_that_does_not_fit_or_cannot_be_read(folder: Path) -> None:
    data = random_words(100)
    path = write(folder, copy_graph(400))
    np.save(folder / "long.npy", random_words(101))
    np.save(folder / "fortran.npy", np.asfortranarray(data.reshape(10, 10)))
    (folder / "cut.npy").write_bytes(npy_bytes(data)[:-1])
    (folder / "short.raw").write_bytes(data.tobytes()[:-1])
    for name, words in {
        "long.npy": ["400 bytes", "404"],
        "short.raw": ["400 bytes", "399"],
        "fortran.npy": ["Fortran"],
        "cut.npy": ["truncated", "400", "399"],
    }.items():
        command: list[object] = ["run", path, "--bind", f"in={folder / name}"]
        command += ["--out", f"out={folder}/out.npy"]
        check_refusal(folder, command, name, *words, code="invalid_file")


def test_what_is_read_first_must_be_bound(folder: Path) -> None:
    command: list[object] = ["run", write(folder, select_graph(100))]
    command += ["--out", f"kept={folder}/out.npy"]
    check_refusal(folder, command, "'values'", "'flag'", "--bind values=FILE")


def test_all_outputs_or_none(folder: Path, selecting: list[object]) -> None:
    for target, code in {"/dev/full": "io", f"{folder}/no/x.npy": "io", str(folder): "io"}.items():
        outs = ["--out", f"kept={folder}/kept.npy", "--out", f"count={target}"]
        outs += ["--out", f"offsets={folder}/offsets.npy"]
        check_refusal(folder, [*selecting, *outs], target, code=code)
    (folder / "kept.npy").write_bytes(b"as it was")
    check_refusal(folder, [*selecting, *outs], code="io")
    assert (folder / "kept.npy").read_bytes() == b"as it was"


def test_a_reader_that_has_had_enough_ends_quietly(
    folder: Path, selecting: list[object]
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    outs = [f"--out=kept=/dev/fd/{writer}", "--out", f"count={folder}/count.npy"]
    run(*selecting, *outs, pass_fds=[writer])
    os.close(writer)
    assert np.load(folder / "count.npy").size == 1
