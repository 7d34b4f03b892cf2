"""Mutants of mails: of those that the solver sent, drafted or moved, and of one that it did not touch.

Targets are ``mail:Sent#people``, ``#times``, ``#text``, ``#files`` and ``#thread`` (``mail:Drafts#...`` for drafts),
``mail:filed#<Message-ID>``, and ``bystander:mail/INBOX#<Message-ID>`` for a message that must not be touched.
"""

import hashlib
import random
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formataddr, getaddresses
from pathlib import Path, PurePosixPath

from yardkit.evaluators.mutations.answers import changed_number
from yardkit.evaluators.mutations.mutant import Mutant, on_apps
from yardkit.evaluators.readers.mails import (
    Attached,
    Mail,
    folder_name,
    mail_paths,
    place_of,
    read_accounts,
    read_mail,
    read_mails,
    read_new,
)
from yardkit.evaluators.submission import Submission

MAX_MAILS = 4
"""Mails of one folder that are mutated in every way."""
MAX_NUMBERS = 4
"""Numbers of one text that are changed, one per mutant."""
Edit = Callable[[EmailMessage], object]
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?!\w)")


@dataclass(frozen=True)
class _Solved:
    """The mails of a solved world. owner: the folder of the owner's mailbox; names: all addresses."""

    owner: str
    names: tuple[str, ...]
    new: tuple[Mail, ...]
    before: dict[str, Mail]
    now: dict[str, Mail]

    def list_written(self, folder: str) -> list[Mail]:
        """List the mails that the solver wrote, without the calendar's invitations, which follow from the events."""
        written_mails = (mail for mail in self.new if (mail.address, mail.folder) == (self.owner, folder))
        return [mail for mail in written_mails if not mail.invites][:MAX_MAILS]

    def list_copies(self, mail: Mail) -> list[Mail]:
        """List a mail and all its delivered copies."""
        return [copy_mail for copy_mail in self.new if copy_mail.message_id == mail.message_id]


def mail_mutants(submission: Submission, rng: random.Random) -> Iterator[Mutant]:
    """Generate all mutants of a solved submission's mails, with its untouched world; none without mail."""
    if not (submission.apps / "mail/accounts.json").is_file():
        return
    facts = read_accounts(submission.apps)
    before, now = (
        {mail.message_id: mail for mail in read_mails(state)} for state in (submission.untouched, submission)
    )
    names = tuple(sorted(map(str.casefold, facts["names"])))
    solved = _Solved(folder_name(facts["owner"]), names, tuple(read_new(submission)), before, now)
    for folder in ("Sent", "Drafts"):
        for mail in solved.list_written(folder):
            yield from _of_written(submission.apps, solved, mail, rng)
    yield from _of_filed(submission, solved, rng)


def edit_message(path: Path, change: Edit) -> None:
    """Change a message of a mailbox."""
    message = message_from_bytes(path.read_bytes(), policy=SMTP)
    assert isinstance(message, EmailMessage)  # noqa: S101 - what this policy makes
    change(message)
    path.write_bytes(message.as_bytes())


def _of_written(apps: Path, solved: _Solved, mail: Mail, rng: random.Random) -> Iterator[Mutant]:
    person = min(mail.people, default="")
    other = _find_nearest(person, [name for name in solved.names if name not in mail.people])
    if person:
        description = f"goes to {other} instead of {person}"
        yield _make_mutant("swap_recipient", mail, "people", description, _swap_person(solved, mail, person, other))
    if len(mail.people) > 1:
        yield _make_mutant(
            "drop_recipient", mail, "people", f"goes to all but {person}", _swap_person(solved, mail, person, "")
        )
    yield _make_mutant("send_twice", mail, "times", "is there twice", _double_mail(solved, mail))
    numbers = list(_NUMBER.finditer(mail.own_text))
    for match in sorted(rng.sample(numbers, min(MAX_NUMBERS, len(numbers))), key=lambda match: match.start()):
        number = changed_number(match[0], rng)
        change = _edit_copies(solved, mail, _with_number(match[0], number))
        yield _make_mutant("change_number", mail, "text", f"says {number} instead of {match[0]}", change)
    for file in mail.files:
        older = _find_older(apps, solved, file)
        description = f"holds {'an older ' if older else 'an empty '}{file.name}"
        yield _make_mutant(
            "swap_attachment", mail, "files", description, _edit_copies(solved, mail, _with_file(file.name, older))
        )
    if mail.thread:
        yield _make_mutant("cut_thread", mail, "thread", "is in no thread", _edit_copies(solved, mail, _without_thread))


