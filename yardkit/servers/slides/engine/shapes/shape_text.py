"""The text of one shape set as a whole: paragraphs, how they fit, where they stand in the box."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from yardkit.servers.slides.engine.inputs import Paragraph, ShapeKey
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck
from yardkit.servers.slides.engine.package.shape_tree import A, Box, find_shape, move_shape, text_body
from yardkit.servers.slides.engine.package.theme import Look
from yardkit.servers.slides.engine.package.units import to_cm, to_emu
from yardkit.servers.slides.engine.shapes.shape_edits import drop_unused
from yardkit.servers.slides.engine.shapes.shape_versions import settle_versions as settle_versions
from yardkit.servers.slides.engine.text.bullets import take_typed
from yardkit.servers.slides.engine.text.paragraphs import (
    ALIGN,
    Align,
    as_paragraphs,
    body_of,
    read_text,
    write_paragraphs,
)
from yardkit.servers.slides.engine.text.text_measure import find_autofit, fitting_scale, measure_room
from yardkit.servers.slides.engine.text.text_measure import list_frames as frames_of
from yardkit.world import Problem

_ANCHOR = {"top": "t", "middle": "ctr", "bottom": "b"}
_AUTOFIT_TAGS = ("normAutofit", "spAutoFit", "noAutofit")


def set_text(
    path: Path,
    slide: int,
    key: ShapeKey,
    paragraphs: list[str | Paragraph],
    *,
    append: bool,
    autofit: str | None,
    anchor: str | None,
    margin_cm: float | None,
) -> list[str]:
    """Set the text of a shape; notes where it does not fit."""
    with edit_deck(path) as deck:
        page = deck.get_slide(slide)
        body = body_of(page, key)
        write_paragraphs(page, body, as_paragraphs([*paragraphs]), append=append)
        take_typed(page, find_shape(page, key).shape, len(paragraphs))
        frame = body.find(f"{A}bodyPr")
        if anchor:
            frame.set("anchor", _ANCHOR[anchor])
        if margin_cm is not None:
            if margin_cm < 0:
                raise Problem(f"{margin_cm:g} cm is not a valid margin; use 0 or more")
            for side in ("lIns", "tIns", "rIns", "bIns"):
                frame.set(side, str(to_emu(margin_cm)))
        if autofit is None:
            scale_anew(page, find_shape(page, key).shape)
        notes = _fit_text(page, key, frame, autofit)
        notes += settle_versions(find_shape(page, key).shape)
        drop_unused(page)
        expected_text, identity = read_text(body), find_shape(page, key).shape.shape_id
        deck.promise("the text", lambda saved: _read_text(saved, slide, identity) == expected_text)
    return notes


def align_text(path: Path, slide: int, key: ShapeKey, align: Align | None, anchor: str | None) -> None:
    """Align all paragraphs of a shape, and say where its text stands in the box; what is None stays."""
    with edit_deck(path) as deck:
        body = body_of(deck.get_slide(slide), key)
        for paragraph in body.iterfind(f"{A}p") if align else ():
            paragraph.get_or_add_pPr().set("algn", ALIGN[align or "left"])
        if anchor:
            body.find(f"{A}bodyPr").set("anchor", _ANCHOR[anchor])


def _read_text(saved: Deck, slide: int, identity: int) -> str:
    return read_text(text_body(find_shape(saved.get_slide(slide), identity).shape))


def set_fit(body: Any, autofit: str, anchor: str) -> None:
    """How text that is open fits, and where it stands in its box."""
    frame = body.find(f"{A}bodyPr")
    frame.set("anchor", _ANCHOR[anchor])
    _set_autofit(frame, autofit)


def _set_autofit(frame: Any, autofit: str) -> None:
    from lxml import etree

    for tag in _AUTOFIT_TAGS:
        for old in frame.findall(f"{A}{tag}"):
            frame.remove(old)
    tag = {"none": "noAutofit", "shrink": "normAutofit", "resize": "spAutoFit"}[autofit]
    at = 1 if frame.find(f"{A}prstTxWarp") is not None else 0
    frame.insert(at, etree.Element(f"{A}{tag}"))


def _fit_text(page: Any, key: ShapeKey, frame: Any, autofit: str | None) -> list[str]:
    if autofit is not None:
        _set_autofit(frame, autofit)
    look, placed = Look(page), find_shape(page, key)
    needs = measure_room(look, placed)
    if autofit == "shrink":
        frame.set("wrap", "square")
        scale = fitting_scale(look, placed)
        if scale < 1:
            _set_font_scale(frame, scale)
            return [f"the text was scaled to {scale:.0%} to fit"] + (
                [] if _fits_box(look, placed) else ["it still does not fit"]
            )
    elif autofit == "resize" and needs and placed.box:
        height = placed.box.height + (needs.need_height - needs.height) * 12_700
        move_shape(placed, Box(placed.box.left, placed.box.top, placed.box.width, max(height, 0)))
        return [f"the box is {to_cm(max(height, 0)):g} cm high now"]
    elif needs and needs.over > 2:
        return [
            f"the text needs {needs.need_height:.0f} pt of height, the box has {needs.height:.0f}; shorten it, "
            "or autofit=shrink"
        ]
    return []


def _set_font_scale(frame: Any, scale: float) -> None:
    _set_autofit(frame, "shrink")
    frame.find(f"{A}normAutofit").set("fontScale", str(round(scale * 100_000)))
    frame.find(f"{A}normAutofit").set("lnSpcReduction", str(round(min(0.2, 1 - scale) * 100_000)))


def keep_inside(page: Any, shape: Any) -> None:
    """Scale text that is too long for its box, where the design shrinks such: programs do it only while one types."""
    look, placed = Look(page), find_shape(page, int(shape.shape_id))
    fit = find_autofit(frames_of(look, shape))
    if fit is not None and fit.tag == f"{A}normAutofit" and (scale := fitting_scale(look, placed)) < 1:
        _set_font_scale(text_body(shape).find(f"{A}bodyPr"), scale)


def scale_anew(page: Any, shape: Any) -> None:
    """After a change of text or sizes: text that was scaled is scaled as it needs to be now."""
    body = text_body(shape)
    fit = None if body is None else body.find(f"{A}bodyPr/{A}normAutofit")
    if fit is not None and fit.get("fontScale"):
        fit.attrib.clear()
        keep_inside(page, shape)


def _fits_box(look: Look, placed: Any) -> bool:
    needs = measure_room(look, placed)
    return needs is None or needs.over <= 2
