"""Mail in the dialect of Toolathlon: the 25 tools of its emails server, with the texts of lockon-n/emails-mcp.

Ids of messages are our numbers, which stay when others are deleted; errors are errors and no texts.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field

from yardkit.apps.mail import DRAFTS, Entry, Mailbox
from yardkit.kit.dialect import Saved, Text
from yardkit.servers.mail.backends import owners_mailbox
from yardkit.servers.mail.confirming import AskBeforeSending
from yardkit.servers.mail.engine import backups, reading, sending
from yardkit.servers.mail.engine.messages import open_message, read_content, read_message
from yardkit.servers.mail.engine.parts import find_html
from yardkit.world import FileRef, InFile, InPath, OutFile, Problem, World, current_world
from yardkit.world.paths import out_file

MIDDLEWARE = [AskBeforeSending()]

DOWNLOADS = "emails_download"
"""The folder of the workspace for attachments; Toolathlon sets it when it starts the server."""
_RULE = "=" * 50


def get_emails(folder: str = "INBOX", page: int = 1, page_size: int = 20) -> str:
    message_page = reading.find_messages(
        current_world(), reading.SearchCriteria(), folder, offset=(page - 1) * page_size, limit=page_size
    )
    if not message_page.messages:
        return f"Folder '{folder}' is empty or page {page} is out of range"
    pages = -(-message_page.total // page_size)
    heading = [f"Folder: {folder}", f"Page: {page}/{pages}", f"Total emails: {message_page.total}"]
    return _format_list(heading, message_page.messages, (page - 1) * page_size, attachments=True)


def read_email(email_id: str) -> str:
    mailbox, entry = _find_entry(email_id)
    view = reading.view_message(current_world(), entry.number, mark_read=True)
    content = read_content(mailbox.get(entry.number).path)
    html = find_html(open_message(mailbox.get(entry.number).path))
    lines = [f"Email ID: {email_id}", f"Subject: {view.subject}", f"From: {view.sender}", f"To: {', '.join(view.to)}"]
    lines += [f"CC: {', '.join(view.cc)}"] if view.cc else []
    lines += [f"Date: {_format_date(view.date)}", f"Message-ID: {view.header_message_id}", ""]
    lines += [] if content.html else ["Text Content:", content.text.rstrip(), ""]
    lines += ["HTML Content:", html.rstrip(), ""] if html else []
    lines += ["Attachments:"] if view.attachments else []
    lines += [
        f"{attachment.number}. {attachment.name} ({attachment.media_type}, {attachment.size_bytes} bytes)"
        for attachment in view.attachments
    ]
    return "\n".join(lines)


def search_emails(query: str, folder: str = "INBOX", page: int = 1, page_size: int = 20) -> str:
    criteria = reading.SearchCriteria(words=query)
    start = (page - 1) * page_size
    message_page = reading.find_messages(current_world(), criteria, folder, offset=start, limit=page_size)
    if not message_page.messages:
        return f"No emails found matching query: {query}"
    pages = -(-message_page.total // page_size)
    heading = [
        f"Search query: {query}",
        f"Folder: {folder}",
        f"Page: {page}/{pages}",
        f"Total results: {message_page.total}",
    ]
    return _format_list(heading, message_page.messages, start)


def send_email(
    to: str,
    subject: str,
    body: str,
    html_body: str | None = None,
    cc: str | None = None,
    bcc: str | None = None,
    attachments: list[InFile] | None = None,
) -> str:
    written = sending.Written(
        [to], subject, body, html_body or "", _to_addresses(cc), _to_addresses(bcc), attachments or []
    )
    sending.send_message(current_world(), written)
    attachment_note = f" with {len(attachments)} attachments" if attachments else ""
    return f"Email sent successfully to {to}{attachment_note}"


def reply_email(
    email_id: str,
    body: str,
    html_body: str | None = None,
    cc: str | None = None,
    bcc: str | None = None,
    reply_all: bool = False,
) -> str:
    written = sending.Written([], "", body, html_body or "", _to_addresses(cc), _to_addresses(bcc))
    sending.reply_message(current_world(), _parse_number(email_id), written, to_all=reply_all, quoted=True)
    return f"Reply sent successfully to {'all recipients' if reply_all else 'sender'}"


def forward_email(
    email_id: str, to: str, body: str = "", html_body: str | None = None, cc: str | None = None, bcc: str | None = None
) -> str:
    written = sending.Written([to], "", body, html_body or "", _to_addresses(cc), _to_addresses(bcc))
    sending.forward_message(current_world(), _parse_number(email_id), written)
    return f"Email forwarded successfully to {to}"


def delete_email(email_id: str) -> str:
    sending.delete_messages(current_world(), [_parse_number(email_id)], for_good=True)
    return f"Email {email_id} deleted successfully"


def move_email(email_id: str, target_folder: str) -> str:
    sending.move_messages(current_world(), [_parse_number(email_id)], target_folder)
    return f"Email {email_id} moved to {target_folder} successfully"


def mark_emails(email_ids: list[str], status: str) -> Text:
    marks: dict[str, sending.Mark] = {"important": "flagged", "not_important": "unflagged"}
    mark = marks.get(status) or ("read" if status == "read" else "unread")
    return _change_each(
        email_ids,
        lambda world, message_number: sending.flag_messages(world, [message_number], mark),
        "marked",
        f" as {status}",
    )


def move_emails(email_ids: list[str], target_folder: str) -> Text:
    folder = owners_mailbox(current_world()).require_folder(target_folder)
    return _change_each(
        email_ids,
        lambda world, message_number: sending.move_messages(world, [message_number], folder),
        "moved",
        f" to {target_folder}",
    )


def delete_emails(email_ids: list[str]) -> Text:
    return _change_each(
        email_ids,
        lambda world, message_number: sending.delete_messages(world, [message_number], for_good=True),
        "deleted",
        "",
    )


def get_folders() -> str:
    lines = [
        f"{number}. {line.name} ({line.messages} total, {line.unread} unread)"
        for number, line in enumerate(reading.list_folders(current_world()).folders, 1)
    ]
    return "\n".join(["Available folders:", *lines, ""])


def create_folder(folder_name: str) -> str:
    sending.create_folder(current_world(), folder_name)
    return f"Folder '{folder_name}' created successfully"


def delete_folder(folder_name: str) -> str:
    sending.delete_folder(current_world(), folder_name, with_messages=True)
    return f"Folder '{folder_name}' deleted successfully"


def get_mailbox_stats(folder_name: str | None = None) -> str:
    world = current_world()
    folders = reading.list_folders(world).folders
    if folder_name is None:
        lines = [f"  {line.name}: {line.messages} total, {line.unread} unread" for line in folders]
        sums = sum(line.messages for line in folders), sum(line.unread for line in folders)
        return "\n".join(
            ["Mailbox Statistics:", *lines, "", f"Overall Total: {sums[0]} messages, {sums[1]} unread", ""]
        )
    mailbox = owners_mailbox(world)
    name = mailbox.require_folder(folder_name)
    line = next(line for line in folders if line.name == name)
    size = sum(entry.path.stat().st_size for entry in mailbox.list_entries(name)) / 1024**2
    message_lines = [
        f"Folder Statistics for '{name}':",
        f"Total messages: {line.messages}",
        f"Unread messages: {line.unread}",
    ]
    return "\n".join([*message_lines, *([f"Total size: {size:.2f} MB"] if size else []), ""])


def get_unread_count(folder_name: str | None = None) -> str:
    world = current_world()
    name = owners_mailbox(world).require_folder(folder_name) if folder_name else None
    unread = sum(line.unread for line in reading.list_folders(world).folders if name in (None, line.name))
    return f"Unread messages in '{folder_name}': {unread}" if folder_name else f"Total unread messages: {unread}"


def check_connection() -> str:
    lines = ["Connection Status:", "IMAP: ✓ Connected", "SMTP: ✓ Connected"]
    return "\n".join([*lines, "", "All connections are working properly"])


def get_email_headers(email_id: str) -> str:
    _, entry = _find_entry(email_id)
    lines = [f"{name}: {' '.join(str(value).split())}" for name, value in read_message(entry.path).raw_items()]
    return "\n".join([f"Email Headers for ID: {email_id}", _RULE, *lines, ""])


def save_draft(
    subject: str,
    body: str,
    html_body: str | None = None,
    to: str | None = None,
    cc: str | None = None,
    bcc: str | None = None,
) -> str:
    written = sending.Written(_to_addresses(to), subject, body, html_body or "", _to_addresses(cc), _to_addresses(bcc))
    return f"Draft saved successfully with ID: {sending.save_draft(current_world(), written).id}"


def get_drafts(page: int = 1, page_size: int = 20) -> str:
    start = (page - 1) * page_size
    draft_page = reading.find_messages(current_world(), reading.SearchCriteria(), DRAFTS, offset=start, limit=page_size)
    if not draft_page.total:
        return "No drafts found"
    lines = [f"Drafts (Page {page}/{-(-draft_page.total // page_size)}):", f"Total drafts: {draft_page.total}", ""]
    for number, line in enumerate(draft_page.messages, start + 1):
        lines += [f"{number}. ID: {line.id}", f"   Subject: {line.subject}"]
        lines += [f"   To: {', '.join(line.to) or 'Not set'}", f"   Updated: {line.date}", ""]
    return "\n".join(lines)


def update_draft(
    draft_id: str,
    subject: str | None = None,
    body: str | None = None,
    html_body: str | None = None,
    to: str | None = None,
    cc: str | None = None,
    bcc: str | None = None,
) -> str:
    _, entry = _find_entry(draft_id)
    was = read_content(entry.path)
    written = sending.Written(
        list(was.to) if to is None else [to],
        was.subject if subject is None else subject,
        was.text if body is None else body,
        html_body or "",
        list(was.cc) if cc is None else [cc],
        list(was.bcc) if bcc is None else [bcc],
    )
    changed = sending.save_draft(current_world(), written, entry.number)
    return f"Draft {draft_id} updated successfully (its ID is {changed.id} now)"


def delete_draft(draft_id: str) -> str:
    _, entry = _find_entry(draft_id)
    if entry.folder != DRAFTS:
        raise Problem(f"email {draft_id} is not a draft; it is in {entry.folder}")
    sending.delete_messages(current_world(), [entry.number], for_good=True)
    return f"Draft {draft_id} deleted successfully"


def export_emails(
    folder: str | None = None,
    export_path: Annotated[OutFile, Field(validate_default=True)] = Path("emails_export.json"),
    max_emails: int | None = None,
    export_all_folders: bool = False,
) -> Saved:
    if export_all_folders and folder:
        raise Problem("Cannot specify both 'folder' and 'export_all_folders=True'; leave one out")
    folders = None if export_all_folders else [folder or "INBOX"]
    done = backups.export_mail(current_world(), folders, export_path, max_emails)
    total = sum(done.by_folder.values())
    lines = [f"Successfully exported {total} emails to {done.path}"]
    if export_all_folders:
        lines += [
            "Export breakdown by folder:",
            *(f"  - {name}: {count} emails" for name, count in done.by_folder.items()),
        ]
    return Saved("\n".join(lines), FileRef(done.path, "application/json", export_path.stat().st_size))


def import_emails(import_path: InPath, target_folder: str | None = None, preserve_folders: bool = True) -> str:
    done = backups.import_mail(current_world(), import_path, target_folder, keep_folders=preserve_folders)
    lines = [f"Successfully imported {sum(done.by_folder.values())} emails"]
    lines += [f"  - {name}: {count} emails" for name, count in done.by_folder.items()]
    if done.failed:
        lines += [f"{len(done.failed)} emails failed to import:", *(f"  - {failure}" for failure in done.failed[:5])]
    return "\n".join(lines)


def download_attachment(email_id: str, attachment_filename: str) -> Saved:
    _, entry = _find_entry(email_id)
    attachments = read_content(entry.path).attachments
    attachment = next((attachment for attachment in attachments if attachment.name == attachment_filename), None)
    if attachment is None:
        names = ", ".join(attachment.name for attachment in attachments) or "none"
        raise Problem(f"Attachment '{attachment_filename}' not found in email {email_id}; it has {names}")
    target = out_file(f"{DOWNLOADS}/{Path(attachment_filename).name}")
    saved = sending.save_attachment(current_world(), entry.number, attachment.number, target)
    return Saved(f"Attachment '{attachment_filename}' saved to: {saved.file.path}", saved.file)


def _find_entry(email_id: str) -> tuple[Mailbox, Entry]:
    mailbox = owners_mailbox(current_world())
    return mailbox, mailbox.get(_parse_number(email_id))


def _parse_number(email_id: str) -> int:
    if not (email_id.isascii() and email_id.isdigit()):
        raise Problem(f"{email_id!r} is not a valid email ID; get_emails lists them")
    return int(email_id)


def _to_addresses(addresses: str | None) -> Sequence[str]:
    return [addresses] if addresses else []


def _change_each(email_ids: Sequence[str], change: Callable[[World, int], object], done: str, where: str) -> Text:
    """Change messages one by one; those that are not there are counted and named."""
    world, failed = current_world(), []
    for email_id in email_ids:
        try:
            change(world, _parse_number(email_id))
        except Problem:
            failed.append(email_id)
    if len(failed) == len(email_ids):
        raise Problem(f"there is no email with the IDs {', '.join(failed[:5])}; get_emails lists those that there are")
    more = f" and {len(failed) - 5} more" if len(failed) > 5 else ""
    lost = f" ({len(failed)} failed: {', '.join(failed[:5])}{more})" if failed else ""
    return Text(f"Successfully {done} {len(email_ids) - len(failed)}/{len(email_ids)} emails{where}{lost}")


def _format_list(
    heading: Sequence[str], lines: Sequence[reading.MessageLine], start: int, *, attachments: bool = False
) -> str:
    message_lines = [*heading, ""]
    for number, line in enumerate(lines, start + 1):
        message_lines += [f"{number}. ID: {line.id}", f"   Subject: {line.subject}", f"   From: {line.sender}"]
        message_lines += [f"   Date: {_format_date(line.date)}"]
        message_lines += [f"   Attachments: {line.attachments} files"] if attachments and line.attachments else []
        message_lines += [""]
    return "\n".join([*message_lines, ""])


def _format_date(date: str) -> str:
    """As headers write it."""
    return format_datetime(datetime.fromisoformat(date))
