"""Evaluators see mails: what was sent to whom, filed where; mutants change one thing; hostile messages are survived."""

import random
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from yardkit.apps.mail import Mailbox, read_accounts
from yardkit.evaluators import leaves, misses
from yardkit.evaluators.checkpoints import Checkpoint, InsufficientEvidence, InvalidArtifact
from yardkit.evaluators.mutations import Mutant, matches_target, record_mutants
from yardkit.evaluators.proof import Solved
from yardkit.evaluators.readers.mails import Mail, read_mails, read_new
from yardkit.evaluators.side_effects.apps import app_differences, check_unchanged_apps
from yardkit.evaluators.submission import Submission
from yardkit.sandbox.proofs.hostile import name_of, plant_hostile, plant_hostile_formats
from yardkit.servers.calendar.engine.places import WorldPlace
from yardkit.servers.calendar.engine.updates import EventWishes, create_event
from yardkit.servers.mail.engine import sending
from yardkit.servers.mail.engine.sending import Written
from yardkit.state_init.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.mail import Filled, fill_mail
from yardkit.state_init.company.stories import make_stories
from yardkit.world import World
from yardkit.world.tree import file_digest


@dataclass
class Case:
    """A mailbox before and after somebody worked on it, and the truth."""

    before: World
    after: World
    cast: Cast
    filled: Filled
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def submission(self) -> Submission:
        return Submission(self.after.root, before=lambda: self.before.root)


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Cast, Filled]:
    world = World.create(tmp_path_factory.mktemp("seeded") / "w", task="desk/x", seed=1)
    cast = cast_of(world)
    stories = make_stories(cast, get_stream(world, "stories"), world.now, sales=4, purchases=1, hirings=0, trainings=0)
    return world, cast, fill_mail(world, cast, get_stream(world, "mail"), count=60, stories=stories)


@pytest.fixture
def case(seeded: tuple[World, Cast, Filled], tmp_path: Path) -> Case:
    """Answered with a file, told two people and one outside, two filed, one flagged, one thrown away for good."""
    before, cast, filled = seeded
    after = before.detach(tmp_path / "after")
    note = after.files / "credit_note.csv"
    note.write_bytes(b"note,amount\nCN-1,1200.50\n")
    stories = make_stories(
        cast, get_stream(before, "stories"), before.now, sales=4, purchases=1, hirings=0, trainings=0
    )
    sale = stories.sales[1]
    complaint = f"order-{sale.order}/complaint"
    number = filled.numbers[complaint]
    sending.reply_message(
        after, number, Written([], "", "We credit EUR 1,200.50 for 7 pieces.", paths=[note]), to_all=False, quoted=True
    )
    recipients = [cast.colleagues[3].email, cast.colleagues[4].email, "auditor@elsewhere.example"]
    sending.send_message(
        after, Written(recipients[:2], "Order 10405 is settled", "It cost 1200.5 euros.", cc=recipients[2:])
    )
    marked = {entry.number for entry in Mailbox(before, cast.owner.email).list_entries() if entry.has("flagged")}
    bulk = (key for key in filled.numbers if key.startswith(("news/", "notice/", "alarm/")))
    ours = [key for key in bulk if filled.numbers[key] not in marked][:4]
    sending.create_folder(after, "Bills/2026")
    sending.move_messages(after, [filled.numbers[key] for key in ours[:2]], "Bills/2026")
    sending.flag_messages(after, [filled.numbers[ours[2]]], "flagged")
    sending.delete_messages(after, [filled.numbers[ours[3]]], for_good=True)
    ids = filled.message_ids
    marked |= {filled.numbers[ours[2]]}
    facts = {
        "mails": [
            {
                "to": [sale.contact.email.upper()],
                "says": ["we credit", 1200.5, 7],
                "never": ["label of the parcel"],
                "files": ["credit_note.csv"],
                "answers": ids[complaint],
            },
            {"to": recipients, "says": ["order 10405", 1200.5], "files": []},
        ],
        "filed": {ids[ours[0]]: "Bills/2026", ids[ours[1]]: "Bills/2026", ids[ours[3]]: ""},
        "flagged": [ids[key] for key, place in filled.numbers.items() if place in marked],
    }
    return Case(before, after, cast, filled, facts)


MAILS = leaves.Mails(lambda facts: facts["mails"])
LEAVES = (
    MAILS.check_sent("sent", ""),
    MAILS.says("said", ""),
    MAILS.check_files("carried", ""),
    MAILS.check_threads("answered", ""),
    leaves.check_filed("filed", "", lambda facts: facts["filed"]),
    leaves.check_marked("marked", "", "flagged", lambda facts: facts["flagged"]),
    leaves.check_unchanged_records("mail:sent", also=lambda facts: tuple(_list_allowed(facts))),
)


def _list_allowed(facts: Mapping[str, Any]) -> list[str]:
    return [f"mail:*#{key}{rest}" for key in (*facts["filed"], *facts["flagged"]) for rest in ("", ".*")]


