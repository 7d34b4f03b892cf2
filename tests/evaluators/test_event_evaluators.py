"""Evaluators see calendars with eyes of their own: what happens, what changed, what a mutant changes."""

import datetime
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.agendas import ADA, BEN, EVA, NEW_YORK, list_attendees, make_agenda, make_moment, make_put
from support.scale import count_tries

from yardkit.apps.calendar import Agenda, Attendee, Event, calendar_file
from yardkit.evaluators import leaves, misses
from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.mutations import Mutant, matches_target, record_mutants
from yardkit.evaluators.proof import Solved
from yardkit.evaluators.readers.events import SeenEvent, list_happenings, read_events
from yardkit.evaluators.side_effects.apps import app_differences
from yardkit.evaluators.submission import Submission
from yardkit.sandbox.proofs.hostile import name_of, plant_hostile, plant_hostile_formats
from yardkit.sandbox.proofs.hostile_formats import MAY_PASS
from yardkit.servers.calendar.engine.events import Series, read_series
from yardkit.servers.calendar.engine.occurrences import list_happenings as engines_happenings
from yardkit.world import World

MARCH = ("2026-03-01T00:00:00+01:00", "2026-04-01T00:00:00+02:00")
FACTS: dict[str, Any] = {"owner": ADA}
FIXE = {"title": "Fixe", "starts": "2026-03-18T13:00:00+00:00", "people": [BEN, EVA]}


@pytest.fixture
def solved(tmp_path: Path) -> Submission:
    """One date of a series moved, an event made, one cancelled; a damaged file and Ben's calendar left alone."""
    before = World.create(tmp_path / "before", task="t", seed=1)
    put = make_put(make_agenda(before))
    guests = list_attendees(BEN, EVA)
    series = {"title": "Fixe", "rule": "FREQ=WEEKLY;BYDAY=TU;COUNT=3", "organizer": Attendee(ADA), "attendees": guests}
    put("fixe", make_moment(10, 10), **series)
    put("old", make_moment(12, 9))
    put("bystander", make_moment(13, 9))
    put("theirs", make_moment(13, 9, zone=NEW_YORK), user=BEN)
    Agenda(before).save(ADA, "home", "bad.ics", b"BEGIN:VCALENDAR\r\nhalf")
    after = before.detach(tmp_path / "after")
    put = make_put(Agenda(after))
    moved = Event(
        "fixe", "Fixe", make_moment(18, 14), make_moment(18, 15), occurrence=make_moment(17, 10), attendees=guests
    )
    put("fixe", make_moment(10, 10), 1, moved, **series)
    put("new", make_moment(20, 9), 2, attendees=(Attendee(BEN, "Ben, B.", "accepted"),), location="Röm; 1")
    Agenda(after).remove(ADA, "primary", "old.ics")
    return Submission(after.root, before=lambda: before.root)


LEAF: Any = leaves.check_events(
    "march",
    "March is as it should be",
    lambda _facts: MARCH,
    lambda _facts: [
        FIXE | {"starts": "2026-03-10T09:00:00+00:00", "calendar": "primary"},
        FIXE | {"ends": "2026-03-18T14:00:00+00:00", "calendar": "primary"},
        FIXE | {"starts": "2026-03-24T09:00:00+00:00", "calendar": "primary"},
        {"title": "bystander"},
        {
            "title": "new",
            "ends": "2026-03-20T10:00:00+00:00",
            "guests": {BEN: "accepted"},
            "location": "Röm; 1",
            "calendar": "primary",
        },
    ],
    user=lambda facts: str(facts["owner"]),
)
UNCHANGED_LEAF: Any = leaves.check_unchanged_records(
    *(f"calendar:{ADA}/primary/{name}" for name in ("fixe@*", "new", "old"))
)


