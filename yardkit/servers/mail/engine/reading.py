"""Folders, lists, threads, search, and single messages of the owner's mailbox."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from yardkit.apps.mail import Entry, Mailbox
from yardkit.servers.mail.backends import owners_mailbox
from yardkit.servers.mail.engine.headers import addresses_of
from yardkit.servers.mail.engine.messages import Attachment, Content, moment_of, read_content
from yardkit.world import Problem, World
from yardkit.world.queries import fold_text, split_query

MAX_TEXT = 20_000
"""Characters of a message in one result."""
PREVIEW = 120
"""Characters of a message's text in a list."""
Order = Literal["newest", "oldest"]


@dataclass(frozen=True)
class FolderLine:
    """A folder. unread: messages that were not read."""

    name: str
    messages: int
    unread: int


@dataclass(frozen=True)
class Folders:
    """The folders of a mailbox."""

    address: str
    folders: list[FolderLine]

    def __str__(self) -> str:
        return "\n".join(
            [self.address, *(f"{line.name}: {line.messages}, {line.unread} unread" for line in self.folders)]
        )


@dataclass(frozen=True)
class MessageLine:
    """A message in a list.

    Attributes:
        id: its number, which stays wherever it is moved.
        date: when it was sent, ISO 8601.
        sender, to: addresses as they are written.
        preview: how its text begins.
        attachments: how many files it holds.
    """

    id: int
    folder: str
    date: str
    sender: str
    to: list[str]
    subject: str
    preview: str
    unread: bool = False
    flagged: bool = False
    answered: bool = False
    attachments: int = 0

    def __str__(self) -> str:
        marks = [word for word in ("unread", "flagged", "answered") if getattr(self, word)]
        attachment_notes = [f"{self.attachments} attached"] if self.attachments else []
        rest = f"  ({', '.join([*marks, *attachment_notes])})" if marks or attachment_notes else ""
        return f"{self.id}  {self.date[:16]}  {self.sender}: {self.subject}  [{self.folder}]{rest}"


@dataclass(frozen=True)
class Messages:
    """A page of messages. total: all that match; next_offset: where it goes on, null at the end."""

    messages: list[MessageLine]
    total: int
    next_offset: int | None = None

    def __str__(self) -> str:
        more = f"\n[go on with offset={self.next_offset}]" if self.next_offset is not None else ""
        return "\n".join([f"{self.total} messages", *map(str, self.messages)]) + more


@dataclass(frozen=True)
class MessageView:
    """A message.

    Attributes:
        text: its text, or a part of it; of HTML what a reader sees.
        thread: the numbers of all messages of its thread, oldest first.
        next_offset: where the text goes on, null at its end.
        notes: what of the message cannot be read; null for nothing.
    """

    id: int
    folder: str
    date: str
    sender: str
    to: list[str]
    subject: str
    text: str
    cc: list[str]
    bcc: list[str]
    reply_to: list[str]
    attachments: list[Attachment]
    thread: list[int]
    header_message_id: str
    unread: bool = False
    flagged: bool = False
    answered: bool = False
    next_offset: int | None = None
    notes: list[str] | None = None

    def __str__(self) -> str:
        heads = [
            ("From", self.sender),
            ("To", ", ".join(self.to)),
            ("Cc", ", ".join(self.cc)),
            ("Bcc", ", ".join(self.bcc)),
            ("Date", self.date),
            ("Subject", self.subject),
        ]
        files = [
            f"{attachment.number}: {attachment.name} ({attachment.media_type}, {attachment.size_bytes:,} bytes"
            + (f", in attachment {attachment.inside})" if attachment.inside else ")")
            for attachment in self.attachments
        ]
        lines = [f"message {self.id} in {self.folder}", *(f"{name}: {value}" for name, value in heads if value)]
        lines += [f"Attachments: {'; '.join(files)}"] if files else []
        lines += [f"Thread: {', '.join(map(str, self.thread))}"] if len(self.thread) > 1 else []
        lines += [f"Note: {note}" for note in self.notes or ()]
        more = f"\n[the text goes on with offset={self.next_offset}]" if self.next_offset is not None else ""
        return "\n".join([*lines, "", self.text]) + more


