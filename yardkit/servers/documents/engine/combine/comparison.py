"""Two documents compared block by block and word by word; as a list, and as a redline."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import product
from typing import Any, Literal

from yardkit.servers.documents.engine.combine import format_differences, story_pairs
from yardkit.servers.documents.engine.combine.foreign_blocks import Carrier
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup.names import (
    SECT,
    TBL,
    TR,
    P,
    drop_children,
    ensure_child,
    find_element,
    get_value,
    insert_child,
    iter_unwrapped,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import block_text, text_of
from yardkit.servers.documents.engine.markup.tracking import Tracker, mark_block, mark_format, mark_row, replace_words
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.review import comments
from yardkit.servers.documents.engine.review.revisions import Which, settle_changes

MAX_DISPLAYED = 400
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_LEAST_LIKENESS = 0.4
_MAX_PAIRS, _REACH = 40_000, 40


@dataclass(frozen=True)
class Difference:
    """A place where two documents differ.

    Attributes:
        kind: of the block: inserted, deleted, changed in text, or in style; format: its text or paragraph is formatted
            in another way; definition: a style states something else; comment: one came, went or was changed.
        anchor: in the older document; of an inserted block that in the newer one; notes and headers name their story.
        old: text before; of a long block only the part around the change.
        new: text after.
    """

    kind: Literal["inserted", "deleted", "changed", "style", "format", "definition", "comment"]
    anchor: str
    old: str = ""
    new: str = ""


@dataclass(frozen=True)
class _Pair:
    """Blocks that belong together; one side is missing where a block came or went."""

    old: Any
    new: Any


def compare_documents(old: Document, new: Document) -> list[Difference]:
    """The differences of the bodies, in order; then those of notes, headers and footers, comments, and styles.

    Pictures, page layout and the looks of tables are not compared.
    """
    ours, theirs = old.get_blocks(), new.get_blocks()
    names = Styles(old), Styles(new)
    differences: list[Difference] = []
    for pair in _pair_blocks(_list_children(old.body), _list_children(new.body)):
        differences += _list_differences(pair, ours, theirs, names)
    for story in story_pairs.pair_stories(old, new):
        sides = ((old, story.old_story), (new, story.new_story))
        near, far = (document.get_blocks(name) if name else None for document, name in sides)
        for pair in _story_blocks(story):
            differences += _list_differences(pair, near, far, names)
    return [*differences, *_compare_comments(old, new), *_compare_definitions(names)]


def _story_blocks(story: story_pairs.StoryPair) -> Iterator[_Pair]:
    old, new = (() if part is None else _list_children(part) for part in (story.old, story.new))
    return _cell_pairs(list(old), list(new))


def _compare_comments(old: Document, new: Document) -> Iterator[Difference]:
    ours, theirs = comments.read_comments(old), comments.read_comments(new)
    comment_texts = [
        [(comment.author, comment.comment, comment.on, comment.resolved) for comment in comment_list]
        for comment_list in (ours, theirs)
    ]
    for _, a, b, c, d in (
        opcode
        for opcode in SequenceMatcher(None, comment_texts[0], comment_texts[1], autojunk=False).get_opcodes()
        if opcode[0] != "equal"
    ):
        for at in range(max(b - a, d - c)):
            old_comment = ours[a + at] if a + at < b else None
            two = theirs[c + at] if c + at < d else None
            known = old_comment or two
            yield Difference("comment", known.anchor if known else "", _comment_text(old_comment), _comment_text(two))


def _comment_text(comment: comments.Comment | None) -> str:
    if comment is None:
        return ""
    return _cut_text(f"{comment.author}: {comment.comment}{' (resolved)' if comment.resolved else ''}")


def _compare_definitions(names: tuple[Styles, Styles]) -> Iterator[Difference]:
    """Styles of the same name, used on one of the sides, that state different looks."""
    ours, theirs = (format_differences.style_looks(styles) for styles in names)
    used = set.union(*map(format_differences.used_styles, names))
    for name in (name for name in ours if name in used & set(theirs) and ours[name] != theirs[name]):
        before, after = format_differences.stated_differences(ours[name], theirs[name])
        yield Difference("definition", "", f"{name}: {before}", f"{name}: {after}")


def make_redline(old: Document, new: Document, tracker: Tracker) -> Document:
    """The older document, with all that makes it the newer one as tracked changes."""
    carrier = Carrier(new, old)
    stories = list(story_pairs.pair_stories(old, new))
    pairs = list(_pair_blocks(_list_children(old.body), _list_children(new.body)))
    names = Styles(old), Styles(new)
    for pair in pairs:
        ours, theirs = (get_value(block, "w:pPr/w:numPr/w:numId") for block in (pair.old, pair.new))
        if ours not in (None, "0") and theirs not in (None, "0"):
            carrier.same_list(theirs, ours)
    last = None
    for pair in pairs:
        last = _mark_pair(pair, last, old.body, carrier, tracker, names)
    for story in stories:
        for pair in list(_story_blocks(story)):
            if pair.old is not None and pair.new is not None:
                _mark_pair(pair, None, story.old, carrier, tracker, names)
    return old


def left_out(redline: Document, new: Document) -> list[str]:
    """What the newer document has and a redline does not make, one line or none; settles the redline's changes."""
    settle_changes(redline, Which(), accept=True)
    left = Counter(
        f"{difference.kind} in {story}" if story else difference.kind
        for difference, story in _with_stories(redline, new)
    )
    count_texts = ", ".join(f"{kind} ({count})" for kind, count in left.items())
    return [f"the redline does not carry all: left out are {count_texts}; the list has them"] if count_texts else []


