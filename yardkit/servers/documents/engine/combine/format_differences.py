"""Where two documents of the same words look different: formats of text and paragraphs, and what styles state."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any

from yardkit.servers.documents.engine.combine.foreign_blocks import Carrier
from yardkit.servers.documents.engine.formatting.looks import paragraph_look, text_look
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup.names import (
    VAL,
    add_in_order,
    drop_children,
    ensure_child,
    find_element,
    get_attribute,
    get_value,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import isolate_runs, iter_pieces, text_of
from yardkit.servers.documents.engine.markup.tracking import MARKS, Tracker, mark_format

Look = dict[str, object]
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_NOT_SEEN = ("language",)
_TEXT_TAGS = {qualify_name(f"w:{mark}") for mark in (*MARKS, "rPrChange", "lang", "noProof", "webHidden")}
_PARAGRAPH_TAGS = ("keepNext", "keepLines", "pageBreakBefore", "shd", "tabs", "spacing", "ind", "jc", "outlineLvl")
_MAX_DISPLAYED = 80
_DEFAULTS = "the defaults of the document"


@dataclass(frozen=True)
class Stretch:
    """Characters `start` to `end` of the older paragraph that look different in the newer one; `run` is one of that."""

    start: int
    end: int
    text: str
    old: Look
    new: Look
    run: Any

    def words(self) -> tuple[str, str]:
        """What both sides state, of what differs."""
        text = self.text if len(self.text) <= _MAX_DISPLAYED else f"{self.text[: _MAX_DISPLAYED - 1]}…"
        before, after = stated_differences(self.old, self.new)
        return f"{text!r}: {before}", f"{text!r}: {after}"


def stated_differences(old: Look, new: Look) -> tuple[str, str]:
    """What two looks state, in words, of what differs between them."""
    keys = sorted(key for key in {*old, *new} if old.get(key) != new.get(key))
    return tuple(", ".join(f"{key} {_format_value(look.get(key))}" for key in keys) for look in (old, new))  # type: ignore[return-value]


def _format_value(value: object) -> str:
    names = {None: "not stated", True: "on", False: "off"}
    return names[value] if value is None or isinstance(value, bool) else str(value)


def differing_stretches(old: Any, new: Any, names: tuple[Styles, Styles]) -> list[Stretch]:
    """Where the words that two paragraphs share look different; spaces are nothing to look at."""
    ours, theirs = _list_letters(old, names[0]), _list_letters(new, names[1])
    before, after = text_of(old), text_of(new)
    stretches: list[Stretch] = []
    for a, b, length in _iter_shared_words(before, after):
        at = 0
        while at < length:
            old_letter, two = ours[a + at], theirs[b + at]
            end = at + 1
            while end < length and ours[a + end][0] == old_letter[0] and theirs[b + end][0] == two[0]:
                end += 1
            text = before[a + at : a + end]
            if old_letter[0] != two[0] and text.strip():
                stretches.append(Stretch(a + at, a + end, text, old_letter[0], two[0], two[1]))
            at = end
    return stretches


def _iter_shared_words(old: str, new: str) -> Iterator[tuple[int, int, int]]:
    """The words that both texts hold: place in the older, place in the newer, number of characters."""
    if old == new:
        yield 0, 0, len(old)
        return
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    ours, theirs = (list(accumulate(map(len, words), initial=0)) for words in (before, after))
    for a, b, count in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        yield ours[a], theirs[b], ours[a + count] - ours[a]


def _list_letters(paragraph: Any, styles: Styles) -> list[tuple[Look, Any]]:
    """The look and the run of each character."""
    letter_looks: list[tuple[Look, Any]] = []
    last: Any = None
    look: Look = {}
    for piece in iter_pieces(paragraph):
        if piece.run is None:
            look, last = {}, None
        elif piece.run is not last:
            look, last = _run_look(find_element(piece.run, "w:rPr"), styles), piece.run
        letter_looks += [(look, piece.run)] * len(piece.text)
    return letter_looks


def _run_look(properties: Any, styles: Styles) -> Look:
    if properties is None:
        return {}
    look = {name: value for name, value in text_look(properties).items() if name not in _NOT_SEEN}
    style = get_value(properties, "w:rStyle")
    return look | {"style": styles.name_of(style, "character")} if style else look


def paragraph_looks(old: Any, new: Any) -> tuple[Look, Look]:
    """What two paragraphs state of their own alignment, spacing, indents and the like."""
    return paragraph_look(find_element(old, "w:pPr")), paragraph_look(find_element(new, "w:pPr"))


def style_looks(styles: Styles) -> dict[str, Look]:
    """What the defaults and each style of paragraphs and characters state themselves, by name."""
    defaults = text_look(find_element(styles.root, "w:docDefaults/w:rPrDefault/w:rPr"))
    looks_by_style = {
        _DEFAULTS: defaults | paragraph_look(find_element(styles.root, "w:docDefaults/w:pPrDefault/w:pPr"))
    }
    for style in styles.all():
        if get_attribute(style, "w:type") in ("paragraph", "character"):
            look = text_look(find_element(style, "w:rPr")) | paragraph_look(find_element(style, "w:pPr"))
            looks_by_style[f"style {styles.name_of(get_attribute(style, 'w:styleId'))}"] = look
    return {
        name: {key: value for key, value in look.items() if key not in _NOT_SEEN}
        for name, look in looks_by_style.items()
    }


def used_styles(styles: Styles) -> set[str]:
    """The names, as in `style_looks`, of the styles that paragraphs and texts have, with those they are based on."""
    kinds = {qualify_name("w:pStyle"): "paragraph", qualify_name("w:rStyle"): "character"}
    document = styles.document
    named: set[tuple[str | None, str]] = {(None, "paragraph")}
    for story in document.map_stories():
        named |= {(node.get(VAL), kinds[node.tag]) for node in document.get_story(story).iter(*kinds)}
    chains = (styles.iter_chain(identity, kind) for identity, kind in named)
    return {_DEFAULTS} | {
        f"style {styles.name_of(get_attribute(style, 'w:styleId'))}" for chain in chains for style in chain
    }


def mark_text(old: Any, stretches: list[Stretch], carrier: Carrier, tracker: Tracker) -> None:
    """Give stretches of the older paragraph the look of the newer one, tracked."""
    for stretch in stretches:
        for run in isolate_runs(old, stretch.start, stretch.end):
            before = copy.deepcopy(find_element(run, "w:rPr"))
            properties = ensure_child(run, "w:rPr")
            _take_over(properties, find_element(stretch.run, "w:rPr"), carrier)
            mark_format(run, before, tracker)


def _take_over(properties: Any, target_properties: Any, carrier: Carrier) -> None:
    for child in [child for child in properties if child.tag not in _TEXT_TAGS]:
        properties.remove(child)
    for child in (
        [] if target_properties is None else [child for child in target_properties if child.tag not in _TEXT_TAGS]
    ):
        child_copy = copy.deepcopy(child)
        if child_copy.tag == qualify_name("w:rStyle"):
            child_copy.set(VAL, carrier.style(child_copy.get(VAL, "")))
        add_in_order(properties, child_copy)


def take_over_paragraph(old: Any, new: Any) -> None:
    """Give the older paragraph what the newer one states of its own look."""
    properties = ensure_child(old, "w:pPr")
    for name in _PARAGRAPH_TAGS:
        drop_children(properties, f"w:{name}")
        new_property = find_element(new, f"w:pPr/w:{name}")
        if new_property is not None:
            add_in_order(properties, copy.deepcopy(new_property))
