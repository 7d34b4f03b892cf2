"""The store of records: what it keeps, what it refuses, and what is left when a writer dies."""

import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from yardkit.apps.store import Page, drop_missing, hex_id, open_store
from yardkit.world import Problem, World
from yardkit.world.guard import Quota, use_guard


@dataclass(frozen=True)
class Entry:
    id: int
    title: str
    amount: float = 0.0
    done: bool = False
    due: str | None = None
    tags: list[str] = field(default_factory=list)
    shares: dict[int, float] | None = None


@dataclass(frozen=True)
class OrderBox:
    code: str
    order: int


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World.create(tmp_path / "w", task="t", seed=1)


def path_of(world: World) -> Path:
    return world.root / "apps" / "notes" / "notes.sqlite"


def add(world: World, *entries: Entry | OrderBox) -> None:
    with open_store("notes", Entry, OrderBox, writes=True, world=world) as store:
        for entry in entries:
            store.put(entry)


def entries_of(world: World) -> list[Entry]:
    with open_store("notes", Entry, world=world) as store:
        return store.find(Entry)


def test_records_come_back_as_they_were(world: World) -> None:
    full = Entry(1, "Bücher\n", 2.5, done=True, due="2026-04-01", tags=["a", "ü"], shares={3: 0.5})
    add(world, Entry(2, "plain"), full, OrderBox("x y", 7))
    assert entries_of(world) == [full, Entry(2, "plain")]
    with open_store("notes", OrderBox, world=world) as store:
        assert store.get(OrderBox, "x y").order == 7
    with closing(sqlite3.connect(path_of(world))) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master ORDER BY 1").fetchall()
        assert tables == [("entries",), ("order_boxes",)]
        assert connection.execute("SELECT tags, done FROM entries").fetchall() == [('["a","ü"]', 1), ("[]", 0)]


def test_reading_and_failing_leave_a_world_as_it_was(world: World) -> None:
    untouched = world.state_hash()
    assert entries_of(world) == []
    with (
        pytest.raises(Problem, match=r"no entry 4; there are: 1$"),
        open_store("notes", Entry, writes=True, world=world) as store,
    ):
        store.put(Entry(1, "lost"))
        store.get(Entry, 4)
    assert world.state_hash() == untouched
    assert list((world.root / "apps").iterdir()) == []
    add(world, Entry(1, "kept"))
    after, stamp = world.state_hash(), path_of(world).stat().st_mtime_ns
    entries_of(world)
    with pytest.raises(ZeroDivisionError), open_store("notes", Entry, writes=True, world=world) as store:
        store.remove(store.get(Entry, 1))
        _ = 1 / 0
    assert (world.state_hash(), path_of(world).stat().st_mtime_ns) == (after, stamp)


def test_reading_cannot_write(world: World) -> None:
    add(world, Entry(1, "kept"))
    with pytest.raises(Problem, match="readonly"), open_store("notes", Entry, world=world) as store:
        store.put(Entry(2, "smuggled"))


def test_a_change_sets_what_is_named_also_to_nothing(world: World) -> None:
    add(world, Entry(1, "a", 2.0, done=True, due="2026-01-01", tags=["x"]))
    with open_store("notes", Entry, writes=True, world=world) as store:
        store.change(store.get(Entry, 1), due=None, done=False, tags=[], amount=0.0, title="")
        store.change(store.get(Entry, 1), **drop_missing(title="b", due=None))
    assert entries_of(world) == [Entry(1, "b")]


def test_numbers_are_not_given_again(world: World) -> None:
    add(world, Entry(1, "a"), Entry(2, "b"), Entry(3, "c"))
    with open_store("notes", Entry, writes=True, world=world) as store:
        store.remove(store.get(Entry, 1))
        assert store.next_id(Entry) == 4
        store.remove(store.get(Entry, 3))
        assert store.next_id(Entry) == 4
    add(world, Entry(4, "d"))
    with open_store("notes", Entry, writes=True, world=world) as store:
        assert store.next_id(Entry) == 5
        assert [entry.id for entry in store.find(Entry)] == [2, 4]


