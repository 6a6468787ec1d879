"""wgprim run: words, graphs and kernels that make no sense end in a sentence, and leave nothing."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from graphs import branch_graph, buffer, compute, graph, select_graph, small_values, write
from wgprim_cli import refusal, run

WRONG = [  # (options, words of the sentence)
    ("", ["'sum'", "'totals'", "not set", "--set totals=true"]),
    ("--set totals=1", ["'totals'", "'1'", "true or false"]),
    ("--set totals=TRUE", ["'TRUE'"]),
    ("--set totals", ["--set", "'totals'"]),
    ("--set totals=true --set totals=true", ["'totals'", "twice"]),
    ("--set totals=true --set other=true", ["'other'"]),
    ("--set totals=true --repeat 0", ["--repeat", "at least 1"]),
    ("--set totals=true --repeat -1", ["--repeat", "'-1'"]),
    ("--set totals=true --budget nodes=1", ["--budget", "'invocations'", "missing"]),
    ("--set totals=true --budget invocations=0", ["'invocations'", "'0'"]),
    ("--set totals=true --budget invocations=1e3", ["'1e3'"]),
    ("--set totals=true --budget invocations=1,invocations=2", ["'invocations'", "twice"]),
    ("--set totals=true --budget invocations=1,time=2", ["'time'", "read_bytes"]),
    ("--set totals=true --budget invocations=1,nodes=0", ["'nodes'", "'0'"]),
    ("--set totals=true --budget invocations=1,", ["--budget", "no bound ''", "invocations"]),
    ("--set totals=true --budget ,invocations=1", ["--budget", "no bound ''"]),
    ("--set totals=true --adapter 0 --n 5", ["--n"]),
    ("--set totals=true other.json", ["other.json"]),
]


@pytest.mark.parametrize(("options", "words"), WRONG)
def test_wrong_usage_says_what_is_right(folder: Path, options: str, words: list[str]) -> None:
    np.save(folder / "values.npy", small_values(100))
    write(folder, branch_graph(100))
    command = ["run", "graph.json", "--bind", "values=values.npy", "--out", "result=x.npy"]
    message = refusal(*command, *options.split(), status=2, code="invalid_argument", cwd=folder)
    for word in words:
        assert word in message
    assert sorted(os.listdir(folder)) == ["graph.json", "values.npy"]


GRAPHS = [  # (text, code, words): any graph's error names the file
    ("", "invalid_file", []),
    ("{", "invalid_file", []),
    ("[]", "invalid_file", []),
    ('{"wgprim_graph": 2}', "invalid_file", ["wgprim_graph"]),
    ('{"wgprim_graph": 1, "nodez": []}', "invalid_file", ["nodez"]),
    ("[" * 100_000, "invalid_file", []),
]


@pytest.mark.parametrize(("text", "code", "words"), GRAPHS)
@pytest.mark.parametrize("verb", ["run", "plan"])
def test_what_is_no_graph_is_refused_by_name(
    folder: Path, verb: str, text: str, code: str, words: list[str]
) -> None:
    (folder / "graph.json").write_text(text)
    message = refusal(verb, "graph.json", status=2, code=code, cwd=folder)
    assert message.startswith("Graph 'graph.json': ")
    for word in words:
        assert word in message


@pytest.mark.parametrize("verb", ["run", "plan"])
def test_files_that_are_not_there(folder: Path, verb: str) -> None:
    message = refusal(verb, "missing.json", status=2, code="io", cwd=folder)
    assert message == "Input 'missing.json' does not exist."
    node = compute("own", "", 1, ("rows", "write"))
    del node["wgsl"]
    write(folder, graph([buffer("rows", 4)], [node | {"wgsl_file": "missing.wgsl"}]))
    message = refusal(verb, "graph.json", status=2, code="io", cwd=folder)
    assert "missing.wgsl" in message
    assert message.startswith("Graph 'graph.json': ")


@pytest.mark.parametrize("verb", ["run", "plan"])
def test_a_graph_beyond_256_mib(folder: Path, verb: str) -> None:
    with open(folder / "graph.json", "wb") as file:
        file.truncate(2**28 + 1)
    message = refusal(verb, "graph.json", status=2, code="invalid_file", cwd=folder)
    assert "268435456" in message


@pytest.mark.parametrize("verb", ["run", "plan"])
def test_a_cycle_names_its_nodes(folder: Path, verb: str) -> None:
    contents = select_graph(100)
    contents["nodes"][0]["depends_on"] = ["scatter"]
    write(folder, contents)
    message = refusal(verb, "graph.json", status=2, code="invalid_graph", cwd=folder)
    assert "'flag'" in message
    assert "'scatter'" in message


def test_a_kernel_that_does_not_compile_leaves_nothing(folder: Path) -> None:
    node = compute("own", "@compute @workgroup_size(1) fn own() { nonsense(); }", 1,
                   ("rows", "write"))  # fmt: skip
    write(folder, graph([buffer("rows", 4)], [node]))
    command = ["run", "graph.json", "--out", "rows=rows.npy", "--json"]
    error = json.loads(run(*command, status=2, cwd=folder).stdout)["error"]
    assert error["code"] == "invalid_argument"
    assert "nonsense" in error["message"]
    assert os.listdir(folder) == ["graph.json"]
