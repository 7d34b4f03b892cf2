"""One author's changes are in, another's are out, the third's are open; threads settled; actions listed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, define_leaf, make_finding, make_group
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.office.documents import Cell, Document, Look, Paragraph, Table, read_document
from yardkit.evaluators.side_effects import check_unchanged_outside
from yardkit.evaluators.submission import Submission

_PALE = re.compile("([C-F][0-9A-F]){3}")
HEADER = ["No.", "Action", "Owner", "Due"]


FILE = "minutes/minutes_2026-03-10.docx"
TEXTS = (f"paragraphs:{FILE}", f"body:{FILE}", f"changes:{FILE}")
TABLE = (f"rows:{FILE}", f"body:{FILE}", f"styles:{FILE}#Action items")
REST: tuple[Any, ...] = tuple(f"{kind}:{FILE}" for kind in ("styles", "notes", "headers", "pictures"))


def _read_minutes(submission: Submission, facts: Facts) -> Document:
    return read_document(submission, facts["file"])


def _list_settled_texts(read: Document) -> set[str]:
    """Paragraphs that read the same whether open changes are accepted or rejected."""
    return {simplify_text(paragraph.text) for paragraph in read.paragraphs if paragraph.text == paragraph.original}


def _check_settled(submission: Submission, facts: Facts, role: str, expected: str, other: str) -> Finding:
    """No change of the author is open, and each of their paragraphs reads as `wanted`."""
    read, author = _read_minutes(submission, facts), facts["prompt"][role]
    still_open = [change.text for change in read.changes if change.author == author]
    texts = _list_settled_texts(read)
    pairs = [(record[expected], record[other]) for record in _list_author_changes(facts, author)]
    wrong = [right for right, bad in pairs if simplify_text(right) not in texts or simplify_text(bad) in texts]
    return make_finding(not still_open and not wrong, f"open: {still_open[:5]}; not as it should read: {wrong[:5]}")


def _list_author_changes(facts: Facts, author: str) -> list[dict[str, str]]:
    moved = facts["changed_actions"] if author == facts["prompt"]["accepted"] else []
    return [*(edit for edit in facts["edits"] if edit["by"] == author), *moved]


@define_leaf("accepted", "The first author's changes are in the text", *TEXTS, weight=2)
def _check_accepted(submission: Submission, facts: Facts) -> Finding:
    return _check_settled(submission, facts, "accepted", "new", "old")


@define_leaf("rejected", "The second author's changes are gone", *TEXTS, weight=2)
def _check_rejected(submission: Submission, facts: Facts) -> Finding:
    rejected_finding = _check_settled(submission, facts, "rejected", "old", "new")
    if rejected_finding.outcome == "pass" and simplify_text(facts["phantom"]) in simplify_text(
        _read_minutes(submission, facts).text
    ):
        return make_finding(holds=False, evidence=f"the inserted paragraph is still there: {facts['phantom']}")
    return rejected_finding


@define_leaf("left_open", "The third author's changes are open as they were", *TEXTS, kind="guardrail")
def _left_open(submission: Submission, facts: Facts) -> Finding:
    author = facts["prompt"]["left"]
    now, before = (
        [
            (change.kind, change.text, change.date[:16])
            for change in _read_minutes(state, facts).changes
            if change.author == author
        ]
        for state in (submission, submission.untouched)
    )
    pairs = {
        (simplify_text(paragraph.text), simplify_text(paragraph.original))
        for paragraph in _read_minutes(submission, facts).paragraphs
    }
    lost = [
        record["new"]
        for record in _list_author_changes(facts, author)
        if (simplify_text(record["new"]), simplify_text(record["old"])) not in pairs
    ]
    return make_finding(now == before and not lost, f"{len(now)} of {len(before)} changes are open; lost: {lost[:3]}")


@define_leaf("resolved", "Just the settled threads are resolved", f"comments:{FILE}", weight=2)
def _check_comments(submission: Submission, facts: Facts) -> Finding:
    comment_states = {
        comment.text.strip(): comment.resolved
        for comment in _read_minutes(submission, facts).comments
        if not comment.parent
    }
    wrong = {
        text: comment_states.get(text)
        for text, resolved in facts["comments"].items()
        if comment_states.get(text) is not resolved
    }
    return make_finding(not wrong, f"threads in another state (resolved or None if missing): {wrong}")


@define_leaf("threads", "No comment or reply is lost", f"comments:{FILE}", kind="guardrail")
def _check_threads(submission: Submission, facts: Facts) -> Finding:
    """Each comment and reply is there, on the text that it was on."""
    now, before = (
        sorted(
            (comment.author, comment.text.strip(), simplify_text(comment.at))
            for comment in _read_minutes(state, facts).comments
        )
        for state in (submission, submission.untouched)
    )
    lost = [pair for pair in before if pair not in now]
    return make_finding(now == before, f"{len(now)} comments and replies, {len(before)} at the start; lost: {lost[:4]}")


def _find_action_table(submission: Submission, facts: Facts) -> Table | None:
    """The one table below the heading."""
    blocks = _read_minutes(submission, facts).list_section("Action items")
    tables = [block for block in blocks if isinstance(block, Table)]
    return tables[0] if len(tables) == 1 else None


@define_leaf("listed", "Each action of the finished minutes has its row", *TABLE, weight=3)
def _check_action_rows(submission: Submission, facts: Facts) -> Finding:
    table = _find_action_table(submission, facts)
    if table is None:
        return make_finding(holds=False, evidence="there is not exactly one table under Action items")
    numbered = _map_numbers(_read_minutes(submission, facts), table)
    rows = [_normalize_row([numbered.get(n, row[0]), *row[1:]]) for n, row in enumerate(table.rows) if n]
    expected_rows = [_normalize_row(row) for row in facts["actions"]]
    unexpected = [row for row in rows if row not in expected_rows] + [row for row in expected_rows if row not in rows]
    return make_finding(
        rows == expected_rows, f"{len(rows)} rows for {len(expected_rows)} actions; other: {unexpected[:4]}"
    )


def _map_numbers(read: Document, table: Table) -> dict[int, str]:
    """The numbers, by row, of first cells that a list of their own numbers."""
    lists = {paragraph.list_id for paragraph in read.paragraphs if paragraph.list_id}
    cell_numbers: dict[int, str] = {}
    for number, row in enumerate(table.cells):
        first = row[0].paragraphs[0] if row and row[0].paragraphs else None
        if first and first.list_kind == "number" and first.list_id not in lists and not row[0].text.strip():
            cell_numbers[number] = str(len(cell_numbers) + 1)
    return cell_numbers


def _normalize_row(row: Sequence[str]) -> list[str]:
    """The cells for comparison: Word makes the first letter of a cell a capital by itself."""
    cells = [" ".join(cell.split()).strip(" .") for cell in row]
    return [cell[:1].casefold() + cell[1:] for cell in cells]


@define_leaf("laid_out", "The table stands alone in place of the line, untracked", *TABLE, kind="format")
def _laid_out(submission: Submission, facts: Facts) -> Finding:
    """The table stands alone under its heading, legibly and untracked."""
    table = _find_action_table(submission, facts)
    if table is None:
        return make_finding(holds=False, evidence="there is not exactly one table under Action items")
    header = [cell.strip() for cell in table.rows[0]]
    runs = [(cell, run) for row in table.cells for cell in row for p in cell.paragraphs for run in p.runs]
    tracked = [run.text for _, run in runs if run.tracked]
    unseen = [run.text for cell, run in runs if run.text.strip() and not _is_legible(run.look, cell)]
    beside = [
        paragraph.text[:40]
        for paragraph in _read_minutes(submission, facts).list_section("Action items")
        if not isinstance(paragraph, Table) and (paragraph.text.strip() or paragraph.original.strip())
    ]
    holds = header == HEADER and not tracked and not any(table.row_changes) and not unseen and not beside
    evidence = f"header {header}; tracked {tracked[:3]}; not legible {unseen[:3]}; beside the table {beside}"
    return make_finding(holds and not table.nested, evidence)


def _is_legible(look: Look, cell: Cell) -> bool:
    pale = _PALE.fullmatch(look.color) is not None and not cell.fill
    return not (look.hidden or look.strike or pale)


@define_leaf("dressed", "The text that stays looks as it did", *TEXTS, kind="format")
def _check_looks(submission: Submission, facts: Facts) -> Finding:
    """Outside of the action items each letter looks as it did, whether its change was accepted, rejected or left."""
    phantom = simplify_text(facts["phantom"])
    body = [
        p
        for p in _list_other_paragraphs(_read_minutes(submission.untouched, facts))
        if simplify_text(p.text) != phantom
    ]
    expected_looks = [_describe_look(paragraph, facts["prompt"]) for paragraph in body]
    paragraph_looks = [
        _describe_look(paragraph, {"left": facts["prompt"]["left"]})
        for paragraph in _list_other_paragraphs(_read_minutes(submission, facts))
    ]
    unexpected = [
        "".join(letter for letter, *_ in letters[-1])[:40]
        for letters in paragraph_looks
        if letters not in expected_looks
    ]
    return make_finding(
        paragraph_looks == expected_looks,
        f"{len(paragraph_looks)} paragraphs for {len(expected_looks)}; not as they should look: {unexpected[:4]}",
    )


def _list_other_paragraphs(read: Document) -> list[Paragraph]:
    return [paragraph for paragraph in read.paragraphs if "Action items" not in paragraph.under]


def _describe_look(paragraph: Paragraph, roles: Mapping[str, str]) -> tuple[Any, ...]:
    """Style and place of a paragraph, and its letters with their looks once the changes are settled by role."""
    gone = {("deleted", roles.get("accepted")), ("inserted", roles.get("rejected"))}
    letters = [
        (letter, run.tracked if run.author == roles["left"] else "", run.look)
        for run in paragraph.runs
        if (run.tracked, run.author) not in gone
        for letter in run.text
        if letter.strip()
    ]
    return paragraph.style, paragraph.alignment, paragraph.indent_mm, letters


@define_leaf("kept", "The rest of the minutes is as it was", *TEXTS, *TABLE, *REST, kind="guardrail")
def _check_unchanged(submission: Submission, facts: Facts) -> Finding:
    """All that is not asked for stays: other paragraphs, tables, notes, headers, formats."""
    authors = [facts["prompt"][role] for role in ("accepted", "rejected")]
    moved = [record for author in authors for record in _list_author_changes(facts, author)]
    texts = [text[:60] for record in moved for text in (record["old"], record["new"])] + [facts["phantom"][:60]]
    allowed = [f"change#{author}*" for author in authors] + [f"paragraph#{text}" for text in texts]
    allowed += [*(f"comment#{text}" for text in facts["settled"]), "comment#Done.", "comment#I will ask."]
    return check_unchanged_outside(submission, facts["file"], *allowed, "under#Action items")


CHECKS = make_group(
    "minutes_changes",
    "The minutes are finished as asked",
    make_group(
        "changes",
        "The tracked changes are settled author by author",
        _check_accepted,
        _check_rejected,
        _left_open,
        _check_looks,
        weight=4,
    ),
    make_group("comments", "The comments are settled", _check_comments, _check_threads, weight=2),
    make_group("actions", "The action items are listed", _check_action_rows, _laid_out, weight=3),
    leaves.answer_number(
        "The answer counts the open comments",
        lambda facts: sum(not resolved for resolved in facts["comments"].values()),
    ),
    _check_unchanged,
    leaves.nothing_else(also=lambda facts: (facts["file"],), id="others", statement="No other file was touched"),
)
