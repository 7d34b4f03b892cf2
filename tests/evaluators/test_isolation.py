"""Leaves that look apart: whatever a delivered file does to its reader, the other leaves look, and it is known."""

import os
from pathlib import Path

import pytest

from yardkit.evaluators.checkpoints import Check, Checkpoint, Finding, make_checkpoint, make_finding
from yardkit.evaluators.isolation import Limits, look_in_fork
from yardkit.evaluators.readers.files import parse_file, read_text
from yardkit.evaluators.readers.pages.pdf import read_pdf
from yardkit.evaluators.submission import Submission
from yardkit.world.tree import file_digest

LIMITS = Limits(seconds=20.0, memory_bytes=1 << 30, reading_s=0.3)


def keep_busy(_path: Path) -> None:
    while True:
        pass


def allocate_bloat(_path: Path) -> bytes:
    return bytes(3 << 30)


def crash_process(_path: Path) -> None:
    os.abort()


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "bad.bin").write_bytes(b"bad")
    (tmp_path / "files" / "good.txt").write_text("good")
    return Submission(tmp_path)


def look_at_checks(submission: Submission, ours: tuple[str, ...] = (), **checks: Check) -> dict[str, Finding]:
    leaves: list[Checkpoint] = [
        make_checkpoint(name, name, check, covers=("answer",)) for name, check in checks.items()
    ]
    return look_in_fork(leaves, lambda: submission, {}, LIMITS, ours)


def reads_good(submission: Submission, _facts: object) -> Finding:
    return make_finding(read_text(submission, "good.txt") == "good", "read")


def make_parser_check(read: object) -> Check:
    return lambda submission, _facts: make_finding(bool(parse_file(submission, "bad.bin", read, "file")), "")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("read", "words"), [(keep_busy, "0.3 s of processor time"), (allocate_bloat, "memory"), (crash_process, "SIGABRT")]
)
def test_a_file_that_hangs_bloats_or_kills_its_reader_is_an_invalid_artifact_to_all_and_others_are_read(
    submission: Submission, read: object, words: str
) -> None:
    findings = look_at_checks(
        submission, first=reads_good, one=make_parser_check(read), other=make_parser_check(read), last=reads_good
    )
    assert [findings[name].outcome for name in ("first", "one", "other", "last")] == [
        "pass",
        "invalid_artifact",
        "invalid_artifact",
        "pass",
    ]
    assert words in findings["one"].evidence
    assert "bad.bin" in findings["other"].evidence


def test_a_check_that_dies_by_itself_or_over_a_file_of_ours_crashes_alone(submission: Submission) -> None:
    own = file_digest(submission.files / "bad.bin")
    dies: Check = lambda _submission, _facts: os.abort()  # noqa: E731 - a leaf is a call
    findings = look_at_checks(submission, (own,), one=dies, two=make_parser_check(crash_process), three=reads_good)
    assert {name: leaf_finding.outcome for name, leaf_finding in findings.items()} == {
        "one": "observer_invalid",
        "two": "observer_invalid",
        "three": "pass",
    }


def test_a_check_that_ends_the_process_in_peace_has_not_looked(submission: Submission) -> None:
    findings = look_at_checks(submission, one=lambda _submission, _facts: os._exit(0), two=reads_good)
    assert (findings["one"].outcome, findings["two"].outcome) == ("observer_invalid", "pass")


def test_a_pdf_whose_forms_multiply_is_refused_before_anything_draws_them(submission: Submission) -> None:
    from yardkit.sandbox.proofs.hostile_formats import list_makers

    for name, words in (("form_bomb", "over 20,000 forms"), ("form_loop", "draws itself")):
        (submission.files / "bad.bin").write_bytes(list_makers(".pdf")[name](b""))
        with pytest.raises(Exception, match=words):
            read_pdf(submission, "bad.bin")
