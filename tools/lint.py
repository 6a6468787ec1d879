#!/usr/bin/env python3
"""clang-format and clang-tidy over the C++ sources: `lint.py format | tidy`.

Prints what is wrong and exits 1 if anything is. clang-tidy's passes are remembered in build/tidy by
the content of everything a file may include, so that only what changed is looked at again.
"""

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPILE_COMMANDS = ROOT / "build" / "release"
# The compile commands are g++'s: clang does not know all of its warnings.
CLANG_TIDY = ["clang-tidy-22", "--quiet", "--extra-arg=-Wno-unknown-warning-option"]
CLANG_TIDY += ["-p", str(COMPILE_COMMANDS)]
PASSED = ROOT / "build" / "tidy"


def sources(*patterns: str) -> list[Path]:
    """The project's own files, tracked or new, that match one of the git patterns."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "--", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def check_format() -> list[str]:
    files = sources("*.cpp", "*.hpp", "*.h")
    run = subprocess.run(
        ["clang-format-22", "--dry-run", "--Werror", "-ferror-limit=1", *map(str, files)],
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode == 0:
        return []
    named = [line for line in run.stderr.splitlines() if "error:" in line]
    return [*named, "run 'make format'"]


def check_tidy() -> list[str]:
    shared = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    for header in sources("*.hpp", "*.h"):
        shared.update(header.read_bytes())
    PASSED.mkdir(parents=True, exist_ok=True)
    database = (COMPILE_COMMANDS / "compile_commands.json").read_text(encoding="utf-8")

    def check(file: Path) -> str:
        key = shared.copy()
        key.update(str(file).encode() + file.read_bytes())
        mark = PASSED / key.hexdigest()
        if mark.exists():
            return ""
        run = subprocess.run(
            [*CLANG_TIDY, str(file)],
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode == 0:
            mark.touch()
            return ""
        return run.stdout.strip() or run.stderr.strip()

    built = [file for file in sources("*.cpp") if f'"{file}"' in database]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [output for output in pool.map(check, built) if output]


CHECKS = {"format": check_format, "tidy": check_tidy}


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in CHECKS:
        print(__doc__, file=sys.stderr)
        return 2
    found = CHECKS[sys.argv[1]]()
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
