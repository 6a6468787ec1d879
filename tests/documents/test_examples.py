"""Each example graph gives what cases.json says, by the command that its README shows."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from example_graphs import CASES, FOLDER, GRAPHS, command
from wgprim_cli import ROOT, run


def name_of(case: dict[str, Any]) -> str:
    return "-".join([case["graph"], *case["bind"].values(), *map(str, case["set"].values())])


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_an_example_gives_what_it_says(case: dict[str, Any], tmp_path: Path) -> None:
    run(*command(case, tmp_path), cwd=FOLDER)
    for name, expected in case["out"].items():
        found = np.load(tmp_path / f"{name}.npy")
        rows = np.array(expected, np.uint32 if isinstance(expected[0], int) else np.float32)
        assert found.dtype == rows.dtype
        np.testing.assert_array_equal(found.view(np.uint32), rows.view(np.uint32))


def test_every_graph_has_a_case() -> None:
    assert {case["graph"] for case in CASES} == {path.name for path in GRAPHS}


def test_the_readme_shows_the_commands_and_what_they_give() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for case in CASES:
        assert "wgprim " + " ".join(command(case, Path("results"))) in readme
        for name, expected in case["out"].items():
            assert f"- `{name}`: {' '.join(map(str, expected))}\n" in readme


def test_the_readme_lists_every_graph() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \[(\w+\.json)\]", readme, re.MULTILINE) == re.findall(
        r"^## (\w+\.json)$", readme, re.MULTILINE
    )
    for path in GRAPHS:
        assert f"| [{path.name}]({path.name}) |" in readme


def test_the_page_quotes_the_example() -> None:
    page = (ROOT / "docs" / "graph-files.md").read_text(encoding="utf-8")
    quoted = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    assert quoted == [(FOLDER / "select_rows.json").read_text(encoding="utf-8")]
