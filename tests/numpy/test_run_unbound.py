"""What `wgprim run` makes of buffers that are not bound, and of shaders that are no files."""

from pathlib import Path

import numpy as np
from graphs import buffer, compute, copy, graph, write
from wgprim_cli import refusal, run


def refused(*command: object, words: list[str], code: str = "invalid_argument") -> None:
    message = refusal(*command, status=2, code=code)
    for word in words:
        assert word in message


def test_what_is_read_first_by_a_node_that_runs_must_be_bound(folder: Path) -> None:
    nodes = [
        copy("early", "in", "out", condition={"parameter": "fill"}),
        copy("late", "out", "end"),
    ]
    buffers = [buffer("in", 8), buffer("out", 8), buffer("end", 8)]
    path = write(folder, graph(buffers, nodes))
    np.save(folder / "in.npy", np.array([7, 8], np.uint32))
    bound = ["--bind", f"in={folder}/in.npy"]
    out = ["--out", f"end={folder}/end.npy"]
    command: list[object] = ["run", path, *out]
    refused(*command, *bound, "--set", "fill=false", words=["'out'", "'late'"])
    refused(*command, "--set", "fill=true", words=["'in'", "'early'"])
    run(*command, *bound, "--set", "fill=true")
    assert np.load(folder / "end.npy").tolist() == [7, 8]
    run(*command, "--bind", f"out={folder}/in.npy", "--set", "fill=false")
    assert np.load(folder / "end.npy").tolist() == [7, 8]


def test_what_is_read_and_written_first_starts_as_zeros(folder: Path) -> None:
    wgsl = """
    @group(0) @binding(0) var<storage, read_write> total: array<u32>;
    @compute @workgroup_size(1) fn add() { total[0] += 5u; }
    """
    nodes = [compute("add", wgsl, 1, ("total", "read-write"))]
    path = write(folder, graph([buffer("total", 4)], nodes))
    run("run", path, "--repeat", 3, "--out", f"total={folder}/total.npy")
    assert np.load(folder / "total.npy").tolist() == [15]


def test_a_shader_does_not_come_by_standard_input(folder: Path) -> None:
    nodes = [{"op": "compute", "id": "own", "wgsl_file": "-", "uses": []}]
    command: list[object] = ["run", write(folder, graph([], nodes))]
    refused(*command, words=["nodes[0].wgsl_file", "'-'"], code="invalid_file")
