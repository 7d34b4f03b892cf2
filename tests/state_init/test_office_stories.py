"""What tasks put beside a seeded company: pages and tables in its notes, threads of somebody away, days of a board."""

import random
from datetime import date, timedelta
from pathlib import Path

from yardkit.apps.notes import APP, RECORDS, Page, Table
from yardkit.apps.store import open_store
from yardkit.state_init.company.cast import cast_of, get_stream
from yardkit.state_init.company.interviews import LANGUAGES, at_head_office, letters_of, make_applicants
from yardkit.state_init.company.notes import fill_notes, more_notes
from yardkit.state_init.company.notes_texts import make_part
from yardkit.state_init.company.stories import make_stories
from yardkit.state_init.desk.board_dates import boards
from yardkit.state_init.desk.handover import handovers
from yardkit.world import World


def create_world(folder: Path) -> World:
    return World.create(folder / "world", task="desk/x", seed=1)


def test_pages_tables_and_rows_come_behind_those_that_are_there(tmp_path: Path) -> None:
    world = create_world(tmp_path)
    cast, rng = cast_of(world), random.Random(1)
    filled = fill_notes(world, cast, rng, minutes=4, tasks=4)
    with more_notes(world, cast, rng, filled) as notes:
        top = notes.add_page("Hiring", None, 3, [make_part("paragraph", "See [[Handbook]].")])
        table = notes.table("Candidates", {"Candidate": "title", "State": ("select", ("In", "Out"))}, top)
        row = notes.row("Candidates", "Ada Berg", 2, {"State": "In"})
    with open_store(APP, *RECORDS, world=world) as store:
        assert store.get(Table, table).parent_id == top
        assert store.get(Page, row).values == {"State": "In"}
        pages = store.find(Page)
        assert len({page.id for page in pages}) == len(pages)
        places = [(page.parent_id, page.table_id, page.position) for page in pages]
        assert len(set(places)) == len(places)


def test_whoever_applies_is_written_to_in_their_language_and_two_have_nearly_one_name(tmp_path: Path) -> None:
    cast, rng = at_head_office(cast_of(create_world(tmp_path))), random.Random(1)
    people = make_applicants(rng, cast, date(2026, 1, 5), 6)
    assert {person.language for person in people} == set(LANGUAGES)
    assert people[0].first == people[1].first
    assert people[0].email != people[1].email
    for person in people:
        (letter,) = letters_of(rng, cast, "V-26-01", "Analyst", person)
        assert person.words.bye in letter.text
        assert "{" not in letter.text


def test_threads_of_somebody_away_are_older_than_the_leave_but_for_automatic_replies(tmp_path: Path) -> None:
    world = create_world(tmp_path)
    cast, rng = cast_of(world), random.Random(1)
    leave = handovers.make_leave(rng, cast, world.now)
    sales = make_stories(cast, get_stream(world, "stories"), world.now, sales=30).sales
    counts = {"open": 2, **{kind: 1 for kind in handovers.SCRIPTS if kind != "open"}}
    matters = handovers.make_matters(rng, sales, leave, counts)
    assert matters[0].asker == matters[1].asker
    for matter in matters:
        sent = [letter.sent for letter in matter.letters]
        assert sent == sorted(sent)
        assert (sent[-1].date() >= leave.first) == (matter.kind == "automatic")
        assert (matter.entered is not None) == (matter.kind in handovers.FALLING_DUE)
    waiting_rows = handovers.list_waiting(
        matters, {letter.key: letter.message_id for matter in matters for letter in matter.letters}
    )
    assert (
        len({waiting_row["to"] for waiting_row in waiting_rows}) == len(waiting_rows) == 1 + len(handovers.WAITING) - 1
    )


def test_each_quarter_has_a_day_that_suits_the_whole_board(tmp_path: Path) -> None:
    world = create_world(tmp_path)
    cast, rng = at_head_office(cast_of(world)), random.Random(1)
    board = boards.make_board(rng, cast)
    assert len({member.zone for member in board}) == 3
    wishes = boards.Wishes(board[-1], 2, date(2026, 6, 15), date(2026, 6, 22))
    for quarter in boards.choose_days(rng, board, [], wishes, date(2026, 3, 24)):
        assert quarter.good
        assert not any(wishes.refuses(day) or day == quarter.holiday for day in quarter.good)
        starts, ends = boards.find_common_hours(quarter.good[0], board)
        assert ends - starts >= timedelta(hours=2)