def test_equal_records_make_equal_worlds_whatever_their_history(tmp_path: Path) -> None:
    first_world, other = (World.create(tmp_path / name, task="t", seed=1) for name in "ab")
    add(first_world, OrderBox("b", 1), OrderBox("a", 2), Entry(1, "x"))
    for record in (Entry(1, "old"), OrderBox("a", 9), OrderBox("b", 1), Entry(1, "x"), OrderBox("a", 2)):
        add(other, record)
    assert first_world.state_hash() == other.state_hash()
    assert first_world.fork(tmp_path / "fork").state_hash() == first_world.state_hash()


def test_pages_are_sorted_counted_and_go_on(world: World) -> None:
    add(world, *(Entry(number, f"t{number % 3}", amount=number % 2) for number in range(1, 8)))
    with open_store("notes", Entry, world=world) as store:
        first = store.read_page(Entry, "amount = ?", [1], order="title DESC", limit=3)
        assert ([entry.id for entry in first.items], first.total, first.next_offset) == ([5, 1, 7], 4, 3)
        assert store.read_page(Entry, "amount = ?", [1], order="title DESC", offset=3) == Page([Entry(3, "t0", 1.0)], 4)
        assert store.read_page(Entry, offset=10**30) == Page([], 7)
        counts = store.counts(Entry, "title")
        assert (counts["t0"], counts["t1"], counts["t9"], store.count(Entry)) == (2, 3, 0, 7)
        for order in ("nothing", "title; DROP TABLE entries", "title SIDEWAYS", "title DESC NULLS"):
            with pytest.raises(Problem, match="cannot sort by"):
                store.read_page(Entry, order=order)


def test_a_search_wants_every_word_in_any_case(world: World) -> None:
    add(world, Entry(1, "STRASSE nach Ålesund", due="x"), Entry(2, "straße", due="Ålesund"), Entry(3, "100%_"))
    with open_store("notes", Entry, world=world) as store:
        for text, matching_ids in {
            "strasse åLESUND": [1, 2],
            "%": [3],
            "": [1, 2, 3],
            "' OR 1 --": [],
            "w " * 5_000: [],
        }.items():
            assert [entry.id for entry in store.search(Entry, text, "title", "due").items] == matching_ids
        assert store.search(Entry, "strasse", "title", where="due = ?", values=["x"]).total == 1


def test_a_missing_record_names_those_that_there_are(world: World) -> None:
    add(world, *(Entry(number, "t") for number in range(1, 30)), OrderBox("LMP-20", 1), OrderBox("CHR-1", 1))
    with open_store("notes", Entry, OrderBox, world=world) as store:
        with pytest.raises(Problem, match=r"no entry 70; there are 29, such as 1, 2, 3"):
            store.get(Entry, 70)
        with pytest.raises(Problem, match=r"no order_box 'LMP20'; there are: 'LMP-20'$"):
            store.get(OrderBox, "LMP20")
        with pytest.raises(Problem, match="no entry"):
            store.get(Entry, 10**30)


@pytest.mark.parametrize("entry", [Entry(1, "nu\0ll"), Entry(10**19, "far")])
def test_what_no_column_can_hold_is_refused(world: World, entry: Entry) -> None:
    with pytest.raises(Problem, match=r"null character|too large"):
        add(world, entry)


def test_later_stamps_sort_later_although_the_clock_stands(world: World) -> None:
    with open_store("notes", Entry, writes=True, world=world) as store:
        for number in (1, 2):
            store.put(Entry(number, "t", due=store.make_stamp(Entry, "due")))
    assert [entry.due for entry in entries_of(world)] == ["2026-03-16T09:00:00+00:00", "2026-03-16T09:00:01+00:00"]


