"""Mail programs of Debian read the mailbox as our server wrote it: Dovecot by IMAP, mutt from the folders."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from support.live_programs import needed_program
from support.mail_servers import run_dovecot

from yardkit.apps.mail import Flag, Mailbox
from yardkit.servers.mail.backends import owners_mailbox
from yardkit.servers.mail.engine import reading, sending
from yardkit.servers.mail.engine.sending import Written
from yardkit.state_init.cast import cast_of, get_stream
from yardkit.state_init.company.mail import fill_mail
from yardkit.world import World

pytestmark = [pytest.mark.drill, pytest.mark.live]
_MUTT = """
set wait_key=no pipe_split=yes pipe_decode=yes auto_tag=yes move=no
set folder={box} record={box}/.Sent postponed={box}/.Drafts
"""


@pytest.fixture
def worked(tmp_path: Path) -> World:
    """A seeded mailbox in which somebody sent, filed, flagged and removed messages."""
    world = World.create(tmp_path / "w", task="desk/x", seed=0)
    cast = cast_of(world)
    fill_mail(world, cast, get_stream(world, "mail"), count=80)
    inbox = reading.find_messages(world, reading.SearchCriteria(), "INBOX", "oldest").messages
    sending.create_folder(world, "Ablage/Rückfragen")
    sending.move_messages(world, [line.id for line in inbox[:3]], "Ablage/Rückfragen")
    sending.flag_messages(world, [inbox[4].id], "flagged")
    sending.delete_messages(world, [inbox[5].id], for_good=True)
    sending.reply_message(world, inbox[4].id, Written([], "", "Größe passt."), to_all=False, quoted=True)
    return world


def box_of(world: World) -> Mailbox:
    return owners_mailbox(world)


def test_dovecot_serves_what_our_server_wrote(worked: World) -> None:
    box = box_of(worked)
    with run_dovecot(box.root) as server:
        connection = server.login()
        for name in ("INBOX", "Sent", "Ablage/Rückfragen", "Archive"):
            remote = name.replace("ü", "&APw-")
            count = int(connection.select(f'"{remote}"', readonly=True)[1][0] or b"")
            entries = box.list_entries(name)
            assert count == len(entries), name
            flag: Flag
            for flag, word in (("flagged", "FLAGGED"), ("answered", "ANSWERED"), ("seen", "SEEN")):
                matching_ids = connection.uid("SEARCH", word)[1][0].split()
                assert len(matching_ids) == sum(entry.has(flag) for entry in entries), (name, flag)
        connection.select("Sent")
        _, ((_, data), *_rest) = connection.uid("FETCH", connection.uid("SEARCH", "ALL")[1][0].split()[-1], "(BODY[])")
        assert data.replace(b"\r\n", b"\n") == box.list_entries("Sent")[-1].path.read_bytes().replace(b"\r\n", b"\n")
        connection.logout()


@pytest.mark.parametrize("folder", ["INBOX", "Sent", "Ablage/Rückfragen"])
def test_mutt_reads_what_our_server_wrote(worked: World, tmp_path: Path, folder: str) -> None:
    box, out, settings = box_of(worked), tmp_path / "out.txt", tmp_path / "muttrc"
    path = box.list_entries(folder)[0].path.parents[1]
    settings.write_text(_MUTT.format(box=box.root), "utf-8")
    keys = f"<tag-pattern>~A<enter><pipe-message>cat >> {out}<enter><exit>"
    call = [needed_program("mutt"), "-n", "-F", str(settings), "-R", "-f", str(path), "-e", f'push "{keys}"']
    environment = {"TERM": "xterm", "LANG": "C.UTF-8", "HOME": str(tmp_path), "PATH": "/usr/bin:/bin:/usr/local/bin"}
    subprocess.run(
        ["script", "-qec", shlex.join(call), "/dev/null"], env=environment, check=True, timeout=240, capture_output=True
    )
    read = out.read_text("utf-8")
    subjects = [line.removeprefix("Subject: ") for line in re.findall(r"^Subject: .*$", read, re.MULTILINE)]
    lines = reading.find_messages(worked, reading.SearchCriteria(), folder, limit=200).messages
    assert sorted(subjects) == sorted(line.subject for line in lines)
    assert ("Größe passt." in read) == (folder == "Sent")
