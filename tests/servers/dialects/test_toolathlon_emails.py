"""The 25 tools of Toolathlon's emails server, with the texts of lockon-n/emails-mcp."""

import datetime
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.speaking import Agent

from yardkit.apps.mail import Accounts, Mailbox, save_accounts
from yardkit.sandbox.serving.registry import load_server
from yardkit.state_init.mails import build_mail
from yardkit.world import World, use_world

ADA, BEN = "Ada Berg <ada@berg.example>", "Ben Moser <ben@berg.example>"
DAY = datetime.datetime(2026, 3, 10, 9, 0, tzinfo=datetime.UTC)
LISTED = """Folder: INBOX
Page: 1/2
Total emails: 3

1. ID: 3
   Subject: Number 2
   From: Ben Moser <ben@berg.example>
   Date: Tue, 10 Mar 2026 11:00:00 +0000

2. ID: 2
   Subject: Number 1
   From: Ben Moser <ben@berg.example>
   Date: Tue, 10 Mar 2026 10:00:00 +0000
   Attachments: 1 files

"""
READ = """Email ID: 2
Subject: Number 1
From: Ben Moser <ben@berg.example>
To: Ada Berg <ada@berg.example>
Date: Tue, 10 Mar 2026 10:00:00 +0000
Message-ID: {id}

Text Content:
Text 1

Attachments:
1. a.csv (text/csv, 4 bytes)"""


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    world = World.create(tmp_path / "world", task="mail", seed=1)
    names = {"ada@berg.example": "Ada Berg", "ben@berg.example": "Ben Moser"}
    save_accounts(world, Accounts("ada@berg.example", names, ["berg.example"]))
    box = Mailbox(world, "ada@berg.example")
    for number in range(3):
        sent = DAY + datetime.timedelta(hours=number)
        files = {"a.csv": b"1,2\n"} if number == 1 else {}
        body = f"Text {number}"
        box.add(
            "INBOX",
            build_mail(sender=BEN, to=[ADA], subject=f"Number {number}", body=body, sent=sent, attachments=files),
            arrived=sent,
        )
    with use_world(world):
        yield Agent(load_server("mail", "toolathlon"), world.files)


async def test_emails_are_listed_read_and_searched(agent: Agent) -> None:
    assert await agent.says("get_emails", page_size=2) == LISTED
    assert await agent.says("get_emails", page=9) == "Folder 'INBOX' is empty or page 9 is out of range"
    read = await agent.says("read_email", email_id="2")
    assert read == READ.format(id=read.split("Message-ID: ")[1].split("\n")[0])
    search_text = await agent.says("search_emails", query="number 1")
    assert search_text.startswith("Search query: number 1\nFolder: INBOX\nPage: 1/1\nTotal results: 1\n\n1. ID: 2\n")
    assert await agent.says("search_emails", query="zebra") == "No emails found matching query: zebra"
    assert (await agent.says("get_email_headers", email_id="2")).startswith(
        f"Email Headers for ID: 2\n{'=' * 50}\nFrom: "
    )


async def test_emails_are_sent_answered_and_forwarded(agent: Agent) -> None:
    (agent.files / "f.txt").write_text("x")
    reply = await agent.says(
        "send_email", to="ben@berg.example, Ena <ena@x.example>", subject="s", body="b", attachments=["f.txt"]
    )
    assert reply == "Email sent successfully to ben@berg.example, Ena <ena@x.example> with 1 attachments"
    assert await agent.says("reply_email", email_id="1", body="ok") == "Reply sent successfully to sender"
    assert (
        await agent.says("reply_email", email_id="1", body="ok", reply_all=True)
        == "Reply sent successfully to all recipients"
    )
    reply = await agent.says("forward_email", email_id="2", to="ben@berg.example")
    assert reply == "Email forwarded successfully to ben@berg.example"
    assert "Total emails: 4" in await agent.says("get_emails", folder="Sent")
    assert "not a valid mail address" in await agent.call_for_error("send_email", to="ben", subject="s", body="b")


