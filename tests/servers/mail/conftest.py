"""A small mailbox: two threads, an attachment, an HTML mail, a colleague who answers."""

import datetime
from pathlib import Path

import pytest

from yardkit.apps.mail import Accounts, Mailbox, Rule, save_accounts
from yardkit.state_init.mails import build_mail, message_id
from yardkit.world import World

ADA, BEN, ENA = "Ada Berg <ada@berg.example>", "Ben Moser <ben@berg.example>", "Ena Lind <ena@shop.example>"
DAY = datetime.datetime(2026, 3, 10, 9, 0, tzinfo=datetime.UTC)


def make_time(hours: int) -> datetime.datetime:
    return DAY + datetime.timedelta(hours=hours)


@pytest.fixture
def mailbox(world: World) -> Mailbox:
    """Ada's: message 1 asks, 2 answers it (sent), 3 is an HTML mail, 4 has an attachment in Archive."""
    names = {"ada@berg.example": "Ada Berg", "ben@berg.example": "Ben Moser"}
    rule = Rule("ben@berg.example", "It was 42.", ["budget"], minutes=45)
    save_accounts(world, Accounts("ada@berg.example", names, ["berg.example"], [rule]))
    box = Mailbox(world, "ada@berg.example")
    asked = build_mail(
        sender=ENA, to=[ADA], cc=[BEN], subject="Order 2031", body="Where is it?\nEna", sent=make_time(0)
    )
    box.add("INBOX", asked, arrived=make_time(0), flags="RS")
    answered = build_mail(
        sender=ADA,
        to=[ENA],
        subject="Re: Order 2031",
        body="On its way.",
        sent=make_time(1),
        answers=message_id(ENA, "Order 2031", make_time(0)),
    )
    box.add("Sent", answered, arrived=make_time(1), flags="S")
    page = "<style>p {}</style><p>Big <b>sale</b></p><p><a href='https://shop.example/x'>here</a></p><script>1</script>"
    html = build_mail(
        sender="News <news@shop.example>", to=[ADA], subject="Sale", body="", html=page, sent=make_time(2)
    )
    box.add("INBOX", html.replace(b"text/plain", b"text/x-none"), arrived=make_time(2))
    invoice = build_mail(
        sender=ENA,
        to=[ADA],
        subject="Überweisung",
        body="see file",
        sent=make_time(3),
        attachments={"inv 1.csv": b"a,b\n1,2\n"},
    )
    box.add("Archive", invoice, arrived=make_time(3), flags="FS")
    return box


@pytest.fixture
def letter(files: Path) -> Path:
    path = files / "letter.txt"
    path.write_text("Dear all")
    return path
