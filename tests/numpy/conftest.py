"""What every test of this folder may ask for: an empty folder, and a device that lies."""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


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


@pytest.fixture(scope="session")
def lying_device(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library to preload: downloads of LIE_IN_BYTES bytes come back with one bit flipped."""
    library = tmp_path_factory.mktemp("lying-device") / "lying_device.so"
    source = Path(__file__).with_name("lying_device.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library
