"""What a file holds, item by item, and how two such lists differ."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from fnmatch import fnmatchcase
from itertools import zip_longest
from typing import Literal

How = Literal["added", "removed", "changed"]


@dataclass(frozen=True)
class Item:
    """A thing in a file.

    Attributes:
        names: ways to name it in a pattern; the first is shown.
        value: what it is; equal values are the same thing.
        measures: numbers that may be off by `tolerance`, such as its place.
        areas: names of what it lies in.
        fixed: whether it can only come and go, for another value is another thing.
    """

    names: tuple[str, ...]
    value: Hashable
    measures: tuple[float, ...] = ()
    tolerance: float = 1.0
    areas: tuple[str, ...] = ()
    fixed: bool = False

    def is_near(self, other: "Item") -> bool:
        """Whether the measures of two items are the same within the tolerance."""
        pairs = zip(self.measures, other.measures, strict=False)
        return len(self.measures) == len(other.measures) and all(abs(a - b) <= self.tolerance for a, b in pairs)


@dataclass
class Inventory:
    """The things in a file: `ordered` lists, whose items are found again by what they are, and `keyed` ones by name."""

    ordered: dict[str, list[Item]] = field(default_factory=dict)
    keyed: dict[str, Item] = field(default_factory=dict)

    def key(self, name: str, value: Hashable, *names: str, measures: tuple[float, ...] = ()) -> None:
        """Add a thing with a name of its own; `names` are more ways to name it."""
        self.keyed[name] = Item((name, *names), value, measures)


@dataclass(frozen=True)
class Difference:
    """A thing that was added, removed or changed; one that was changed goes by its names from before."""

    names: tuple[str, ...]
    how: How
    before: Hashable = None
    after: Hashable = None

    def __str__(self) -> str:
        return f"{self.names[0]} {self.how}"

    def matches(self, patterns: Sequence[str]) -> bool:
        """Whether one of its names matches one of the patterns, whatever the case."""
        return any(
            fnmatchcase(name.casefold(), pattern.casefold())
            for name in self.names
            for pattern in map(_escape_brackets, patterns)
        )


def _escape_brackets(pattern: str) -> str:
    """Square brackets stand for themselves."""
    return pattern.replace("[", "[[]")


def make_name(kind: str, *details: object) -> str:
    """The name of a thing: ``kind#detail!detail``, white space joined, each detail cut after 60 characters."""
    return f"{kind}#" + "!".join(" ".join(str(detail).split())[:60] for detail in details)


def compare_inventories(before: Inventory, after: Inventory) -> list[Difference]:
    """What is different in `after`."""
    differences = list(_compare_keyed(before.keyed, after.keyed))
    for stream in dict.fromkeys([*before.ordered, *after.ordered]):
        differences += _compare_ordered(before.ordered.get(stream, []), after.ordered.get(stream, []))
    return differences


def _compare_keyed(before: Mapping[str, Item], after: Mapping[str, Item]) -> Iterator[Difference]:
    for key in dict.fromkeys([*before, *after]):
        yield from _compare_pair(before.get(key), after.get(key))


def _compare_ordered(before: list[Item], after: list[Item]) -> Iterator[Difference]:
    matcher = SequenceMatcher(None, [item.value for item in before], [item.value for item in after], autojunk=False)
    for _, first, last, start, end in matcher.get_opcodes():
        for old, new in _pair_partners(before[first:last], after[start:end]):
            yield from _compare_pair(old, new)


def _pair_partners(before: list[Item], after: list[Item]) -> Iterator[tuple[Item | None, Item | None]]:
    """Things of the same name belong together, the others in their order."""
    left, pairs = list(after), []
    for old in before:
        new = next((item for item in left if set(item.names) & set(old.names)), None)
        pairs.append((old, new))
        if new is not None:
            left.remove(new)
    alone = [old for old, new in pairs if new is None]
    yield from ((old, new) for old, new in pairs if new is not None)
    yield from ((old, None) for old in alone if old.fixed)
    yield from ((None, new) for new in left if new.fixed)
    yield from zip_longest([old for old in alone if not old.fixed], [new for new in left if not new.fixed])


def _compare_pair(old: Item | None, new: Item | None) -> Iterator[Difference]:
    if old is None and new is not None:
        yield Difference((*new.names, *new.areas), "added", after=new.value)
    elif new is None and old is not None:
        yield Difference((*old.names, *old.areas), "removed", before=old.value)
    elif old is not None and new is not None and (old.value != new.value or not old.is_near(new)):
        yield Difference((*old.names, *old.areas), "changed", old.value, new.value)
