"""One change of mail or calendar is one change: without room for all of it, nothing of it is there."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fastmcp.tools import ToolResult
from support.agendas import ADA, BEN, EVA, make_agenda, make_moment, make_put
from support.answers import make_caller, read_facts, read_text

from yardkit.apps.mail import Mailbox
from yardkit.sandbox.serving.registry import load_server
from yardkit.state_init.mails import build_mail
from yardkit.world import World, use_world
from yardkit.world.guard import Quota, use_guard
from yardkit.world.tree import measure_usage

PEOPLE = [BEN, EVA, "zoe@other.example", "nobody@berg.example"]
CHANGES: dict[str, tuple[str, dict[str, object]]] = {
    "send_message": ("mail", {"to": PEOPLE, "subject": "All", "text": "x" * 3_000}),
    "reply_message": ("mail", {"message_id": 1, "text": "x" * 3_000, "to_all": True}),
    "forward_message": ("mail", {"message_id": 1, "to": PEOPLE}),
    "send_draft": ("mail", {"message_id": 2}),
    "create_event": ("calendar", {"title": "Meet", "starts": "2026-03-20T10:00", "attendees": PEOPLE}),
    "update_event": ("calendar", {"event_id": "series", "title": "Anew", "attendees": PEOPLE}),
    "cancel_event": ("calendar", {"event_id": "series", "occurrence": "2026-03-18T10:00+01:00", "following": True}),
    "answer_invitation": ("calendar", {"event_id": "invited", "answer": "accepted"}),
}
INVITED = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//T//T
BEGIN:VEVENT
UID:invited
DTSTAMP:20260301T000000Z
DTSTART:20260320T090000Z
DTEND:20260320T100000Z
SUMMARY:Talk
ORGANIZER:mailto:ben@berg.example
ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ada@berg.example
END:VEVENT
END:VCALENDAR
"""


def _make_world(root: Path) -> World:
    world = World.create(root, task="t", seed=1)
    agenda = make_agenda(world)
    make_put(agenda)("series", make_moment(17, 10), rule="FREQ=DAILY;COUNT=5", attendees=())
    agenda.save(ADA, "primary", "invited.ics", INVITED.replace("\n", "\r\n").encode())
    mail = build_mail(sender=f"Ben <{BEN}>", to=[ADA, EVA], subject="Hi", body="x" * 2_000, sent=make_moment(10, 9))
    draft = build_mail(sender=ADA, to=PEOPLE, subject="Draft", body="x" * 2_000, sent=make_moment(10, 9))
    mailbox = Mailbox(world, ADA)
    mailbox.add("INBOX", mail, arrived=make_moment(10, 9))
    mailbox.add("Drafts", draft, arrived=make_moment(10, 9), flags="DS")
    return world


def _do_with_room(world: World, call: Callable[[], ToolResult], room: int) -> str:
    """Make a call with `room` more bytes in the apps; what it refuses, or nothing."""
    apps = world.root / "apps"
    with use_world(world), use_guard(Quota(apps, max_bytes=measure_usage(apps)[1] + room)):
        answer = call()
    return read_text(answer) if answer.is_error else ""


@pytest.mark.parametrize("tool", CHANGES)
def test_a_change_without_room_for_all_of_it_leaves_no_trace(tmp_path: Path, tool: str) -> None:
    server, arguments = CHANGES[tool]
    call = make_caller(load_server(server))
    world = _make_world(tmp_path / "own")
    before, refusals, room = world.state_hash(), 0, 0
    while problem := _do_with_room(world, lambda: call(tool, **arguments), room):
        assert "nothing was changed" in problem
        assert world.state_hash() == before, room
        refusals, room = refusals + 1, room + 1_500
    assert refusals
    assert world.state_hash() != before


def test_all_calls_of_this_table_succeed_where_there_is_room(tmp_path: Path) -> None:
    for tool, (server, arguments) in CHANGES.items():
        with use_world(_make_world(tmp_path / tool)):
            assert read_facts(make_caller(load_server(server))(tool, **arguments))
