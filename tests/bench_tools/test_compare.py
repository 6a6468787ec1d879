"""bench/compare: ratios with their noise, what is marked, and what is no benchmark run."""

import math
from pathlib import Path

import pytest
from bench_tools import Report, refusal, report, result, run, write


def compare(folder: Path, a: Report, b: Report, *options: object) -> list[str]:
    before, after = write(folder / "a.json", a), write(folder / "b.json", b)
    return run("compare", before, after, *options).stdout.splitlines()


def row_of(lines: list[str], name: str) -> list[str]:
    """The cells behind a variant's name: A us, B us, B/A, noise in percent, mark."""
    (line,) = [line for line in lines if f" {name} " in line]
    return line.split(name, 1)[1].replace("±", "").replace(" %", "").split()


def one(median: float, p95: float | None = None) -> Report:
    return report({65536: [result("scan", median, p95)]})


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((100, 103), (120, 124.8), ["100.0", "120.0", "1.200", "5.0", "slower"]),  # 3 %, 4 %
        ((120, 124.8), (100, 103), ["120.0", "100.0", "0.833", "5.0", "faster"]),
        ((100, 103), (104.9, 109.096), ["100.0", "104.9", "1.049", "5.0"]),
        ((100, 103), (105.1, 109.304), ["100.0", "105.1", "1.051", "5.0", "slower"]),
        ((105.1, 109.304), (100, 103), ["105.1", "100.0", "0.951", "5.0", "faster"]),
        ((100, 100), (100.9, 100.9), ["100.0", "100.9", "1.009", "1.0"]),  # the least noise
        ((100, 100), (101.1, 101.1), ["100.0", "101.1", "1.011", "1.0", "slower"]),
        ((100, None), (500, 505), ["100.0", "500.0", "5.000", "unknown"]),
        ((100, 90), (100, 100), ["100.0", "100.0", "1.000", "1.0"]),  # never below none
    ],
)
def test_ratio_noise_and_mark(
    tmp_path: Path,
    before: tuple[float, float | None],
    after: tuple[float, float | None],
    expected: list[str],
) -> None:
    lines = compare(tmp_path, one(*before), one(*after))
    assert row_of(lines, "scan") == expected
    marked = int(len(expected) == 5)
    assert lines[-1].startswith(f"{marked} of 1 differ by more than their noise")


def test_least_noise_is_an_option(tmp_path: Path) -> None:
    lines = compare(tmp_path, one(100, 100), one(104, 104), "--least", "5")
    assert row_of(lines, "scan") == ["100.0", "104.0", "1.040", "5.0"]


def test_a_step_of_the_clock_is_noise(tmp_path: Path) -> None:
    coarse = one(10, 10)
    coarse["sizes"][0] |= {"clock_step_ns": 2000, "batch": 2}  # 1 us in 10, in both runs
    noise = f"{100 * math.hypot(0.1, 0.1):.1f}"
    assert row_of(compare(tmp_path, coarse, coarse), "scan")[3] == noise


def test_sizes_and_variants_stay_apart(tmp_path: Path) -> None:
    a = report({2**16: [result("copy", 5, 5), result("scan", 10, 10)], 1000: [result("x", 1, 1)]})
    b = report({2**16: [result("scan", 20, 20), result("new", 1, 1)], 2**17: [result("y", 9, 9)]})
    lines = compare(tmp_path, a, b)
    assert [line for line in lines if "±" in line] == [
        "2^16  scan  10.0  20.0  2.000  ±1.0 %  slower"
    ]
    alone = [line for line in lines if line.startswith("only in ")]
    assert alone == [
        "only in A: 1,000 x",
        "only in A: 2^16 copy",
        "only in B: 2^16 new",
        "only in B: 2^17 y",
    ]


