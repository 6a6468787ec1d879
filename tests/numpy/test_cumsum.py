"""Scans against numpy.cumsum: every size at which scans break, both modes, both types."""

from pathlib import Path

import numpy as np
import pytest
from wgprim_cli import (
    MODES,
    TIME_LIMIT_S,
    adapter_info,
    cumsum,
    is_lavapipe,
    npy_bytes,
    random_words,
    run_json,
    scan,
)

# Around subgroups, blocks of 256 rows and blocks of blocks; multiples and non-multiples of each.
SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 1023]
SIZES += [1024, 1025, 4095, 4096, 4097, 65535, 65536, 65537, 131071, 131072]

# Too slow for a CPU driver that is slow at barriers: one configuration each, on the faster one.
LARGE_SIZES = [(2**20, "exclusive"), (1001000, "inclusive"), (4194304, "inclusive")]
LARGE_SIZES += [(4194305, "exclusive")]


@pytest.mark.parametrize("rows", SIZES)
def test_both_modes_equal_cumsum(folder: Path, rows: int) -> None:
    words = random_words(rows)
    exclusive = scan(folder, words, "exclusive")
    inclusive = scan(folder, words, "inclusive")
    np.testing.assert_array_equal(exclusive, cumsum(words, "exclusive"))
    np.testing.assert_array_equal(inclusive, cumsum(words, "inclusive"))
    # Contract I-1, which needs no oracle.
    np.testing.assert_array_equal(exclusive, inclusive - words)
    assert exclusive[:1].sum() == 0
    assert int(inclusive[-1:].sum()) == int(words.sum(dtype=np.uint64)) % 2**32


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rows", [1024, 1000])
def test_int32_wraps_as_in_numpy(folder: Path, rows: int, mode: str) -> None:
    words = random_words(rows, "int32")
    words[:2] = np.iinfo(np.int32).max  # their sum alone is negative
    result = scan(folder, words, mode)
    assert (folder / "out.npy").read_bytes() == npy_bytes(cumsum(words, mode))
    assert result[2 if mode == "exclusive" else 1] == -2


@pytest.mark.parametrize("rows", [255, 256, 257, 65535, 65537, 10**6])
def test_offsets_of_flags_compact(folder: Path, rows: int) -> None:
    """Contract I-2: offsets of 0/1 flags are each survivor's own place."""
    flags = np.random.default_rng(rows).integers(0, 2, rows, np.uint32)
    offsets = scan(folder, flags, "exclusive")
    count = int(offsets[-1] + flags[-1])
    assert count == np.count_nonzero(flags)
    assert (offsets[1:] >= offsets[:-1]).all()
    places = np.full(count, rows, np.int64)
    survivors = flags != 0
    places[offsets[survivors]] = np.arange(rows)[survivors]
    np.testing.assert_array_equal(places, np.flatnonzero(flags))


@pytest.mark.when(is_lavapipe())
@pytest.mark.parametrize(("rows", "mode"), LARGE_SIZES)
def test_large_arrays_equal_cumsum(folder: Path, rows: int, mode: str) -> None:
    words = random_words(rows)
    np.testing.assert_array_equal(scan(folder, words, mode), cumsum(words, mode))


@pytest.mark.when(is_lavapipe())
@pytest.mark.parametrize(("path", "least"), [("chained", 8), ("auto", 4)])
def test_an_array_over_several_bindings(folder: Path, path: str, least: int) -> None:
    """256 MiB where a binding holds 128: more dispatches than one binding would take."""
    rows = 2**26
    assert adapter_info()["limits"]["maxStorageBufferBindingSize"] < 4 * rows
    words = random_words(rows)
    np.save(folder / "in.npy", words)
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy", "--inclusive", "--verify"]
    command += ["--path", path]
    report = run_json(*command, timeout=5 * TIME_LIMIT_S)
    assert report["verified"] is True
    assert report["dispatches"] >= least
    np.testing.assert_array_equal(np.load(folder / "out.npy"), cumsum(words, "inclusive"))
