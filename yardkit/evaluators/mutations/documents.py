"""Mutants of Word documents (docx)."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from yardkit.evaluators.mutations.answers import FILLER, changed_number, changed_word
from yardkit.evaluators.mutations.mutant import Mutant
from yardkit.evaluators.mutations.packages import Change, Draft, make_mutant, shorten_text
from yardkit.evaluators.readers.office.document_styles import qualify_word_name, read_styles
from yardkit.evaluators.readers.office.document_text import text_of

MAX_EACH = 3
"""Mutants of one operator in one document."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]{4,}")
_W15 = "{http://schemas.microsoft.com/office/word/2012/wordml}"
_DRAWING = qualify_word_name("drawing")


def generate_mutants(workspace: Path, path: str, rng: random.Random) -> Iterator[Mutant]:
    """Generate some mutants of each: body, paragraphs, numbers, rows, headings, comments, changes, notes, pictures."""
    draft = Draft(workspace / path)
    root = draft.xml(draft.main)
    yield make_mutant("body_filler", "body", "the body is a filler", path, _fill_body)
    yield from _of_paragraphs(path, root, rng)
    yield from _of_tables(path, root, rng)
    yield from _of_headings(path, draft, rng)
    yield from _of_comments(path, draft, rng)
    yield from _of_changes(path, root, rng)
    yield from _of_notes(path, root, draft, rng)
    yield from _of_headers(path, draft)
    for number, drawing in enumerate(list(root.iter(_DRAWING))[:MAX_EACH]):
        alt = next((element.get("descr", "") for element in drawing.iter() if str(element.tag).endswith("}docPr")), "")
        target = f"pictures#{shorten_text(alt)}"
        yield make_mutant(
            "picture_dropped", target, f"picture {number + 1} is missing", path, _drop_element(_DRAWING, number)
        )


def _sample_some(rng: random.Random, items: list[Any], most: int = MAX_EACH) -> list[Any]:
    return sorted(rng.sample(items, min(most, len(items))), key=items.index)


def _in_table(element: Any) -> bool:
    return next(element.iterancestors(qualify_word_name("tbl")), None) is not None


def _of_paragraphs(path: str, root: Any, rng: random.Random) -> Iterator[Mutant]:
    paragraphs = list(root.iter(qualify_word_name("p")))
    filled = [
        n for n, paragraph in enumerate(paragraphs) if _WORD.search(text_of(paragraph)) and not _in_table(paragraph)
    ]
    for number in _sample_some(rng, filled):
        text = text_of(paragraphs[number])
        target = f"paragraphs#{shorten_text(text)}"
        description = f"the paragraph {shorten_text(text)!r}"
        yield make_mutant("paragraph_filler", target, f"{description} is a filler", path, _fill_paragraphs(number))
        yield make_mutant(
            "paragraph_dropped",
            target,
            f"{description} is missing",
            path,
            _drop_element(qualify_word_name("p"), number),
        )
    for operator, pattern in (("paragraph_number", _NUMBER), ("paragraph_word", _WORD)):
        texts = list(root.iter(qualify_word_name("t")))
        matching_numbers = [n for n, element in enumerate(texts) if pattern.search(element.text or "")]
        for number in _sample_some(rng, matching_numbers, MAX_EACH + 1):
            yield _of_text(path, root, number, operator, pattern, rng)


def _of_text(path: str, root: Any, number: int, operator: str, pattern: re.Pattern[str], rng: random.Random) -> Mutant:
    element = list(root.iter(qualify_word_name("t")))[number]
    match = rng.choice(list(pattern.finditer(element.text)))
    other = changed_number(match.group(), rng) if pattern is _NUMBER else changed_word(match.group())
    text = element.text[: match.start()] + other + element.text[match.end() :]
    paragraph = next(element.iterancestors(qualify_word_name("p")))
    target = f"paragraphs#{shorten_text(text_of(paragraph))}"
    if _in_table(element):
        table = next(element.iterancestors(qualify_word_name("tbl")))
        target = f"rows#{list(root.iter(qualify_word_name('tbl'))).index(table) + 1}"

    def change(draft: Draft) -> None:
        list(draft.xml(draft.main).iter(qualify_word_name("t")))[number].text = text

    return make_mutant(operator, target, f"{match.group()!r} became {other!r}", path, change)