def test_what_happens_is_seen_as_it_is_and_the_rest_is_as_it_was(solved: Submission) -> None:
    assert LEAF.check(solved, FACTS).outcome == "pass", LEAF.check(solved, FACTS).evidence
    assert UNCHANGED_LEAF.check(solved, FACTS).outcome == "pass", UNCHANGED_LEAF.check(solved, FACTS).evidence
    assert LEAF.check(solved.untouched, FACTS).outcome == "fail"
    strict_leaf: Any = leaves.check_unchanged_records(f"calendar:{ADA}/primary/new")
    strict = strict_leaf.check(solved, FACTS)
    assert strict.evidence == (
        f"also changed: calendar:{ADA}/primary/fixe@2026-03-17T09:00:00+00:00 added; calendar:{ADA}/primary/old removed"
    )


def test_a_field_of_an_event_is_named_and_another_zone_for_the_same_moment_is_none(solved: Submission) -> None:
    make_put(Agenda(World.open(solved.root)))("bystander", make_moment(13, 8, zone=datetime.UTC), location="Attic")
    assert [str(difference) for difference in app_differences(solved) if "bystander" in str(difference)] == [
        f"calendar:{ADA}/primary/bystander.location changed"
    ]


def test_an_event_is_named_by_its_title_too(solved: Submission) -> None:
    new = next(difference for difference in app_differences(solved) if "/new " in str(difference))
    assert new.matches((f"calendar:{ADA}/primary#new",))
    assert not new.matches((f"calendar:{BEN}/primary#new", f"calendar:{ADA}/primary#Fixe"))


def test_a_series_and_its_dates_made_by_hand_are_the_same(solved: Submission, tmp_path: Path) -> None:
    root = shutil.copytree(solved.root, tmp_path / "by hand")
    put = make_put(Agenda(World.open(root)))
    Agenda(World.open(root)).remove(ADA, "primary", "fixe.ics")
    for uid, starts in (
        ("a", make_moment(10, 9, zone=datetime.UTC)),
        ("b", make_moment(18, 14)),
        ("c", make_moment(24, 10)),
    ):
        put(uid, starts, title="Fixe", attendees=list_attendees(EVA, BEN))
    finding = LEAF.check(Submission(root, before=solved.before), FACTS)
    assert finding.outcome == "pass", finding.evidence


def test_each_mutant_is_killed_by_the_leaf_that_looks_there(solved: Submission, tmp_path: Path) -> None:
    available_mutants = list(record_mutants(solved, random.Random(1)))
    assert {mutant.operator for mutant in available_mutants} == {
        "shift_day", "shift_zone", "shorten", "drop_attendee", "move_series_instead_of_instance", "double_event",
        "other_calendar", "restore_event", "touch_bystander",
    }  # fmt: skip
    for number, mutant in enumerate(available_mutants):
        (killer,) = (
            leaf
            for leaf in (LEAF, UNCHANGED_LEAF)
            if any(matches_target(pattern, mutant.target) for pattern in leaf.covers)
        )
        assert _grade_mutant(solved, mutant, tmp_path / str(number), killer) == "fail", mutant


def _grade_mutant(solved: Submission, mutant: Mutant, root: Path, leaf: Any) -> str:
    shutil.copytree(solved.root, root)
    mutant.apply(root / "files", "")
    return str(leaf.check(Submission(root, before=solved.before), FACTS).outcome)


def test_a_near_miss_is_written_by_title(solved: Submission, tmp_path: Path) -> None:
    root = shutil.copytree(solved.root, tmp_path / "miss")
    miss = misses.event_changed(
        lambda work: misses.event_file(work, "new"),
        lambda text, work: text.replace("T110000", "T113000"),
        caught_by="march",
    )
    miss(Solved(root / "files", "", FACTS, []))
    assert LEAF.check(Submission(root, before=solved.before), FACTS).outcome == "fail"


def test_a_file_that_was_damaged_before_is_skipped_and_one_that_was_spoilt_is_not(solved: Submission) -> None:
    assert len(read_events(solved)) == 5
    (solved.apps / "calendar" / ADA / "primary" / "new.ics").write_bytes(b"BEGIN:VCALENDAR\r\nnothing")
    with pytest.raises(InvalidArtifact, match=r"new\.ics cannot be read"):
        read_events(solved)
    assert len(read_events(solved, BEN)) == 1


