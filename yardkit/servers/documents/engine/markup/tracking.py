"""Writing tracked changes: runs, paragraph marks, rows and formats marked as inserted, deleted or changed."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any

from yardkit.servers.documents.engine.markup.names import (
    add_in_order,
    drop_children,
    ensure_child,
    find_element,
    iter_unwrapped,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import (
    holds_text,
    isolate_runs,
    list_runs,
    text_nodes,
    text_of,
)

MARKS = ("ins", "del", "moveFrom", "moveTo")
_NUMBERED_TAGS = {
    qualify_name(f"w:{name}")
    for name in (
        *MARKS,
        *("moveFromRangeStart", "moveToRangeStart", "rPrChange", "pPrChange", "sectPrChange", "tblPrChange"),
        *("trPrChange", "tcPrChange", "tblGridChange", "tblPrExChange", "numberingChange", "cellIns", "cellDel"),
        *("cellMerge", "customXmlInsRangeStart", "customXmlDelRangeStart"),
    )
}
_DELETED_NAMES = {
    qualify_name("w:t"): qualify_name("w:delText"),
    qualify_name("w:instrText"): qualify_name("w:delInstrText"),
}
_LIVE_NAMES = {deleted: live for live, deleted in _DELETED_NAMES.items()}
_WORDS = re.compile(r"\d+(?:[.,]\d+)*|\w+|\W")
_PATCHWORK = 0.5
_DELETIONS = (qualify_name("w:del"), qualify_name("w:moveFrom"))
_OF_SINGLE_RUN = {qualify_name(f"w:{name}") for name in (*MARKS, "rPrChange")}


@dataclass
class Tracker:
    """Who changes and when; numbers the changes of one edit.

    Attributes:
        author: as shown in Word.
        now: the date of the changes, the world's clock; UTC.
        next_id: number of the next change.
    """

    author: str
    now: datetime
    next_id: int = field(default=1)

    @classmethod
    def for_roots(cls, author: str, now: datetime, roots: Iterable[Any]) -> Tracker:
        """A tracker whose numbers are free in the given parts (body, headers, notes ...)."""
        used = [
            int(node.get(qualify_name("w:id"), "0"))
            for root in roots
            for node in root.iter(*_NUMBERED_TAGS)
            if node.get(qualify_name("w:id"), "0").lstrip("-").isdigit()
        ]
        return cls(author, now, max([0, *used]) + 1)

    def make_mark(self, name: str) -> Any:
        """A new w:ins, w:del, w:rPrChange ... with number, author and date."""
        node = make_element(f"w:{name}", id=self.next_id, author=self.author, date=format_date(self.now))
        self.next_id += 1
        return node


def format_date(now: datetime) -> str:
    """A date as tracked changes and comments hold it."""
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def mark_inserted(inserted: Iterable[Any], tracker: Tracker) -> None:
    """Mark runs, which stand in a paragraph, as inserted; those in an insertion of the same author stay as they are."""
    for run in inserted:
        around = _find_ancestor(run, "ins")
        if around is not None and around.get(qualify_name("w:author")) == tracker.author:
            continue
        if around is not None and run.getparent() is around:
            _take_out(run, around)
        _wrap_run(run, "ins", tracker)


def mark_deleted(deleted: Iterable[Any], tracker: Tracker) -> None:
    """Mark runs as deleted; what the same author had inserted is taken out for good, as Word does it."""
    for run in deleted:
        around = _find_ancestor(run, "ins")
        if around is not None and around.get(qualify_name("w:author")) == tracker.author:
            remove_emptied(run)
            continue
        rename_texts(run, deleted=True)
        _wrap_run(run, "del", tracker)


def mark_paragraph(paragraph: Any, kind: str, tracker: Tracker) -> None:
    """Mark the mark at the end of a paragraph as inserted ("ins") or deleted ("del").

    What is inserted and deleted is both: rejecting its insertion takes it out again. An older deletion stays.
    """
    properties = paragraph_mark_properties(paragraph)
    if kind == "del":
        if not any(find_element(properties, f"w:{name}") is not None for name in ("del", "moveFrom")):
            properties.insert(len(properties.findall(qualify_name("w:ins"))), tracker.make_mark(kind))
        return
    for name in MARKS:
        drop_children(properties, f"w:{name}")
    properties.insert(0, tracker.make_mark(kind))


def mark_row(row: Any, kind: str, tracker: Tracker) -> None:
    """Mark a table row as inserted ("ins") or deleted ("del"), with all paragraphs in it.

    As with paragraphs, what is inserted and deleted is both, and an older deletion stays.
    """
    properties = ensure_child(row, "w:trPr")
    for name in ("ins", "del") if kind == "ins" else ():
        drop_children(properties, f"w:{name}")
    if find_element(properties, f"w:{kind}") is None:
        add_in_order(properties, tracker.make_mark(kind))
    for paragraph in list(row.iter(qualify_name("w:p"))):
        mark_block(paragraph, kind, tracker)


def mark_blocks(block: Any, kind: str, tracker: Tracker) -> None:
    """Mark a paragraph, a table or what a content control holds as inserted or deleted."""
    for element in list(iter_unwrapped([block])):
        if element.tag == qualify_name("w:p"):
            mark_block(element, kind, tracker)
    for row in block.iter(qualify_name("w:tr")):
        mark_row(row, kind, tracker)


def mark_block(paragraph: Any, kind: str, tracker: Tracker) -> None:
    """Mark all that a paragraph holds and its mark as inserted or deleted."""
    mark_content(paragraph, kind, tracker)
    mark_paragraph(paragraph, kind, tracker)


def mark_content(paragraph: Any, kind: str, tracker: Tracker) -> None:
    """Mark text and equations of a paragraph as inserted or deleted."""
    (mark_inserted if kind == "ins" else mark_deleted)(list_runs(paragraph), tracker)
    for equation in list(paragraph.iter(qualify_name("m:oMath"))):
        mark_formula(
            equation.getparent() if equation.getparent().tag == qualify_name("m:oMathPara") else equation, kind, tracker
        )


def mark_formula(formula: Any, kind: str, tracker: Tracker) -> None:
    """Mark an equation as inserted or deleted, as `mark_inserted` and `mark_deleted` do it with runs."""
    around = _find_ancestor(formula, "ins")
    if _find_ancestor(formula, "del") is not None or (kind == "ins" and around is not None):
        return
    if around is not None and around.get(qualify_name("w:author")) == tracker.author:
        remove_emptied(formula)
    else:
        _wrap_run(formula, kind, tracker)


def mark_format(owner: Any, before: Any | None, tracker: Tracker) -> None:
    """State in a run (w:r) or paragraph (w:p), whose properties have changed, what they were `before`.

    `before` is a copy of the old w:rPr or w:pPr, None if there was none. A change that is stated already keeps its
    older state.
    """
    name = "rPr" if owner.tag == qualify_name("w:r") else "pPr"
    properties = ensure_child(owner, f"w:{name}")
    if properties.find(qualify_name(f"w:{name}Change")) is not None:
        return
    old = make_element(f"w:{name}") if before is None else copy.deepcopy(before)
    kept_out = ("rPr", "sectPr", "pPrChange") if name == "pPr" else (*MARKS, "rPrChange")
    for inner in [child for child in old if child.tag in {qualify_name(f"w:{text}") for text in kept_out}]:
        old.remove(inner)
    change = tracker.make_mark(f"{name}Change")
    change.append(old)
    properties.append(change)


def replace_span(paragraph: Any, start: int, end: int, text: str, tracker: Tracker | None) -> None:
    """Put `text` in place of the characters from `start` to `end`; new text looks like the first one it replaces.

    With a tracker the change is tracked, and only what differs is marked: a common beginning and end stays untouched.
    In a paragraph with older deletions only the words that differ are replaced, so that those stay in their places.
    Offsets are those of `text_of`.
    """
    if next(paragraph.iter(*_DELETIONS), None) is not None:
        for first, last, new in reversed(_find_differences(text_of(paragraph)[start:end], text)):
            _replace_span(paragraph, start + first, start + last, new, tracker)
        return
    _replace_span(paragraph, start, end, text, tracker)


def _replace_span(paragraph: Any, start: int, end: int, text: str, tracker: Tracker | None) -> None:
    if tracker is not None:
        start, end, text = _narrow_replacement(text_of(paragraph), start, end, text)
        if start == end and not text:
            return
    old = isolate_runs(paragraph, start, end)
    before = next(reversed(isolate_runs(paragraph, 0, start)), None)
    like = old[0] if old else (before if before is not None else _first_run(paragraph))
    new = make_run(text, like) if text else None
    if new is not None:
        _insert_run(paragraph, new, old[0] if old else None, before)
    if tracker is None:
        for run in old:
            _drop_text(run)
        return
    mark_deleted(old, tracker)
    if new is not None:
        mark_inserted([new], tracker)
        _deletion_first(new, old)


def replace_words(paragraph: Any, text: str, tracker: Tracker) -> None:
    """Make a paragraph read `text`, tracked; only the words that differ are marked, all where hardly any stay.

    Done from the end, so that offsets stay right.
    """
    before = text_of(paragraph)
    if SequenceMatcher(None, _WORDS.findall(before), _WORDS.findall(text), autojunk=False).ratio() < _PATCHWORK:
        replace_span(paragraph, 0, len(before), text, tracker)
        return
    for start, end, new in reversed(_find_differences(before, text)):
        replace_span(paragraph, start, end, new, tracker)


def _find_differences(before: str, after: str) -> list[tuple[int, int, str]]:
    """The words of a text that differ from another one: start, end, and what stands there in the other."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    starts = list(accumulate(map(len, old), initial=0))
    changes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(starts[a], starts[b], "".join(new[c:d])) for kind, a, b, c, d in changes if kind != "equal"]


