"""Damaged calendars are refused by name and the rest works; rules without an end are bounded; a change is whole."""

import datetime
import time

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given, settings
from hypothesis import strategies as st
from support.agendas import ADA, Put, make_moment
from support.answers import Call
from support.scale import count_tries

from yardkit.apps.calendar import Agenda, Event
from yardkit.servers.calendar.engine.events import Series
from yardkit.servers.calendar.engine.occurrences import list_happenings

HEAD = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n"
EVENT = HEAD + b"BEGIN:VEVENT\r\nUID:u\r\nDTSTART:20260317T100000Z\r\n%s\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
DAMAGED = {
    "empty": b"",
    "half": HEAD + b"BEGIN:VEVENT\r\nUID:u\r\nDTST",
    "binary": bytes(range(256)),
    "card": b"BEGIN:VCARD\r\nEND:VCARD\r\n",
    "no event": HEAD + b"END:VCALENDAR\r\n",
    "no start": HEAD + b"BEGIN:VEVENT\r\nUID:u\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
    "garbage": EVENT % b"DTEND:tomorrow",
    "backwards": EVENT % b"DTEND:20260316T100000Z",
    "hourly": EVENT % b"RRULE:FREQ=SECONDLY",
    "no interval": EVENT % b"RRULE:FREQ=WEEKLY;INTERVAL=0",
    "backwards interval": EVENT % b"RRULE:FREQ=WEEKLY;INTERVAL=-1",
    "no count": EVENT % b"RRULE:FREQ=WEEKLY;COUNT=0",
    "leap month": EVENT % b"RRULE:FREQ=YEARLY;BYMONTH=5L",
    "ninth Monday": EVENT % b"RRULE:FREQ=MONTHLY;BYDAY=9MO",
    "month": EVENT % b"RRULE:FREQ=YEARLY;BYDAY=5MO;BYMONTH=13",
    "two rules": EVENT % b"RRULE:FREQ=DAILY\r\nRRULE:FREQ=WEEKLY",
    "range": EVENT % b"RECURRENCE-ID;RANGE=THISANDFUTURE:20260317T100000Z",
    "year": (EVENT % b"X:1").replace(b"20260317", b"99990317"),
    "year of a skipped start": EVENT % b"EXDATE:00010101T000000Z",
    "year of an extra start": EVENT % b"RDATE:99991231T235959Z",
    "thousands of years": EVENT % b"RRULE:FREQ=WEEKLY\r\nDURATION:P2900000D",
    "two events": EVENT.replace(b"END:VCALENDAR\r\n", b"") % b"X:1"
    + b"BEGIN:VEVENT\r\nUID:v\r\nDTSTART:20260317T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_file_is_named_and_the_rest_works(done: Call, agenda: Agenda, put: Put, kind: str) -> None:
    put("good", make_moment(17, 10))
    agenda.save(ADA, "primary", "bad.ics", DAMAGED[kind])
    listed = done("list_events")
    assert (
        [event["id"] for event in listed["events"]],
        [damaged_file["file"] for damaged_file in listed["damaged"]],
    ) == (
        ["good"],
        ["bad.ics"],
    )
    assert done("list_calendars")["damaged"][0]["reason"]
    done("update_event", event_id="good", title="Better")
    assert done("find_free_times", people=[], minutes=30)["damaged"]


def test_a_damaged_file_is_told_where_its_event_is_looked_for(refused: Call, agenda: Agenda) -> None:
    agenda.save(ADA, "primary", "bad.ics", DAMAGED["garbage"])
    assert "primary/bad.ics: " in refused("read_event", event_id="u")


def test_damaged_props_are_told(refused: Call, agenda: Agenda) -> None:
    (agenda.root / ADA / "home" / ".Radicale.props").write_text("{")
    assert "of the calendar 'home' is damaged" in refused("list_calendars")


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=DAILY",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=WEEKLY;BYSETPOS=5;BYDAY=MO",
        "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6",
    ],
)
def test_rules_without_end_take_no_time(done: Call, agenda: Agenda, rule: str) -> None:
    agenda.save(ADA, "primary", "u.ics", (EVENT % f"RRULE:{rule}".encode()).replace(b"20260317", b"19010317"))
    started = time.process_time()
    assert done("list_events", until="2026-03-20")["total"] == (5 if rule == "FREQ=DAILY" else 0)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(("until", "dates"), [("99991231T235959Z", 1), ("99991231", 1), ("00010101T000000Z", 0)])
def test_a_last_date_beyond_all_years_is_as_good_as_none(
    done: Call, agenda: Agenda, put: Put, until: str, dates: int
) -> None:
    agenda.save(ADA, "primary", "u.ics", EVENT % f"RRULE:FREQ=MONTHLY;UNTIL={until}".encode())
    put("good", make_moment(17, 9))
    assert [event["id"] for event in done("list_events")["events"]] == ["good", "u"][: 1 + dates]
    assert done("find_free_times", people=[], minutes=30)["free"]


def test_a_series_with_a_last_date_beyond_all_years_is_moved(done: Call, put: Put) -> None:
    put("u", make_moment(17, 10), rule="FREQ=WEEKLY;UNTIL=99991231T235959Z")
    done("update_event", event_id="u", occurrence="2026-03-24T10:00", following=True, starts="2026-03-24T12:00")
    assert [event["starts"][:16] for event in done("list_events", until="2026-04-01")["events"]] == [
        "2026-03-17T10:00", "2026-03-24T12:00", "2026-03-31T12:00",
    ]  # fmt: skip


def test_a_damaged_series_is_not_split(refused: Call, agenda: Agenda) -> None:
    agenda.save(ADA, "primary", "u.ics", DAMAGED["no interval"])
    asked = {"event_id": "u", "occurrence": "2026-03-24T10:00Z", "following": True}
    assert "INTERVAL=0; give a whole number from 1 on" in refused("cancel_event", **asked)


RULES = st.builds(
    lambda freq, interval, more: f"FREQ={freq};INTERVAL={interval}{more}",
    st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]),
    st.integers(1, 5),
    st.sampled_from(
        [
            "",
            ";BYDAY=MO,TH",
            ";BYMONTHDAY=31",
            ";BYMONTHDAY=-1",
            ";BYMONTH=1,6;BYDAY=MO",
            ";COUNT=9",
            ";UNTIL=20270101T000000Z",
        ]
    ),
)


@settings(max_examples=count_tries(200, 30), deadline=None)
@given(rule=RULES, hour=st.integers(0, 23), days=st.integers(0, 900))
def test_starts_are_those_of_dateutil_by_the_clock_of_the_zone(rule: str, hour: int, days: int) -> None:
    first = make_moment(1, hour)
    since, until = first + datetime.timedelta(days=days), first + datetime.timedelta(days=days + 200)
    occurrences = list_happenings(Series(Event("u", "u", first, first, rule=rule), ()), since, until, datetime.UTC)
    # The last moment is said in UTC, which is an hour less than the clock in Vienna then.
    dateutil_rule = rrulestr(rule.replace("T000000Z", "T010000"), dtstart=first.replace(tzinfo=None))
    walls = dateutil_rule.between(first.replace(tzinfo=None), until.replace(tzinfo=None), inc=True)
    starts = [wall.replace(tzinfo=first.tzinfo) for wall in walls]
    assert [happening.starts for happening in occurrences] == [start for start in starts if since <= start < until]
