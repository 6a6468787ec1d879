"""bench/plot: pictures in both formats that name the machine and every variant."""

import re
import struct
from pathlib import Path

import pytest
from bench_tools import Report, refusal, report, result, run, write


def sizes(*names: str) -> Report:
    """Four sizes of a copy and of variants that take twice, three times... as long."""

    def results(rows: int) -> list[Report]:
        return [
            result(name, rows * n / 1e3, rows * n / 900, share_of_copy=1 / n, samples=19 + n)
            for n, name in enumerate(("copy", *names), 1)
        ]

    return report({rows: results(rows) for rows in (2**16, 2**17, 2**18, 2**19)})


def texts(svg: Path) -> str:
    """The words in a picture, whose text is kept as text."""
    return " ".join(re.findall(r">([^<>]+)</(?:text|tspan)>", svg.read_text(encoding="utf-8")))


def test_a_png_is_drawn_without_a_display(tmp_path: Path) -> None:
    picture = tmp_path / "curves.png"
    run("plot", write(tmp_path / "a.json", sizes("chained")), "-o", picture)
    data = picture.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    assert width > 1200
    assert height > 400


def test_an_svg_says_what_it_shows(tmp_path: Path) -> None:
    picture = tmp_path / "curves.svg"
    run("plot", write(tmp_path / "a.json", sizes("chained & on", "single-pass")), "-o", picture)
    words = texts(picture)
    for expected in (
        "Toy GPU, driver 1.2",
        "wgprim 9.8.7, wgpu-native 6.5; medians of 20 to 22 samples",
        "chained &amp; on",
        "single-pass",
        "copy",
        "rows",
        "G rows/s",
        "µs",
    ):
        assert expected in words


def test_the_same_runs_draw_the_same_picture(tmp_path: Path) -> None:
    file = write(tmp_path / "a.json", sizes("chained"))
    run("plot", file, "-o", tmp_path / "one.svg")
    run("plot", file, "-o", tmp_path / "two.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_several_runs_share_a_picture(tmp_path: Path) -> None:
    before = write(tmp_path / "before.json", sizes("chained"))
    after = write(tmp_path / "after.json", sizes("chained", "single-pass"))
    picture = tmp_path / "curves.svg"
    run("plot", before, after, "-o", picture, "--title", "Two runs")
    words = texts(picture)
    for expected in ("Two runs", "before: chained", "after: chained", "after: single-pass"):
        assert expected in words
    run("plot", before, after, "-o", picture, "--only", "^single")
    assert "after: single-pass" in texts(picture)
    assert "chained" not in texts(picture)


@pytest.mark.parametrize("rows", [1, 1000, 250_000])
def test_one_size_with_nothing_but_a_median_is_enough(tmp_path: Path, rows: int) -> None:
    picture = tmp_path / "curves.png"
    file = write(tmp_path / "a.json", report({rows: [result("scan", 3)]}))
    done = run("plot", file, "-o", picture)
    assert picture.is_file()
    assert "Warning" not in done.stderr


def test_what_cannot_be_drawn_is_refused(tmp_path: Path) -> None:
    good = write(tmp_path / "good.json", sizes("chained"))
    empty = write(tmp_path / "empty.json", report({}))
    assert "must end in .png or .svg" in refusal("plot", good, "-o", tmp_path / "curves.pdf")
    assert "no results to draw" in refusal("plot", empty, "-o", tmp_path / "curves.png")
    assert "'('" in refusal("plot", good, "-o", tmp_path / "curves.png", "--only", "(")
    assert "cannot be written" in refusal("plot", good, "-o", tmp_path / "none" / "curves.png")
    assert "cannot be read" in refusal("plot", tmp_path / "none.json", "-o", "curves.png")
