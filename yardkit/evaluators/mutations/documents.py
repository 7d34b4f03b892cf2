"""Mutants of Word documents (docx)."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from yardkit.evaluators.mutations.answers import FILLER, changed_number, changed_word
from yardkit.evaluators.mutations.mutant import Mutant
from yardkit.evaluators.mutations.packages import Change, Draft, mutant, short
from yardkit.evaluators.readers.office.document_styles import read_styles, w
from yardkit.evaluators.readers.office.document_text import text_of

MAX_EACH = 3
"""Mutants of one operator in one document."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]{4,}")
_W15 = "{http://schemas.microsoft.com/office/word/2012/wordml}"
_DRAWING = w("drawing")


def mutants(workspace: Path, path: str, rng: random.Random) -> Iterator[Mutant]:
    """Body, paragraphs, numbers, rows, headings, comments, changes, notes, headers and pictures, some of each."""
    draft = Draft(workspace / path)
    root = draft.xml(draft.main)
    yield mutant("body_filler", "body", "the body is a filler", path, _fill_body)
    yield from _of_paragraphs(path, root, rng)
    yield from _of_tables(path, root, rng)
    yield from _of_headings(path, draft, rng)
    yield from _of_comments(path, draft, rng)
    yield from _of_changes(path, root, rng)
    yield from _of_notes(path, root, draft, rng)
    yield from _of_headers(path, draft)
    for number, drawing in enumerate(list(root.iter(_DRAWING))[:MAX_EACH]):
        alt = next((element.get("descr", "") for element in drawing.iter() if str(element.tag).endswith("}docPr")), "")
        target = f"pictures#{short(alt)}"
        yield mutant("picture_dropped", target, f"picture {number + 1} is missing", path, _drop(_DRAWING, number))


def _some(rng: random.Random, items: list[Any], most: int = MAX_EACH) -> list[Any]:
    return sorted(rng.sample(items, min(most, len(items))), key=items.index)


def _in_table(element: Any) -> bool:
    return next(element.iterancestors(w("tbl")), None) is not None


def _of_paragraphs(path: str, root: Any, rng: random.Random) -> Iterator[Mutant]:
    paragraphs = list(root.iter(w("p")))
    filled = [
        n for n, paragraph in enumerate(paragraphs) if _WORD.search(text_of(paragraph)) and not _in_table(paragraph)
    ]
    for number in _some(rng, filled):
        text = text_of(paragraphs[number])
        target = f"paragraphs#{short(text)}"
        says = f"the paragraph {short(text)!r}"
        yield mutant("paragraph_filler", target, f"{says} is a filler", path, _fill(number))
        yield mutant("paragraph_dropped", target, f"{says} is missing", path, _drop(w("p"), number))
    for operator, pattern in (("paragraph_number", _NUMBER), ("paragraph_word", _WORD)):
        texts = list(root.iter(w("t")))
        found = [n for n, element in enumerate(texts) if pattern.search(element.text or "")]
        for number in _some(rng, found, MAX_EACH + 1):
            yield _of_text(path, root, number, operator, pattern, rng)


def _of_text(path: str, root: Any, number: int, operator: str, pattern: re.Pattern[str], rng: random.Random) -> Mutant:
    element = list(root.iter(w("t")))[number]
    match = rng.choice(list(pattern.finditer(element.text)))
    other = changed_number(match.group(), rng) if pattern is _NUMBER else changed_word(match.group())
    text = element.text[: match.start()] + other + element.text[match.end() :]
    paragraph = next(element.iterancestors(w("p")))
    target = f"paragraphs#{short(text_of(paragraph))}"
    if _in_table(element):
        table = next(element.iterancestors(w("tbl")))
        target = f"rows#{list(root.iter(w('tbl'))).index(table) + 1}"

    def change(draft: Draft) -> None:
        list(draft.xml(draft.main).iter(w("t")))[number].text = text

    return mutant(operator, target, f"{match.group()!r} became {other!r}", path, change)


def _of_tables(path: str, root: Any, rng: random.Random) -> Iterator[Mutant]:
    rows = list(root.iter(w("tr")))
    tables = list(root.iter(w("tbl")))
    for number in _some(rng, list(range(len(rows)))):
        table = tables.index(next(rows[number].iterancestors(w("tbl")))) + 1
        says = f"the row {short(text_of(rows[number]))!r} of table {table} is missing"
        yield mutant("table_row_dropped", f"rows#{table}", says, path, _drop(w("tr"), number))


def _of_headings(path: str, draft: Draft, rng: random.Random) -> Iterator[Mutant]:
    styles = read_styles(draft.parts, draft.main)
    paragraphs = list(draft.xml(draft.main).iter(w("p")))
    headings = [n for n, paragraph in enumerate(paragraphs) if styles.level(paragraph.find(w("pPr")))]
    for number in _some(rng, headings):
        text = short(text_of(paragraphs[number]))

        def change(draft: Draft, number: int = number) -> None:
            paragraph = list(draft.xml(draft.main).iter(w("p")))[number]
            paragraph.remove(paragraph.find(w("pPr")))

        yield mutant("heading_style_lost", f"styles#{text}", f"the heading {text!r} is body text", path, change)