def test_opaque_names_are_stable_and_different() -> None:
    names = {hex_id(app, kind, number, 8) for app in "ab" for kind in (Entry, OrderBox) for number in range(50)}
    assert len(names) == 200
    assert hex_id("a", Entry, 1) == hex_id("a", Entry, 1)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda path: path.write_bytes(b"no database at all" * 100), "app 'notes' is damaged"),
        (lambda path: path.write_bytes(path.read_bytes()[:5_000]), "app 'notes' is damaged"),
        (
            lambda path: run(path, "DROP TABLE entries; CREATE TABLE entries (id INTEGER PRIMARY KEY)"),
            "another version",
        ),
        (lambda path: run(path, "DROP TABLE entries; CREATE VIEW entries AS SELECT 1 AS id"), "another version"),
    ],
    ids=["other bytes", "cut off", "other columns", "a view"],
)
@pytest.mark.parametrize("writes", [False, True])
def test_a_file_that_is_none_of_ours_is_a_problem_that_names_the_app(
    world: World, damage: object, message: str, writes: bool
) -> None:
    add(world, *(Entry(number, "t" * 500) for number in range(1, 40)))
    damage(path_of(world))
    with pytest.raises(Problem, match=message), open_store("notes", Entry, writes=writes, world=world) as store:
        store.find(Entry)


def run(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def test_bytes_that_were_hit_are_a_problem_or_other_values(world: World) -> None:
    add(world, *(Entry(number, f"title {number}", tags=["a", "b"]) for number in range(1, 120)))
    original_bytes, chance = path_of(world).read_bytes(), random.Random(7)
    for _ in range(40):
        hit = bytearray(original_bytes)
        for place in chance.sample(range(len(hit)), 12):
            hit[place] = chance.randrange(256)
        path_of(world).write_bytes(hit)
        with suppress(Problem):
            assert len(entries_of(world)) <= 119


def test_a_locked_file_is_a_problem(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    add(world, Entry(1, "kept"))
    monkeypatch.setattr("yardkit.apps.store.WAIT_S", 0.05)
    with closing(sqlite3.connect(path_of(world), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Problem, match="another program has been using the state of the app 'notes'"):
            entries_of(world)


def test_apps_have_a_quota_of_their_own(world: World) -> None:
    quota = Quota.of_apps(world.root / "apps")
    quota.max_bytes = 60_000
    with use_guard(Quota(world.files, max_bytes=1), quota):
        add(world, Entry(1, "t" * 20_000))
        for entry in (Entry(2, "t" * 60_000), Entry(1, "t" * 60_000)):
            with pytest.raises(Problem, match=r"the state of the apps holds .* of at most 60,000"):
                add(world, entry)
        add(world, Entry(1, "small"))
    assert entries_of(world) == [Entry(1, "small")]


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from apps.test_store import Entry
from yardkit.apps.store import open_store
from yardkit.world import World
world = World.open(Path(sys.argv[1]))
for turn in range(int(sys.argv[3])):
    with open_store("notes", Entry, writes=True, world=world) as store:
        for entry in store.find(Entry):
            store.change(entry, amount=entry.amount + 1)
        print(turn, flush=True)
"""


def start_writer(world: World, turns: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, str(world.root), str(Path(__file__).parents[1]), str(turns)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.drill
def test_a_killed_writer_leaves_the_old_state_or_the_new(world: World) -> None:
    add(world, *(Entry(number, "t" * 3_000) for number in range(1, 200)))
    for turns in (1, 2, 3, 5):
        with start_writer(world, 100_000) as process:
            for _ in range(turns):
                assert process.stdout
                process.stdout.readline()  # it is before a commit
            process.send_signal(signal.SIGKILL)
        amounts = {entry.amount for entry in entries_of(world)}
        assert len(amounts) == 1
    assert max(amounts) >= 5


def test_two_writers_take_turns(world: World) -> None:
    add(world, Entry(1, "t"))
    with start_writer(world, 20) as first_writer, start_writer(world, 20) as other:
        assert (first_writer.wait(), other.wait()) == (0, 0)
    assert entries_of(world)[0].amount == 40


def test_columns_are_named_by_fields_alone(world: World) -> None:
    with open_store("notes", Entry, world=world) as store, pytest.raises(ValueError, match="has no field"):
        store.search(Entry, "x", "title) OR (1")
