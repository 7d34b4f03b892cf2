"""Notes are footnotes at their places, references and captions live, formulas equations; the rest is as it was."""

import re
from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import pairwise

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.collateral import kept_outside
from yardkit.evaluators.office.footnotes_fix.article import Line, lines, plain, sequence
from yardkit.evaluators.office.footnotes_fix.equations import Equation, meant, said
from yardkit.evaluators.readers.office.documents import Document, Paragraph, read_document
from yardkit.evaluators.submission import Submission

FILE = "article/nitrate_manuscript_v7.docx"
LIST = "List of figures"
NOTES = "Notes"
DEAD = "Error!"
OWN_NOTES = 2
"""Footnotes that were there already."""


def _read(submission: Submission) -> Document:
    return read_document(submission, FILE)


def _lines(submission: Submission) -> list[Line]:
    return lines(submission, FILE)


def _notes(submission: Submission, facts: Facts) -> Finding:
    """All footnotes in the order of the article, and no others."""
    found = [plain(note.text) for note in _read(submission).notes if note.kind == "footnote"]
    wanted = [plain(text) for _, text in facts["notes"]]
    odd = list((Counter(found) - Counter(wanted)).elements()) + list((Counter(wanted) - Counter(found)).elements())
    return finding(found == wanted, f"{len(found)} footnotes for {len(wanted)}; missing or too many: {odd[:4]}")


def _places(submission: Submission, facts: Facts) -> Finding:
    """Each mark stands right behind its text."""
    found = [(mark.before, mark.note) for line in _lines(submission) for mark in line.notes]
    lost = []
    for before, text in facts["notes"]:
        match = next((pair for pair in found if pair == (plain(before), plain(text))), None)
        if match is None:
            lost.append(f"{before[-40:]!r}: {text[:30]}")
        else:
            found.remove(match)
    return finding(not lost, f"{len(lost)} marks are elsewhere: {lost[:4]}")


def _seen(submission: Submission, _facts: Facts) -> Finding:
    """Marks are raised, notes show their number and can be read."""
    marks = [mark for line in _lines(submission) for mark in line.notes]
    odd = [f"{mark.note[:30]}: {mark.fault}" for mark in marks if mark.fault]
    hidden = [line.text[:40] for line in _lines(submission) if line.hidden]
    return finding(
        len(marks) > OWN_NOTES and not odd and not hidden, f"{len(marks)} marks; {odd[:3]}; hidden text in {hidden}"
    )


def _texts(submission: Submission, facts: Facts) -> Finding:
    """The paragraphs read as they should, other brackets and sums of money included."""
    texts = [line.text for line in _lines(submission)]
    lost = [parts[0][:60] for parts in _wanted(facts) if not any(_reads(text, parts) for text in texts)]
    return finding(not lost, f"{len(lost)} paragraphs read differently: {lost[:4]}")


def _wanted(facts: Facts) -> Iterator[tuple[str, ...]]:
    """Each paragraph: its text, or what stands before its formula, behind it, and what the formula says."""
    inline = iter(facts["inline"])
    for parts in facts["after"]:
        yield (*map(plain, parts), *((meant(next(inline), alone=False).said,) if len(parts) > 1 else ()))


def _reads(text: str, parts: tuple[str, ...]) -> bool:
    """Whether a paragraph begins and ends as wanted, with nothing but its formula in between."""
    if len(parts) == 1:
        return text == parts[0]
    first, last, formula = parts
    between = text.removeprefix(first).removesuffix(last)
    return text.startswith(first) and text.endswith(last) and said(between) == formula and "$" not in between


def _left(submission: Submission, facts: Facts) -> Finding:
    """Of the list at the end only the entry that nobody refers to is left."""
    left = [
        plain(paragraph.text)
        for paragraph in _read(submission).section(NOTES)
        if isinstance(paragraph, Paragraph) and paragraph.text.strip()
    ]
    return finding(left == [plain(facts["orphan"])], f"under {NOTES} stand {len(left)} entries: {left[:3]}")