@dataclass(frozen=True)
class Thread:
    """Messages that answer each other, oldest first. next_offset: how many messages to skip for the rest."""

    messages: list[MessageView]
    total: int
    next_offset: int | None = None

    def __str__(self) -> str:
        more = f"\n[go on with offset={self.next_offset}]" if self.next_offset is not None else ""
        return "\n\n----\n".join(map(str, self.messages)) + more


@dataclass(frozen=True)
class SearchCriteria:
    """What messages are looked for; what is empty or None is not asked.

    Attributes:
        words: each stands in the subject, an address, the text or the name of an attachment, whatever its case.
        sender, to, subject: a part of the sender, of a recipient, of the subject.
        since, until: dates or times, ISO 8601; a day counts as a whole.
    """

    words: str = ""
    sender: str = ""
    to: str = ""
    subject: str = ""
    since: str = ""
    until: str = ""
    unread: bool | None = None
    flagged: bool | None = None
    attached: bool | None = None


def list_folders(world: World) -> Folders:
    """All folders with their numbers of messages."""
    mailbox = owners_mailbox(world)
    lines = []
    for name in mailbox.list_folders():
        entries = mailbox.list_entries(name)
        lines.append(FolderLine(name, len(entries), sum(not entry.has("seen") for entry in entries)))
    return Folders(mailbox.address, lines)


def find_messages(
    world: World,
    criteria: SearchCriteria,
    folder: str | None,
    order: Order = "newest",
    offset: int = 0,
    limit: int = 50,
) -> Messages:
    """A page of the messages of a folder, or of all, that are looked for.

    Raises:
        Problem: there is no such folder, or a date is not valid.
    """
    mailbox = owners_mailbox(world)
    fits = _make_filter(criteria)
    entries = mailbox.list_entries(mailbox.require_folder(folder) if folder else None)
    if order == "newest":
        entries.reverse()
    if criteria == SearchCriteria():
        page_entries, total = entries[offset : offset + limit], len(entries)
    else:
        matching = [entry for entry in entries if fits(entry)]
        page_entries, total = matching[offset : offset + limit], len(matching)
    end = offset + len(page_entries)
    return Messages([line_of(entry) for entry in page_entries], total, end if end < total else None)


def view_message(world: World, number: int, offset: int = 0, *, mark_read: bool = False) -> MessageView:
    """A message with its text, which goes on from `offset` characters.

    Raises:
        Problem: there is no such message, or its text has no such offset.
    """
    mailbox = owners_mailbox(world)
    entry = mailbox.get(number)
    if mark_read and mailbox.writable and not entry.has("seen"):
        entry = mailbox.mark(entry, "seen")
    return _build_view(entry, [thread_entry.number for thread_entry in thread_of(mailbox, entry)], offset)


def view_thread(world: World, number: int, offset: int = 0) -> Thread:
    """The messages of the thread of a message, as many as fit a result."""
    mailbox = owners_mailbox(world)
    entries = thread_of(mailbox, mailbox.get(number))
    numbers, room = [entry.number for entry in entries], MAX_TEXT
    message_views: list[MessageView] = []
    for entry in entries[offset:]:
        view = _build_view(entry, numbers, 0)
        if message_views and len(view.text) > room:
            break
        message_views.append(view)
        room -= len(view.text)
    end = offset + len(message_views)
    return Thread(message_views, len(entries), end if end < len(entries) else None)


