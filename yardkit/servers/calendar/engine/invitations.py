"""Invitations, changes, cancellations and answers as mails (RFC 6047), in the mailboxes of a world."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.errors import HeaderParseError
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr, getaddresses
from typing import Literal

from yardkit.apps import mail
from yardkit.apps.calendar import Attendee
from yardkit.world import Problem, World, lock_file

Method = Literal["REQUEST", "CANCEL", "REPLY"]


@dataclass(frozen=True)
class Letter:
    """A mail about an event. data: the event as .ics file, with its method."""

    method: Method
    to: Sequence[Attendee]
    subject: str
    text: str
    data: bytes


def post_letter(world: World, letter: Letter) -> list[str]:
    """Send a letter from the owner: a copy in Sent, one to each in the world, others leave it.

    Returns:
        The addresses of the world's domains that nobody has.

    Raises:
        Problem: an address or the subject is not a valid header line.
    """
    with lock_file(world.get_app_folder(mail.APP) / "accounts.json", world.locks):
        accounts = mail.read_accounts(world)
        box = mail.Mailbox(world, accounts.owner)
        arrived = max(world.now, box.last_arrival() + timedelta(seconds=1)).astimezone(UTC)
        message = _build_message(letter, formataddr((accounts.names.get(accounts.owner, ""), accounts.owner)), arrived)
        box.add(mail.SENT, message, arrived=arrived, flags="S")
        return [to.address for to in letter.to if not _deliver_message(world, accounts, to.address, message, arrived)]


def attendees_of(texts: Sequence[str]) -> list[Attendee]:
    """People as they are written, such as ``Ada Berg <ada@example.com>``; each once.

    Raises:
        Problem: one has no address.
    """
    attendees_by_address: dict[str, Attendee] = {}
    for name, address in getaddresses([text for text in texts if text.strip()]):
        if address.count("@") != 1 or any(sign in address for sign in " \r\n") or address.startswith("@"):
            raise Problem(f"{address or name!r} is not a valid mail address; use one such as 'ada.berg@example.com'")
        attendees_by_address.setdefault(address.casefold(), Attendee(address, name))
    return list(attendees_by_address.values())


def _deliver_message(world: World, accounts: mail.Accounts, address: str, message: bytes, arrived: datetime) -> bool:
    known = {account_name.casefold() for account_name in (*accounts.names, accounts.owner)}
    inside = address.rsplit("@", 1)[-1].casefold() in {domain.casefold() for domain in accounts.domains}
    if address.casefold() not in known and inside:
        return False
    box = mail.Mailbox(world, address if address.casefold() in known else mail.OUTSIDE)
    box.add(mail.INBOX, b"Delivered-To: " + address.encode() + b"\r\n" + message, arrived=arrived)
    return True


def _build_message(letter: Letter, sender: str, moment: datetime) -> bytes:
    digest = hashlib.sha256(b"\n".join([sender.encode(), moment.isoformat().encode(), letter.data])).hexdigest()
    message = EmailMessage(policy=SMTP)
    try:
        message["From"] = sender
        message["To"] = ", ".join(formataddr((to.name, to.address)) for to in letter.to)
        message["Subject"] = " ".join(letter.subject.split())
    except (ValueError, HeaderParseError) as error:
        raise Problem(
            f"the invitation cannot be written ({error}); the title and each address must be one line"
        ) from error
    message["Date"] = format_datetime(moment)
    message["Message-ID"] = f"<{digest[:24]}@{sender.rsplit('@', 1)[-1].rstrip('> ')}>"
    message.set_content(letter.text + "\n", cte="quoted-printable")
    content_parameters = {"method": letter.method, "charset": "utf-8"}
    message.add_alternative(letter.data, maintype="text", subtype="calendar", cte="base64", params=content_parameters)
    message.add_attachment(letter.data, maintype="application", subtype="ics", filename="invite.ics")
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary(f"=={digest[:20]}{number}==")
    return message.as_bytes()
