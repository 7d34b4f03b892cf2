"""Two decks compared: slides matched even when they moved, then what differs on each pair."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from yardkit.servers.slides.engine.contents.deck_reader import notes_of, shape_info, title_of
from yardkit.servers.slides.engine.package import slide_copies
from yardkit.servers.slides.engine.package.deck import Deck
from yardkit.servers.slides.engine.package.shape_tree import A, R, get_kind, walk_shapes
from yardkit.servers.slides.engine.package.theme import theme_colors, theme_fonts, theme_root
from yardkit.servers.slides.engine.package.units import to_cm
from yardkit.servers.slides.engine.results import Comparison, Difference, ShapeInfo
from yardkit.servers.slides.engine.slides.slide_look import get_transition

_LIKE = 0.5
_STILL_CM = 0.05
_COMPARED_KEYS = ("rotation_deg", "fill", "line", "preset", "alt_text", "link", "picture", "crop", "autofit", "hidden")


def compare_decks(path: Path, other: Path, offset: int, limit: int) -> Comparison:
    """How the deck `other` differs from the deck `path`."""
    here, there = Deck.open(path), Deck.open(other)
    pairs = _pair_slides(here, there)
    differences = [*_compare_deck_settings(here, there), *_find_moved_slides(here, there, pairs)]
    for first_number, two in pairs:
        differences += _compare_slides(here.get_slide(first_number), there.get_slide(two), first_number, two)
    following = offset + limit if offset + limit < len(differences) else None
    return Comparison(
        not differences,
        len(differences),
        differences[offset : offset + limit],
        [list(pair) for pair in pairs],
        following,
    )


def _compare_deck_settings(here: Deck, there: Deck) -> Iterator[Difference]:
    before_cm, after_cm = (f"{to_cm(deck.width)} x {to_cm(deck.height)} cm" for deck in (here, there))
    if before_cm != after_cm:
        yield Difference("size", f"{before_cm} -> {after_cm}")
    roots = [[theme_root(master) for master in deck.presentation.slide_masters] for deck in (here, there)]
    for first_root, two in zip(*roots, strict=False):
        before, after = theme_colors(first_root), theme_colors(two)
        for slot in sorted(before.keys() | after.keys()):
            if before.get(slot) != after.get(slot):
                yield Difference("theme", f"colour {slot}: {before.get(slot)} -> {after.get(slot)}")
        if theme_fonts(first_root) != theme_fonts(two):
            yield Difference("theme", f"fonts: {theme_fonts(first_root)} -> {theme_fonts(two)}")
    if slide_copies.list_sections(here) != slide_copies.list_sections(there):
        yield Difference("sections", f"{slide_copies.list_sections(here)} -> {slide_copies.list_sections(there)}")


def _pair_slides(here: Deck, there: Deck) -> list[tuple[int, int]]:
    """Slides that belong together: by their id and likeness first, then the likest of the rest."""
    ids = [deck.slide_ids for deck in (here, there)]
    texts = [[_make_fingerprint(slide) for slide in deck.slides] for deck in (here, there)]
    pairs: list[tuple[int, int]] = []
    left, right = set(range(len(ids[0]))), set(range(len(ids[1])))
    scores = [
        (_measure_likeness(texts[0][a], texts[1][b]) + (0.3 if ids[0][a] == ids[1][b] else 0) - abs(a - b) * 1e-4, a, b)
        for a in left
        for b in right
    ]
    for score, a, b in sorted(scores, key=lambda entry: (-entry[0], entry[1], entry[2])):
        if score >= _LIKE and a in left and b in right:
            pairs.append((a + 1, b + 1))
            left.discard(a)
            right.discard(b)
    return sorted(pairs)


def _make_fingerprint(slide: Any) -> frozenset[str]:
    """The words of a slide, and the kinds of its shapes."""
    words = [word for text in slide._element.iter(f"{A}t") for word in (text.text or "").split()]
    return frozenset(
        [*words, *(f"\0{get_kind(placed.shape)} {placed.shape.name}" for placed in walk_shapes(slide.shapes))]
    )


def _measure_likeness(first: frozenset[str], second: frozenset[str]) -> float:
    if not first or not second:
        return 1.0 if first == second else 0.0
    return 2 * len(first & second) / (len(first) + len(second))


def _find_moved_slides(here: Deck, there: Deck, pairs: list[tuple[int, int]]) -> Iterator[Difference]:
    paired = [{pair[side] for pair in pairs} for side in (0, 1)]
    for number, slide in enumerate(here.slides, 1):
        if number not in paired[0]:
            yield Difference("slide_removed", _name_slide(slide), number)
    for number, slide in enumerate(there.slides, 1):
        if number not in paired[1]:
            yield Difference("slide_added", _name_slide(slide), None, number)
    order = [two for _, two in pairs]
    unmoved_run = _longest_run(order)
    for first_number, two in pairs:
        if two not in unmoved_run:
            yield Difference(
                "slide_moved",
                f"{_name_slide(here.get_slide(first_number))}: {first_number} -> {two}",
                first_number,
                two,
            )


def _name_slide(slide: Any) -> str:
    return repr(title_of(slide)) if title_of(slide) else f"without title, layout {slide.slide_layout.name!r}"


def _longest_run(order: list[int]) -> set[int]:
    """The longest increasing subsequence: slides that kept their order."""
    runs: list[list[int]] = [[]]
    for value in order:
        longest = _find_longest([run for run in runs if not run or run[-1] < value])
        runs.append([*longest, value])
    return set(_find_longest(runs))


def _find_longest(runs: list[list[int]]) -> list[int]:
    size = max(map(len, runs))
    return next(run for run in runs if len(run) == size)


def _compare_slides(first: Any, second: Any, first_number: int, two: int) -> Iterator[Difference]:
    facts = (
        ("layout", first.slide_layout.name, second.slide_layout.name),
        ("notes", notes_of(first), notes_of(second)),
        ("transition", get_transition(first), get_transition(second)),
        ("hidden", first._element.get("show"), second._element.get("show")),
    )
    for name, before, after in facts:
        if before != after:
            yield Difference(name, f"{before!r} -> {after!r}", first_number, two)
    before_shapes = {placed.shape.shape_id: placed for placed in walk_shapes(first.shapes)}
    after_shapes = {placed.shape.shape_id: placed for placed in walk_shapes(second.shapes)}
    for identity in [*before_shapes, *(shape for shape in after_shapes if shape not in before_shapes)]:
        old, new = before_shapes.get(identity), after_shapes.get(identity)
        if old is None or new is None:
            placed = old or new
            what = "shape_removed" if new is None else "shape_added"
            name = "" if placed is None else f"{get_kind(placed.shape)} {placed.shape.name!r}"
            yield Difference(what, name, first_number, two, identity)
        else:
            for pair in _compare_shapes(
                shape_info(first, old), shape_info(second, new), _read_picture(old.shape), _read_picture(new.shape)
            ):
                yield Difference(pair[0], pair[1], first_number, two, identity)
    drawn = [
        [identity for identity in shapes if identity in before_shapes and identity in after_shapes]
        for shapes in (before_shapes, after_shapes)
    ]
    if drawn[0] != drawn[1]:
        yield Difference("order", f"back to front {drawn[0]} -> {drawn[1]}", first_number, two)


def _read_picture(shape: Any) -> bytes:
    blip = shape._element.find(f".//{A}blip")
    identity = None if blip is None else blip.get(f"{R}embed")
    return bytes(shape.part.related_part(identity).blob) if identity and identity in shape.part.rels else b""


def _compare_shapes(old: ShapeInfo, new: ShapeInfo, before: bytes, after: bytes) -> Iterator[tuple[str, str]]:
    texts = [[paragraph.text for paragraph in info.paragraphs] for info in (old, new)]
    if texts[0] != texts[1]:
        yield "text", _text_change("\n".join(texts[0]), "\n".join(texts[1]))
    elif old.paragraphs != new.paragraphs:
        yield "text_format", _format_change(old, new)
    if _is_moved(old.box_cm, new.box_cm):
        yield "geometry", f"[left, top, width, height] in cm: {old.box_cm} -> {new.box_cm}"
    yield from (("format", change) for change in _look_changes(old, new))
    if old.picture == new.picture and before != after:
        yield "picture", "another picture"
    if old.table != new.table or old.merged != new.merged:
        yield "table", _table_change(old, new)
    if old.chart != new.chart:
        yield "chart", f"{old.chart} -> {new.chart}: {_chart_change(old, new)}"
    if old.name != new.name:
        yield "name", f"{old.name!r} -> {new.name!r}"


def _is_moved(old: list[float] | None, new: list[float] | None) -> bool:
    if old is None or new is None:
        return old != new
    return any(abs(a - b) > _STILL_CM for a, b in zip(old, new, strict=True))


def _text_change(old: str, new: str) -> str:
    """What was taken out and put in, word by word."""
    before, after = old.split(" "), new.split(" ")
    parts = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            parts.append(f"{' '.join(before[a:b])!r} -> {' '.join(after[c:d])!r}")
    return "; ".join(parts)[:1000]


def _format_change(old: ShapeInfo, new: ShapeInfo) -> str:
    for number, (old_paragraph, two) in enumerate(zip(old.paragraphs, new.paragraphs, strict=True), 1):
        if old_paragraph != two:
            own = [
                f"{key}: {vars(old_paragraph)[key]!r} -> {vars(two)[key]!r}"
                for key in ("level", "align", "bullet", "space")
                if vars(old_paragraph)[key] != vars(two)[key]
            ]
            runs = [f"{a} -> {b}" for a, b in zip(old_paragraph.runs, two.runs, strict=False) if a != b][:3]
            return (
                f"paragraph {number} {old_paragraph.text[:60]!r}: {'; '.join([*own, *runs]) or 'split into other runs'}"
            )
    return "other"


def _table_change(old: ShapeInfo, new: ShapeInfo) -> str:
    if [len(row) for row in old.table] != [len(row) for row in new.table]:
        before, after = (f"{len(info.table)} x {len((info.table or [[]])[0])}" for info in (old, new))
        return f"{before} -> {after} cells"
    cells = [
        f"row {r}, column {c}: {a!r} -> {b!r}"
        for r, (old_row, two) in enumerate(zip(old.table, new.table, strict=True), 1)
        for c, (a, b) in enumerate(zip(old_row, two, strict=True), 1)
        if a != b
    ]
    return "; ".join(cells[:20]) or f"merged: {old.merged} -> {new.merged}"


def _look_changes(old: ShapeInfo, new: ShapeInfo) -> Iterator[str]:
    for name in _COMPARED_KEYS:
        if getattr(old, name) != getattr(new, name):
            yield f"{name}: {getattr(old, name)!r} -> {getattr(new, name)!r}"
    for key in sorted(old.look.keys() | new.look.keys()):
        if old.look.get(key) != new.look.get(key):
            yield f"{key}: {old.look.get(key)!r} -> {new.look.get(key)!r}"
    if old.cells != new.cells and old.table == new.table:
        yield _cells_change(old, new)


def _cells_change(old: ShapeInfo, new: ShapeInfo) -> str:
    before, after = ({(cell.row, cell.column): cell.look for cell in info.cells} for info in (old, new))
    changed = [
        f"row {row}, column {column}: {before.get((row, column), {})} -> {after.get((row, column), {})}"
        for row, column in sorted(before.keys() | after.keys())
        if before.get((row, column)) != after.get((row, column))
    ]
    return "; ".join(changed[:20])


def _chart_change(old: ShapeInfo, new: ShapeInfo) -> str:
    if old.chart is None or new.chart is None:
        return "chart"
    changes = [
        f"{name}: {getattr(old.chart, name)!r} -> {getattr(new.chart, name)!r}"
        for name in ("kind", "title", "categories", "axis_titles")
        if getattr(old.chart, name) != getattr(new.chart, name)
    ]
    for old_series, two in zip(old.chart.series, new.chart.series, strict=False):
        if old_series != two:
            changes.append(f"{old_series.name} {old_series.values} -> {two.name} {two.values}")
    return "; ".join(changes)[:1000]
