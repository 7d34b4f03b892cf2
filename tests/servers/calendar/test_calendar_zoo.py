"""Calendar files of many programs are listed, changed and graded as they mean it, whatever stood beside them before."""

import datetime

import pytest
from support.agendas import ADA, VIENNA
from support.answers import Call
from zoo.calendars import CALENDARS, make_event, make_file, make_private
from zoo.calendars import VIENNA as VIENNA_ZONE

from yardkit.apps.calendar import Agenda
from yardkit.evaluators.readers.events import list_happenings, read_file
from yardkit.world import World

SPAN = {"since": "2026-03-01", "until": "2026-04-30"}


def _show_start(start: datetime.date) -> str:
    """As lists show it: by the clock of Vienna, where a time without a zone is, too."""
    if not isinstance(start, datetime.datetime):
        return start.isoformat()
    moment = start if start.tzinfo else start.replace(tzinfo=VIENNA)
    return moment.astimezone(datetime.UTC).astimezone(VIENNA).isoformat()


def _list_starts(done: Call) -> list[str]:
    return [event["starts"] for event in done("list_events", **SPAN)["events"]]


@pytest.mark.parametrize("name", CALENDARS)
def test_a_file_is_read_as_its_program_means_it(done: Call, agenda: Agenda, name: str) -> None:
    case = CALENDARS[name]
    agenda.save(ADA, "primary", "zoo.ics", case.data)
    listed = done("list_events", **SPAN)
    assert [event["starts"] for event in listed["events"]] == case.starts
    assert [event["ends"] for event in listed["events"]] == case.ends or not case.ends
    assert list(dict.fromkeys(event["title"] for event in listed["events"])) == case.titles
    assert case.noted in str(listed["damaged"])
    assert bool(case.noted) == bool(listed["damaged"])
    assert done("read_event", event_id="talk")["title"] == case.titles[0]


@pytest.mark.parametrize("name", CALENDARS)
def test_a_changed_file_keeps_its_times(done: Call, call: Call, agenda: Agenda, name: str) -> None:
    case = CALENDARS[name]
    agenda.save(ADA, "primary", "zoo.ics", case.data)
    changed = call("update_event", event_id="talk", location="Room 1")
    assert changed.is_error == (case.noted == "a line of it")
    assert _list_starts(done) == case.starts
    assert [event["ends"] for event in done("list_events", **SPAN)["events"]] == case.ends or not case.ends
    assert ("Room 1" in str(done("list_events", **SPAN)["events"])) != changed.is_error


@pytest.mark.parametrize("name", [name for name, case in CALENDARS.items() if len(case.starts) > 2])
def test_a_date_of_a_series_is_cancelled(done: Call, agenda: Agenda, name: str) -> None:
    case = CALENDARS[name]
    agenda.save(ADA, "primary", "zoo.ics", case.data)
    event = done("list_events", **SPAN)["events"][1]
    done("cancel_event", event_id="talk", occurrence=event["occurrence"])
    assert _list_starts(done) == [case.starts[0], *case.starts[2:]]


def test_zones_of_one_file_do_not_reach_another(done: Call, agenda: Agenda) -> None:
    agenda.save(ADA, "primary", "a.ics", make_private("+0100", "+0200"))
    agenda.save(ADA, "primary", "b.ics", make_private("-0800", "-0700").replace(b"UID:talk", b"UID:other"))
    assert _list_starts(done) == ["2026-03-17T10:00:00+01:00", "2026-03-17T19:00:00+01:00"]
    done("update_event", event_id="other", starts="2026-03-18T19:00+01:00")
    assert _list_starts(done) == ["2026-03-17T10:00:00+01:00", "2026-03-18T19:00:00+01:00"]


def test_extra_dates_are_as_long_as_they_say(done: Call, agenda: Agenda) -> None:
    agenda.save(ADA, "primary", "zoo.ics", CALENDARS["extra dates with ends"].data)
    ends = [event["ends"][11:16] for event in done("list_events", **SPAN)["events"]]
    assert ends == ["11:00", "11:00", "11:00", "15:00", "15:00"]
    done("update_event", event_id="talk", title="Anew")
    assert [event["ends"][11:16] for event in done("list_events", **SPAN)["events"]] == ends


