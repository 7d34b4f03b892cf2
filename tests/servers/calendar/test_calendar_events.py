"""Events and series are made, listed, changed and cancelled, by the clocks of their zones."""

import dataclasses
import datetime
from typing import Any

from support.agendas import ADA, UTC, Put, make_moment
from support.answers import Call

from yardkit.apps.calendar import Agenda, Event, calendar_file, file_name


def _list_events(done: Call, **asked: Any) -> list[tuple[str, str]]:
    return [(event["title"], event["starts"]) for event in done("list_events", **asked)["events"]]


def test_an_event_is_made_by_the_clock_that_was_said_and_found_by_words(done: Call) -> None:
    event = done(
        "create_event", title="  Call\n Tokyo ", starts="2026-03-17T09:00", time_zone="Asia/Tokyo", location="Zoom"
    )
    assert (event["event"]["starts"], event["event"]["ends"]) == (
        "2026-03-17T09:00:00+09:00",
        "2026-03-17T10:00:00+09:00",
    )
    done("create_event", title="Lunch", starts="2026-03-17T12:00:00Z", ends="2026-03-17T12:30:00Z")
    events = done("list_events", query="call ZOOM")["events"]
    assert [(listed_event["title"], listed_event["starts"], listed_event["time_zone"]) for listed_event in events] == [
        ("Call Tokyo", "2026-03-17T01:00:00+01:00", "Asia/Tokyo")
    ]
    assert _list_events(done) == [("Call Tokyo", "2026-03-17T01:00:00+01:00"), ("Lunch", "2026-03-17T13:00:00+01:00")]
    assert _list_events(done, until="2026-03-16") == []


def test_whole_days_have_no_clock_and_end_before_their_end(done: Call) -> None:
    trip = done("create_event", title="Trip", starts="2026-03-20", ends="2026-03-23", busy=False)["event"]
    assert (trip["starts"], trip["ends"], trip["busy"], trip["time_zone"]) == ("2026-03-20", "2026-03-23", False, "")
    assert _list_events(done, since="2026-03-22", until="2026-03-22") == [("Trip", "2026-03-20")]
    assert _list_events(done, since="2026-03-23", until="2026-03-24") == []
    moved = done("update_event", event_id=trip["id"], starts="2026-03-21")["event"]
    assert (moved["starts"], moved["ends"]) == ("2026-03-21", "2026-03-24")


def test_a_series_stays_at_its_hour_when_clocks_change_and_ends_with_its_last_day(done: Call) -> None:
    done("create_event", title="Fixe", starts="2026-03-24T10:00", repeat="FREQ=WEEKLY;BYDAY=TU;UNTIL=2026-04-07")
    assert _list_events(done, until="2026-05-01") == [
        ("Fixe", "2026-03-24T10:00:00+01:00"),
        ("Fixe", "2026-03-31T10:00:00+02:00"),
        ("Fixe", "2026-04-07T10:00:00+02:00"),
    ]


def test_a_series_begins_with_the_first_date_of_its_rule(done: Call) -> None:
    event = done("create_event", title="Fixe", starts="2026-03-16T10:00", repeat="FREQ=WEEKLY;BYDAY=WE;COUNT=2")
    assert (event["event"]["starts"][:16], event["event"]["ends"][:16]) == ("2026-03-18T10:00", "2026-03-18T11:00")
    changed = done("update_event", event_id=event["id"], repeat="FREQ=WEEKLY;BYDAY=TH;COUNT=2")
    assert changed["event"]["starts"][:16] == "2026-03-19T10:00"
    assert [start[:10] for _, start in _list_events(done)] == ["2026-03-19", "2026-03-26"]


