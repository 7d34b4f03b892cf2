"""A mail with HTML is passed on as HTML, too, with the pictures that it shows."""

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest
from support.answers import Call
from zoo.mails import PDF, PNG, make_file, make_mail, make_multipart, make_text

from yardkit.apps.mail import Accounts, Mailbox, save_accounts
from yardkit.world import World

ADA = "ada@berg.example"
INVOICE = make_file("application/pdf", "inv.pdf", PDF)


@pytest.fixture
def box(world: World) -> Mailbox:
    save_accounts(world, Accounts(ADA, {ADA: "Ada Berg", "ben@berg.example": "Ben"}, ["berg.example"]))
    return Mailbox(world, ADA)


def _forward_mail(done: Call, box: Mailbox, world: World, body: bytes, text: str = "") -> EmailMessage:
    number = box.add("INBOX", make_mail(body), arrived=world.now).number
    sent = done("forward_message", message_id=number, to=["ben@berg.example"], text=text)
    path: Path = box.get(sent["message"]["id"]).path
    message = message_from_bytes(path.read_bytes(), policy=default)
    assert isinstance(message, EmailMessage)
    return message


def _get_page(message: EmailMessage) -> str:
    page = message.get_body(("html",))
    return str(page.get_content()).replace("\r\n", "\n") if page else ""


def test_html_goes_along_with_the_pictures_that_it_shows(done: Call, box: Mailbox, world: World) -> None:
    logo = make_file("image/png", "logo.png", PNG, "inline", "Content-ID: <logo@x>\n")
    page = '<meta charset="windows-1252"><p>a <b>bold</b> offer: 5 €</p><img src="cid:logo@x">'
    related = make_multipart("related", make_text(page, "text/html", "windows-1252"), logo)
    body = make_multipart("mixed", make_multipart("alternative", make_text("an offer"), related), INVOICE)
    message = _forward_mail(done, box, world, body, "For you,\nAda & Ben")
    assert [part.get_content_type() for part in message.walk()] == [
        *("multipart/mixed", "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"),
        "application/pdf",
    ]
    html = _get_page(message)
    assert html.startswith("<div>For you,<br>\nAda &amp; Ben</div>")
    assert "a <b>bold</b> offer: 5 €" in html
    assert 'charset="utf-8"' in html
    plain_part = message.get_body(("plain",))
    assert plain_part is not None
    assert "For you,\nAda & Ben" in plain_part.get_content().replace("\r\n", "\n")


def test_pictures_by_their_place_are_shown_again(done: Call, box: Mailbox, world: World) -> None:
    logo = make_file("image/png", "", PNG, "inline", "Content-Location: pics/logo.png\n")
    message = _forward_mail(
        done, box, world, make_multipart("related", make_text('<img src="pics/logo.png">Hi', "text/html"), logo)
    )
    (picture,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert picture["Content-Location"] == "pics/logo.png"


def test_plain_text_around_html_goes_along(done: Call, box: Mailbox, world: World) -> None:
    body = make_multipart("mixed", make_text("<p>page</p>", "text/html"), make_text("-- \n<list> & footer"))
    html = _get_page(_forward_mail(done, box, world, body))
    assert "<p>page</p>" in html
    assert "&lt;list&gt; &amp; footer" in html


def test_plain_text_stays_plain(done: Call, box: Mailbox, world: World) -> None:
    assert _forward_mail(done, box, world, make_text("words")).get_content_type() == "text/plain"


def test_files_of_an_attached_mail_are_saved_and_not_sent_twice(
    done: Call, box: Mailbox, world: World, files: Path
) -> None:
    inner = make_mail(make_multipart("mixed", make_text("inner"), INVOICE))
    attached = b"Content-Type: message/rfc822\n\n" + inner
    number = box.add(
        "INBOX", make_mail(make_multipart("mixed", make_text("outer"), attached)), arrived=world.now
    ).number
    listed = done("read_message", message_id=number)["attachments"]
    assert [(entry["name"], entry.get("inside")) for entry in listed] == [("attachment-1.eml", None), ("inv.pdf", 1)]
    done("save_attachment", message_id=number, attachment=2, target="inv.pdf")
    assert (files / "inv.pdf").read_bytes() == PDF
    assert done("search_messages", query="outer inner inv.pdf")["messages"][0]["id"] == number
    message = _forward_mail(done, box, world, make_multipart("mixed", make_text("outer"), attached))
    assert [part.get_content_type() for part in message.iter_attachments()] == ["message/rfc822"]