def _with_stories(old: Document, new: Document) -> Iterator[tuple[Difference, str]]:
    return ((difference, difference.anchor.rpartition(":")[0]) for difference in compare_documents(old, new))


def _list_children(body: Any) -> list[Any]:
    return [child for child in iter_unwrapped(body) if child.tag in (P, TBL)]


def _pair_blocks(old: list[Any], new: list[Any]) -> Iterator[_Pair]:
    """Blocks of both sides aligned: equal ones first, then those of a gap by likeness."""
    matcher = SequenceMatcher(
        None, [_make_key(block) for block in old], [_make_key(block) for block in new], autojunk=False
    )
    for word, a, b, c, d in matcher.get_opcodes():
        if word == "equal":
            yield from (_Pair(old_block, two) for old_block, two in zip(old[a:b], new[c:d], strict=True))
        else:
            yield from _pair_gap(old[a:b], new[c:d])


def _cell_pairs(old: list[Any], new: list[Any]) -> Iterator[_Pair]:
    """Blocks of a cell aligned; its last paragraph, which a cell cannot be without, belongs to the other last one."""
    if [row.tag for row in old] == [row.tag for row in new]:
        yield from (_Pair(old_cell, two) for old_cell, two in zip(old, new, strict=True))
    elif old and new and old[-1].tag == new[-1].tag == P:
        yield from [*_pair_blocks(old[:-1], new[:-1]), _Pair(old[-1], new[-1])]
    else:
        yield from _pair_blocks(old, new)


def _pair_gap(old: list[Any], new: list[Any]) -> Iterator[_Pair]:
    """Unequal stretches: of all ways to pair alike blocks in order, the one in which they are the most alike."""
    if len(old) * len(new) > _MAX_PAIRS:
        yield from (_Pair(block, None) for block in old)
        yield from (_Pair(None, block) for block in new)
        return
    slope = len(old) / max(len(new), 1)
    like = [
        [_measure_likeness(old_block, two) if abs(i - j * slope) <= _REACH else 0.0 for j, two in enumerate(new)]
        for i, old_block in enumerate(old)
    ]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i, j in product(reversed(range(len(old))), reversed(range(len(new)))):
        together = best[i + 1][j + 1] + like[i][j] if like[i][j] else 0.0
        best[i][j] = max(best[i + 1][j], best[i][j + 1], together)
    i = j = 0
    while i < len(old) and j < len(new):
        if best[i][j] == best[i + 1][j]:
            yield _Pair(old[i], None)
            i += 1
        elif best[i][j] == best[i][j + 1]:
            yield _Pair(None, new[j])
            j += 1
        else:
            yield _Pair(old[i], new[j])
            i, j = i + 1, j + 1
    yield from (_Pair(block, None) for block in old[i:])
    yield from (_Pair(None, block) for block in new[j:])


