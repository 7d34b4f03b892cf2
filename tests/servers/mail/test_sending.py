"""Sending, answering, forwarding, drafts, moves, marks, folders; and what other programs read of it."""

import mailbox as maildirs
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest
from support.answers import Call

from yardkit.apps.mail import OUTSIDE, Mailbox
from yardkit.servers.mail.engine.messages import read_message
from yardkit.world import World, use_world

pytestmark = pytest.mark.usefixtures("mailbox")


def _list_new(done: Call, **asked: object) -> list[dict[str, object]]:
    messages: list[dict[str, object]] = done("list_messages", **asked)["messages"]
    return messages


def test_a_mail_reaches_colleagues_leaves_the_world_and_is_kept(done: Call, world: World, letter: Path) -> None:
    sent = done(
        "send_message",
        to=["Ben Moser <ben@berg.example>", "ena@shop.example"],
        bcc=["boss@other.example"],
        subject="Grüße",
        text="Zeile 1\nZeile 2",
        html="<p>Zeile 1<br>Zeile 2</p>",
        attachments=["letter.txt"],
    )
    assert sent["recipients"] == ["ben@berg.example", "ena@shop.example", "boss@other.example"]
    assert sent["message"]["date"] == "2026-03-16T09:00:00+00:00"
    stored_message = read_message(Mailbox(world, "ada@berg.example").get(sent["message"]["id"]).path)
    assert (stored_message["Subject"], stored_message["Bcc"]) == ("Grüße", "boss@other.example")
    (got,) = Mailbox(world, "ben@berg.example").list_entries("INBOX")
    theirs = read_message(got.path)
    assert theirs["Message-ID"] == stored_message["Message-ID"]
    assert (theirs["Delivered-To"], theirs["Bcc"], theirs["From"]) == (
        "ben@berg.example",
        None,
        "Ada Berg <ada@berg.example>",
    )
    assert [part.get_content() for part in theirs.iter_attachments()] == ["Dear all"]
    outside = [read_message(entry.path)["Delivered-To"] for entry in Mailbox(world, OUTSIDE).list_entries()]
    assert outside == ["ena@shop.example", "boss@other.example"]


def test_an_address_of_the_world_that_nobody_has_comes_back(done: Call) -> None:
    sent = done("send_message", to=["bem@berg.example"], subject="Hi", text="x")
    assert sent["undelivered"] == ["bem@berg.example"]
    (notice, *_) = _list_new(done)
    assert notice["subject"] == "Undelivered Mail Returned to Sender"
    assert "<bem@berg.example>: user unknown" in done("read_message", message_id=notice["id"])["text"]


def test_a_colleague_answers_in_the_thread_when_the_rule_fits(done: Call) -> None:
    done("send_message", to=["ben@berg.example"], subject="Hello", text="nothing")
    assert _list_new(done)[0]["subject"] != "Re: Hello"
    sent = done("send_message", to=["ben@berg.example"], subject="Question", text="What was the BUDGET?")
    (answer, *_) = _list_new(done, unread_only=True)
    assert (answer["subject"], answer["sender"]) == ("Re: Question", "Ben Moser <ben@berg.example>")
    assert str(answer["date"]) == "2026-03-16T09:45:01+00:00"
    assert done("read_message", message_id=answer["id"])["thread"] == [sent["message"]["id"], answer["id"]]


def test_an_answer_stays_in_its_thread_and_goes_to_whom_it_should(done: Call, mailbox: Mailbox) -> None:
    reply = done("reply_message", message_id=1, text="Soon.", quoted=True)
    assert reply["recipients"] == ["ena@shop.example"]
    assert reply["message"]["subject"] == "Re: Order 2031"
    text = done("read_message", message_id=reply["message"]["id"])["text"]
    assert text.startswith("Soon.\n\nOn 2026-03-10 09:00, Ena Lind <ena@shop.example> wrote:\n> Where is it?")
    everybody = done("reply_message", message_id=1, text="Soon.", to_all=True)
    assert everybody["recipients"] == ["ena@shop.example", "ben@berg.example"]
    own = done("reply_message", message_id=2, text="And one more thing")
    assert own["recipients"] == ["ena@shop.example"]
    thread = done("read_thread", message_id=1)["messages"]
    assert [view["id"] for view in thread] == [1, 2, *(sent["message"]["id"] for sent in (reply, everybody, own))]
    assert mailbox.get(1).has("answered")


def test_a_forwarded_mail_keeps_text_and_attachments(done: Call, world: World) -> None:
    sent = done("forward_message", message_id=4, to=["ben@berg.example"], text="See below.")
    assert sent["message"]["subject"] == "Fwd: Überweisung"
    (got,) = Mailbox(world, "ben@berg.example").list_entries("INBOX")
    message = read_message(got.path)
    body = message.get_body(("plain",))
    assert body is not None
    text = str(body.get_content()).replace("\r\n", "\n")
    assert text.startswith("See below.\n\n---------- Forwarded message ----------\nFrom: Ena Lind")
    assert [part.get_filename() for part in message.iter_attachments()] == ["inv 1.csv"]


