#!/usr/bin/env python3
"""Makes data/seattle_precipitation.npy from seattle-weather.csv: `make_demo_data.py CSV NPY`.

One uint32 a day: precipitation in tenths of a millimetre, the unit that the stations report in.
data/README.md tells where the CSV file comes from. Standard library only.
"""

import csv
import struct
import sys
from decimal import Decimal
from pathlib import Path

HEADER_BYTES = 128


def read_tenths(path: Path) -> list[int]:
    with path.open(newline="", encoding="utf-8") as file:
        days = [Decimal(row["precipitation"]) * 10 for row in csv.DictReader(file)]
    if any(day != int(day) or day < 0 for day in days):
        raise ValueError(f"'{path}' holds a value that is not a whole number of tenths.")
    return [int(day) for day in days]


def npy_bytes(values: list[int]) -> bytes:
    prefix = b"\x93NUMPY\x01\x00" + struct.pack("<H", HEADER_BYTES - 10)
    header = f"{{'descr': '<u4', 'fortran_order': False, 'shape': ({len(values)},), }}"
    padded = header.ljust(HEADER_BYTES - 10 - 1) + "\n"
    return prefix + padded.encode("ascii") + struct.pack(f"<{len(values)}I", *values)


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    Path(sys.argv[2]).write_bytes(npy_bytes(read_tenths(Path(sys.argv[1]))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
