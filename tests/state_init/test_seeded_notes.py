"""The seeded notes: what leads somewhere leads to something, and they are the same everywhere."""

from collections import Counter
from pathlib import Path

import pytest

from yardkit.apps.notes import APP, RECORDS, Block, Page, Person, Table, Version
from yardkit.apps.store import open_store
from yardkit.state_init.company.cast import cast_of, get_stream
from yardkit.state_init.company.notes import NotesFilled, fill_notes
from yardkit.state_init.company.stories import Stories, make_stories
from yardkit.world import World

FilledNotes = tuple[World, NotesFilled, Stories]


def make_notes(folder: Path, seed: int = 1) -> FilledNotes:
    world = World.create(folder, task="desk/x", seed=seed)
    cast = cast_of(world)
    stories = make_stories(cast, get_stream(world, "stories"), world.now)
    return world, fill_notes(world, cast, get_stream(world, "notes"), stories), stories


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> FilledNotes:
    return make_notes(tmp_path_factory.mktemp("notes") / "world")


def test_it_has_the_size_of_a_team_and_its_near_misses(notes: FilledNotes) -> None:
    with open_store(APP, *RECORDS, world=notes[0]) as store:
        pages = store.find(Page)
        assert 200 < len(pages) < 400
        assert store.count(Table) == 5
        twice = Counter(page.title for page in pages if page.table_id is None)
        assert sum(count > 1 for count in twice.values()) == 5  # rules that the old handbook has, too
        assert sum("(draft)" in title for title in twice) >= 2
        assert store.count(Version) == 14
        assert notes[1].undecided


def test_every_relation_person_and_link_leads_to_a_record(notes: FilledNotes) -> None:
    with open_store(APP, *RECORDS, world=notes[0]) as store:
        pages = {page.id: page for page in store.find(Page)}
        people = {person.id for person in store.find(Person)}
        tables = {table.id: table for table in store.find(Table)}
        for row in pages.values():
            columns = {column.name: column for column in tables[row.table_id].columns} if row.table_id else {}
            assert set(row.values) <= set(columns)
            for name, value in row.values.items():
                if columns[name].kind == "relation":
                    assert {pages[number].table_id for number in value} == {columns[name].table_id}
                if columns[name].kind == "people":
                    assert set(value) <= people
                if columns[name].options:
                    assert value in {option.name for option in columns[name].options}
        for span in (span for block in store.find(Block) for span in block.spans if span.link):
            kind, _, number = span.link.partition(":")
            assert int(number) in (pages if kind == "page" else people)
        assert all(block.page_id in pages for block in store.find(Block))
        assert all(page.created <= notes[0].now.isoformat() for page in pages.values())


def test_orders_of_the_letters_are_rows_with_their_sums(notes: FilledNotes) -> None:
    with open_store(APP, *RECORDS, world=notes[0]) as store:
        for sale in notes[2].sales:
            row = store.get(Page, notes[1].rows["Orders by mail", f"Order {sale.order}"])
            assert (row.values["Total"], row.values["Invoice"]) == (sale.total / 100, sale.invoice)
            assert store.get(Page, row.values["Customer"][0]).title == sale.customer.name


def test_the_same_seed_makes_the_same_notes_and_another_seed_others(tmp_path: Path, notes: FilledNotes) -> None:
    hashes = [make_notes(tmp_path / name, seed)[0].state_hash() for name, seed in (("same", 1), ("other", 2))]
    assert (hashes[0] == notes[0].state_hash(), hashes[1] == notes[0].state_hash()) == (True, False)
