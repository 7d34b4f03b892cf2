"""How many of our files a call enters, and how often it goes from one to another: what its reader has to follow.

Run as a program, it measures the calls of tests/test_short_paths.py in a process that has loaded nothing else.
"""

import itertools
import json
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import yardkit
from yardkit.apps.mail import INBOX, Arriving, Mailbox, read_accounts
from yardkit.sandbox.episodes.episode import Episode, open_episode
from yardkit.sandbox.episodes.grading import HandedIn, judge_submission
from yardkit.world import hashing

ROOT = str(Path(yardkit.__file__).parent)
TASK = "desk/invoice_dispute"


class Walk(NamedTuple):
    """What a call entered: distinct files, changes of file between one call of a function and the next, such calls."""

    files: int
    switches: int
    calls: int


def walk(work: Callable[[], Any]) -> Walk:
    """Do the work, in this process, and say what it entered."""
    entered: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ROOT) and not code.co_name.endswith(("comp>", "expr>")):
            entered.append(code.co_filename)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    switches = sum(before != after for before, after in itertools.pairwise(entered))
    return Walk(len(set(entered)), switches, len(entered))


def _send_mail(episode: Episode) -> None:
    reply = episode.call("send_message", to=["ada@elsewhere.example"], subject="Hello", text="How are you?")
    assert not reply.is_error, reply.text


def _write_cells(episode: Episode, path: str) -> None:
    reply = episode.call("write_cells", path=path, rows=[["a", 2, "=B1*2"], ["b", 3, "=B2*2"]])
    assert not reply.is_error, reply.text


def _fill_inbox(episode: Episode, count: int) -> None:
    mailbox = Mailbox(episode.world, read_accounts(episode.world).owner)
    mailbox.add_all(Arriving(INBOX, b"Subject: x\r\n\r\ny", episode.world.now) for _ in range(count))
    episode.look()


def main() -> None:
    hashing._RACY_NS = 0  # folders are at rest, as they are two seconds after a change
    with open_episode(TASK) as episode, tempfile.TemporaryDirectory() as scratch:
        episode.call("list_messages", limit=1)
        seeded = episode.seeded
        handed = HandedIn(
            *(episode.task.id, episode.world.root, "", seeded.initial, episode.ledger.join_parts(), seeded.facts),
            Path(scratch),
            episode.find_untouched(),
        )
        walks = {"grade": walk(lambda: judge_submission(handed))}
        _send_mail(episode)
        walks["send_message"] = walk(lambda: _send_mail(episode))
        _fill_inbox(episode, 300)
        _send_mail(episode)
        walks["send_message, 300 mails more"] = walk(lambda: _send_mail(episode))
        _write_cells(episode, "first.xlsx")
        walks["write_cells"] = walk(lambda: _write_cells(episode, "new.xlsx"))
    sys.stdout.write(json.dumps(walks))


if __name__ == "__main__":
    main()
