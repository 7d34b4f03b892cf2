"""Two documents compared block by block and word by word; as a list, and as a redline."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from toolyard.servers.documents.engine.carrying import Carrier
from toolyard.servers.documents.engine.document import Document
from toolyard.servers.documents.engine.names import SECT, TBL, TR, P, ensure, find, make, place, q, unwrapped, val
from toolyard.servers.documents.engine.styles import Styles
from toolyard.servers.documents.engine.text import block_text, text_of
from toolyard.servers.documents.engine.tracking import Tracker, mark_block, mark_format, mark_row, replace_words

MAX_SHOWN = 400
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_ALIKE = 0.4
_MAX_PAIRS = 40_000


@dataclass(frozen=True)
class Difference:
    """A place where two documents differ.

    Attributes:
        kind: of the block: inserted, deleted, or changed in text, or only in style.
        anchor: in the older document; of an inserted block that in the newer one.
        old: text before; of a long block only the part around the change.
        new: text after.
    """

    kind: Literal["inserted", "deleted", "changed", "style"]
    anchor: str
    old: str = ""
    new: str = ""


@dataclass(frozen=True)
class _Pair:
    """Blocks that belong together; one side is missing where a block came or went."""

    old: Any
    new: Any


def compare(old: Document, new: Document) -> list[Difference]:
    """The differences of the bodies, in order."""
    ours, theirs = old.blocks(), new.blocks()
    names = Styles(old), Styles(new)
    found: list[Difference] = []
    for pair in _pairs(_children(old.body), _children(new.body)):
        found += _differences(pair, ours, theirs, names)
    return found


def redline(old: Document, new: Document, tracker: Tracker) -> Document:
    """The older document, with all that makes it the newer one as tracked changes."""
    carrier = Carrier(new, old)
    pairs = list(_pairs(_children(old.body), _children(new.body)))
    names = Styles(old), Styles(new)
    for pair in pairs:
        ours, theirs = (val(each, "w:pPr/w:numPr/w:numId") for each in (pair.old, pair.new))
        if ours not in (None, "0") and theirs not in (None, "0"):
            carrier.same_list(theirs, ours)
    last = None
    for pair in pairs:
        last = _mark(pair, last, old.body, carrier, tracker, names)
    return old


def _children(body: Any) -> list[Any]:
    return [child for child in unwrapped(body) if child.tag in (P, TBL)]


def _pairs(old: list[Any], new: list[Any]) -> Iterator[_Pair]:
    """Blocks of both sides aligned: equal ones first, then those of a gap by likeness."""
    matcher = SequenceMatcher(None, [_key(each) for each in old], [_key(each) for each in new], autojunk=False)
    for word, a, b, c, d in matcher.get_opcodes():
        if word == "equal":
            yield from (_Pair(one, two) for one, two in zip(old[a:b], new[c:d], strict=True))
        else:
            yield from _gap(old[a:b], new[c:d])


def _cell_pairs(old: list[Any], new: list[Any]) -> Iterator[_Pair]:
    """Blocks of a cell aligned; its last paragraph, which a cell cannot be without, belongs to the other last one."""
    if [each.tag for each in old] == [each.tag for each in new]:
        yield from (_Pair(one, two) for one, two in zip(old, new, strict=True))
    elif old and new and old[-1].tag == new[-1].tag == P:
        yield from [*_pairs(old[:-1], new[:-1]), _Pair(old[-1], new[-1])]
    else:
        yield from _pairs(old, new)


def _gap(old: list[Any], new: list[Any]) -> Iterator[_Pair]:
    """Unequal stretches: each old block with the first new one that is like it, in order."""
    at = 0
    compares = len(old) * len(new) <= _MAX_PAIRS
    for each in old:
        match = next((i for i in range(at, len(new)) if compares and _alike(each, new[i])), None)
        if match is None:
            yield _Pair(each, None)
            continue
        yield from (_Pair(None, one) for one in new[at:match])
        yield _Pair(each, new[match])
        at = match + 1
    yield from (_Pair(None, one) for one in new[at:])


def _alike(one: Any, two: Any) -> bool:
    if one.tag != two.tag:
        return False
    first, second = _words(block_text(one)), _words(block_text(two))
    if not first or not second:
        return not first and not second
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def _key(block: Any) -> str:
    return f"{'t' if block.tag == TBL else 'p'}{block_text(block)}"


def _words(text: str) -> list[str]:
    return _WORDS.findall(text)


def _differences(pair: _Pair, ours: Any, theirs: Any, names: tuple[Styles, Styles]) -> Iterator[Difference]:
    if pair.old is None:
        yield Difference("inserted", theirs.anchor(pair.new), new=_cut(block_text(pair.new)))
    elif pair.new is None:
        yield Difference("deleted", ours.anchor(pair.old), _cut(block_text(pair.old)))
    elif pair.old.tag == TBL:
        for row in _pairs(pair.old.findall(TR), pair.new.findall(TR)):
            yield from _row_differences(row, pair.old, ours, theirs, names)
    elif text_of(pair.old) != text_of(pair.new):
        old, new = _around(text_of(pair.old), text_of(pair.new))
        yield Difference("changed", ours.anchor(pair.old), old, new)
    elif _style(pair.old, names[0]) != _style(pair.new, names[1]):
        yield Difference("style", ours.anchor(pair.old), _style(pair.old, names[0]), _style(pair.new, names[1]))


def _row_differences(
    row: _Pair, table: Any, ours: Any, theirs: Any, names: tuple[Styles, Styles]
) -> Iterator[Difference]:
    if row.old is None:
        yield Difference("inserted", ours.anchor(table), new=_cut(_row_text(row.new)))
    elif row.new is None:
        yield Difference("deleted", ours.anchor(table), _cut(_row_text(row.old)))
    elif len(_cells(row.old)) != len(_cells(row.new)):
        yield Difference("changed", ours.anchor(table), _cut(_row_text(row.old)), _cut(_row_text(row.new)))
    else:
        for one, two in zip(_cells(row.old), _cells(row.new), strict=True):
            for pair in _cell_pairs(_children(one), _children(two)):
                yield from _differences(pair, ours, theirs, names)


def _cells(row: Any) -> list[Any]:
    return [cell for cell in unwrapped(row) if cell.tag == q("w:tc")]


def _row_text(row: Any) -> str:
    return " | ".join(block_text(cell) for cell in _cells(row))


def _style(paragraph: Any, styles: Styles) -> str:
    return styles.name_of(val(paragraph, "w:pPr/w:pStyle"))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


def _around(old: str, new: str) -> tuple[str, str]:
    """Both texts, long ones cut to what differs."""
    if len(old) <= MAX_SHOWN and len(new) <= MAX_SHOWN:
        return old, new
    head = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = max(0, head - 80)
    before = "…" if start else ""
    return before + _cut(old[start:]), before + _cut(new[start:])


def _mark(pair: _Pair, last: Any, holder: Any, carrier: Carrier, tracker: Tracker, names: tuple[Styles, Styles]) -> Any:
    """Write one pair into the older document; the block behind which the next new one goes."""
    if pair.old is None:
        made = carrier.carry(pair.new)
        for section in list(made.iter(SECT)):
            section.getparent().remove(section)
        if last is not None:
            last.addnext(made)
        else:
            holder.insert(_front(holder), made)
        _mark_whole(made, "ins", tracker)
        return made
    if pair.new is None:
        _mark_whole(pair.old, "del", tracker)
    elif pair.old.tag == TBL:
        _mark_rows(pair.old, pair.new, carrier, tracker, names)
    else:
        replace_words(pair.old, text_of(pair.new), tracker)
        _mark_style(pair.old, pair.new, carrier, tracker, names)
    return pair.old


def _front(holder: Any) -> int:
    return 1 if len(holder) and holder[0].tag == q("w:tcPr") else 0


def _mark_whole(block: Any, kind: str, tracker: Tracker) -> None:
    if block.tag == P:
        mark_block(block, kind, tracker)
    for row in block.iter(TR):
        mark_row(row, kind, tracker)


def _mark_rows(old: Any, new: Any, carrier: Carrier, tracker: Tracker, names: tuple[Styles, Styles]) -> None:
    last = None
    for row in list(_pairs(old.findall(TR), new.findall(TR))):
        same_width = row.old is not None and row.new is not None and len(_cells(row.old)) == len(_cells(row.new))
        if same_width:
            for one, two in zip(_cells(row.old), _cells(row.new), strict=True):
                inner = None
                for pair in list(_cell_pairs(_children(one), _children(two))):
                    inner = _mark(pair, inner, one, carrier, tracker, names)
            last = row.old
            continue
        if row.old is not None:
            mark_row(row.old, "del", tracker)
            last = row.old
        if row.new is not None:
            made = carrier.carry(row.new)
            if last is None:
                old.findall(TR)[0].addprevious(made)
            else:
                last.addnext(made)
            mark_row(made, "ins", tracker)
            last = made


def _mark_style(old: Any, new: Any, carrier: Carrier, tracker: Tracker, names: tuple[Styles, Styles]) -> None:
    if _style(old, names[0]) == _style(new, names[1]):
        return
    before = copy.deepcopy(find(old, "w:pPr"))
    properties = ensure(old, "w:pPr")
    named = val(new, "w:pPr/w:pStyle")
    wanted = carrier.style(named) if named else None
    if wanted:
        place(properties, make("w:pStyle", val=wanted))
    else:
        properties.remove(properties.find(q("w:pStyle")))
    mark_format(old, before, tracker)
