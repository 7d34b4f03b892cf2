"""Mailboxes as files of the workspace: exported as JSON, imported from JSON or .eml files.

The JSON is that of lockon-n/emails-mcp, the mail server of Toolathlon: ``export_date``, ``total_emails``, ``emails``.
"""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path
from typing import Any

from yardkit.apps.mail import APP, INBOX, Entry, Mailbox
from yardkit.servers.mail.backends import owners_mailbox
from yardkit.servers.mail.engine.messages import moment_of, open_message, read_attachment, read_content
from yardkit.servers.mail.engine.parts import find_html
from yardkit.servers.mail.engine.writing import AttachedFile, Draft, compose_message
from yardkit.world import Problem, World, lock_file, save_text
from yardkit.world.limits import check_bytes

MAX_BYTES = 200_000_000
MAX_MESSAGES = 5_000


@dataclass(frozen=True)
class Exported:
    """What an export holds. by_folder: messages by folder."""

    path: str
    by_folder: dict[str, int]


@dataclass(frozen=True)
class Imported:
    """What an import brought. by_folder: messages by folder; failed: what could not be read, each with the reason."""

    by_folder: dict[str, int]
    failed: list[str]


def export_mail(world: World, folders: Sequence[str] | None, target: Path, most: int | None = None) -> Exported:
    """Write the messages of folders, by default of all, into a JSON file, newest first.

    Raises:
        Problem: there is no such folder, or more than `MAX_MESSAGES`.
    """
    mailbox = owners_mailbox(world)
    names = mailbox.list_folders() if folders is None else [mailbox.require_folder(name) for name in folders]
    entries = [entry for name in names for entry in reversed(mailbox.list_entries(name))][:most]
    if len(entries) > MAX_MESSAGES:
        raise Problem(
            f"{len(entries):,} messages are too many to export; the limit is {MAX_MESSAGES:,}. Export one folder"
        )
    export_data = {
        "export_date": world.now.isoformat(),
        "total_emails": len(entries),
        "emails": list(map(_as_json, entries)),
    }
    save_text(target, json.dumps(export_data, indent=2, ensure_ascii=False) + "\n")
    counts = {name: sum(entry.folder == name for entry in entries) for name in names}
    return Exported(world.to_relative(target), counts)


def import_mail(world: World, source: Path, folder: str | None, *, keep_folders: bool) -> Imported:
    """Add the messages of an export, of an .eml file, or of all of these in a folder to the mailbox, oldest first.

    Raises:
        Problem: the file is neither, or holds no message.
    """
    with lock_file(world.get_app_folder(APP) / "accounts.json", world.locks):
        mailbox = owners_mailbox(world)
        by_folder: dict[str, int] = {}
        failed = []
        for place, mail_data, message in _iter_sources(source):
            try:
                data, moment, flags = message if message else _from_json(mail_data)
                name = _choose_folder(mailbox, str(mail_data.get("folder") or ""), folder, keep_folders)
                mailbox.add(name, data, arrived=moment, flags=flags)
                by_folder[name] = by_folder.get(name, 0) + 1
            except (Problem, ValueError, TypeError, AttributeError, binascii.Error) as error:
                failed.append(f"{place}: {error}")
    if not by_folder and not failed:
        raise Problem(f"No emails found in import file {world.to_relative(source)}")
    return Imported(by_folder, failed)


_Ready = tuple[bytes, datetime, str]


def _iter_sources(source: Path) -> Iterator[tuple[str, Mapping[str, Any], _Ready | None]]:
    paths = sorted(source.rglob("*")) if source.is_dir() else [source]
    for path in paths:
        if path.suffix.lower() == ".eml" and path.is_file():
            content = read_content(path)
            yield path.name, {}, (path.read_bytes(), moment_of(content.date, int(path.stat().st_mtime)), "")
        elif path.suffix.lower() == ".json" and path.is_file():
            yield from ((f"{path.name}[{number}]", email, None) for number, email in enumerate(_read_json(path)))
        elif not source.is_dir():
            raise Problem(f"{path.name!r} is not a .json or .eml file; export_emails writes .json")


def _read_json(path: Path) -> list[Mapping[str, Any]]:
    check_bytes(path, MAX_BYTES)
    try:
        json_content = json.loads(path.read_bytes())
        emails = json_content["emails"] if isinstance(json_content, dict) else json_content
        if not all(isinstance(email, dict) for email in emails):
            raise TypeError("its emails are not objects")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Problem(f"{path.name!r} is not a mail export ({error}); it must have a list 'emails'") from error
    return sorted(emails, key=lambda email: int(email["email_id"]) if str(email.get("email_id", "")).isdigit() else 0)


def _as_json(entry: Entry) -> dict[str, Any]:
    content = read_content(entry.path)
    html = find_html(open_message(entry.path))
    return {
        "email_id": str(entry.number),
        "subject": content.subject,
        "from_addr": content.sender,
        "to_addr": ", ".join(content.to),
        "cc_addr": ", ".join(content.cc) or None,
        "bcc_addr": ", ".join(content.bcc) or None,
        "date": format_datetime(moment_of(content.date, entry.arrived)),
        "message_id": content.message_id,
        "body_text": "" if content.html else content.text,
        "body_html": html or None,
        "is_read": entry.has("seen"),
        "is_important": entry.has("flagged"),
        "folder": entry.folder,
        "attachments": [_encode_attachment(entry.path, attachment.number) for attachment in content.attachments],
    }


def _encode_attachment(path: Path, number: int) -> dict[str, Any]:
    attachment_info, leaf = read_attachment(path, number)
    content = base64.b64encode(leaf.data).decode("ascii")
    return {
        "filename": attachment_info.name,
        "content_type": attachment_info.media_type,
        "size": attachment_info.size_bytes,
        "content": content,
    }


def _from_json(mail_data: Mapping[str, Any]) -> _Ready:
    moment = parsedate_to_datetime(str(mail_data["date"])) if mail_data.get("date") else datetime.fromtimestamp(0, UTC)
    attached_files = [
        AttachedFile(str(attachment["filename"]), base64.b64decode(attachment.get("content") or ""))
        for attachment in mail_data.get("attachments") or ()
    ]
    draft = Draft(
        [str(mail_data.get("to_addr") or "")],
        str(mail_data.get("subject") or ""),
        str(mail_data.get("body_text") or ""),
        str(mail_data.get("body_html") or ""),
        [str(mail_data.get("cc_addr") or "")],
        [str(mail_data.get("bcc_addr") or "")],
        attached_files,
        header_message_id=str(mail_data.get("message_id") or ""),
    )
    flags = "".join(letter for letter, name in (("F", "is_important"), ("S", "is_read")) if mail_data.get(name))
    return compose_message(draft, str(mail_data.get("from_addr") or ""), moment), moment, flags


def _choose_folder(mailbox: Mailbox, original_folder: str, target_folder: str | None, keep: bool) -> str:
    """The folder for a message, made if it is missing."""
    name = original_folder if keep and original_folder else target_folder or INBOX
    known = {folder_name.casefold(): folder_name for folder_name in mailbox.list_folders()}
    if name.casefold() in known:
        return known[name.casefold()]
    mailbox.make_folder(name)
    return name
