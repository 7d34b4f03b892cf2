"""A small mailbox: two threads, an attachment, an HTML mail, a colleague who answers."""

import datetime
from pathlib import Path

import pytest

from yardkit.apps.mail import Accounts, Mailbox, Rule, save_accounts
from yardkit.state_init.mails import mail, message_id
from yardkit.world import World

ADA, BEN, ENA = "Ada Berg <ada@berg.example>", "Ben Moser <ben@berg.example>", "Ena Lind <ena@shop.example>"
DAY = datetime.datetime(2026, 3, 10, 9, 0, tzinfo=datetime.UTC)


def at(hours: int) -> datetime.datetime:
    return DAY + datetime.timedelta(hours=hours)


@pytest.fixture
def mailbox(world: World) -> Mailbox:
    """Ada's: message 1 asks, 2 answers it (sent), 3 is an HTML mail, 4 has an attachment in Archive."""
    names = {"ada@berg.example": "Ada Berg", "ben@berg.example": "Ben Moser"}
    rule = Rule("ben@berg.example", "It was 42.", ["budget"], minutes=45)
    save_accounts(world, Accounts("ada@berg.example", names, ["berg.example"], [rule]))
    box = Mailbox(world, "ada@berg.example")
    asked = mail(sender=ENA, to=[ADA], cc=[BEN], subject="Order 2031", body="Where is it?\nEna", sent=at(0))
    box.add("INBOX", asked, arrived=at(0), flags="RS")
    answered = mail(
        sender=ADA,
        to=[ENA],
        subject="Re: Order 2031",
        body="On its way.",
        sent=at(1),
        answers=message_id(ENA, "Order 2031", at(0)),
    )
    box.add("Sent", answered, arrived=at(1), flags="S")
    page = "<style>p {}</style><p>Big <b>sale</b></p><p><a href='https://shop.example/x'>here</a></p><script>1</script>"
    html = mail(sender="News <news@shop.example>", to=[ADA], subject="Sale", body="", html=page, sent=at(2))
    box.add("INBOX", html.replace(b"text/plain", b"text/x-none"), arrived=at(2))
    invoice = mail(
        sender=ENA,
        to=[ADA],
        subject="Überweisung",
        body="see file",
        sent=at(3),
        attachments={"inv 1.csv": b"a,b\n1,2\n"},
    )
    box.add("Archive", invoice, arrived=at(3), flags="FS")
    return box


@pytest.fixture
def letter(files: Path) -> Path:
    path = files / "letter.txt"
    path.write_text("Dear all")
    return path