def list_failing_leaves(
    submission: Submission, facts: Mapping[str, Any], which: tuple[Checkpoint, ...] = LEAVES
) -> dict[str, str]:
    findings = {checkpoint.id: checkpoint.check(submission, facts) for checkpoint in which if checkpoint.check}
    return {
        key: f"{leaf_finding.outcome}: {leaf_finding.evidence}"
        for key, leaf_finding in findings.items()
        if leaf_finding.outcome != "pass"
    }


def test_what_was_done_as_it_was_asked_for_passes_and_nothing_passes_before(case: Case) -> None:
    assert list_failing_leaves(case.submission, case.facts) == {}
    shutil.copyfile(case.after.files / "credit_note.csv", case.before.files / "credit_note.csv")
    untouched = Submission(case.before.root, before=lambda: case.before.root)
    assert {*list_failing_leaves(untouched, case.facts)} == {leaf.id for leaf in LEAVES} - {"records"}
    (case.before.files / "credit_note.csv").unlink()


def test_mails_are_read_without_the_server(case: Case) -> None:
    new = read_new(case.submission)
    assert [(mail.folder, len(mail.people)) for mail in new if mail.folder == "Sent"] == [("Sent", 1), ("Sent", 3)]
    assert sorted(mail.address for mail in new if mail.folder == "INBOX") == sorted(
        [
            "@outside",
            *(address for address in (case.facts["mails"][0]["to"][0].lower(), *case.facts["mails"][1]["to"][:2])),
        ]
    )
    answer = next(mail for mail in new if mail.files)
    assert answer.files[0].digest == file_digest(case.after.files / "credit_note.csv")
    assert "label of the parcel" in answer.text
    assert answer.own_text.split() == ["We", "credit", "EUR", "1,200.50", "for", "7", "pieces."]
    entries = Mailbox(case.after, read_accounts(case.after).owner).list_entries()
    mails = read_mails(case.submission)
    assert [(mail.number, mail.folder) for mail in mails] == sorted(
        (mail_entry.number, mail_entry.folder) for mail_entry in entries
    )
    assert {mail.folder for mail in read_mails(case.submission, folder="Bills/2026")} == {"Bills/2026"}


def test_differences_are_told_by_message(case: Case) -> None:
    names = {str(difference).split("#")[-1] for difference in app_differences(case.submission)}
    moved, also_moved, removed = case.facts["filed"]
    assert {f"{moved}.folder changed", f"{also_moved}.folder changed", f"{removed} removed"} <= names
    assert sum("added" in name for name in names) == 2
    assert sum(".flagged" in name for name in names) == 1
    assert len(names) == 6
    assert check_unchanged_apps(case.submission, "mail").outcome == "pass"
    assert "also changed" in check_unchanged_apps(case.submission, "mail:sent").evidence


def test_reading_and_answering_leave_no_difference(seeded: tuple[World, Cast, Filled], tmp_path: Path) -> None:
    before, _, filled = seeded
    after = before.detach(tmp_path / "after")
    sending.flag_messages(after, [*filled.numbers.values()], "unread")
    sending.flag_messages(after, [*filled.numbers.values()], "answered")
    assert app_differences(Submission(after.root, before=lambda: before.root)) == []


def apply_mutant(case: Case, mutant: Mutant, folder: Path) -> Submission:
    shutil.copytree(case.after.root, folder)
    assert mutant.apply(folder / "files", "answer") == "answer"
    return Submission(folder, before=lambda: case.before.root)


def test_each_mutant_is_killed_by_the_leaf_that_names_what_was_changed(case: Case, tmp_path: Path) -> None:
    available_mutants = list(record_mutants(case.submission, random.Random(1)))
    for number, mutant in enumerate(available_mutants):
        named = {leaf.id for leaf in LEAVES if any(matches_target(pattern, mutant.target) for pattern in leaf.covers)}
        killers = {*list_failing_leaves(apply_mutant(case, mutant, tmp_path / str(number)), case.facts)}
        assert named & killers, (mutant, named, killers)
        if mutant.target != "mail:Sent#people":
            assert killers <= named | {"records"}, (mutant, named, killers)
    assert {mutant.operator for mutant in available_mutants} == {
        "swap_recipient", "drop_recipient", "send_twice", "change_number", "swap_attachment", "cut_thread",
        "wrong_folder", "wrong_mark", "delete_bystander",
    }  # fmt: skip
    again = [
        (mutant.operator, mutant.target, mutant.says) for mutant in record_mutants(case.submission, random.Random(1))
    ]
    assert again == [(mutant.operator, mutant.target, mutant.says) for mutant in available_mutants]


def _to_three(mail: Mail, _facts: Mapping[str, Any]) -> bool:
    return mail.folder == "Sent" and mail.subject == "Order 10405 is settled"


def _is_delivered(mail: Mail, facts: Mapping[str, Any]) -> bool:
    return mail.address == facts["mails"][1]["to"][1] and mail.folder == "INBOX"


def _is_filed(mail: Mail, facts: Mapping[str, Any]) -> bool:
    return mail.message_id == next(iter(facts["filed"]))