def test_a_draft_is_kept_replaced_and_sent(done: Call, refused: Call, letter: Path) -> None:
    first = done("save_draft", to=["ben@berg.example"], subject="Plan", text="v1")
    second = done(
        "save_draft",
        to=["ben@berg.example"],
        subject="Plan",
        text="v2",
        attachments=["letter.txt"],
        replaces=first["id"],
    )
    assert [line["id"] for line in _list_new(done, mailbox="Drafts")] == [second["id"]]
    sent = done("send_draft", message_id=second["id"])
    assert sent["message"]["attachments"] == 1
    assert _list_new(done, mailbox="Drafts") == []
    assert "so it is not a draft" in refused("send_draft", message_id=sent["message"]["id"])
    empty = done("save_draft", to=[], subject="", text="")
    assert "no recipient" in refused("send_draft", message_id=empty["id"])


def test_messages_move_are_marked_and_deleted_all_or_none(done: Call, refused: Call, mailbox: Mailbox) -> None:
    done("create_mail_folder", mailbox="Kunden/Ostsee Süd")
    done("move_messages", message_ids=[1, 3], mailbox="kunden/ostsee süd")
    assert [entry.number for entry in mailbox.list_entries("Kunden/Ostsee Süd")] == [1, 3]
    assert (mailbox.root / ".Kunden.Ostsee S&APw-d").is_dir()
    done("flag_messages", message_ids=[1, 3], mark="flagged")
    assert all(mailbox.get(number).has("flagged") for number in (1, 3))
    assert "no message 77" in refused("delete_messages", message_ids=[1, 77])
    assert mailbox.get(1).folder == "Kunden/Ostsee Süd"
    done("delete_messages", message_ids=[1])
    assert mailbox.get(1).folder == "Trash"
    assert "has 1 message" in refused("delete_mail_folder", mailbox="Kunden/Ostsee Süd")
    done("delete_mail_folder", mailbox="Kunden/Ostsee Süd", with_messages=True)
    assert "no message 3" in refused("read_message", message_id=3)
    assert "is a standard folder and cannot be deleted" in refused("delete_mail_folder", mailbox="Sent")


def test_a_number_is_never_given_twice(done: Call, mailbox: Mailbox) -> None:
    done("delete_messages", message_ids=[4], for_good=True)
    assert done("save_draft", to=[], subject="x", text="y")["id"] == 5
    assert sorted(entry.number for entry in mailbox.list_entries()) == [1, 2, 3, 5]


def test_a_number_that_an_earlier_version_kept_of_a_removed_message_is_not_given_again(
    done: Call, mailbox: Mailbox
) -> None:
    (mailbox.root / ".last").write_text("9\n")
    assert done("save_draft", to=[], subject="x", text="y")["id"] == 10


def test_a_message_that_could_not_be_put_leaves_a_gap_in_the_numbers(mailbox: Mailbox) -> None:
    moment = mailbox.last_arrival()
    (mailbox.root / "cur").rename(mailbox.root / "away")
    (mailbox.root / "cur").touch()
    with pytest.raises(FileExistsError):
        mailbox.add("INBOX", b"Subject: lost\r\n\r\n", arrived=moment)
    (mailbox.root / "cur").unlink()
    (mailbox.root / "away").rename(mailbox.root / "cur")
    assert mailbox.add("INBOX", b"Subject: later\r\n\r\n", arrived=moment).number == 6


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"subject": "a\nBcc: evil@x.example"}, "the subject and each address must be one line"),
        ({"to": ["ben@berg.example\r\nBcc: evil@x.example"]}, "line break"),
        ({"to": ["nobody"]}, "'nobody' is not a valid mail address"),
        ({"to": []}, "no recipient"),
        ({"to": [f"p{number}@x.example, q{number}@x.example" for number in range(150)]}, "too many"),
    ],
)
def test_a_header_cannot_be_smuggled_in_and_wrong_addresses_are_named(
    refused: Call, world: World, asked: dict[str, object], message: str
) -> None:
    before = world.state_hash()
    assert message in refused("send_message", **{"to": ["ben@berg.example"], "subject": "s", "text": "t", **asked})
    assert world.state_hash() == before


def test_the_same_calls_make_the_same_bytes_and_pythons_own_maildir_reads_them(
    done: Call, mailbox: Mailbox, tmp_path: Path, letter: Path
) -> None:
    done("send_message", to=["ben@berg.example"], subject="s", text="t", html="<p>t</p>", attachments=["letter.txt"])
    read = maildirs.Maildir(str(mailbox.root), create=False)
    assert sorted(read.list_folders()) == ["Archive", "Sent"]
    (sent,) = [message for message in read.get_folder("Sent") if message["Subject"] == "s"]
    assert sent.get_flags() == "S"
    assert (
        message_from_bytes(sent.as_bytes(), policy=default)["Message-ID"] == "<8c0e9dc6bf553125173998ca@berg.example>"
    )


def test_a_wrong_setting_is_told_before_a_mail_goes_out(
    refused: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("YARDKIT_MAIL_URL", "imaps://mail.example")
    with use_world(World.open_user_folder(tmp_path)):
        message = refused("send_message", to=["ben@berg.example"], subject="Plan", text="Please look.")
    assert message == "YARDKIT_MAIL_ADDRESS='' is not a valid mail address; set it to the mailbox's address"


def test_a_mail_from_a_folder_without_settings_stays_and_that_is_said(done: Call, tmp_path: Path) -> None:
    with use_world(World.create(tmp_path / "own", task="t", seed=1)):
        sent = done("send_message", to=["ben@berg.example"], subject="Plan", text="Please look.")
        assert (
            sent["note"] == "no mail server is set (YARDKIT_MAIL_URL), so it stays in this folder and is not delivered"
        )
