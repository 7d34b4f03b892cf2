"""Leaves about the records of apps, and the guardrail that all others are unchanged."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.readers import app_records
from yardkit.evaluators.side_effects.apps import check_unchanged_apps
from yardkit.evaluators.submission import Submission

Patterns = Callable[[Facts], tuple[str, ...]]
_RECORD_TEXT_LENGTH = 400
"""Characters of a record in the evidence."""


@dataclass(frozen=True)
class Records:
    """The records of one kind, such as the ``questions`` of ``forms``. decode: columns whose values are JSON."""

    app: str
    table: str
    decode: tuple[str, ...] = ()

    @property
    def covers(self) -> tuple[str, ...]:
        """The targets of mutants of records that the solver added or changed."""
        return (f"record:{self.app}/{self.table}",)

    def read_rows(self, submission: Submission) -> list[app_records.Row]:
        """Read all records.

        Raises:
            InsufficientEvidence: there are none.
            InvalidArtifact: they cannot be read.
        """
        return app_records.read_records(submission, self.app, self.table, self.decode)


def check_records(
    id: str,
    statement: str,
    of: Records,
    expected: Callable[[Facts], Iterable[Mapping[str, Any]]],
    *,
    where: Callable[[app_records.Row, Facts], bool] = lambda _row, _facts: True,
    added: bool = False,
    weight: float = 1.0,
) -> Checkpoint:
    """The records that match `where`, or the new ones (`added`), are the expected ones, in any order.

    Fields that an expected record leaves out are free.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        known = {_get_key(row) for row in of.read_rows(submission.untouched)} if added else set()
        left = [row for row in of.read_rows(submission) if _get_key(row) not in known and where(row, facts)]
        missing = []
        for want in expected(facts):
            fitting = next((row for row in left if all(row.get(name) == value for name, value in want.items())), None)
            missing += [want] if fitting is None else []
            left = [row for row in left if row is not fitting]
        return make_finding(not left and not missing, f"missing: {_format_rows(missing)}; odd: {_format_rows(left)}")

    strays = (f"bystander:{of.app}/{of.table}",) if added else ()
    return make_checkpoint(id, statement, check, covers=(*of.covers, *strays), weight=weight)


def check_unchanged_records(
    *allowed: str,
    also: Patterns = lambda _facts: (),
    statement: str = "All other records of the apps are as they were",
    id: str = "records",
    weight: float = 1.0,
) -> Checkpoint:
    """No record or file of any app differs from its initial state, except those that match `allowed`.

    `yardkit.evaluators.side_effects.apps` defines their names; `also` returns further patterns, which depend on the
    facts.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        return check_unchanged_apps(submission, *allowed, *also(facts))

    return make_checkpoint(id, statement, check, covers=("bystander:*", "record:*"), kind="guardrail", weight=weight)


def _get_key(row: app_records.Row) -> Any:
    """Return the first column, which is the key in the tables made by the store of apps."""
    return next(iter(row.values()))


def _format_rows(rows: Iterable[Mapping[str, Any]]) -> str:
    return "; ".join(str(dict(row))[:_RECORD_TEXT_LENGTH] for row in rows) or "none"
