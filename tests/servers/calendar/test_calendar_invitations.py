"""Invitations, changes, cancellations and answers travel by mail."""

from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from support.agendas import ADA, BEN, EVA, UTC, Put, list_attendees, make_moment
from support.answers import Call
from support.mailboxes import calendar_part, event_file, list_mails

from yardkit.apps.calendar import Agenda, Attendee, Event, calendar_file
from yardkit.servers.calendar.engine.events import read_series
from yardkit.world import World, use_world


def _read_message(message: EmailMessage) -> tuple[str, str, Event]:
    """Subject, method and event of a mail."""
    method = str(calendar_part(message).get_param("method"))
    return message["Subject"], method, read_series(event_file(message)).head


def test_guests_are_invited_told_of_changes_and_of_the_end(done: Call, world: World) -> None:
    event = done(
        "create_event",
        title="Plan",
        starts="2026-03-17T10:00",
        attendees=["Ben <ben@berg.example>", "zoe@out.example", "nobody@berg.example"],
    )
    assert (event["mailed"], event["undelivered"]) == (
        [BEN, "zoe@out.example", "nobody@berg.example"], ["nobody@berg.example"],
    )  # fmt: skip
    done("update_event", event_id=event["id"], starts="2026-03-17T11:00", attendees=[BEN, EVA])
    done("cancel_event", event_id=event["id"], comment="Sorry.")
    ben = [_read_message(message) for message in list_mails(world, BEN)]
    assert [(subject, method) for subject, method, _ in ben] == [
        ("Invitation: Plan", "REQUEST"), ("Updated invitation: Plan", "REQUEST"), ("Cancelled: Plan", "CANCEL"),
    ]  # fmt: skip
    assert [event.starts for *_, event in ben] == [make_moment(17, 10), make_moment(17, 11), make_moment(17, 11)]
    assert [event.sequence for *_, event in ben] == [0, 1, 2]
    zoe = [_read_message(message)[:2] for message in list_mails(world, "@outside")]
    assert zoe == [("Invitation: Plan", "REQUEST"), ("Cancelled: Plan", "CANCEL")]
    assert [message["To"] for message in list_mails(world, EVA)] == ["Ben <ben@berg.example>, eva@berg.example"] * 2
    assert len(list_mails(world, ADA, "Sent")) == 4


def test_who_stays_invited_keeps_the_answer(done: Call, put: Put) -> None:
    guests = (Attendee(BEN, "Ben", "accepted"), Attendee(EVA, "Eva", "declined"))
    put("u1", make_moment(17, 10), organizer=Attendee(ADA), attendees=guests)
    people = done("update_event", event_id="u1", attendees=[BEN, "zoe@out.example"])["event"]["attendees"]
    assert [(person["address"], person.get("answer")) for person in people] == [
        (BEN, "accepted"),
        ("zoe@out.example", None),
    ]


def test_the_owner_answers_who_invites_and_cannot_change_what_is_not_the_owners(
    done: Call, refused: Call, world: World, put: Put
) -> None:
    put("u1", make_moment(17, 10), rule="FREQ=WEEKLY", organizer=Attendee(BEN), attendees=list_attendees(ADA, EVA))
    assert "and only the organizer can change it." in refused("update_event", event_id="u1", title="Mine")
    done("answer_invitation", event_id="u1", answer="accepted")
    done("answer_invitation", event_id="u1", answer="declined", occurrence="2026-03-24T10:00", comment="Away.")
    assert [
        (event["starts"][:10], event["my_answer"]) for event in done("list_events", until="2026-04-01")["events"]
    ] == [
        ("2026-03-17", "accepted"),
        ("2026-03-24", "declined"),
        ("2026-03-31", "accepted"),
    ]
    replies = [_read_message(message) for message in list_mails(world, BEN)]
    assert [(subject, method) for subject, method, _ in replies] == [
        ("Accepted: u1", "REPLY"), ("Declined: u1", "REPLY"),
    ]  # fmt: skip
    assert [event.attendees for *_, event in replies] == [
        (Attendee(ADA, "", answer),) for answer in ("accepted", "declined")
    ]
    assert replies[1][2].occurrence == make_moment(24, 10)
    assert list_mails(world, EVA) == []


def test_a_guest_who_takes_an_event_out_declines_it(done: Call, world: World, put: Put) -> None:
    put("u1", make_moment(17, 10), organizer=Attendee(BEN), attendees=list_attendees(ADA))
    assert done("cancel_event", event_id="u1")["mailed"] == [BEN]
    assert [_read_message(message)[:2] for message in list_mails(world, BEN)] == [("Declined: u1", "REPLY")]
    assert done("list_events")["total"] == 0


