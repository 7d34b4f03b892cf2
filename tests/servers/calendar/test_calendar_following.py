"""One date of a series and all after it: the series ends before it, or another one goes on in its place."""

import datetime
from dataclasses import replace
from email.message import EmailMessage

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from support.agendas import ADA, BEN, EVA, VIENNA, Put, list_attendees, make_moment
from support.answers import Call
from support.mailboxes import event_file, list_mails
from support.scale import count_tries

from yardkit.apps.calendar import Agenda, Attendee, Event, When, calendar_file, file_name
from yardkit.servers.calendar.engine.events import Series, read_series
from yardkit.servers.calendar.engine.occurrences import Happening, list_happenings
from yardkit.servers.calendar.engine.places import WorldPlace
from yardkit.servers.calendar.engine.updates import EventWishes, cancel_event, update_event
from yardkit.world import World

FIRST, SURE, LAST = (datetime.datetime(*day, tzinfo=VIENNA) for day in ((2026, 1, 1), (2027, 4, 1), (2027, 6, 1)))
"""Series are looked at until the last; up to the one before, what is moved is still seen."""


def _read_all_series(agenda: Agenda, calendar: str = "primary") -> list[Series]:
    return [read_series(path.read_bytes()) for path in agenda.files(ADA, calendar)]


def _list_events(done: Call) -> list[tuple[str, str]]:
    events = done("list_events", until="2026-06-01", limit=200)["events"]
    return [(event["title"], event["starts"][:16]) for event in events]


@pytest.mark.parametrize(
    ("starts", "rule", "ended"),
    [
        (make_moment(17, 10), "FREQ=WEEKLY;BYDAY=TU", "FREQ=WEEKLY;UNTIL=20260324T090000Z;BYDAY=TU"),
        (make_moment(17, 10).replace(tzinfo=None), "FREQ=WEEKLY", "FREQ=WEEKLY;UNTIL=20260324T100000"),
        (datetime.date(2026, 3, 17), "FREQ=WEEKLY;UNTIL=20261231", "FREQ=WEEKLY;UNTIL=20260324"),
        (make_moment(17, 10), "FREQ=WEEKLY;COUNT=9", "FREQ=WEEKLY;COUNT=2"),
    ],
)
def test_a_series_ends_before_the_date(done: Call, agenda: Agenda, starts: When, rule: str, ended: str) -> None:
    weeks = [starts + datetime.timedelta(weeks=number) for number in range(6)]
    day = datetime.timedelta(days=1)
    event = Event("u", "u", starts, starts + day, rule=rule, skipped=(weeks[0], weeks[4]), extra=(weeks[3] + day,))
    moved = [Event("u", "u", weeks[number], weeks[number] + day, occurrence=weeks[number]) for number in (1, 5)]
    agenda.save(ADA, "primary", "u.ics", calendar_file([event, *moved]))
    done("cancel_event", event_id="u", occurrence=weeks[2].isoformat(), following=True)
    (series,) = _read_all_series(agenda)
    assert series.main is not None
    assert sorted(series.main.rule.split(";")) == sorted(ended.split(";"))
    assert (series.main.skipped, series.main.extra) == ((weeks[0],), ())
    assert [exception.occurrence for exception in series.exceptions] == [weeks[1]]
    assert [start[:10] for _, start in _list_events(done)] == ["2026-03-24"]


def test_what_follows_is_a_series_of_its_own(done: Call, agenda: Agenda, put: Put) -> None:
    exceptions = [
        Event("fixe", "Long", make_moment(24, 10), make_moment(24, 13), occurrence=make_moment(24, 10)),
        Event(
            "fixe",
            "fixe",
            make_moment(9, 8, month=4),
            make_moment(9, 9, month=4),
            location="Attic",
            occurrence=make_moment(7, 10, month=4),
        ),
    ]
    put(
        "fixe",
        make_moment(17, 10),
        1,
        *exceptions,
        rule="FREQ=WEEKLY;BYDAY=TU;COUNT=7",
        skipped=(make_moment(14, 10, month=4),),
    )
    (path,) = agenda.files(ADA, "primary")
    alarm = b"BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\n"
    path.write_bytes(path.read_bytes().replace(b"END:VEVENT", b"X-NOTE:kept\r\n" + alarm + b"END:VEVENT", 1))
    changed_event = done("update_event", event_id="fixe", occurrence="2026-03-31T10:00", following=True,
                starts="2026-04-01T14:00", title="New fixe")  # fmt: skip
    assert (changed_event["id"] != "fixe", changed_event["event"]["rule"]) == (True, "FREQ=WEEKLY;COUNT=5;BYDAY=WE")
    assert _list_events(done) == [
        ("fixe", "2026-03-17T10:00"),
        ("Long", "2026-03-24T10:00"),
        ("New fixe", "2026-04-01T14:00"),
        ("New fixe", "2026-04-09T08:00"),
        ("New fixe", "2026-04-22T14:00"),
        ("New fixe", "2026-04-29T14:00"),
    ]
    (moved,) = done("read_event", event_id=changed_event["id"])["exceptions"]
    assert (moved["occurrence"], moved["location"]) == ("2026-04-08T14:00:00+02:00", "Attic")
    texts = [path.read_bytes() for path in agenda.files(ADA, "primary")]
    assert [(b"X-NOTE:kept" in text, b"TRIGGER:-PT15M" in text) for text in texts] == [(True, True)] * 2


