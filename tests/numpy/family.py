"""The scan family by its definition: rows as tuples of words, one combined after the other."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

M32 = 0xFFFFFFFF
M64 = 0xFFFFFFFFFFFFFFFF

Row = tuple[int, ...]
Combine = Callable[[Row, Row], Row]


@dataclass(frozen=True)
class RowOperator:
    """An operator as a graph file names it, for rows of a format."""

    name: str
    format: str
    words: int
    identity: Row
    combine: Combine
    json: Any


def to_float(row: Row) -> float:
    return float(struct.unpack("<f", struct.pack("<I", row[0]))[0])


def of_float(value: float) -> Row:
    try:
        return struct.unpack("<I", struct.pack("<f", value))
    except OverflowError:
        return (0x7F800000 if value > 0 else 0xFF800000,)


def wide(row: Row) -> int:
    return row[0] | row[1] << 32


def words_of(value: int) -> Row:
    return (value & M32, value >> 32 & M32)


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def float_key(row: Row) -> int:
    return ~row[0] & M32 if row[0] >> 31 else row[0] | 0x80000000


KEYS: dict[str, tuple[Callable[[Row], int], Callable[[Row], int]]] = {
    "uint32": (lambda r: r[0], lambda r: r[0]),
    "int32": (lambda r: signed(r[0], 32), lambda r: signed(r[0], 32)),
    "uint64": (wide, wide),
    "int64": (lambda r: signed(wide(r), 64), lambda r: signed(wide(r), 64)),
    "float32": (
        lambda r: float_key(r) + 0x007FFFFF & M32,
        lambda r: float_key(r) - 0x007FFFFF & M32,
    ),
}
LEAST = {"uint32": (0,), "int32": (1 << 31,), "uint64": (0, 0), "int64": (0, 1 << 31),
         "float32": (0xFF800000,)}
GREATEST = {"uint32": (M32,), "int32": (M32 >> 1,), "uint64": (M32, M32),
            "int64": (M32, M32 >> 1), "float32": (0x7F800000,)}


def built_in(name: str, form: str) -> RowOperator:
    words = 2 if form.endswith("64") else 1
    if name == "sum":
        if form == "float32":
            combine: Combine = lambda a, b: of_float(to_float(a) + to_float(b))
            return RowOperator(name, form, 1, (0x80000000,), combine, name)
        if words == 2:
            combine = lambda a, b: words_of(wide(a) + wide(b) & M64)
        else:
            combine = lambda a, b: (a[0] + b[0] & M32,)
        return RowOperator(name, form, words, (0,) * words, combine, name)
    if name == "min":
        key = KEYS[form][0]
        return RowOperator(name, form, words, GREATEST[form],
                           lambda a, b: b if key(b) < key(a) else a, name)
    key = KEYS[form][1]
    return RowOperator(name, form, words, LEAST[form],
                       lambda a, b: b if key(b) > key(a) else a, name)


MATRIX = """
fn identity() -> Element { return vec4u(1u, 0u, 0u, 1u); }
fn combine(a: Element, b: Element) -> Element {
  return vec4u(a.x * b.x + a.y * b.z, a.x * b.y + a.y * b.w,
               a.z * b.x + a.w * b.z, a.z * b.y + a.w * b.w);
}
"""
AFFINE = """
// x -> a.x * x + a.y, the left one first.
fn identity() -> Element { return vec2u(1u, 0u); }
fn combine(a: Element, b: Element) -> Element { return vec2u(a.x * b.x, a.y * b.x + b.y); }
"""
LAST = """
fn identity() -> Element { return 0u; }
fn combine(a: Element, b: Element) -> Element { return select(b, a, b == 0u); }
"""
TRIANGULAR = """
fn identity() -> Element { return vec3u(); }
fn combine(a: Element, b: Element) -> Element {
  return vec3u(a.x + b.x, a.y + b.y, a.z + b.z + a.x * b.y);
}
"""


def custom(name: str, text: str, identity: Row, combine: Combine) -> RowOperator:
    words = len(identity)
    form = "uint32" if words == 1 else f"uint32x{words}"
    return RowOperator(name, form, words, identity, combine, {"wgsl": text, "words": words})


CUSTOM = [
    custom("matrix", MATRIX, (1, 0, 0, 1), lambda a, b: (
        a[0] * b[0] + a[1] * b[2] & M32, a[0] * b[1] + a[1] * b[3] & M32,
        a[2] * b[0] + a[3] * b[2] & M32, a[2] * b[1] + a[3] * b[3] & M32)),
    custom("affine", AFFINE, (1, 0), lambda a, b: (a[0] * b[0] & M32, a[1] * b[0] + b[1] & M32)),
    custom("last", LAST, (0,), lambda a, b: b if b[0] else a),
    custom("triangular", TRIANGULAR, (0, 0, 0), lambda a, b: (
        a[0] + b[0] & M32, a[1] + b[1] & M32, a[2] + b[2] + a[0] * b[1] & M32)),
]
BUILT_IN = [built_in(name, form) for name in ("sum", "min", "max")
            for form in ("uint32", "int32", "uint64", "int64", "float32")
            if (name, form) != ("sum", "float32")]
EXACT = BUILT_IN + CUSTOM


def scan_rows(op: RowOperator, rows: list[Row], inclusive: bool = False,
              flags: list[int] | None = None, reverse: bool = False,
              init: Row | None = None, carry_in: Row | None = None) -> tuple[list[Row], Row]:
    """The output rows and the carry_out."""
    start = init if init is not None else op.identity
    running = carry_in if carry_in is not None else start
    output: list[Row] = [()] * len(rows)
    order = range(len(rows) - 1, -1, -1) if reverse else range(len(rows))
    for i in order:
        is_flagged = flags is not None and flags[i] != 0
        if is_flagged and not reverse:
            running = start
        after = op.combine(running, rows[i])
        output[i] = after if inclusive else running
        running = start if is_flagged and reverse else after
    return output, running


def reduce_rows(op: RowOperator, rows: list[Row]) -> Row:
    return scan_rows(op, rows)[1]
