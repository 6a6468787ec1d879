"""wgprim run: inputs without an end, and plans of more dispatches than the driver survives."""

import json
import resource
from pathlib import Path

import numpy as np
import pytest
from graphs import Graph, buffer, copy, graph, scan, write
from wgprim_cli import cumsum, is_lavapipe, run, run_json


@pytest.mark.parametrize("source", ["/dev/zero", "-"])
def test_an_input_without_an_end_is_not_read_to_it(folder: Path, source: str) -> None:
    buffers = [buffer("in", 28), buffer("out", 28)]
    path = write(folder, graph(buffers, [copy("copy", "in", "out")]))
    with open("/dev/zero", "rb") as zeros:
        done = run(
            "run", path, "--bind", f"in={source}", "--json", status=2, stdin=zeros,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (20, 20)),
        )  # fmt: skip
    error = json.loads(done.stdout)["error"]
    assert error["code"] == "invalid_file"
    assert "is larger than 1048604 bytes" in error["message"]  # A header and the data.


def most_mappings() -> int:
    return int(Path("/proc/sys/vm/max_map_count").read_text(encoding="ascii"))


def alternating_scan(rows: int) -> Graph:
    """A scan over rows that lie in two buffers by turns: each takes a dispatch down and one up."""
    views = [
        {"id": f"{name}_rows", "chunks": [
            {"buffer": f"{name}{row % 2}", "byte_offset": row // 2 * 4, "rows": 1}
            for row in range(rows)]}
        for name in ("in", "out")
    ]  # fmt: skip
    return graph(
        [buffer(f"{name}{turn}", 2 * rows) for name in ("in", "out") for turn in (0, 1)],
        [scan("sum", "in_rows", "out_rows", mode="inclusive", path="chained")],
        views,
    )


def bind_inputs(folder: Path, rows: int) -> list[str]:
    words = np.arange(rows, dtype=np.uint32)
    for turn in (0, 1):
        words[turn::2].tofile(folder / f"in{turn}")
    return [f"--bind=in{turn}={folder}/in{turn}" for turn in (0, 1)]


@pytest.mark.when(is_lavapipe() and most_mappings() < 100_000)
def test_more_dispatches_than_the_driver_has_memory_mappings_for(folder: Path) -> None:
    """lavapipe takes one for each, and crashes where the system gives no more."""
    rows = most_mappings() // 4 * 2 - 2000
    command = ["run", write(folder, alternating_scan(rows)), *bind_inputs(folder, rows)]
    run(*command, *[f"--out=out{turn}={folder}/out{turn}" for turn in (0, 1)])
    expected = cumsum(np.arange(rows, dtype=np.uint32), "inclusive")
    for turn in (0, 1):
        sums = np.fromfile(folder / f"out{turn}", np.uint32)
        np.testing.assert_array_equal(sums, expected[turn::2])
    rows += 2000
    path = write(folder, alternating_scan(rows), "larger.json")
    error = run_json("run", path, *bind_inputs(folder, rows), status=2)["error"]
    assert error["code"] == "limit_exceeded"
    assert "node 'sum'" in error["message"]
    assert f"the system allows {most_mappings()} (vm.max_map_count)." in error["message"]
