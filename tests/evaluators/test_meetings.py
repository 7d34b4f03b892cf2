"""What arranged meetings are held against: calendars, invitations, days away, hours by each one's own clock."""

from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

from yardkit.apps.calendar import PRIMARY, Agenda, Attendee, Event, calendar_file, file_name
from yardkit.evaluators.meetings import find_away, find_busy, find_clashes, find_overlapping, within_hours
from yardkit.evaluators.submission import Submission
from yardkit.world import World

ADA, BEN = "ada@firm.example", "ben@firm.example"
SINCE, UNTIL = datetime(2026, 2, 16, tzinfo=UTC), datetime(2026, 2, 21, tzinfo=UTC)


def make_submission(folder: Path, *events: tuple[str, Event]) -> Submission:
    world = World.create(folder / "world", task="desk/x", seed=1)
    for user, event in events:
        Agenda(world).save(user, PRIMARY, file_name(event.uid), calendar_file([event]))
    return Submission(world.root, before=lambda: world.root)


def make_event(uid: str, day: int, hour: int, **event_fields: object) -> Event:
    starts = datetime(2026, 2, day, hour, tzinfo=UTC)
    return Event(uid, "Talk", starts, starts.replace(hour=hour + 1), stamp=SINCE, **event_fields)  # type: ignore[arg-type]


def test_people_are_busy_by_their_own_calendars_and_by_what_the_owner_invites_them_to(tmp_path: Path) -> None:
    declined = make_event("no", 18, 9, attendees=(Attendee(BEN, answer="declined"),))
    events = (
        (ADA, make_event("both", 16, 9, attendees=(Attendee(BEN),))),
        (ADA, declined),
        (BEN, make_event("own", 17, 9)),
    )
    busy_times = find_busy(
        make_submission(tmp_path, *events, (BEN, make_event("free", 19, 9, busy=False))), BEN, ADA, SINCE, UNTIL
    )
    assert sorted(event.uid for event in busy_times) == ["both", "own"]
    meeting: Any = make_event("x", 17, 9)
    assert [event.uid for event in find_overlapping((meeting.starts, meeting.ends), busy_times, "UTC")] == ["own"]


def test_whole_days_away_are_told_by_their_title_alone(tmp_path: Path) -> None:
    away = Event("away", "Ben Berg away", date(2026, 2, 18), date(2026, 2, 20), stamp=SINCE, busy=False)
    world = make_submission(tmp_path, (ADA, away))
    assert find_away(world, ADA, "Ben Berg", SINCE, UNTIL) == [date(2026, 2, 18), date(2026, 2, 19)]
    assert find_away(world, ADA, "Ben Bergh", SINCE, UNTIL) == []
    span = datetime(2026, 2, 18, 9, tzinfo=UTC), datetime(2026, 2, 18, 10, tzinfo=UTC)
    assert list(find_clashes(world, ADA, span, {BEN: ("Ben Berg", "UTC")})) == ["Ben Berg is away on 2026-02-18"]


def test_hours_are_those_of_each_ones_own_clock() -> None:
    span = datetime(2026, 2, 18, 9, tzinfo=UTC), datetime(2026, 2, 18, 10, tzinfo=UTC)
    assert within_hours(span, "Europe/Vienna", time(9), time(17))
    assert not within_hours(span, "America/Toronto", time(9), time(17))
