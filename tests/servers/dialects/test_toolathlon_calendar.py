"""The five tools of Toolathlon's google_calendar, with the texts of its server and Google's objects."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.agendas import BEN, Put, list_attendees, make_agenda, make_moment, make_put
from support.speaking import Agent

from yardkit.apps.calendar import Attendee
from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, use_world

MARCH = {"timeMin": "2026-03-01T00:00:00Z", "timeMax": "2026-04-01T00:00:00+02:00"}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    new_world = World.create(tmp_path / "world", task="calendar", seed=1)
    with use_world(new_world):
        yield new_world


@pytest.fixture
def put(world: World) -> Put:
    return make_put(make_agenda(world))


@pytest.fixture
def agent(world: World, put: Put) -> Agent:
    return Agent(load_server("calendar", "toolathlon"), world.files)


async def _list_events(agent: Agent, **asked: Any) -> list[dict[str, Any]]:
    heading, _, rest = (await agent.says("list_events", **(MARCH | asked))).partition("\n")
    events: list[dict[str, Any]] = json.loads(rest)
    assert heading == f"Found {len(events)} events:"
    return events


async def test_an_event_is_made_read_changed_and_deleted(agent: Agent) -> None:
    start, end = ({"dateTime": f"2026-03-17T{hour}:00:00", "timeZone": "Asia/Tokyo"} for hour in (10, 11))
    reply = await agent.says("create_event", summary="Call", start=start, end=end, location="Zoom")
    identity = reply.split("\n")[0].removeprefix("Event created with ID: ")
    assert reply == (
        f"Event created with ID: {identity}\nTitle: Call\nStart: 2026-03-17T10:00:00\nEnd: 2026-03-17T11:00:00"
    )
    event = await agent.call_for_json("get_event", eventId=identity)
    assert event == event | {
        "kind": "calendar#event", "id": identity, "status": "confirmed", "summary": "Call", "location": "Zoom",
        "start": {"dateTime": "2026-03-17T10:00:00+09:00", "timeZone": "Asia/Tokyo"},
        "end": {"dateTime": "2026-03-17T11:00:00+09:00", "timeZone": "Asia/Tokyo"},
        "organizer": {"email": "ada@berg.example", "self": True}, "iCalUID": f"{identity}@google.com",
    }  # fmt: skip
    assert await agent.says("update_event", eventId=identity, summary="Talk") == (
        f"Event updated: {identity}\nNew title: Talk\nNew start: (unchanged)\nNew end: (unchanged)"
    )
    assert (await agent.call_for_json("get_event", eventId=identity))["summary"] == "Talk"
    assert await agent.says("delete_event", eventId=identity) == f"Event deleted: {identity}"
    assert "Error: Not Found" in await agent.call_for_error("get_event", eventId=identity)
    assert await agent.says("list_events", **MARCH) == "Found 0 events:\n[]"


async def test_a_list_ends_after_ten_and_shows_dates_of_series_of_the_primary_calendar(agent: Agent, put: Put) -> None:
    put(
        "u1",
        make_moment(9, 10),
        rule="FREQ=DAILY;COUNT=14",
        organizer=Attendee(BEN, "Ben"),
        attendees=list_attendees("ada@berg.example"),
    )
    put("theirs", make_moment(9, 11), user=BEN)
    put("off", make_moment(9, 9), status="cancelled")
    events = await _list_events(agent)
    assert [event["start"]["dateTime"][:10] for event in events] == [f"2026-03-{day:02}" for day in range(9, 19)]
    assert len(await _list_events(agent, maxResults=250)) == 14
    first = events[0]
    assert (first["id"], first["recurringEventId"]) == ("u1_20260309T090000Z", "u1")
    assert first["originalStartTime"] == {"dateTime": "2026-03-09T10:00:00+01:00", "timeZone": "Europe/Vienna"}
    assert first["organizer"] == {"email": BEN, "displayName": "Ben"}
    assert first["attendees"] == [{"email": "ada@berg.example", "self": True, "responseStatus": "needsAction"}]
    assert (await agent.call_for_json("get_event", eventId="u1"))["recurrence"] == ["RRULE:FREQ=DAILY;COUNT=14"]
    assert (await agent.call_for_json("get_event", eventId=first["id"]))["id"] == first["id"]


async def test_one_date_of_a_series_is_changed_and_deleted_by_its_own_id(agent: Agent, put: Put) -> None:
    put("u1", make_moment(9, 10), rule="FREQ=DAILY;COUNT=3")
    await agent.says("delete_event", eventId="u1_20260310T090000Z")
    start, end = ({"dateTime": f"2026-03-12T{hour}:00:00+01:00"} for hour in (15, 16))
    await agent.says("update_event", eventId="u1_20260311T090000Z", start=start, end=end)
    assert [event["start"]["dateTime"] for event in await _list_events(agent)] == [
        "2026-03-09T10:00:00+01:00", "2026-03-12T15:00:00+01:00",
    ]  # fmt: skip


async def test_bounds_without_an_offset_and_events_elsewhere_are_refused_in_googles_words(agent: Agent) -> None:
    assert "Error: Bad Request" in await agent.call_for_error(
        "list_events", **(MARCH | {"timeMin": "2026-03-01T00:00:00"})
    )
    assert "Error: Bad Request" in await agent.call_for_error("create_event", summary="x", start={}, end={})
    days = await agent.says("create_event", summary="Away", start={"date": "2026-03-17"}, end={"date": "2026-03-18"})
    assert days.startswith("Event created")
    assert (await _list_events(agent))[0]["start"] == {"date": "2026-03-17"}
