"""Limits that may only go down: ``tests/ratchet.toml`` holds them with the exceptions that were there before."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PATH = Path(__file__).parents[1] / "ratchet.toml"


@dataclass(frozen=True)
class Ratchet:
    """A limit of one kind.

    Attributes:
        name: its table in the file.
        limit: what nothing new may exceed.
        exceptions: what exceeded it when the limit was set, each with its own limit: what it measures now.
        slack: by how much an exception may measure less than it says before it has to be lowered; for what is not
            exactly the same each time, such as seconds.
    """

    name: str
    limit: float
    exceptions: Mapping[str, float]
    slack: float = 0.0

    @classmethod
    def read_limit(cls, name: str, path: Path = PATH) -> "Ratchet":
        """The limit that a table of the file states."""
        table = tomllib.loads(path.read_text("utf-8"))[name]
        return cls(name, table["limit"], table.get("exceptions", {}), table.get("slack", 0.0))

    def list_complaints(self, measured: Mapping[str, float]) -> list[str]:
        """What is over its limit, and which exceptions say more than is needed."""
        complaints = []
        for what, value in measured.items():
            limit = self.exceptions.get(what, self.limit)
            if value > limit:
                complaints.append(f"{what} has {value:g} {self.name}, over {limit:g}")
            elif what in self.exceptions and value <= self.limit:
                complaints.append(f"{what} keeps the limit now: take it out of [{self.name}.exceptions]")
            elif what in self.exceptions and value < limit - self.slack:
                complaints.append(f"{what} has {value:g} {self.name} now: lower its exception from {limit:g}")
        gone = sorted(self.exceptions.keys() - measured.keys())
        return complaints + [f"{what} is gone: take it out of [{self.name}.exceptions]" for what in gone]
