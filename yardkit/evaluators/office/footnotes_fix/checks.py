"""Notes are footnotes at their places, references and captions live, formulas equations; the rest is as it was."""

import re
from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import pairwise

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, define_leaf, make_finding, make_group
from yardkit.evaluators.office.footnotes_fix.article import Line, normalize_text, read_lines, read_sequence_name
from yardkit.evaluators.office.footnotes_fix.equations import Equation, list_signs, parse_latex
from yardkit.evaluators.readers.office.documents import Document, Paragraph, read_document
from yardkit.evaluators.side_effects import check_unchanged_outside
from yardkit.evaluators.submission import Submission

FILE = "article/nitrate_manuscript_v7.docx"
LIST = "List of figures"
NOTES = "Notes"
DEAD = "Error!"
OWN_NOTES = 2
"""Footnotes that were there already."""


TEXTS = (f"paragraphs:{FILE}", f"body:{FILE}")
REST = tuple(f"{kind}:{FILE}" for kind in ("rows", "styles", "headers", "pictures", "changes"))
SOME = (*TEXTS, f"notes:{FILE}")


def _read_article(submission: Submission) -> Document:
    return read_document(submission, FILE)


def _list_lines(submission: Submission) -> list[Line]:
    return read_lines(submission, FILE)


@define_leaf("footnotes", "Every note is a footnote, in the order of the article", *SOME, weight=3)
def _check_notes(submission: Submission, facts: Facts) -> Finding:
    """All footnotes in the order of the article, and no others."""
    note_texts = [normalize_text(note.text) for note in _read_article(submission).notes if note.kind == "footnote"]
    expected_notes = [normalize_text(text) for _, text in facts["notes"]]
    unexpected = list((Counter(note_texts) - Counter(expected_notes)).elements()) + list(
        (Counter(expected_notes) - Counter(note_texts)).elements()
    )
    return make_finding(
        note_texts == expected_notes,
        f"{len(note_texts)} footnotes for {len(expected_notes)}; missing or too many: {unexpected[:4]}",
    )


@define_leaf("places", "Each mark is where the brackets were", *SOME, weight=2)
def _check_note_positions(submission: Submission, facts: Facts) -> Finding:
    """Each mark stands right behind its text."""
    mark_positions = [(mark.before, mark.note) for line in _list_lines(submission) for mark in line.notes]
    lost = []
    for before, text in facts["notes"]:
        match = next((pair for pair in mark_positions if pair == (normalize_text(before), normalize_text(text))), None)
        if match is None:
            lost.append(f"{before[-40:]!r}: {text[:30]}")
        else:
            mark_positions.remove(match)
    return make_finding(not lost, f"{len(lost)} marks are elsewhere: {lost[:4]}")


@define_leaf("seen", "Marks are raised, notes are numbered and can be read", *SOME)
def _check_visible_notes(submission: Submission, _facts: Facts) -> Finding:
    """Marks are raised, notes show their number and can be read."""
    marks = [mark for line in _list_lines(submission) for mark in line.notes]
    problems = [f"{mark.note[:30]}: {mark.fault}" for mark in marks if mark.fault]
    hidden = [line.text[:40] for line in _list_lines(submission) if line.hidden]
    return make_finding(
        len(marks) > OWN_NOTES and not problems and not hidden,
        f"{len(marks)} marks; {problems[:3]}; hidden text in {hidden}",
    )


@define_leaf("texts", "The paragraphs read as they should", *TEXTS)
def _check_texts(submission: Submission, facts: Facts) -> Finding:
    """The paragraphs read as they should, other brackets and sums of money included."""
    texts = [line.text for line in _list_lines(submission)]
    lost = [
        parts[0][:60]
        for parts in _list_expected_texts(facts)
        if not any(_reads_as_expected(text, parts) for text in texts)
    ]
    return make_finding(not lost, f"{len(lost)} paragraphs read differently: {lost[:4]}")


def _list_expected_texts(facts: Facts) -> Iterator[tuple[str, ...]]:
    """Each paragraph: its text, or what stands before its formula, behind it, and what the formula says."""
    inline = iter(facts["inline"])
    for parts in facts["after"]:
        yield (
            *map(normalize_text, parts),
            *((parse_latex(next(inline), alone=False).signs,) if len(parts) > 1 else ()),
        )


def _reads_as_expected(text: str, parts: tuple[str, ...]) -> bool:
    """Whether a paragraph begins and ends as wanted, with nothing but its formula in between."""
    if len(parts) == 1:
        return text == parts[0]
    first, last, formula = parts
    between = text.removeprefix(first).removesuffix(last)
    return text.startswith(first) and text.endswith(last) and list_signs(between) == formula and "$" not in between