def test_hours_of_a_duration_pass_while_the_clock_is_changed(done: Call, agenda: Agenda) -> None:
    zone = "DTSTART;TZID=Europe/Vienna:20260328T120000\r\n"
    for number, (length, end) in enumerate((("P1D", "12:00"), ("P1DT1H", "13:00"), ("PT13H", "01:00"))):
        text = f"BEGIN:VEVENT\r\nUID:u{number}\r\n{zone}DURATION:{length}\r\nSUMMARY:{end}\r\nEND:VEVENT\r\n"
        agenda.save(ADA, "primary", f"u{number}.ics", make_file(text))
    night = make_event("20260329T010000", "x", zone=VIENNA_ZONE, title="05:00").replace(
        "DTEND;TZID=Europe/Vienna:x", "DURATION:PT3H"
    )
    agenda.save(ADA, "primary", "night.ics", make_file(night))
    events = done("list_events", **SPAN)["events"]
    assert [event["ends"][11:16] for event in events] == [event["title"] for event in events]


def test_people_who_are_named_by_a_path_have_the_address_beside_it(done: Call, agenda: Agenda) -> None:
    guest = "ATTENDEE;CN=Eva Lind;EMAIL=eva@x.example;PARTSTAT=ACCEPTED:/principals/users/7/\n"
    agenda.save(ADA, "primary", "zoo.ics", make_file(make_event("20260317T100000", "20260317T110000", guest)))
    (attendee,) = done("read_event", event_id="talk")["attendees"]
    assert (attendee["address"], attendee["name"], attendee["answer"]) == ("eva@x.example", "Eva Lind", "accepted")


def test_a_file_without_events_is_said_to_hold_what_it_holds(done: Call, agenda: Agenda) -> None:
    task = "BEGIN:VTODO\nUID:t\nDTSTAMP:20260301T000000Z\nSUMMARY:Buy milk\nEND:VTODO\n"
    agenda.save(ADA, "primary", "todo.ics", make_file(task))
    (damaged,) = done("list_events", **SPAN)["damaged"]
    assert "no event, but the task 'Buy milk'" in damaged["reason"]


def test_an_event_without_an_id_is_given_one_that_stays(done: Call, agenda: Agenda) -> None:
    agenda.save(ADA, "primary", "a.ics", CALENDARS["no zone"].data.replace(b"UID:talk\r\n", b""))
    (event,) = done("list_events", **SPAN)["events"]
    done("update_event", event_id=event["id"], title="Anew")
    assert [(line["id"], line["title"]) for line in done("list_events", **SPAN)["events"]] == [(event["id"], "Anew")]


def test_an_invitation_with_a_private_zone_is_answered_in_it(done: Call, world: World) -> None:
    guest = b"ORGANIZER:mailto:bob@x.example\r\nATTENDEE:mailto:ada@berg.example\r\nEND:VEVENT"
    (world.files / "i.ics").write_bytes(make_private("-0800", "-0700").replace(b"END:VEVENT", guest))
    assert done("answer_invitation", answer="accepted", path="i.ics")["done"] == "answered"
    assert _list_starts(done) == ["2026-03-17T19:00:00+01:00"]


@pytest.mark.parametrize("name", [name for name, case in CALENDARS.items() if case.graded])
def test_the_graders_see_the_same_times(world: World, agenda: Agenda, name: str) -> None:
    agenda.save(ADA, "primary", "zoo.ics", CALENDARS[name].data)
    events = read_file(world.root / "apps", f"calendar/{ADA}/primary/zoo.ics")
    since, until = (datetime.datetime(2026, month, 1, tzinfo=VIENNA) for month in (3, 5))
    starts = [event.starts for event in list_happenings(events, since, until)]
    assert list(map(_show_start, starts)) == CALENDARS[name].starts
