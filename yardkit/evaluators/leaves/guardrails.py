"""Guardrails, and the leaves that ask whether the agent looked or listened."""

from collections.abc import Callable

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.readers.calls import inspection_of, looked_at
from yardkit.evaluators.readers.files import only_changed
from yardkit.evaluators.side_effects import check_unchanged_outside
from yardkit.evaluators.submission import Submission

Patterns = Callable[[Facts], tuple[str, ...]]


def nothing_else(
    *paths: str,
    also: Patterns = lambda _facts: (),
    statement: str = "Nothing else was touched",
    id: str = "kept",
    weight: float = 1.0,
) -> Checkpoint:
    """No file except these was added, changed or deleted; a path that ends in ``/`` is a folder.

    `also` returns further paths, which depend on the facts.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        return only_changed(submission, *paths, *also(facts))

    return make_checkpoint(id, statement, check, covers=("input:*", "stray:*"), kind="guardrail", weight=weight)


def check_unchanged(
    id: str,
    statement: str,
    path: str,
    *allowed: str,
    covers: tuple[str, ...],
    also: Patterns = lambda _facts: (),
    weight: float = 1.0,
) -> Checkpoint:
    """An edited file differs from its initial state only in the areas `allowed`.

    `yardkit.evaluators.side_effects` defines the names of areas; `also` returns further ones, which depend on the
    facts. `covers` are the targets that must not change.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        return check_unchanged_outside(submission, path, *allowed, *also(facts))

    return make_checkpoint(id, statement, check, covers=covers, kind="guardrail", weight=weight)


def check_looked_at(
    statement: str,
    path: str,
    *,
    weight: float = 0.5,
    id: str = "looked",
) -> Checkpoint:
    """The agent saw a picture of a file after its last change to it."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        return looked_at(submission, path)

    return make_checkpoint(id, statement, check, covers=("calls", f"file:{path}"), kind="tool", weight=weight)


def check_inspected(
    statement: str,
    *paths: str,
    weight: float = 0.5,
    id: str = "inspected",
) -> Checkpoint:
    """The agent looked at, or listened to, the content of each of these files after its last change to it.

    Pictures or sounds that were shown count, and tools that read the content (words, faces, silences); reading only the
    size, length or name does not count.
    """

    def check(submission: Submission, _facts: Facts) -> Finding:
        inspections = [inspection_of(submission, path) for path in paths]
        return make_finding(
            all(inspection.depth == "content" for inspection in inspections),
            "; ".join(inspection.says for inspection in inspections),
        )

    covers = ("calls", *(f"file:{path}" for path in paths))
    return make_checkpoint(id, statement, check, covers=covers, kind="tool", weight=weight)