@define_leaf("left", "Only the entry without a reference is left in the list", *TEXTS)
def _check_remaining_list(submission: Submission, facts: Facts) -> Finding:
    """Of the list at the end only the entry that nobody refers to is left."""
    left = [
        normalize_text(paragraph.text)
        for paragraph in _read_article(submission).list_section(NOTES)
        if isinstance(paragraph, Paragraph) and paragraph.text.strip()
    ]
    return make_finding(
        left == [normalize_text(facts["orphan"])], f"under {NOTES} stand {len(left)} entries: {left[:3]}"
    )


@define_leaf("captions", "The captions number themselves", *TEXTS, f"styles:{FILE}", weight=2)
def _check_captions(submission: Submission, facts: Facts) -> Finding:
    expected_captions = [f"Figure {number}: {caption}" for number, caption in enumerate(facts["captions"], 1)]
    every = _list_lines(submission)
    caption_texts = [line.text for line in every if line.counted]
    away = [line.text for before, line in pairwise(every) if line.counted and not before.picture]
    read = _read_article(submission)
    styles = {normalize_text(paragraph.text): paragraph.style.casefold() for paragraph in read.paragraphs}
    unstyled = [text for text in expected_captions if styles.get(text) != "caption"]
    names = {line.counted for line in every if line.counted}
    others = [field.code for field in read.fields if read_sequence_name(field.code) not in {"", *names}]
    return make_finding(
        caption_texts == expected_captions and not unstyled and not away and not others and len(names) == 1,
        f"captions that count themselves: {caption_texts}; of another style: {unstyled}; not below a picture: {away}; "
        f"sequences {sorted(names)}; also {others}",
    )


@define_leaf("references", "Each reference leads to the figure that is meant", *TEXTS, weight=3)
def _check_references(submission: Submission, facts: Facts) -> Finding:
    """Each reference leads to label and number of the figure that is meant."""
    every = _list_lines(submission)
    marks = {name: text for line in every if line.counted for name, text in line.bookmarks.items()}
    reference_names = [name for line in every for name in line.references]
    expected_references = [f"Figure {number}" for number in facts["references"]]
    caption_labels = [marks.get(name, f"{name} is at no caption") for name in reference_names]
    dead = sum(DEAD in line.text for line in every)
    return make_finding(
        caption_labels == expected_references and not dead,
        f"references to {caption_labels}, expected {expected_references}; still lost: {dead}",
    )


@define_leaf("list", "The list of figures shows captions and pages", *TEXTS, weight=2)
def _check_figure_list(submission: Submission, facts: Facts) -> Finding:
    read, names = _read_article(submission), {line.counted for line in _list_lines(submission)}
    lists = [field for field in read.fields if _read_listed_sequence(field.code) in names]
    generated = [text for listed in lists for line in listed.result.split("\n") if (text := normalize_text(line))]
    list_entries = [
        normalize_text(paragraph.text)
        for paragraph in read.list_section(LIST)
        if isinstance(paragraph, Paragraph) and paragraph.text.strip()
    ]
    figures = enumerate(zip(facts["captions"], facts["pages"], strict=True), 1)
    expected_entries = [f"Figure {number}: {caption} {page}" for number, (caption, page) in figures]
    return make_finding(
        len(lists) == 1 and list_entries == expected_entries and generated == expected_entries,
        f"lists {[listed.code for listed in lists]} of {len(generated)} lines; under {LIST}: {list_entries}",
    )


def _read_listed_sequence(code: str) -> str | None:
    """The name, in small letters, of the sequence whose captions a field lists."""
    match = re.match(r"TOC\b.*\\c\s*\"?([^\s\"\\]+)", code, re.I)
    return match[1].casefold() if match else None


def _check_equations(submission: Submission, facts: Facts, *, alone: bool) -> Finding:
    name = "displayed" if alone else "inline"
    matching_equations = [
        equation for line in _list_lines(submission) for equation in line.equations if equation.alone is alone
    ]
    expected_equations = [parse_latex(latex, alone=alone) for latex in facts[name]]
    texts = " ".join(line.text for line in _list_lines(submission))
    left = [latex for latex in facts[name] if normalize_text(latex) in texts]
    same = len(matching_equations) == len(expected_equations) and all(
        map(Equation.shows_equation, matching_equations, expected_equations)
    )
    return make_finding(
        same and not left,
        f"{len(matching_equations)} equations for {len(expected_equations)}: {matching_equations[:2]}; still LaTeX:"
        f" {left}",
    )


