"""The seeded mailbox: threads that hold together, files that open, shares as they are wanted, bytes that stay."""

import csv
import io
import sys
import time
from collections import Counter
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from support.other_pythons import OTHER_PYTHONS, printed_by

from yardkit.apps.mail import Entry, Mailbox, read_accounts
from yardkit.state_init.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.mail import Filled, fill_mail
from yardkit.state_init.company.stories import Stories, make_stories
from yardkit.world import World

COUNT = 1_000
Box = tuple[Cast, Stories, Filled, list[tuple[Entry, EmailMessage]], float]


def parse_message(data: bytes) -> EmailMessage:
    message = message_from_bytes(data, policy=default)
    assert isinstance(message, EmailMessage)
    return message


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    world = World.create(tmp_path_factory.mktemp("mail") / "world", task="desk/x", seed=0)
    cast = cast_of(world)
    stories = make_stories(cast, get_stream(world, "stories"), world.now)
    begun = time.process_time()
    filled = fill_mail(world, cast, get_stream(world, "mail"), count=COUNT, stories=stories)
    took = time.process_time() - begun
    entries = Mailbox(world, read_accounts(world).owner).list_entries()
    return cast, stories, filled, [(entry, parse_message(entry.path.read_bytes())) for entry in entries], took


def test_a_thousand_mails_with_150_files_take_less_than_three_seconds(box: Box) -> None:
    _, _, _, mails, took = box
    assert len(mails) == COUNT
    assert 140 <= sum(any(message.iter_attachments()) for _, message in mails) <= 180
    assert took < 3


def test_most_is_noise_and_the_letters_of_the_stories_are_there(box: Box) -> None:
    _, stories, filled, _, _ = box
    near = sum(key.startswith("near/") for key in filled.numbers)
    assert near == COUNT / 5
    assert COUNT - near - len(stories.letters) > 0.6 * COUNT
    assert all(letter.key in filled.numbers for letter in stories.letters)


def test_messages_are_as_programs_write_them(box: Box) -> None:
    cast, _, filled, mails, _ = box
    for entry, message in mails:
        assert message.defects == []
        people = [str(address.addr_spec) for name in ("From", "To", "Cc") for address in _list_addresses(message, name)]
        assert cast.owner.email in people, entry
        assert len(people) == len({*people})
        assert int(message["Date"].datetime.timestamp()) == entry.arrived
        assert message.get_body(("plain",)) is not None
    ids = [message["Message-ID"] for _, message in mails]
    assert {*ids} == {*filled.message_ids.values()}
    assert len({*ids}) == COUNT


def _list_addresses(message: EmailMessage, name: str) -> tuple[Any, ...]:
    return message[name].addresses if message[name] else ()


def test_threads_hold_together(box: Box) -> None:
    mails = box[3]
    by_id = {message["Message-ID"]: message for _, message in mails}
    lengths = Counter[str]()
    for _, message in mails:
        chain = str(message["References"] or "").split()
        assert [*chain[-1:]] == [*filter(None, [message["In-Reply-To"]])]
        assert all(by_id[message_id]["Date"].datetime < message["Date"].datetime for message_id in chain)
        if chain:
            assert message["Subject"].removeprefix("Re: ") == by_id[chain[0]]["Subject"]
        lengths[chain[0] if chain else message["Message-ID"]] += 1
    assert {*lengths.values()} >= {1, 2, 3, 4, 5}
    assert max(lengths.values()) <= 9


def test_files_open_in_the_programs_for_them(box: Box) -> None:
    import openpyxl
    import pypdfium2
    from PIL import Image

    kinds = Counter[str]()
    for _, message in box[3]:
        for part in message.iter_attachments():
            data, suffix = part.get_payload(decode=True), Path(str(part.get_filename())).suffix
            assert isinstance(data, bytes)
            kinds[suffix] += 1
            if suffix == ".csv":
                assert len(list(csv.reader(io.StringIO(data.decode())))) > 2
            elif suffix == ".png":
                assert Image.open(io.BytesIO(data)).size[1] == 140
            elif suffix == ".pdf" and kinds[suffix] < 20:
                assert len(pypdfium2.PdfDocument(data)) == 1
            elif suffix == ".xlsx" and kinds[suffix] < 9:
                assert openpyxl.load_workbook(io.BytesIO(data)).worksheets[0].max_row > 1
    assert {*kinds} == {".csv", ".png", ".pdf", ".xlsx"}
    assert min(kinds.values()) >= 3


def test_old_mail_was_read_and_filed_and_what_was_answered_is_marked_so(box: Box) -> None:
    cast, _, _, mails, _ = box
    folders = Counter(entry.folder for entry, _ in mails)
    assert {*folders} >= {"INBOX", "Sent", "Drafts", "Archive", "Junk", "Newsletters", "Customers", "Suppliers"}
    assert any(name.startswith("Projects/") for name in folders)
    newest = mails[-40:]
    assert sum(not entry.has("seen") for entry, _ in newest if entry.folder == "INBOX") > 5
    answers = {message["In-Reply-To"] for entry, message in mails if entry.folder == "Sent"} - {None}
    marked = {message["Message-ID"] for entry, message in mails if entry.has("answered")}
    assert answers == marked
    assert {message["From"].addresses[0].addr_spec for entry, message in mails if entry.folder == "Sent"} == {
        cast.owner.email
    }


SCRIPT = """
import hashlib, tempfile
from pathlib import Path
for name in ("PIL", "PIL.Image", "PIL.ImageDraw", "PIL.ImageFont"):
    sys.modules[name] = types.ModuleType(name)  # compiled; pictures in mails are drawn without it
sys.modules["PIL"].Image = sys.modules["PIL.Image"]
sys.modules["PIL.Image"].Image = object
from yardkit.state_init.cast import cast_of, get_stream
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.stories import make_stories
from yardkit.world import World
with tempfile.TemporaryDirectory() as folder:
    world = World.create(Path(folder) / "world", task="desk/x", seed=0)
    cast = cast_of(world)
    stories = make_stories(cast, get_stream(world, "stories"), world.now)
    fill_mail(world, cast, get_stream(world, "mail"), count=300, stories=stories)
    root = world.root / "apps"
    for path in sorted(root.rglob("*")):
        if path.is_file():
            print(path.relative_to(root), hashlib.sha256(path.read_bytes()).hexdigest())
"""


@pytest.mark.drill
@pytest.mark.parametrize("python", OTHER_PYTHONS, ids=lambda path: path.parts[-3])
def test_another_python_writes_the_same_bytes(python: Path) -> None:
    import reportlab

    packages = Path(reportlab.__file__).parents[1]
    assert printed_by(python, SCRIPT, packages) == printed_by(sys.executable, SCRIPT, packages)
