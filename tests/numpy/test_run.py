"""wgprim run: graphs over files agree with NumPy; conditions, steps, repeats, what is reported."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graphs import branch_graph, buffer, compute, graph, scan, select_graph, small_values, write
from wgprim_cli import Array, adapter_info, cumsum, random_words, run, run_json

RUN_KEYS = ["adapter", "backend", "path", "reason", "rows", "dispatches"]
RUN_KEYS += ["bytes_read", "bytes_written", "scratch_bytes"]
RUN_KEYS += ["gpu_ms", "wall_ms", "verified", "deterministic", "nodes", "steps"]
HAS_TIMESTAMPS = adapter_info()["features"]["timestamps"]


def run_select(folder: Path, values: Array, *options: object) -> dict[str, Any]:
    """Runs the select graph; what comes out must be NumPy's answer. Returns the report."""
    np.save(folder / "values.npy", values)
    outs = [f"--out={name}={folder / name}.npy" for name in ("kept", "count", "offsets")]
    path = write(folder, select_graph(values.size))
    report = run_json("run", path, "--bind", f"values={folder}/values.npy", *outs, *options)
    accepted = values[values % 3 == 0]
    kept = np.load(folder / "kept.npy")
    assert np.load(folder / "count.npy").tolist() == [accepted.size]
    np.testing.assert_array_equal(kept[: accepted.size], accepted)
    assert not kept[accepted.size :].any()
    flags = (values % 3 == 0).astype(np.uint32)
    np.testing.assert_array_equal(np.load(folder / "offsets.npy"), cumsum(flags, "exclusive"))
    return report


@pytest.mark.parametrize("rows", [1, 256, 1000, 65536, 70001])
def test_contract_W_2_flags_scan_scatter(folder: Path, rows: int) -> None:
    report = run_select(folder, small_values(rows))
    assert list(report) == RUN_KEYS
    assert report["path"] is report["reason"] is report["rows"] is None
    assert [node["id"] for node in report["nodes"]] == ["flag", "place", "scatter"]
    assert [node["outcome"] for node in report["nodes"]] == ["executed"] * 3
    assert report["nodes"][1]["path"] == "chained"
    assert report["nodes"][1]["reason"]
    assert report["adapter"] == adapter_info()["adapter"]
    assert (report["verified"], report["deterministic"], report["steps"]) == (None, True, [])
    assert (report["gpu_ms"] is not None) is HAS_TIMESTAMPS
    plan = run_json("plan", folder / "graph.json", "--adapter", "0")
    assert report["dispatches"] == len(plan["dispatches"])
    assert report["bytes_read"] == plan["workload"]["bytes_read"]
    assert report["bytes_written"] == plan["workload"]["bytes_written"]
    assert report["scratch_bytes"] == plan["scratch_bytes"] >= 4 * rows


@pytest.mark.parametrize("totals", [True, False])
def test_contract_CO_1_a_branch_runs_or_not(folder: Path, totals: bool) -> None:
    values = random_words(1000)
    np.save(folder / "values.npy", values)
    path = write(folder, branch_graph(1000))
    word = "true" if totals else "false"
    report = run_json(
        "run", path, "--bind", f"values={folder}/values.npy", "--set", f"totals={word}",
        "--out", f"result={folder}/result.npy",
    )  # fmt: skip
    expected = cumsum(values, "inclusive") if totals else values
    np.testing.assert_array_equal(np.load(folder / "result.npy"), expected)
    outcomes = {node["id"]: node["outcome"] for node in report["nodes"]}
    branch = "executed" if totals else "skipped"
    assert outcomes == {"keep": "executed", "sum": branch, "publish": branch}


FILL = """
@group(0) @binding(0) var<storage, read_write> rows: array<u32>;
@compute @workgroup_size(4)
fn fill(@builtin(global_invocation_id) id: vec3<u32>) { rows[id.x] = id.x + 1u; }
"""


