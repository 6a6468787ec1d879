"""The tests of this folder run the command-line tool as those of tests/numpy do."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "numpy"))
