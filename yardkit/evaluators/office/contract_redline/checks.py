"""The instructions are carried out as small tracked changes; answers are in their threads; the rest stays."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.collateral import kept_outside
from yardkit.evaluators.readers.answers import read_number
from yardkit.evaluators.readers.office.documents import Comment, Document, Look, Paragraph, Run, Table, read_document
from yardkit.evaluators.submission import Submission

FILE = "contract/*.docx"
Clause = Mapping[str, Any]


def _read(submission: Submission, facts: Facts) -> Document:
    return read_document(submission, facts["file"])


def _plain(text: str) -> str:
    return " ".join(text.split())


def _clauses(read: Document) -> dict[str, Paragraph]:
    """The paragraphs of the clauses by their number, as they read with all changes rejected."""
    return {paragraph.original.split("\t")[0]: paragraph for paragraph in read.paragraphs if "\t" in paragraph.original}


def _by(paragraph: Paragraph, author: str, tracked: str) -> list[Run]:
    return [run for run in paragraph.runs if run.tracked == tracked and run.author == author]


def _worded(submission: Submission, facts: Facts, kind: str) -> Finding:
    """Clauses of a kind read as wanted with changes accepted, and as before with changes rejected."""
    clauses = _clauses(_read(submission, facts))
    wanted = [clause for clause in facts["clauses"] if clause["kind"] == kind]
    wrong = [clause["number"] for clause in wanted if not _reads(clauses.get(clause["number"]), clause)]
    shown = [clauses[number].text[:90] for number in wrong[:3] if number in clauses]
    return finding(not wrong, f"{len(wrong)} of {len(wanted)} clauses read differently: {wrong} {shown}")


def _reads(paragraph: Paragraph | None, clause: Clause) -> bool:
    views = ("", "") if paragraph is None else (_plain(paragraph.text), _plain(paragraph.original))
    return views == (_plain(clause["wanted"]), _plain(clause["original"]))


def _values(submission: Submission, facts: Facts) -> Finding:
    return _worded(submission, facts, "value")


def _term(submission: Submission, facts: Facts) -> Finding:
    return _worded(submission, facts, "term")


def _struck(submission: Submission, facts: Facts) -> Finding:
    number = facts["struck"].split("\t")[0]
    found = _clauses(_read(submission, facts)).get(number)
    holds = found is not None and not found.text.strip() and found.mark == "deleted"
    gone = holds and found is not None and _plain(found.original) == _plain(facts["struck"])
    return finding(
        gone, f"clause {number}: {found.text[:60] if found else 'not there'!r}, end {found.mark if found else ''}"
    )


def _added(submission: Submission, facts: Facts) -> Finding:
    """The new clause stands behind the one named, as an inserted paragraph that looks like it."""
    filled = [
        paragraph
        for paragraph in _read(submission, facts).paragraphs
        if paragraph.text.strip() or paragraph.original.strip()
    ]
    places = [n for n, paragraph in enumerate(filled) if paragraph.text.strip() == facts["added"]["text"]]
    if len(places) != 1 or not places[0]:
        return finding(holds=False, evidence=f"the new clause occurs {len(places)} times in the contract")
    new, before = filled[places[0]], filled[places[0] - 1]
    behind = before.original.split("\t")[0] == facts["added"]["after"]
    tracked = not new.original.strip() and "inserted" in (new.mark, before.mark)
    alike = _layout(new) == _layout(before) and {run.look for run in _filled(new.runs)} == {_usual(before)}
    return finding(
        behind and tracked and alike, f"behind the right clause {behind}; tracked {tracked}; looks alike {alike}"
    )


def _layout(paragraph: Paragraph) -> tuple[Any, ...]:
    return paragraph.style, paragraph.alignment, paragraph.indent_mm


def _filled(runs: Iterable[Run]) -> list[Run]:
    return [run for run in runs if run.text.strip()]


def _usual(paragraph: Paragraph) -> Look:
    """The look of the letters of a clause that are not set off: that of its number."""
    return next(run.look for run in _filled(paragraph.runs))


def _rate(submission: Submission, facts: Facts) -> Finding:
    rate = facts["rate"]
    found = [row for table in _tables(submission, facts) for row in table.cells if row[0].text.strip() == rate["role"]]
    said = [(cell.text.strip(), cell.paragraphs[0].original.strip()) for row in found for cell in row[1:]]
    looks = {run.look for row in found for cell in row[1:] for p in cell.paragraphs for run in _filled(p.runs)}
    holds = said == [(rate["new"], rate["old"])] and len(looks) == 1
    return finding(holds, f"{rate['role']}: {said} (accepted, rejected), of {len(looks)} looks")


def _tables(submission: Submission, facts: Facts) -> list[Table]:
    return _read(submission, facts).tables


def _all_paragraphs(read: Document) -> Iterable[Paragraph]:
    yield from read.paragraphs
    yield from (p for table in read.tables for row in table.cells for cell in row for p in cell.paragraphs)


def _author(submission: Submission, facts: Facts) -> Finding:
    """All that is new is tracked in one name, none of it as a change of format."""
    before = {(change.kind, change.author, change.text) for change in _read(submission.untouched, facts).changes}
    new = [
        change for change in _read(submission, facts).changes if (change.kind, change.author, change.text) not in before
    ]
    own = [change for change in new if change.author == facts["prompt"]["author"] and change.kind != "formatted"]
    other = sorted({f"{change.author} ({change.kind})" for change in new if change not in own})
    return finding(len(own) > 10 and not other, f"{len(own)} changes by the right author; by others: {other[:5]}")


def _minimal(submission: Submission, facts: Facts) -> Finding:
    """In each changed clause no more is struck than what had to go, and a few letters around it."""
    clauses, author = _clauses(_read(submission, facts)), facts["prompt"]["author"]
    wrong = []
    for clause in facts["clauses"]:
        struck = _by(clauses[clause["number"]], author, "deleted") if clause["number"] in clauses else []
        needed = clause["original"].count(clause["old"]) if clause["kind"] == "term" else 1
        length = sum(len(run.text) for run in struck)
        if not 0 < length <= needed * (len(clause["old"]) + 8):
            wrong.append(f"{clause['number']}: {length} letters")
    return finding(not wrong, f"too much or nothing is struck in {wrong[:5]}")


def _bold(submission: Submission, facts: Facts) -> Finding:
    """New figures are bold, the other new words are not; else they look like the text around."""
    clauses, author = _clauses(_read(submission, facts)), facts["prompt"]["author"]
    wrong = []
    for clause in facts["clauses"]:
        new = _filled(_by(clauses[clause["number"]], author, "inserted")) if clause["number"] in clauses else []
        if not new or {run.look for run in new} != {replace(_usual(clauses[clause["number"]]), bold=clause["bold"])}:
            wrong.append(clause["number"])
    return finding(not wrong, f"new text of another format in {wrong[:5]}")


def _threads(submission: Submission, facts: Facts) -> dict[str, tuple[Comment, list[Comment]]]:
    """The first comments by their text, with their answers."""
    comments = _read(submission, facts).comments
    return {
        _plain(comment.text): (comment, [reply for reply in comments if reply.parent == comment.id])
        for comment in comments
        if not comment.parent
    }


def _replies(submission: Submission, facts: Facts) -> Finding:
    threads, author = _threads(submission, facts), facts["prompt"]["author"]
    said = {
        remark: [(reply.author, _plain(reply.text)) for reply in threads[remark][1]]
        for remark in facts["resolved"]
        if remark in threads
    }
    wanted = {remark: [(author, facts["replies"][remark])] if remark in facts["replies"] else [] for remark in said}
    wrong = [remark for remark in facts["resolved"] if said.get(remark) != wanted.get(remark)]
    return finding(not wrong, f"other answers to {wrong[:4]}")


def _resolved(submission: Submission, facts: Facts) -> Finding:
    threads = _threads(submission, facts)
    wrong = [
        remark
        for remark, state in facts["resolved"].items()
        if remark not in threads or threads[remark][0].resolved != state
    ]
    return finding(not wrong, f"threads in another state, or missing: {wrong[:4]}")


def _remark(submission: Submission, facts: Facts) -> Finding:
    """Our own comment is there once, open, on its clause."""
    wanted, author = facts["remark"], facts["prompt"]["author"]
    comments = _read(submission, facts).comments
    found = [comment for comment in comments if _plain(comment.text) == _plain(wanted["text"])]
    at = [comment.at.split("\t")[0] for comment in found]
    right = at == [wanted["number"]] and found[0].author == author and not found[0].resolved and not found[0].parent
    return finding(right, f"on clauses {at}, by {[comment.author for comment in found]}")


def _answer(submission: Submission, facts: Facts) -> Finding:
    still_open = sum(not state for state in facts["resolved"].values()) + 1
    return finding(read_number(submission.answer) == still_open, f"expected {still_open}")


def _rejectable(submission: Submission, facts: Facts) -> Finding:
    """With all changes rejected the contract is what it was."""
    now, before = ([_plain(line) for line in _read(one, facts).original.split("\n")] for one in _both(submission))
    odd = [text[:70] for text in now if text not in before] + [text[:70] for text in before if text not in now]
    return finding(now == before, f"with all changes rejected it reads otherwise: {odd[:4]}, {len(now)} lines")


def _both(submission: Submission) -> tuple[Submission, Submission]:
    return submission, submission.untouched


def _foreign(submission: Submission, facts: Facts) -> Finding:
    """The changes of the other side are open, and their comments are on the texts that they were on."""
    author = facts["prompt"]["counsel"]
    now, before = (
        [
            (change.kind, change.text, change.date[:16])
            for change in _read(one, facts).changes
            if change.author == author
        ]
        for one in _both(submission)
    )
    places, old = (
        {(comment.text, _plain(comment.at)) for comment in _read(one, facts).comments if comment.author == author}
        for one in _both(submission)
    )
    evidence = f"{len(now)} of {len(before)} changes of the other side are open; comments moved {len(old - places)}"
    return finding(now == before and places == old, evidence)


def _looks(submission: Submission, facts: Facts) -> Finding:
    """Letter by letter, what stood in the contract looks as it did, whether it is struck now or not."""
    now, before = (
        [paragraph for paragraph in _all_paragraphs(_read(one, facts)) if paragraph.original.strip()]
        for one in _both(submission)
    )
    pairs = list(zip(now, before, strict=False))
    odd = [here.original[:40] for here, there in pairs if _dress(here) != _dress(there)]
    return finding(len(now) == len(before) and not odd, f"of other formats than before: {odd[:4]}")


def _dress(paragraph: Paragraph) -> tuple[Any, ...]:
    kept = [run for run in paragraph.runs if run.tracked != "inserted"]
    return (*_layout(paragraph), [(letter, run.look) for run in kept for letter in run.text if letter.strip()])


def _kept(submission: Submission, facts: Facts) -> Finding:
    """Nothing but the clauses, the row and the threads that are named has changed."""
    touched = [clause["wanted"] for clause in facts["clauses"]] + [clause["original"] for clause in facts["clauses"]]
    texts = [*touched, *_before(submission, facts), facts["struck"], facts["added"]["text"]]
    allowed = [f"paragraph#{_plain(text)[:60]}" for text in texts]
    remarks = [*facts["moved"], facts["remark"]["text"], *facts["replies"].values()]
    return kept_outside(
        submission,
        facts["file"],
        *allowed,
        *(f"comment#{text[:60]}" for text in remarks),
        f"change#{facts['prompt']['author']}",
        f"row#1!{facts['rate']['role']}",
    )


def _before(submission: Submission, facts: Facts) -> list[str]:
    """The clauses that change as they read in the untouched contract."""
    clauses = _clauses(_read(submission.untouched, facts))
    return [clauses[clause["number"]].text for clause in facts["clauses"] if clause["number"] in clauses]


TEXTS = (f"paragraphs:{FILE}", f"body:{FILE}", f"changes:{FILE}")
ROWS = (f"rows:{FILE}", *TEXTS)
REST = tuple(f"{kind}:{FILE}" for kind in ("rows", "styles", "notes", "headers", "pictures", "comments"))
COMMENTS = (f"comments:{FILE}", f"body:{FILE}")

CHECKS = group(
    "contract_redline",
    "The instructions are carried out in the contract",
    group(
        "wording",
        "With all changes accepted the contract reads as asked",
        leaf("values", "The figures and words are the ones of the last mail", _values, observes=TEXTS, weight=3),
        leaf("term", "The term is replaced in all clauses", _term, observes=TEXTS, weight=2),
        leaf("struck", "The clause is struck with its paragraph", _struck, observes=TEXTS),
        leaf("added", "The new clause is in its place, formatted like its neighbours", _added, observes=TEXTS),
        leaf("rate", "The rate in the annex is the new one", _rate, observes=ROWS),
        weight=5,
    ),
    group(
        "tracking",
        "The other side can settle each change",
        leaf("author", "All changes are tracked in the right name", _author, observes=ROWS),
        leaf("minimal", "Only what changes is marked", _minimal, observes=TEXTS, weight=2),
        leaf("bold", "New text looks like the text it replaces", _bold, observes=TEXTS, kind="format"),
        leaf("looks", "Existing text looks as it did", _looks, observes=ROWS, kind="guardrail"),
        leaf("rejectable", "Rejected, the contract is what it was", _rejectable, observes=ROWS, kind="guardrail"),
        weight=3,
    ),
    group(
        "comments",
        "The comments are handled",
        leaf("replies", "The standard answers are in their threads", _replies, observes=COMMENTS, weight=2),
        leaf("resolved", "Threads are open or resolved as asked", _resolved, observes=COMMENTS),
        leaf("remark", "Our own comment is at its clause", _remark, observes=COMMENTS),
        weight=3,
    ),
    leaf("answer", "The answer counts the open threads", _answer, observes=("answer",)),
    leaf(
        "foreign", "The other side's changes and comments are as they were", _foreign, observes=TEXTS, kind="guardrail"
    ),
    leaf("kept", "The rest of the contract is as it was", _kept, observes=(*TEXTS, *REST), kind="guardrail"),
    leaves.nothing_else(also=lambda facts: (facts["file"],), id="others", says="No other file was touched"),
)