def _of_tables(path: str, root: Any, rng: random.Random) -> Iterator[Mutant]:
    rows = list(root.iter(qualify_word_name("tr")))
    tables = list(root.iter(qualify_word_name("tbl")))
    for number in _sample_some(rng, list(range(len(rows)))):
        table = tables.index(next(rows[number].iterancestors(qualify_word_name("tbl")))) + 1
        description = f"the row {shorten_text(text_of(rows[number]))!r} of table {table} is missing"
        yield make_mutant(
            "table_row_dropped", f"rows#{table}", description, path, _drop_element(qualify_word_name("tr"), number)
        )


def _of_headings(path: str, draft: Draft, rng: random.Random) -> Iterator[Mutant]:
    styles = read_styles(draft.parts, draft.main)
    paragraphs = list(draft.xml(draft.main).iter(qualify_word_name("p")))
    headings = [n for n, paragraph in enumerate(paragraphs) if styles.level(paragraph.find(qualify_word_name("pPr")))]
    for number in _sample_some(rng, headings):
        text = shorten_text(text_of(paragraphs[number]))

        def change(draft: Draft, number: int = number) -> None:
            paragraph = list(draft.xml(draft.main).iter(qualify_word_name("p")))[number]
            paragraph.remove(paragraph.find(qualify_word_name("pPr")))

        yield make_mutant("heading_style_lost", f"styles#{text}", f"the heading {text!r} is body text", path, change)


def _of_comments(path: str, draft: Draft, rng: random.Random) -> Iterator[Mutant]:
    comments_part = draft.parts.list_related(draft.main, "comments")
    comments = list(draft.parts.xml(comments_part[0]).iterfind(qualify_word_name("comment"))) if comments_part else []
    states = draft.parts.list_related(draft.main, "commentsExtended")
    for comment in _sample_some(rng, comments):
        text = "".join(piece.text or "" for piece in comment.iter(qualify_word_name("t")))
        target = f"comments#{comment.get(qualify_word_name('author'))}!{shorten_text(text)}"
        identity = comment.get(qualify_word_name("id"))
        yield make_mutant(
            "comment_dropped", target, f"the comment {shorten_text(text)!r} is missing", path, _drop_comment(identity)
        )
        marks = {
            value
            for paragraph in comment.iter(qualify_word_name("p"))
            for key, value in paragraph.attrib.items()
            if key.endswith("paraId")
        }
        if states and marks and not _is_reply(draft.parts.xml(states[0]), marks):
            description = f"the comment {shorten_text(text)!r} is in the other state, open or resolved"
            yield make_mutant("comment_state", target, description, path, _toggle_comment(states[0], marks))


def _is_reply(states: Any, marks: set[str]) -> bool:
    """Whether a comment is a reply; only threads, not their replies, are open or resolved."""
    return any(
        state.get(f"{_W15}paraId") in marks and state.get(f"{_W15}paraIdParent")
        for state in states.iter(f"{_W15}commentEx")
    )


def _drop_comment(identity: str) -> Change:
    def change(draft: Draft) -> None:
        names = [qualify_word_name(name) for name in ("commentRangeStart", "commentRangeEnd", "commentReference")]
        part = draft.parts.list_related(draft.main, "comments")[0]
        for tree, tags in ((draft.xml(draft.main), names), (draft.xml(part), [qualify_word_name("comment")])):
            for element in [tag for tag in tree.iter(*tags) if tag.get(qualify_word_name("id")) == identity]:
                element.getparent().remove(element)

    return change


def _toggle_comment(part: str, marks: set[str]) -> Change:
    def change(draft: Draft) -> None:
        entries = [state for state in draft.xml(part).iter(f"{_W15}commentEx") if state.get(f"{_W15}paraId") in marks]
        for entry in entries:
            entry.set(f"{_W15}done", "0" if entry.get(f"{_W15}done") == "1" else "1")
        if not entries:
            from lxml import etree

            comment_mark = etree.SubElement(draft.xml(part), f"{_W15}commentEx")
            comment_mark.set(f"{_W15}paraId", sorted(marks)[0])
            comment_mark.set(f"{_W15}done", "1")

    return change