def test_one_date_of_a_series_is_moved_and_another_cancelled_while_the_rest_stays(done: Call) -> None:
    event_id = done("create_event", title="Fixe", starts="2026-03-17T10:00", repeat="FREQ=WEEKLY;COUNT=4")["id"]
    first, second = (event["occurrence"] for event in done("list_events")["events"][:2])
    moved = done("update_event", event_id=event_id, occurrence=first, starts="2026-03-18T14:00", location="Attic")[
        "event"
    ]
    assert (moved["starts"], moved["ends"]) == ("2026-03-18T14:00:00+01:00", "2026-03-18T15:00:00+01:00")
    done("cancel_event", event_id=event_id, occurrence=second)
    rest = [("Fixe", "2026-03-31T10:00:00+02:00"), ("Fixe", "2026-04-07T10:00:00+02:00")]
    assert _list_events(done) == [("Fixe", "2026-03-18T14:00:00+01:00"), *rest]
    again = done("update_event", event_id=event_id, occurrence=first, title="Fixe, long", ends="2026-03-18T17:00")[
        "event"
    ]
    assert (again["location"], again["ends"]) == ("Attic", "2026-03-18T17:00:00+01:00")
    view = done("read_event", event_id=event_id)
    assert (view["title"], view["skipped"]) == ("Fixe", ["2026-03-24T10:00:00+01:00"])
    assert [(exception["title"], exception["occurrence"]) for exception in view["exceptions"]] == [
        ("Fixe, long", first)
    ]
    done("cancel_event", event_id=event_id, occurrence=first)
    assert _list_events(done) == rest


def test_a_moved_series_takes_its_exceptions_along(done: Call, refused: Call, put: Put) -> None:
    put(
        "u1",
        make_moment(17, 10),
        1,
        Event("u1", "Long", make_moment(24, 10), make_moment(24, 13), occurrence=make_moment(24, 10)),
        rule="FREQ=WEEKLY;BYDAY=TU",
        skipped=(make_moment(31, 10),),
    )
    moved = done("update_event", event_id="u1", starts="2026-03-18T11:00")["event"]
    assert (moved["rule"], moved["skipped"]) == ("FREQ=WEEKLY;BYDAY=WE", ["2026-04-01T11:00:00+02:00"])
    assert _list_events(done, until="2026-04-09") == [
        ("u1", "2026-03-18T11:00:00+01:00"),
        ("Long", "2026-03-25T11:00:00+01:00"),
        ("u1", "2026-04-08T11:00:00+02:00"),
    ]
    put("u2", make_moment(17, 10), rule="FREQ=WEEKLY;BYDAY=TU,TH")
    assert "give a new repeat to move it to another day" in refused(
        "update_event", event_id="u2", starts="2026-03-18T10:00"
    )
    done("update_event", event_id="u2", starts="2026-03-18T10:00", repeat="FREQ=WEEKLY;BYDAY=WE,FR")
    done("update_event", event_id="u1", repeat="")
    assert done("read_event", event_id="u1").get("rule", "") == ""


def test_exceptions_of_weeks_in_a_row_move_by_a_week(done: Call, put: Put) -> None:
    others = [
        Event("u", f"{day}.", make_moment(day, 12), make_moment(day, 13), occurrence=make_moment(day, 10))
        for day in (17, 24)
    ]
    put(
        "u",
        make_moment(17, 10),
        1,
        *others,
        rule="FREQ=WEEKLY;UNTIL=20260331T080000Z",
        skipped=(make_moment(31, 8, zone=UTC),),
    )
    done("update_event", event_id="u", starts="2026-03-24T10:00")
    view = done("read_event", event_id="u")
    assert [(exception["title"], exception["occurrence"][:16]) for exception in view["exceptions"]] == [
        ("17.", "2026-03-24T10:00"), ("24.", "2026-03-31T10:00"),
    ]  # fmt: skip
    assert (view["rule"], view["skipped"]) == ("FREQ=WEEKLY;UNTIL=20260407T080000Z", ["2026-04-07T10:00:00+02:00"])


def test_what_a_change_does_not_name_stays_as_another_program_wrote_it(done: Call, agenda: Agenda, put: Put) -> None:
    put("u1", make_moment(17, 10), rule="FREQ=DAILY;COUNT=3")
    (path,) = agenda.files(ADA, "primary")
    alarm = b"BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\n"
    path.write_bytes(path.read_bytes().replace(b"END:VEVENT", b"X-APPLE-NOTE;X-A=1:kept\r\n" + alarm + b"END:VEVENT"))
    done("update_event", event_id="u1", title="Other")
    done("update_event", event_id="u1", occurrence="2026-03-18T10:00", title="Once")
    text = path.read_bytes()
    assert (text.count(b"X-APPLE-NOTE;X-A=1:kept"), text.count(b"TRIGGER:-PT15M")) == (2, 2)
    assert [title for title, _ in _list_events(done)] == ["Other", "Once", "Other"]