@pytest.mark.parametrize(("groups", "rows"), [(0, 0), (3, 12), (70000, 0)])
def test_contract_CO_2_the_device_decides(folder: Path, groups: int, rows: int) -> None:
    """A record beyond the device's limits runs nothing."""
    np.save(folder / "record.npy", np.array([7, groups, 1, 1], np.uint32))
    node = compute("fill", FILL, 8, ("rows", "write"))
    node |= {"indirect": "record", "byte_offset": 4}
    path = write(folder, graph([buffer("record", 16), buffer("rows", 128)], [node]))
    report = run_json(
        "run", path, "--bind", f"record={folder}/record.npy", "--out", f"rows={folder}/rows.npy"
    )
    expected = [*range(1, rows + 1), *[0] * (32 - rows)]
    assert np.load(folder / "rows.npy").tolist() == expected
    assert report["nodes"][0]["outcome"] == "gpu-resolved"


BUDGETS = [
    ("invocations=1", [(0, 1), (1, 2), (2, 3)], True),
    ("invocations=1000000", [(0, 3)], False),
    ("invocations=1000000,nodes=2", [(0, 2), (2, 3)], False),
    ("nodes=1,invocations=1000000", [(0, 1), (1, 2), (2, 3)], False),
    ("invocations=1000000,commands=3", [(0, 1), (1, 2), (2, 3)], False),
]


@pytest.mark.parametrize(("budget", "ranges", "is_oversized"), BUDGETS)
def test_contract_B_1_steps_give_the_same(
    folder: Path, budget: str, ranges: list[tuple[int, int]], is_oversized: bool
) -> None:
    report = run_select(folder, small_values(1000), "--budget", budget)
    steps = report["steps"]
    assert [(step["first"], step["end"]) for step in steps] == ranges
    assert [step["oversized"] for step in steps] == [is_oversized] * len(steps)
    plan = run_json("plan", folder / "graph.json", "--budget", budget, "--adapter", "0")
    assert plan["steps"] == steps


def test_case_H02_every_step_is_run_and_told(folder: Path) -> None:
    """Nodes of 0, 320, 384, 896 and 0 invocations: a copy, three kernels, a copy."""
    kernels = [compute(f"k{g}", FILL, g, (f"r{g}", "write")) for g in (80, 96, 224)]
    buffers = [buffer(f"r{g}", 16 * g) for g in (80, 96, 224)]
    buffers += [buffer("in", 4), buffer("early", 4), buffer("late", 4)]
    ends = [{"op": "copy", "source": "in"}]
    nodes = [ends[0] | {"id": "first", "destination": "early"}, *kernels]
    nodes.append({"op": "copy", "id": "last", "source": "early", "destination": "late"})
    nodes[-1]["depends_on"] = ["k224"]
    np.save(folder / "in.npy", np.array([42], np.uint32))
    report = run_json(
        "run", write(folder, graph(buffers, nodes)), "--budget", "invocations=704",
        "--bind", f"in={folder}/in.npy", "--out", f"late={folder}/late.npy",
        "--out", f"r224={folder}/r224.npy",
    )  # fmt: skip
    assert report["steps"] == [
        {"first": 0, "end": 3, "oversized": False},
        {"first": 3, "end": 4, "oversized": True},
        {"first": 4, "end": 5, "oversized": False},
    ]
    assert [node["outcome"] for node in report["nodes"]] == ["executed"] * 5
    assert np.load(folder / "late.npy").tolist() == [42]
    assert np.load(folder / "r224.npy").tolist() == list(range(1, 897))


@pytest.mark.parametrize("options", [[], ["--budget", "invocations=1"], ["--timings"]])
def test_repeats_start_from_what_is_there(folder: Path, options: list[str]) -> None:
    """An in-place scan is a scan of a scan, the next time."""
    data = random_words(1000)
    np.save(folder / "data.npy", data)
    nodes = [scan("sum", "data", "data", mode="inclusive")]
    path = write(folder, graph([buffer("data", 4000)], nodes))
    for times in (1, 2, 5):
        command = ["--bind", f"data={folder}/data.npy", "--out", f"data={folder}/out.npy"]
        run("run", path, *command, "--repeat", times, *options)
        expected = data
        for _ in range(times):
            expected = cumsum(expected, "inclusive")
        np.testing.assert_array_equal(np.load(folder / "out.npy"), expected)


