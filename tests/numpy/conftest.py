"""What every test of this folder may ask for: an empty folder, a device that lies, one watched or counted."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from wgprim_cli import ROOT

BUILD = Path(os.environ.get("WGPRIM_BUILD_DIR", str(ROOT / "build")))
WEBGPU_HEADERS = BUILD / "wgpu-native" / "include"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "when(condition): a test for some adapters and no others")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leaves out the tests for other adapters: a skipped test is one that should have run."""
    items[:] = [
        item for item in items if all(mark.args[0] for mark in item.iter_markers("when"))
    ]


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder that goes with the test: some tests write half a gigabyte."""
    with tempfile.TemporaryDirectory(prefix="wgprim-test-") as path:
        yield Path(path)


def preloaded(name: str, factory: pytest.TempPathFactory) -> Path:
    """A library to preload, compiled from the C file of that name."""
    library = factory.mktemp(name) / f"{name}.so"
    source = Path(__file__).with_name(f"{name}.c")
    command = ["cc", "-Wall", "-Werror", "-shared", "-fPIC", f"-I{WEBGPU_HEADERS}"]
    subprocess.run([*command, "-o", library, source, "-ldl"], check=True)
    return library


@pytest.fixture(scope="session")
def lying_device(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library to preload: the faults that its C file lists, as the environment asks for them."""
    return preloaded("lying_device", tmp_path_factory)


@pytest.fixture(scope="session")
def watching_device(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library to preload: clears, dispatches and submits are written to WATCHED_CALLS."""
    return preloaded("watching_device", tmp_path_factory)


@pytest.fixture(scope="session")
def counting_device(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library to preload: the most bytes of buffers that lived at once go to PEAK_BYTES."""
    return preloaded("counting_device", tmp_path_factory)