def _narrow_replacement(old_text: str, start: int, end: int, text: str) -> tuple[int, int, str]:
    """The part of a replacement that really differs, in whole words and numbers."""
    old, new = (_WORDS.findall(word) for word in (old_text[start:end], text))
    head = _count_common(old, new)
    tail = _count_common(old[head:][::-1], new[head:][::-1])
    start += sum(map(len, old[:head]))
    end -= sum(map(len, old[len(old) - tail :]))
    return start, end, "".join(new[head : len(new) - tail])


def _count_common(first_words: list[str], two: list[str]) -> int:
    """How many items at the beginning are the same."""
    return next(
        (n for n, (a, b) in enumerate(zip(first_words, two, strict=False)) if a != b), min(len(first_words), len(two))
    )


def paragraph_mark_properties(paragraph: Any) -> Any:
    """The w:rPr of the paragraph's mark, made where missing."""
    return ensure_child(ensure_child(paragraph, "w:pPr"), "w:rPr")


def make_run(text: str, like: Any | None = None) -> Any:
    """A new run with `text` (tabs and line breaks as their elements) and the properties of the run `like`."""
    run = make_element("w:r")
    properties = find_element(like, "w:rPr")
    if properties is not None:
        run_properties = copy.deepcopy(properties)
        for child in [child for child in run_properties if child.tag in _OF_SINGLE_RUN]:
            run_properties.remove(child)
        style = find_element(run_properties, "w:rStyle")
        if style is not None and (style.get(qualify_name("w:val")) or "").endswith("Reference"):
            run_properties.remove(style)
        run.append(run_properties)
    run.extend(text_nodes(text))
    return run


