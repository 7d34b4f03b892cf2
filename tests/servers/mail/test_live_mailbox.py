"""The same tools over a real mailbox: Dovecot and an SMTP server on this machine, started by the tests."""

from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from support.mail_servers import PASSWORD, Dovecot, Post, run_dovecot, run_smtp_server
from zoo.mails import MAILS

from yardkit.apps.mail import Mailbox
from yardkit.servers.mail.backends import MOST, SEND, SMTP_URL, URL, WRITE, owners_mailbox
from yardkit.servers.mail.engine import reading, sending
from yardkit.servers.mail.engine.sending import Written
from yardkit.servers.mail.server import mcp
from yardkit.state_init.mails import build_mail
from yardkit.world import Problem, Unavailable, World, use_world

pytestmark = [pytest.mark.drill, pytest.mark.live]
ADA = "Ada Berg <ada@berg.example>"


@pytest.fixture(params=["/", "."])
def server(request: pytest.FixtureRequest) -> Iterator[Dovecot]:
    """With two messages in the inbox and one in a folder with an umlaut."""
    with run_dovecot(separator=request.param) as running:
        connection = running.login()
        separator = request.param
        connection.create(f'"Pl&AOQ-ne{separator}2026"')
        for folder, number in (("INBOX", 1), ("INBOX", 2), (f"Pl&AOQ-ne{separator}2026", 3)):
            connection.append(f'"{folder}"', None, None, make_letter(number))
        connection.logout()
        yield running


def make_letter(number: int) -> bytes:
    from datetime import UTC, datetime

    sent = datetime(2026, 3, number, 9, tzinfo=UTC)
    files = {"plan.csv": b"a,b\n1,2\n"} if number == 2 else None
    return build_mail(
        sender="Ben Moser <ben@moser.example>", to=[ADA], subject=f"Plan {number}", body="Please look.", sent=sent,
        attachments=files,
    )  # fmt: skip


@pytest.fixture
def outbox() -> Iterator[Post]:
    with run_smtp_server() as running:
        yield running


