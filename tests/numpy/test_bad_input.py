"""Input and paths that make no sense: one sentence that says what is wrong, status 2, no output."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from wgprim_cli import npy_bytes, random_words, refusal

WORDS = random_words(12)
Maker = Callable[[Path], object]


def array(values: np.ndarray) -> Maker:
    return lambda path: path.write_bytes(npy_bytes(values))


def contents(data: bytes) -> Maker:
    return lambda path: path.write_bytes(data)


NOTHING: Maker = lambda path: None
NOT_TAKEN = "1-D little-endian arrays of "
NOT_TAKEN += "uint32, int32, uint64, int64 or float32 are accepted"

INPUTS: dict[str, tuple[Maker, list[str], str, list[str]]] = {
    # name: (what makes the input, options, code, words of the sentence)
    "missing": (NOTHING, [], "io", ["does not exist"]),
    "directory": (lambda path: path.mkdir(), [], "io", ["is a directory"]),
    "loop": (lambda path: path.symlink_to(path), [], "io", ["cannot be opened"]),
    "empty": (contents(b""), [], "invalid_file", ["is empty", "--dtype"]),
    "text": (contents(b"3,1,4,2\n"), [], "invalid_file", ["is not a .npy file", "--dtype"]),
    "cut data": (
        contents(npy_bytes(WORDS)[:-1]),
        [],
        "invalid_file",
        ["is truncated", "48 bytes", "47 are there"],
    ),
    "cut header": (contents(npy_bytes(WORDS)[:100]), [], "invalid_file", ["is truncated"]),
    "cut magic": (contents(b"\x93NUMPY\x01"), [], "invalid_file", ["is truncated"]),
    "broken header": (
        contents(npy_bytes(WORDS).replace(b"'shape'", b"'shade'")),
        [],
        "invalid_file",
        ["header"],
    ),
    "scalar": (array(np.array(7, np.uint32)), [], "invalid_file", ["0-D", NOT_TAKEN]),
    "two-dimensional": (
        array(WORDS.reshape(3, 4)),
        [],
        "invalid_file",
        ["2-D array of shape (3, 4)", NOT_TAKEN],
    ),
    "Fortran": (
        array(np.asfortranarray(WORDS.reshape(3, 4))),
        [],
        "invalid_file",
        ["2-D array in Fortran order of shape (3, 4)", NOT_TAKEN],
    ),
    "big-endian": (array(WORDS.astype(">u4")), [], "invalid_file", ["big-endian", NOT_TAKEN]),
    "complex": (array(WORDS.astype(np.complex64)), [], "invalid_file", ["complex", NOT_TAKEN]),
    "strings": (array(np.array(["a", "b"])), [], "invalid_file", ["strings", NOT_TAKEN]),
    "records": (
        array(np.zeros(3, [("x", np.uint32), ("y", np.uint32)])),
        [],
        "invalid_file",
        ["structured", NOT_TAKEN],
    ),
    "raw of unknown length": (
        contents(bytes(10)),
        ["--dtype", "uint32"],
        "invalid_file",
        ["10 bytes", "multiple of the 4 bytes of a uint32 row"],
    ),
    "raw of unknown type": (
        contents(bytes(8)),
        ["--dtype", "uint33"],
        "invalid_argument",
        ["'uint33'", NOT_TAKEN],
    ),
    "raw of a type not taken": (
        contents(bytes(8)),
        ["--dtype", "float64"],
        "invalid_argument",
        ["float64", NOT_TAKEN],
    ),
}
for dtype in ("bool", "uint8", "int16", "float16", "float64"):
    words = [f"holds {dtype} elements", NOT_TAKEN]
    INPUTS[dtype] = (array(np.ones(5, dtype)), [], "unsupported", words)


@pytest.mark.parametrize("name", INPUTS)
def test_input_that_cannot_be_taken(folder: Path, name: str) -> None:
    make, options, code, words = INPUTS[name]
    path = folder / "data.npy"
    make(path)
    before = os.listdir(folder)
    message = refusal(
        "scan", path, "-o", folder / "out.npy", *options, status=2, code=code
    )
    for word in [*words, *([] if name == "raw of unknown type" else [str(path)])]:
        assert word in message
    assert os.listdir(folder) == before


def test_standard_input_is_named_too() -> None:
    message = refusal("scan", "-", "-o", "/dev/null", input=b"3,1,4", status=2, code="invalid_file")
    assert message.startswith("Standard input is not a .npy file")


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("no/such/folder/out.npy", "does not exist"),
        ("in.npy/out.npy", "in.npy"),
        (".", "is a directory"),
        ("folder", "is a directory"),
        ("folder/", "names no file"),
        ("", "names no file"),
        ("x" * 300, "File name too long"),
    ],
)
def test_output_that_cannot_be(folder: Path, output: str, words: str) -> None:
    np.save(folder / "in.npy", WORDS)
    (folder / "folder").mkdir()
    message = refusal("scan", "in.npy", "-o", output, cwd=folder, status=2, code="io")
    assert words in message
    assert sorted(os.listdir(folder)) == ["folder", "in.npy"]
    assert not os.listdir(folder / "folder")
    assert (folder / "in.npy").read_bytes() == npy_bytes(WORDS)