def test_events_move_between_calendars_which_are_listed_with_whose_can_be_seen(done: Call, refused: Call) -> None:
    event_id = done("create_event", title="Dentist", starts="2026-03-17T08:00")["id"]
    done("update_event", event_id=event_id, calendar="at HOME")
    listed = done("list_calendars")
    assert [(calendar["name"], calendar["title"], calendar["events"]) for calendar in listed["calendars"]] == [
        ("primary", "Ada Berg", 0), ("home", "At home", 1),
    ]  # fmt: skip
    assert listed["people"] == [ADA, "ben@berg.example", "eva@berg.example"]
    assert _list_events(done, calendar="primary") == []
    assert "there are: primary (Ada Berg), home (At home)" in refused(
        "create_event", title="x", starts="2026-03-17", calendar="work"
    )


def test_events_alike_in_two_calendars_are_two_and_none_is_moved_over_another(
    done: Call, refused: Call, agenda: Agenda, put: Put
) -> None:
    for calendar in ("primary", "home"):
        event_id = done("create_event", title="Lunch", starts="2026-03-17T12:00", calendar=calendar)["id"]
    done("update_event", event_id=event_id, title="Lunch at home")
    done("update_event", event_id=event_id, calendar="primary")
    assert sorted(title for title, _ in _list_events(done, calendar="primary")) == ["Lunch", "Lunch at home"]
    put("same", make_moment(17, 10))
    (path,) = (path for path in agenda.files(ADA, "primary") if path.name == "same.ics")
    for other in (path.read_bytes().replace(b"SUMMARY:same", b"SUMMARY:Other"), b"damaged"):
        agenda.save(ADA, "home", "same.ics", other)
        assert "already has the event 'same' or its file same.ics" in refused(
            "update_event", event_id="same", calendar="home"
        )
        assert [path.read_bytes() for path in agenda.files(ADA, "home")] == [other]


def test_a_damaged_file_is_not_overwritten_by_a_new_event(done: Call, agenda: Agenda) -> None:
    first = done("create_event", title="x", starts="2026-03-17T10:00")["id"]
    agenda.save(ADA, "primary", file_name(first), b"damaged")
    assert done("create_event", title="x", starts="2026-03-17T10:00")["id"] != first
    assert b"damaged" in [path.read_bytes() for path in agenda.files(ADA, "primary")]


def test_lists_come_in_pages(done: Call, put: Put) -> None:
    put("u1", make_moment(16, 18), rule="FREQ=DAILY;COUNT=7")
    page = done("list_events", limit=3, offset=3)
    assert (page["total"], page["next_offset"], page["events"][0]["starts"][:10]) == (7, 6, "2026-03-19")


