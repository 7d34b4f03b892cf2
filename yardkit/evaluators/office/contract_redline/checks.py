"""The instructions are carried out as small tracked changes; answers are in their threads; the rest stays."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import read_number
from yardkit.evaluators.readers.office.documents import Comment, Document, Look, Paragraph, Run, Table, read_document
from yardkit.evaluators.side_effects import check_unchanged_outside
from yardkit.evaluators.submission import Submission

FILE = "contract/*.docx"
Clause = Mapping[str, Any]


def _read_contract(submission: Submission, facts: Facts) -> Document:
    return read_document(submission, facts["file"])


def _join_white_space(text: str) -> str:
    return " ".join(text.split())


def _map_clauses(read: Document) -> dict[str, Paragraph]:
    """The paragraphs of the clauses by their number, as they read with all changes rejected."""
    return {paragraph.original.split("\t")[0]: paragraph for paragraph in read.paragraphs if "\t" in paragraph.original}


def _list_author_runs(paragraph: Paragraph, author: str, tracked: str) -> list[Run]:
    return [run for run in paragraph.runs if run.tracked == tracked and run.author == author]


def _check_wording(submission: Submission, facts: Facts, kind: str) -> Finding:
    """Clauses of a kind read as wanted with changes accepted, and as before with changes rejected."""
    clauses = _map_clauses(_read_contract(submission, facts))
    expected_clauses = [clause for clause in facts["clauses"] if clause["kind"] == kind]
    wrong = [
        clause["number"] for clause in expected_clauses if not _reads_as_expected(clauses.get(clause["number"]), clause)
    ]
    clause_texts = [clauses[number].text[:90] for number in wrong[:3] if number in clauses]
    return make_finding(
        not wrong, f"{len(wrong)} of {len(expected_clauses)} clauses read differently: {wrong} {clause_texts}"
    )


def _reads_as_expected(paragraph: Paragraph | None, clause: Clause) -> bool:
    views = (
        ("", "") if paragraph is None else (_join_white_space(paragraph.text), _join_white_space(paragraph.original))
    )
    return views == (_join_white_space(clause["wanted"]), _join_white_space(clause["original"]))


def _check_values(submission: Submission, facts: Facts) -> Finding:
    return _check_wording(submission, facts, "value")


def _check_term(submission: Submission, facts: Facts) -> Finding:
    return _check_wording(submission, facts, "term")


def _check_struck(submission: Submission, facts: Facts) -> Finding:
    number = facts["struck"].split("\t")[0]
    struck_clause = _map_clauses(_read_contract(submission, facts)).get(number)
    holds = struck_clause is not None and not struck_clause.text.strip() and struck_clause.mark == "deleted"
    gone = (
        holds
        and struck_clause is not None
        and _join_white_space(struck_clause.original) == _join_white_space(facts["struck"])
    )
    return make_finding(
        gone,
        f"clause {number}: {struck_clause.text[:60] if struck_clause else 'not there'!r}, end"
        f" {struck_clause.mark if struck_clause else ''}",
    )


def _check_added(submission: Submission, facts: Facts) -> Finding:
    """The new clause stands behind the one named, as an inserted paragraph that looks like it."""
    filled = [
        paragraph
        for paragraph in _read_contract(submission, facts).paragraphs
        if paragraph.text.strip() or paragraph.original.strip()
    ]
    places = [n for n, paragraph in enumerate(filled) if paragraph.text.strip() == facts["added"]["text"]]
    if len(places) != 1 or not places[0]:
        return make_finding(holds=False, evidence=f"the new clause occurs {len(places)} times in the contract")
    new, before = filled[places[0]], filled[places[0] - 1]
    behind = before.original.split("\t")[0] == facts["added"]["after"]
    tracked = not new.original.strip() and "inserted" in (new.mark, before.mark)
    looks_same = _describe_layout(new) == _describe_layout(before) and {
        run.look for run in _list_filled_runs(new.runs)
    } == {_find_usual_look(before)}
    return make_finding(
        behind and tracked and looks_same,
        f"behind the right clause {behind}; tracked {tracked}; looks alike {looks_same}",
    )


def _describe_layout(paragraph: Paragraph) -> tuple[Any, ...]:
    return paragraph.style, paragraph.alignment, paragraph.indent_mm


def _list_filled_runs(runs: Iterable[Run]) -> list[Run]:
    return [run for run in runs if run.text.strip()]


def _find_usual_look(paragraph: Paragraph) -> Look:
    """The look of the letters of a clause that are not set off: that of its number."""
    return next(run.look for run in _list_filled_runs(paragraph.runs))


def _check_rate(submission: Submission, facts: Facts) -> Finding:
    rate = facts["rate"]
    rate_rows = [
        row for table in _list_tables(submission, facts) for row in table.cells if row[0].text.strip() == rate["role"]
    ]
    cell_texts = [(cell.text.strip(), cell.paragraphs[0].original.strip()) for row in rate_rows for cell in row[1:]]
    looks = {
        run.look for row in rate_rows for cell in row[1:] for p in cell.paragraphs for run in _list_filled_runs(p.runs)
    }
    holds = cell_texts == [(rate["new"], rate["old"])] and len(looks) == 1
    return make_finding(holds, f"{rate['role']}: {cell_texts} (accepted, rejected), of {len(looks)} looks")


def _list_tables(submission: Submission, facts: Facts) -> list[Table]:
    return _read_contract(submission, facts).tables


def _all_paragraphs(read: Document) -> Iterable[Paragraph]:
    yield from read.paragraphs
    yield from (p for table in read.tables for row in table.cells for cell in row for p in cell.paragraphs)


def _check_author(submission: Submission, facts: Facts) -> Finding:
    """All that is new is tracked in one name, none of it as a change of format."""
    before = {
        (change.kind, change.author, change.text) for change in _read_contract(submission.untouched, facts).changes
    }
    new = [
        change
        for change in _read_contract(submission, facts).changes
        if (change.kind, change.author, change.text) not in before
    ]
    own = [change for change in new if change.author == facts["prompt"]["author"] and change.kind != "formatted"]
    other = sorted({f"{change.author} ({change.kind})" for change in new if change not in own})
    return make_finding(len(own) > 10 and not other, f"{len(own)} changes by the right author; by others: {other[:5]}")


def _check_minimal(submission: Submission, facts: Facts) -> Finding:
    """In each changed clause no more is struck than what had to go, and a few letters around it."""
    clauses, author = _map_clauses(_read_contract(submission, facts)), facts["prompt"]["author"]
    wrong = []
    for clause in facts["clauses"]:
        struck = _list_author_runs(clauses[clause["number"]], author, "deleted") if clause["number"] in clauses else []
        needed = clause["original"].count(clause["old"]) if clause["kind"] == "term" else 1
        length = sum(len(run.text) for run in struck)
        if not 0 < length <= needed * (len(clause["old"]) + 8):
            wrong.append(f"{clause['number']}: {length} letters")
    return make_finding(not wrong, f"too much or nothing is struck in {wrong[:5]}")


def _check_bold(submission: Submission, facts: Facts) -> Finding:
    """New figures are bold, the other new words are not; else they look like the text around."""
    clauses, author = _map_clauses(_read_contract(submission, facts)), facts["prompt"]["author"]
    wrong = []
    for clause in facts["clauses"]:
        new = (
            _list_filled_runs(_list_author_runs(clauses[clause["number"]], author, "inserted"))
            if clause["number"] in clauses
            else []
        )
        if not new or {run.look for run in new} != {
            replace(_find_usual_look(clauses[clause["number"]]), bold=clause["bold"])
        }:
            wrong.append(clause["number"])
    return make_finding(not wrong, f"new text of another format in {wrong[:5]}")


def _map_threads(submission: Submission, facts: Facts) -> dict[str, tuple[Comment, list[Comment]]]:
    """The first comments by their text, with their answers."""
    comments = _read_contract(submission, facts).comments
    return {
        _join_white_space(comment.text): (comment, [reply for reply in comments if reply.parent == comment.id])
        for comment in comments
        if not comment.parent
    }


def _check_replies(submission: Submission, facts: Facts) -> Finding:
    threads, author = _map_threads(submission, facts), facts["prompt"]["author"]
    replies = {
        remark: [(reply.author, _join_white_space(reply.text)) for reply in threads[remark][1]]
        for remark in facts["resolved"]
        if remark in threads
    }
    expected_replies = {
        remark: [(author, facts["replies"][remark])] if remark in facts["replies"] else [] for remark in replies
    }
    wrong = [remark for remark in facts["resolved"] if replies.get(remark) != expected_replies.get(remark)]
    return make_finding(not wrong, f"other answers to {wrong[:4]}")


def _check_resolved(submission: Submission, facts: Facts) -> Finding:
    threads = _map_threads(submission, facts)
    wrong = [
        remark
        for remark, state in facts["resolved"].items()
        if remark not in threads or threads[remark][0].resolved != state
    ]
    return make_finding(not wrong, f"threads in another state, or missing: {wrong[:4]}")


def _check_remark(submission: Submission, facts: Facts) -> Finding:
    """Our own comment is there once, open, on its clause."""
    expected_remark, author = facts["remark"], facts["prompt"]["author"]
    comments = _read_contract(submission, facts).comments
    matching_comments = [
        comment for comment in comments if _join_white_space(comment.text) == _join_white_space(expected_remark["text"])
    ]
    at = [comment.at.split("\t")[0] for comment in matching_comments]
    right = (
        at == [expected_remark["number"]]
        and matching_comments[0].author == author
        and not matching_comments[0].resolved
        and not matching_comments[0].parent
    )
    return make_finding(right, f"on clauses {at}, by {[comment.author for comment in matching_comments]}")


def _check_answer(submission: Submission, facts: Facts) -> Finding:
    still_open = sum(not state for state in facts["resolved"].values()) + 1
    return make_finding(read_number(submission.answer) == still_open, f"expected {still_open}")


def _check_rejectable(submission: Submission, facts: Facts) -> Finding:
    """With all changes rejected the contract is what it was."""
    now, before = (
        [_join_white_space(line) for line in _read_contract(version, facts).original.split("\n")]
        for version in _list_versions(submission)
    )
    unexpected = [text[:70] for text in now if text not in before] + [text[:70] for text in before if text not in now]
    return make_finding(
        now == before, f"with all changes rejected it reads otherwise: {unexpected[:4]}, {len(now)} lines"
    )


def _list_versions(submission: Submission) -> tuple[Submission, Submission]:
    return submission, submission.untouched


def _check_foreign(submission: Submission, facts: Facts) -> Finding:
    """The changes of the other side are open, and their comments are on the texts that they were on."""
    author = facts["prompt"]["counsel"]
    now, before = (
        [
            (change.kind, change.text, change.date[:16])
            for change in _read_contract(version, facts).changes
            if change.author == author
        ]
        for version in _list_versions(submission)
    )
    places, old = (
        {
            (comment.text, _join_white_space(comment.at))
            for comment in _read_contract(version, facts).comments
            if comment.author == author
        }
        for version in _list_versions(submission)
    )
    evidence = f"{len(now)} of {len(before)} changes of the other side are open; comments moved {len(old - places)}"
    return make_finding(now == before and places == old, evidence)


def _check_looks(submission: Submission, facts: Facts) -> Finding:
    """Letter by letter, what stood in the contract looks as it did, whether it is struck now or not."""
    now, before = (
        [paragraph for paragraph in _all_paragraphs(_read_contract(version, facts)) if paragraph.original.strip()]
        for version in _list_versions(submission)
    )
    pairs = list(zip(now, before, strict=False))
    unexpected = [here.original[:40] for here, there in pairs if _describe_look(here) != _describe_look(there)]
    return make_finding(len(now) == len(before) and not unexpected, f"of other formats than before: {unexpected[:4]}")


def _describe_look(paragraph: Paragraph) -> tuple[Any, ...]:
    original_runs = [run for run in paragraph.runs if run.tracked != "inserted"]
    return (
        *_describe_layout(paragraph),
        [(letter, run.look) for run in original_runs for letter in run.text if letter.strip()],
    )


def _check_unchanged(submission: Submission, facts: Facts) -> Finding:
    """Nothing but the clauses, the row and the threads that are named has changed."""
    touched = [clause["wanted"] for clause in facts["clauses"]] + [clause["original"] for clause in facts["clauses"]]
    texts = [*touched, *_list_original_clauses(submission, facts), facts["struck"], facts["added"]["text"]]
    allowed = [f"paragraph#{_join_white_space(text)[:60]}" for text in texts]
    remarks = [*facts["moved"], facts["remark"]["text"], *facts["replies"].values()]
    return check_unchanged_outside(
        submission,
        facts["file"],
        *allowed,
        *(f"comment#{text[:60]}" for text in remarks),
        f"change#{facts['prompt']['author']}",
        f"row#1!{facts['rate']['role']}",
    )


def _list_original_clauses(submission: Submission, facts: Facts) -> list[str]:
    """The clauses that change as they read in the untouched contract."""
    clauses = _map_clauses(_read_contract(submission.untouched, facts))
    return [clauses[clause["number"]].text for clause in facts["clauses"] if clause["number"] in clauses]


TEXTS = (f"paragraphs:{FILE}", f"body:{FILE}", f"changes:{FILE}")
ROWS = (f"rows:{FILE}", *TEXTS)
REST = tuple(f"{kind}:{FILE}" for kind in ("rows", "styles", "notes", "headers", "pictures", "comments"))
COMMENTS = (f"comments:{FILE}", f"body:{FILE}")

CHECKS = make_group(
    "contract_redline",
    "The instructions are carried out in the contract",
    make_group(
        "wording",
        "With all changes accepted the contract reads as asked",
        make_checkpoint(
            "values", "The figures and words are the ones of the last mail", _check_values, covers=TEXTS, weight=3
        ),
        make_checkpoint("term", "The term is replaced in all clauses", _check_term, covers=TEXTS, weight=2),
        make_checkpoint("struck", "The clause is struck with its paragraph", _check_struck, covers=TEXTS),
        make_checkpoint(
            "added", "The new clause is in its place, formatted like its neighbours", _check_added, covers=TEXTS
        ),
        make_checkpoint("rate", "The rate in the annex is the new one", _check_rate, covers=ROWS),
        weight=5,
    ),
    make_group(
        "tracking",
        "The other side can settle each change",
        make_checkpoint("author", "All changes are tracked in the right name", _check_author, covers=ROWS),
        make_checkpoint("minimal", "Only what changes is marked", _check_minimal, covers=TEXTS, weight=2),
        make_checkpoint("bold", "New text looks like the text it replaces", _check_bold, covers=TEXTS, kind="format"),
        make_checkpoint("looks", "Existing text looks as it did", _check_looks, covers=ROWS, kind="guardrail"),
        make_checkpoint(
            "rejectable", "Rejected, the contract is what it was", _check_rejectable, covers=ROWS, kind="guardrail"
        ),
        weight=3,
    ),
    make_group(
        "comments",
        "The comments are handled",
        make_checkpoint(
            "replies", "The standard answers are in their threads", _check_replies, covers=COMMENTS, weight=2
        ),
        make_checkpoint("resolved", "Threads are open or resolved as asked", _check_resolved, covers=COMMENTS),
        make_checkpoint("remark", "Our own comment is at its clause", _check_remark, covers=COMMENTS),
        weight=3,
    ),
    make_checkpoint("answer", "The answer counts the open threads", _check_answer, covers=("answer",)),
    make_checkpoint(
        "foreign",
        "The other side's changes and comments are as they were",
        _check_foreign,
        covers=TEXTS,
        kind="guardrail",
    ),
    make_checkpoint(
        "kept", "The rest of the contract is as it was", _check_unchanged, covers=(*TEXTS, *REST), kind="guardrail"
    ),
    leaves.nothing_else(also=lambda facts: (facts["file"],), id="others", statement="No other file was touched"),
)
