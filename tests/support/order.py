"""Which process runs which tests, and when: whole files, parts of long ones, the longest first."""

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

import pytest
from xdist.scheduler import LoadScopeScheduling

RECORD = Path(__file__).parents[1] / "seconds.json"
"""What files of tests took when they were last timed (``make seconds``): in ``make test``, and with all drills."""
SECONDS = "seconds"
"""The property of a report that says what its test took."""
LONGEST_S = 20
"""A file that takes longer is split."""
_UNKNOWN_S = 1.0
Item = TypeVar("Item")


def recorded(*, everything: bool) -> dict[str, float]:
    """Seconds of each file of tests, by its path from the root of the repository."""
    tiers = json.loads(RECORD.read_text("utf-8"))
    return {**tiers["test"], **tiers["everything"]} if everything else dict(tiers["test"])


def _rounded(seconds: float) -> float:
    return max(0.1, round(seconds, 1)) if seconds < 10 else round(seconds)


class Plan:
    """The pieces of work that tests make: a file, or as many equal parts of it as it is times too long."""

    def __init__(self, nodeids: Iterable[str], seconds: Mapping[str, float]) -> None:
        files: dict[str, list[str]] = defaultdict(list)
        for nodeid in nodeids:
            files[nodeid.partition("::")[0]].append(nodeid)
        self.pieces: dict[str, str] = {}
        self.cost: dict[str, float] = {}
        for file, tests in files.items():
            taken = seconds.get(file, _UNKNOWN_S)
            size = math.ceil(len(tests) / max(1, math.ceil(taken / LONGEST_S)))
            for start in range(0, len(tests), size):
                part = tests[start : start + size]
                piece = f"{file}#{start // size}"
                self.pieces |= dict.fromkeys(part, piece)
                self.cost[piece] = taken * len(part) / len(tests)

    def longest_first(self, items: Mapping[str, Item], shard: str = "") -> list[Item]:
        """The items, by their node ids, of all pieces or of those of a shard."""
        place = {piece: number for number, piece in enumerate(self._shard(shard) if shard else self._ordered())}
        chosen = [nodeid for nodeid in items if self.pieces[nodeid] in place]
        return [items[nodeid] for nodeid in sorted(chosen, key=lambda nodeid: place[self.pieces[nodeid]])]

    def _ordered(self) -> list[str]:
        return sorted(self.cost, key=lambda piece: (-self.cost[piece], piece))

    def _shard(self, shard: str) -> list[str]:
        """The pieces of the I-th of N parts, written I/N, that take about as long as one another."""
        number, count = map(int, shard.split("/"))
        loads = [0.0] * count
        found = []
        for piece in self._ordered():
            least = loads.index(min(loads))
            loads[least] += self.cost[piece]
            if least == number - 1:
                found.append(piece)
        return found


class ByPiece(LoadScopeScheduling):  # type: ignore[misc]
    """A piece runs in one process, so that the fixtures of its module are made once."""

    seconds: Mapping[str, float] = {}

    def schedule(self) -> None:
        if self.collection is None:
            self._pieces = Plan(next(iter(self.registered_collections.values())), self.seconds).pieces
        super().schedule()

    def _split_scope(self, nodeid: str) -> str:
        return self._pieces[nodeid]


class Record:
    """Adds up what the tests of each file take, and renews the files that ran."""

    def __init__(self, *, everything: bool, kept: bool) -> None:
        self.tier, self.kept = "everything" if everything else "test", kept
        self.taken: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            self.taken[report.nodeid.partition("::")[0]] += dict(report.user_properties)[SECONDS]

    def pytest_sessionfinish(self) -> None:
        if not self.kept:
            return
        tiers = json.loads(RECORD.read_text("utf-8"))
        tiers[self.tier] |= {file: _rounded(seconds) for file, seconds in self.taken.items()}
        root = RECORD.parents[1]
        kept = {
            tier: {file: files[file] for file in sorted(files) if (root / file).exists()}
            for tier, files in tiers.items()
        }
        RECORD.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
