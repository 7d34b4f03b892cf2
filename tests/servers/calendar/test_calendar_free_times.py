"""Free times of several people, each by the own clock."""

import datetime
from typing import Any

import pytest
from support.agendas import ADA, BEN, EVA, NEW_YORK, VIENNA, Put, list_attendees, make_moment
from support.answers import Call

from yardkit.apps.calendar import Attendee


@pytest.fixture
def free(done: Call) -> Any:
    def find(*people: str, **asked: Any) -> list[tuple[str, str]]:
        reply = done("find_free_times", people=people, **({"minutes": 30, "until": "2026-03-16"} | asked))
        return [(free_span["starts"][11:16], free_span["ends"][11:16]) for free_span in reply["free"]]

    return find


def test_all_are_free_within_the_hours_of_all_zones(free: Any, put: Put) -> None:
    assert free() == [("10:00", "17:00")]  # it is ten by the owner's clock
    assert free(BEN) == [("14:00", "17:00")]  # nine to five in New York, while clocks there are an hour nearer
    assert free(BEN, EVA) == []
    assert free(BEN, EVA, day_starts="07:00", day_ends="23:30") == [("12:00", "15:30"), ("23:00", "23:30")]


def test_what_takes_the_time_of_somebody_is_left_out(free: Any, put: Put) -> None:
    put("busy", make_moment(16, 11), 2)
    put("theirs", make_moment(16, 11, zone=NEW_YORK), 0.5, user=BEN)
    put("free", make_moment(16, 10), 1, busy=False)
    put("off", make_moment(16, 14), 1, status="cancelled")
    put("no", make_moment(16, 14), 1, organizer=Attendee(BEN), attendees=(Attendee(ADA, answer="declined"),))
    assert free() == [("10:00", "11:00"), ("13:00", "17:00")]
    assert free(BEN) == [("14:00", "16:00"), ("16:30", "17:00")]
    assert free(BEN, minutes=60) == [("14:00", "16:00")]


def test_an_invitation_takes_the_time_of_a_guest_before_it_is_in_the_guests_calendar(free: Any, put: Put) -> None:
    put("plan", make_moment(16, 14), 1, organizer=Attendee(ADA), attendees=list_attendees(BEN), busy=True)
    assert free(BEN) == [("15:00", "17:00")]


def test_whoever_is_booked_by_the_owner_is_not_free_for_another_meeting(free: Any, done: Call) -> None:
    asked = {"title": "Plan", "starts": "2026-03-16T15:00", "attendees": ["Ben Moser <Ben@berg.example>"]}
    event = done("create_event", **asked, calendar="home")
    for person in (BEN, "Ben Moser <ben@berg.example>"):
        assert free(person) == [("14:00", "15:00"), ("16:00", "17:00")]
    done("cancel_event", event_id=event["id"])
    assert free(BEN) == [("14:00", "17:00")]


def test_a_guest_who_is_not_in_the_world_is_busy_with_the_owners_events(free: Any, put: Put) -> None:
    put("plan", make_moment(16, 14), 1, organizer=Attendee(ADA), attendees=list_attendees("zoe@out.example"))
    assert free("zoe@out.example") == [("10:00", "14:00"), ("15:00", "17:00")]


def test_a_colleague_is_busy_with_what_the_owner_declined_and_not_with_what_the_colleague_did(
    free: Any, put: Put
) -> None:
    people = [(Attendee(ADA, answer="declined"), Attendee(BEN, answer=answer)) for answer in ("accepted", "declined")]
    for number, attendees in enumerate(people):
        put(
            f"{number}",
            make_moment(16, 14 + number),
            1,
            organizer=Attendee(EVA),
            attendees=attendees,
            rule="FREQ=DAILY",
        )
    put("off", make_moment(16, 16), 1, organizer=Attendee(EVA), attendees=people[0], status="cancelled")
    put("idle", make_moment(16, 16), 1, organizer=Attendee(EVA), attendees=people[0], busy=False)
    assert free() == [("10:00", "17:00")]
    assert free(BEN) == [("15:00", "17:00")]


def test_series_whole_days_and_weekends_count(done: Call, put: Put) -> None:
    put("fixe", make_moment(9, 9), 7, rule="FREQ=DAILY;COUNT=30", skipped=(make_moment(18, 9),))
    reply = done("find_free_times", people=[], minutes=120, since="2026-03-16", until="2026-03-22")
    assert [free_span["starts"] for free_span in reply["free"]] == ["2026-03-18T09:00:00+01:00"]
    done("create_event", title="Away", starts="2026-03-18")
    assert done("find_free_times", people=[], minutes=120, since="2026-03-16", until="2026-03-22")["free"] == []


def test_whose_calendar_cannot_be_seen_is_said(done: Call, refused: Call) -> None:
    reply = done("find_free_times", people=["zoe@out.example", BEN], minutes=30, until="2026-03-16")
    assert (reply["unknown"], reply["people"]) == (
        ["zoe@out.example"], {ADA: "Europe/Vienna", BEN: "America/New_York"},
    )  # fmt: skip
    assert "before it starts" in refused("find_free_times", people=[], minutes=30, day_starts="18:00")
    assert "is not a valid time of day" in refused("find_free_times", people=[], minutes=30, day_starts="nine")


def test_spans_are_by_the_owners_clock(done: Call) -> None:
    (free_span,) = done("find_free_times", people=[], minutes=30, until="2026-03-16")["free"]
    assert (free_span["starts"], free_span["minutes"]) == (
        datetime.datetime(2026, 3, 16, 10, tzinfo=VIENNA).isoformat(),
        420,
    )