def test_an_invitation_from_a_mail_comes_into_the_calendar_when_it_is_answered(
    done: Call, refused: Call, files: Path
) -> None:
    event = Event(
        "x@out",
        "Fair",
        make_moment(17, 10),
        make_moment(17, 12),
        organizer=Attendee("zoe@out.example"),
        attendees=list_attendees(ADA),
    )
    (files / "invite.ics").write_bytes(calendar_file([event], "REQUEST"))
    done("answer_invitation", path="invite.ics", answer="tentative")
    (line,) = done("list_events")["events"]
    assert (line["id"], line["my_answer"], line["calendar"]) == ("x@out", "tentative", "primary")
    (files / "off.ics").write_bytes(calendar_file([event], "CANCEL"))
    assert "the file is a CANCEL, not an invitation" in refused("answer_invitation", path="off.ics", answer="accepted")
    (files / "other.ics").write_bytes(
        calendar_file([Event("y", "Z", make_moment(17, 10), make_moment(17, 12), organizer=Attendee(BEN))])
    )
    assert "is not invited" in refused("answer_invitation", path="other.ics", answer="accepted")
    assert "give event_id" in refused("answer_invitation", answer="accepted")
    assert done("list_events")["total"] == 1


def test_an_invitation_to_one_date_leaves_the_rest_of_the_series(
    done: Call, refused: Call, files: Path, world: World, put: Put
) -> None:
    people_fields: dict[str, Any] = {"organizer": Attendee(BEN), "attendees": list_attendees(ADA)}
    late = Event("u", "Late", make_moment(24, 18), make_moment(24, 19), occurrence=make_moment(24, 10), **people_fields)
    put("u", make_moment(17, 10), 1, late, rule="FREQ=WEEKLY;COUNT=4", **people_fields)
    for hour in (15, 16):
        moved = Event(
            "u",
            "Moved",
            make_moment(31, hour),
            make_moment(31, hour + 1),
            occurrence=make_moment(31, 8, zone=UTC),
            **people_fields,
        )
        (files / "invite.ics").write_bytes(calendar_file([moved], "REQUEST"))
        done("answer_invitation", path="invite.ics", answer="accepted")
    assert [(event["title"], event["starts"][5:16], event["my_answer"]) for event in done("list_events")["events"]] == [
        ("u", "03-17T10:00", "needs-action"), ("Late", "03-24T18:00", "needs-action"),
        ("Moved", "03-31T16:00", "accepted"), ("u", "04-07T10:00", "needs-action"),
    ]  # fmt: skip
    assert [_read_message(message)[2].occurrence for message in list_mails(world, BEN)] == [make_moment(31, 10)] * 2
    others = replace(moved, attendees=list_attendees(EVA))
    (files / "invite.ics").write_bytes(calendar_file([others], "REQUEST"))
    assert "is not invited to 'Moved'" in refused("answer_invitation", path="invite.ics", answer="accepted")


def test_a_series_is_answered_but_for_the_dates_that_are_without_the_owner(done: Call, put: Put) -> None:
    once = Event(
        "u",
        "Once",
        make_moment(24, 10),
        make_moment(24, 11),
        occurrence=make_moment(24, 10),
        organizer=Attendee(BEN),
        attendees=list_attendees(EVA),
    )
    put(
        "u",
        make_moment(17, 10),
        1,
        once,
        rule="FREQ=WEEKLY;COUNT=3",
        organizer=Attendee(BEN),
        attendees=list_attendees(ADA),
    )
    done("answer_invitation", event_id="u", answer="accepted")
    answers = [(event["title"], event.get("my_answer")) for event in done("list_events")["events"]]
    assert answers == [("u", "accepted"), ("Once", None), ("u", "accepted")]


def test_guests_of_a_series_that_is_changed_or_ended_get_its_exceptions(done: Call, world: World, put: Put) -> None:
    people_fields: dict[str, Any] = {"organizer": Attendee(ADA), "attendees": list_attendees(BEN)}
    once = Event("u", "Once", make_moment(24, 10), make_moment(24, 11), occurrence=make_moment(24, 10), **people_fields)
    put("u", make_moment(17, 10), 1, once, rule="FREQ=WEEKLY;COUNT=4", **people_fields)
    done("update_event", event_id="u", starts="2026-03-17T12:00")
    done("cancel_event", event_id="u", occurrence="2026-04-07T12:00", following=True)
    for message in list_mails(world, BEN):
        (exception,) = read_series(event_file(message)).exceptions
        assert (exception.title, exception.occurrence) == ("Once", make_moment(24, 12))


def test_nobody_is_told_of_an_event_that_cannot_be_kept(refused: Call, agenda: Agenda, world: World) -> None:
    for starts in ("2226-03-17T10:00", "9999-12-31", "2200-12-31T23:30"):
        assert "2200" in refused("create_event", title="Far", starts=starts, attendees=[BEN])
    assert (agenda.files(ADA, "primary"), list_mails(world, BEN)) == ([], [])


def test_a_title_cannot_write_headers_of_a_mail(done: Call, world: World) -> None:
    done("create_event", title="Hi\r\nBcc: eve@evil.example", starts="2026-03-17T10:00", attendees=[BEN])
    (message,) = list_mails(world, BEN)
    assert (message["Bcc"], message["Subject"]) == (None, "Invitation: Hi Bcc: eve@evil.example")


def test_from_a_folder_without_settings_nobody_is_said_to_be_invited(done: Call, tmp_path: Path) -> None:
    with use_world(World.create(tmp_path / "own", task="t", seed=1)):
        event = done("create_event", title="Plan", starts="2026-03-17T10:00", attendees=[BEN])
        assert "mailed" not in event
        assert event["note"] == "mail cannot be sent from this folder, so attendees are not notified"
        assert "note" not in done("update_event", event_id=event["id"], attendees=[])
        assert BEN in str(event["event"]["attendees"])