@pytest.mark.when(HAS_TIMESTAMPS)
@pytest.mark.parametrize("budget", [[], ["--budget", "invocations=1"]])
def test_contract_R_2_nodes_are_timed_on_request(folder: Path, budget: list[str]) -> None:
    once = run_select(folder, small_values(1000), "--timings", *budget)
    command = ["run", folder / "graph.json", "--bind", f"values={folder}/values.npy", "--timings"]
    assert run(*command).stdout.splitlines()[0].split()[-6:] == b"latest us p50 us p95 us".split()
    times = [node["gpu_ms"] for node in once["nodes"]]
    assert all(time > 0 for time in times)
    assert once["gpu_ms"] == pytest.approx(sum(times))
    assert "gpu_ms_p50" not in once["nodes"][0]
    often = run_select(folder, small_values(1000), "--timings", "--repeat", 3, *budget)
    for node in often["nodes"]:
        assert 0 < node["gpu_ms_p50"] <= node["gpu_ms_p95"]
        assert node["gpu_ms"] <= node["gpu_ms_p95"]
    untimed = run_select(folder, small_values(1000), "--repeat", 3, *budget)
    assert [node["gpu_ms"] for node in untimed["nodes"]] == [None] * 3


def test_timings_without_timestamps_are_missed_aloud(folder: Path) -> None:
    np.save(folder / "values.npy", small_values(10))
    path = write(folder, select_graph(10))
    command = ["run", path, "--bind", f"values={folder}/values.npy", "--timings", "--json"]
    done = run(*command, "--capability", "timestamps=off")
    assert done.stderr == b"wgprim: the device has no timestamps; no node is timed.\n"
    report = json.loads(done.stdout)
    assert report["gpu_ms"] is None
    assert [node["gpu_ms"] for node in report["nodes"]] == [None] * 3


def test_a_table_for_people(folder: Path) -> None:
    np.save(folder / "values.npy", small_values(1000))
    path = write(folder, branch_graph(1000))
    command = ["run", path, "--bind", f"values={folder}/values.npy", "--set", "totals=false"]
    lines = run(*command, "--budget", "invocations=1000000,nodes=2").stdout.decode().splitlines()
    assert lines[0].split() == ["node", "operation", "outcome", "path"]
    assert lines[1].split()[:3] == ["'keep'", "copy", "executed"]
    assert lines[2].split()[:4] == ["'sum'", "scan", "skipped", "chained"]
    said = f"3 nodes run on {adapter_info()['adapter']}, in 2 steps: 3 dispatches"
    assert lines[4].startswith("software adapter: ")
    assert lines[5].startswith("limits: maxBufferSize ")
    assert lines[6].startswith(said)
    assert len(lines) == 7


def test_the_graph_and_its_kernels_may_lie_elsewhere(folder: Path) -> None:
    """`wgsl_file` is looked for beside the graph, wherever the tool runs."""
    (folder / "graphs" / "kernels").mkdir(parents=True)
    (folder / "graphs" / "kernels" / "fill.wgsl").write_text(FILL)
    node = compute("fill", "", 2, ("rows", "write"))
    del node["wgsl"]
    nodes = [node | {"wgsl_file": "kernels/fill.wgsl"}]
    contents = graph([buffer("rows", 32)], nodes)
    write(folder / "graphs", contents)
    run("run", "graphs/graph.json", "--out", "rows=rows.npy", cwd=folder)
    assert np.load(folder / "rows.npy").tolist() == list(range(1, 9))
    nodes[0]["wgsl_file"] = str(folder / "graphs" / "kernels" / "fill.wgsl")
    run("run", "-", "--out", "rows=again.npy", cwd=folder, input=json.dumps(contents).encode())
    assert np.load(folder / "again.npy").tolist() == list(range(1, 9))
