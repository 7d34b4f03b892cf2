"""Which process runs which tests, and when: whole files, parts of long ones, the longest first."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeVar

from xdist.scheduler import LoadScopeScheduling

LONGEST_S = 20
"""A file that takes longer is split."""
Item = TypeVar("Item")


class Plan:
    """The pieces of work that tests make: a file, or as many equal parts of it as it is times too long."""

    def __init__(self, nodeids: Iterable[str], seconds: Mapping[str, float]) -> None:
        files: dict[str, list[str]] = defaultdict(list)
        for nodeid in nodeids:
            files[nodeid.partition("::")[0]].append(nodeid)
        self.pieces: dict[str, str] = {}
        self.cost: dict[str, float] = {}
        self._unknown = set[str]()
        """Pieces that may take long: they come first."""
        for file, tests in files.items():
            taken = seconds.get(file, LONGEST_S)
            size = math.ceil(len(tests) / max(1, math.ceil(taken / LONGEST_S)))
            for start in range(0, len(tests), size):
                part = tests[start : start + size]
                piece = f"{file}#{start // size}"
                self.pieces |= dict.fromkeys(part, piece)
                self.cost[piece] = taken * len(part) / len(tests)
                if file not in seconds:
                    self._unknown.add(piece)

    def longest_first(self, items: Mapping[str, Item], shard: str = "") -> list[Item]:
        """The items, by their node ids, of all pieces or of those of a shard."""
        place = {
            piece: number for number, piece in enumerate(self._choose_shard(shard) if shard else self._order_pieces())
        }
        chosen = [nodeid for nodeid in items if self.pieces[nodeid] in place]
        return [items[nodeid] for nodeid in sorted(chosen, key=lambda nodeid: place[self.pieces[nodeid]])]

    def _order_pieces(self) -> list[str]:
        return sorted(self.cost, key=lambda piece: (piece not in self._unknown, -self.cost[piece], piece))

    def _choose_shard(self, shard: str) -> list[str]:
        """The pieces of the I-th of N parts, written I/N, that take about as long as one another."""
        number, count = map(int, shard.split("/"))
        loads = [0.0] * count
        shard_files = []
        for piece in self._order_pieces():
            least = loads.index(min(loads))
            loads[least] += self.cost[piece]
            if least == number - 1:
                shard_files.append(piece)
        return shard_files


class ByPiece(LoadScopeScheduling):  # type: ignore[misc]
    """A piece runs in one process, so that the fixtures of its module are made once."""

    seconds: Mapping[str, float] = {}

    def schedule(self) -> None:
        if self.collection is None:
            self._pieces = Plan(next(iter(self.registered_collections.values())), self.seconds).pieces
        super().schedule()

    def _split_scope(self, nodeid: str) -> str:
        return self._pieces[nodeid]
