"""Mails for seeded worlds (.eml): the same bytes for the same content."""

import datetime
import hashlib
from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path, PurePosixPath

from yardkit.state_init.names import Person
from yardkit.world import save_bytes

_TYPES = {
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".csv": "text/csv",
    ".ics": "text/calendar",
}


def build_mail(
    *,
    sender: str,
    to: Sequence[str],
    subject: str,
    body: str,
    sent: datetime.datetime,
    cc: Sequence[str] = (),
    html: str = "",
    attachments: Mapping[str, bytes] | None = None,
    answers: str = "",
) -> bytes:
    """A mail as it lies in a mailbox; addresses such as ``Ada Berg <ada.berg@example.com>``.

    `html` is the same text as HTML, `attachments` are bytes by file name, `answers` is the Message-ID of the mail that
    it answers (see `message_id`).
    """
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = sender, ", ".join(to), subject
    if cc:
        message["Cc"] = ", ".join(cc)
    message["Date"] = format_datetime(sent)
    message["Message-ID"] = message_id(sender, subject, sent)
    if answers:
        message["In-Reply-To"] = message["References"] = answers
    message.set_content(body if body.endswith("\n") else body + "\n", cte="quoted-printable")
    if html:
        message.add_alternative(html, subtype="html", cte="quoted-printable")
    for name, data in (attachments or {}).items():
        kind = _TYPES.get(PurePosixPath(name).suffix.lower(), "application/octet-stream").split("/")
        message.add_attachment(data, maintype=kind[0], subtype=kind[1], filename=name)
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary(f"=={_compute_digest(sender, subject, sent)[:20]}{number}==")
    return message.as_bytes()


def message_id(sender: str, subject: str, sent: datetime.datetime) -> str:
    """The Message-ID that `build_mail` gives to a mail with these."""
    domain = sender.rsplit("@", 1)[-1].rstrip("> ") or "example.com"
    return f"<{_compute_digest(sender, subject, sent)[:24]}@{domain}>"


def mail_name(number: int, subject: str) -> str:
    """The name of a mail's file in a folder where they are counted, such as ``03_late_orders.eml``."""
    return f"{number:02d}_{subject.lower().replace(' ', '_')}.eml"


def send_mail(
    path: Path,
    sender: Person | str,
    to: Person | str,
    subject: str,
    body: str,
    sent: datetime.datetime,
    *,
    cc: Sequence[str] = (),
    answers: str = "",
) -> str:
    """Write a mail to `path`; its Message-ID, for a mail that answers it."""
    by, reader = (who.mailbox if isinstance(who, Person) else who for who in (sender, to))
    save_bytes(path, build_mail(sender=by, to=[reader], subject=subject, body=body, sent=sent, cc=cc, answers=answers))
    return message_id(by, subject, sent)


def _compute_digest(sender: str, subject: str, sent: datetime.datetime) -> str:
    return hashlib.sha256(f"{sender}\n{subject}\n{sent.isoformat()}".encode()).hexdigest()