def _of_filed(submission: Submission, solved: _Solved, rng: random.Random) -> Iterator[Mutant]:
    """Generate mutants of earlier messages: moved, marked or removed ones, and one that was not touched."""
    moved, marked, unmoved = list[Mail](), list[Mail](), list[Mail]()
    for key, mail in solved.now.items():
        was = solved.before.get(key)
        if was:
            flags = ("F" in was.flags) != ("F" in mail.flags)
            (moved if was.folder != mail.folder else marked if flags else unmoved).append(mail)
    for mail in _sample_mails(moved, rng):
        was = solved.before[mail.message_id]
        description = f"{mail.subject!r} is in {was.folder} again"
        target = f"mail:filed#{mail.message_id}"
        path = f"{was.path.rpartition('/')[0]}/{mail.path.rpartition('/')[2]}"
        yield Mutant("wrong_folder", target, description, on_apps(_rename_file(mail.path, path)))
    for mail in _sample_mails([mail for key, mail in solved.before.items() if key not in solved.now], rng):
        source, target = submission.untouched.apps / mail.path, f"mail:filed#{mail.message_id}"
        yield Mutant("wrong_folder", target, f"{mail.subject!r} is there again", on_apps(_copy_file(source, mail.path)))
    for mail in _sample_mails(marked, rng):
        target, path = f"mail:marked#{mail.message_id}", _toggle_flag(mail.path)
        yield Mutant(
            "wrong_mark", target, f"{mail.subject!r} is marked as before", on_apps(_rename_file(mail.path, path))
        )
    for mail in _sample_mails(unmoved, rng)[:1]:
        target = f"bystander:mail/{mail.folder}#{mail.message_id}"
        yield Mutant("delete_bystander", target, f"{mail.subject!r} is gone", on_apps(_delete_file(mail.path)))


def _sample_mails(mails: list[Mail], rng: random.Random) -> list[Mail]:
    return sorted(rng.sample(mails, min(MAX_MAILS, len(mails))), key=lambda mail: mail.path)


def _find_nearest(address: str, others: Iterable[str]) -> str:
    """Find the most similar address; a made-up one if there is no other."""
    likeness = {other: SequenceMatcher(None, address, other, autojunk=False).ratio() for other in others}
    return max(likeness, key=lambda other: likeness[other]) if likeness else f"x{address}"


def _swap_person(solved: _Solved, mail: Mail, person: str, other: str) -> Callable[[Path], None]:
    """Replace a recipient by another person, or remove one; the delivered copy moves, too."""
    copies = solved.list_copies(mail)

    def change(apps: Path) -> None:
        for copy in copies:
            edit_message(apps / copy.path, lambda message: _readdress_message(message, person, other))
            delivered = copy.path != mail.path
            if delivered and (copy.address == folder_name(person) or person in copy.delivered_to):
                _redeliver_copy(apps, copy, other)

    return change


def _readdress_message(message: EmailMessage, person: str, other: str) -> None:
    for name in ("To", "Cc", "Bcc", "Delivered-To"):
        pairs = getaddresses([str(message[name] or "")])
        address_pairs = [
            (person_name, other if person_address.casefold() == person else person_address)
            for person_name, person_address in pairs
        ]
        if address_pairs != pairs:
            del message[name]
            listed = ", ".join(formataddr(pair) for pair in address_pairs if pair[1])
            if listed:
                message[name] = listed


