"""Isolation: leaves run in a watched fork, so that no delivered file can end a grader.

The fork reports which leaf runs and which file it reads, so the cause of a hang, of too much memory or of a crash is
known. A file that was the cause is an `InvalidArtifact` for all leaves that read it from then on; if no file was being
read, only the leaf has crashed.
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
from yardkit.programs.forks import TIME, Report, watch_fork

READING_S = 20.0
"""Seconds of processor time that reading one file may take: how long it takes does not depend on others."""


@dataclass(frozen=True)
class Limits:
    """The limits for grading a submission.

    Attributes:
        seconds: wall time until a fork is killed; the forks after a kill get a quarter of it.
        memory_bytes: memory in addition to that of the process.
        reading_s: processor time for one file, in seconds.
        hurried: whether all limits, including those of engines, are a quarter from the start, as after a first kill.
    """

    seconds: float
    memory_bytes: int
    reading_s: float = READING_S
    hurried: bool = False


@dataclass
class _Heard:
    """The reports of a fork: findings, and the leaf and file at its end."""

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
    """Run the leaves and return their findings by id; ``observer_invalid`` if the process died and no file caused it.

    Args:
        leaves: leaves with unique ids.
        submit: makes the submission; called in the fork.
        facts: the ground truth.
        limits: the limits of the fork; after it was ended, the remaining leaves are tried again.
        ours: SHA-256 of files that are not the agent's and so never the cause.
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
        # A SIGKILL blames no file: when memory runs out, the system may kill any process.
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
