"""Mail programs of Debian read the mailbox as our server wrote it: Dovecot by IMAP, mutt from the folders."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from support.live_programs import needed_program
from support.mail_servers import PASSWORD, run_dovecot
from zoo.mails import MAILS

from yardkit.apps.mail import Accounts, Arriving, Flag, Mailbox, save_accounts
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
    box = box_of(worked)
    read = _read_with_mutt(box, box.list_entries(folder)[0].path.parents[1], tmp_path)
    subjects = [line.removeprefix("Subject: ") for line in re.findall(r"^Subject: .*$", read, re.MULTILINE)]
    lines = reading.find_messages(worked, reading.SearchCriteria(), folder, limit=200).messages
    assert sorted(subjects) == sorted(line.subject for line in lines)
    assert ("Größe passt." in read) == (folder == "Sent")


def _read_with_mutt(box: Mailbox, path: Path, folder: Path) -> str:
    """All messages of a folder as mutt shows them."""
    out, settings = folder / "out.txt", folder / "muttrc"
    settings.write_text(_MUTT.format(box=box.root), "utf-8")
    keys = f"<tag-pattern>~A<enter><pipe-message>cat >> {out}<enter><exit>"
    call = [needed_program("mutt"), "-n", "-F", str(settings), "-R", "-f", str(path), "-e", f'push "{keys}"']
    environment = {"TERM": "xterm", "LANG": "C.UTF-8", "HOME": str(folder), "PATH": "/usr/bin:/bin:/usr/local/bin"}
    subprocess.run(
        ["script", "-qec", shlex.join(call), "/dev/null"], env=environment, check=True, timeout=240, capture_output=True
    )
    return out.read_text("utf-8", "replace")


UNLIKE_MUTT = (
    *("chinese", "uuencoded"),  # mutt does not read GBK for GB 2312, nor the file in the text
    *("base64 with the footer of a list", "base64 in two pieces", "base64 that is none"),  # it loses the rest
    *("hidden preheader", "html as it is seen", "plain part that only refers to the html"),  # it reads no HTML
    *("attached mail with a file", "nothing but an attached mail", "saved mail as a file"),  # it marks them otherwise
    "japanese beyond the standard",  # it has no letters of Windows
)
"""Mails of the zoo whose text mutt shows in another way."""
UNLIKE_SUBJECTS = ("question mark in an encoded word",)
MUTT_ASKS = [name for name in MAILS if "smime" in name or "pgp" in name]
"""Mails for which mutt wants a passphrase."""


@pytest.fixture
def zoo(tmp_path: Path) -> World:
    """All mails of the zoo in one inbox."""
    world = World.create(tmp_path / "w", task="zoo/x", seed=0)
    save_accounts(world, Accounts("ada@berg.example", {"ada@berg.example": "Ada Berg"}, ["berg.example"]))
    box_of(world).add_all(Arriving("INBOX", case.raw, world.now) for case in MAILS.values())
    return world


def test_dovecot_serves_the_mails_of_other_programs_and_they_are_read_from_it(
    zoo: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = {
        line.id: line for line in reading.find_messages(zoo, reading.SearchCriteria(), "INBOX", limit=200).messages
    }
    with run_dovecot(box_of(zoo).root) as server:
        address = f"imap://127.0.0.1:{server.port}"
        for name, value in (("URL", address), ("USER", "ada@berg.example"), ("PASSWORD", PASSWORD)):
            monkeypatch.setenv(f"YARDKIT_MAIL_{name}", value)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        (tmp_path / "own").mkdir()
        elsewhere = World.open_user_folder(tmp_path / "own")
        served = reading.find_messages(elsewhere, reading.SearchCriteria(), "INBOX", limit=200).messages
        views = [reading.view_message(elsewhere, line.id) for line in served]
    own = [reading.view_message(zoo, number) for number in lines]
    assert sorted(map(_list_facts, views)) == sorted(map(_list_facts, own))


def _list_facts(view: reading.MessageView) -> tuple[str, ...]:
    files = [f"{entry.name} {entry.size_bytes}" for entry in view.attachments]
    return (view.sender, view.subject, view.text, *files)


def test_mutt_shows_the_same_subjects_and_words_in_the_mails_of_other_programs(zoo: World, tmp_path: Path) -> None:
    box = box_of(zoo)
    cases = {name: case for name, case in MAILS.items() if name not in MUTT_ASKS}
    for number, name in enumerate(MAILS, 1):
        if name in MUTT_ASKS:
            box.remove(box.get(number))
    mutt_texts = _read_with_mutt(box, box.root, tmp_path)
    subjects = re.findall(r"^Subject: .*$", mutt_texts, re.MULTILINE)
    unread = [name for name, case in cases.items() if f"Subject: {case.subject}" not in subjects]
    assert unread == [*UNLIKE_SUBJECTS]
    joined = " ".join(mutt_texts.split())
    unlike = [name for name, case in cases.items() if " ".join(case.text.split()) not in joined]
    assert unlike == [*UNLIKE_MUTT]
