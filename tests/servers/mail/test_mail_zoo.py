"""Mails of many programs are listed, read, found, saved, answered and passed on, by the tools and for the graders."""

import hashlib
import re
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.answers import Call
from zoo.mails import MAILS, make_mail, make_multipart

from yardkit.apps.mail import Accounts, Arriving, Mailbox, save_accounts
from yardkit.evaluators.readers.mails import read_mail
from yardkit.servers.mail.engine.headers import Correspondent, mend_head, split_people
from yardkit.servers.mail.engine.messages import read_content
from yardkit.world import World

ADA = "ada@berg.example"
UNGRADED = (
    *("uuencoded", "bounce", "attached mail", "digest", "attached mail with a file", "nothing but an attached mail"),
    *("piece of a message", "line of a mailbox file", "byte order mark", "blanks before colons", "sender alone"),
    *("line in the header that is none", "name in nested comments", "address without brackets"),
    *("text right behind the header", "two names of one file", "read receipt"),
    *("address with half its brackets", "sender in one encoded word", "question mark in an encoded word"),
)
"""Shapes that graders never have to open."""
NUMBERS = {name: number for number, name in enumerate(MAILS, 1)}


@pytest.fixture(autouse=True)
def zoo(world: World) -> Mailbox:
    """All mails of the zoo in Ada's inbox, numbered as in `NUMBERS`."""
    save_accounts(world, Accounts(ADA, {ADA: "Ada Berg", "ben@berg.example": "Ben"}, ["berg.example"]))
    box = Mailbox(world, ADA)
    box.add_all(Arriving("INBOX", case.raw, world.now) for case in MAILS.values())
    return box


def _join_lines(text: str) -> str:
    return " ".join(text.split())


def _list_contents(message: Message) -> list[tuple[str, object]]:
    return [(part.get_content_type(), part.get_payload(decode=True)) for part in message.walk()]


def _list_names(case: str) -> list[str]:
    """The names of its attachments; what is made is not compared."""
    return [name for name, _ in MAILS[case].files]


@pytest.mark.parametrize("name", MAILS)
def test_a_mail_is_read_as_a_mail_program_shows_it(done: Call, name: str) -> None:
    case, view = MAILS[name], done("read_message", message_id=NUMBERS[name])
    assert case.text in _join_lines(view["text"])
    assert case.text or not view["text"].strip()
    assert (view["sender"], view["subject"]) == (case.sender, case.subject)
    shown_names = [attachment["name"] for attachment in view["attachments"]]
    assert [known or own for known, own in zip(_list_names(name), shown_names, strict=True)] == shown_names
    assert all(attachment["size_bytes"] for attachment in view["attachments"])
    assert case.noted in " ".join(view.get("notes") or [])
    assert bool(case.noted) == bool(view.get("notes"))


def test_lists_and_search_know_every_mail(done: Call) -> None:
    listed = done("list_messages", limit=200)["messages"]
    assert {line["id"]: line.get("attachments", 0) for line in listed} == {
        NUMBERS[name]: len(case.files) for name, case in MAILS.items()
    }
    for name, case in MAILS.items():
        words = " ".join([re.sub(r"[^\w ]", " ", case.text), *filter(None, _list_names(name))])
        matches = done("search_messages", query=words, limit=200)["messages"]
        assert NUMBERS[name] in [line["id"] for line in matches], name


def test_every_attachment_is_saved_as_it_was_sent(done: Call, files: Path) -> None:
    for name, case in MAILS.items():
        for number, (_, data) in enumerate(case.files, 1):
            done("save_attachment", message_id=NUMBERS[name], attachment=number, target="a.bin")
            assert (files / "a.bin").read_bytes() == data, (name, number)


def test_every_mail_is_answered_where_it_asks_for_it(done: Call) -> None:
    for name, case in MAILS.items():
        sent = done("reply_message", message_id=NUMBERS[name], text="ok", to_all=True, quoted=True)
        assert tuple(sent["recipients"]) == case.replies, name


