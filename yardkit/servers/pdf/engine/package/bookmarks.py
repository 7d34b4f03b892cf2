"""Bookmarks: read as a flat list with levels, written from the same."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.servers.pdf.engine.package.document import open_pdf, save_pdf, warnings_of
from yardkit.world import Problem

PRELOAD = ("pikepdf",)
MAX_ITEMS = 20_000


@dataclass(frozen=True)
class OutlineEntry:
    """A bookmark.

    Attributes:
        title: its text.
        page: where it leads, from 1; null when it leads nowhere in this file.
        level: 1 at the top.
        top: distance of the target from the top of the page in points, where stated.
    """

    title: str
    page: int | None
    level: int = 1
    top: float | None = None


def read_outline(pdf: Any) -> list[OutlineEntry]:
    """The bookmarks of an open document in reading order."""
    pages = {page.obj.objgen: number for number, page in enumerate(pdf.pages, start=1)}
    named = named_destinations(pdf)
    entries: list[OutlineEntry] = []
    seen: set[Any] = set()
    waiting = [(pdf.Root.get("/Outlines", {}).get("/First"), 1)]
    while waiting and len(entries) < MAX_ITEMS:
        item, level = waiting.pop()
        if item is None or item.objgen in seen:
            continue
        seen.add(item.objgen)
        page, top = target_of(pdf, item, pages, named)
        entries.append(OutlineEntry(str(item.get("/Title", "")), page, level, top))
        waiting += [(item.get("/Next"), level), (item.get("/First"), level + 1)]
    return entries


def named_destinations(pdf: Any) -> dict[str, Any]:
    """Every named destination of the document."""
    import pikepdf

    destinations: dict[str, Any] = {}
    tree = pdf.Root.get("/Names", {}).get("/Dests")
    if tree is not None:
        destinations |= {str(key): value for key, value in pikepdf.NameTree(tree).items()}
    old = pdf.Root.get("/Dests")
    if old is not None:
        destinations |= {str(key)[1:]: value for key, value in old.items()}
    return destinations


def target_of(
    pdf: Any, item: Any, pages: dict[Any, int], named: dict[str, Any], *, tops: bool = True
) -> tuple[int | None, float | None]:
    """Page number and top of what an outline item or a link leads to in this document."""
    import pikepdf

    place = item.get("/Dest")
    action = item.get("/A")
    if place is None and action is not None and action.get("/S") == "/GoTo":
        place = action.get("/D")
    if isinstance(place, pikepdf.String | pikepdf.Name):
        place = named.get(str(place).removeprefix("/"))
    if isinstance(place, pikepdf.Dictionary):
        place = place.get("/D")
    if not isinstance(place, pikepdf.Array) or not len(place) or not isinstance(place[0], pikepdf.Dictionary):
        return None, None
    page = pages.get(place[0].objgen)
    return page, _get_top(pdf, page, place) if page and tops else None


def _get_top(pdf: Any, page: int, place: Any) -> float | None:
    index = {"/XYZ": 3, "/FitH": 2, "/FitBH": 2}.get(str(place[1]) if len(place) > 1 else "")
    if index is None or len(place) <= index or place[index] is None:
        return None
    box = pdf.pages[page - 1].cropbox
    return round(float(box[3]) - float(place[index]), 1)


def set_outline(source: Path, target: Path, password: str, entries: list[OutlineEntry]) -> list[str]:
    """Replace the bookmarks; returns warnings.

    Raises:
        Problem: the file cannot be read, a page does not exist, or the levels skip one.
    """
    with open_pdf(source, password, strict=True) as pdf:
        _check_entries(entries, len(pdf.pages))
        write_outline(pdf, entries)
        save_pdf(pdf, target)
        warnings = warnings_of(pdf, "assemble")
    with open_pdf(target, password) as pdf:
        if [(outline_entry.title, outline_entry.page, outline_entry.level) for outline_entry in read_outline(pdf)] != [
            (entry.title, entry.page, entry.level) for entry in entries
        ]:
            raise Problem("the outline could not be read back as written; nothing was changed")
    return warnings


def _check_entries(entries: list[OutlineEntry], count: int) -> None:
    level = 0
    for entry in entries:
        if entry.page is None or not 1 <= entry.page <= count:
            raise Problem(
                f"bookmark {entry.title!r} points to page {entry.page}, but the document has pages 1 to {count}"
            )
        if not 1 <= entry.level <= level + 1:
            raise Problem(
                f"bookmark {entry.title!r} has level {entry.level} after level {level}; a level may "
                "be at most one deeper"
            )
        level = entry.level


def write_outline(pdf: Any, entries: list[OutlineEntry]) -> None:
    """Replace the bookmarks of an open document."""
    import pikepdf

    if "/Outlines" in pdf.Root:
        del pdf.Root["/Outlines"]
    if not entries:
        return
    with pdf.open_outline() as outline:
        above: list[Any] = [outline.root]
        for entry in entries:
            item = _make_item(pdf, entry)
            del above[entry.level :]
            (above[-1] if entry.level == 1 else above[-1].children).append(item)
            above.append(item)
    pdf.Root.PageMode = pdf.Root.get("/PageMode", pikepdf.Name.UseOutlines)


def _make_item(pdf: Any, entry: OutlineEntry) -> Any:
    import pikepdf

    page = entry.page or 1
    if entry.top is None:
        return pikepdf.OutlineItem(entry.title, page - 1, "Fit")
    height = float(pdf.pages[page - 1].cropbox[3])
    return pikepdf.OutlineItem(entry.title, page - 1, "XYZ", top=height - entry.top, left=0, zoom=0)