def _add_other_order(message: EmailMessage, _facts: Mapping[str, Any]) -> None:
    body = message.get_body(("plain",))
    assert isinstance(body, EmailMessage)
    body.set_content("We credit EUR 1,200.50 for 7 pieces, see the label of the parcel.")


def _mention_only_date(message: EmailMessage, _facts: Mapping[str, Any]) -> None:
    body = message.get_body(("plain",))
    assert isinstance(body, EmailMessage)
    body.set_content("We credit EUR 1,200.50 until 2026-07-30.")


def _is_answered(mail: Mail, _facts: Mapping[str, Any]) -> bool:
    return any(file.name == "credit_note.csv" for file in mail.files)


@pytest.mark.parametrize(
    ("miss", "fails"),
    [
        (misses.mail_removed(_to_three, "sent"), {"sent", "said", "carried", "answered", "records"}),
        (misses.mail_removed(_is_delivered, "sent"), {"sent"}),
        (misses.mail_moved(_is_filed, ".Archive", "filed"), {"filed"}),
        (misses.mail_moved(_is_filed, ".Bills.2025", "filed"), {"filed"}),
        (misses.mail_removed(_is_filed, "filed"), {"filed"}),
        (misses.mail_edited(_is_answered, _add_other_order, "said"), {"said"}),
        (misses.mail_edited(_is_answered, _mention_only_date, "said"), {"said"}),
    ],
)
def test_near_misses_are_noticed_by_whom_they_concern(case: Case, miss: Any, fails: set[str]) -> None:
    miss(Solved(case.after.files, "", case.facts))
    assert {*list_failing_leaves(case.submission, case.facts)} == fails
    assert {*miss.caught_by_leaf} <= fails


def test_drafts_are_wanted_mails_that_nobody_got(seeded: tuple[World, Cast, Filled], tmp_path: Path) -> None:
    before, cast, _ = seeded
    after = before.detach(tmp_path / "after")
    to = cast.colleagues[3].email
    sending.save_draft(after, Written([to], "Plan", "It begins on 4 May."))
    drafts = leaves.Mails(lambda _: [{"to": [to], "says": ["4 May"]}], "Drafts")
    which = (drafts.check_sent("sent", ""), drafts.says("said", ""), leaves.check_unchanged_records("mail:drafts"))
    submission = Submission(after.root, before=lambda: before.root)
    assert list_failing_leaves(submission, {}, which) == {}
    targets = {mutant.target for mutant in record_mutants(submission, random.Random(1))}
    assert {"mail:Drafts#people", "mail:Drafts#times", "mail:Drafts#text"} <= targets
    sending.send_message(after, Written([to], "Plan", "It begins on 4 May."))
    assert {*list_failing_leaves(submission, {}, which)} == {"records"}


@pytest.mark.parametrize("plant", [*plant_hostile(), *plant_hostile_formats("a.yardkit:2,S")], ids=name_of)
def test_hostile_files_in_the_place_of_mails_are_failures_of_the_agent(
    case: Case, plant: Callable[[Path, str], None]
) -> None:
    sent = next(mail for mail in read_new(case.submission) if mail.folder == "Sent")
    plant(case.after.root / "apps", sent.path)
    for checkpoint in LEAVES:
        with suppress(InvalidArtifact, InsufficientEvidence):
            assert checkpoint.check
            assert checkpoint.check(case.submission, case.facts).outcome in ("pass", "fail")
    assert failing_safely(case)


def failing_safely(case: Case) -> bool:
    try:
        return bool(list_failing_leaves(case.submission, case.facts))
    except (InvalidArtifact, InsufficientEvidence):
        return True


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe\x00" * 300,
        b"Subject: =?utf-8?b?////?=\r\nTo: <<<@\r\nDate: never\r\n\r\nx",
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=none\r\n\r\n\xff",
        b"Content-Type: multipart/mixed\r\n\r\nno boundary",
        b"Content-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\nFrom: x\r\n\r\ny",
        b"From: " + b"x, " * 60_000 + b"\r\n\r\n",
    ],
)
def test_damaged_messages_never_break_the_reader(case: Case, data: bytes) -> None:
    sent = next(mail for mail in read_new(case.submission) if mail.folder == "Sent")
    (case.after.root / "apps" / sent.path).write_bytes(data)
    assert failing_safely(case)


def test_what_a_calendar_sends_by_itself_is_no_mail_that_was_written(case: Case) -> None:
    calendar = WorldPlace(case.after)
    create_event(calendar, EventWishes("Talk", "2026-03-18T10:00", attendees=[case.cast.colleagues[5].email]))
    invitations = [mail for mail in read_new(case.submission) if mail.invites]
    assert {mail.folder for mail in invitations} == {"Sent", "INBOX"}
    assert list_failing_leaves(case.submission, case.facts, LEAVES[:4]) == {}
    mutants = record_mutants(case.submission, random.Random(0))
    assert not [mutant.says for mutant in mutants if "Invitation" in mutant.says]
