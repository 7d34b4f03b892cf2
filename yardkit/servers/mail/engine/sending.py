"""Changes of the mailbox: sending with all that follows from it, drafts, folders, moves, marks, attachments saved."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import formataddr
from pathlib import Path
from typing import Literal

from yardkit.apps.mail import (
    APP,
    DRAFTS,
    INBOX,
    NOBODY,
    OUTSIDE,
    SENT,
    STANDARD,
    TRASH,
    Accounts,
    Entry,
    Flag,
    Mailbox,
    Rule,
    read_accounts,
)
from yardkit.kit.results import show_image
from yardkit.servers.mail.backends import live_settings, owners_mailbox
from yardkit.servers.mail.backends.settings import Settings
from yardkit.servers.mail.backends.smtp import hand_over
from yardkit.servers.mail.engine.headers import Correspondent, addresses_of
from yardkit.servers.mail.engine.messages import open_message, read_attachment, read_content
from yardkit.servers.mail.engine.parts import find_html, lay_out
from yardkit.servers.mail.engine.reading import PREVIEW, MessageLine, line_of, others_of
from yardkit.servers.mail.engine.writing import (
    AttachedFile,
    Draft,
    Outgoing,
    compose_message,
    date_draft,
    format_forwarded,
    format_forwarded_html,
    forward_subject,
    make_outgoing,
    pass_on,
    quote_message,
    read_attachments,
    reply_subject,
    to_ascii_address,
)
from yardkit.world import FileRef, Problem, World, lock_file, save_bytes
from yardkit.world.wording import format_count

Mark = Literal["read", "unread", "flagged", "unflagged", "answered", "unanswered"]
_MARKS: dict[Mark, tuple[Flag, bool]] = {
    "read": ("seen", True),
    "unread": ("seen", False),
    "flagged": ("flagged", True),
    "unflagged": ("flagged", False),
    "answered": ("answered", True),
    "unanswered": ("answered", False),
}
_STAYS = "no mail server is set (YARDKIT_MAIL_URL), so it stays in this folder and is not delivered"
_BOUNCED = """\
This is the mail system of {domain}.

I'm sorry to have to inform you that your message could not be delivered to one or more recipients.

{addresses}

