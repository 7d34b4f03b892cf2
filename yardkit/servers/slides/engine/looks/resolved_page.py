"""A slide as its checks see it: shapes, resolved text, and what is filled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from yardkit.servers.slides.engine.package.deck import Deck
from yardkit.servers.slides.engine.package.shape_tree import A, P, Placed, non_visual, text_body, walk_shapes
from yardkit.servers.slides.engine.package.theme import Look
from yardkit.servers.slides.engine.results import Finding
from yardkit.servers.slides.engine.text.text_measure import Letters, get_letters


@dataclass(frozen=True)
class Page:
    """A slide with what its checks share."""

    deck: Deck
    slide: Any
    number: int
    min_size_pt: float

    @cached_property
    def look(self) -> Look:
        return Look(self.slide)

    @cached_property
    def placed(self) -> list[Placed]:
        shapes = (replace(placed, known=placed.box) for placed in walk_shapes(self.slide.shapes))
        return [shape for shape in shapes if non_visual(shape.shape).get("hidden") not in ("1", "true")]

    def make_finding(
        self, what: str, placed: Placed | None, message: str, do: str, other: Placed | None = None
    ) -> Finding:
        box = None if placed is None else placed.box
        shape = None if placed is None else placed.shape.shape_id
        return Finding(
            what,
            self.number,
            message,
            do,
            shape,
            None if other is None else other.shape.shape_id,
            None if box is None else box.cm(),
        )

    def runs(self, placed: Placed) -> list[Letters]:
        """The resolved runs with text of a shape, also of the cells of a table."""
        return [
            get_letters(self.look, placed.shape, paragraph, run)
            for paragraph in placed.shape._element.iter(f"{A}p")
            for run in paragraph.iterfind(f"{A}r")
            if (run.findtext(f"{A}t") or "").strip()
        ]


def is_filled(shape: Any) -> bool:
    properties = shape._element.find(f"{P}spPr")
    if properties is None:
        return True
    if properties.find(f"{A}noFill") is not None:
        return False
    own = any(properties.find(f"{A}{tag}") is not None for tag in ("solidFill", "gradFill", "blipFill", "pattFill"))
    styled = shape._element.find(f"{P}style/{A}fillRef")
    return own or (styled is not None and styled.get("idx") != "0")


def has_text(placed: Placed) -> bool:
    body = text_body(placed.shape)
    return body is not None and bool("".join(body.itertext()).strip())
