"""Notes are footnotes at their places, references and captions live, formulas equations; the rest is as it was."""

from collections import Counter

from toolyard.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from toolyard.evaluators.collateral import kept_outside
from toolyard.evaluators.office.footnotes_fix.article import Equation, Line, lines, meant, plain
from toolyard.evaluators.readers.answers import single_number
from toolyard.evaluators.readers.documents import Document, Paragraph, document
from toolyard.evaluators.readers.files import only_changed
from toolyard.evaluators.submission import Submission

FILE = "article/nitrate_manuscript_v7.docx"
LIST = "List of figures"
NOTES = "Notes"
DEAD = "Error!"


def _read(submission: Submission) -> Document:
    return document(submission, FILE)


def _lines(submission: Submission) -> list[Line]:
    return lines(submission, FILE)


def _notes(submission: Submission, facts: Facts) -> Finding:
    """All footnotes in the order of the article, and no others."""
    found = [plain(each.text) for each in _read(submission).notes if each.kind == "footnote"]
    wanted = [plain(text) for _, text in facts["notes"]]
    odd = list((Counter(found) - Counter(wanted)).elements()) + list((Counter(wanted) - Counter(found)).elements())
    return finding(found == wanted, f"{len(found)} footnotes for {len(wanted)}; missing or too many: {odd[:4]}")


def _places(submission: Submission, facts: Facts) -> Finding:
    """Each mark stands right behind its text."""
    found = [(before, text) for line in _lines(submission) for before, text in line.notes]
    lost = []
    for before, text in facts["notes"]:
        match = next((each for each in found if each == (plain(before), plain(text))), None)
        if match is None:
            lost.append(f"{before[-40:]!r}: {text[:30]}")
        else:
            found.remove(match)
    return finding(not lost, f"{len(lost)} marks stand elsewhere: {lost[:4]}")


def _texts(submission: Submission, facts: Facts) -> Finding:
    """The paragraphs read as they should, other brackets and sums of money included."""
    texts = [line.text for line in _lines(submission)]
    lost = [parts[0][:60] for parts in facts["after"] if not any(_reads(text, parts) for text in texts)]
    return finding(not lost, f"{len(lost)} paragraphs read otherwise: {lost[:4]}")


def _reads(text: str, parts: list[str]) -> bool:
    """Whether a paragraph begins and ends as wanted, with nothing but its formula in between."""
    if len(parts) == 1:
        return text == plain(parts[0])
    first, last = plain(parts[0]), plain(parts[-1])
    between = text.removeprefix(first).removesuffix(last)
    return text.startswith(first) and text.endswith(last) and 0 < len(between) < 25 and "$" not in between


def _left(submission: Submission, facts: Facts) -> Finding:
    """Of the list at the end only the entry that nobody refers to is left."""
    left = [
        plain(each.text)
        for each in _read(submission).section(NOTES)
        if isinstance(each, Paragraph) and each.text.strip()
    ]
    return finding(left == [plain(facts["orphan"])], f"under {NOTES} stand {len(left)} entries: {left[:3]}")


def _captions(submission: Submission, facts: Facts) -> Finding:
    wanted = [f"Figure {number}: {caption}" for number, caption in enumerate(facts["captions"], 1)]
    found = [line.text for line in _lines(submission) if line.counted]
    styles = {plain(each.text): each.style.casefold() for each in _read(submission).paragraphs}
    odd = [text for text in wanted if styles.get(text) != "caption"]
    return finding(found == wanted and not odd, f"captions that count themselves: {found}; of another style: {odd}")


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
    read = _read(submission)
    codes = [each.code for each in read.fields if each.code.upper().startswith("TOC") and "Figure" in each.code]
    shown = [plain(each.text) for each in read.section(LIST) if isinstance(each, Paragraph) and each.text.strip()]
    figures = enumerate(zip(facts["captions"], facts["pages"], strict=True), 1)
    wanted = [f"Figure {number}: {caption} {page}" for number, (caption, page) in figures]
    return finding(len(codes) == 1 and shown == wanted, f"lists {codes}; under {LIST}: {shown}")


def _equations(submission: Submission, facts: Facts, *, alone: bool) -> Finding:
    name = "displayed" if alone else "inline"
    found = [each for line in _lines(submission) for each in line.equations if each.alone is alone]
    wanted = [meant(latex, alone=alone) for latex in facts[name]]
    texts = " ".join(line.text for line in _lines(submission))
    left = [latex for latex in facts[name] if plain(latex) in texts]
    same = len(found) == len(wanted) and all(map(_alike, found, wanted))
    return finding(same and not left, f"{len(found)} equations for {len(wanted)}: {found[:2]}; still LaTeX: {left}")


def _alike(found: Equation, wanted: Equation) -> bool:
    return (found.letters, found.fractions, found.roots) == (wanted.letters, wanted.fractions, wanted.roots) and (
        found.scripts >= wanted.scripts
    )


def _displayed(submission: Submission, facts: Facts) -> Finding:
    return _equations(submission, facts, alone=True)


def _inline(submission: Submission, facts: Facts) -> Finding:
    return _equations(submission, facts, alone=False)


def _answer(submission: Submission, facts: Facts) -> Finding:
    return finding(single_number(submission.answer) == len(facts["notes"]), f"expected {len(facts['notes'])}")


def _kept(submission: Submission, facts: Facts) -> Finding:
    """Nothing but the paragraphs with notes, references and formulas, the captions and the two lists has changed."""
    touched = [plain(text)[:60] for text in facts["before"]]
    typed = [
        plain(each.text)[:60]
        for each in document(submission.untouched, FILE).paragraphs
        if each.text.startswith(("$$", "Figure "))
    ]
    allowed = [f"paragraph#{text}" for text in (*touched, *typed)] + [f"note#{text[:60]}" for text in facts["added"]]
    fields = [f"field#{code}*" for code in ("REF", "SEQ", "TOC", "PAGEREF", "HYPERLINK")]
    return kept_outside(submission, FILE, *allowed, *fields, f"under#{LIST}", f"under#{NOTES}")


def _untracked(submission: Submission, _facts: Facts) -> Finding:
    changes = _read(submission).changes
    return finding(not changes, f"{len(changes)} tracked changes")


def _others(submission: Submission, _facts: Facts) -> Finding:
    return only_changed(submission, FILE)


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
        leaf("places", "Each mark stands where the brackets stood", _places, observes=SOME, weight=2),
        leaf("texts", "The paragraphs read as they should", _texts, observes=TEXTS),
        leaf("left", "Only the entry that nobody refers to is left in the list", _left, observes=TEXTS),
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
        leaf("displayed", "Formulas on lines of their own", _displayed, observes=TEXTS),
        leaf("inline", "Formulas within a line", _inline, observes=TEXTS),
        weight=2,
    ),
    leaf("answer", "The answer counts the footnotes", _answer, observes=("answer",)),
    leaf("untracked", "Nothing is a tracked change", _untracked, observes=(f"changes:{FILE}",), kind="guardrail"),
    leaf("kept", "The rest of the article is as it was", _kept, observes=(*SOME, *REST), kind="guardrail"),
    leaf("others", "No other file was touched", _others, observes=("input:*", "stray:*"), kind="guardrail"),
)
