"""Lines with text from right to left, in the order in which they are read: UAX #9 backward."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from yardkit.servers.pdf.engine.reading.text_folding import is_right_to_left
from yardkit.servers.pdf.engine.reading.words import Word, word_of
from yardkit.world.boxes import Box

_Kind = Literal["right", "left", "digit", "sign"]
_EDGE = 3.0
"""How many points from the edge of its column a line may begin or end to stand at it."""
_SPACE, _SPACE_IN_WORD = 0.12, 0.2
"""How wide a space is at least, in heights of its line: between words, and where none was found."""
_IN_NUMBERS = ".,:/-\u066b\u066c"
_BEFORE_NUMBERS, _AFTER_NUMBERS = "$\u20ac\u00a3\u20aa", "%$\u20ac\u00a3\u20aa"
_OPENING, _CLOSING = "([{<\u00ab\u2039", ")]}>\u00bb\u203a"
_MIRRORED = str.maketrans(_OPENING + _CLOSING, _CLOSING + _OPENING)
_AFTER_WORDS = ",;:.!?\u060c\u061b\u061f"
_ALEFS = "\u0627\u0622\u0623\u0625"
_LAM = "\u0644"


@dataclass(frozen=True)
class _Unit:
    """What stands at one place: a letter with its marks, a ligature, or a space."""

    text: str
    boxes: tuple[Box, ...]
    kind: _Kind

    @property
    def middle(self) -> float:
        return (self.boxes[0][0] + self.boxes[0][2]) / 2 if self.boxes else 0.0


def holds_backward_text(words: Iterable[Word]) -> bool:
    """Whether a letter of the words is written from right to left."""
    return any(not word.text.isascii() and any(map(is_right_to_left, word.text)) for word in words)


def mostly_backward(words: Iterable[Word]) -> bool:
    """Whether most letters of the words are written from right to left."""
    letters = [char for word in words for char in word.text if char.isalpha()]
    return 2 * sum(map(is_right_to_left, letters)) > len(letters)


def which_run_backward(lines: Sequence[Sequence[Word]]) -> list[bool]:
    """Which lines of a page run from right to left as a whole.

    Told by the edge that a line stands at and the letters at its ends, else as most of the others, else by the letters.
    """
    words = [word for line in lines for word in line]
    left, right = min(word.box[0] for word in words), max(word.box[2] for word in words)
    signs = [_edge_of(line, left, right) + _ends_of(line) for line in lines]
    votes = [sign for sign, line in zip(signs, lines, strict=True) if holds_backward_text(line)]
    vote = sum(votes) or (1 if mostly_backward(words) else -1)
    return [(sign or vote) > 0 for sign in signs]


def _edge_of(row: Sequence[Word], left: float, right: float) -> int:
    """1 for a row that stands at the right edge only, -1 at the left edge only, else 0."""
    starts = min(word.box[0] for word in row) < left + _EDGE
    ends = max(word.box[2] for word in row) > right - _EDGE
    return ends - starts


def _ends_of(line: Sequence[Word]) -> int:
    """-1 where the letters at both ends of a line are written from left to right, else 0."""
    letters = [word for word in sorted(line, key=lambda word: word.box[0]) if any(map(str.isalpha, word.text))]
    return -1 if letters and not holds_backward_text((letters[0], letters[-1])) else 0


def as_read(words: Sequence[Word], backward: bool) -> list[Word]:
    """Words that stand side by side, from left to right, in the order in which they are read.

    Args:
        words: with the characters where they stand.
        backward: whether the line as a whole runs from right to left.
    """
    units: list[_Unit] = []
    for word in words:
        for at, unit in enumerate(sorted(_split_units(word), key=lambda unit: unit.middle)):
            least = (_SPACE if at == 0 else _SPACE_IN_WORD) * word.height
            if units and unit.boxes[0][0] - units[-1].boxes[0][2] > least:
                units.append(_Unit(" ", (), "sign"))
            units.append(unit)
    read = list(_read_backward(units) if backward else _read_forward(units))
    parts = (list(group) for blank, group in groupby(read, lambda unit: unit.text == " ") if not blank)
    return [_join_units(part) for part in parts]


def _join_units(units: Sequence[_Unit]) -> Word:
    return word_of([(char, box) for unit in units for char, box in zip(unit.text, unit.boxes, strict=True)], 0)


def _split_units(word: Word) -> list[_Unit]:
    units: list[_Unit] = []
    for char, box in zip(word.text, word.chars, strict=True):
        before = units[-1] if units else None
        joined = before is not None and (unicodedata.combining(char) or before.boxes[-1] == box)
        if before is None or not joined:
            units.append(_Unit(char, (box,), _classify_character(char)))
            continue
        text = before.text + char
        if text[-2] in _ALEFS and char == _LAM:  # the one ligature that all fonts have, which may come turned round
            text = text[:-2] + char + text[-2]
        units[-1] = _Unit(text, (*before.boxes, box), before.kind)
    return units


def _classify_character(char: str) -> _Kind:
    direction = unicodedata.bidirectional(char)
    if direction in ("R", "AL"):
        return "right"
    return "left" if direction == "L" else "digit" if direction in ("EN", "AN") else "sign"


def _read_forward(units: Sequence[_Unit]) -> Iterator[_Unit]:
    """A line from left to right, in which runs from right to left are read backward."""
    for inside, run in _split_runs(units, ("right",), "left"):
        yield from _read_backward(run) if inside else run


def _read_backward(units: Sequence[_Unit]) -> Iterator[_Unit]:
    """A line from right to left, in which other letters and numbers are read forward."""
    parts: list[tuple[bool, Sequence[_Unit]]] = []
    for is_run, run in _split_runs(units, ("left", "digit"), "right"):
        parts += [(True, run)] if is_run else _group_numbers(run)
    parts.reverse()
    signs = (part[0].text for forward, part in parts if not forward)
    mirrored = next((sign in _CLOSING for sign in signs if sign in _OPENING + _CLOSING), False)
    for forward, part in parts:
        if mirrored and not forward:
            yield _Unit(part[0].text.translate(_MIRRORED), part[0].boxes, part[0].kind)
        else:
            yield from part


def _split_runs(
    units: Sequence[_Unit], kinds: tuple[_Kind, ...], other: _Kind
) -> Iterator[tuple[bool, Sequence[_Unit]]]:
    """Runs from a unit of the first kind to the last of the kinds before one of another; and what lies between."""
    rest, count = 0, len(units)
    while rest < count:
        at = next((place for place in range(rest, count) if units[place].kind == kinds[0]), count)
        end = next((place for place in range(at, count) if units[place].kind == other), count)
        last = max((place for place in range(at, end) if units[place].kind in kinds), default=at)
        start, stop = _with_brackets(units, at, min(last + 1, count), kinds[0] == "right")
        start = _with_numbers(units, max(start, rest), rest) if kinds[0] == "right" and start < stop else start
        if rest < start:
            yield False, units[rest:start]
        if start < stop:
            yield True, units[start:stop]
        rest = stop


def _with_brackets(units: Sequence[_Unit], start: int, stop: int, backward: bool) -> tuple[int, int]:
    """A run with the bracket beside its end whose other one lies in it, and the sign of its last number."""
    unit_texts = [unit.text for unit in units[start:stop]]
    unequal = sum(text in _OPENING for text in unit_texts) != sum(text in _CLOSING for text in unit_texts)
    if unequal and backward and start and units[start - 1].text in _OPENING + _CLOSING:
        return start - 1, stop
    if stop < len(units) and not backward and unit_texts:
        after = units[stop].text
        if (unequal and after in _CLOSING) or (units[stop - 1].kind == "digit" and after in _AFTER_NUMBERS):
            return start, stop + 1
    return start, stop


def _with_numbers(units: Sequence[_Unit], start: int, least: int) -> int:
    """Where a run from right to left ends at its left: numbers that begin the line, or stand beyond a comma, end it."""
    before = units[least:start]
    if not least and all(unit.kind in ("digit", "sign") for unit in before):
        sign = next((unit.text for unit in before if unit.kind != "digit"), "")
        return 0 if before and before[0].kind == "digit" and sign not in (".", ")") else start
    at = start
    while at > least and units[at - 1].text in _AFTER_WORDS:
        at -= 1
    if at == start:
        return start
    number_start = at
    while number_start > least and units[number_start - 1].kind == "sign":
        number_start -= 1
    first = number_start
    while first > least and units[first - 1].kind != "left" and units[first - 1].text != " ":
        first -= 1
    return first if first < number_start else at


def _group_numbers(units: Sequence[_Unit]) -> Iterator[tuple[bool, Sequence[_Unit]]]:
    """Numbers with their signs as wholes, all else one by one."""
    at = 0
    while at < len(units):
        end = at + (units[at].text in _BEFORE_NUMBERS)
        end = _end_of_number(units, end)
        is_number = any(unit.kind == "digit" for unit in units[at:end])
        end = end if is_number else at + 1
        yield is_number, units[at:end]
        at = end


def _end_of_number(units: Sequence[_Unit], at: int) -> int:
    start = at
    while at < len(units):
        inside = units[at].text in _IN_NUMBERS and start < at < len(units) - 1 and units[at + 1].kind == "digit"
        if units[at].kind != "digit" and not inside:
            break
        at += 1
    return at + 1 if start < at < len(units) and units[at].text in _AFTER_NUMBERS else at
