"""Bullets: whether a paragraph has one, and lines that were typed with one of their own."""

from __future__ import annotations

import re
from typing import Any

from yardkit.servers.slides.engine.package.shape_tree import A, text_body
from yardkit.servers.slides.engine.package.theme import Look

_BULLET_TAGS = (f"{A}buNone", f"{A}buChar", f"{A}buAutoNum", f"{A}buBlip")
_TYPED = re.compile(r"\s*(?:•|[◦▪▫●○■□‣∙·]\s)\s*(?=\S)")
_LISTED = re.compile(r"\s*[-*]\s+(?=\S)")


def is_marked(chain: list[Any]) -> bool:
    """Whether paragraphs have a bullet or number, by the nearest properties that say so."""
    return _find_bullet_tag(chain) not in (None, f"{A}buNone")


def _find_bullet_tag(chain: list[Any]) -> str | None:
    return next((child.tag for properties in chain for child in properties if child.tag in _BULLET_TAGS), None)


def take_typed(slide: Any, shape: Any, count: int) -> None:
    """Take the bullets out of the text of the last `count` paragraphs of a shape where their level gives them one."""
    look, written = Look(slide), text_body(shape).findall(f"{A}p")[-count:]
    firsts = [
        (written_paragraph, text)
        for written_paragraph in written
        if (text := written_paragraph.find(f"{A}r/{A}t")) is not None and text.text
    ]
    # A lone hyphen may be a minus or a dash; in front of several lines, or among bullets alone, it is a list.
    lines = ["".join(part.text or "" for part in paragraph.iter(f"{A}t")) for paragraph, _ in firsts]
    hyphens = sum(bool(_LISTED.match(line)) for line in lines)
    listed = hyphens > 1 or (len(lines) > 1 and all(_LISTED.match(line) or _TYPED.match(line) for line in lines))
    for (paragraph, text), line in zip(firsts, lines, strict=True):
        bullet_match = _TYPED.match(line) or (_LISTED.match(line) if listed else None)
        if bullet_match and bullet_match.end() <= len(text.text) and _has_bullet(look, shape, paragraph):
            text.text = text.text[bullet_match.end() :]


def _has_bullet(look: Look, shape: Any, paragraph: Any) -> bool:
    own = paragraph.find(f"{A}pPr")
    level = 0 if own is None else int(own.get("lvl", "0"))
    return _find_bullet_tag([*([] if own is None else [own]), *look.levels(shape, level)]) in (
        f"{A}buChar",
        f"{A}buBlip",
    )