def test_a_new_rule_drops_the_exceptions_that_it_has_no_date_for(done: Call, put: Put) -> None:
    exceptions = [
        Event(
            "u",
            title,
            make_moment(day, 10, month=4),
            make_moment(day, 11, month=4),
            occurrence=make_moment(day, 10, month=4),
        )
        for title, day in (("stays", 7), ("goes", 9))
    ]
    put("u", make_moment(17, 10), 1, *exceptions, rule="FREQ=WEEKLY;BYDAY=TU,TH")
    done("update_event", event_id="u", occurrence="2026-03-31T10:00", following=True, repeat="FREQ=WEEKLY;COUNT=3")
    assert _list_events(done)[4:] == [
        ("u", "2026-03-31T10:00"), ("stays", "2026-04-07T10:00"), ("u", "2026-04-14T10:00"),
    ]  # fmt: skip


def test_an_exception_with_which_the_change_begins_is_changed_too(done: Call, refused: Call, put: Put) -> None:
    moved = Event(
        "u", "Moved", make_moment(25, 15), make_moment(25, 17), location="Attic", occurrence=make_moment(24, 10)
    )
    put("u", make_moment(17, 10), 1, moved, rule="FREQ=WEEKLY;COUNT=3")
    asked = {"event_id": "u", "occurrence": "2026-03-24T10:00", "following": True}
    assert "give starts, too" in refused("update_event", **asked, ends="2026-03-25T18:00")
    done("update_event", **asked, title="Late", starts="2026-03-24T18:00")
    events = done("list_events", query="late")["events"]
    assert [(event["starts"][:16], event["ends"][:16], event.get("location")) for event in events] == [
        ("2026-03-24T18:00", "2026-03-24T20:00", "Attic"), ("2026-03-31T18:00", "2026-03-31T19:00", None),
    ]  # fmt: skip


def test_the_first_date_and_what_follows_is_the_whole_series(done: Call, agenda: Agenda, put: Put) -> None:
    put("u", make_moment(17, 10), rule="FREQ=WEEKLY;COUNT=4", skipped=(make_moment(17, 10),))
    changed_event = done(
        "update_event", event_id="u", occurrence="2026-03-24T10:00", following=True, starts="2026-03-24T12:00"
    )
    assert (changed_event["id"], [start for _, start in _list_events(done)]) == (
        "u", ["2026-03-24T12:00", "2026-03-31T12:00", "2026-04-07T12:00"],
    )  # fmt: skip
    done("cancel_event", event_id="u", occurrence="2026-03-24T12:00", following=True)
    assert agenda.files(ADA, "primary") == []


def test_what_cannot_be_split_is_refused(done: Call, refused: Call, put: Put) -> None:
    put("u", make_moment(17, 10), rule="FREQ=WEEKLY;COUNT=4", extra=(make_moment(26, 9),))
    put("one", make_moment(17, 10))
    for tool, more in (("cancel_event", {}), ("update_event", {"title": "x"})):
        assert "give occurrence" in refused(tool, event_id="u", following=True, **more)
        assert "is not an occurrence of event one" in refused(
            tool, event_id="one", occurrence="2026-03-17T10:00", following=True, **more
        )
    beside = {"event_id": "u", "occurrence": "2026-03-26T09:00", "following": True}
    assert "does not match the rule of the series" in refused("update_event", **beside, title="x")
    done("cancel_event", **beside)
    assert [start for title, start in _list_events(done) if title == "u"] == ["2026-03-17T10:00", "2026-03-24T10:00"]


def _read_notice(message: EmailMessage) -> tuple[str, str, str]:
    event = read_series(event_file(message)).head
    return message["Subject"], event.uid, event.rule