def thread_of(mailbox: Mailbox, entry: Entry) -> list[Entry]:
    """The messages that answer each other, directly or not, with the drafts among them; oldest first."""
    entries = mailbox.list_entries()
    contents = {thread_entry.number: read_content(thread_entry.path) for thread_entry in entries}
    known, added = _collect_ids(contents[entry.number]), True
    inside = {entry.number}
    while added:
        added = False
        for thread_entry in entries:
            ids = _collect_ids(contents[thread_entry.number])
            if thread_entry.number not in inside and ids & known:
                inside.add(thread_entry.number)
                known |= ids
                added = True
    return [thread_entry for thread_entry in entries if thread_entry.number in inside]


def line_of(entry: Entry) -> MessageLine:
    """A message as lists show it."""
    content = read_content(entry.path)
    return MessageLine(
        entry.number,
        entry.folder,
        _format_date(entry, content),
        content.sender,
        list(content.to),
        content.subject,
        " ".join(content.text.split())[:PREVIEW],
        not entry.has("seen"),
        entry.has("flagged"),
        entry.has("answered"),
        len(content.attachments),
    )


def _build_view(entry: Entry, thread: Sequence[int], offset: int) -> MessageView:
    content = read_content(entry.path)
    if offset and offset >= len(content.text):
        raise Problem(
            f"offset {offset} is beyond the end: the text of message {entry.number} has {len(content.text)} characters"
        )
    end = offset + MAX_TEXT
    return MessageView(
        entry.number,
        entry.folder,
        _format_date(entry, content),
        content.sender,
        list(content.to),
        content.subject,
        content.text[offset:end],
        list(content.cc),
        list(content.bcc),
        list(content.reply_to),
        list(content.attachments),
        list(thread),
        content.message_id,
        not entry.has("seen"),
        entry.has("flagged"),
        entry.has("answered"),
        end if end < len(content.text) else None,
        list(content.notes) or None,
    )


def _collect_ids(content: Content) -> set[str]:
    return {message_id for message_id in (content.message_id, *content.answers) if message_id}


def _format_date(entry: Entry, content: Content) -> str:
    return moment_of(content.date, entry.arrived).isoformat()


def _make_filter(criteria: SearchCriteria) -> Callable[[Entry], bool]:
    since, until = _parse_bound(criteria.since), _parse_bound(criteria.until, end=True)
    words = split_query(criteria.words)

    def fits(entry: Entry) -> bool:
        marks = ((criteria.unread, not entry.has("seen")), (criteria.flagged, entry.has("flagged")))
        if any(asked is not None and asked != is_so for asked, is_so in marks):
            return False
        content = read_content(entry.path)
        moment = moment_of(content.date, entry.arrived)
        if (since and moment < since) or (until and moment >= until):
            return False
        if criteria.attached is not None and criteria.attached != bool(content.attachments):
            return False
        people = " ".join([*content.to, *content.cc, *content.bcc])
        parts = ((criteria.sender, content.sender), (criteria.to, people), (criteria.subject, content.subject))
        if any(fold_text(part) not in fold_text(text) for part, text in parts):
            return False
        names = " ".join(attachment.name for attachment in content.attachments)
        searched_text = fold_text(f"{content.subject}\n{content.sender}\n{people}\n{content.text}\n{names}")
        return all(word in searched_text for word in words)

    return fits


def _parse_bound(text: str, *, end: bool = False) -> datetime | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Problem(
            f"{text!r} is not a valid date; use one such as 2026-03-16 or 2026-03-16T09:00:00+00:00"
        ) from error
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if end and re.fullmatch(r"\d{4}-?\d\d-?\d\d", text):
        return moment + timedelta(days=1)
    return moment


def others_of(content: Content, own: str) -> list[str]:
    """Everybody whom a message was to or from, each once, without `own`."""
    other_people: dict[str, str] = {}
    for text in (*(content.reply_to or (content.sender,)), *content.to, *content.cc):
        for address in addresses_of((text,)):
            other_people.setdefault(address, text)
    return [text for address, text in other_people.items() if address != own.casefold()]
