"""Slides, shapes, layouts and masters by position: what other programs and suites count from 0."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.servers.slides.engine.package.deck import Deck
from yardkit.servers.slides.engine.package.shape_tree import text_body, title_shape
from yardkit.servers.slides.engine.shapes.tables import read_texts
from yardkit.servers.slides.engine.text.paragraphs import read_text


@dataclass(frozen=True)
class Holder:
    """A placeholder: its idx, its type such as BODY (2), and its name."""

    idx: int
    type: str
    name: str


@dataclass(frozen=True)
class Listed:
    """A shape that stands directly on a slide, at its position from back to front; places in EMU.

    Attributes:
        type: such as AUTO_SHAPE (1), or that of a placeholder.
        text: of its paragraphs, by line feeds; empty for shapes without text.
    """

    id: int
    name: str
    type: str
    left: int | None
    top: int | None
    width: int | None
    height: int | None
    text: str = ""
    holder: Holder | None = None
    table: list[list[str]] = field(default_factory=list)


@dataclass(frozen=True)
class SlideList:
    """A slide: its layout, title and shapes."""

    layout: str
    title: str
    shapes: list[Listed]

    @property
    def holders(self) -> list[tuple[Holder, Listed]]:
        """The placeholders, with their shapes."""
        return [(shape.holder, shape) for shape in self.shapes if shape.holder]


@dataclass(frozen=True)
class LayoutList:
    """A layout and its placeholders."""

    name: str
    holders: list[Holder]


@dataclass(frozen=True)
class MasterList:
    """A master and its layouts."""

    name: str
    layouts: list[LayoutList]


@dataclass(frozen=True)
class DeckList:
    """A deck: sizes in EMU, properties of the file."""

    width: int
    height: int
    slides: int
    masters: list[MasterList]
    properties: dict[str, str | None]


def list_slides(path: Path) -> list[SlideList]:
    """Every slide with its shapes."""
    return [_describe_slide(slide) for slide in Deck.open(path).slides]


def describe_deck(path: Path) -> DeckList:
    """What belongs to the whole deck."""
    opened = Deck.open(path)
    masters = [
        MasterList(master.name or f"Master {number}", [_describe_layout(layout) for layout in master.slide_layouts])
        for number, master in enumerate(opened.presentation.slide_masters)
    ]
    core = opened.opened.core_properties
    names = ("title", "subject", "author", "keywords", "comments", "last_modified_by")
    properties = {name: str(getattr(core, name) or "") for name in names}
    dates = {name: getattr(core, name) for name in ("created", "modified")}
    date_values = {name: value.isoformat() if value else None for name, value in dates.items()}
    return DeckList(opened.width, opened.height, len(opened.slides), masters, {**properties, **date_values})


def _describe_layout(layout: Any) -> LayoutList:
    return LayoutList(layout.name or "", [_describe_holder(placeholder) for placeholder in layout.placeholders])


def _describe_holder(shape: Any) -> Holder:
    form = shape.placeholder_format
    return Holder(int(form.idx), str(form.type), shape.name)


def _describe_slide(slide: Any) -> SlideList:
    title = title_shape(slide)
    title_text = "" if title is None else read_text(text_body(title))
    return SlideList(slide.slide_layout.name or "", title_text, [_describe_shape(shape) for shape in slide.shapes])


def _describe_shape(shape: Any) -> Listed:
    body = text_body(shape)
    return Listed(
        int(shape.shape_id),
        shape.name,
        _get_type_name(shape),
        shape.left,
        shape.top,
        shape.width,
        shape.height,
        "" if body is None else read_text(body),
        _describe_holder(shape) if shape.is_placeholder else None,
        read_texts(shape) if getattr(shape, "has_table", False) else [],
    )


def _get_type_name(shape: Any) -> str:
    try:
        return str(shape.shape_type)
    except NotImplementedError:  # python-pptx knows no name for it
        return "None"