def rename_texts(node: Any, *, deleted: bool) -> None:
    """Turn the texts under a node to those of a deletion, or back."""
    names = _DELETED_NAMES if deleted else _LIVE_NAMES
    for name in list(node.iter(*names)):
        name.tag = names[name.tag]


def remove_emptied(node: Any) -> None:
    """Take a node out and each container above it that holds nothing any more."""
    parent = node.getparent()
    parent.remove(node)
    while parent.tag in {qualify_name(f"w:{name}") for name in (*MARKS, "hyperlink", "smartTag")} and not len(parent):
        node, parent = parent, parent.getparent()
        parent.remove(node)


def _find_ancestor(run: Any, name: str) -> Any | None:
    node = run.getparent()
    while node is not None and node.tag != qualify_name("w:p"):
        if node.tag == qualify_name(f"w:{name}"):
            return node
        node = node.getparent()
    return None


def _wrap_run(run: Any, name: str, tracker: Tracker) -> None:
    """Wrap a run, or let it join the same change of the same edit right before it."""
    previous = run.getprevious()
    joins = (
        previous is not None
        and previous.tag == qualify_name(f"w:{name}")
        and previous.get(qualify_name("w:author")) == tracker.author
        and previous.get(qualify_name("w:date")) == format_date(tracker.now)
    )
    if joins:
        previous.append(run)
        return
    mark = tracker.make_mark(name)
    run.addprevious(mark)
    mark.append(run)


def _take_out(run: Any, around: Any) -> None:
    """Take a run out of another author's insertion, which is split there."""
    rest = copy.deepcopy(around)
    for child in list(rest):
        rest.remove(child)
    for element in list(run.itersiblings()):
        rest.append(element)
    around.addnext(run)
    if len(rest):
        run.addnext(rest)
    if not len(around):
        around.getparent().remove(around)


def _insert_run(paragraph: Any, new: Any, old: Any | None, before: Any | None) -> None:
    if old is not None:
        old.addprevious(new)
    elif before is not None:
        before.addnext(new)
    else:
        properties = paragraph.find(qualify_name("w:pPr"))
        paragraph.insert(0 if properties is None else 1, new)


def _deletion_first(new: Any, old: list[Any]) -> None:
    """What replaces stands behind what it replaces, as Word writes it, where both are siblings."""
    inserted = new.getparent()
    last = next((run.getparent() for run in reversed(old) if run.getparent() is not None), None)
    if last is None or last.tag != qualify_name("w:del") or inserted.tag != qualify_name("w:ins") or len(inserted) > 1:
        return
    if last.getparent() is inserted.getparent():
        last.addnext(inserted)


def _drop_text(run: Any) -> None:
    """Take out the text of a run, and the run if nothing else (a picture, a field mark) is in it."""
    for node in list(run):
        if holds_text(node):
            run.remove(node)
    if all(node.tag == qualify_name("w:rPr") for node in run):
        remove_emptied(run)


def _first_run(paragraph: Any) -> Any | None:
    return next(iter(list_runs(paragraph)), None)
