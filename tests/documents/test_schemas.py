"""docs/schemas describes the documents that are read and written, and nothing else."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from example_graphs import FOLDER, GRAPHS
from jsonschema import Draft202012Validator
from wgprim_cli import ROOT, refusal, run_json

Document = dict[str, Any]
Edit = Callable[[Document], object]


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


GRAPH = validator("graph")
PLAN = validator("plan")


def graph(name: str) -> Document:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.name)
def test_an_example_and_its_plan_are_as_described(path: Path) -> None:
    GRAPH.validate(graph(path.name))
    PLAN.validate(run_json("plan", path.name, cwd=FOLDER))


GOLDEN_PLANS = sorted((ROOT / "tests" / "golden").glob("*/*.json"))
GOLDEN_PLANS = [path for path in GOLDEN_PLANS if path.name != "variants.json"]


@pytest.mark.parametrize("path", GOLDEN_PLANS, ids=lambda path: path.name)
def test_a_golden_plan_is_as_described(path: Path) -> None:
    PLAN.validate(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("rows", [0, 1000, 70000, 2**32 - 1])
def test_a_plan_of_a_scan_is_as_described(rows: int) -> None:
    PLAN.validate(run_json("plan", "scan", "--n", rows))


# Each makes a sound graph unsound; the schema and the tool must both see it.
BROKEN_GRAPHS: dict[str, Edit] = {
    "no format": lambda g: g.pop("wgprim_graph"),
    "other format": lambda g: g.update(wgprim_graph=2),
    "unknown key": lambda g: g.update(node=[]),
    "unknown key of a buffer": lambda g: g["buffers"][0].update(role="imported"),
    "no bytes": lambda g: g["buffers"][0].pop("bytes"),
    "negative bytes": lambda g: g["buffers"][0].update(bytes=-4),
    "bytes of 2^64": lambda g: g["buffers"][0].update(bytes=2**64),
    "bytes in words": lambda g: g["buffers"][0].update(bytes="many"),
    "empty id": lambda g: g["buffers"][0].update(id=""),
    "unknown use": lambda g: g["buffers"][0].update(usage=["map-read"]),
    "unknown format": lambda g: g["views"][0].update(format="f16"),
    "view of nothing": lambda g: g["views"][0].pop("buffer"),
    "view of both": lambda g: g["views"][0].update(chunks=[]),
    "unknown operation": lambda g: g["nodes"][0].update(op="sort"),
    "no operation": lambda g: g["nodes"][0].pop("op"),
    "unknown key of a node": lambda g: g["nodes"][0].update(segments="a"),
    "operation of another version": lambda g: g["nodes"][4].update(op="compact"),
    "path of another version": lambda g: g["nodes"][0].update(path="single-pass"),
    "unknown operator": lambda g: g["nodes"][0].update(operator="product"),
    "operator without width": lambda g: g["nodes"][0].update(operator={"wgsl": ""}),
    "operator with more": lambda g: g["nodes"][0]["operator"].update(id="o"),
    "reverse in words": lambda g: g["nodes"][0].update(reverse="yes"),
    "initial value in words": lambda g: g["nodes"][0].update(init="five"),
    "reduction without output": lambda g: g["nodes"][4].pop("output"),
    "reduction with a mode": lambda g: g["nodes"][4].update(mode="inclusive"),
    "unknown mode": lambda g: g["nodes"][0].update(mode="both"),
    "GPU condition of a scan": lambda g: g["nodes"][0].update(indirect="count"),
    "condition without parameter": lambda g: g["nodes"][0].update(condition={}),
    "dependency that is no id": lambda g: g["nodes"][0].update(depends_on=[1]),
    "two texts": lambda g: g["nodes"][1].update(wgsl_file="own.wgsl"),
    "no text": lambda g: g["nodes"][1].pop("wgsl"),
    "two workgroup counts": lambda g: g["nodes"][1].update(workgroups=[1, 1]),
    "binding of 2^32": lambda g: g["nodes"][1]["uses"][0].update(binding=2**32),
    "access of other kind": lambda g: g["nodes"][1]["uses"][0].update(access="vertex"),
    "offset without record": lambda g: g["nodes"][1].update(byte_offset=4),
    "copy without source": lambda g: g["nodes"][2].pop("source"),
    "split scan without high sums": lambda g: g["nodes"][5].pop("output_high"),
    "split scan with an operator": lambda g: g["nodes"][5].update(operator="sum"),
    "clear of a source": lambda g: g["nodes"][3].update(source="a"),
}
SOUND_GRAPH: Document = {
    "wgprim_graph": 1,
    "buffers": [
        {"id": "a", "bytes": 64},
        {"id": "b", "bytes": "64"},
        {"id": "f", "bytes": 64},
        {"id": "total", "bytes": 4},
    ],
    "views": [{"id": "v", "buffer": "b", "rows": 8}],
    "nodes": [
        {
            "op": "scan",
            "id": "s",
            "input": "a",
            "output": "b",
            "mode": "inclusive",
            "operator": {
                "wgsl": "fn identity() -> Element { return 0u; }\n"
                "fn combine(a: Element, b: Element) -> Element { return a | b; }",
                "words": 1,
            },
            "segment_flags": "f",
            "reverse": True,
            "init": 5,
            "carry_out": "total",
            "path": "reduce-then-scan",
            "deterministic": True,
        },
        {
            "op": "compute",
            "id": "k",
            "wgsl": "@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n"
            "@compute @workgroup_size(1) fn main() { b[0] = 1u; }",
            "uses": [{"view": "b", "access": "storage-write", "binding": 0}],
            "workgroups": [1, 1, 1],
        },
        {"op": "copy", "id": "c", "source": "a", "destination": "b"},
        {"op": "clear", "id": "z", "destination": "v"},
        {"op": "reduce", "id": "r", "input": "b", "output": "total", "operator": "max"},
        {
            "op": "scan_u64",
            "id": "u",
            "input_low": "a",
            "input_high": "a",
            "output_low": "b",
            "output_high": "f",
            "mode": "inclusive",
            "row_count": "total",
            "path": "chained",
            "subgroups": "off",
        },
    ],
}


def test_the_graph_that_is_broken_below_is_sound(tmp_path: Path) -> None:
    GRAPH.validate(SOUND_GRAPH)
    (tmp_path / "graph.json").write_text(json.dumps(SOUND_GRAPH))
    PLAN.validate(run_json("plan", tmp_path / "graph.json"))


@pytest.mark.parametrize("what", BROKEN_GRAPHS)
def test_a_broken_graph_is_refused_by_schema_and_tool(what: str, tmp_path: Path) -> None:
    broken = copy.deepcopy(SOUND_GRAPH)
    BROKEN_GRAPHS[what](broken)
    assert not GRAPH.is_valid(broken)
    (tmp_path / "graph.json").write_text(json.dumps(broken))
    later = what.endswith("of another version")
    code = {"empty id": "invalid_graph"}.get(what, "unsupported" if later else "invalid_file")
    refusal("plan", tmp_path / "graph.json", status=2, code=code)


BROKEN_PLANS: dict[str, Edit] = {
    "other format": lambda p: p.update(wgprim_plan=2),
    "unknown key": lambda p: p.update(extra=1),
    "no workload": lambda p: p.pop("workload"),
    "node without waits": lambda p: p["nodes"][0].pop("after"),
    "unknown role": lambda p: p["buffers"][0].update(role="shared"),
    "unknown usage": lambda p: p["buffers"][0].update(usage=["map-read"]),
    "slot that is no index": lambda p: p["buffers"][0].update(slot="0"),
    "word of 2^32": lambda p: p["buffers"][0].update(words=[2**32]),
    "extent in words": lambda p: p["dispatches"][0]["extent"].update(keeps_workgroups=1),
    "shape of two": lambda p: p["dispatches"][0].update(shape=[1, 1]),
    "unknown access": lambda p: p["kernels"][0]["bindings"][0].update(access="read"),
    "constant of 2^32": lambda p: p["kernels"][0]["constants"].update(WIDTH=2**32),
    "unknown pass": lambda p: p["passes"][0].update(kind="draw"),
    "compute pass with bytes": lambda p: p["passes"][0].update(bytes=4),
    "number of 2^53 + 1": lambda p: p.update(scratch_bytes=2**53 + 1),
    "step without end": lambda p: p.update(steps=[{"first": 0, "oversized": False}]),
}


@pytest.mark.parametrize("what", BROKEN_PLANS)
def test_a_broken_plan_is_refused(what: str) -> None:
    plan = json.loads((ROOT / "tests/golden/plans/scan_1000.json").read_text(encoding="utf-8"))
    PLAN.validate(plan)
    BROKEN_PLANS[what](plan)
    assert not PLAN.is_valid(plan)


def lenient_objects(schema: Document, found: list[str], place: str = "#") -> list[str]:
    """Places of objects in a schema that would let unknown keys pass."""
    if isinstance(schema, dict):
        names = schema.get("properties")
        if isinstance(names, dict) and schema.get("type") == "object":
            is_switch = "allOf" in schema  # Its branches are strict.
            if schema.get("additionalProperties") is not False and not is_switch:
                found.append(place)
        for key, value in schema.items():
            lenient_objects(value, found, f"{place}/{key}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            lenient_objects(value, found, f"{place}/{index}")
    return found


@pytest.mark.parametrize("schema", [GRAPH.schema, PLAN.schema], ids=["graph", "plan"])
def test_no_object_takes_unknown_keys(schema: Document) -> None:
    assert lenient_objects(schema, []) == []