def _captions(submission: Submission, facts: Facts) -> Finding:
    wanted = [f"Figure {number}: {caption}" for number, caption in enumerate(facts["captions"], 1)]
    every = _lines(submission)
    found = [line.text for line in every if line.counted]
    away = [line.text for before, line in pairwise(every) if line.counted and not before.picture]
    read = _read(submission)
    styles = {plain(paragraph.text): paragraph.style.casefold() for paragraph in read.paragraphs}
    odd = [text for text in wanted if styles.get(text) != "caption"]
    names = {line.counted for line in every if line.counted}
    others = [field.code for field in read.fields if sequence(field.code) not in {"", *names}]
    return finding(
        found == wanted and not odd and not away and not others and len(names) == 1,
        f"captions that count themselves: {found}; of another style: {odd}; not below a picture: {away}; "
        f"sequences {sorted(names)}; also {others}",
    )


def _references(submission: Submission, facts: Facts) -> Finding:
    """Each reference leads to label and number of the figure that is meant."""
    every = _lines(submission)
    marks = {name: text for line in every if line.counted for name, text in line.bookmarks.items()}
    found = [name for line in every for name in line.references]
    wanted = [f"Figure {number}" for number in facts["references"]]
    shown = [marks.get(name, f"{name} is at no caption") for name in found]
    dead = sum(DEAD in line.text for line in every)
    return finding(shown == wanted and not dead, f"references to {shown}, expected {wanted}; still lost: {dead}")


def _list(submission: Submission, facts: Facts) -> Finding:
    read, names = _read(submission), {line.counted for line in _lines(submission)}
    lists = [field for field in read.fields if _listed(field.code) in names]
    generated = [text for listed in lists for line in listed.result.split("\n") if (text := plain(line))]
    shown = [
        plain(paragraph.text)
        for paragraph in read.section(LIST)
        if isinstance(paragraph, Paragraph) and paragraph.text.strip()
    ]
    figures = enumerate(zip(facts["captions"], facts["pages"], strict=True), 1)
    wanted = [f"Figure {number}: {caption} {page}" for number, (caption, page) in figures]
    return finding(
        len(lists) == 1 and shown == wanted and generated == wanted,
        f"lists {[listed.code for listed in lists]} of {len(generated)} lines; under {LIST}: {shown}",
    )


def _listed(code: str) -> str | None:
    """The name, in small letters, of the sequence whose captions a field lists."""
    found = re.match(r"TOC\b.*\\c\s*\"?([^\s\"\\]+)", code, re.I)
    return found[1].casefold() if found else None


def _equations(submission: Submission, facts: Facts, *, alone: bool) -> Finding:
    name = "displayed" if alone else "inline"
    found = [equation for line in _lines(submission) for equation in line.equations if equation.alone is alone]
    wanted = [meant(latex, alone=alone) for latex in facts[name]]
    texts = " ".join(line.text for line in _lines(submission))
    left = [latex for latex in facts[name] if plain(latex) in texts]
    same = len(found) == len(wanted) and all(map(Equation.shows, found, wanted))
    return finding(same and not left, f"{len(found)} equations for {len(wanted)}: {found[:2]}; still LaTeX: {left}")


def _displayed(submission: Submission, facts: Facts) -> Finding:
    return _equations(submission, facts, alone=True)


def _inline(submission: Submission, facts: Facts) -> Finding:
    return _equations(submission, facts, alone=False)


def _kept(submission: Submission, facts: Facts) -> Finding:
    """Nothing but the paragraphs with notes, references and formulas, the captions and the two lists has changed."""
    touched = [plain(text)[:60] for text in facts["before"]]
    typed = [
        plain(paragraph.text)[:60]
        for paragraph in read_document(submission.untouched, FILE).paragraphs
        if paragraph.text.startswith(("$$", "Figure "))
    ]
    allowed = [f"paragraph#{text}" for text in (*touched, *typed)] + [f"note#{text[:60]}" for text in facts["added"]]
    codes = ("REF", "SEQ", "TOC", "PAGEREF", "HYPERLINK")
    fields = [f"field#{code}*" for code in codes]
    return kept_outside(submission, FILE, *allowed, *fields, f"under#{LIST}", f"under#{NOTES}")


