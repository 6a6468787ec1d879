"""The graphs of examples/graphs with what binds and sets them, as cases.json lists it."""

import json
from pathlib import Path
from typing import Any

from wgprim_cli import ROOT

FOLDER = ROOT / "examples" / "graphs"
GRAPHS = sorted(path for path in FOLDER.glob("*.json") if path.name != "cases.json")
CASES: list[dict[str, Any]] = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))


def command(case: dict[str, Any], out: Path) -> list[str]:
    """The arguments of `wgprim`, run in FOLDER; results go to NAME.npy in `out`."""
    words = ["run", case["graph"]]
    for buffer, file in case["bind"].items():
        words += ["--bind", f"{buffer}={file}"]
    for parameter, value in case["set"].items():
        words += ["--set", f"{parameter}={json.dumps(value)}"]
    for name in case["out"]:
        words += ["--out", f"{name}={out / name}.npy"]
    return words