HOSTILE = [plant for plant in (*plant_hostile(), *plant_hostile_formats("a.ics")) if name_of(plant) not in MAY_PASS]


@pytest.mark.parametrize("plant", HOSTILE, ids=name_of)
def test_hostile_files_in_the_place_of_events_are_failures_of_the_agent(
    solved: Submission, plant: Callable[[Path, str], None]
) -> None:
    plant(solved.apps, f"calendar/{ADA}/primary/bystander.ics")
    assert _check_outcome(LEAF, solved) == "fail"
    assert _check_outcome(UNCHANGED_LEAF, solved) == "fail"


@pytest.mark.parametrize(
    "line",
    [
        *(
            "RRULE:FREQ=DAILY;COUNT=1e999999999",
            "RRULE:FREQ=DAILY;INTERVAL=0;BYMONTH=2",
            "RRULE:FREQ=DAILY;UNTIL=never",
        ),
        *("RRULE:FREQ=DAILY;UNTIL=99999999", "RRULE:FREQ=DAILY;BYDAY=XX", "RRULE:FREQ=DAILY;INTERVAL=-1", "RRULE:FREQ"),
        *("DTEND:99991231T235959Z", "DURATION:P99999W", "DURATION:P999999999999W"),
    ],
)
def test_series_and_times_that_nobody_can_follow_are_failures_of_the_agent(solved: Submission, line: str) -> None:
    path = solved.apps / "calendar" / ADA / "primary" / "bystander.ics"
    starts = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART;TZID=Europe/Vienna:20260313T090000\r\n"
    path.write_text(f"{starts}{line}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", "utf-8")
    with pytest.raises(InvalidArtifact, match=r"bystander\.ics cannot be read"):
        read_events(solved)
    assert _check_outcome(LEAF, solved) == _check_outcome(UNCHANGED_LEAF, solved) == "fail"


def _check_outcome(leaf: Any, submission: Submission) -> str:
    try:
        return str(leaf.check(submission, FACTS).outcome)
    except InvalidArtifact:
        return "fail"


RULES = st.builds(
    lambda freq, interval, more: f"FREQ={freq};INTERVAL={interval}{more}",
    st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]),
    st.integers(1, 3),
    st.sampled_from(["", ";BYDAY=MO,TH", ";BYMONTHDAY=-1", ";COUNT=9", ";UNTIL=20260901T120000Z", ";UNTIL=20260901"]),
)


@settings(max_examples=count_tries(300, 40), deadline=None)
@given(
    rule=RULES,
    days=st.lists(st.integers(0, 60), max_size=4),
    all_day=st.booleans(),
    zone=st.sampled_from([make_moment(1, 0).tzinfo, NEW_YORK, None]),
)
def test_evaluators_and_the_server_see_the_same_dates(rule: str, days: list[int], all_day: bool, zone: Any) -> None:
    start: Any = make_moment(2, 9).replace(tzinfo=zone)
    start = start.date() if all_day else start
    length = datetime.timedelta(days=1) if all_day else datetime.timedelta(hours=1)
    others = [start + datetime.timedelta(days=day) for day in days]
    event = Event("u", "u", start, start + length, rule=rule, skipped=tuple(others[:2]), extra=tuple(others[2:]))
    series = read_series(calendar_file([event]))
    since, until = make_moment(1, 0), make_moment(1, 0, month=11)
    server_starts = [
        happening.starts for happening in engines_happenings(series, since, until, since.tzinfo or datetime.UTC)
    ]
    assert isinstance(series, Series)
    seen = SeenEvent("a", "b", "u", "u", start, start + length, rule=rule, skipped=event.skipped, extra=event.extra)
    assert [happening.starts for happening in list_happenings([seen], since, until)] == server_starts
