"""The warehouse of a world: every statement in a bounded process, every change whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from yardkit.apps.warehouse import APP, CATALOG, Catalog, Schema, locate_folder, read_catalog, save_catalog
from yardkit.programs.bounded import run_bounded
from yardkit.servers.warehouse.engine import changes, queries
from yardkit.servers.warehouse.engine.duck import Ground
from yardkit.servers.warehouse.engine.results import Changed, Datasets, Dialect, Exported, Plan, Rows, TableView
from yardkit.world import Problem, World, lock_file, save_atomically
from yardkit.world.guard import before_change, note_changed
from yardkit.world.save import hold_draft

SECONDS = 30.0
"""Of one statement."""
_MEMORY_BYTES = 2_000_000_000
"""Addresses, of which DuckDB fills a part (`duck.MEMORY`)."""
Result = TypeVar("Result")


class Warehouse:
    """The warehouse of a world."""

    def __init__(self, world: World) -> None:
        self._world = world

    def list_datasets(self) -> Datasets:
        """The schemas and their tables."""
        return self._run_bounded(queries.list_datasets)

    def describe(self, name: str) -> TableView:
        """A table with its columns."""
        return self._run_bounded(queries.describe_table, name_parts(name))

    def query(
        self, sql: str, dialect: Dialect, offset: int = 0, limit: int = 100, *, is_complete: bool = False
    ) -> Rows:
        """A page of what a query gives; a `whole` one is not cut at the length of a result."""
        return self._run_bounded(queries.run_query, sql, dialect, offset, limit, is_complete)

    def explain(self, sql: str, dialect: Dialect) -> Plan:
        """How a query would be worked out."""
        return self._run_bounded(queries.explain_query, sql, dialect)

    def export(self, sql: str, dialect: Dialect, target: Path) -> Exported:
        """Write what a query gives to a file of the workspace."""
        with lock_file(target, self._world.locks), save_atomically(target) as draft:
            return self._run_bounded(queries.export_rows, sql, dialect, draft, target.suffix.lower())

    def change(self, sql: str, dialect: Dialect) -> Changed:
        """Do what a statement says."""
        return self._apply_change(changes.apply_change, sql, dialect)

    def load(self, source: Path, name: str, mode: str, *, header: bool = True) -> Changed:
        """Take the rows of a file of the workspace into a table."""
        return self._apply_change(changes.load_file, source, name_parts(name), mode, header)

    def create_schema(self, database: str, schema: str, facts: Schema | None = None) -> Changed:
        """Make a schema, and its database if that is missing."""
        new_schema = facts or Schema(self._world.now.isoformat())
        return self._alter_catalog(lambda ground: changes.create_schema(ground, database, schema, new_schema))

    def drop(self, find: Callable[[Catalog], changes.Outcome]) -> Changed:
        """Drop what `find` drops from the catalogue."""
        return self._alter_catalog(lambda ground: find(ground.catalog))

    @property
    def catalog(self) -> Catalog:
        """What there is."""
        return read_catalog(self._world)

    def _make_ground(self) -> Ground:
        world = self._world
        return Ground(locate_folder(world), read_catalog(world), world.now, f"{world.task}:{world.seed}")

    def _run_bounded(self, function: Callable[..., Result], *arguments: Any) -> Result:
        result: Result = run_bounded(
            function, self._make_ground(), *arguments, seconds=SECONDS, memory_bytes=_MEMORY_BYTES
        )
        return result

    def _apply_change(self, function: Callable[..., changes.Outcome], *arguments: Any) -> Changed:
        with self._hold_turn() as ground, hold_draft(ground.root / CATALOG) as draft:
            outcome = run_bounded(function, ground, *arguments, draft, seconds=SECONDS, memory_bytes=_MEMORY_BYTES)
            self._save_outcome(ground, outcome, draft)
        return outcome.changed

    def _alter_catalog(self, function: Callable[[Ground], changes.Outcome]) -> Changed:
        with self._hold_turn() as ground:
            outcome = function(ground)
            self._save_outcome(ground, outcome, None)
        return outcome.changed

    @contextmanager
    def _hold_turn(self) -> Iterator[Ground]:
        """The ground of a change; one at a time."""
        self._world.get_app_folder(APP)
        with lock_file(locate_folder(self._world) / CATALOG, self._world.locks):
            yield self._make_ground()

    def _save_outcome(self, ground: Ground, outcome: changes.Outcome, draft: Path | None) -> None:
        """Save the rows and the catalogue, which says what counts, and remove what is not needed any more."""
        with self._world.change_together():
            if outcome.written is not None and draft is not None:
                with save_atomically(ground.path(outcome.written)) as place:
                    draft.rename(place)
            if outcome.catalog is not None:
                save_catalog(self._world, outcome.catalog)
            for name in outcome.removed:
                _remove_rows(ground.path(name))


def _remove_rows(path: Path) -> None:
    before_change(path)
    path.unlink(missing_ok=True)
    note_changed(path)
    for folder in (path.parent, path.parent.parent):
        if not folder.is_dir() or any(folder.iterdir()):  # other tables, or other schemas
            return
        before_change(folder)
        folder.rmdir()


def name_parts(name: str) -> list[str]:
    """The parts of a name of a table as a caller gives it, with or without quotes.

    Raises:
        Problem: it has none, or more than three.
    """
    parts = [part.strip().strip('"`') for part in name.strip("`").split(".")]
    if not 1 <= len(parts) <= 3 or not all(parts):
        raise Problem(f"{name[:100]!r} is not a valid table name; use database.schema.table")
    return parts
