"""The pages of docs/ say what is so: sessions print what they show, code and graphs are quoted from
examples that other tests run, links lead somewhere, and the contract tables have the same rows."""

import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from example_graphs import FOLDER, GRAPHS
from wgprim_cli import CLI, ROOT, TIME_LIMIT_S, environment

PRIMITIVES = ["scan.md", "reduce.md", "scan-u64.md"]
PAGES = [*PRIMITIVES, "choosing.md", "subgroups.md"]
FOLDERS = (".", "docs", "examples/graphs", "data")
LINKING = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.md"))]
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def text_of(page: str) -> str:
    return (ROOT / "docs" / page).read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)


def flush_left(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().splitlines())


def example_text(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    return flush_left(text.replace("\\n", "\n") if path.suffix == ".json" else text)


EXAMPLES = "\n".join(map(example_text, [*(ROOT / "examples").glob("*.cpp"), *GRAPHS]))


def sessions() -> list[tuple[str, str]]:
    return [(page, block) for page in PAGES for block in blocks(page, "console")]


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of examples/graphs, and a folder with `wgprim` and `python`."""
    place = tmp_path_factory.mktemp("pages")
    shutil.copytree(FOLDER, place / "graphs")
    (place / "bin").mkdir()
    (place / "bin" / "wgprim").symlink_to(CLI)
    (place / "bin" / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (place / "bin" / "python").chmod(0o755)
    return place


def as_pattern(line: str) -> str:
    """`...` stands for anything within a line, and on a line of its own for any lines."""
    if line == "...\n":
        return r"(?:.*\n)*?"
    return ".*".join(map(re.escape, line.split("...")))


@pytest.mark.parametrize(
    "session", sessions(), ids=[f"{page}-{i}" for i, (page, _) in enumerate(sessions())]
)
def test_a_session_prints_what_the_page_shows(session: tuple[str, str], workplace: Path) -> None:
    path = environment()["PATH"]
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session[1], re.MULTILINE):
        done = subprocess.run(
            command,
            shell=True,
            cwd=workplace / "graphs",
            env=environment(PATH=f"{workplace / 'bin'}:{path}"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIME_LIMIT_S,
            check=False,
            text=True,
        )
        pattern = "".join(map(as_pattern, shown.splitlines(keepends=True)))
        assert re.fullmatch(pattern, done.stdout), f"{command} printed\n{done.stdout}"


@pytest.mark.parametrize("page", PAGES)
def test_a_graph_on_a_page_is_an_example(page: str) -> None:
    files = {path.read_text(encoding="utf-8") for path in GRAPHS}
    for graph in blocks(page, "json"):
        assert graph in files


@pytest.mark.parametrize("page", PAGES)
def test_code_on_a_page_is_quoted_from_an_example(page: str) -> None:
    for block in [*blocks(page, "cpp"), *blocks(page, "wgsl")]:
        assert flush_left(block) in EXAMPLES, textwrap.shorten(block, 200)


@pytest.mark.parametrize("page", PRIMITIVES)
def test_a_primitive_has_the_three_forms_and_the_contract(page: str) -> None:
    for language in ("cpp", "json", "console"):
        assert blocks(page, language)
    assert contract_rows(page) == contract_rows("scan.md")
    assert len(contract_rows(page)) == 13


def contract_rows(page: str) -> list[str]:
    section = text_of(page).split("## Contract\n")[1].split("\n## ")[0]
    return re.findall(r"^\| ([a-z, ]+?) \|", section, re.MULTILINE)


def anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", LINKING, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    text = CODE.sub("", path.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        found = path.parent / file if file else path
        assert found.exists(), target
        assert not anchor or anchor in anchors(found), target


def test_the_readme_leads_to_every_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in sorted((ROOT / "docs").glob("*.md")):
        assert f"(docs/{path.name}" in readme
