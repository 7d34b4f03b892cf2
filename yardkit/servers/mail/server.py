"""The tools of the `mail` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.mail.confirming import AskBeforeSending
from yardkit.servers.mail.engine import reading, sending
from yardkit.world import InFile, OutFile, current_world

mcp = make_server(
    "mail",
    "The mailbox of the workspace's owner. Messages have numbers, which stay when they are moved. What is sent goes "
    "out at once and cannot be taken back; list_messages shows what came in answer.",
)
mcp.add_middleware(AskBeforeSending())

MessageId = Annotated[int, Field(description="Number of the message, from list_messages.", ge=1)]
MessageIds = Annotated[list[MessageId], Field(description="Numbers of messages.", min_length=1, max_length=500)]
Address = Annotated[str, Field(max_length=1_000)]
Addresses = Annotated[
    list[Address], Field(description="Addresses, such as 'Ada Berg <ada.berg@example.com>'.", max_length=200)
]
Cc = Annotated[list[Address], Field(description="Addresses that get a copy.", max_length=200)]
Bcc = Annotated[
    list[Address], Field(description="Addresses that get a copy that the others do not see.", max_length=200)
]
Subject = Annotated[str, Field(description="Subject line.", max_length=1_000)]
Text = Annotated[str, Field(description="The mail as plain text.", max_length=200_000)]
Html = Annotated[str, Field(description="The same text as HTML, for readers that show it.", max_length=500_000)]
Attachments = Annotated[list[InFile], Field(description="Files to attach, 25 MB together.", max_length=50)]
Folder = Annotated[str, Field(description="Mail folder, such as INBOX, Sent or Projects/Alpha.", max_length=200)]
Offset = Annotated[int, Field(description="Messages to skip; take next_offset of the page before.", ge=0)]
Limit = Annotated[int, Field(description="Messages per page.", ge=1, le=200)]


@tool(mcp, bulk=True)
def list_mail_folders() -> reading.Folders:
    """List the folders of the mailbox with their numbers of messages and of unread ones."""
    return reading.list_folders(current_world())


@tool(mcp, bulk=True)
def list_messages(
    mailbox: Folder = "INBOX",
    unread_only: Annotated[bool, Field(description="Only messages that were not read.")] = False,
    newest_first: Annotated[bool, Field(description="Else the oldest come first.")] = True,
    offset: Offset = 0,
    limit: Limit = 50,
) -> reading.Messages:
    """List the messages of a folder: number, date, sender, recipients, subject, marks, and how the text begins."""
    wanted = reading.Wanted(unread=True if unread_only else None)
    return reading.find_messages(
        current_world(), wanted, mailbox, "newest" if newest_first else "oldest", offset, limit
    )


@tool(mcp, bulk=True)
def search_messages(
    query: Annotated[
        str,
        Field(
            description="Words that all stand in subject, addresses, text or names of attachments.", max_length=1_000
        ),
    ] = "",
    sender: Annotated[str, Field(description="Part of the sender's name or address.", max_length=200)] = "",
    recipient: Annotated[str, Field(description="Part of a recipient's name or address.", max_length=200)] = "",
    subject: Annotated[str, Field(description="Part of the subject.", max_length=200)] = "",
    since: Annotated[str, Field(description="Only from this date or time (ISO 8601) on.", max_length=40)] = "",
    until: Annotated[str, Field(description="Only to this date or time; the day itself counts.", max_length=40)] = "",
    mailbox: Annotated[str | None, Field(description="Only in this folder; by default in all.", max_length=200)] = None,
    attached: Annotated[bool | None, Field(description="Only with attachments, or only without.")] = None,
    flagged: Annotated[bool | None, Field(description="Only flagged ones, or only others.")] = None,
    offset: Offset = 0,
    limit: Limit = 50,
) -> reading.Messages:
    """Find messages in all folders, newest first, by words and by what else is given, all of it together."""
    wanted = reading.Wanted(query, sender, recipient, subject, since, until, None, flagged, attached)
    return reading.find_messages(current_world(), wanted, mailbox, "newest", offset, limit)


@tool(mcp, bulk=True)
def read_message(
    message_id: MessageId,
    offset: Annotated[int, Field(description="Characters of the text to skip.", ge=0)] = 0,
) -> reading.MessageView:
    """Read a message: addresses, text, attachments, the thread's other messages; flag_messages marks it as read."""
    return reading.view_message(current_world(), message_id, offset)


