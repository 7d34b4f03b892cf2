"""The calendars and the address book of a seeded company."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from support.answers import make_caller

from yardkit.apps.mail import Accounts, save_accounts
from yardkit.sandbox.serving.registry import load_server
from yardkit.state_init.company.calendar import fill_calendar
from yardkit.state_init.company.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.contacts import fill_contacts
from yardkit.state_init.company.hours import to_workday
from yardkit.state_init.company.open_times import Span
from yardkit.state_init.company.stories import Stories, make_stories
from yardkit.world import World, use_world


def _fill_calendars(root: Path, seed: int = 1, left_open: Sequence[Span] = ()) -> tuple[World, Cast, Stories]:
    world = World.create(root, task="desk/x", seed=seed)
    cast = cast_of(world)
    stories = make_stories(cast, get_stream(world, "stories"), world.now)
    save_accounts(
        world, Accounts(cast.owner.email, {person.email: person.name for person in cast.staff}, [cast.domain])
    )
    fill_calendar(world, cast, get_stream(world, "calendar"), stories, left_open=left_open)
    fill_contacts(world, cast, get_stream(world, "contacts"))
    return world, cast, stories


def _call_tool(world: World, server: str, tool: str, **arguments: Any) -> Any:
    with use_world(world):
        return json.loads(make_caller(load_server(server))(tool, **arguments).content[0].text)


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Cast, Stories]:
    return _fill_calendars(tmp_path_factory.mktemp("company") / "world")


def test_every_meeting_of_the_stories_stands_in_the_owners_calendar(company: tuple[World, Cast, Stories]) -> None:
    world, _cast, stories = company
    assert stories.meetings
    for meeting in stories.meetings:
        event = _call_tool(world, "calendar", "read_event", event_id=meeting.uid)
        assert (event["title"], event["starts"]) == (meeting.title, meeting.begins.isoformat())
        assert (event["status"] == "cancelled") == meeting.cancelled


def test_the_calendars_are_whole_of_several_zones_and_hold_series_with_exceptions(
    company: tuple[World, Cast, Stories],
) -> None:
    world, cast, _ = company
    listed = _call_tool(world, "calendar", "list_calendars")
    assert (listed["owner"], listed["damaged"], len(listed["people"])) == (cast.owner.email, [], 13)
    assert 90 <= sum(calendar["events"] for calendar in listed["calendars"]) <= 200
    events = _call_tool(world, "calendar", "list_events", since="2026-02-01", until="2026-05-01", limit=200)["events"]
    assert len({event.get("time_zone") for event in events}) >= 4
    assert sum("occurrence" in event and "rule" not in event for event in events) >= 5  # dates that are moved
    kinds = Counter(event.get(name) for event in events for name in ("status", "my_answer"))
    assert all(kinds[kind] for kind in ("cancelled", "tentative", "needs-action", "declined", "accepted"))


def test_times_that_are_left_open_are_free_for_all_and_nothing_else_is_otherwise(
    company: tuple[World, Cast, Stories], tmp_path: Path
) -> None:
    world, cast, _ = company
    zone = ZoneInfo(cast.owner.time_zone)
    days = [to_workday(world.now.date() + timedelta(days=ahead)) for ahead in (1, 8, 15, 22)]
    spans = [(datetime.combine(day, time(9), zone), datetime.combine(day, time(17), zone)) for day in days]
    other, *_ = _fill_calendars(tmp_path / "world", left_open=spans)
    before, after = (
        _call_tool(listed_world, "calendar", "list_events", until="2026-05-01", limit=200)["events"]
        for listed_world in (world, other)
    )
    remaining_events = [event for event in before if not _takes_time(event) or not _is_within(event, spans)]
    assert (after, len(remaining_events) < len(before)) == (remaining_events, True)
    people = [
        person.email
        for person in cast.staff
        if person.email in _call_tool(other, "calendar", "list_calendars")["people"]
    ]
    for since, until in spans:
        asked = {"since": since.isoformat(), "until": until.isoformat(), "day_starts": "00:00", "day_ends": "24:00"}
        (free,) = _call_tool(other, "calendar", "find_free_times", people=people, minutes=30, **asked)["free"]
        assert (free["starts"], free["minutes"]) == (since.isoformat(), 480)


def _takes_time(event: dict[str, Any]) -> bool:
    return bool(event.get("busy", True)) and event.get("status") != "cancelled"


def _is_within(event: dict[str, Any], spans: Sequence[Span]) -> bool:
    """Whether an event of a list meets one of the spans; a day without a time is the owner's."""
    starts, ends = (datetime.fromisoformat(event[end]) for end in ("starts", "ends"))
    zone = spans[0][0].tzinfo
    starts, ends = (when if when.tzinfo else when.replace(tzinfo=zone) for when in (starts, ends))
    return any(starts < until and since < ends for since, until in spans)


def test_who_shares_a_meeting_has_it_too(company: tuple[World, Cast, Stories]) -> None:
    world, _cast, _ = company
    names = [path.name for path in (world.root / "apps" / "calendar").rglob("*.ics")]
    assert max(Counter(names).values()) >= 5


def test_the_address_book_holds_old_cards_beside_new_ones(company: tuple[World, Cast, Stories]) -> None:
    world, _cast, _ = company
    reply = _call_tool(world, "contacts", "find_contacts", limit=200)
    assert (reply["damaged"], 100 <= reply["total"] <= 150) == ([], True)
    old = [contact for contact in reply["contacts"] if contact.get("note") == "Old card"]
    names = Counter(contact["name"] for contact in reply["contacts"])
    assert len(old) == 5
    assert all(names[contact["name"]] >= 2 for contact in old)


def test_a_seed_makes_the_same_calendars_again(company: tuple[World, Cast, Stories], tmp_path: Path) -> None:
    again, _, _ = _fill_calendars(tmp_path / "again")
    other, _, _ = _fill_calendars(tmp_path / "other", seed=2)
    assert again.state_hash() == company[0].state_hash() != other.state_hash()