def _of_changes(path: str, root: Any, rng: random.Random) -> Iterator[Mutant]:
    tracked_changes = [
        change
        for change in root.iter(qualify_word_name("ins"), qualify_word_name("del"))
        if text_of(change, "rejected") or text_of(change)
    ]
    for element in _sample_some(rng, tracked_changes, MAX_EACH + 1):
        number = tracked_changes.index(element)
        kind = "insertion" if element.tag == qualify_word_name("ins") else "deletion"
        text = shorten_text(text_of(element) or text_of(element, "rejected"))
        target = f"changes#{element.get(qualify_word_name('author'))}!{text}"
        for operator, accept in (("change_accepted", True), ("change_rejected", False)):
            description = f"the {kind} of {text!r} is {operator.split('_')[1]}"
            yield make_mutant(operator, target, description, path, _settle_change(number, accept=accept))


def _settle_change(number: int, *, accept: bool) -> Change:
    def change(draft: Draft) -> None:
        tree = draft.xml(draft.main)
        tracked_changes = [
            candidate
            for candidate in tree.iter(qualify_word_name("ins"), qualify_word_name("del"))
            if text_of(candidate, "rejected") or text_of(candidate)
        ]
        element = tracked_changes[number]
        if (element.tag == qualify_word_name("ins")) is accept:
            for child in list(element):
                element.addprevious(child)
                for text in child.iter(qualify_word_name("delText")):
                    text.tag = qualify_word_name("t")
        element.getparent().remove(element)

    return change


def _of_notes(path: str, root: Any, draft: Draft, rng: random.Random) -> Iterator[Mutant]:
    texts = {
        element.get(qualify_word_name("id")): "".join(text_of(p) for p in element.iter(qualify_word_name("p")))
        for part in draft.parts.list_related(draft.main, "footnotes")
        for element in draft.parts.xml(part).iterfind(qualify_word_name("footnote"))
    }
    references = list(root.iter(qualify_word_name("footnoteReference")))
    for number in _sample_some(rng, list(range(len(references)))):
        text = shorten_text(texts.get(references[number].get(qualify_word_name("id")), ""))
        change = _drop_element(qualify_word_name("footnoteReference"), number)
        yield make_mutant("footnote_dropped", f"notes#{text}", f"the footnote {text!r} is missing", path, change)


def _of_headers(path: str, draft: Draft) -> Iterator[Mutant]:
    for kind in ("header", "footer"):
        for part in draft.parts.list_related(draft.main, kind)[:2]:
            texts = [text.text or "" for text in draft.parts.xml(part).iter(qualify_word_name("t"))]
            if any(_WORD.search(text) for text in texts):
                description = f"the {kind} has another text"
                yield make_mutant(f"{kind}_changed", f"headers#{kind}", description, path, _other_words(part))


def _other_words(part: str) -> Change:
    def change(draft: Draft) -> None:
        for text in draft.xml(part).iter(qualify_word_name("t")):
            text.text = _WORD.sub(lambda match: changed_word(match.group()), text.text or "")

    return change


def _fill_paragraphs(number: int) -> Change:
    def change(draft: Draft) -> None:
        _replace_content(list(draft.xml(draft.main).iter(qualify_word_name("p")))[number], FILLER)

    return change


def _fill_body(draft: Draft) -> None:
    body = draft.xml(draft.main).find(qualify_word_name("body"))
    first, *others = [child for child in body if child.tag != qualify_word_name("sectPr")]
    for other in others:
        body.remove(other)
    if first.tag == qualify_word_name("p"):
        _replace_content(first, FILLER)


def _replace_content(paragraph: Any, text: str) -> None:
    """Replace the content of a paragraph with a text; its properties stay."""
    from lxml import etree

    for child in list(paragraph):
        if child.tag != qualify_word_name("pPr"):
            paragraph.remove(child)
    etree.SubElement(etree.SubElement(paragraph, qualify_word_name("r")), qualify_word_name("t")).text = text


def _drop_element(tag: str, number: int) -> Change:
    def change(draft: Draft) -> None:
        element = list(draft.xml(draft.main).iter(tag))[number]
        element.getparent().remove(element)

    return change
