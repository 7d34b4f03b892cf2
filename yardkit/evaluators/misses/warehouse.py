"""Near misses of the tables of the warehouse."""

from collections.abc import Callable

from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.misses.edits import Leaves, make_miss
from yardkit.evaluators.mutations.warehouse_tables import rename_table, retype_column, rewrite_table
from yardkit.evaluators.proof import Miss, Solved
from yardkit.evaluators.readers.warehouse import APP, Row

Name = Callable[[Facts], str]


def table_changed(table: Name, change: Callable[[list[Row], Facts], object], caught_by: Leaves) -> Miss:
    """The rows of a table are changed in place, as dictionaries."""

    def corrupt_world(work: Solved) -> None:
        rewrite_table(work.apps, _get_table_path(table(work.facts)), lambda rows: change(rows, work.facts))

    return make_miss(caught_by, corrupt_world)


def table_retyped(table: Name, column: str, caught_by: Leaves) -> Miss:
    """A column has texts instead of its typed values."""
    return make_miss(caught_by, lambda work: retype_column(work.apps, _get_table_path(table(work.facts)), column))


def table_renamed(table: Name, new: str, caught_by: Leaves) -> Miss:
    """A table has another name in its schema."""
    return make_miss(caught_by, lambda work: rename_table(work.apps, table(work.facts), new))


def _get_table_path(name: str) -> str:
    return f"{APP}/{name.replace('.', '/')}.parquet"
