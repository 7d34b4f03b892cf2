"""Leaves about mails that were sent, drafted, filed or marked."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.readers.answers import find_numbers, simplify_text
from yardkit.evaluators.readers.files import require_file
from yardkit.evaluators.readers.mails import OUTSIDE, Mail, folder_name, read_mails, read_new, read_owner
from yardkit.evaluators.readers.tables import is_near
from yardkit.evaluators.submission import Submission
from yardkit.world.tree import file_digest
from yardkit.world.wording import format_count

Want = Mapping[str, Any]
Pair = tuple[Want, Mail | None]
_FLAGS = {"flagged": "F", "answered": "R", "read": "S"}
_MOST_LISTED = 8
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b")


@dataclass(frozen=True)
class Mails:
    """Mails to be sent, or to be saved as drafts.

    Attributes:
        expected_mails: the mails from the facts, each with ``to`` (the addresses of all recipients, in any field) and
            any of ``says`` (texts and numbers in its subject or text), ``never`` (texts that it must not contain),
            ``files`` (the SHA-256 or the workspace path of each attachment; without it there must be none), ``answers``
            (the Message-ID that it answers; ``""`` if it begins a thread; without it that is free).
        folder: ``Sent``, or ``Drafts``.
        separate_mails: whether numbers and codes for one person, such as an order number, must not be in mails to
            others.
    """

    expected_mails: Callable[[Facts], Iterable[Want]]
    folder: str = "Sent"
    separate_mails: bool = False

    def read_written(self, submission: Submission) -> list[Mail]:
        """Read the mails that the owner wrote since the start, except invitations; raises as `read_new` does."""
        owner, new = folder_name(read_owner(submission)), read_new(submission)
        return [mail for mail in new if (mail.address, mail.folder) == (owner, self.folder) and not mail.invites]

    def pair_mails(self, submission: Submission, facts: Facts) -> tuple[list[Pair], list[Mail]]:
        """Pair each expected mail with the most similar one, and return the mails that remain."""
        wants, left = list(self.expected_mails(facts)), self.read_written(submission)
        pairs: dict[int, Mail] = {}
        while left and len(pairs) < len(wants):
            open_wants = [place for place in range(len(wants)) if place not in pairs]
            likeness = [
                (_measure_likeness(submission, wants[place], mail), -place, mail)
                for place in open_wants
                for mail in left
            ]
            best, place, mail = max(likeness, key=lambda pair: pair[:2])
            if not best:
                break
            pairs[-place] = mail
            left.remove(mail)
        return [(want, pairs.get(place)) for place, want in enumerate(wants)], left

    def check_sent(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """Each expected mail goes to exactly its recipients, once, and arrives; no other is sent or drafted."""

        def check(submission: Submission, facts: Facts) -> Finding:
            pairs, left = self.pair_mails(submission, facts)
            new = read_new(submission)
            problems = [_wrong_people(want, mail) for want, mail in pairs]
            problems += [f"{mail.subject!r} to {sorted(mail.people)} is not one of them" for mail in left]
            if self.folder == "Sent":
                problems += [text for want, mail in pairs if mail for text in _wrong_delivery(want, mail, new)]
            return _make_finding(problems, format_count(len(pairs), "mail"))

        return self._make_leaf(id, statement, check, ("people", "times"), weight)

    def says(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """Each mail contains its required texts and none of the forbidden ones."""

        def check(submission: Submission, facts: Facts) -> Finding:
            pairs, _ = self.pair_mails(submission, facts)
            problems = [
                f"{want['to']}: lacks {_list_missing(want, mail)}" for want, mail in pairs if _list_missing(want, mail)
            ]
            wants = [want for want, _ in pairs]
            never = [
                (want, text)
                for want, mail in pairs
                for text in (*want.get("never", ()), *(_of_others(want, wants) if self.separate_mails else ()))
                if mail and _has_text(text, mail)
            ]
            return _make_finding(
                [*problems, *(f"{want['to']}: says {text!r}" for want, text in never)], "everything is said"
            )

        return self._make_leaf(id, statement, check, ("text",), weight)

    def check_files(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """Each mail has exactly its attachments."""

        def check(submission: Submission, facts: Facts) -> Finding:
            pairs, _ = self.pair_mails(submission, facts)
            problems = [
                f"{want['to']}: holds {[file.name for file in mail.files] if mail else 'nothing'}"
                for want, mail in pairs
                if not mail or _list_digests(submission, want) != sorted(file.digest for file in mail.files)
            ]
            return _make_finding(problems, "all files are there")

        return self._make_leaf(id, statement, check, ("files",), weight)

    def check_threads(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """Each mail answers the right mail, in its thread."""

        def check(submission: Submission, facts: Facts) -> Finding:
            pairs, _ = self.pair_mails(submission, facts)
            problems = [
                f"{want['to']} is in no thread, or another" for want, mail in pairs if not _in_thread(want, mail)
            ]
            return _make_finding(problems, "all are in their threads")

        return self._make_leaf(id, statement, check, ("thread",), weight)

    def _make_leaf(
        self,
        id: str,
        statement: str,
        check: Callable[[Submission, Facts], Finding],
        parts: Sequence[str],
        weight: float,
    ) -> Checkpoint:
        covers = tuple(f"mail:{self.folder}#{part}" for part in parts)
        return make_checkpoint(id, statement, check, covers=covers, weight=weight)


def check_filed(
    id: str, statement: str, expected: Callable[[Facts], Mapping[str, str]], *, weight: float = 1.0
) -> Checkpoint:
    """Each of these messages of the owner, by Message-ID, is in its folder, once; ``""`` means deleted."""

    def check(submission: Submission, facts: Facts) -> Finding:
        places: dict[str, list[str]] = {}
        for mail in read_mails(submission):
            places.setdefault(mail.message_id, []).append(mail.folder)
        truth = {key: [folder] if folder else [] for key, folder in expected(facts).items()}
        problems = [
            f"{key} is in {places.get(key, [])}, not in {at}" for key, at in truth.items() if places.get(key, []) != at
        ]
        return _make_finding(problems, f"{format_count(len(truth), 'message')} in the right folders")

    return make_checkpoint(id, statement, check, covers=("mail:filed",), weight=weight)


def check_marked(
    id: str, statement: str, flag: str, expected: Callable[[Facts], Iterable[str]], *, weight: float = 1.0
) -> Checkpoint:
    """Exactly these messages of the owner, by Message-ID, are ``flagged`` (or ``answered``, ``read``)."""

    def check(submission: Submission, facts: Facts) -> Finding:
        marked_ids = {mail.message_id for mail in read_mails(submission) if _FLAGS[flag] in mail.flags}
        truth = set(expected(facts))
        problems = [f"{key} is not {flag}" for key in sorted(truth - marked_ids)]
        return _make_finding(
            [*problems, *(f"{key} is {flag}" for key in sorted(marked_ids - truth))], f"{len(truth)} are {flag}"
        )

    return make_checkpoint(id, statement, check, covers=("mail:marked",), weight=weight)


def _measure_likeness(submission: Submission, want: Want, mail: Mail) -> float:
    """Measure how well a mail matches the expected one; 0 for no match."""
    people, texts = {recipient.casefold() for recipient in want["to"]}, want.get("says", ())
    shared = len(people & mail.people) / max(1, len(people | mail.people))
    text_share = 1 - len(_list_missing(want, mail)) / len(texts) if texts else 0
    files = bool(want.get("files")) and _list_digests(submission, want) == sorted(file.digest for file in mail.files)
    return 3 * shared + text_share + files + (bool(want.get("answers")) and _in_thread(want, mail))


def _wrong_people(want: Want, mail: Mail | None) -> str:
    if mail is None:
        return f"nothing to {want['to']}"
    people = {address.casefold() for address in want["to"]}
    return "" if mail.people == people else f"{mail.subject!r} goes to {sorted(mail.people)}, not to {sorted(people)}"


def _wrong_delivery(want: Want, mail: Mail, new: Sequence[Mail]) -> Iterable[str]:
    copies = [
        copied_mail
        for copied_mail in new
        if copied_mail.message_id == mail.message_id and copied_mail.path != mail.path
    ]
    for person in {address.casefold() for address in want["to"]}:
        box = folder_name(person)
        got = [
            mail_copy
            for mail_copy in copies
            if mail_copy.address == box or (mail_copy.address == OUTSIDE and person in mail_copy.delivered_to)
        ]
        if len(got) != 1:
            yield f"{person} got {mail.subject!r} {format_count(len(got), 'time')}"


def _list_missing(want: Want, mail: Mail | None) -> list[str | float]:
    return [text for text in want.get("says", ()) if mail is None or not _has_text(text, mail)]


def _has_text(text: str | float, mail: Mail) -> bool:
    """Whether a mail contains a text as whole words, or a number with any thousands separator.

    The figures of a date do not count: 2026-06-30 does not contain 6.
    """
    mail_text = f"{mail.subject}\n{mail.own_text}"
    if not isinstance(text, str):
        return any(is_near(number, text) for number in find_numbers(_DATE.sub(" ", mail_text)))
    return re.search(rf"(?<!\w){re.escape(simplify_text(text))}(?!\w)", simplify_text(mail_text)) is not None


def _of_others(want: Want, wants: Iterable[Want]) -> Iterable[str | int]:
    """List the integers and texts with a figure that belong to others' mails and not to this one."""
    others = [other for other in wants if {*other["to"]} != {*want["to"]}]
    other_texts = (text for other in others for text in other.get("says", ()) if text not in want.get("says", ()))
    return [text for text in other_texts if isinstance(text, int) or (isinstance(text, str) and re.search(r"\d", text))]


def _list_digests(submission: Submission, want: Want) -> list[str]:
    known = re.compile("[0-9a-f]{64}")
    return sorted(
        name if known.fullmatch(name) else file_digest(require_file(submission, name)) for name in want.get("files", ())
    )


def _in_thread(want: Want, mail: Mail | None) -> bool:
    if mail is None or "answers" not in want:
        return mail is not None
    return str(want["answers"]) == (mail.thread[-1] if mail.thread else "")


def _make_finding(problems: Iterable[str], otherwise: str) -> Finding:
    wrong = [text for text in problems if text]
    return make_finding(not wrong, "; ".join(wrong[:_MOST_LISTED]) or otherwise)
