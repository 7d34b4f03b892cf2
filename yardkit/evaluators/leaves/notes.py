"""Leaves about pages of the notes: their titles, blocks and tables, and the unchanged rest."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from yardkit.evaluators.checkpoints import (
    Checkpoint,
    Facts,
    Finding,
    InsufficientEvidence,
    InvalidArtifact,
    make_checkpoint,
    make_finding,
)
from yardkit.evaluators.readers.answers import find_numbers, simplify_text
from yardkit.evaluators.readers.app_records import read_records
from yardkit.evaluators.readers.tables import is_near
from yardkit.evaluators.submission import Submission
from yardkit.world.wording import format_count

PageOf = Callable[[Facts], int]
ExpectedValue = str | float | date | tuple["ExpectedValue", ...]
BLOCKS, PAGES = ("record:notes/blocks",), ("record:notes/pages",)


@dataclass(frozen=True)
class NoteBlock:
    """A top-level block of a page. rows: the cells of a table, as Markdown; within: its other contents, as texts."""

    kind: str
    text: str
    data: Mapping[str, Any]
    rows: tuple[tuple[str, ...], ...] = ()
    within: tuple[str, ...] = ()


@dataclass(frozen=True)
class NotePage:
    """A page or a row of a table. values: the values of a row, by column."""

    id: int
    title: str
    archived: bool
    values: Mapping[str, Any]
    blocks: tuple[NoteBlock, ...]


def note_title(
    id: str, statement: str, page: PageOf, title: Callable[[Facts], str], *, weight: float = 1.0
) -> Checkpoint:
    """A page has this title, and is not archived."""

    def check(submission: Submission, facts: Facts) -> Finding:
        note_page, expected_title = read_note_page(submission, page(facts)), title(facts)
        return make_finding(
            note_page.title.strip() == expected_title and not note_page.archived,
            f"{note_page.title!r} for {expected_title!r}",
        )

    return make_checkpoint(id, statement, check, covers=PAGES, weight=weight)


def note_block(
    id: str,
    statement: str,
    page: PageOf,
    kind: str,
    expected: Callable[[Facts], Iterable[ExpectedValue]],
    *,
    icon: str = "",
    first: bool = False,
    weight: float = 1.0,
) -> Checkpoint:
    """The only block of a kind on a page, or callout with this icon, has all required contents, in any words.

    With `first` the page begins with it. Numbers and days may be written in any form; one of the texts in a tuple is
    enough.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        blocks = read_note_page(submission, page(facts)).blocks
        matching_blocks = [block for block in blocks if block.kind == kind and block.data.get("icon", "") == icon]
        text = " ".join((matching_blocks[0].text, *matching_blocks[0].within)) if matching_blocks else ""
        missing_sayings = [
            expected_value for expected_value in expected(facts) if not _states_value(text, expected_value)
        ]
        placed = matching_blocks[:1] == [*blocks[:1]] or not first
        return make_finding(
            len(matching_blocks) == 1 and placed and not missing_sayings,
            f"{len(matching_blocks)}: {text!r} lacks {missing_sayings}",
        )

    return make_checkpoint(id, statement, check, covers=BLOCKS, weight=weight)


def note_grid(
    id: str, statement: str, page: PageOf, expected: Callable[[Facts], Sequence[Sequence[str]]], *, weight: float = 1.0
) -> Checkpoint:
    """The only table of a page has this head and these rows, in order; numbers may have any form."""

    def check(submission: Submission, facts: Facts) -> Finding:
        table_blocks = [block for block in read_note_page(submission, page(facts)).blocks if block.kind == "table"]
        tables = [block.rows for block in table_blocks if not any((block.text, *block.within))]
        truth = [tuple(row) for row in expected(facts)]
        if len(tables) != 1 or len(tables[0]) != len(truth):
            return make_finding(
                holds=False,
                evidence=(
                    f"{format_count(len(tables), 'table')}: {str(tables)[:300]}; {format_count(len(truth), 'row')}"
                    " wanted"
                ),
            )
        wrong = [f"{row} for {true}" for row, true in zip(tables[0], truth, strict=True) if not _same_cells(row, true)]
        return make_finding(not wrong, "; ".join(wrong[:4]) or "all rows are right")

    return make_checkpoint(id, statement, check, covers=BLOCKS, weight=weight)