def test_machines_and_versions_are_named(tmp_path: Path) -> None:
    lines = compare(tmp_path, one(1, 1), one(1, 1) | {"adapter": "Other GPU", "driver": ""})
    assert lines[0] == "A: Toy GPU, driver 1.2; wgprim 9.8.7, wgpu-native 6.5"
    assert lines[1] == "B: Other GPU; wgprim 9.8.7, wgpu-native 6.5"
    assert lines[2] == "The runs are of different machines."


def test_different_clocks_and_scans_are_named(tmp_path: Path) -> None:
    device = one(1, 1) | {"clock": "device", "mode": "exclusive"}
    lines = compare(tmp_path, device, device | {"clock": "host", "mode": "inclusive"})
    assert lines[2] == "The runs are timed by different clocks, the device's and the host's."
    assert lines[3] == "The runs are of different scans, exclusive and inclusive."
    assert "different" not in " ".join(compare(tmp_path, device, one(1, 1)))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"operation": "reduce"}, "The runs are of different operations."),
        ({"op": "max"}, "The runs combine rows by different operators."),
        ({"dtype": "int64"}, "The runs are of rows of different types."),
        ({"reverse": True}, "The runs are of scans in different directions."),
        ({"segments": 0.5}, "The runs are of different shares of rows that start a segment."),
    ],
)
def test_what_is_computed_is_compared(
    tmp_path: Path, change: dict[str, object], sentence: str
) -> None:
    what = {"operation": "scan", "op": "sum", "dtype": "uint32", "reverse": False,
            "segments": None}
    lines = compare(tmp_path, one(1, 1) | what, one(1, 1) | what | change)
    assert lines[2] == sentence
    assert sentence not in compare(tmp_path, one(1, 1) | what, one(1, 1) | what)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is not JSON"),
        ("[]", "no list 'sizes'"),
        ('{"implementations": []}', "one of bench workgroup-scan, which knows no sizes"),
        (
            '{"sizes": [{"rows": 4, "results": []}, {"rows": 4, "results": []}]}',
            "the size of 4 rows is there twice",
        ),
        ('{"sizes": 3}', "no list 'sizes'"),
        ('{"sizes": [{"results": []}]}', "no positive number 'rows'"),
        ('{"sizes": [{"rows": 4}]}', "4 rows has no list 'results'"),
        ('{"sizes": [{"rows": 4, "results": [{}]}]}', "4 rows has no 'name'"),
        ('{"sizes": [{"rows": 4, "results": [{"name": "x"}]}]}', "'x' at 4 rows"),
        ('{"sizes": [{"rows": 4, "results": [{"name": "x", "median_us": 0}]}]}', "'median_us'"),
        ('{"sizes": [{"rows": 4, "results": [{"name": "x", "median_us": NaN}]}]}', "'median_us'"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path: Path, content: str, words: str) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(content, encoding="utf-8")
    good = write(tmp_path / "good.json", one(1, 1))
    for files in ((bad, good), (good, bad)):
        sentence = refusal("compare", *files)
        assert str(bad) in sentence
        assert words in sentence


def test_standard_input_is_named(tmp_path: Path) -> None:
    good = write(tmp_path / "good.json", one(1, 1))
    assert refusal("compare", "-", good).startswith("standard input is not JSON: ")


def test_no_time_is_nought(tmp_path: Path) -> None:
    lines = compare(tmp_path, one(0.04, 0.04), one(4000, 4000))
    assert row_of(lines, "scan")[:2] == ["0.040", "4000.0"]
    assert row_of(compare(tmp_path, one(4000, 4000), one(0.04, 0.04)), "scan")[2] == "0.000010"


def test_a_missing_file_and_nothing_in_common_are_refused(tmp_path: Path) -> None:
    good = write(tmp_path / "good.json", one(1, 1))
    other = write(tmp_path / "other.json", report({65536: [result("other", 1, 1)]}))
    assert "cannot be read: No such file" in refusal("compare", good, tmp_path / "none.json")
    assert "no size and name in common" in refusal("compare", good, other)
