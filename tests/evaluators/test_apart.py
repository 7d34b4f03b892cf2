"""Leaves that look apart: whatever a delivered file does to its reader, the other leaves look, and it is known."""

import os
from pathlib import Path

import pytest

from yardkit.evaluators.apart import Limits, look_apart
from yardkit.evaluators.checkpoints import Check, Checkpoint, Finding, finding, leaf
from yardkit.evaluators.readers.files import parse_file, read_text
from yardkit.evaluators.readers.pages.pdf import read_pdf
from yardkit.evaluators.submission import Submission
from yardkit.world.tree import file_digest

LIMITS = Limits(seconds=20.0, memory_bytes=1 << 30, reading_s=0.3)


def busy(_path: Path) -> None:
    while True:
        pass


def bloated(_path: Path) -> bytes:
    return bytes(3 << 30)


def crashing(_path: Path) -> None:
    os.abort()


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "bad.bin").write_bytes(b"bad")
    (tmp_path / "files" / "good.txt").write_text("good")
    return Submission(tmp_path)


def looked(submission: Submission, ours: tuple[str, ...] = (), **checks: Check) -> dict[str, Finding]:
    leaves: list[Checkpoint] = [leaf(name, name, check, observes=("answer",)) for name, check in checks.items()]
    return look_apart(leaves, lambda: submission, {}, LIMITS, ours)


def reads_good(submission: Submission, _facts: object) -> Finding:
    return finding(read_text(submission, "good.txt") == "good", "read")


def parses(read: object) -> Check:
    return lambda submission, _facts: finding(bool(parse_file(submission, "bad.bin", read, "file")), "")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("read", "words"), [(busy, "0.3 s of processor time"), (bloated, "memory"), (crashing, "SIGABRT")]
)
def test_a_file_that_hangs_bloats_or_kills_its_reader_is_an_invalid_artifact_to_all_and_others_are_read(
    submission: Submission, read: object, words: str
) -> None:
    found = looked(submission, first=reads_good, one=parses(read), other=parses(read), last=reads_good)
    assert [found[name].outcome for name in ("first", "one", "other", "last")] == [
        "pass",
        "invalid_artifact",
        "invalid_artifact",
        "pass",
    ]
    assert words in found["one"].evidence
    assert "bad.bin" in found["other"].evidence


def test_a_check_that_dies_by_itself_or_over_a_file_of_ours_crashes_alone(submission: Submission) -> None:
    own = file_digest(submission.files / "bad.bin")
    dies: Check = lambda _submission, _facts: os.abort()  # noqa: E731 - a leaf is a call
    found = looked(submission, (own,), one=dies, two=parses(crashing), three=reads_good)
    assert {name: one.outcome for name, one in found.items()} == {
        "one": "observer_invalid",
        "two": "observer_invalid",
        "three": "pass",
    }


def test_a_check_that_ends_the_process_in_peace_has_not_looked(submission: Submission) -> None:
    found = looked(submission, one=lambda _submission, _facts: os._exit(0), two=reads_good)
    assert (found["one"].outcome, found["two"].outcome) == ("observer_invalid", "pass")


def test_a_pdf_whose_forms_multiply_is_refused_before_anything_draws_them(submission: Submission) -> None:
    from yardkit.sandbox.proofs.hostile_formats import makers

    for name, words in (("form_bomb", "over 20,000 forms"), ("form_loop", "draws itself")):
        (submission.files / "bad.bin").write_bytes(makers(".pdf")[name](b""))
        with pytest.raises(Exception, match=words):
            read_pdf(submission, "bad.bin")
