"""One leaf made of several, all of which must pass."""

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, Kind, make_checkpoint, make_finding
from yardkit.evaluators.submission import Submission


def all_of(
    id: str,
    statement: str,
    *leaves: Checkpoint,
    weight: float = 1.0,
    kind: Kind = "content",
) -> Checkpoint:
    """Combine several checks into one leaf with one score; it covers the targets of its parts."""

    def check(submission: Submission, facts: Facts) -> Finding:
        findings = [part.check(submission, facts) for part in leaves if part.check]
        bad = [part.evidence for part in findings if part.outcome != "pass"]
        return make_finding(not bad, "; ".join(bad or [part.evidence for part in findings]))

    covers = dict.fromkeys(target for part in leaves for target in part.covers)
    return make_checkpoint(id, statement, check, covers=tuple(covers), weight=weight, kind=kind)