def _of_comments(path: str, draft: Draft, rng: random.Random) -> Iterator[Mutant]:
    found = draft.parts.related(draft.main, "comments")
    comments = list(draft.parts.xml(found[0]).iterfind(w("comment"))) if found else []
    states = draft.parts.related(draft.main, "commentsExtended")
    for comment in _some(rng, comments):
        text = "".join(piece.text or "" for piece in comment.iter(w("t")))
        target = f"comments#{comment.get(w('author'))}!{short(text)}"
        identity = comment.get(w("id"))
        yield mutant("comment_dropped", target, f"the comment {short(text)!r} is missing", path, _uncomment(identity))
        marks = {
            value
            for paragraph in comment.iter(w("p"))
            for key, value in paragraph.attrib.items()
            if key.endswith("paraId")
        }
        if states and marks and not _is_reply(draft.parts.xml(states[0]), marks):
            says = f"the comment {short(text)!r} is in the other state, open or resolved"
            yield mutant("comment_state", target, says, path, _toggle(states[0], marks))


def _is_reply(states: Any, marks: set[str]) -> bool:
    """A thread is open or resolved, not the replies in it."""
    return any(
        state.get(f"{_W15}paraId") in marks and state.get(f"{_W15}paraIdParent")
        for state in states.iter(f"{_W15}commentEx")
    )


def _uncomment(identity: str) -> Change:
    def change(draft: Draft) -> None:
        names = [w(name) for name in ("commentRangeStart", "commentRangeEnd", "commentReference")]
        part = draft.parts.related(draft.main, "comments")[0]
        for tree, tags in ((draft.xml(draft.main), names), (draft.xml(part), [w("comment")])):
            for element in [tag for tag in tree.iter(*tags) if tag.get(w("id")) == identity]:
                element.getparent().remove(element)

    return change


def _toggle(part: str, marks: set[str]) -> Change:
    def change(draft: Draft) -> None:
        entries = [state for state in draft.xml(part).iter(f"{_W15}commentEx") if state.get(f"{_W15}paraId") in marks]
        for entry in entries:
            entry.set(f"{_W15}done", "0" if entry.get(f"{_W15}done") == "1" else "1")
        if not entries:
            from lxml import etree

            made = etree.SubElement(draft.xml(part), f"{_W15}commentEx")
            made.set(f"{_W15}paraId", sorted(marks)[0])
            made.set(f"{_W15}done", "1")

    return change


def _of_changes(path: str, root: Any, rng: random.Random) -> Iterator[Mutant]:
    found = [change for change in root.iter(w("ins"), w("del")) if text_of(change, "rejected") or text_of(change)]
    for element in _some(rng, found, MAX_EACH + 1):
        number = found.index(element)
        kind = "insertion" if element.tag == w("ins") else "deletion"
        text = short(text_of(element) or text_of(element, "rejected"))
        target = f"changes#{element.get(w('author'))}!{text}"
        for operator, accept in (("change_accepted", True), ("change_rejected", False)):
            says = f"the {kind} of {text!r} is {operator.split('_')[1]}"
            yield mutant(operator, target, says, path, _settle(number, accept=accept))


def _settle(number: int, *, accept: bool) -> Change:
    def change(draft: Draft) -> None:
        tree = draft.xml(draft.main)
        found = [
            candidate
            for candidate in tree.iter(w("ins"), w("del"))
            if text_of(candidate, "rejected") or text_of(candidate)
        ]
        element = found[number]
        if (element.tag == w("ins")) is accept:
            for child in list(element):
                element.addprevious(child)
                for text in child.iter(w("delText")):
                    text.tag = w("t")
        element.getparent().remove(element)

    return change


def _of_notes(path: str, root: Any, draft: Draft, rng: random.Random) -> Iterator[Mutant]:
    texts = {
        element.get(w("id")): "".join(text_of(p) for p in element.iter(w("p")))
        for part in draft.parts.related(draft.main, "footnotes")
        for element in draft.parts.xml(part).iterfind(w("footnote"))
    }
    references = list(root.iter(w("footnoteReference")))
    for number in _some(rng, list(range(len(references)))):
        text = short(texts.get(references[number].get(w("id")), ""))
        change = _drop(w("footnoteReference"), number)
        yield mutant("footnote_dropped", f"notes#{text}", f"the footnote {text!r} is missing", path, change)


def _of_headers(path: str, draft: Draft) -> Iterator[Mutant]:
    for kind in ("header", "footer"):
        for part in draft.parts.related(draft.main, kind)[:2]:
            texts = [text.text or "" for text in draft.parts.xml(part).iter(w("t"))]
            if any(_WORD.search(text) for text in texts):
                says = f"the {kind} has another text"
                yield mutant(f"{kind}_changed", f"headers#{kind}", says, path, _other_words(part))


def _other_words(part: str) -> Change:
    def change(draft: Draft) -> None:
        for text in draft.xml(part).iter(w("t")):
            text.text = _WORD.sub(lambda match: changed_word(match.group()), text.text or "")

    return change


def _fill(number: int) -> Change:
    def change(draft: Draft) -> None:
        _say(list(draft.xml(draft.main).iter(w("p")))[number], FILLER)

    return change


def _fill_body(draft: Draft) -> None:
    body = draft.xml(draft.main).find(w("body"))
    first, *others = [child for child in body if child.tag != w("sectPr")]
    for other in others:
        body.remove(other)
    if first.tag == w("p"):
        _say(first, FILLER)


def _say(paragraph: Any, text: str) -> None:
    """Put a text in place of all that a paragraph holds; its properties stay."""
    from lxml import etree

    for child in list(paragraph):
        if child.tag != w("pPr"):
            paragraph.remove(child)
    etree.SubElement(etree.SubElement(paragraph, w("r")), w("t")).text = text


def _drop(tag: str, number: int) -> Change:
    def change(draft: Draft) -> None:
        element = list(draft.xml(draft.main).iter(tag))[number]
        element.getparent().remove(element)

    return change
