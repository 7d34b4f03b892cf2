"""Is it seen? Pages before and after a change, as they are drawn."""

from __future__ import annotations

from pathlib import Path

from yardkit.servers.pdf.engine.package.document import render_pdf
from yardkit.world.boxes import Box

_LARGEST_PX = 1_500


def find_unseen(before: Path, after: Path, password: str, places: list[tuple[int, Box]]) -> list[int]:
    """The pages of the places (boxes on the page as shown, origin bottom left) where both files look the same."""
    if not places:
        return []
    old, new = _render_pictures(before, password, places), _render_pictures(after, password, places)
    return [number for (number, _), was, now in zip(places, old, new, strict=True) if was and was == now]


def _render_pictures(path: Path, password: str, places: list[tuple[int, Box]]) -> list[bytes]:
    pictures = []
    with render_pdf(path, password) as document:
        for number, (x0, y0, x1, y1) in places:
            page = document[number - 1]
            wide, tall = page.get_size()
            left, right = max(x0, 0.0), max(wide - x1, 0.0)
            if left + right >= wide or max(y0, 0.0) + max(tall - y1, 0.0) >= tall:  # it lies beyond the page
                pictures.append(b"")
                continue
            crop = (left, max(y0, 0.0), right, max(tall - y1, 0.0))
            pictures.append(page.render(scale=min(1.0, _LARGEST_PX / max(wide, tall)), crop=crop).to_pil().tobytes())
    return pictures