def note_rest(
    id: str,
    statement: str,
    page: PageOf,
    told_anew: Callable[[NoteBlock], bool],
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """All blocks of an edited page except the rewritten ones are unchanged, and no block was moved elsewhere.

    It needs the guardrail `check_unchanged_records`, which must allow changes to the page's blocks and versions.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        now, before = (
            [block for block in read_note_page(of, page(facts)).blocks if not told_anew(block)]
            for of in (submission, submission.untouched)
        )
        strays = _list_unexpected(submission, "blocks", page(facts))
        wrong = [block.text or block.kind for block in now if block not in before]
        return make_finding(now == before and not strays, f"other blocks: {wrong[:4]}; strays: {strays[:4]}")

    covers = (*BLOCKS, "bystander:notes/blocks")
    return make_checkpoint(id, statement, check, covers=covers, kind="guardrail", weight=weight)


def note_versions(
    id: str, statement: str, pages: Callable[[Facts], Iterable[int]], *, weight: float = 1.0
) -> Checkpoint:
    """Only some pages got additional older versions."""

    def check(submission: Submission, facts: Facts) -> Finding:
        strays = _list_unexpected(submission, "versions", *pages(facts))
        return make_finding(not strays, f"versions of other pages: {strays[:4]}")

    covers = ("record:notes/versions", "bystander:notes/versions")
    return make_checkpoint(id, statement, check, covers=covers, kind="guardrail", weight=weight)


def read_note_page(submission: Submission, number: int) -> NotePage:
    """Read a page by its number.

    Raises:
        InsufficientEvidence: the page does not exist.
        InvalidArtifact: the database or the content of the page cannot be read.
    """
    page = next((row for row in read_records(submission, "notes", "pages", ("values",)) if row["id"] == number), None)
    if page is None:
        raise InsufficientEvidence(f"the notes have no page {number}")
    own = [row for row in read_records(submission, "notes", "blocks", ("data",)) if row["page_id"] == number]
    try:
        children: dict[int | None, list[dict[str, Any]]] = {}
        for row in sorted(own, key=lambda row: (row["position"], row["id"])):
            children.setdefault(row["parent_id"], []).append(row)
        blocks = tuple(_make_block(row, children) for row in children.get(None, []))
        return NotePage(number, str(page["title"]), bool(page["archived"]), dict(page["values"]), blocks)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise InvalidArtifact(f"page {number} of the notes holds what no page does ({error})") from error


def _make_block(row: Mapping[str, Any], children: Mapping[int | None, list[dict[str, Any]]]) -> NoteBlock:
    inner = children.get(row["id"], [])
    cells = tuple(
        tuple(map(str, inner_block["data"]["cells"])) for inner_block in inner if inner_block["kind"] == "table_row"
    )
    within = tuple(str(inner_block["text"]) for inner_block in inner)
    return NoteBlock(str(row["kind"]), str(row["text"]), dict(row["data"]), cells, within)


def _list_unexpected(submission: Submission, table: str, *pages: int) -> list[str]:
    known = {row["id"] for row in read_records(submission.untouched, "notes", table)}
    rows = read_records(submission, "notes", table)
    return [f"{table} {row['id']}" for row in rows if row["id"] not in known and row["page_id"] not in pages]


def _states_value(text: str, expected: ExpectedValue) -> bool:
    if isinstance(expected, tuple):
        return any(_states_value(text, expected_value) for expected_value in expected)
    if isinstance(expected, date):
        forms = (
            f"{expected:%Y-%m-%d}",
            f"{expected.day} {expected:%B}",
            f"{expected.day} {expected:%b}",
            f"{expected:%d.%m.}",
            f"{expected:%B} {expected.day}",
            f"{expected:%b} {expected.day}",
            f"{expected:%d %B}",
        )
        return any(re.search(rf"(?<!\d){re.escape(simplify_text(form))}(?!\d)", simplify_text(text)) for form in forms)
    if isinstance(expected, str):
        return simplify_text(expected) in simplify_text(text)
    return any(is_near(number, expected) for number in find_numbers(text))


def _same_cells(row: Sequence[str], true: Sequence[str]) -> bool:
    return len(row) == len(true) and all(map(_same_cell, row, true))


def _same_cell(cell: str, true: str) -> bool:
    cell = cell.replace("*", "").strip()
    numbers = find_numbers(true)
    if not numbers:
        return simplify_text(cell) == simplify_text(true)
    cell_numbers = find_numbers(cell)
    return len(cell_numbers) == 1 and is_near(cell_numbers[0], float(numbers[0]))
