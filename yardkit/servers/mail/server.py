"""The tools of the `mail` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.mail.confirming import AskBeforeSending
from yardkit.servers.mail.engine import reading, sending
from yardkit.world import InFile, OutFile, current_world

mcp = make_server(
    "mail",
    "The mailbox of the workspace's owner. Message numbers do not change when messages are "
    "moved. Mail is sent at once and cannot be recalled; list_messages shows replies.",
)
mcp.add_middleware(AskBeforeSending())

MessageId = Annotated[int, Field(description="Number of the message, from list_messages.", ge=1)]
MessageIds = Annotated[list[MessageId], Field(description="Message numbers.", min_length=1, max_length=500)]
Address = Annotated[str, Field(max_length=1_000)]
Addresses = Annotated[
    list[Address], Field(description="Addresses, such as 'Ada Berg <ada.berg@example.com>'.", max_length=200)
]
Cc = Annotated[list[Address], Field(description="Addresses for copies (Cc).", max_length=200)]
Bcc = Annotated[list[Address], Field(description="Addresses for blind copies (Bcc).", max_length=200)]
Subject = Annotated[str, Field(description="Subject line.", max_length=1_000)]
Text = Annotated[str, Field(description="Plain-text body.", max_length=200_000)]
Html = Annotated[str, Field(description="The same text as HTML, for mail readers that display it.", max_length=500_000)]
Attachments = Annotated[list[InFile], Field(description="Files to attach, 25 MB in total.", max_length=50)]
Folder = Annotated[str, Field(description="Mail folder, such as INBOX, Sent or Projects/Alpha.", max_length=200)]
Offset = Annotated[int, Field(description="Messages to skip; use next_offset of the previous page.", ge=0)]
Limit = Annotated[int, Field(description="Messages per page.", ge=1, le=200)]


@tool(mcp, bulk=True)
def list_mail_folders() -> reading.Folders:
    """List the mail folders with their message and unread counts."""
    return reading.list_folders(current_world())


@tool(mcp, bulk=True)
def list_messages(
    mailbox: Folder = "INBOX",
    unread_only: Annotated[bool, Field(description="List only unread messages.")] = False,
    newest_first: Annotated[bool, Field(description="List the newest first; otherwise the oldest.")] = True,
    offset: Offset = 0,
    limit: Limit = 50,
) -> reading.Messages:
    """List the messages in a folder: number, date, sender, recipients, subject, flags and the start of the text."""
    criteria = reading.SearchCriteria(unread=True if unread_only else None)
    return reading.find_messages(
        current_world(), criteria, mailbox, "newest" if newest_first else "oldest", offset, limit
    )


@tool(mcp, bulk=True)
def search_messages(
    query: Annotated[
        str,
        Field(
            description="Words that must all occur in the subject, addresses, text or attachment names.",
            max_length=1_000,
        ),
    ] = "",
    sender: Annotated[str, Field(description="Part of the sender's name or address.", max_length=200)] = "",
    recipient: Annotated[str, Field(description="Part of a recipient's name or address.", max_length=200)] = "",
    subject: Annotated[str, Field(description="Part of the subject.", max_length=200)] = "",
    since: Annotated[str, Field(description="Earliest date or time (ISO 8601).", max_length=40)] = "",
    until: Annotated[str, Field(description="Latest date or time; a date includes that day.", max_length=40)] = "",
    mailbox: Annotated[str | None, Field(description="Folder to search; by default all.", max_length=200)] = None,
    attached: Annotated[bool | None, Field(description="true: only with attachments; false: only without.")] = None,
    flagged: Annotated[bool | None, Field(description="true: only flagged; false: only unflagged.")] = None,
    offset: Offset = 0,
    limit: Limit = 50,
) -> reading.Messages:
    """Search messages in all folders, newest first; all given criteria must match."""
    criteria = reading.SearchCriteria(query, sender, recipient, subject, since, until, None, flagged, attached)
    return reading.find_messages(current_world(), criteria, mailbox, "newest", offset, limit)


@tool(mcp, bulk=True)
def read_message(
    message_id: MessageId,
    offset: Annotated[int, Field(description="Characters of the text to skip.", ge=0)] = 0,
) -> reading.MessageView:
    """Read a message: addresses, text, attachments, other messages in its thread; flag_messages marks it as read."""
    return reading.view_message(current_world(), message_id, offset)


@tool(mcp, bulk=True)
def read_thread(message_id: MessageId, offset: Offset = 0) -> reading.Thread:
    """Read all messages of a thread, from all folders, oldest first."""
    return reading.view_thread(current_world(), message_id, offset)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def send_message(
    to: Addresses,
    subject: Subject,
    text: Text,
    html: Html = "",
    cc: Cc = [],  # noqa: B006 - never changed
    bcc: Bcc = [],  # noqa: B006
    attachments: Attachments = [],  # noqa: B006
) -> sending.Sent:
    """Send an email. A copy is saved in Sent; mail to an unknown address bounces."""
    written = sending.Written(to, subject, text, html, cc, bcc, attachments)
    return sending.send_message(current_world(), written)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def reply_message(
    message_id: MessageId,
    text: Text,
    to_all: Annotated[bool, Field(description="Reply to all recipients, not only to the sender.")] = False,
    quoted: Annotated[bool, Field(description="Quote the message below the reply.")] = False,
    html: Html = "",
    cc: Cc = [],  # noqa: B006 - never changed
    bcc: Bcc = [],  # noqa: B006
    attachments: Attachments = [],  # noqa: B006
) -> sending.Sent:
    """Reply to a message, in its thread."""
    written = sending.Written([], "", text, html, cc, bcc, attachments)
    return sending.reply_message(current_world(), message_id, written, to_all=to_all, quoted=quoted)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def forward_message(
    message_id: MessageId,
    to: Addresses,
    text: Annotated[str, Field(description="Text above the forwarded message.", max_length=200_000)] = "",
    cc: Cc = [],  # noqa: B006 - never changed
    bcc: Bcc = [],  # noqa: B006
    attachments: Attachments = [],  # noqa: B006
) -> sending.Sent:
    """Forward a message with its text and attachments."""
    written = sending.Written(to, "", text, "", cc, bcc, attachments)
    return sending.forward_message(current_world(), message_id, written)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def save_draft(
    to: Addresses,
    subject: Subject,
    text: Text,
    html: Html = "",
    cc: Cc = [],  # noqa: B006 - never changed
    bcc: Bcc = [],  # noqa: B006
    attachments: Attachments = [],  # noqa: B006
    replaces: Annotated[int | None, Field(description="Number of a draft to replace.", ge=1)] = None,
    answers: Annotated[int | None, Field(description="Number of the message it replies to.", ge=1)] = None,
) -> reading.MessageLine:
    """Save an email in Drafts without sending it."""
    written = sending.Written(to, subject, text, html, cc, bcc, attachments)
    return sending.save_draft(current_world(), written, replaces, answers)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def send_draft(message_id: MessageId) -> sending.Sent:
    """Send a draft unchanged and remove it from Drafts."""
    return sending.send_draft(current_world(), message_id)


@tool(mcp, bulk=True, writes=True)
def move_messages(message_ids: MessageIds, mailbox: Folder) -> sending.Changed:
    """Move messages to another folder."""
    return sending.move_messages(current_world(), message_ids, mailbox)


@tool(mcp, bulk=True, writes=True)
def flag_messages(
    message_ids: MessageIds,
    mark: Annotated[sending.Mark, Field(description="Mark to set.")],
) -> sending.Changed:
    """Mark messages as read, unread, flagged or answered."""
    return sending.flag_messages(current_world(), message_ids, mark)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def delete_messages(
    message_ids: MessageIds,
    for_good: Annotated[bool, Field(description="Delete permanently instead of moving to Trash.")] = False,
) -> sending.Changed:
    """Move messages to Trash, or delete them permanently."""
    return sending.delete_messages(current_world(), message_ids, for_good=for_good)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_mail_folder(mailbox: Folder) -> sending.FolderChanged:
    """Create a mail folder; Projects/Alpha is created in Projects."""
    return sending.create_folder(current_world(), mailbox)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def delete_mail_folder(
    mailbox: Folder,
    with_messages: Annotated[bool, Field(description="Also delete the messages in it.")] = False,
) -> sending.FolderChanged:
    """Delete a mail folder."""
    return sending.delete_folder(current_world(), mailbox, with_messages=with_messages)


@tool(mcp, writes=True, destructive=True)
def save_attachment(
    message_id: MessageId,
    target: Annotated[OutFile, Field(description="File to create or replace, relative to the workspace.")],
    attachment: Annotated[int, Field(description="Number of the attachment, from read_message.", ge=1)] = 1,
) -> sending.AttachmentSaved:
    """Save an attachment of a message as a workspace file."""
    return sending.save_attachment(current_world(), message_id, attachment, target)
