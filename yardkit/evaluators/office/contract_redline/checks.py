"""The instructions are carried out as small tracked changes; answers are in their threads; the rest stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import join_white_space
from yardkit.evaluators.readers.office.documents import Comment, Document, Look, Paragraph, Run, read_document
from yardkit.evaluators.side_effects import check_unchanged_outside
from yardkit.evaluators.submission import Submission

if TYPE_CHECKING:
    from yardkit.state_init.office.contract_redline import ContractRedlineFacts as Facts

FILE = "contract/*.docx"
Clause = Mapping[str, Any]


def _read_contract(submission: Submission, facts: Facts) -> Document:
    return read_document(submission, facts["file"])


def _read_both(submission: Submission, facts: Facts) -> tuple[Document, Document]:
    """The contract as it is, and as it was."""
    return _read_contract(submission, facts), _read_contract(submission.untouched, facts)


def _map_clauses(read: Document) -> dict[str, Paragraph]:
    """The paragraphs of the clauses by their number, as they read with all changes rejected."""
    return {paragraph.original.split("\t")[0]: paragraph for paragraph in read.paragraphs if "\t" in paragraph.original}


def _list_author_runs(paragraph: Paragraph, author: str, tracked: str) -> list[Run]:
    return [run for run in paragraph.runs if run.tracked == tracked and run.author == author]


def _check_wording(submission: Submission, facts: Facts, kind: str) -> Finding:
    """Clauses of a kind read as wanted with changes accepted, and as before with changes rejected."""
    clauses = _map_clauses(_read_contract(submission, facts))
    expected_clauses = [clause for clause in facts["clauses"] if clause["kind"] == kind]
    wrong = [clause["number"] for clause in expected_clauses if not _reads_right(clauses.get(clause["number"]), clause)]
    texts = [clauses[number].text[:90] for number in wrong[:3] if number in clauses]
    return make_finding(not wrong, f"{len(wrong)} of {len(expected_clauses)} clauses read differently: {wrong} {texts}")


def _reads_right(paragraph: Paragraph | None, clause: Clause) -> bool:
    texts = ("", "") if paragraph is None else (paragraph.text, paragraph.original)
    return [*map(join_white_space, texts)] == [join_white_space(clause[key]) for key in ("wanted", "original")]


def _check_struck(submission: Submission, facts: Facts) -> Finding:
    number = facts["struck"].split("\t")[0]
    clause = _map_clauses(_read_contract(submission, facts)).get(number)
    if clause is None:
        return make_finding(holds=False, evidence=f"clause {number} is not there, not even as a deletion")
    same = join_white_space(clause.original) == join_white_space(facts["struck"])
    holds = same and not clause.text.strip() and clause.mark == "deleted"
    return make_finding(holds, f"clause {number}: {clause.text[:60]!r}, end {clause.mark}")


def _check_added(submission: Submission, facts: Facts) -> Finding:
    """The new clause stands behind the one named, as an inserted paragraph that looks like it."""
    paragraphs = _read_contract(submission, facts).paragraphs
    filled = [paragraph for paragraph in paragraphs if (paragraph.text + paragraph.original).strip()]
    places = [n for n, paragraph in enumerate(filled) if paragraph.text.strip() == facts["added"]["text"]]
    if len(places) != 1 or not places[0]:
        return make_finding(holds=False, evidence=f"the new clause occurs {len(places)} times in the contract")
    new, before = filled[places[0]], filled[places[0] - 1]
    behind = before.original.split("\t")[0] == facts["added"]["after"]
    tracked = not new.original.strip() and "inserted" in (new.mark, before.mark)
    looks = {run.look for run in _list_filled_runs(new.runs)}
    looks_same = _describe_layout(new) == _describe_layout(before) and looks == {_find_usual_look(before)}
    evidence = f"behind the right clause {behind}; tracked {tracked}; looks alike {looks_same}"
    return make_finding(behind and tracked and looks_same, evidence)


def _describe_layout(paragraph: Paragraph) -> tuple[Any, ...]:
    return paragraph.style, paragraph.alignment, paragraph.indent_mm


def _list_filled_runs(runs: Iterable[Run]) -> list[Run]:
    return [run for run in runs if run.text.strip()]


def _find_usual_look(paragraph: Paragraph) -> Look:
    """The look of the letters of a clause that are not set off: that of its number."""
    return next(run.look for run in _list_filled_runs(paragraph.runs))


def _check_rate(submission: Submission, facts: Facts) -> Finding:
    rate, tables = facts["rate"], _read_contract(submission, facts).tables
    rows = [row for table in tables for row in table.cells if row[0].text.strip() == rate["role"]]
    cells = [cell for row in rows for cell in row[1:]]
    texts = [(cell.text.strip(), cell.paragraphs[0].original.strip()) for cell in cells]
    looks = {run.look for cell in cells for p in cell.paragraphs for run in _list_filled_runs(p.runs)}
    holds = texts == [(rate["new"], rate["old"])] and len(looks) == 1
    return make_finding(holds, f"{rate['role']}: {texts} (accepted, rejected), of {len(looks)} looks")


def _check_author(submission: Submission, facts: Facts) -> Finding:
    """All that is new is tracked in one name, none of it as a change of format."""
    now, before = _read_both(submission, facts)
    known = {(change.kind, change.author, change.text) for change in before.changes}
    new = [change for change in now.changes if (change.kind, change.author, change.text) not in known]
    own = [change for change in new if change.author == facts["prompt"]["author"] and change.kind != "formatted"]
    other = sorted({f"{change.author} ({change.kind})" for change in new if change not in own})
    return make_finding(len(own) > 10 and not other, f"{len(own)} changes by the right author; by others: {other[:5]}")


def _pair_runs(submission: Submission, facts: Facts, tracked: str) -> Iterable[tuple[Clause, Paragraph, list[Run]]]:
    """The clauses that change, each with its paragraph and what we have struck or put in."""
    clauses, author = _map_clauses(_read_contract(submission, facts)), facts["prompt"]["author"]
    for clause in facts["clauses"]:
        paragraph = clauses.get(clause["number"])
        if paragraph is None:
            raise InvalidArtifact(f"clause {clause['number']} is not there")
        yield clause, paragraph, [run for run in paragraph.runs if (run.tracked, run.author) == (tracked, author)]


def _check_minimal(submission: Submission, facts: Facts) -> Finding:
    """In each changed clause no more is struck than what had to go, and a few letters around it."""
    wrong = []
    for clause, _, struck in _pair_runs(submission, facts, "deleted"):
        needed = clause["original"].count(clause["old"]) if clause["kind"] == "term" else 1
        length = sum(len(run.text) for run in struck)
        if not 0 < length <= needed * (len(clause["old"]) + 8):
            wrong.append(f"{clause['number']}: {length} letters")
    return make_finding(not wrong, f"too much or nothing is struck in {wrong[:5]}")


def _check_bold(submission: Submission, facts: Facts) -> Finding:
    """New figures are bold, the other new words are not; else they look like the text around."""
    wrong = [
        clause["number"]
        for clause, paragraph, new in _pair_runs(submission, facts, "inserted")
        if {run.look for run in _list_filled_runs(new)} != {replace(_find_usual_look(paragraph), bold=clause["bold"])}
    ]
    return make_finding(not wrong, f"new text of another format in {wrong[:5]}")


def _map_threads(submission: Submission, facts: Facts) -> dict[str, tuple[Comment, list[Comment]]]:
    """The first comments by their text, with their answers."""
    comments = _read_contract(submission, facts).comments
    return {
        join_white_space(comment.text): (comment, [reply for reply in comments if reply.parent == comment.id])
        for comment in comments
        if not comment.parent
    }


def _check_replies(submission: Submission, facts: Facts) -> Finding:
    threads, author = _map_threads(submission, facts), facts["prompt"]["author"]
    wrong = []
    for remark in facts["resolved"]:
        expected_replies = [(author, facts["replies"][remark])] if remark in facts["replies"] else []
        replies = threads[remark][1] if remark in threads else []
        if [(reply.author, join_white_space(reply.text)) for reply in replies] != expected_replies:
            wrong.append(remark)
    missing = sorted(facts["resolved"].keys() - threads)
    return make_finding(not wrong and not missing, f"other answers to {wrong[:4]}; missing: {missing[:4]}")


def _check_resolved(submission: Submission, facts: Facts) -> Finding:
    states = {remark: comment.resolved for remark, (comment, _) in _map_threads(submission, facts).items()}
    wrong = [remark for remark, state in facts["resolved"].items() if states.get(remark) != state]
    return make_finding(not wrong, f"threads in another state, or missing: {wrong[:4]}")


def _check_remark(submission: Submission, facts: Facts) -> Finding:
    """Our own comment is there once, open, on its clause."""
    remark, comments = facts["remark"], _read_contract(submission, facts).comments
    own = [comment for comment in comments if join_white_space(comment.text) == join_white_space(remark["text"])]
    places = [(comment.at.split("\t")[0], comment.author, comment.resolved, bool(comment.parent)) for comment in own]
    holds = places == [(remark["number"], facts["prompt"]["author"], False, False)]
    return make_finding(holds, f"on clauses, by, resolved, as an answer: {places}")


def _check_rejectable(submission: Submission, facts: Facts) -> Finding:
    """With all changes rejected the contract is what it was."""
    now, before = (
        [join_white_space(line) for line in read.original.split("\n")] for read in _read_both(submission, facts)
    )
    unexpected = [text[:70] for text in now if text not in before] + [text[:70] for text in before if text not in now]
    evidence = f"with all changes rejected it reads otherwise: {unexpected[:4]}, {len(now)} lines"
    return make_finding(now == before, evidence)


def _check_foreign(submission: Submission, facts: Facts) -> Finding:
    """The changes of the other side are open, and their comments are on the texts that they were on."""
    author, views = facts["prompt"]["counsel"], []
    for read in _read_both(submission, facts):
        changes = [(change.kind, change.text, change.date[:16]) for change in read.changes if change.author == author]
        places = {(comment.text, join_white_space(comment.at)) for comment in read.comments if comment.author == author}
        views.append((changes, places))
    (now, places), (before, old) = views
    evidence = f"{len(now)} of {len(before)} changes of the other side are open; comments moved {len(old - places)}"
    return make_finding(views[0] == views[1], evidence)


def _check_looks(submission: Submission, facts: Facts) -> Finding:
    """Letter by letter, what stood in the contract looks as it did, whether it is struck now or not."""
    now, before = (
        [paragraph for paragraph in _list_paragraphs(read) if paragraph.original.strip()]
        for read in _read_both(submission, facts)
    )
    pairs = zip(now, before, strict=False)
    unexpected = [here.original[:40] for here, there in pairs if _describe_look(here) != _describe_look(there)]
    return make_finding(len(now) == len(before) and not unexpected, f"of other formats than before: {unexpected[:4]}")


def _list_paragraphs(read: Document) -> Iterable[Paragraph]:
    yield from read.paragraphs
    yield from (p for table in read.tables for row in table.cells for cell in row for p in cell.paragraphs)


def _describe_look(paragraph: Paragraph) -> tuple[Any, ...]:
    original_runs = [run for run in paragraph.runs if run.tracked != "inserted"]
    return (
        *_describe_layout(paragraph),
        [(letter, run.look) for run in original_runs for letter in run.text if letter.strip()],
    )


def _check_unchanged(submission: Submission, facts: Facts) -> Finding:
    """Nothing but the clauses, the row and the threads that are named has changed."""
    before = _map_clauses(_read_contract(submission.untouched, facts))
    texts = [clause[key] for clause in facts["clauses"] for key in ("wanted", "original")]
    texts += [before[clause["number"]].text for clause in facts["clauses"] if clause["number"] in before]
    texts += [facts["struck"], facts["added"]["text"]]
    remarks = [*facts["moved"], facts["remark"]["text"], *facts["replies"].values()]
    return check_unchanged_outside(
        submission,
        facts["file"],
        *(f"paragraph#{join_white_space(text)[:60]}" for text in texts),
        *(f"comment#{text[:60]}" for text in remarks),
        f"change#{facts['prompt']['author']}",
        f"row#1!{facts['rate']['role']}",
    )


TEXTS = (f"paragraphs:{FILE}", f"body:{FILE}", f"changes:{FILE}")
ROWS = (f"rows:{FILE}", *TEXTS)
REST = tuple(f"{kind}:{FILE}" for kind in ("rows", "styles", "notes", "headers", "pictures", "comments"))
COMMENTS = (f"comments:{FILE}", f"body:{FILE}")

_check_values, _check_term = (partial(_check_wording, kind=kind) for kind in ("value", "term"))
CHECKS = make_group(
    "contract_redline",
    "The instructions are carried out in the contract",
    make_group(
        "wording",
        "With all changes accepted the contract reads as asked",
        make_checkpoint(
            "values",
            "The figures and words are the ones of the last mail",
            partial(_check_wording, kind="value"),
            covers=TEXTS,
            weight=3,
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
    leaves.answer_number(
        "The answer counts the open threads", lambda facts: 1 + sum(not state for state in facts["resolved"].values())
    ),
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