def _measure_likeness(first_block: Any, two: Any) -> float:
    """How alike two blocks are, from 0 (too little to be the same block) to 1."""
    if first_block.tag != two.tag:
        return 0.0
    first, second = _split_words(block_text(first_block)), _split_words(block_text(two))
    if not first or not second:
        return float(not first and not second)
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    ratio = matcher.ratio() if matcher.quick_ratio() >= _LEAST_LIKENESS else 0.0
    return ratio if ratio >= _LEAST_LIKENESS else 0.0


def _make_key(block: Any) -> str:
    return f"{'t' if block.tag == TBL else 'p'}{block_text(block)}"


def _split_words(text: str) -> list[str]:
    return _WORDS.findall(text)


def _list_differences(pair: _Pair, ours: Any, theirs: Any, names: tuple[Styles, Styles]) -> Iterator[Difference]:
    if pair.old is None:
        yield Difference("inserted", theirs.anchor(pair.new), new=_cut_text(block_text(pair.new)))
    elif pair.new is None:
        yield Difference("deleted", ours.anchor(pair.old), _cut_text(block_text(pair.old)))
    elif pair.old.tag == TBL:
        for row in _pair_blocks(pair.old.findall(TR), pair.new.findall(TR)):
            yield from _row_differences(row, pair.old, ours, theirs, names)
    else:
        yield from _paragraph_differences(pair, ours.anchor(pair.old), names)


def _paragraph_differences(pair: _Pair, anchor: str, names: tuple[Styles, Styles]) -> Iterator[Difference]:
    if text_of(pair.old) != text_of(pair.new):
        yield Difference("changed", anchor, *_cut_around_difference(text_of(pair.old), text_of(pair.new)))
    before, after = _get_style_name(pair.old, names[0]), _get_style_name(pair.new, names[1])
    if before != after:
        yield Difference("style", anchor, before, after)
    looks = format_differences.paragraph_looks(pair.old, pair.new)
    if looks[0] != looks[1]:
        yield Difference(
            "format",
            anchor,
            *(f"paragraph: {difference}" for difference in format_differences.stated_differences(*looks)),
        )
    for stretch in format_differences.differing_stretches(pair.old, pair.new, names):
        yield Difference("format", anchor, *stretch.words())


def _row_differences(
    row: _Pair, table: Any, ours: Any, theirs: Any, names: tuple[Styles, Styles]
) -> Iterator[Difference]:
    if row.old is None:
        yield Difference("inserted", ours.anchor(table), new=_cut_text(_row_text(row.new)))
    elif row.new is None:
        yield Difference("deleted", ours.anchor(table), _cut_text(_row_text(row.old)))
    elif len(_list_cells(row.old)) != len(_list_cells(row.new)):
        yield Difference("changed", ours.anchor(table), _cut_text(_row_text(row.old)), _cut_text(_row_text(row.new)))
    else:
        for old_cell, two in zip(_list_cells(row.old), _list_cells(row.new), strict=True):
            for pair in _cell_pairs(_list_children(old_cell), _list_children(two)):
                yield from _list_differences(pair, ours, theirs, names)


def _list_cells(row: Any) -> list[Any]:
    return [cell for cell in iter_unwrapped(row) if cell.tag == qualify_name("w:tc")]


def _row_text(row: Any) -> str:
    return " | ".join(block_text(cell) for cell in _list_cells(row))


def _get_style_name(paragraph: Any, styles: Styles) -> str:
    return styles.name_of(get_value(paragraph, "w:pPr/w:pStyle"))


