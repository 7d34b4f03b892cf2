"""The digest that is brought up to date by what changed is the digest of a walk from nothing."""

import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from yardkit.sandbox.episodes.states import States
from yardkit.servers.files.engine import moving
from yardkit.world import Problem, World, hashing, save_bytes, skip_syncing
from yardkit.world.databases import content_digest
from yardkit.world.guard import Changes, Quota, note_changed, use_guard
from yardkit.world.hashing import TreeHasher
from yardkit.world.tree import measure_usage

PLACES = st.sampled_from(["a.txt", "b.txt", "d", "d/a.txt", "d/e", "d/e/b.txt", "f/g/h.txt", "f"])


def _record_number(world: World, number: int) -> None:
    path = world.get_app_folder("crm") / "crm.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE IF NOT EXISTS t (x INTEGER PRIMARY KEY)")
        database.execute("INSERT OR REPLACE INTO t VALUES (?)", [number])
        database.commit()
    note_changed(path)


Operation = Callable[[World], object]
OPERATIONS: st.SearchStrategy[Operation] = st.one_of(
    st.builds(
        lambda place, size: lambda world: save_bytes(world.files / place, bytes(size)), PLACES, st.integers(0, 3)
    ),
    st.builds(lambda place: lambda world: moving.make_folder(world, world.files / place), PLACES),
    st.builds(lambda place: lambda world: moving.delete_path(world, world.files / place, recursive=True), PLACES),
    st.builds(
        lambda work, source, target: (
            lambda world: work(world, world.files / source, world.files / target, overwrite=True)
        ),
        st.sampled_from([moving.move_path, moving.copy_path]),
        PLACES,
        PLACES,
    ),
    st.builds(lambda number: lambda world: _record_number(world, number), st.integers(0, 3)),
)


@pytest.mark.parametrize("noted", [True, False])
@settings(max_examples=40, deadline=None)
@given(steps=st.lists(OPERATIONS, min_size=1, max_size=12))
def test_after_any_operations_the_hash_the_usage_and_each_kept_state_are_those_of_a_walk(
    steps: list[Operation], noted: bool
) -> None:
    """By what was noted alone, on a file system whose stamps of folders stand still; and by the stamps alone."""
    with tempfile.TemporaryDirectory() as directory, skip_syncing(), pytest.MonkeyPatch.context() as patch:
        if noted:
            patch.setattr(hashing, "_folder_stamp", lambda path: (0, 0, 0))
        world = World.create(Path(directory) / "world", task="t", seed=1)
        for place in ("a.txt", "d/a.txt", "d/e/b.txt"):
            save_bytes(world.files / place, b"x")
        states, changes = States(Path(directory) / "states", 10**9), Changes()
        hasher = TreeHasher(replaced=True)
        quota = Quota(world.files, tracked=True)
        seen = set()
        for operation in steps:
            with use_guard(changes=changes) if noted else nullcontext(), use_guard(quota), suppress(Problem):
                operation(world)
            hasher.mark_changed(changes.take_noted())
            state = world.state_hash(hasher)
            assert state == world.state_hash()
            files = hasher.scan_folder(world.files)
            assert (files.count, files.size) == measure_usage(world.files)
            quota.set_usage(files.count, files.size)
            states.keep(
                state,
                {path: scan for path in (world.files, world.root / "apps") if (scan := hasher.get_last_scan(path))},
                linked=True,
            )
            seen.add(state)
        for number, state in enumerate(seen):
            assert states.restore(state, world, Path(directory) / str(number), linked=True).state_hash() == state


def test_a_database_counts_by_what_it_holds_whatever_its_history(tmp_path: Path) -> None:
    def digest_database(name: str, *statements: str) -> str:
        path = tmp_path / f"{name}.db"
        with closing(sqlite3.connect(path)) as database:
            database.executescript("CREATE TABLE t (x INTEGER PRIMARY KEY, y); INSERT INTO t VALUES (1, 'a'), (2, 'b')")
            for statement in statements:
                database.executescript(statement)
            return content_digest(path)

    straight = digest_database("straight")
    detour = ("INSERT INTO t VALUES (3, 'c')", "CREATE TABLE u (z)", "DROP TABLE u; DELETE FROM t WHERE x > 2")
    assert digest_database("detour", *detour) == straight
    logged = ("PRAGMA journal_mode=WAL", "DELETE FROM t WHERE x = 1", "INSERT INTO t VALUES (1, 'a')")
    assert digest_database("logged", *logged) == straight
    assert digest_database("other", "UPDATE t SET y = 'c' WHERE x = 2") != straight