def test_every_mail_is_passed_on_with_all_that_is_in_it(done: Call, files: Path) -> None:
    for name, case in MAILS.items():
        sent = done("forward_message", message_id=NUMBERS[name], to=["ben@berg.example"])
        number = sent["message"]["id"]
        view = done("read_message", message_id=number)
        assert case.text in _join_lines(view["text"]) or name in ("calendar alone", "list footer"), name
        contents = []
        for attachment in view["attachments"]:
            done("save_attachment", message_id=number, attachment=attachment["number"], target="a.bin")
            contents.append((files / "a.bin").read_bytes())
        assert contents == [data for _, data in case.files], name


def test_a_draft_of_any_program_is_sent_as_it_is(done: Call, world: World, zoo: Mailbox) -> None:
    for name, case in MAILS.items():
        draft = zoo.add("Drafts", case.raw.replace(b"ada@berg.example", b"ben@berg.example"), arrived=world.now)
        sent = done("send_draft", message_id=draft.number)
        sent_path = zoo.get(sent["message"]["id"]).path
        before, after = message_from_bytes(mend_head(case.raw)), message_from_bytes(sent_path.read_bytes())
        assert _list_contents(after) == _list_contents(before), name


def test_the_graders_find_the_same_words_and_files(world: World, zoo: Mailbox) -> None:
    for name, case in MAILS.items():
        path = zoo.get(NUMBERS[name]).path.relative_to(world.root / "apps").as_posix()
        mail = read_mail(world.root / "apps", path)
        digests = [hashlib.sha256(data).hexdigest() for _, data in case.files]
        if name not in UNGRADED:
            assert [file.digest for file in mail.files] == digests, name
        if name in UNGRADED:
            continue
        assert mail.subject == case.subject
        assert mail.sender == case.sender.rpartition("<")[2].rstrip(">"), name


def test_words_are_found_however_their_accents_are_composed(done: Call, world: World, zoo: Mailbox) -> None:
    mail = make_mail("Content-Type: text/plain; charset=utf-8\n\nDie na\u0308chste Woche in Bern\n".encode())
    number = zoo.add("INBOX", mail, arrived=world.now).number
    for query in ("n\u00e4chste woche", '"woche in bern"'):
        assert [line["id"] for line in done("search_messages", query=query)["messages"]] == [number]


def test_code_in_html_keeps_its_indentation(done: Call, world: World, zoo: Mailbox) -> None:
    page = b"<p>See:</p><pre>  if x:\n      y  = 1\n\n  z</pre><p>Bye</p>"
    mail = make_mail(b"Content-Type: text/html; charset=utf-8\n\n" + page)
    number = zoo.add("INBOX", mail, arrived=world.now).number
    assert done("read_message", message_id=number)["text"] == "See:\n\n  if x:\n      y  = 1\n\n  z\nBye"


KINDS = st.sampled_from(["mixed", "alternative", "related", "signed", "report", "digest"])
ADDRESSES = st.sampled_from(["a@x.example", "b.c@y.example"])


@given(st.lists(KINDS, max_size=6), st.data())
def test_no_leaf_of_a_tree_is_ever_lost(
    tmp_path_factory: pytest.TempPathFactory, kinds: list[str], data: st.DataObject
) -> None:
    count = 0

    def make_leaf() -> bytes:
        nonlocal count
        count += 1
        return f"Content-Type: application/x-leaf\n\nleaf {count}".encode()

    part = make_multipart("mixed", make_leaf())
    for kind in kinds:
        parts = [part, *(make_leaf() for _ in range(data.draw(st.integers(0, 2))))]
        part = make_multipart(kind, *data.draw(st.permutations(parts)))
    path = tmp_path_factory.mktemp("m") / "m.eml"
    path.write_bytes(make_mail(part))
    assert len(read_content(path).attachments) == count


@given(st.lists(st.tuples(st.text(min_size=1, max_size=20), ADDRESSES), max_size=5))
def test_people_that_are_shown_are_read_back(pairs: list[tuple[str, str]]) -> None:
    people = [Correspondent(" ".join(name.replace("=?", "").split()), address) for name, address in pairs]
    people = [person for person in people if person.name.isprintable() and not person.name.startswith("'")]
    assert split_people(", ".join(map(str, people))) == people


@given(st.text(max_size=300))
def test_any_header_is_split_into_people_without_end(raw: str) -> None:
    assert all(person.name or person.address for person in split_people(raw))