def _cut_text(text: str) -> str:
    return text if len(text) <= MAX_DISPLAYED else text[: MAX_DISPLAYED - 1] + "…"


def _cut_around_difference(old: str, new: str) -> tuple[str, str]:
    """Both texts, long ones cut to what differs."""
    if len(old) <= MAX_DISPLAYED and len(new) <= MAX_DISPLAYED:
        return old, new
    head = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = max(0, head - 80)
    before = "…" if start else ""
    return before + _cut_text(old[start:]), before + _cut_text(new[start:])


def _mark_pair(
    pair: _Pair, last: Any, holder: Any, carrier: Carrier, tracker: Tracker, names: tuple[Styles, Styles]
) -> Any:
    """Write one pair into the older document; the block behind which the next new one goes."""
    if pair.old is None:
        carried_block = carrier.carry(pair.new)
        for section in list(carried_block.iter(SECT)):
            section.getparent().remove(section)
        if last is not None:
            last.addnext(carried_block)
        else:
            holder.insert(_get_front_index(holder), carried_block)
        _mark_block(carried_block, "ins", tracker)
        return carried_block
    if pair.new is None:
        _mark_block(pair.old, "del", tracker)
    elif pair.old.tag == TBL:
        _mark_rows(pair.old, pair.new, carrier, tracker, names)
    else:
        format_differences.mark_text(
            pair.old, format_differences.differing_stretches(pair.old, pair.new, names), carrier, tracker
        )
        replace_words(pair.old, text_of(pair.new), tracker)
        _mark_paragraph(pair.old, pair.new, carrier, tracker, names)
    return pair.old


def _get_front_index(holder: Any) -> int:
    return 1 if len(holder) and holder[0].tag == qualify_name("w:tcPr") else 0


def _mark_block(block: Any, kind: str, tracker: Tracker) -> None:
    if block.tag == P:
        mark_block(block, kind, tracker)
    for row in block.iter(TR):
        mark_row(row, kind, tracker)


def _mark_rows(old: Any, new: Any, carrier: Carrier, tracker: Tracker, names: tuple[Styles, Styles]) -> None:
    last = None
    for row in list(_pair_blocks(old.findall(TR), new.findall(TR))):
        same_width = (
            row.old is not None and row.new is not None and len(_list_cells(row.old)) == len(_list_cells(row.new))
        )
        if same_width:
            for old_cell, two in zip(_list_cells(row.old), _list_cells(row.new), strict=True):
                inner = None
                for pair in list(_cell_pairs(_list_children(old_cell), _list_children(two))):
                    inner = _mark_pair(pair, inner, old_cell, carrier, tracker, names)
            last = row.old
            continue
        if row.old is not None:
            mark_row(row.old, "del", tracker)
            last = row.old
        if row.new is not None:
            carried_row = carrier.carry(row.new)
            if last is None:
                old.findall(TR)[0].addprevious(carried_row)
            else:
                last.addnext(carried_row)
            mark_row(carried_row, "ins", tracker)
            last = carried_row


def _mark_paragraph(old: Any, new: Any, carrier: Carrier, tracker: Tracker, names: tuple[Styles, Styles]) -> None:
    styled = _get_style_name(old, names[0]) != _get_style_name(new, names[1])
    ours, theirs = format_differences.paragraph_looks(old, new)
    if not styled and ours == theirs:
        return
    before = copy.deepcopy(find_element(old, "w:pPr"))
    if styled:
        _set_style(old, new, carrier)
    if ours != theirs:
        format_differences.take_over_paragraph(old, new)
    mark_format(old, before, tracker)


def _set_style(old: Any, new: Any, carrier: Carrier) -> None:
    properties = ensure_child(old, "w:pPr")
    named = get_value(new, "w:pPr/w:pStyle")
    style_id = carrier.style(named) if named else None
    if style_id:
        insert_child(properties, make_element("w:pStyle", val=style_id))
    else:
        drop_children(properties, "w:pStyle")