def _dressed(submission: Submission, facts: Facts) -> Finding:
    """The paragraphs that had to change look as they did, and sections still begin on a page of their own."""
    old, new = read_document(submission.untouched, FILE).paragraphs, _read(submission).paragraphs
    pairs = [*zip(map(plain, facts["before"]), _wanted(facts), strict=True), *_renumbered(old, facts)]
    odd = [
        parts[0][:50]
        for text, parts in pairs
        if not {_dress(paragraph) for paragraph in new if _reads(plain(paragraph.text), parts)}
        <= {_dress(paragraph) for paragraph in old if plain(paragraph.text) == text}
    ]
    moved = sorted(_first_lines(old) - _first_lines(new))
    return finding(not odd and not moved, f"look different: {odd[:4]}; no longer at the top of a page: {moved}")


def _renumbered(old: list[Paragraph], facts: Facts) -> Iterator[tuple[str, tuple[str, ...]]]:
    for number, caption in enumerate(facts["captions"], 1):
        typed = next(
            plain(paragraph.text)
            for paragraph in old
            if paragraph.text.startswith("Figure ") and caption in paragraph.text
        )
        yield typed, (f"Figure {number}: {caption}",)


def _dress(paragraph: Paragraph) -> Hashable:
    looks = {run.look for run in paragraph.runs if run.text.strip()}
    return paragraph.style.casefold(), paragraph.alignment, paragraph.list_kind, frozenset(looks)


def _first_lines(paragraphs: list[Paragraph]) -> set[str]:
    """Headings that begin a page; some programs put the break at the end of the paragraph before."""
    pairs = pairwise(paragraphs)
    return {
        plain(paragraph.text)
        for before, paragraph in pairs
        if paragraph.level and (paragraph.page_break or before.page_break)
    }


def _untracked(submission: Submission, _facts: Facts) -> Finding:
    changes = _read(submission).changes
    return finding(not changes, f"{len(changes)} tracked changes")


TEXTS = (f"paragraphs:{FILE}", f"body:{FILE}")
REST = tuple(f"{kind}:{FILE}" for kind in ("rows", "styles", "headers", "pictures", "changes"))
SOME = (*TEXTS, f"notes:{FILE}")

CHECKS = group(
    "footnotes_fix",
    "The article has the form of the guidelines",
    group(
        "notes",
        "The notes are footnotes",
        leaf("footnotes", "Every note is a footnote, in the order of the article", _notes, observes=SOME, weight=3),
        leaf("places", "Each mark is where the brackets were", _places, observes=SOME, weight=2),
        leaf("seen", "Marks are raised, notes are numbered and can be read", _seen, observes=SOME),
        leaf("texts", "The paragraphs read as they should", _texts, observes=TEXTS),
        leaf("left", "Only the entry without a reference is left in the list", _left, observes=TEXTS),
        weight=4,
    ),
    group(
        "figures",
        "Captions, references and list are live",
        leaf("captions", "The captions number themselves", _captions, observes=(*TEXTS, f"styles:{FILE}"), weight=2),
        leaf("references", "Each reference leads to the figure that is meant", _references, observes=TEXTS, weight=3),
        leaf("list", "The list of figures shows captions and pages", _list, observes=TEXTS, weight=2),
        weight=4,
    ),
    group(
        "formulas",
        "Formulas are equations",
        leaf("displayed", "Formulas on separate lines", _displayed, observes=TEXTS),
        leaf("inline", "Formulas within a line", _inline, observes=TEXTS),
        weight=2,
    ),
    leaves.answer_number("The answer counts the footnotes", lambda facts: len(facts["notes"])),
    leaf("untracked", "Nothing is a tracked change", _untracked, observes=(f"changes:{FILE}",), kind="guardrail"),
    leaf("kept", "The rest of the article is as it was", _kept, observes=(*SOME, *REST), kind="guardrail"),
    leaf(
        "dressed", "What had to change looks as it did", _dressed, observes=(*TEXTS, f"styles:{FILE}"), kind="guardrail"
    ),
    leaves.nothing_else(FILE, id="others", says="No other file was touched"),
)