@pytest.fixture
def own(server: Dovecot, outbox: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Somebody's own folder, with the settings of the mailbox."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv(URL, f"imap://127.0.0.1:{server.port}")
    monkeypatch.setenv(SMTP_URL, f"smtp://127.0.0.1:{outbox.port}")
    monkeypatch.setenv("YARDKIT_MAIL_USER", "ada@berg.example")
    monkeypatch.setenv("YARDKIT_MAIL_PASSWORD", PASSWORD)
    (tmp_path / "own").mkdir()
    return World.open_user_folder(tmp_path / "own")


@pytest.fixture
def writable(own: World, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv(WRITE, "1")
    monkeypatch.setenv(SEND, "always")
    return own


def list_subjects(server: Dovecot, folder: str) -> list[tuple[str, bytes]]:
    """What another program sees in a folder: subjects and flags."""
    connection = server.login()
    connection.select(f'"{folder}"', readonly=True)
    subject_rows = []
    for uid in connection.uid("SEARCH", "ALL")[1][0].split():
        _, ((head, data), *_rest) = connection.uid("FETCH", uid, "(FLAGS BODY.PEEK[])")
        subject_rows.append((str(message_from_bytes(data, policy=default)["Subject"]), head))
    connection.logout()
    return sorted(subject_rows)


def test_mails_of_many_programs_come_through_a_server_as_they_are(own: World, server: Dovecot) -> None:
    connection = server.login()
    for case in MAILS.values():
        connection.append('"INBOX"', None, None, case.raw)
    connection.logout()
    lines = reading.find_messages(own, reading.SearchCriteria(), "INBOX", "oldest", limit=200).messages
    views = [reading.view_message(own, line.id) for line in sorted(lines, key=lambda line: line.id)[2:]]
    for (name, case), view in zip(MAILS.items(), views, strict=True):
        assert (view.subject, view.sender, len(view.attachments)) == (case.subject, case.sender, len(case.files)), name
        assert case.text in " ".join(view.text.split()), name


def test_a_mailbox_is_read_and_nothing_in_it_changes(own: World, server: Dovecot) -> None:
    folders = {line.name: line.messages for line in reading.list_folders(own).folders}
    assert folders["INBOX"] == 2
    assert folders["Pläne/2026"] == 1
    messages = reading.find_messages(own, reading.SearchCriteria(words="plan"), None)
    assert {(line.subject, line.attachments) for line in messages.messages} == {
        ("Plan 1", 0),
        ("Plan 2", 1),
        ("Plan 3", 0),
    }
    number = next(line.id for line in messages.messages if line.attachments)
    assert reading.view_message(own, number, mark_read=True).text.strip() == "Please look."
    saved = sending.save_attachment(own, number, 1, own.files / "plan.csv")
    assert (own.files / saved.file.path).read_bytes() == b"a,b\n1,2\n"
    assert all(b"\\Seen" not in head for _, head in list_subjects(server, "INBOX"))
    for change in (
        lambda: sending.move_messages(own, [number], "Sent"),
        lambda: sending.flag_messages(own, [number], "flagged"),
        lambda: sending.delete_messages(own, [number], for_good=True),
        lambda: sending.create_folder(own, "New"),
        lambda: sending.save_draft(own, Written(["b@x.example"], "x", "y")),
    ):
        with pytest.raises(Problem, match="YARDKIT_MAIL_WRITE=1"):
            change()
    assert [subject for subject, _ in list_subjects(server, "INBOX")] == ["Plan 1", "Plan 2"]


def test_changes_happen_on_the_server_and_numbers_stay(writable: World, server: Dovecot) -> None:
    numbers = {
        line.subject: line.id for line in reading.find_messages(writable, reading.SearchCriteria(), None).messages
    }
    sending.flag_messages(writable, [numbers["Plan 1"]], "flagged")
    reading.view_message(writable, numbers["Plan 2"], mark_read=True)
    heads = dict(list_subjects(server, "INBOX"))
    assert b"\\Flagged" in heads["Plan 1"]
    assert b"\\Seen" not in heads["Plan 1"]
    assert b"\\Seen" in heads["Plan 2"]
    sending.create_folder(writable, "Kürzlich/März")
    sending.move_messages(writable, [numbers["Plan 1"], numbers["Plan 3"]], "Kürzlich/März")
    sending.delete_messages(writable, [numbers["Plan 2"]], for_good=False)
    places = {
        line.subject: (line.id, line.folder)
        for line in reading.find_messages(writable, reading.SearchCriteria(), None).messages
    }
    assert places == {
        "Plan 1": (numbers["Plan 1"], "Kürzlich/März"),
        "Plan 2": (numbers["Plan 2"], "Trash"),
        "Plan 3": (numbers["Plan 3"], "Kürzlich/März"),
    }
    sending.delete_messages(writable, [numbers["Plan 2"]], for_good=True)
    sending.delete_folder(writable, "Kürzlich/März", with_messages=True)
    assert reading.find_messages(writable, reading.SearchCriteria(), None).messages == []
    assert list_subjects(server, "INBOX") == []


def test_what_others_do_is_seen_by_the_next_call(writable: World, server: Dovecot) -> None:
    first = {line.subject: line.id for line in reading.find_messages(writable, reading.SearchCriteria(), None).messages}
    connection = server.login()
    connection.select("INBOX")
    connection.uid("STORE", "1", "+FLAGS", "(\\Deleted)")
    connection.expunge()
    connection.uid("STORE", "2", "+FLAGS", "(\\Answered \\Seen)")
    connection.append("INBOX", None, None, make_letter(4))
    connection.logout()
    lines = {line.subject: line for line in reading.find_messages(writable, reading.SearchCriteria(), None).messages}
    assert lines.keys() == {"Plan 2", "Plan 3", "Plan 4"}
    assert (lines["Plan 2"].id, lines["Plan 2"].answered, lines["Plan 2"].unread) == (first["Plan 2"], True, False)
    assert lines["Plan 4"].id > max(first.values())
    with pytest.raises(Problem, match="there is no message"):
        reading.view_message(writable, first["Plan 1"])


def test_mail_is_sent_by_the_server_and_kept(writable: World, server: Dovecot, outbox: Post) -> None:
    outbox.refused.add("nobody@x.example")
    numbers = {
        line.subject: line.id for line in reading.find_messages(writable, reading.SearchCriteria(), None).messages
    }
    sent = sending.reply_message(
        writable, numbers["Plan 1"], Written(["nobody@x.example"], "", "Fine.", bcc=["eve@x.example"]), to_all=False,
        quoted=True,
    )  # fmt: skip
    ((sender, recipients, data),) = outbox.got
    assert (sender, sorted(recipients)) == ("ada@berg.example", ["ben@moser.example", "eve@x.example"])
    assert sent.undelivered == ["nobody@x.example"]
    message = message_from_bytes(data, policy=default)
    assert message["Bcc"] is None
    assert message["In-Reply-To"] == message_from_bytes(make_letter(1), policy=default)["Message-ID"]
    assert [subject for subject, _ in list_subjects(server, "Sent")] == ["Re: Plan 1"]
    assert b"\\Answered" in dict(list_subjects(server, "INBOX"))["Plan 1"]
    draft = sending.save_draft(writable, Written(["ben@moser.example"], "Later", "Text"))
    assert [subject for subject, _ in list_subjects(server, "Entw&APw-rfe")] == ["Later"]
    sending.send_draft(writable, draft.id)
    assert list_subjects(server, "Entw&APw-rfe") == []
    assert len(outbox.got) == 2


def test_without_leave_nothing_is_sent(own: World, outbox: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SEND, "never")
    with pytest.raises(Unavailable, match="YARDKIT_MAIL_SEND"):
        sending.send_message(own, Written(["ben@moser.example"], "x", "y"))
    assert outbox.got == []


def test_a_server_that_is_gone_or_refuses_is_told(own: World, server: Dovecot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YARDKIT_MAIL_PASSWORD", "wrong")
    with pytest.raises(Problem, match=r"the mail server imap://127\.0\.0\.1"):
        reading.list_folders(own)
    monkeypatch.setenv(URL, "imap://127.0.0.1:9")
    with pytest.raises(Problem, match="does not do it"):
        reading.list_folders(own)
    for url in ("http://x.example", "imaps://", "imap://[x"):
        monkeypatch.setenv(URL, url)
        with pytest.raises(Problem, match="is not a valid server address"):
            reading.list_folders(own)


def test_only_the_newest_messages_are_fetched(own: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MOST, "1")
    lines = reading.find_messages(own, reading.SearchCriteria(), "INBOX").messages
    assert [line.subject for line in lines] == ["Plan 2"]


def test_a_seeded_world_never_leaves_itself(own: World, tmp_path: Path) -> None:
    world = World.create(tmp_path / "w", task="desk/x", seed=0)
    assert type(owners_mailbox(world)) is Mailbox
    assert type(owners_mailbox(own)) is not Mailbox


Answers = dict[str, Any]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("answer", ["send", "keep", "decline", "nobody"])
async def test_the_user_is_asked_before_a_mail_goes_out(own: World, outbox: Post, answer: str, mode: str) -> None:
    asked: list[str] = []

    async def ask(message: str, _type: Any, _params: Any, _context: Any) -> Any:
        asked.append(message)
        from fastmcp.client.elicitation import ElicitResult

        if answer == "decline":
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content={"send": answer == "send"})

    handler = {} if answer == "nobody" else {"elicitation_handler": ask}
    arguments = {"to": ["ben@moser.example"], "subject": "Offer", "text": "We take it."}
    with use_world(own):
        async with Client(mcp, mode=mode, **handler) as client:
            result = await client.call_tool("send_message", arguments, raise_on_error=False)
    assert result.is_error == (answer != "send"), result
    assert len(outbox.got) == (answer == "send")
    if answer != "nobody":
        assert "ben@moser.example" in asked[0]
        assert "We take it." in asked[0]
    else:
        assert "YARDKIT_MAIL_SEND" in result.content[0].text
