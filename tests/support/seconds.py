"""What tests take: `make seconds` records it in tests/seconds.json, for their order and their limits.

The clock never decides whether a test passes. Limits are compared with the recorded figures (tests/test_ratchet.py).
"""

import json
import os
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "tests" / "seconds.json"
"""Seconds of each file of tests in ``make test`` and in ``make everything``, and of the single tests that take long."""
LONG_S = 5
"""A test of ``make test`` that takes longer is recorded by its name."""
_FILE, _TEST = "seconds_of_file", "seconds_of_test"
"""The properties of a report that say what a test took with its fixtures, and without them."""
_YARDSTICK_S = 0.08
"""CPU seconds of the yardstick on the machine that the recorded figures are scaled to."""
_YARDSTICK_EVERY_S = 10
_WAITING = 2
"""A second of waiting counts as half a second of work: other tests use the processor meanwhile."""


def recorded_seconds(*, everything: bool) -> dict[str, float]:
    """Seconds of each file of tests, by its path from the root of the repository."""
    tiers = json.loads(RECORD.read_text("utf-8"))
    if not everything:
        return dict(tiers["test"])
    # A file of which `make test` runs nothing says nothing of what its drills take.
    return {file: seconds for file, seconds in tiers["test"].items() if seconds} | dict(tiers["everything"])


def recorded_long_tests() -> dict[str, float]:
    """Seconds of each test of ``make test`` that takes more than ``LONG_S``."""
    return dict(json.loads(RECORD.read_text("utf-8"))["long_tests"])


def list_test_files(*below: Path) -> list[str]:
    """The files of tests at or below these paths, from the root; those that `make test-models` runs are left out."""
    files = {file for path in below for file in ([path] if path.is_file() else path.rglob("test_*.py"))}
    others = ROOT / "tests" / "models" / "local"
    return sorted(str(file.relative_to(ROOT)) for file in files if others not in file.parents)


def list_unrecorded_files() -> list[str]:
    """The files of tests whose seconds nobody has recorded."""
    recorded = recorded_seconds(everything=False)
    return [file for file in list_test_files(ROOT / "tests") if file not in recorded]


def sum_folders(seconds: dict[str, float]) -> dict[str, float]:
    """Seconds of each folder of tests, and of ``all``."""
    folders: dict[str, float] = defaultdict(float)
    for file, taken in seconds.items():
        folders[folder_of(file)] += taken
    return {**folders, "all": sum(seconds.values())}


def folder_of(file: str) -> str:
    """The server's folder of a file of tests, or its package."""
    return "/".join(Path(file).parent.parts[1:3]) or "tests"


@dataclass(frozen=True)
class Moment:
    """The clocks of this process: time that passes, and work of it and of the programs that it has waited for."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> "Moment":
        return cls(time.perf_counter(), sum(os.times()[:4]))

    def until_now(self) -> "Moment":
        now = Moment.now()
        return Moment(now.wall - self.wall, now.cpu - self.cpu)


class Yardstick:
    """A fixed piece of work, timed in the same minute as the tests: it shows how slow or busy this machine is."""

    def __init__(self) -> None:
        self._timed_at, self._slowness = float("-inf"), Moment(1.0, 1.0)

    def scale(self, taken: Moment) -> float:
        """Seconds on the machine of the record.

        At most the time that has passed: a program that serves many tests is charged to the one in which it ends.
        """
        if time.perf_counter() - self._timed_at > _YARDSTICK_EVERY_S:
            started = Moment.now()
            sum(number * number % 7 for number in range(2_000_000))
            needed = started.until_now()
            self._slowness = Moment(needed.wall / _YARDSTICK_S, max(needed.cpu, 0.01) / _YARDSTICK_S)
            self._timed_at = time.perf_counter()
        slow = self._slowness
        return min(taken.wall, max(taken.cpu / slow.cpu, taken.wall / slow.wall / _WAITING))


class Timer:
    """Times each test of this process, and writes that into its reports."""

    def __init__(self) -> None:
        self._yardstick = Yardstick()
        self._begun = self._called = Moment.now()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        self._begun = Moment.now()
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        called = Moment.now()
        try:
            return (yield)
        finally:
            item.user_properties.append((_TEST, self._yardstick.scale(called.until_now())))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        if call.when == "teardown":
            item.user_properties.append((_FILE, self._yardstick.scale(self._begun.until_now())))
        return (yield)


class Record:
    """Adds up what the tests of each file take, and renews the figures of the files that ran."""

    def __init__(self, *, everything: bool, paths: Iterable[Path]) -> None:
        self._tier, self._paths = "everything" if everything else "test", list(paths)
        self._files: dict[str, float] = defaultdict(float)
        self._long_tests: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "teardown":
            return
        taken = dict[str, Any](report.user_properties)
        self._files[report.nodeid.partition("::")[0]] += taken[_FILE]
        if taken.get(_TEST, 0) > LONG_S:
            self._long_tests[report.nodeid] = _round_seconds(taken[_TEST])

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
            return
        record = json.loads(RECORD.read_text("utf-8"))
        ran = list_test_files(*self._paths)
        taken = {file: self._files.get(file, 0.0) for file in ran if file in self._files or self._tier == "test"}
        record[self._tier] |= {file: _round_seconds(seconds) for file, seconds in taken.items()}
        if self._tier == "test":
            others = {test: seconds for test, seconds in record["long_tests"].items() if _file_of(test) not in ran}
            record["long_tests"] = others | self._long_tests
        remaining_record = {
            name: {test: figures[test] for test in sorted(figures) if (ROOT / _file_of(test)).exists()}
            for name, figures in record.items()
        }
        RECORD.write_text(json.dumps(remaining_record, indent=1) + "\n", "utf-8")


def _file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def _round_seconds(seconds: float) -> float:
    """Coarse, so that another run changes few lines; 0 only where nothing ran."""
    if not seconds:
        return 0.0
    return max(0.1, round(seconds, 1)) if seconds < 10 else round(seconds)
