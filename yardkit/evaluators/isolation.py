"""Looking apart: leaves look in a fork that is watched, so that no delivered file ends a grader.

What hangs, bloats or kills the fork is known, for the fork tells what it looks at and what it reads. A file that did
it is an `InvalidArtifact` to all that read it from then on; where no file was read, the leaf alone has crashed.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding
from yardkit.evaluators.readers.engines.time_limits import get_time_limit, reset_time_limits, shorten_time_limits
from yardkit.evaluators.scoring import look_at_leaf
from yardkit.evaluators.submission import Submission
from yardkit.evaluators.watching import Reading, Watch, be_watched
from yardkit.programs.watched_fork import TIME, Report, watch_fork

READING_S = 20.0
"""Seconds of processor time that reading one file may take: how long it takes does not depend on others."""


@dataclass(frozen=True)
class Limits:
    """What looking at a submission may take.

    Attributes:
        seconds: by the clock, until something is killed; what comes after a kill gets a fourth.
        memory_bytes: on top of what the process has.
        reading_s: seconds of processor time for one file.
        hurried: whether all limits, those of engines too, are a fourth from the start, as after a first kill.
    """

    seconds: float
    memory_bytes: int
    reading_s: float = READING_S
    hurried: bool = False


@dataclass
class _Heard:
    """What a fork has told: findings, and what it was at when it ended."""

    findings: dict[str, Finding]
    leaf: str = ""
    reading: Reading | None = None

    def receive_report(self, report: Any) -> None:
        match report:
            case str():
                self.leaf = report
            case Finding():
                self.findings[self.leaf] = report
                self.leaf = ""
            case _:
                self.reading = report


def look_in_fork(
    leaves: Sequence[Checkpoint],
    submit: Callable[[], Submission],
    facts: Facts,
    limits: Limits,
    ours: Collection[str] = (),
) -> dict[str, Finding]:
    """What each leaf finds, by its id; ``observer_invalid`` where looking ended the process without a file's doing.

    Args:
        leaves: with ids of their own.
        submit: makes the submission, in the fork.
        facts: the truth.
        limits: for the fork; it is tried again with what is left after something ended it.
        ours: SHA-256 of files that are not the agent's: they are never to blame.
    """
    reset_time_limits()
    if limits.hurried:
        shorten_time_limits()
    findings: dict[str, Finding] = {}
    broken: dict[str, str] = {}
    while left := [leaf for leaf in leaves if leaf.id not in findings]:
        heard = _Heard(findings)
        seconds, reading_s = get_time_limit(limits.seconds), get_time_limit(limits.reading_s)
        work = partial(_look_at_all, left, submit, facts, broken, reading_s)
        end = watch_fork(work, heard.receive_report, seconds, limits.memory_bytes)
        if all(leaf.id in findings for leaf in left):
            break
        shorten_time_limits()
        how = _describe_end(end, seconds, reading_s)
        file = heard.reading
        # The system kills whatever process it likes when memory runs out.
        if file and end != "SIGKILL" and file.digest not in {*ours, *broken}:
            broken[file.digest] = how
            continue
        missing = [heard.leaf] if heard.leaf else [leaf.id for leaf in left if leaf.id not in findings]
        findings |= dict.fromkeys(missing, Finding("observer_invalid", f"the observer did not finish: {how}"))
    return findings


def _look_at_all(
    leaves: Sequence[Checkpoint],
    submit: Callable[[], Submission],
    facts: Facts,
    broken: dict[str, str],
    reading_s: float,
    report: Report,
) -> None:
    be_watched(Watch(report, broken, reading_s))
    submission = submit()
    for leaf in leaves:
        report(leaf.id)
        report(look_at_leaf(leaf, submission, facts))


def _describe_end(end: str, seconds: float, reading_s: float) -> str:
    if end == "SIGPROF":
        return f"it takes more than {reading_s:g} s of processor time"
    if end == TIME:
        return f"it takes more than {seconds:g} s"
    return f"its reader crashed ({end or 'without a word'})"