def test_guests_are_told_that_a_series_ends_and_of_the_one_that_begins(done: Call, world: World, put: Put) -> None:
    guests = {"organizer": Attendee(ADA), "attendees": list_attendees(BEN)}
    once = Event(
        "u",
        "Once",
        make_moment(31, 10),
        make_moment(31, 11),
        occurrence=make_moment(31, 10),
        organizer=Attendee(ADA),
        attendees=list_attendees(BEN, EVA),
    )
    put("u", make_moment(17, 10), 1, once, rule="FREQ=WEEKLY;COUNT=5", **guests)
    changed_event = done("update_event", event_id="u", occurrence="2026-03-24T10:00", following=True, location="Attic")
    assert changed_event["mailed"] == [BEN, EVA]
    ended, begun = list_mails(world, BEN)
    assert _read_notice(ended) == ("Updated invitation: u", "u", "FREQ=WEEKLY;COUNT=1")
    assert "From 2026-03-24T10:00:00+01:00 on another series takes its place" in ended.get_body().get_content()
    assert _read_notice(begun) == ("Invitation: u", changed_event["id"], "FREQ=WEEKLY;COUNT=4")
    assert [exception.title for exception in read_series(event_file(begun)).exceptions] == ["Once"]
    assert [message["Subject"] for message in list_mails(world, EVA)] == ["Cancelled: Once", "Invitation: Once"]
    done("cancel_event", event_id=changed_event["id"], occurrence="2026-04-07T10:00", following=True, comment="Sorry.")
    last = list_mails(world, BEN)[-1]
    assert _read_notice(last) == ("Updated invitation: u", changed_event["id"], "FREQ=WEEKLY;COUNT=2")
    assert "on it is cancelled.\r\nSorry." in last.get_body().get_content()


def test_a_guest_declines_from_a_date_on(done: Call, refused: Call, world: World, put: Put) -> None:
    put("u", make_moment(17, 10), rule="FREQ=WEEKLY", organizer=Attendee(BEN), attendees=list_attendees(ADA))
    asked = {"event_id": "u", "occurrence": "2026-03-24T10:00", "following": True}
    assert "and only the organizer can change it." in refused("update_event", **asked, title="Mine")
    assert done("cancel_event", **asked)["mailed"] == [BEN]
    (reply,) = list_mails(world, BEN)
    assert reply["Subject"] == "Declined: u"
    assert b"RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Vienna:20260324T100000" in event_file(reply)
    assert b"DTSTART;TZID=Europe/Vienna:20260324T100000" in event_file(reply)
    assert [start for _, start in _list_events(done)] == ["2026-03-17T10:00"]


STARTS = st.sampled_from(
    [
        make_moment(17, 10),
        make_moment(28, 2, 30),
        make_moment(31, 23),
        make_moment(17, 10).replace(tzinfo=None),
        datetime.date(2026, 3, 31),
    ]
)
RULES = st.builds(
    lambda freq, interval, ends: f"FREQ={freq};INTERVAL={interval}{ends}",
    st.sampled_from(
        ["DAILY", "WEEKLY", "WEEKLY;BYDAY=MO,TU,FR", "MONTHLY", "MONTHLY;BYDAY=-1FR", "MONTHLY;BYMONTHDAY=31"]
    ),
    st.integers(1, 3),
    st.sampled_from(["", ";COUNT=7", ";UNTIL=20260701"]),
)


@st.composite
def series_with_a_date(draw: st.DrawFn) -> tuple[Series, When]:
    """A series with skipped and added dates and exceptions, and one of its dates."""
    starts, rule = draw(STARTS), draw(RULES)
    hour = datetime.timedelta(days=1) if not isinstance(starts, datetime.datetime) else datetime.timedelta(hours=1)
    base_event = Event("u", "u", starts, starts + hour, rule=_write_rule(rule, starts))
    dates = [
        happening.occurrence
        for happening in list_happenings(Series(base_event, ()), FIRST, SURE, VIENNA)
        if happening.occurrence
    ][:12]
    assume(len(dates) > 2)
    chosen = draw(st.lists(st.sampled_from(dates), unique=True, max_size=5))
    skipped, moved, cut = chosen[:2], chosen[2:], draw(st.sampled_from(dates))
    extra = [
        drawn_date + datetime.timedelta(days=3) for drawn_date in draw(st.lists(st.sampled_from(dates), max_size=2))
    ]
    main = replace(
        base_event,
        skipped=tuple(skipped),
        extra=tuple({extra_date: extra_date for extra_date in extra if extra_date not in dates}),
    )
    late = datetime.timedelta(days=draw(st.integers(0, 2)))
    others = [
        Event("u", "Other", moved_date + late, moved_date + late + 2 * hour, occurrence=moved_date)
        for moved_date in moved
    ]
    assume(cut not in skipped)
    return Series(main, tuple(others)), cut