@tool(mcp, bulk=True)
def read_thread(message_id: MessageId, offset: Offset = 0) -> reading.Thread:
    """Read all messages that answer each other around one of them, from all folders, oldest first."""
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
    """Send a mail. A copy is kept in Sent; an address that nobody has comes back with a notice."""
    written = sending.Written(to, subject, text, html, cc, bcc, attachments)
    return sending.send_message(current_world(), written)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def reply_message(
    message_id: MessageId,
    text: Text,
    to_all: Annotated[
        bool, Field(description="Answer everybody whom the message was to, not its sender alone.")
    ] = False,
    quoted: Annotated[bool, Field(description="Put the message below the answer.")] = False,
    html: Html = "",
    cc: Cc = [],  # noqa: B006 - never changed
    bcc: Bcc = [],  # noqa: B006
    attachments: Attachments = [],  # noqa: B006
) -> sending.Sent:
    """Answer a message in its thread."""
    written = sending.Written([], "", text, html, cc, bcc, attachments)
    return sending.reply_message(current_world(), message_id, written, to_all=to_all, quoted=quoted)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def forward_message(
    message_id: MessageId,
    to: Addresses,
    text: Annotated[str, Field(description="What stands above the message.", max_length=200_000)] = "",
    cc: Cc = [],  # noqa: B006 - never changed
    bcc: Bcc = [],  # noqa: B006
    attachments: Attachments = [],  # noqa: B006
) -> sending.Sent:
    """Send a message on to others, with its text and its attachments."""
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
    replaces: Annotated[int | None, Field(description="Number of a draft whose place it takes.", ge=1)] = None,
    answers: Annotated[int | None, Field(description="Number of the message that it answers.", ge=1)] = None,
) -> reading.MessageLine:
    """Keep a mail in Drafts without sending it."""
    written = sending.Written(to, subject, text, html, cc, bcc, attachments)
    return sending.save_draft(current_world(), written, replaces, answers)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def send_draft(message_id: MessageId) -> sending.Sent:
    """Send a draft as it is; it leaves Drafts."""
    return sending.send_draft(current_world(), message_id)


@tool(mcp, bulk=True, writes=True)
def move_messages(message_ids: MessageIds, mailbox: Folder) -> sending.Changed:
    """Move messages into another folder."""
    return sending.move_messages(current_world(), message_ids, mailbox)


@tool(mcp, bulk=True, writes=True)
def flag_messages(
    message_ids: MessageIds,
    mark: Annotated[sending.Mark, Field(description="What they are marked as.")],
) -> sending.Changed:
    """Mark messages as read, unread, flagged, answered."""
    return sending.flag_messages(current_world(), message_ids, mark)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def delete_messages(
    message_ids: MessageIds,
    for_good: Annotated[bool, Field(description="Remove them for good instead of moving them to Trash.")] = False,
) -> sending.Changed:
    """Move messages to Trash, or remove them for good."""
    return sending.delete_messages(current_world(), message_ids, for_good=for_good)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_mail_folder(mailbox: Folder) -> sending.FolderChanged:
    """Make a mail folder; Projects/Alpha stands in Projects."""
    return sending.create_folder(current_world(), mailbox)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def delete_mail_folder(
    mailbox: Folder,
    with_messages: Annotated[bool, Field(description="Delete the messages in it, too.")] = False,
) -> sending.FolderChanged:
    """Delete a mail folder."""
    return sending.delete_folder(current_world(), mailbox, with_messages=with_messages)


@tool(mcp, writes=True, destructive=True)
def save_attachment(
    message_id: MessageId,
    target: Annotated[OutFile, Field(description="File to make or replace, relative to the workspace.")],
    attachment: Annotated[int, Field(description="Number of the attachment, from read_message.", ge=1)] = 1,
) -> sending.AttachmentSaved:
    """Save an attachment of a message as a file of the workspace."""
    return sending.save_attachment(current_world(), message_id, attachment, target)
