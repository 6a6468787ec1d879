"""bench/peers/run: one table of what is there; what is not, and what fails, by name."""

import json
from pathlib import Path

import pytest
from bench_tools import report, result, run

SIZES = ["--from", "10", "--to", "10", "--samples", "20"]


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    """A made-up wgprim that prints a report, and how it was called."""
    content = report({1024: [result("copy", 2, 2, share_of_copy=1), result("chained", 4, 5)]})
    tool = tmp_path / "wgprim"
    tool.write_text(f'#!/bin/sh\necho "$*" >&2\ncat <<END\n{json.dumps(content)}\nEND\n')
    tool.chmod(0o755)
    return tool


def test_the_peers_of_the_cpu_stand_in_one_table(tmp_path: Path, tool: Path) -> None:
    options = ["--wgprim", tool, "--only", "wgprim,cpu,numpy", "--output", tmp_path / "out"]
    done = run("peers/run", *SIZES, *options, "--adapter", "Toy")
    assert "bench scan --json --adapter Toy --from 10 --to 10 --samples 20" in done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["2^10", "wgprim", "copy", "2.0", "2.0", "0.51", "-", "1.00"] in lines
    assert ["wgprim", "chained", "4.0", "5.0", "0.26", "-", "-"] in lines
    for name, what in (("cpu", "std::inclusive_scan"), ("numpy", "numpy.cumsum")):
        assert [name, what] in [line[:2] for line in lines]
        saved = json.loads((tmp_path / "out" / f"{name}.json").read_text(encoding="utf-8"))
        assert [size["rows"] for size in saved["sizes"]] == [1024]
        assert {result["samples"] for result in saved["sizes"][0]["results"]} == {20}
        assert all(result["median_us"] > 0 for result in saved["sizes"][0]["results"])


def test_what_is_not_there_is_left_out_by_name(tmp_path: Path) -> None:
    options = ["--wgprim", tmp_path / "none", "--output", tmp_path / "out"]
    done = run("peers/run", *SIZES, *options, "--only", "wgprim,cpu", "--cpu-to", "9", status=1)
    assert "wgprim is left out: " in done.stdout
    assert "cpu is left out: the smallest size is above --cpu-to 9." in done.stdout
    assert done.stderr == "run: nothing was timed: no peer that was asked for is there.\n"
    assert "median us" not in done.stdout


def test_one_that_is_left_out_beside_one_that_ran_is_no_failure(tmp_path: Path, tool: Path) -> None:
    options = ["--wgprim", tool, "--only", "wgprim,cpu", "--cpu-to", "9"]
    assert "cpu is left out: " in run("peers/run", *SIZES, *options, "--output", tmp_path).stdout


@pytest.mark.parametrize("folder", ["/dev/null/x", "/proc/x"])
def test_a_folder_that_cannot_be_written_is_refused(folder: str) -> None:
    done = run("peers/run", *SIZES, "--only", "cpu", "--output", folder, status=2)
    assert done.stderr.startswith(f"run: the folder {folder} cannot be written: ")
    assert done.stderr.count("\n") == 1


def test_no_rate_of_the_table_is_nought(tmp_path: Path, tool: Path) -> None:
    slow = report({1024: [result("chained", 4e5, 5e5, gigabytes_per_second=2e-5)]})
    tool.write_text(f"#!/bin/sh\ncat <<END\n{json.dumps(slow)}\nEND\n")
    options = ["--wgprim", tool, "--only", "wgprim", "--output", tmp_path]
    lines = [line.split() for line in run("peers/run", *SIZES, *options).stdout.splitlines()]
    chained = ["2^10", "wgprim", "chained", "400000.0", "500000.0", "0.0000026", "0.000020", "-"]
    assert chained in lines


def compiler(folder: Path, program: str) -> Path:
    """A made-up nvcc that takes any source for this shell script."""
    compiler = folder / "nvcc"
    compiler.write_text(
        "#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done  # the last argument: where to\n"
        f"printf '#!/bin/sh\\n%s\\n' '{program}' >\"$1\" && chmod +x \"$1\"\n"
    )
    compiler.chmod(0o755)
    return compiler


def test_cub_is_left_out_without_a_compiler_or_a_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = [*SIZES, "--only", "cuda", "--output", tmp_path / "out"]
    monkeypatch.setenv("NVCC", str(tmp_path / "none"))
    assert "cuda is left out: " in run("peers/run", *options, status=1).stdout
    monkeypatch.setenv("NVCC", str(compiler(tmp_path, "exit 77")))
    done = run("peers/run", *options, status=1)
    assert "cuda is left out: it finds no device." in done.stdout
    monkeypatch.setenv("NVCC", str(compiler(tmp_path, "exit 1")))
    assert "cuda FAILED: " in run("peers/run", *options, status=1).stdout


def test_what_fails_says_so(tmp_path: Path, tool: Path) -> None:
    tool.write_text("#!/bin/sh\necho 'wgprim: It broke.' >&2\nexit 1\n")
    options = ["--wgprim", tool, "--only", "wgprim", "--output", tmp_path / "out"]
    done = run("peers/run", *SIZES, *options, status=1)
    assert "wgprim: It broke." in done.stderr
    assert f"wgprim FAILED: {tool} left with status 1" in done.stdout
    assert not (tmp_path / "out" / "wgprim.json").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--only", "cpu,tpu"], "not 'tpu'"),
        (["--from", "12", "--to", "11"], "in order"),
        (["--samples", "3"], "at least 20"),
    ],
)
def test_nonsense_is_refused(options: list[str], words: str) -> None:
    assert words in run("peers/run", *options, status=2).stderr