def _redeliver_copy(apps: Path, copy: Mail, other: str) -> None:
    """Move a copy from a mailbox into that of another person, if there is one."""
    if other:
        box = folder_name(other)
        target = apps / "mail" / box / "cur" / _number_path(apps, box, copy.path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(apps / copy.path, target)
    (apps / copy.path).unlink()


def _double_mail(solved: _Solved, mail: Mail) -> Callable[[Path], None]:
    copies = solved.list_copies(mail)

    def renamed(message: EmailMessage) -> None:
        message.replace_header("Message-ID", mail.message_id.replace("<", "<again."))

    def change(apps: Path) -> None:
        for copy in copies:
            target = (apps / copy.path).with_name(_number_path(apps, copy.address, copy.path))
            shutil.copyfile(apps / copy.path, target)
            edit_message(target, renamed)

    return change


def _number_path(apps: Path, address: str, path: str) -> str:
    """Make the name of a message's file with the next number of a mailbox."""
    numbers = [read_mail(apps, mail_path).number for mail_path in mail_paths(apps) if place_of(mail_path)[0] == address]
    return re.sub(r"\.M\d+\.", f".M{max(numbers, default=0) + 1}.", PurePosixPath(path).name)


def _edit_copies(solved: _Solved, mail: Mail, how: Edit) -> Callable[[Path], None]:
    paths = [copy.path for copy in solved.list_copies(mail)]

    def change(apps: Path) -> None:
        for path in paths:
            edit_message(apps / path, how)

    return change


def _with_number(old: str, new: str) -> Edit:
    pattern = re.compile(rf"(?<![\w.,]){re.escape(old)}(?!\w|[.,]\d)")

    def change(message: EmailMessage) -> None:
        for part in (message.get_body(("plain",)), message.get_body(("html",))):
            if isinstance(part, EmailMessage):
                text = pattern.sub(new, part.get_content())
                part.set_content(text, subtype=part.get_content_subtype(), cte="quoted-printable")

    return change


def _without_thread(message: EmailMessage) -> None:
    del message["In-Reply-To"]
    del message["References"]


def _find_older(apps: Path, solved: _Solved, file: Attached) -> bytes:
    """Find the content of an earlier attachment with a similar name and the same type; nothing if there is none."""
    suffix = PurePosixPath(file.name).suffix
    others = [(other, mail.path) for mail in solved.before.values() for other in mail.files]
    near = {
        (other.digest, path): SequenceMatcher(None, file.name, other.name, autojunk=False).ratio()
        for other, path in others
        if other.name.endswith(suffix) and other.digest != file.digest
    }
    if not near:
        return b""
    digest, path = max(near, key=lambda file_name: near[file_name])
    message = message_from_bytes((apps / path).read_bytes(), policy=SMTP)
    payloads = (part.get_payload(decode=True) for part in message.walk() if not part.is_multipart())
    return next(
        (data for data in payloads if isinstance(data, bytes) and hashlib.sha256(data).hexdigest() == digest), b""
    )


def _with_file(name: str, data: bytes) -> Edit:
    def change(message: EmailMessage) -> None:
        for part in message.iter_attachments():
            if part.get_filename() == name:
                kind, _, subtype = part.get_content_type().partition("/")
                part.set_content(data, maintype=kind, subtype=subtype, filename=name)

    return change


def _rename_file(path: str, target: str) -> Callable[[Path], None]:
    def change(apps: Path) -> None:
        (apps / target).parent.mkdir(parents=True, exist_ok=True)
        (apps / path).rename(apps / target)

    return change


def _copy_file(source: Path, path: str) -> Callable[[Path], None]:
    def change(apps: Path) -> None:
        shutil.copyfile(source, apps / path)

    return change


def _delete_file(path: str) -> Callable[[Path], None]:
    return lambda apps: (apps / path).unlink()


def _toggle_flag(path: str) -> str:
    """Toggle the flag in the path of a message."""
    head, _, flags = path.rpartition(",")
    return f"{head},{''.join(sorted({*flags} ^ {'F'}))}"


def _make_mutant(operator: str, mail: Mail, part: str, description: str, change: Callable[[Path], None]) -> Mutant:
    return Mutant(
        operator, f"mail:{mail.folder}#{part}", f"{mail.subject!r} in {mail.folder} {description}", on_apps(change)
    )