@define_leaf("displayed", "Formulas on separate lines", *TEXTS)
def _check_displayed(submission: Submission, facts: Facts) -> Finding:
    return _check_equations(submission, facts, alone=True)


@define_leaf("inline", "Formulas within a line", *TEXTS)
def _check_inline(submission: Submission, facts: Facts) -> Finding:
    return _check_equations(submission, facts, alone=False)


@define_leaf("kept", "The rest of the article is as it was", *SOME, *REST, kind="guardrail")
def _check_unchanged(submission: Submission, facts: Facts) -> Finding:
    """Nothing but the paragraphs with notes, references and formulas, the captions and the two lists has changed."""
    touched = [normalize_text(text)[:60] for text in facts["before"]]
    typed = [
        normalize_text(paragraph.text)[:60]
        for paragraph in read_document(submission.untouched, FILE).paragraphs
        if paragraph.text.startswith(("$$", "Figure "))
    ]
    allowed = [f"paragraph#{text}" for text in (*touched, *typed)] + [f"note#{text[:60]}" for text in facts["added"]]
    codes = ("REF", "SEQ", "TOC", "PAGEREF", "HYPERLINK")
    fields = [f"field#{code}*" for code in codes]
    return check_unchanged_outside(submission, FILE, *allowed, *fields, f"under#{LIST}", f"under#{NOTES}")


@define_leaf("dressed", "What had to change looks as it did", *TEXTS, f"styles:{FILE}", kind="guardrail")
def _check_looks(submission: Submission, facts: Facts) -> Finding:
    """The paragraphs that had to change look as they did, and sections still begin on a page of their own."""
    old, new = read_document(submission.untouched, FILE).paragraphs, _read_article(submission).paragraphs
    pairs = [
        *zip(map(normalize_text, facts["before"]), _list_expected_texts(facts), strict=True),
        *_list_renumbered(old, facts),
    ]
    unexpected = [
        parts[0][:50]
        for text, parts in pairs
        if not {
            _describe_look(paragraph) for paragraph in new if _reads_as_expected(normalize_text(paragraph.text), parts)
        }
        <= {_describe_look(paragraph) for paragraph in old if normalize_text(paragraph.text) == text}
    ]
    moved = sorted(_first_lines(old) - _first_lines(new))
    return make_finding(
        not unexpected and not moved, f"look different: {unexpected[:4]}; no longer at the top of a page: {moved}"
    )


def _list_renumbered(old: list[Paragraph], facts: Facts) -> Iterator[tuple[str, tuple[str, ...]]]:
    for number, caption in enumerate(facts["captions"], 1):
        typed = next(
            normalize_text(paragraph.text)
            for paragraph in old
            if paragraph.text.startswith("Figure ") and caption in paragraph.text
        )
        yield typed, (f"Figure {number}: {caption}",)


def _describe_look(paragraph: Paragraph) -> Hashable:
    looks = {run.look for run in paragraph.runs if run.text.strip()}
    return paragraph.style.casefold(), paragraph.alignment, paragraph.list_kind, frozenset(looks)


def _first_lines(paragraphs: list[Paragraph]) -> set[str]:
    """Headings that begin a page; some programs put the break at the end of the paragraph before."""
    pairs = pairwise(paragraphs)
    return {
        normalize_text(paragraph.text)
        for before, paragraph in pairs
        if paragraph.level and (paragraph.page_break or before.page_break)
    }


@define_leaf("untracked", "Nothing is a tracked change", f"changes:{FILE}", kind="guardrail")
def _check_untracked(submission: Submission, _facts: Facts) -> Finding:
    changes = _read_article(submission).changes
    return make_finding(not changes, f"{len(changes)} tracked changes")


CHECKS = make_group(
    "footnotes_fix",
    "The article has the form of the guidelines",
    make_group(
        "notes",
        "The notes are footnotes",
        _check_notes,
        _check_note_positions,
        _check_visible_notes,
        _check_texts,
        _check_remaining_list,
        weight=4,
    ),
    make_group(
        "figures",
        "Captions, references and list are live",
        _check_captions,
        _check_references,
        _check_figure_list,
        weight=4,
    ),
    make_group("formulas", "Formulas are equations", _check_displayed, _check_inline, weight=2),
    leaves.answer_number("The answer counts the footnotes", lambda facts: len(facts["notes"])),
    _check_untracked,
    _check_unchanged,
    _check_looks,
    leaves.nothing_else(FILE, id="others", statement="No other file was touched"),
)
