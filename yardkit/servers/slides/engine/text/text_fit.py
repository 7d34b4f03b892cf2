"""Whether the text of shapes fits, and sizes at which it does."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.servers.slides.engine.inputs import Paragraph, ShapeKey
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck
from yardkit.servers.slides.engine.package.shape_tree import A, Placed, find_shape, text_body, walk_shapes
from yardkit.servers.slides.engine.package.theme import Look
from yardkit.servers.slides.engine.text import text_measure
from yardkit.servers.slides.engine.text.paragraphs import (
    Format,
    apply_format,
    as_paragraphs,
    format_paragraph,
    write_paragraphs,
)
from yardkit.world import Problem

SLACK_PT = 2.0
"""Text that is over by less than this is not seen to be."""
COMFORTABLE = 1.2
"""Lines that text of a slide is read well at, where there is room."""


@dataclass(frozen=True)
class Fit:
    """How text lies in its box, in points; sizes are the smallest and the largest of its runs."""

    shape: int
    fits: bool
    lines: int
    needs_height_pt: float
    has_height_pt: float
    needs_width_pt: float
    has_width_pt: float
    sizes_pt: tuple[float, float]


@dataclass(frozen=True)
class Fitted:
    """What was changed on a shape, and whether its text fits now."""

    shape: int
    fits: bool
    done: list[str] = field(default_factory=list)


def check_fit(path: Path, slide: int, key: ShapeKey, text: str | None = None, size_pt: float | None = None) -> Fit:
    """Whether the text of a shape fits, or whether another text or size would.

    Raises:
        Problem: the shape has no text or no box.
    """
    page = Deck.open(path).get_slide(slide)
    placed = find_shape(page, key)
    body = text_body(placed.shape)
    if body is None:
        raise Problem(f"shape {placed.shape.shape_id} {placed.shape.name!r} has no text")
    if text:
        write_paragraphs(page, body, as_paragraphs([*text.split("\n")]))
    if size_pt is not None:
        _resize_runs(Look(page), placed, size_pt, size_pt)
    return _measure_fit(Look(page), placed)


def _measure_fit(look: Look, placed: Placed) -> Fit:
    text_room = text_measure.measure_room(look, placed)
    if text_room is None:
        raise Problem(f"shape {placed.shape.shape_id} {placed.shape.name!r} has no text or no position")
    sizes = [size for _, size in _list_run_sizes(look, placed)] or [0.0]
    return Fit(
        int(placed.shape.shape_id),
        text_room.over <= SLACK_PT,
        text_room.lines,
        round(text_room.need_height, 1),
        round(text_room.height, 1),
        round(text_room.need_width, 1),
        round(text_room.width, 1),
        (min(sizes), max(sizes)),
    )


def optimize_text(
    path: Path, slide: int, keys: list[ShapeKey] | None, smallest: float, largest: float, *, resize: bool, wrap: bool,
    spacing: bool,
) -> list[Fitted]:  # fmt: skip
    """Make text fit: wrapped in its box, sizes within limits and as large as they were or as fits, lines apart.

    Only shapes of which something changes are named.

    Raises:
        Problem: the limits contradict each other, or a shape does not exist.
    """
    if not 1 <= smallest <= largest:
        raise Problem(f"{smallest:g} to {largest:g} pt is not a valid size range; the first must not be larger")
    with edit_deck(path) as deck:
        page = deck.get_slide(slide)
        chosen = [find_shape(page, key) for key in keys] if keys is not None else list(walk_shapes(page.shapes))
        return fit_shapes(page, chosen, smallest, largest, resize=resize, wrap=wrap, spacing=spacing)


def fit_shapes(
    page: Any,
    chosen: list[Placed],
    smallest: float,
    largest: float,
    *,
    resize: bool = True,
    wrap: bool = True,
    spacing: bool = False,
) -> list[Fitted]:
    """Make the text of shapes of a slide that is open fit, as `optimize_text` says."""
    done = []
    look = Look(page)
    for placed in chosen:
        if text_measure.measure_room(look, placed) is None:
            continue
        notes = _wrap_text(placed) if wrap else []
        notes += _shrink_text(look, placed, smallest, largest) if resize else []
        notes += _space_lines(look, placed) if spacing else []
        text_room = text_measure.measure_room(look, placed)
        if notes and text_room:
            done.append(Fitted(int(placed.shape.shape_id), text_room.over <= SLACK_PT, notes))
    return done


def _wrap_text(placed: Placed) -> list[str]:
    frame = text_body(placed.shape).find(f"{A}bodyPr")
    if frame.get("wrap") != "none":
        return []
    frame.set("wrap", "square")
    return ["lines are wrapped in the box"]


def _shrink_text(look: Look, placed: Placed, smallest: float, largest: float) -> list[str]:
    before = _list_run_sizes(look, placed)
    limit = largest
    _resize_runs(look, placed, smallest, limit)
    while limit > smallest and _measure_overflow(look, placed) > SLACK_PT:
        limit = max(smallest, limit - 1)
        _resize_runs(look, placed, smallest, limit)
    after = _list_run_sizes(look, placed)
    if [size for _, size in before] == [size for _, size in after]:
        return []
    was, now = ([size for _, size in sizes] for sizes in (before, after))
    return [f"sizes of {min(was):g} to {max(was):g} pt are {min(now):g} to {max(now):g} pt now"]


def _measure_overflow(look: Look, placed: Placed) -> float:
    text_room = text_measure.measure_room(look, placed)
    return 0.0 if text_room is None else text_room.over


def _list_run_sizes(look: Look, placed: Placed) -> list[tuple[Any, float]]:
    """The runs with text, and the size that each is shown with."""
    shape = placed.shape
    pairs = [(p, run) for p in text_body(shape).iterfind(f"{A}p") for run in p.iterfind(f"{A}r")]
    return [(run, text_measure.get_letters(look, shape, p, run).size_pt) for p, run in pairs]


def _resize_runs(look: Look, placed: Placed, smallest: float, largest: float) -> None:
    """Bring sizes that lie outside of the limits to them."""
    for run, size in _list_run_sizes(look, placed):
        new_size = min(max(size, smallest), largest)
        if new_size != size:
            apply_format(run.get_or_add_rPr(), Format(size_pt=new_size))


def _space_lines(look: Look, placed: Placed) -> list[str]:
    """Lines that are set tight come apart where the text still fits then."""
    body = text_body(placed.shape)
    tight = [
        p for p in body.iterfind(f"{A}p") if 0 < text_measure.get_spacing(look, placed.shape, p, 12).line < COMFORTABLE
    ]
    text_room = text_measure.measure_room(look, placed)
    if not tight or text_room is None or text_room.lines < 2:
        return []
    for paragraph in tight:
        format_paragraph(paragraph, Paragraph(line_spacing=COMFORTABLE))
    if _measure_overflow(look, placed) <= 0:
        return [f"line spacing is {COMFORTABLE:g}"]
    for paragraph in tight:
        paragraph.pPr.remove(paragraph.pPr.find(f"{A}lnSpc"))
    return []