async def test_emails_move_are_marked_and_deleted_with_ids_that_stay(agent: Agent) -> None:
    assert await agent.says("create_folder", folder_name="Done") == "Folder 'Done' created successfully"
    reply = await agent.says("move_emails", email_ids=["1", "99"], target_folder="Done")
    assert reply == "Successfully moved 1/2 emails to Done (1 failed: 99)"
    assert await agent.says("move_email", email_id="1", target_folder="INBOX") == "Email 1 moved to INBOX successfully"
    assert (
        await agent.says("mark_emails", email_ids=["1", "2"], status="important")
        == "Successfully marked 2/2 emails as important"
    )
    assert await agent.says("delete_email", email_id="1") == "Email 1 deleted successfully"
    assert "Text 1" in await agent.says("read_email", email_id="2")
    assert await agent.says("delete_emails", email_ids=["3"]) == "Successfully deleted 1/1 emails"
    assert "no email with the IDs 77" in await agent.call_for_error("delete_emails", email_ids=["77"])
    assert await agent.says("delete_folder", folder_name="Done") == "Folder 'Done' deleted successfully"


async def test_folders_are_listed_and_counted(agent: Agent) -> None:
    folders = await agent.says("get_folders")
    assert folders.startswith("Available folders:\n1. INBOX (3 total, 3 unread)\n2. Sent (0 total, 0 unread)\n")
    assert "Overall Total: 3 messages, 3 unread" in await agent.says("get_mailbox_stats")
    inbox_stats = await agent.says("get_mailbox_stats", folder_name="INBOX")
    assert inbox_stats.startswith(
        "Folder Statistics for 'INBOX':\nTotal messages: 3\nUnread messages: 3\nTotal size: 0.00 MB"
    )
    assert await agent.says("get_unread_count") == "Total unread messages: 3"
    assert await agent.says("get_unread_count", folder_name="Sent") == "Unread messages in 'Sent': 0"
    assert (await agent.says("check_connection")).endswith("All connections are working properly")


async def test_drafts_are_saved_changed_and_deleted(agent: Agent) -> None:
    assert await agent.says("get_drafts") == "No drafts found"
    assert await agent.says("save_draft", subject="s", body="b") == "Draft saved successfully with ID: 4"
    changed = await agent.says("update_draft", draft_id="4", to="ben@berg.example")
    assert changed == "Draft 4 updated successfully (its ID is 5 now)"
    assert "1. ID: 5\n   Subject: s\n   To: ben@berg.example\n" in await agent.says("get_drafts")
    assert await agent.says("delete_draft", draft_id="5") == "Draft 5 deleted successfully"
    assert "is not a draft" in await agent.call_for_error("delete_draft", draft_id="1")


async def test_attachments_exports_and_imports_are_files_of_the_workspace(agent: Agent) -> None:
    reply = await agent.says("download_attachment", email_id="2", attachment_filename="a.csv")
    assert reply == "Attachment 'a.csv' saved to: emails_download/a.csv"
    assert (agent.files / "emails_download" / "a.csv").read_bytes() == b"1,2\n"
    assert "it has a.csv" in await agent.call_for_error(
        "download_attachment", email_id="2", attachment_filename="b.csv"
    )
    reply = await agent.says("export_emails", export_all_folders=True)
    assert reply.startswith("Successfully exported 3 emails to emails_export.json\nExport breakdown")
    exported = json.loads((agent.files / "emails_export.json").read_text())
    assert [email["email_id"] for email in exported["emails"]] == ["3", "2", "1"]
    reply = await agent.says(
        "import_emails",
        import_path="emails_export.json",
        target_folder="Archive",
        preserve_folders=False,
    )
    assert reply == "Successfully imported 3 emails\n  - Archive: 3 emails"
    assert "Attachments: 1 files" in await agent.says("get_emails", folder="Archive")
    (agent.files / "bad.json").write_text('{"emails": [1]}')
    assert "not a mail export" in await agent.call_for_error("import_emails", import_path="bad.json")
