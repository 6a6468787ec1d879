"""Graphs for the tests of `wgprim run` and `wgprim plan`: built as values, written as files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from wgprim_cli import Array

Graph = dict[str, Any]

FLAG = """
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> flags: array<u32>;
@compute @workgroup_size(64)
fn flag(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&values)) { flags[id.x] = u32(values[id.x] % 3u == 0u); }
}
"""

SCATTER = """
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(3) var<storage, read_write> kept: array<u32>;
@group(0) @binding(4) var<storage, read_write> count: array<u32>;
@compute @workgroup_size(64)
fn scatter(@builtin(global_invocation_id) id: vec3<u32>) {
  let rows = arrayLength(&values);
  if (id.x >= rows) { return; }
  if (flags[id.x] != 0u) { kept[offsets[id.x]] = values[id.x]; }
  if (id.x == rows - 1u) { count[0] = offsets[id.x] + flags[id.x]; }
}
"""


def compute(node: str, wgsl: str, groups: int, *uses: tuple[str, str], **keys: Any) -> Graph:
    """A kernel whose uses have the bindings 0, 1, ..."""
    listed = [
        {"view": view, "access": f"storage-{access}", "binding": binding}
        for binding, (view, access) in enumerate(uses)
    ]
    body = {"op": "compute", "id": node, "wgsl": wgsl, "uses": listed}
    return body | {"workgroups": [groups, 1, 1]} | keys


def scan(node: str, source: str, target: str, **keys: Any) -> Graph:
    return {"op": "scan", "id": node, "input": source, "output": target} | keys


def copy(node: str, source: str, target: str, **keys: Any) -> Graph:
    return {"op": "copy", "id": node, "source": source, "destination": target} | keys


def buffer(name: str, size: int, **keys: Any) -> Graph:
    return {"id": name, "bytes": size} | keys


def graph(buffers: list[Graph], nodes: list[Graph], views: list[Graph] | None = None) -> Graph:
    return {"wgprim_graph": 1, "id": "test", "buffers": buffers, "views": views or [],
            "nodes": nodes}  # fmt: skip


def select_graph(rows: int) -> Graph:
    """The multiples of 3: flags by the user's kernel, a scan of them, the user's scatter."""
    groups = -(-rows // 64)
    return graph(
        [
            buffer("values", 4 * rows),
            buffer("kept", 4 * rows),
            buffer("count", 4),
            buffer("offsets", 4 * rows),
            buffer("flags", 4 * rows, transient=True),
        ],
        [
            compute("flag", FLAG, groups, ("values", "read"), ("flags", "write")),
            scan("place", "flags", "offsets", path="chained"),
            compute(
                "scatter", SCATTER, groups, ("values", "read"), ("flags", "read"),
                ("offsets", "read"), ("kept", "write"), ("count", "write"),
            ),
        ],
    )  # fmt: skip


def branch_graph(rows: int) -> Graph:
    """`result` is `values`, or their running totals where `totals` is set."""
    size = 4 * rows
    if_totals = {"condition": {"parameter": "totals"}}
    return graph(
        [buffer("values", size), buffer("result", size), buffer("sums", size, transient=True)],
        [
            copy("keep", "values", "result"),
            scan("sum", "values", "sums", mode="inclusive", path="chained", **if_totals),
            copy("publish", "sums", "result", **if_totals),
        ],
    )


def write(folder: Path, contents: Graph, name: str = "graph.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(contents))
    return path


def small_values(rows: int) -> Array:
    return np.random.default_rng(rows).integers(0, 1000, rows, np.uint32)
