#!/usr/bin/env python3
"""Runs every test of the project, two suites at a time, and counts them.

The device suites run once per driver (lavapipe and SwiftShader, or `--drivers system` for whatever
the Vulkan loader offers), each in a process of its own. What counts as a failure besides a failed
test: a suite that is missing, crashes, runs out of time, runs no test, or finds no adapter. The
last line is "N passed, N failed, N skipped"; logs and reports are in build/tests.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import vulkan_drivers

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
BIN = BUILD / "release" / "bin"
ASAN_BIN = BUILD / "asan" / "bin"
VENV_BIN = BUILD / "venv" / "bin"
REPORTS = BUILD / "tests"

CPU_RINGS = ("plan", "golden", "reference", "io")
TIME_LIMIT_S = 30 * 60
SUITES_AT_A_TIME = 2
SHOWN_CHARACTERS = 4000  # of a log's end
SHOWN_LINES = 20  # of each failure's message

STACK_FRAME = re.compile(r" *at .*[(:]")  # of node's errors
NO_ADAPTER = re.compile(r"\bno (usable |such |gpu )*adapter", re.IGNORECASE)


@dataclass
class Suite:
    """One process to run. Without a report file, its exit status is its one test."""

    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    report: Path | None = None

    @property
    def log(self) -> Path:
        return REPORTS / f"{self.name.replace(' ', '-')}.log"


@dataclass
class Outcome:
    name: str
    passed: int = 0
    skipped: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)  # (test, message)
    seconds: float = 0.0


# --- The suites ----------------------------------------------------------------------------------


def report_path(name: str) -> Path:
    return REPORTS / f"{name.replace(' ', '-')}.xml"


def gtest(name: str, executable: Path, environment: dict[str, str] | None = None) -> Suite:
    report = report_path(name)
    command = [str(executable), f"--gtest_output=xml:{report}", "--gtest_color=no"]
    return Suite(name, command, environment or {}, report)


def pytest(name: str, folder: str, environment: dict[str, str]) -> Suite:
    report = report_path(name)
    command = [str(VENV_BIN / "python"), "-m", "pytest", "-q", "--tb=short"]
    command += ["-p", "no:cacheprovider", f"--junitxml={report}", folder]
    return Suite(name, command, environment, report)


def node(name: str, folder: str, environment: dict[str, str]) -> Suite:
    report = report_path(name)
    command = [str(VENV_BIN / "node"), "--test", "--test-reporter=junit"]
    command += [f"--test-reporter-destination={report}", f"{folder}/*.test.mjs"]
    return Suite(name, command, environment, report)


def check(name: str, *command: str) -> Suite:
    return Suite(name, [sys.executable, *command])


def driver_environment(driver: str) -> dict[str, str] | None:
    """What makes the Vulkan loader offer this driver alone; None if it is not installed."""
    if driver == "system":
        return {}
    icd = vulkan_drivers.find_icd(driver)
    return {"VK_DRIVER_FILES": str(icd)} if icd else None


def device_suites(driver: str, environment: dict[str, str], is_first: bool) -> list[Suite]:
    # A random plan makes pipelines of its own: on a CPU they cost more than its run.
    cases = {"RC_PARAMS": os.environ.get("RC_PARAMS", "max_success=40")}
    suites = [gtest(f"gpu {driver}", BIN / "wgprim_gpu_tests", environment | cases)]
    suites.append(pytest(f"numpy {driver}", "tests/numpy", environment))
    suites.append(pytest(f"documents {driver}", "tests/documents", environment))
    if is_first:  # these ask about the host side or the compiler, not about the driver
        suites.append(node(f"shaders-tint {driver}", "tests/shaders", environment))
        for source in sorted((ROOT / "examples").glob("*.cpp")):
            example = BIN / f"example_{source.stem}"
            suites.append(Suite(f"example {source.stem}", [str(example)], environment))
    return suites


def host_suites() -> list[Suite]:
    suites = []
    for ring in CPU_RINGS:
        suites.append(gtest(ring, BIN / f"wgprim_{ring}_tests"))
        suites.append(gtest(f"{ring} asan", ASAN_BIN / f"wgprim_{ring}_tests"))
    suites.append(gtest("bench", BIN / "wgprim_bench_tests"))
    suites.append(node("wasm", "tests/wasm", {}))
    suites.append(pytest("bench tools", "tests/bench_tools", {}))
    suites.append(check("layers", "tools/check_layers.py"))
    suites.append(check("layers self-test", "tools/check_layers.py", "--self-test"))
    suites.append(check("clang-format", "tools/lint.py", "format"))
    suites.append(check("clang-tidy", "tools/lint.py", "tidy"))
    return suites


# --- Running one ---------------------------------------------------------------------------------


def text_of(element: ElementTree.Element) -> str:
    """The message of a failure or a skip: an attribute, the text, or both."""
    message, text = (element.get("message") or "").strip(), (element.text or "").strip()
    return text if message in text else f"{message}\n{text}".strip()


def read_report(report: Path, outcome: Outcome) -> None:
    """Adds the test cases of a JUnit XML file (GoogleTest's, pytest's and node's are alike)."""
    for case in ElementTree.parse(report).iter("testcase"):
        if case.get("status") == "notrun":  # a DISABLED_ body that another test runs as its child
            continue
        scope = case.get("classname", "")
        name = f"{scope}.{case.get('name')}" if scope not in ("", "test") else str(case.get("name"))
        problem = case.find("failure")
        if problem is None:
            problem = case.find("error")
        skip = case.find("skipped")
        if problem is not None:
            outcome.failures.append((name, text_of(problem)))
        elif skip is not None:
            message = text_of(skip)
            if NO_ADAPTER.search(message):
                outcome.failures.append((name, message))
            else:
                outcome.skipped += 1
        else:
            outcome.passed += 1


def how_it_ended(status: int | None) -> str:
    if status is None:
        return f"ran longer than {TIME_LIMIT_S} s and was ended"
    if status < 0:
        return f"was ended by {signal.Signals(-status).name}"
    return f"left with status {status}"


def last_words(log: Path) -> str:
    """The end of a log, led by the test that GoogleTest was in."""
    text = log.read_text(encoding="utf-8", errors="replace")
    started = re.findall(r"^\[ RUN +\] (.*)$", text, re.MULTILINE)
    end = text[-SHOWN_CHARACTERS:]
    if len(end) < len(text):
        end = end.partition("\n")[2]
    return (f"in {started[-1]}:\n" if started else "") + end


def run(suite: Suite) -> Outcome:
    outcome = Outcome(suite.name)
    start = time.monotonic()
    environment = {key: value for key, value in os.environ.items() if key != "WGPRIM_ADAPTER"}
    environment |= {
        "MESA_SHADER_CACHE_DIR": str(BUILD / "shader-cache"),
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "WGPRIM_CLI": str(BIN / "wgprim"),
        "WGPRIM_BUILD_DIR": str(BUILD),
    } | suite.environment
    if suite.report:
        suite.report.unlink(missing_ok=True)
    status: int | None = None
    with suite.log.open("wb") as log:
        try:
            process = subprocess.Popen(
                suite.command,
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            outcome.failures.append(("start", f"{suite.command[0]}: {error.strerror}"))
            return outcome
        try:
            status = process.wait(TIME_LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    outcome.seconds = time.monotonic() - start

    if suite.report is None:
        if status == 0:
            outcome.passed = 1
        else:
            outcome.failures.append((how_it_ended(status), last_words(suite.log)))
        return outcome
    try:
        read_report(suite.report, outcome)
    except (OSError, ElementTree.ParseError):
        outcome.failures.append((how_it_ended(status), last_words(suite.log)))
        return outcome
    if outcome.passed == 0 and not outcome.failures:
        outcome.failures.append(("no test ran", f"{outcome.skipped} skipped; log: {suite.log}"))
    if status != 0 and not outcome.failures:
        outcome.failures.append((how_it_ended(status), last_words(suite.log)))
    return outcome


def print_outcome(outcome: Outcome) -> None:
    verdict = "FAILED" if outcome.failures else "ok"
    counts = f"{outcome.passed} passed, {len(outcome.failures)} failed, {outcome.skipped} skipped"
    print(f"{verdict:6} {outcome.name:28} {outcome.seconds:7.1f} s  {counts}")
    for test, message in outcome.failures:
        print(f"       {outcome.name}: {test}")
        lines = [line for line in message.splitlines() if not STACK_FRAME.match(line)]
        if len(lines) > SHOWN_LINES:
            lines = [*lines[: SHOWN_LINES // 2], "...", *lines[-SHOWN_LINES // 2 :]]
        for line in lines:
            print(f"         | {line}")


# -------------------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs every test of the project.")
    parser.add_argument("--drivers", default="lavapipe,swiftshader", help="Vulkan drivers to use")
    parser.add_argument("--only", default="", help="run only the suites whose name matches this")
    parser.add_argument("--list", action="store_true", help="name the suites and stop")
    options = parser.parse_args()

    outcomes: list[Outcome] = []
    suites: list[Suite] = []
    for place, driver in enumerate(options.drivers.split(",")):
        environment = driver_environment(driver)
        if environment is None:
            missing = Outcome(f"gpu {driver}")
            missing.failures.append(("no adapter", f"the Vulkan driver {driver} is not installed"))
            outcomes.append(missing)
        else:
            suites += device_suites(driver, environment, place == 0)
    suites += host_suites()
    suites = [suite for suite in suites if re.search(options.only, suite.name)]
    if options.list:
        print("\n".join(suite.name for suite in suites))
        return 0

    sys.stdout.reconfigure(line_buffering=True)
    REPORTS.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    with ThreadPoolExecutor(SUITES_AT_A_TIME) as pool:
        for outcome in pool.map(run, suites):
            outcomes.append(outcome)
            print_outcome(outcome)
    passed = sum(outcome.passed for outcome in outcomes)
    failed = [f"{outcome.name}: {test}" for outcome in outcomes for test, _ in outcome.failures]
    skipped = sum(outcome.skipped for outcome in outcomes)
    print(f"\n{len(outcomes)} suites in {time.monotonic() - start:.0f} s")
    for name in failed:
        print(f"FAILED {name}")
    count = f"{passed} passed, {len(failed)} failed, {skipped} skipped"
    (REPORTS / "count.txt").write_text(count + "\n", encoding="utf-8")
    print(count)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
