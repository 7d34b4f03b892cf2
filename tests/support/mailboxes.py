"""Mails as they lie in the mailboxes of a world."""

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from yardkit.apps.mail import Mailbox
from yardkit.world import World


def list_mails(world: World, address: str, folder: str = "INBOX") -> list[EmailMessage]:
    """All mails of somebody's folder, oldest first."""
    entries = Mailbox(world, address).list_entries(folder)
    return [message_from_bytes(entry.path.read_bytes(), policy=default) for entry in entries]


def calendar_part(message: EmailMessage) -> EmailMessage:
    """The part of a mail that says the event."""
    (part,) = (part for part in message.walk() if part.get_content_type() == "text/calendar")
    assert isinstance(part, EmailMessage)
    return part


def event_file(message: EmailMessage) -> bytes:
    """The event of a mail; its two copies are one."""
    (attached,) = message.iter_attachments()
    data = attached.get_payload(decode=True)
    assert isinstance(data, bytes)
    assert calendar_part(message).get_payload(decode=True) == data
    return data
