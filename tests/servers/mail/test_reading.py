"""Folders, lists, search, threads and messages."""

from pathlib import Path

import pytest
from support.answers import Call
from support.replaced_files import put_in_place

from yardkit.apps.mail import Mailbox
from yardkit.world import World

pytestmark = pytest.mark.usefixtures("mailbox")


def _list_ids(reply: dict[str, list[dict[str, int]]]) -> list[int]:
    return [line["id"] for line in reply["messages"]]


def test_folders_are_counted_with_what_is_unread(done: Call) -> None:
    folders = {line["name"]: (line["messages"], line["unread"]) for line in done("list_mail_folders")["folders"]}
    assert folders == {
        "INBOX": (2, 1),
        "Sent": (1, 0),
        "Drafts": (0, 0),
        "Trash": (0, 0),
        "Archive": (1, 0),
        "Junk": (0, 0),
    }


def test_a_message_of_the_inode_size_and_date_of_another_is_read_as_itself(mailbox: Mailbox, done: Call) -> None:
    before, path = done("read_message", message_id=4), mailbox.get(4).path
    put_in_place(path, path.read_bytes().replace(b"see file", b"see book"))
    after = done("read_message", message_id=4)
    assert (before["text"], after["text"]) == ("see file\n", "see book\n")


def test_lists_are_in_order_and_in_pages(done: Call) -> None:
    assert _list_ids(done("list_messages")) == [3, 1]
    assert _list_ids(done("list_messages", newest_first=False)) == [1, 3]
    assert _list_ids(done("list_messages", unread_only=True)) == [3]
    page = done("list_messages", limit=1)
    assert (page["total"], page["next_offset"]) == (2, 1)
    assert _list_ids(done("list_messages", limit=1, offset=1)) == [1]
    assert _list_ids(done("list_messages", mailbox="archive")) == [4]


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        ({"query": "WHERE it"}, [1]),
        ({"query": "überweisung"}, [4]),
        ({"query": "inv csv"}, [4]),
        ({"sender": "ena"}, [4, 1]),
        ({"recipient": "ben@"}, [1]),
        ({"subject": "order", "mailbox": "Sent"}, [2]),
        ({"since": "2026-03-10T11:00:00+00:00"}, [4, 3]),
        ({"until": "2026-03-09"}, []),
        ({"until": "2026-03-10"}, [4, 3, 2, 1]),
        ({"attached": True}, [4]),
        ({"flagged": True}, [4]),
        ({}, [4, 3, 2, 1]),
    ],
)
def test_messages_are_found_by_all_that_is_given(done: Call, asked: dict[str, object], ids: list[int]) -> None:
    assert _list_ids(done("search_messages", **asked)) == ids


def test_a_message_is_read_with_its_thread_and_stays_unread_until_it_is_marked(done: Call, mailbox: Mailbox) -> None:
    seen = done("read_message", message_id=1)
    assert (seen["sender"], seen["cc"]) == ("Ena Lind <ena@shop.example>", ["Ben Moser <ben@berg.example>"])
    assert seen["text"] == "Where is it?\nEna\n"
    assert seen["thread"] == [1, 2]
    assert [done("read_message", message_id=3)["unread"] for _ in range(2)] == [True, True]
    done("flag_messages", message_ids=[3], mark="read")
    assert mailbox.get(3).has("seen")
    assert [message["id"] for message in done("read_thread", message_id=2)["messages"]] == [1, 2]


def test_messages_that_another_host_named_are_read_and_marked(done: Call, mailbox: Mailbox) -> None:
    path = mailbox.get(3).path
    path.rename(path.with_name(path.name.replace(".yardkit:2,", ".oldhost:2,")))
    assert _list_ids(done("search_messages")) == [4, 3, 2, 1]
    done("flag_messages", message_ids=[3], mark="read")
    assert done("read_message", message_id=3).get("unread") is None


def test_html_is_read_as_a_reader_sees_it(done: Call) -> None:
    assert done("read_message", message_id=3)["text"] == "Big sale\n\nhere (https://shop.example/x)"


def test_an_attachment_is_saved(done: Call, refused: Call, files: Path) -> None:
    assert done("read_message", message_id=4)["attachments"] == [
        {"number": 1, "name": "inv 1.csv", "media_type": "text/csv", "size_bytes": 8}
    ]
    done("save_attachment", message_id=4, target="in/inv.csv")
    assert (files / "in" / "inv.csv").read_text() == "a,b\n1,2\n"
    assert "no attachment 2; it has 1: inv 1.csv" in refused("save_attachment", message_id=4, target="x", attachment=2)


def test_what_is_not_there_is_said_with_what_is(refused: Call) -> None:
    assert "there is no message 99; there are 4, the newest: 1, 2, 3, 4" in refused("read_message", message_id=99)
    assert "there are INBOX, Sent" in refused("list_messages", mailbox="Outbox")
    assert "is not a valid date" in refused("search_messages", since="yesterday")


def test_a_long_text_comes_in_parts(done: Call, mailbox: Mailbox) -> None:
    from yardkit.servers.mail.engine.writing import Draft, compose_message

    words = " ".join(f"word{number}" for number in range(6_000))
    moment = mailbox.last_arrival()
    entry = mailbox.add(
        "INBOX", compose_message(Draft(["ada@berg.example"], "Long", words), "x@y.example", moment), arrived=moment
    )
    first = done("read_message", message_id=entry.number)
    rest, offset = first["text"], first["next_offset"]
    while offset:
        part = done("read_message", message_id=entry.number, offset=offset)
        rest, offset = rest + part["text"], part.get("next_offset")
    assert rest.strip() == words


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\xff\xfe\x00",
        b"Subject: =?utf-8?q?broken=\nFrom: @@@\nDate: never\n\ntext",
        b"Content-Type: multipart/mixed\n\nno boundary",
        b"Content-Type: text/plain; charset=klingon\n\n\xe4",
        b"Content-Type: text/html\n\n" + b"<div>" * 50_000,
        b"To: " + b"a@b.example, " * 5_000 + b"\n\nx",
    ],
)
def test_a_damaged_message_is_listed_and_read_as_well_as_can_be(done: Call, mailbox: Mailbox, damaged: bytes) -> None:
    entry = mailbox.add("INBOX", damaged, arrived=mailbox.last_arrival())
    assert entry.number in _list_ids(done("list_messages"))
    assert done("read_message", message_id=entry.number)["id"] == entry.number


def test_a_world_without_mail_has_an_empty_mailbox(tmp_path: Path) -> None:
    from yardkit.servers.mail.engine.reading import list_folders

    folders = list_folders(World.create(tmp_path / "empty", task="t", seed=1))
    assert folders.address == "me@example.com"
    assert sum(line.messages for line in folders.folders) == 0
