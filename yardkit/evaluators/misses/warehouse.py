"""Near misses of the tables of the warehouse."""

from collections.abc import Callable

from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.misses.edits import Leaves, miss
from yardkit.evaluators.mutations.warehouse_tables import rename, retype, rewrite
from yardkit.evaluators.proof import Miss, Solved
from yardkit.evaluators.readers.warehouse import APP, Row

Name = Callable[[Facts], str]


def table_changed(table: Name, change: Callable[[list[Row], Facts], object], kills: Leaves) -> Miss:
    """The rows of a table changed in place, as dictionaries."""

    def spoil(work: Solved) -> None:
        rewrite(work.apps, _path(table(work.facts)), lambda rows: change(rows, work.facts))

    return miss(kills, spoil)


def table_retyped(table: Name, column: str, kills: Leaves) -> Miss:
    """A column with texts instead of what it holds."""
    return miss(kills, lambda work: retype(work.apps, _path(table(work.facts)), column))


def table_renamed(table: Name, new: str, kills: Leaves) -> Miss:
    """A table under another name in its schema."""
    return miss(kills, lambda work: rename(work.apps, table(work.facts), new))


def _path(name: str) -> str:
    return f"{APP}/{name.replace('.', '/')}.parquet"
