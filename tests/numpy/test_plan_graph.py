"""wgprim plan GRAPH: what a graph would run, as text, JSON and DOT, told without any device."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graphs import Graph, buffer, compute, copy, graph, select_graph, write
from wgprim_cli import ROOT, adapter_info, environment, refusal, run, run_json

NO_DEVICE = environment(VK_DRIVER_FILES="/nonexistent", VK_ICD_FILENAMES="/nonexistent")


def plan(folder: Path, contents: Graph, *options: object) -> dict[str, Any]:
    return run_json("plan", write(folder, contents), *options, env=NO_DEVICE)


def text(folder: Path, contents: Graph, *options: object) -> str:
    done = run("plan", write(folder, contents), *options, env=NO_DEVICE)
    assert done.stderr == b""
    return done.stdout.decode()


def test_a_graph_is_planned_without_a_device(folder: Path) -> None:
    result = plan(folder, select_graph(1000))
    assert result["wgprim_plan"] == 1
    assert result["order"] == ["flag", "place", "scatter"]
    assert [d["label"] for d in result["dispatches"]][::4] == ["flag", "scatter"]
    roles = {b["id"]: b["role"] for b in result["buffers"]}
    assert roles["values"] == "imported"
    assert roles["flags"] == "transient"


def test_case_G06_the_order_is_by_ready_waves(folder: Path) -> None:
    buffers = [buffer(f"{kind}{i}", 4) for kind in ("in", "out") for i in range(4)]
    after = {"first": ["second"], "second": [], "third": [], "fourth": ["first"]}
    nodes = [
        copy(name, f"in{i}", f"out{i}", depends_on=before)
        for i, (name, before) in enumerate(after.items())
    ]
    contents = graph(buffers, nodes)
    assert plan(folder, contents)["order"] == ["second", "third", "first", "fourth"]
    dot = text(folder, contents, "--format", "dot")
    assert dot.count("style=dashed") == 2  # No buffer explains these.


def test_the_page_tells_slots_and_limits(folder: Path) -> None:
    page = text(folder, select_graph(1000))
    assert "slots over commands 0 to 4\n" in page
    assert "    'flags'               #####  0 to 4\n" in page
    assert "\nmemory of the plan" in page
    assert page.endswith("\nfits the limits\n")
    copying = graph([buffer("in", 4000), buffer("out", 3999)], [], [])
    narrow = text(folder, copying, "--limit", "maxBufferSize=3999")
    assert "buffer 'in' needs 4,000, maxBufferSize allows 3,999\n" in narrow
    assert "fits the limits" not in narrow


def test_uniforms_beyond_the_limit_are_refused_alike_by_plan_and_run(folder: Path) -> None:
    names = [f"u{i}" for i in range(13)]
    text = "".join(f"@group(0) @binding({i}) var<uniform> {u}: u32;\n" for i, u in enumerate(names))
    body = f"out[0] = {' + '.join(names)};"
    text += "@group(0) @binding(13) var<storage, read_write> out: array<u32>;\n"
    text += f"@compute @workgroup_size(1) fn add() {{ {body} }}"
    node = compute("add", text, 1)
    for i, name in enumerate(names):
        node["uses"].append({"view": name, "access": "uniform", "binding": i})
    node["uses"].append({"view": "out", "access": "storage-write", "binding": 13})
    contents = graph([buffer(name, 4) for name in [*names, "out"]], [node])
    path = write(folder, contents)
    words = "binds 13 uniform buffers, more than the device allows (12, maxUniformBuffers"
    assert words in refusal("plan", path, status=2, code="limit_exceeded", env=NO_DEVICE)
    binds = [word for name in names for word in ("--bind", f"{name}={folder / 'one'}")]
    np.array([1], np.uint32).tofile(folder / "one")
    limit = ["--limit", "maxUniformBuffersPerShaderStage=12"]
    assert words in refusal("run", path, *binds, *limit, status=2, code="limit_exceeded")
    if adapter_info()["limits"]["maxUniformBuffersPerShaderStage"] > 12:
        run("run", path, *binds, "--out", f"out={folder / 'sum'}")
        assert np.fromfile(folder / "sum", np.uint32) == 13


def test_dot_has_every_node_and_buffer(folder: Path) -> None:
    contents = select_graph(1000)
    contents["nodes"][0]["id"] = 'fl"ag\\'
    dot = text(folder, contents, "--format", "dot")
    assert dot.startswith("digraph plan {\n")
    assert 'label="1. fl\\"ag\\\\\\ncompute"' in dot
    for item in contents["buffers"]:
        assert f'label="{item["id"]}\\n' in dot
    assert dot.count("{") == dot.count("}")


def test_the_picture_in_the_docs_is_of_today() -> None:
    """If not: render it again, as docs/command-graph.md says, and look at it."""
    path = ROOT / "examples" / "graphs" / "select_rows.json"
    drawn = (ROOT / "docs" / "pictures" / "graph_select.dot").read_bytes()
    assert run("plan", path, "--format", "dot", env=NO_DEVICE).stdout == drawn


def test_budgets_cut_plans(folder: Path) -> None:
    contents = select_graph(1000)
    steps = plan(folder, contents, "--budget", "invocations=1000000,nodes=2")["steps"]
    assert steps == [
        {"first": 0, "end": 2, "oversized": False},
        {"first": 2, "end": 3, "oversized": False},
    ]
    page = text(folder, contents, "--budget", "invocations=1100")
    assert "steps\n  step 0        'flag'\n" in page
    assert "'place', above the budget\n" in page
    scan = run_json("plan", "scan", "--n", 1000, "--budget", "invocations=1", env=NO_DEVICE)
    assert scan["steps"] == [{"first": 0, "end": 1, "oversized": True}]


@pytest.mark.parametrize("budget", ["", "invocations=5,", ",", "invocations=5,,nodes=1"])
def test_a_budget_with_an_empty_bound_is_refused(folder: Path, budget: str) -> None:
    command = ["plan", write(folder, select_graph(10)), "--budget", budget]
    message = refusal(*command, status=2, code="invalid_argument")
    assert message.startswith("--budget: There is no bound '' (invocations, nodes, ")


def test_operations_win_over_files(folder: Path) -> None:
    write(folder, select_graph(10), "scan")
    assert "--n" in refusal("plan", "scan", status=2, code="invalid_argument", cwd=folder)
    assert run_json("plan", "scan", "--n", 5, cwd=folder)["order"] == ["scan"]
    order = run_json("plan", "./scan", cwd=folder)["order"]
    assert order == ["flag", "place", "scatter"]
    write(folder, select_graph(10), "plain")
    assert run_json("plan", "plain", cwd=folder)["order"] == order


@pytest.mark.parametrize(
    "options",
    ["--n 5", "--inclusive", "--exclusive", "--in-place", "--path auto", "--subgroups off"],
)
def test_options_of_an_operation_are_not_for_graphs(folder: Path, options: str) -> None:
    path = write(folder, select_graph(10))
    words = options.split()
    message = refusal("plan", path, *words, status=2, code="invalid_argument")
    assert words[0] in message
    assert "graph.json" in message


def test_equal_questions_get_equal_bytes(folder: Path) -> None:
    path = write(folder, select_graph(1000))
    for form in (["--json"], ["--format", "json"], ["--format", "dot"], []):
        assert run("plan", path, *form).stdout == run("plan", path, *form, env=NO_DEVICE).stdout
    assert run("plan", path, "--json").stdout == run("plan", path, "--format", "json").stdout
    piped = run("plan", "-", "--json", input=path.read_bytes()).stdout
    assert piped == run("plan", path, "--json").stdout
