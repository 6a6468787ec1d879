#!/usr/bin/env python3
"""Checks the layer law over the #includes, and the sizes of files.

docs/ARCHITECTURE.md has the reasons. `check_layers.py` prints each violation and exits 1 if there
is one; `check_layers.py --self-test` plants violations of every rule and checks that each is found.
"""

import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What each room may include besides the C++ standard library: rooms (first folder of a quoted
# path), public headers ("public", or one as "wgprim/x.hpp") and third parties by name.
ROOMS = {
    "include/wgprim": {"public"},
    "src/graph": {"graph", "kernels", "planner headers"},
    "src/kernels": {"kernels", "planner headers"},
    "src/ops": {"ops", "graph", "kernels", "planner headers"},
    "src/document": {
        "document", "ops", "graph", "planner headers", "document header", "nlohmann",
    },  # fmt: skip
    "src/native": {"native", "kernels", "plan headers", "webgpu.h", "system"},
    "src/api": {"api", "reference", "public"},
    "src/reference": {"reference", "public"},
    "src/io": {"io", "public", "fmt", "system"},
    "cli": {
        "cli", "bench", "io", "reference", "document", "kernels", "public",
        "fmt", "nlohmann", "CLI", "system",
    },  # fmt: skip
    "bench": {
        "bench", "io", "reference", "public",
        "fmt", "nlohmann", "CLI", "benchmark", "system",
    },  # fmt: skip
    "examples": {"public"},
    "web/planner": {
        "document", "ops", "graph", "kernels", "planner headers", "document header", "nlohmann",
    },  # fmt: skip
}
PLAN_HEADERS = {"plan", "limits", "result", "view", "budget", "report", "distribution"}
HEADER_GROUPS = {
    group: {f"wgprim/{name}.hpp" for name in names}
    for group, names in {
        "planner headers": PLAN_HEADERS | {"graph", "ops"},
        "plan headers": PLAN_HEADERS | {"native"},
        "document header": {"document"},
    }.items()
}
THIRD_PARTIES = {"nlohmann", "fmt", "CLI", "gtest", "gmock", "rapidcheck", "benchmark"}

# Rooms that also run as WebAssembly: no threads, files, streams or exceptions.
WASM_ROOMS = ("src/graph", "src/ops", "src/kernels", "src/document", "web/planner")
NOT_IN_WASM = {
    "condition_variable", "filesystem", "format", "fstream", "future", "iostream", "istream",
    "mutex", "ostream", "semaphore", "shared_mutex", "sstream", "stop_token", "thread",
}  # fmt: skip
EXCEPTION_WORD = re.compile(r"\b(throw|try|catch)\b")

# The executor runs plans; it knows no operation by name.
OPERATION_NAME = re.compile(r"\w*(?:scan|reduce|compact|partition)\w*", re.IGNORECASE)

WEBGPU_HEADERS = {"webgpu.h", "wgpu.h", "webgpu/webgpu.h", "webgpu/wgpu.h"}
WEBGPU_PLACES = ("src/native/", "include/wgprim/native.hpp")

# Longest file of each kind by the aim; half again more needs "Longer than" in its first lines.
LINE_AIMS = [  # (folder, suffixes, aim), first match wins
    ("shaders/shared", {".wgsl"}, 80),
    ("shaders", {".wgsl"}, 150),
    ("", {".hpp", ".h"}, 200),
    ("", {".cpp", ".py", ".sh", ".mjs", ".ts"}, 300),
]
CHECKED_FOLDERS = (
    "include", "src", "shaders", "cli", "bench", "examples", "tests", "tools", "web", "python",
)  # fmt: skip
SKIPPED_PARTS = {"node_modules", "dist", "__pycache__", ".venv"}
GENERATED_WGSL = "tests/golden/"  # final texts to compare with: their form follows from shaders/
WGSL_COLUMNS = 100

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def blank(pattern: re.Pattern[str], text: str) -> str:
    """The text with every match removed but its line breaks kept."""
    return pattern.sub(lambda match: "\n" * match.group().count("\n"), text)


def room_of(path: str) -> str | None:
    return next((room for room in ROOMS if path.startswith(room + "/")), None)


def kind_of(path: str, bracket: str, header: str) -> str | None:
    """What a header belongs to: a room, "public", "std", "system" or a third party."""
    first = header.split("/")[0]
    if header in WEBGPU_HEADERS:
        return "webgpu.h"
    if first == "wgprim":
        return "public"
    if first in THIRD_PARTIES or first.removesuffix(".h") in THIRD_PARTIES:
        return first.removesuffix(".h")
    if bracket == "<":
        return "std" if re.fullmatch(r"[a-z_0-9]+", header) else "system"
    if "/" in header:
        return first
    return (room_of(path) or path).split("/")[-1]  # a header of the same folder


def is_allowed(room: str, kind: str, header: str) -> bool:
    allowed = ROOMS[room]
    if kind == "std" or kind in allowed:
        return True
    if header.startswith("wgprim/detail/"):
        return True
    return any(header in HEADER_GROUPS[group] for group in allowed & HEADER_GROUPS.keys())


def check_includes(path: str, text: str) -> list[str]:
    found = []
    room = room_of(path)
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        bracket, header = match.groups()
        kind = kind_of(path, bracket, header)
        where = f"{path}:{number}: '{header}'"
        if kind == "webgpu.h":
            if not path.startswith(WEBGPU_PLACES):
                found.append(f"{where} may occur only under src/native and in wgprim/native.hpp.")
        elif room and not is_allowed(room, kind, header):
            seen = ", ".join(["the standard library", *sorted(ROOMS[room])])
            found.append(f"{where} is out of reach of {room}, which sees: {seen}.")
        if path.startswith(WASM_ROOMS) and bracket == "<" and header in NOT_IN_WASM:
            found.append(f"{where} is not available to {room}, which also runs as WebAssembly.")
    return found


def check_words(path: str, text: str) -> list[str]:
    found = []
    if path.startswith(WASM_ROOMS):
        for number, line in enumerate(blank(COMMENT_OR_STRING, text).splitlines(), 1):
            if match := EXCEPTION_WORD.search(line):
                word = f"{path}:{number}: '{match.group()}'"
                found.append(f"{word}: the planner is built without exceptions.")
    if path.startswith("src/native/"):
        for number, line in enumerate(blank(COMMENT, text).splitlines(), 1):
            if match := OPERATION_NAME.search(line):
                word = f"{path}:{number}: '{match.group()}'"
                found.append(f"{word}: src/native knows no operation by name.")
    return found


def check_size(path: str, text: str) -> list[str]:
    found = []
    lines = text.splitlines()
    for folder, suffixes, aim in LINE_AIMS:
        if path.startswith(folder) and Path(path).suffix in suffixes:
            limit = aim * 3 // 2
            if len(lines) > limit and not any("Longer than" in line for line in lines[:8]):
                found.append(
                    f"{path}: {len(lines)} lines, more than {limit} (the aim is {aim}): split it, "
                    "or say why in a comment with the words 'Longer than' in its first 8 lines."
                )
            break
    if path.endswith(".wgsl"):
        for number, line in enumerate(lines, 1):
            if len(line) > WGSL_COLUMNS:
                found.append(f"{path}:{number}: {len(line)} columns, more than {WGSL_COLUMNS}.")
    return found


def violations(root: Path) -> list[str]:
    found = []
    wgpu_users = []
    for folder in CHECKED_FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            relative = file.relative_to(root)
            if not file.is_file() or SKIPPED_PARTS & set(relative.parts):
                continue
            if not any(file.suffix in suffixes for _, suffixes, _ in LINE_AIMS):
                continue
            path, text = relative.as_posix(), file.read_text(encoding="utf-8")
            if not (path.startswith(GENERATED_WGSL) and file.suffix == ".wgsl"):
                found += check_size(path, text)
            if file.suffix in {".cpp", ".hpp", ".h"}:
                found += check_includes(path, text) + check_words(path, text)
                if re.search(r'^\s*#\s*include\s*[<"](?:webgpu/)?wgpu\.h[>"]', text, re.MULTILINE):
                    wgpu_users.append(path)
    if len(wgpu_users) > 1:
        users = ", ".join(wgpu_users)
        found.append(f"wgpu.h belongs in exactly one file, but is included by: {users}.")
    return found


PLANTED = {  # file -> (content, a part of the message expected)
    "src/graph/sees_ops.cpp": ('#include "ops/scan.hpp"\n', "out of reach of src/graph"),
    "src/graph/sees_native.cpp": ('#include "wgprim/native.hpp"\n', "out of reach of src/graph"),
    "src/ops/streams.cpp": ("#include <sstream>\n", "also runs as WebAssembly"),
    "src/ops/throws.cpp": ("void f() { throw 1; }\n", "built without exceptions"),
    "src/native/sees_ops.cpp": ('#include "ops/scan.hpp"\n', "out of reach of src/native"),
    "src/native/knows_scan.cpp": ("int scan_passes = 3;\n", "no operation by name"),
    "src/native/extras_a.cpp": ("#include <wgpu.h>\n", "exactly one file"),
    "src/native/extras_b.cpp": ("#include <wgpu.h>\n", "exactly one file"),
    "src/api/native_header.cpp": ("#include <webgpu.h>\n", "only under src/native"),
    "examples/sees_io.cpp": ('#include "io/npy.hpp"\n', "out of reach of examples"),
    "tests/gpu/native_header.cpp": ("#include <webgpu.h>\n", "only under src/native"),
    "shaders/shared/long.wgsl": ("// fragment\n" * 121, "more than 120"),
    "shaders/wide.wgsl": ("//" + "x" * 99 + "\n", "101 columns"),
    "include/wgprim/long.hpp": ("// header\n" * 301, "more than 300"),
}
CLEAN = {
    "include/wgprim/native.hpp": '#include <webgpu.h>\n#include "wgprim/plan.hpp"\n',
    "src/graph/graph.cpp": '#include <vector>\n#include "wgprim/graph.hpp"\n// try to throw\n',
    "src/native/run.cpp": '#include <webgpu.h>\n#include "native/run.hpp"\n// no scan here\n',
    "src/ops/long.cpp": "// Longer than the aim: one table.\n" + "int x;\n" * 500,
    "cli/main.cpp": '#include "cli/verbs.hpp"\n#include "io/npy.hpp"\n#include <CLI/CLI.hpp>\n',
    "tests/plan/anything.cpp": '#include "ops/scan.hpp"\n#include <gtest/gtest.h>\n',
}


def self_test() -> list[str]:
    """What the checker gets wrong on a tree with one violation of every rule; empty if nothing."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        contents = CLEAN | {path: content for path, (content, _) in PLANTED.items()}
        for path, content in contents.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(content, encoding="utf-8")
        found = violations(root)
    for path, (_, message) in PLANTED.items():
        if not any(path in line and message in line for line in found):
            wrong.append(f"the violation planted in {path} is not found ('{message}')")
    for path in CLEAN:
        wrong += [f"a clean file is blamed: {line}" for line in found if line.startswith(path)]
    return wrong


def main() -> int:
    found = self_test() if "--self-test" in sys.argv[1:] else violations(ROOT)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