def _write_rule(rule: str, starts: When) -> str:
    zoned = isinstance(starts, datetime.datetime)
    return rule.replace("20260701", ("20260701T200000Z" if starts.tzinfo else "20260701T220000")) if zoned else rule


@pytest.fixture
def place(world: World) -> WorldPlace:
    return WorldPlace(world)


def _list_happenings(agenda: Agenda) -> list[Happening]:
    all_happenings = [
        happening for series in _read_all_series(agenda) for happening in list_happenings(series, FIRST, LAST, VIENNA)
    ]
    return sorted(
        all_happenings,
        key=lambda happening: (_to_moment(happening.occurrence or happening.starts), happening.event.title),
    )


def _to_moment(when: When) -> datetime.datetime:
    if not isinstance(when, datetime.datetime):
        return datetime.datetime.combine(when, datetime.time.min, VIENNA)
    return when if when.tzinfo else when.replace(tzinfo=VIENNA)


def _list_seen(
    happenings_list: list[Happening], by: datetime.timedelta = datetime.timedelta()
) -> list[tuple[When, When, str]]:
    return [(happening.starts + by, happening.ends + by, happening.event.title) for happening in happenings_list]


def _by_the_clock(when: When) -> str:
    return (when.replace(tzinfo=None) if isinstance(when, datetime.datetime) else when).isoformat()


def _list_moments(seen: list[tuple[When, When, str]]) -> list[tuple[datetime.datetime, datetime.datetime, str]]:
    """As moments, since a series without a zone has one when it is moved; up to where all of it is known."""
    moments = sorted((_to_moment(starts), _to_moment(ends), title) for starts, ends, title in seen)
    return [moment for moment in moments if moment[0] < SURE]


def _reset_agenda(agenda: Agenda, series: Series) -> None:
    for path in agenda.files(ADA, "primary"):
        path.unlink()
    assert series.main is not None
    agenda.save(ADA, "primary", file_name("u"), calendar_file([series.main, *series.exceptions]))


@settings(max_examples=count_tries(400, 40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut_series=series_with_a_date())
def test_dates_before_are_what_they_were_and_those_after_are_changed(
    cut_series: tuple[Series, When], agenda: Agenda, place: WorldPlace
) -> None:
    series, cut = cut_series
    _reset_agenda(agenda, series)
    before, rest = _split_happenings(_list_happenings(agenda), cut)
    update_event(place, "u", EventWishes(description="Changed"), cut.isoformat(), following=True)
    now = _split_happenings(_list_happenings(agenda), cut)
    assert tuple(map(_list_seen, now)) == (_list_seen(before), _list_seen(rest))
    assert [happening.event.description for happening in now[0]] == [""] * len(before)
    assert {happening.event.description for happening in now[1]} == {"Changed"}
    _reset_agenda(agenda, series)
    cancel_event(place, "u", cut.isoformat(), following=True)
    assert _list_seen(_list_happenings(agenda)) == _list_seen(before)


@settings(max_examples=count_tries(400, 40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut_series=series_with_a_date(), days=st.sampled_from([0, 7]), hours=st.integers(0, 3))
def test_dates_after_are_moved_together(
    cut_series: tuple[Series, When], days: int, hours: int, agenda: Agenda, place: WorldPlace
) -> None:
    series, cut = cut_series
    by = datetime.timedelta(days=days, hours=hours if isinstance(cut, datetime.datetime) else 0)
    assume((cut + by).day == cut.day or "MONTHLY" not in series.head.rule)
    assume((cut + by).weekday() == cut.weekday() or "BYDAY" not in series.head.rule)
    assume(all(exception.occurrence == exception.starts for exception in series.exceptions))
    _reset_agenda(agenda, series)
    before, rest = _split_happenings(_list_happenings(agenda), cut)
    update_event(place, "u", EventWishes(starts=_by_the_clock(cut + by)), cut.isoformat(), following=True)
    now = _list_happenings(agenda)
    assert _list_moments(_list_seen(now)) == _list_moments([*_list_seen(before), *_list_seen(rest, by)])


def _split_happenings(happenings_list: list[Happening], cut: When) -> tuple[list[Happening], list[Happening]]:
    after = [_to_moment(happening.occurrence or happening.starts) >= _to_moment(cut) for happening in happenings_list]
    return [happening for happening, late in zip(happenings_list, after, strict=True) if not late], [
        happening for happening, late in zip(happenings_list, after, strict=True) if late
    ]