def test_what_is_no_event_is_refused_and_what_there_is_is_named(done: Call, refused: Call, put: Put) -> None:
    put("u1", make_moment(17, 10), title="Fixe", rule="FREQ=WEEKLY")
    for asked, message in (
        ({"starts": "tomorrow"}, "is not a valid date or time"),
        ({"starts": "2026-03-17T10:00", "ends": "2026-03-17T09:00"}, "before it starts"),
        ({"starts": "2026-03-17", "ends": "2026-03-17"}, "the day after its last"),
        ({"starts": "2026-03-17", "ends": "2026-03-17T10:00"}, "two dates or two times"),
        ({"starts": "2026-03-17T10:00", "time_zone": "Vienna"}, "is not a valid time zone"),
        ({"starts": "2026-03-17T10:00", "attendees": ["Ben"]}, "'Ben' is not a valid mail address"),
        ({"starts": "2026-03-17T10:00", "repeat": "every tuesday"}, "FREQ="),
        ({"starts": "2026-03-17T10:00", "repeat": "FREQ=HOURLY"}, "DAILY, WEEKLY, MONTHLY, YEARLY"),
        ({"starts": "2026-03-17", "repeat": "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"}, "has no occurrences"),
        ({"starts": "2026-03-17T10:00", "repeat": "FREQ=WEEKLY;BYDAY=XX"}, "cannot be read"),
        ({"starts": "2026-03-17T10:00", "repeat": "FREQ=WEEKLY;INTERVAL=0"}, "INTERVAL=0; give a whole number"),
        ({"starts": "2026-03-17T10:00", "repeat": "FREQ=WEEKLY;COUNT=-3"}, "COUNT=-3; give a whole number"),
        ({"starts": "2026-03-17T10:00", "repeat": "FREQ=WEEKLY;UNTIL=00010101T000000Z"}, "has no occurrences"),
        ({"starts": "2026-03-17T10:00", "repeat": "FREQ=MONTHLY;BYDAY=9MO"}, "weekday number over 5; check BYDAY"),
        ({"starts": "2026-03-17T10:00", "repeat": "FREQ=WEEKLY;COUNT=2;UNTIL=20260401"}, "use one"),
    ):  # fmt: skip
        assert message in refused("create_event", title="x", **asked), asked
    assert "there are 1, such as u1 (Fixe)" in refused("read_event", event_id="u9")
    assert "it has: 2026-03-17T10:00:00+01:00" in refused("cancel_event", event_id="u1", occurrence="2026-03-18T10:00")
    assert "there is nothing to change" in refused("update_event", event_id="u1")
    assert "not a span of up to 800 days" in refused("list_events", since="2026-03-17", until="2030-01-01")


def test_times_beyond_the_years_of_events_are_refused_and_a_list_goes_up_to_them(
    done: Call, refused: Call, put: Put
) -> None:
    put("u", make_moment(17, 10), rule="FREQ=WEEKLY")
    for when in ("0001-01-01T00:00:00+05:00", "0001-01-01", "9999-12-31", "9999-12-31T23:59:00-05:00", "2201-01-01"):
        for tool, asked in (
            ("list_events", {"since": when}),
            ("read_event", {"event_id": "u", "occurrence": when}),
            ("cancel_event", {"event_id": "u", "occurrence": when, "following": True}),
            ("update_event", {"event_id": "u", "starts": when}),
            ("update_event", {"event_id": "u", "ends": when}),
        ):
            assert "is outside the supported years 1900 to 2200" in refused(tool, **asked), (tool, when)
        assert "not a span of up to 800 days" in refused("list_events", until=when)
    for until in ("9999-12-31", "9999-12-31T23:59:00-05:00", "2200-12-31"):
        assert done("list_events", since="2200-12-01", until=until)["total"] == 5


def test_the_same_calls_make_the_same_files_and_two_events_alike_are_two(done: Call, agenda: Agenda) -> None:
    first, second = (done("create_event", title="x", starts="2026-03-17T10:00")["id"] for _ in range(2))
    assert first != second
    done("cancel_event", event_id=first)
    assert done("create_event", title="x", starts="2026-03-17T10:00")["id"] == first
    assert [path.name for path in agenda.files(ADA, "primary")] == sorted(map(file_name, (first, second)))


def test_a_calendar_file_says_what_an_event_says() -> None:
    from yardkit.servers.calendar.engine.events import read_series

    stamp = datetime.datetime(2026, 3, 16, tzinfo=datetime.UTC)
    event = Event(
        "ü/1",
        "A; b, c\\",
        make_moment(17, 10),
        make_moment(17, 11),
        "Line\nLine",
        "Röm",
        "FREQ=WEEKLY",
        (make_moment(24, 10),),
        stamp=stamp,
    )
    exception = dataclasses.replace(
        event,
        starts=make_moment(1, 9, month=4),
        ends=make_moment(1, 9, month=4),
        rule="",
        skipped=(),
        occurrence=make_moment(31, 10),
    )
    series = read_series(calendar_file([event, exception]))
    assert (series.main, series.exceptions) == (event, (exception,))
