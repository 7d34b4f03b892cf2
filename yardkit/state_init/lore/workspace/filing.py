"""Where the records of a tree lie: of every node all versions in the same file or folder."""

import datetime
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from yardkit.benchmarks.lore.generation.bottom_up import GeneratedTree, Node
from yardkit.world import Problem

MAX_SCANS = 60
"""Pictures of one workspace: they are large, and reading them takes long."""
MOST_LISTED_ON_SLIDE = 6
_SHEETS = ("Purchases", "Sales", "Transfers")


@dataclass(frozen=True)
class Kind:
    """A kind of place.

    Attributes:
        words: what the prompt calls it.
        path: of the file or folder of a month.
        holds: how many records go into one.
        sheets: of each file.
    """

    words: str
    path: str
    holds: int
    sheets: Sequence[str] = ("",)


KINDS = {
    "sheets": Kind("ledgers", "ledgers/ledger_{month}.xlsx", 120, _SHEETS),
    "mails": Kind("mails", "mails/{month}", 40),
    "slides": Kind("slides", "reviews/review_{month}.pptx", 18),
    "documents": Kind("minutes", "minutes/minutes_{month}.docx", 30),
    "pdf": Kind("statements", "statements/statement_{month}.pdf", 36),
    "scans": Kind("scanned slips", "slips/{month}", 40),
    "notes": Kind("notes", "notes/{month}", 40),
    "registers": Kind("registers", "registers/register_{month}.csv", 120),
    "databases": Kind("databases", "archives/archive_{month}.sqlite", 200),
}


@dataclass(frozen=True)
class Place:
    """A file or folder of one month, in a workbook also a sheet."""

    kind: str
    path: str
    sheet: str
    month: datetime.date

    @property
    def description(self) -> str:
        return f"{self.path}, sheet {self.sheet}" if self.sheet else self.path


def file_nodes(
    generated_tree: GeneratedTree, copies: int, kinds: Sequence[str], rng: random.Random, now: datetime.date
) -> dict[Node, Place]:
    """A place for every node.

    Args:
        generated_tree: the tree.
        copies: how many versions of each record there are.
        kinds: names of `KINDS`.
        rng: the only source of chance.
        now: the files are of the months before.

    Raises:
        Problem: none of these kinds can hold an operation.
    """
    writable = [kind for kind in kinds if kind != "scans"]
    if not writable:
        raise Problem("places=scans: slips hold numbers only; name a place for operations too, such as scans+mails")
    shelves: dict[str, list[Node]] = {kind: [] for kind in kinds}
    for node in rng.sample(generated_tree.nodes, len(generated_tree.nodes)):
        fitting = [kind for kind in kinds if _fits_kind(node, generated_tree, kind, (len(shelves[kind]) + 1) * copies)]
        shelves[min(fitting or writable, key=lambda kind: (len(shelves[kind]), rng.random()))].append(node)
    return {node: place for kind in kinds for node, place in _spread_nodes(shelves[kind], kind, copies, now)}


def _fits_kind(node: Node, generated_tree: GeneratedTree, kind: str, records: int) -> bool:
    if kind == "scans":
        number = node.role == "value" and (node is generated_tree.root or isinstance(node.value, int))
        return number and records <= MAX_SCANS
    return kind != "slides" or len(node.listed) <= MOST_LISTED_ON_SLIDE


def _spread_nodes(nodes: list[Node], kind: str, copies: int, now: datetime.date) -> Iterator[tuple[Node, Place]]:
    """The nodes of one kind, a file or folder for so many of them, the latest month first."""
    shape = KINDS[kind]
    room = max(1, shape.holds // copies)
    month = now
    for start in range(0, len(nodes), room):
        month = (month.replace(day=1) - datetime.timedelta(days=1)).replace(day=1)
        path = shape.path.format(month=f"{month:%Y-%m}")
        for number, node in enumerate(nodes[start : start + room]):
            yield node, Place(kind, path, shape.sheets[number % len(shape.sheets)], month)


def day_in(month: datetime.date, rng: random.Random) -> datetime.date:
    """A working day of that month, none of its last two or three."""
    days = [month + datetime.timedelta(days=number) for number in range(28)]
    return rng.choice([day for day in days if day.weekday() < 5])
