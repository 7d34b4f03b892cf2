"""Collateral damage: what differs between a file as it was and as it is, in meaning, outside of what was asked for.

A difference has one or more names, and a task allows those that match a pattern (`fnmatch`, case does not matter). What
was changed or removed goes by its names from before, what was added by its new ones:

- workbooks: ``cells#Plan!B7``, ``formats#Plan!B7``, ``comments#Plan!B7``, ``layout#Plan!widths`` (merged, freeze,
  hidden, print, filter ...), ``rules#Plan!1``, ``validations#Plan!1``, ``charts#Plan!1``, ``pivots#Plan!1``,
  ``tables#Plan!Orders``, ``sheet#Plan`` (added, dropped, moved, hidden), ``names#rate``, ``property#title``;
- documents: ``paragraph#its text``, ``under#text of a heading above it``, ``table#1``, ``row#1!its first cell``,
  ``header#default``, ``footer#default``, ``section#1``, ``note#its text``, ``comment#its text``, ``change#author``,
  ``picture#alternative text``, ``field#code``, ``box#its text``, ``style#Heading 1``, ``property#title``;
- presentations: ``slide#title``, ``slide#3``, ``title#title``, ``shape#title of the slide!name``, ``notes#title``,
  ``theme#accent1``, ``property#title``;
- PDF files: ``page#3``, ``field#name``, ``annotation#3!Highlight``, ``bookmark#title``, ``property#Title``.

Texts in names are cut after 60 characters. A file that another program saved again shows no differences, as far as that
program kept it: ids, order of definitions, split runs, dates of saving and the like are not compared.
"""

from collections.abc import Callable
from pathlib import PurePosixPath

from yardkit.evaluators.checkpoints import Finding, make_finding
from yardkit.evaluators.readers.files import require_file
from yardkit.evaluators.side_effects.inventory import Difference, Inventory, compare_inventories
from yardkit.evaluators.submission import Submission
from yardkit.world.tree import file_digest

__all__ = ["Difference", "check_unchanged_outside", "find_differences"]

Take = Callable[[Submission, str], Inventory]


def _take_workbook(submission: Submission, relative: str) -> Inventory:
    from yardkit.evaluators.side_effects import workbooks

    return workbooks.take_inventory(submission, relative)


def _take_document(submission: Submission, relative: str) -> Inventory:
    from yardkit.evaluators.side_effects import documents

    return documents.take_inventory(submission, relative)


def _take_presentation(submission: Submission, relative: str) -> Inventory:
    from yardkit.evaluators.side_effects import presentations

    return presentations.take_inventory(submission, relative)


def _take_pdf(submission: Submission, relative: str) -> Inventory:
    from yardkit.evaluators.side_effects import pdf_files

    return pdf_files.take_inventory(submission, relative)


_INVENTORY_TAKERS: dict[str, Take] = {
    ".xlsx": _take_workbook,
    ".xlsm": _take_workbook,
    ".docx": _take_document,
    ".pptx": _take_presentation,
    ".pdf": _take_pdf,
}
_MOST_LISTED = 12


def check_unchanged_outside(submission: Submission, relative: str, *allowed: str, was: str = "") -> Finding:
    """Whether nothing of a file changed but what matches one of the patterns `allowed`.

    `was` is the file in the untouched workspace that it was made from, where that had another name.
    """
    unexpected = [
        difference for difference in find_differences(submission, relative, was) if not difference.matches(allowed)
    ]
    if not unexpected:
        return make_finding(holds=True, evidence=f"nothing else of {relative} changed")
    more = f" and {len(unexpected) - _MOST_LISTED} more" if len(unexpected) > _MOST_LISTED else ""
    return make_finding(holds=False, evidence=f"also changed: {'; '.join(map(str, unexpected[:_MOST_LISTED]))}{more}")


def find_differences(submission: Submission, relative: str, was: str = "") -> list[Difference]:
    """All differences in meaning between a delivered file and what it was.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it cannot be read.
        KeyError: files of this kind cannot be compared; a fault of the task.
    """
    take = _INVENTORY_TAKERS[PurePosixPath(relative).suffix.lower()]
    before, after = require_file(submission.untouched, was or relative), require_file(submission, relative)
    if file_digest(before) == file_digest(after):
        return []
    return compare_inventories(_take_inventory(take, submission.untouched, was or relative), take(submission, relative))


_LAST_UNTOUCHED: dict[tuple[str, str], Inventory] = {}


def _take_inventory(take: Take, untouched: Submission, relative: str) -> Inventory:
    """The inventory of an untouched file; the last one is kept, for it is the same for many submissions."""
    key = (relative, file_digest(require_file(untouched, relative)))
    if key not in _LAST_UNTOUCHED:
        inventory = take(untouched, relative)
        _LAST_UNTOUCHED.clear()
        _LAST_UNTOUCHED[key] = inventory
    return _LAST_UNTOUCHED[key]