Subject of your message: {subject}
"""


@dataclass(frozen=True)
class Sent:
    """A message that was sent.

    Attributes:
        message: the copy that is kept; its number is 0 where none is, in a mailbox that is only read.
        recipients: to whom it went.
        undelivered: those of them that nobody has; each came back with a notice.
        note: what is to be known of it besides.
    """

    message: MessageLine
    recipients: list[str]
    undelivered: list[str]
    note: str | None = None

    def __str__(self) -> str:
        lost = f"; no mailbox for {', '.join(self.undelivered)}" if self.undelivered else ""
        note = f" ({self.note})" if self.note else ""
        return f"sent to {', '.join(self.recipients)}{lost}: {self.message}{note}"


@dataclass(frozen=True)
class Changed:
    """What was done to messages. ids: their numbers."""

    done: str
    ids: list[int]

    def __str__(self) -> str:
        return f"{self.done}: {', '.join(map(str, self.ids)) or 'none'}"


@dataclass(frozen=True)
class FolderChanged:
    """What was done to a folder. messages: how many it held."""

    done: str
    name: str
    messages: int = 0

    def __str__(self) -> str:
        message_note = f" with {format_count(self.messages, 'message')}" if self.messages else ""
        return f"{self.done}: {self.name}{message_note}"


@dataclass(frozen=True)
class AttachmentSaved:
    """An attachment in the workspace. note: what is wrong with it, null for nothing."""

    file: FileRef
    note: str | None = None

    def __str__(self) -> str:
        return f"saved {self.file}{f' ({self.note})' if self.note else ''}"


@dataclass(frozen=True)
class Written:
    """What a caller wants to write. paths: files to attach."""

    to: Sequence[str]
    subject: str
    text: str
    html: str = ""
    cc: Sequence[str] = ()
    bcc: Sequence[str] = ()
    paths: Sequence[Path] = ()

    def make_draft(self) -> Draft:
        return Draft(self.to, self.subject, self.text, self.html, self.cc, self.bcc, read_attachments(self.paths))


@contextmanager
def _open_office(world: World) -> Iterator["_Office"]:
    """The post office of the world, for one caller at a time: in a world all that the caller does is one change."""
    settings = live_settings(world)
    together = nullcontext() if settings else world.change_together()
    with together, lock_file(world.get_app_folder(APP) / "accounts.json", world.locks):
        yield _LiveOffice(world, settings) if settings else _Office(world, read_accounts(world))


def send_message(world: World, written: Written) -> Sent:
    """Send a new message.

    Raises:
        Problem: it has no recipient, an address is not valid, or the attachments are too large.
    """
    with _open_office(world) as office:
        return office.send(written.make_draft())


def reply_message(world: World, number: int, written: Written, *, to_all: bool, quoted: bool) -> Sent:
    """Answer a message in its thread: to its sender, or to everybody whom it was to; `written.to` adds others.

    Raises:
        Problem: there is no such message, or there is no one to answer.
    """
    with _open_office(world) as office:
        entry = office.mailbox.get(number)
        content = read_content(entry.path)
        own = addresses_of((content.sender,)) == [office.accounts.owner.casefold()]
        first = list(content.to) if own else list(content.reply_to or (content.sender,))
        others = [text for text in others_of(content, office.accounts.owner) if text not in first] if to_all else []
        text = f"{written.text.rstrip()}\n\n{quote_message(content)}\n" if quoted else written.text
        draft = replace(
            written.make_draft(),
            to=[*first, *written.to],
            cc=[*others, *written.cc],
            subject=written.subject or reply_subject(content.subject),
            text=text,
            answers=[*dict.fromkeys((*content.answers, content.message_id))] if content.message_id else (),
        )
        sent = office.send(draft)
        office.remember(number, "answered")
        return sent


def forward_message(world: World, number: int, written: Written) -> Sent:
    """Send a message on to others, with its text and attachments below what is written.

    Raises:
        Problem: there is no such message, or it cannot be sent.
    """
    with _open_office(world) as office:
        entry = office.mailbox.get(number)
        content = read_content(entry.path)
        message = open_message(entry.path)
        passed_on, page = pass_on(lay_out(message).attachments), find_html(message)
        text = f"{written.text.rstrip()}\n\n{format_forwarded(content)}\n".lstrip("\n")
        draft = written.make_draft()
        draft = replace(
            draft,
            subject=written.subject or forward_subject(content.subject),
            text=text,
            html=format_forwarded_html(content, written.text, page) if page else "",
            attachments=[*passed_on, *draft.attachments],
        )
        sent = office.send(draft)
        office.remember(number, "passed")
        return sent


def save_draft(world: World, written: Written, replaces: int | None = None, answers: int | None = None) -> MessageLine:
    """Keep a message in the drafts, in the place of another draft if `replaces` names one.

    Raises:
        Problem: an address is not valid, or the message that it replaces is not a draft.
    """
    with _open_office(world) as office:
        old = office.get_draft(replaces) if replaces is not None else None
        draft = written.make_draft()
        if answers is not None:
            content = read_content(office.mailbox.get(answers).path)
            draft = replace(draft, answers=[*dict.fromkeys((*content.answers, content.message_id))])
        moment = office.make_stamp()
        saved_entry = office.mailbox.add(
            DRAFTS, compose_message(draft, office.sender, moment), arrived=moment, flags="DS"
        )
        if old:
            office.mailbox.remove(old)
        return line_of(saved_entry)


def send_draft(world: World, number: int) -> Sent:
    """Send a draft as it is; it leaves the drafts.

    Raises:
        Problem: it is not a draft, or has no recipient.
    """
    with _open_office(world) as office:
        entry = office.get_draft(number)
        content = read_content(entry.path)
        sent = office.post(date_draft(open_message(entry.path), content, office.sender, office.make_stamp()))
        if office.mailbox.writable:
            office.mailbox.remove(entry)
        return sent


def move_messages(world: World, numbers: Sequence[int], folder: str) -> Changed:
    """Put messages into another folder, all or none.

    Raises:
        Problem: there is no such folder or message.
    """
    with _open_office(world) as office:
        name = office.mailbox.require_folder(folder)
        for entry in office.list_entries(numbers):
            office.mailbox.move(entry, name)
        return Changed(f"moved to {name}", list(numbers))


def flag_messages(world: World, numbers: Sequence[int], mark: Mark) -> Changed:
    """Mark messages, all or none.

    Raises:
        Problem: there is no such message.
    """
    flag, on = _MARKS[mark]
    with _open_office(world) as office:
        for entry in office.list_entries(numbers):
            office.mailbox.mark(entry, flag, on)
        return Changed(f"marked {mark}", list(numbers))


def delete_messages(world: World, numbers: Sequence[int], *, for_good: bool) -> Changed:
    """Put messages into the trash, or remove them for good, all or none.

    Raises:
        Problem: there is no such message.
    """
    with _open_office(world) as office:
        entries = office.list_entries(numbers)
        for entry in entries:
            if for_good:
                office.mailbox.remove(entry)
            else:
                office.mailbox.move(entry, TRASH)
        return Changed("deleted for good" if for_good else f"moved to {TRASH}", list(numbers))


def create_folder(world: World, folder: str) -> FolderChanged:
    """Make a folder; ``/`` parts it from one above it.

    Raises:
        Problem: it is there, or no name for one.
    """
    with _open_office(world) as office:
        office.mailbox.make_folder(folder)
        return FolderChanged("made", folder)


def delete_folder(world: World, folder: str, *, with_messages: bool) -> FolderChanged:
    """Remove a folder, and with `with_messages` what is in it.

    Raises:
        Problem: there is none, it is one that every mailbox has, or it holds messages.
    """
    with _open_office(world) as office:
        name = office.mailbox.require_folder(folder)
        if name in STANDARD:
            raise Problem(f"{name} is a standard folder and cannot be deleted")
        below = [
            folder_name
            for folder_name in office.mailbox.list_folders()
            if folder_name == name or folder_name.startswith(f"{name}/")
        ]
        message_count = sum(len(office.mailbox.list_entries(folder_name)) for folder_name in below)
        if message_count and not with_messages:
            raise Problem(
                f"{name} has {format_count(message_count, 'message')}; move them, or set with_messages to delete"
                " them too"
            )
        office.mailbox.remove_folder(name)
        return FolderChanged("deleted", name, message_count)


def save_attachment(world: World, number: int, attachment: int, target: Path) -> AttachmentSaved:
    """Save an attachment of a message as a file of the workspace.

    Raises:
        Problem: there is no such message or attachment.
    """
    entry = owners_mailbox(world).get(number)
    attachment_info, leaf = read_attachment(entry.path, attachment)
    save_bytes(target, leaf.data)
    file = FileRef(world.to_relative(target), attachment_info.media_type, len(leaf.data))
    if file.media_type.startswith("image/"):
        try:
            show_image(target)
        except Problem as problem:  # saved all the same: only nobody can look at it
            return AttachmentSaved(replace(file, media_type="application/octet-stream"), str(problem))
    return AttachmentSaved(file)


class _Office:
    """Delivers: a copy to everybody in the world, others leave it, an address that nobody has comes back."""

    def __init__(self, world: World, accounts: Accounts) -> None:
        self.world, self.accounts = world, accounts
        self.mailbox = owners_mailbox(world)
        self.sender = formataddr((accounts.names.get(accounts.owner, ""), accounts.owner))

    def list_entries(self, numbers: Sequence[int]) -> list[Entry]:
        return [self.mailbox.get(number) for number in dict.fromkeys(numbers)]

    def get_draft(self, number: int) -> Entry:
        entry = self.mailbox.get(number)
        if entry.folder != DRAFTS:
            raise Problem(f"message {number} is in {entry.folder}, so it is not a draft; drafts are in {DRAFTS}")
        return entry

    def remember(self, number: int, flag: Flag) -> None:
        """Mark a message that was answered or passed on, if the mailbox may be changed."""
        if self.mailbox.writable:
            self.mailbox.mark(self.mailbox.get(number), flag)

    def make_stamp(self) -> datetime:
        """The world's time, or a second after the newest message: what is later sorts later."""
        return max(self.world.now, self.mailbox.last_arrival() + timedelta(seconds=1)).astimezone(UTC)

    def send(self, draft: Draft) -> Sent:
        return self.post(make_outgoing(draft, self.sender, self.make_stamp()))

    def post(self, outgoing: Outgoing) -> Sent:
        """Deliver a message, with all that follows from it."""
        sent_entry = self.mailbox.add(SENT, outgoing.message, arrived=outgoing.moment, flags="S")
        nobody = [address for address in outgoing.recipients if not self._deliver_message(address, outgoing)]
        if nobody:
            self._bounce_message(nobody, outgoing)
        for address in outgoing.recipients:
            self._answer_message(address, outgoing)
        note = _STAYS if self.accounts.owner == NOBODY else None
        return Sent(self._describe_sent(sent_entry.number, outgoing), outgoing.recipients, nobody, note)

    def _describe_sent(self, number: int, outgoing: Outgoing) -> MessageLine:
        return MessageLine(
            number,
            SENT,
            outgoing.moment.replace(microsecond=0).isoformat(),
            str(Correspondent(self.accounts.names.get(self.accounts.owner, ""), self.accounts.owner)),
            outgoing.to,
            outgoing.subject,
            " ".join(outgoing.text.split())[:PREVIEW],
            attachments=outgoing.attachments,
        )

    def _deliver_message(self, address: str, outgoing: Outgoing) -> bool:
        known = {account_name.casefold() for account_name in (*self.accounts.names, self.accounts.owner)}
        inside = address.rsplit("@", 1)[-1] in {domain.casefold() for domain in self.accounts.domains}
        if address not in known and inside:
            return False
        mailbox = Mailbox(self.world, address if address in known else OUTSIDE)
        delivered_to = b"Delivered-To: " + to_ascii_address(address).encode() + b"\r\n"
        mailbox.add(INBOX, delivered_to + outgoing.open_copy, arrived=outgoing.moment)
        return True

    def _bounce_message(self, addresses: Sequence[str], outgoing: Outgoing) -> None:
        domain = addresses[0].rsplit("@", 1)[-1]
        listed = "\n".join(f"<{address}>: user unknown" for address in addresses)
        notice = Draft(
            [self.sender],
            "Undelivered Mail Returned to Sender",
            _BOUNCED.format(domain=domain, addresses=listed, subject=outgoing.subject),
            extra_headers={"Auto-Submitted": "auto-replied", "X-Failed-Recipients": ", ".join(addresses)},
        )
        later = outgoing.moment + timedelta(seconds=1)
        sender = formataddr(("Mail Delivery System", f"mailer-daemon@{domain}"))
        self.mailbox.add(INBOX, compose_message(notice, sender, later), arrived=later)

    def _answer_message(self, address: str, outgoing: Outgoing) -> None:
        rule = next((rule for rule in self.accounts.rules if _matches_rule(rule, address, outgoing)), None)
        if rule is None:
            return
        later = max(outgoing.moment + timedelta(minutes=rule.minutes), self.make_stamp())
        folder = self.world.get_app_folder(APP) / "attachments"
        files = [AttachedFile(Path(name).name, (folder / name).read_bytes()) for name in rule.attachments]
        answers = [*outgoing.answers, outgoing.message_id]
        answer = Draft([self.sender], reply_subject(outgoing.subject), rule.text, attachments=files, answers=answers)
        sender = formataddr((self.accounts.names.get(address, ""), address))
        self.mailbox.add(INBOX, compose_message(answer, sender, later), arrived=later)


class _LiveOffice(_Office):
    """Hands mail over to a real server. A copy is kept in Sent where the mailbox may be changed."""

    def __init__(self, world: World, settings: Settings) -> None:
        super().__init__(world, Accounts(settings.address))
        self._settings = settings

    def post(self, outgoing: Outgoing) -> Sent:
        refused = hand_over(self._settings, list(map(to_ascii_address, outgoing.recipients)), outgoing.open_copy)
        if not self.mailbox.writable:
            return Sent(self._describe_sent(0, outgoing), outgoing.recipients, refused)
        try:
            sent_entry = self.mailbox.add(SENT, outgoing.message, arrived=outgoing.moment, flags="S")
        except Problem as problem:  # the mail is on its way and cannot be called back
            note = f"the mail was sent, but no copy could be kept in {SENT}: {problem}"
            return Sent(self._describe_sent(0, outgoing), outgoing.recipients, refused, note)
        return Sent(self._describe_sent(sent_entry.number, outgoing), outgoing.recipients, refused)


def _matches_rule(rule: Rule, address: str, outgoing: Outgoing) -> bool:
    searched_text = f"{outgoing.subject}\n{outgoing.text}".casefold()
    return rule.to.casefold() == address and all(word.casefold() in searched_text for word in rule.words)
