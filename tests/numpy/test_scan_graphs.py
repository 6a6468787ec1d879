"""Scans and reductions of every kind as nodes of graph files, against their definition."""

import json
import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from family import EXACT, Row, RowOperator, reduce_rows, scan_rows
from graphs import Graph, buffer
from wgprim_cli import run_json

SENTINEL = 77
EDGES = [0, 1, 2, 3, 4, 5, 31, 63, 64, 65, 255, 256, 257, 511, 1023, 1024, 1025, 2047, 2049, 4095,
         4096, 4097, 5000]


class Case:
    """One graph of several nodes; each has buffers of its own, with sentinels around their rows."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.buffers: list[Graph] = []
        self.views: list[Graph] = []
        self.nodes: list[Graph] = []
        self.contents: dict[str, list[int]] = {}
        self.expected: dict[str, list[int]] = {}

    def words(self, count: int) -> list[int]:
        special = [0, 1, 0xFFFFFFFF, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00001, 0xFFC00000]
        pick = self.random
        return [pick.choice(special) if pick.random() < 0.1 else pick.getrandbits(32)
                for _ in range(count)]

    def operand(self, name: str, form: str, words: int, rows: list[Row], spare: int = 0) -> None:
        """A view of that name: chunks of one or several buffers, with sentinels between them."""
        pick = self.random
        style = pick.choice(["whole", "whole", "aligned", "odd", "chunks", "buffers"])
        cuts = [0, len(rows) + spare]
        if style in ("chunks", "buffers"):
            cuts += [pick.randrange(len(rows) + spare + 1) for _ in range(pick.choice([1, 2, 7, 40] if style == "chunks" else [1, 3]))]
        cuts.sort()
        chunks: list[Graph] = []
        pieces: list[list[int]] = [[]]
        flat = [word for row in rows for word in row] + [SENTINEL] * (spare * words)
        for first, last in zip(cuts, cuts[1:]):
            if style == "buffers":
                pieces.append([])
            gap = {"whole": 0, "aligned": 4, "odd": 1}.get(style, pick.randrange(4))
            pieces[-1] += [SENTINEL] * gap
            place = f"{name}.{len(pieces)}"
            chunks.append({"buffer": place, "rows": last - first, "byte_offset": 4 * len(pieces[-1])})
            pieces[-1] += flat[first * words : last * words]
        for i, piece in enumerate(pieces, 1):
            piece += [SENTINEL] * (0 if style == "whole" and piece else 1)
            if any(chunk["buffer"] == f"{name}.{i}" for chunk in chunks):
                self.buffers.append(buffer(f"{name}.{i}", 4 * len(piece)))
                self.contents[f"{name}.{i}"] = piece
        self.views.append({"id": name, "format": form, "chunks": chunks})

    def store(self, name: str, words: int, rows: list[Row]) -> None:
        """What the view of that name holds once these rows are in it."""
        view = next(view for view in self.views if view["id"] == name)
        flat = [word for row in rows for word in row]
        for chunk in view["chunks"]:
            place = self.expected.setdefault(chunk["buffer"], list(self.contents[chunk["buffer"]]))
            part, flat = flat[: chunk["rows"] * words], flat[chunk["rows"] * words :]
            at = chunk["byte_offset"] // 4
            place[at : at + len(part)] = part

    def rows(self, op: RowOperator, count: int) -> list[Row]:
        words = self.words(count * op.words)
        return [tuple(words[i : i + op.words]) for i in range(0, len(words), op.words)]

    def choices(self, node: Graph, paths: list[str], subgroups: list[str]) -> None:
        node["path"] = self.random.choice(paths)
        node["subgroups"] = self.random.choice(subgroups)

    def add_scan(self, op: RowOperator, count: int, subgroups: list[str]) -> None:
        pick = self.random
        name = f"s{len(self.nodes)}"
        rows = self.rows(op, count)
        self.operand(f"{name}.in", op.format, op.words, rows)
        target = f"{name}.in" if pick.random() < 0.2 else f"{name}.out"
        if target.endswith("out"):
            spare = pick.choice([0, 0, 3])
            self.operand(target, op.format, op.words, [(SENTINEL,) * op.words] * count, spare)
        inclusive, reverse = pick.random() < 0.5, pick.random() < 0.4
        node: Graph = {"op": "scan", "id": name, "input": f"{name}.in", "output": target,
                       "mode": "inclusive" if inclusive else "exclusive", "operator": op.json,
                       "reverse": reverse}
        flags = init = carry_in = None
        live = count
        if pick.random() < 0.5:
            density = pick.choice([0.0, 0.001, 0.02, 0.5, 1.0])
            flags = [pick.choice([1, 7, 0xFFFFFFFF]) if pick.random() < density else 0
                     for _ in range(count)]
            self.operand(f"{name}.flags", "uint32", 1, [(flag,) for flag in flags])
            node["segment_flags"] = f"{name}.flags"
        start = pick.choice(["none", "none", "init", "carry"])
        if start == "init" and op.format != "float32":
            init = self.rows(op, 1)[0]
            node["init"] = value_of(op, init)
        if start == "carry":
            carry_in = self.rows(op, 1)[0]
            self.operand(f"{name}.carry_in", op.format, op.words, [carry_in])
            self.views[-1]["chunks"] = [c for c in self.views[-1]["chunks"] if c["rows"]]
            node["carry_in"] = f"{name}.carry_in"
        if pick.random() < 0.4:
            live = pick.choice([0, 1, count // 2, max(count - 1, 0), count, count + 1, 0xFFFFFFFF])
            self.operand(f"{name}.count", "uint32", 1, [(live,)])
            self.views[-1]["chunks"] = [c for c in self.views[-1]["chunks"] if c["rows"]]
            node["row_count"] = f"{name}.count"
            live = min(live, count)
        self.choices(node, ["chained", "reduce-then-scan"], subgroups)
        output, carry_out = scan_rows(op, rows[:live], inclusive, flags, reverse, init, carry_in)
        self.store(target, op.words, output)
        if pick.random() < 0.5:
            self.operand(f"{name}.carry_out", op.format, op.words, [(SENTINEL,) * op.words])
            self.views[-1]["chunks"] = [c for c in self.views[-1]["chunks"] if c["rows"]]
            node["carry_out"] = f"{name}.carry_out"
            self.store(f"{name}.carry_out", op.words, [carry_out])
        self.nodes.append(node)

    def add_reduce(self, op: RowOperator, count: int, subgroups: list[str]) -> None:
        name = f"r{len(self.nodes)}"
        rows = self.rows(op, count)
        self.operand(f"{name}.in", op.format, op.words, rows)
        self.operand(f"{name}.out", op.format, op.words, [(SENTINEL,) * op.words])
        self.views[-1]["chunks"] = [c for c in self.views[-1]["chunks"] if c["rows"]]
        node: Graph = {"op": "reduce", "id": name, "input": f"{name}.in", "output": f"{name}.out",
                       "operator": op.json}
        self.choices(node, ["chained", "reduce-then-scan"], subgroups)
        self.store(f"{name}.out", op.words, [reduce_rows(op, rows)])
        self.nodes.append(node)

    def run(self, folder: Path, *options: str) -> None:
        graph = {"wgprim_graph": 1, "id": "family", "buffers": self.buffers, "views": self.views,
                 "nodes": self.nodes}
        path = folder / "graph.json"
        path.write_text(json.dumps(graph))
        arguments: list[str] = []
        for name, words in self.contents.items():
            (folder / f"{name}.bin").write_bytes(np.array(words, dtype=np.uint32).tobytes())
            arguments += ["--bind", f"{name}={folder / name}.bin"]
        for name in self.expected:
            arguments += ["--out", f"{name}={folder / name}.out"]
        run_json("run", path, *arguments, *options)
        for name, words in self.expected.items():
            found = np.fromfile(folder / f"{name}.out", dtype=np.uint32)
            wrong = np.flatnonzero(found != np.array(words, dtype=np.uint32))
            node = next(n for n in self.nodes if n["id"] == name.split(".")[0])
            assert wrong.size == 0, (
                f"{node}: words {wrong[:5]} of '{name}' are {found[wrong[:5]]}, not "
                f"{[words[i] for i in wrong[:5]]}; {len(words)} words")


def value_of(op: RowOperator, row: Row) -> Any:
    if op.format.endswith("64"):
        value = row[0] | row[1] << 32
        if op.format == "int64" and value >> 63:
            value -= 1 << 64
        return str(value)
    if op.format == "int32":
        return row[0] - (1 << 32) if row[0] >> 31 else row[0]
    return row[0] if op.words == 1 else list(row)


@pytest.mark.parametrize("seed", range(int(os.environ.get("SEEDS", "12"))))
def test_random_scans_and_reductions(folder: Path, seed: int) -> None:
    case = Case(seed)
    for _ in range(8):
        op = case.random.choice(EXACT)
        case.add_scan(op, case.random.choice(EDGES), ["auto", "off"])
    for _ in range(3):
        case.add_reduce(case.random.choice(EXACT), case.random.choice(EDGES), ["auto", "off"])
    case.run(folder)
