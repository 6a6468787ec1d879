"""Words on the command line: what is understood wherever it stands, and what is refused and how."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from wgprim_cli import cumsum, environment, npy_bytes, random_words, refusal, run, run_json

VERBS = ["info", "scan", "reduce", "run", "plan", "shader", "check", "bench"]
SHARED_OPTIONS = ["--help", "--json", "--adapter", "--limit", "--capability"]

WRONG = [  # (arguments, words of the sentence)
    ("", ["verb", *VERBS]),
    ("frobnicate", ["'frobnicate'", *VERBS]),
    ("info --frobnicate", ["--frobnicate"]),
    ("--frobnicate info", ["--frobnicate"]),
    ("--json info", ["--json"]),
    ("scan", ["IN"]),
    ("scan in.npy", ["--output"]),
    ("scan -o out.npy", ["IN"]),
    ("scan in.npy other.npy -o out.npy", ["other.npy"]),
    ("scan in.npy -o out.npy -o other.npy", ["--output may be given once, not 2 times."]),
    ("scan in.npy -o out.npy --inclusive --exclusive", ["--inclusive", "--exclusive"]),
    ("scan in.npy -o out.npy --exclusive --inclusive", ["--inclusive", "--exclusive"]),
    ("scan in.npy -o out.npy --path single-pass", ["--path", "'single-pass'", "auto, chained"]),
    ("scan in.npy -o out.npy --path 1", ["--path", "'1'", "auto, chained"]),
    ("scan in.npy -o out.npy --subgroups yes", ["--subgroups", "'yes'", "auto, on, off"]),
    ("scan in.npy -o out.npy --subgroups 2", ["--subgroups", "'2'", "auto, on, off"]),
    ("scan in.npy -o out.npy --limit maxBufferSize", ["maxBufferSize"]),
    ("scan in.npy -o out.npy --limit maxBufferSize=0", ["maxBufferSize", "'0'"]),
    ("scan in.npy -o out.npy --limit maxBufferSize=-1", ["maxBufferSize", "'-1'"]),
    ("scan in.npy -o out.npy --limit maxBufferSize=9999999999999999", ["only be lowered"]),
    ("scan in.npy -o out.npy --limit maxBuffers=1", ["'maxBuffers'", "maxBufferSize"]),
    ("scan in.npy -o out.npy --capability magic=on", ["'magic'", "subgroups"]),
    ("scan in.npy -o out.npy --capability subgroups=maybe", ["'maybe'"]),
    ("scan in.npy -o out.npy --capability subgroup_size=3", ["'3'"]),
    ("plan", ["OP|GRAPH"]),
    ("plan scan", ["--n"]),
    ("plan sort --n 5", ["'sort'", "scan"]),
    ("plan scan --n 5 --format xml", ["'xml'", "text, json, dot"]),
    ("plan scan --n 5 --format text --json", ["--json", "--format text"]),
    ("plan scan --n 5 --json --format dot", ["--json", "--format dot"]),
    ("plan scan --n 5 --budget nodes=1", ["--budget", "'invocations'"]),
    ("run", ["GRAPH"]),
    ("shader", ["KERNEL"]),
    ("shader sort_blocks", ["'sort_blocks'", "scan_blocks"]),
    ("shader scan_blocks --dialect hlsl", ["'hlsl'", "naga, tint"]),
    ("shader scan_blocks --constant ROWS_PER_LANE=-1", ["ROWS_PER_LANE=-1"]),
    ("shader scan_blocks --constant ROWS_PER_LANE", ["ROWS_PER_LANE"]),
    ("check", ["OP"]),
    ("check sort", ["'sort'", "scan"]),
    ("check scan --inclusive", ["--inclusive"]),  # here it is --mode, random unless told
    ("check scan --mode both", ["'both'", "exclusive, inclusive"]),
    ("check scan --seed -1", ["'-1'"]),
    ("check scan --cases -1", ["'-1'"]),
    ("bench", ["OP", "scan"]),
    ("bench sort", ["'bench' has no operation 'sort' (scan, reduce, workgroup-scan)."]),
    ("bench scan --sizes 0", ["'0'", "4294967295"]),
    ("bench scan --sizes 2^16,2^32", ["'2^32'", "2^31"]),
    ("bench scan --sizes 1e6", ["'1e6'"]),
    ("bench scan --from 20 --to 10", ["2^20", "2^10"]),
    ("bench scan --from 40 --to 41", ["up to 2^31, not 2^41"]),
    ("bench scan --sizes 8 --from 4", ["--sizes", "--from"]),
    ("bench scan --sizes 8,", ["Size ''"]),
    ("bench scan --sizes ,8", ["Size ''"]),
    ("bench scan --sizes 8,8", ["--sizes names 8 rows twice"]),
    ("bench scan --sizes 1024,2^10", ["--sizes names 1,024 rows twice"]),
    ("bench scan --sizes 8 --samples 0", ["from 1 to 100000, not 0"]),
    ("bench workgroup-scan --rounds 0", ["rounds must be from 1 to 1000000, not 0"]),
    ("bench workgroup-scan --rounds 4294967295", ["from 1 to 1000000"]),
    ("bench workgroup-scan --warmup 4294967295", ["warm-up iterations", "from 1 to 100000"]),
    ("bench workgroup-scan --measured 100001", ["measured iterations", "from 1 to 100000"]),
    ("bench workgroup-scan --dispatches 1000000", ["dispatches", "from 1 to 10000"]),
    ("bench workgroup-scan --workgroups 4294967295", ["workgroups x 32 rounds", "above"]),
    ("bench workgroup-scan --workgroups 4294967296", ["'4294967296'", "below 2^32"]),
    ("bench workgroup-scan --workgroups 1 --workgroups 2", ["once, not 2 times"]),
    ("bench workgroup-scan --workgroup-size 300", ["256 or 512", "300"]),
    ("bench workgroup-scan --mode both", ["'both'", "exclusive, inclusive"]),
    ("bench scan --in-place", ["--in-place"]),
]


@pytest.mark.parametrize(("arguments", "words"), WRONG)
def test_wrong_usage_says_what_is_right(folder: Path, arguments: str, words: list[str]) -> None:
    np.save(folder / "in.npy", random_words(10))
    command = arguments.split()
    if "--json" in command:
        error = run_json(*command, cwd=folder, status=2)["error"]
        assert error["code"] == "invalid_argument"
        message = error["message"]
    else:
        message = refusal(*command, cwd=folder, status=2, code="invalid_argument")
    for word in words:
        assert word in message
    assert os.listdir(folder) == ["in.npy"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("scan in.npy -o out.npy --output", "--output: a value is missing (OUT)."),
        ("scan in.npy -o out.npy --dtype", "--dtype: a value is missing (uint32|int32|uint64|int64|float32)."),
        ("scan in.npy -o out.npy --limit", "--limit: a value is missing (NAME=VALUE)."),
        ("scan in.npy -o out.npy --path", "--path: a value is missing (auto|chained|reduce-then-scan)."),
        ("info --adapter", "--adapter: a value is missing (NAME|INDEX)."),
        ("bench scan --from", "--from: a value is missing (EXPONENT)."),
        ("bench scan --adapter", "--adapter: a value is missing (NAME|INDEX)."),
        ("bench workgroup-scan --mode", "--mode: a value is missing (exclusive|inclusive)."),
    ],
)
def test_an_option_without_its_value(folder: Path, arguments: str, sentence: str) -> None:
    np.save(folder / "in.npy", random_words(10))
    done = run(*arguments.split(), cwd=folder, status=2)
    assert done.stdout == b""
    assert done.stderr.decode() == f"wgprim: {sentence}\n"
    assert os.listdir(folder) == ["in.npy"]


def test_an_empty_list_of_sizes_is_refused() -> None:
    sentence = refusal("bench", "scan", "--sizes", "", status=2, code="invalid_argument")
    assert sentence.startswith("Size '' is neither")


def test_two_things_cannot_have_stdout(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(10))
    done = run("scan", folder / "in.npy", "-o", "-", "--json", status=2)
    assert json.loads(done.stdout)["error"] == {
        "code": "invalid_argument",
        "message": "--json and -o - both want stdout.",
    }


@pytest.mark.parametrize("verb", VERBS)
def test_help_lists_the_shared_options(verb: str) -> None:
    text = run(verb, "--help").stdout.decode()
    assert all(option in text for option in SHARED_OPTIONS)
    assert text == run(verb, "-h").stdout.decode()
    assert verb in run("--help").stdout.decode()


@pytest.mark.parametrize("operation", ["scan", "workgroup-scan"])
def test_help_of_a_benchmark_lists_the_shared_options(operation: str) -> None:
    text = run("bench", operation, "--help").stdout.decode()
    assert all(text.count(option) == 1 for option in SHARED_OPTIONS)
    assert operation != "scan" or "share of copy is the copy's time over the scan's" in text
    assert operation == "scan" or "(default exclusive)" in text


def test_version() -> None:
    version = run("--version").stdout.decode().strip()
    assert version == run_json("info")["versions"]["wgprim"]


@pytest.mark.parametrize(
    "arguments",
    [
        "scan in.npy -o out.npy --inclusive",
        "scan --inclusive -o out.npy in.npy",
        "scan -o out.npy --inclusive in.npy",
        "scan --output=out.npy --inclusive -- in.npy",
        "scan -oout.npy in.npy --inclusive",
        "scan --limit maxBufferSize=1048576 in.npy --inclusive -o out.npy",
        "scan --capability timestamps=off in.npy --inclusive -o out.npy",
        "scan in.npy -o out.npy --inclusive --path chained --subgroups off --verify",
        "scan - -o out.npy --inclusive",
    ],
)
def test_order_of_words_is_free(folder: Path, arguments: str) -> None:
    words = random_words(1000)
    np.save(folder / "in.npy", words)
    with open(folder / "in.npy", "rb") as stdin:
        run(*arguments.split(), cwd=folder, stdin=stdin)
    assert (folder / "out.npy").read_bytes() == npy_bytes(cumsum(words, "inclusive"))


@pytest.mark.parametrize("name", ["info", "scan", "1", "-x.npy", "a b=c.npy", "zwölf.npy"])
def test_any_file_name_will_do(folder: Path, name: str) -> None:
    """Also a verb's, a number, one like an option's or with other letters."""
    words = random_words(100)
    (folder / name).write_bytes(npy_bytes(words))
    run("scan", "-o", f"./{name}.out", "--", name, cwd=folder)
    if not name.startswith("-"):
        run("scan", name, "-o", f"./{name}.out", cwd=folder)
    assert (folder / f"{name}.out").read_bytes() == cumsum(words, "exclusive").tobytes()


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_closed_stream_harms_no_file(folder: Path, closed: int) -> None:
    """The next file to be opened gets its number: words for the one must not land in the other."""
    words = random_words(1000)
    np.save(folder / "in.npy", words)
    loud = environment()
    del loud["WGPRIM_ADAPTER"]  # a software adapter is remarked on, on stderr
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy"]
    close = lambda: os.close(closed)  # noqa: E731
    run(*command, status=2 if closed == 1 else 0, env=loud, preexec_fn=close)
    assert (folder / "out.npy").read_bytes() == npy_bytes(cumsum(words, "exclusive"))
    run("scan", folder / "missing", "-o", folder / "out2.npy", status=2, preexec_fn=close)
    assert sorted(os.listdir(folder)) == ["in.npy", "out.npy"]
