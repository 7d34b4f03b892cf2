"""Merge, split, and rearrange pages."""
# ruff: noqa: ARG001 - steps share one signature

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from toolyard.servers.pdf.engine.flattening import drop_fields
from toolyard.servers.pdf.engine.opening import opened, save, warnings_of
from toolyard.servers.pdf.engine.outline import (
    OutlineEntry,
    named_destinations,
    read_outline,
    target_of,
    write_outline,
)
from toolyard.servers.pdf.engine.pages import select, space_of
from toolyard.world import Problem

PRELOAD = ("pikepdf",)
MAX_PARTS = 2_000
_UNUSABLE = re.compile(r"[^\w .()+,-]+")


@dataclass(frozen=True)
class Part:
    """Pages of a file."""

    path: Path
    pages: str | None = None
    password: str = ""


@dataclass(frozen=True)
class Arranged:
    """How many pages the result has, and what to know about it."""

    pages: int
    notes: list[str] = field(default_factory=list)


def merge(target: Path, parts: list[Part], bookmarks: bool = True) -> Arranged:
    """Join pages of files in order; bookmarks, forms, named destinations and attachments come along.

    With `bookmarks` each file gets one with its name, above its own.

    Raises:
        Problem: a file cannot be read, or a page does not exist.
    """
    import pikepdf

    entries: list[OutlineEntry] = []
    notes: list[str] = []
    with pikepdf.new() as whole:
        for part in parts:
            with opened(part.path, part.password, strict=True) as pdf:
                notes += [f"{part.path.name}: {warning}" for warning in warnings_of(pdf)]
                first = len(whole.pages)
                numbers = select(part.pages, len(pdf.pages))
                _append(whole, pdf, numbers, notes)
                own = _shifted(read_outline(pdf), numbers, first)
                if bookmarks:
                    own = [OutlineEntry(part.path.stem, first + 1), *_deeper(own)]
                entries += own
                _take_along(whole, pdf, first == 0)
        write_outline(whole, entries)
        save(whole, target)
        return Arranged(len(whole.pages), notes)


def _append(whole: Any, pdf: Any, numbers: list[int], notes: list[str]) -> None:
    result = whole.add_pages_from(pdf, pages=[number - 1 for number in numbers])
    renamed = dict(getattr(result, "renamed_fields", None) or {})
    if renamed:
        notes.append("fields renamed: " + ", ".join(f"{old} -> {new}" for old, new in list(renamed.items())[:20]))


def _take_along(whole: Any, pdf: Any, first: bool) -> None:
    """Attachments of each file; title, author and language of the first."""
    for name, spec in pdf.attachments.items():
        free = name if name not in whole.attachments else f"{len(whole.attachments)}-{name}"
        whole.attachments[free] = _copied(whole, spec, free)
    if not first:
        return
    for key in ("/Title", "/Author", "/Subject", "/Keywords"):
        value = pdf.docinfo.get(key) if "/Info" in pdf.trailer else None
        if value is not None:
            whole.docinfo[key] = str(value)
    if "/Lang" in pdf.Root:
        whole.Root.Lang = str(pdf.Root.Lang)


def _copied(whole: Any, spec: Any, name: str) -> Any:
    import pikepdf

    return pikepdf.AttachedFileSpec(
        whole, spec.get_file().read_bytes(), filename=name, description=spec.description or ""
    )


def _shifted(entries: list[OutlineEntry], numbers: list[int], first: int) -> list[OutlineEntry]:
    """Bookmarks of the chosen pages, at their new pages; levels closed up where one above is gone."""
    places: dict[int, int] = {}
    for position, number in enumerate(numbers, start=first + 1):
        places.setdefault(number, position)
    kept: list[OutlineEntry] = []
    open_levels: list[int] = []
    for entry in entries:
        while open_levels and open_levels[-1] >= entry.level:
            open_levels.pop()
        if entry.page in places:
            open_levels.append(entry.level)
            kept.append(OutlineEntry(entry.title, places[entry.page], len(open_levels), entry.top))
    return kept


def _deeper(entries: list[OutlineEntry]) -> list[OutlineEntry]:
    return [OutlineEntry(each.title, each.page, each.level + 1, each.top) for each in entries]


@dataclass(frozen=True)
class Cut:
    """A part to make of a document: a name for its file, and its pages."""

    name: str
    pages: list[int]


def cuts_of(
    source: Path, password: str, by: Literal["every", "ranges", "bookmarks"], every: int, ranges: list[str]
) -> list[Cut]:
    """What splitting makes of a document.

    Raises:
        Problem: the file cannot be read, it has no bookmarks with pages, or there would be too many parts.
    """
    with opened(source, password, strict=True) as pdf:
        count = len(pdf.pages)
        if by == "ranges":
            if not ranges:
                raise Problem("by='ranges' needs `ranges`, one page expression per file, such as ['1-3', '4-']")
            cuts = [Cut(_name(source, f"pages {each}"), select(each, count)) for each in ranges]
        elif by == "every":
            digits = len(str(count))
            steps = [list(range(at, min(at + every, count + 1))) for at in range(1, count + 1, every)]
            cuts = [
                Cut(_name(source, "-".join(f"{n:0{digits}d}" for n in dict.fromkeys((p[0], p[-1])))), p) for p in steps
            ]
        else:
            cuts = _by_bookmarks(source, read_outline(pdf), count)
    if len(cuts) > MAX_PARTS:
        raise Problem(f"that makes {len(cuts):,} files; at most {MAX_PARTS:,} are made at once")
    return cuts


def split(
    source: Path,
    folder: Path,
    password: str,
    by: Literal["every", "ranges", "bookmarks"],
    every: int,
    ranges: list[str],
) -> tuple[list[Cut], list[str]]:
    """Write each part of a document into `folder`; the parts, and notes.

    Raises:
        Problem: as `cuts_of`; or two parts would have one name.
    """
    cuts = cuts_of(source, password, by, every, ranges)
    if len({cut.name for cut in cuts}) < len(cuts):
        cuts = [Cut(f"{cut.name[:-4]} ({number}).pdf", cut.pages) for number, cut in enumerate(cuts, start=1)]
    notes = [note for cut in cuts for note in extract(source, folder / cut.name, password, cut.pages).notes]
    return cuts, list(dict.fromkeys(notes))[:20]


def _by_bookmarks(source: Path, entries: list[OutlineEntry], count: int) -> list[Cut]:
    tops = [entry for entry in entries if entry.level == 1 and entry.page]
    if not tops:
        raise Problem(f"{source.name!r} has no bookmarks that lead to pages; split it by ranges or every n pages")
    starts = sorted({entry.page or 0: entry.title for entry in reversed(tops)}.items())
    cuts = [Cut(_name(source, "front"), list(range(1, starts[0][0])))] if starts[0][0] > 1 else []
    ends = [page for page, _ in starts[1:]] + [count + 1]
    for number, ((page, title), end) in enumerate(zip(starts, ends, strict=True), start=1):
        cuts.append(Cut(_name(source, f"{number:02d} {title}"), list(range(page, end))))
    return cuts


def _name(source: Path, what: str) -> str:
    usable = _UNUSABLE.sub("_", f"{source.stem} {what}").strip(" .")
    return usable[:120] + ".pdf"


def extract(source: Path, target: Path, password: str, numbers: list[int]) -> Arranged:
    """Write some pages as a document of their own, in the order given."""
    import pikepdf

    notes: list[str] = []
    with opened(source, password, strict=True) as pdf, pikepdf.new() as part:
        _append(part, pdf, numbers, notes)
        write_outline(part, _shifted(read_outline(pdf), numbers, 0))
        _take_titles(part, pdf)
        save(part, target)
    return Arranged(len(numbers), notes)


def _take_titles(part: Any, pdf: Any) -> None:
    _take_along(part, _Titles(pdf), first=True)


class _Titles:
    """The metadata of a document without its attachments."""

    def __init__(self, pdf: Any) -> None:
        self.attachments: dict[str, Any] = {}
        self.docinfo, self.trailer, self.Root = pdf.docinfo if "/Info" in pdf.trailer else {}, pdf.trailer, pdf.Root


@dataclass(frozen=True)
class PageOp:
    """One step of `arrange`; page numbers are those at this step.

    Attributes:
        op: keep (only these, in this order, repeats allowed), delete, move, rotate, crop, insert (from a file), blank.
        pages: page expression; for insert, of the other file.
        before: move, insert, blank: put before this page; without, at the end.
        angle: rotate: degrees clockwise, added.
        box: crop: [x0, y0, x1, y1] in points as displayed.
        source: insert: the other file.
    """

    op: Literal["keep", "delete", "move", "rotate", "crop", "insert", "blank"]
    pages: str | None = None
    before: int | None = None
    angle: int = 90
    box: list[float] | None = None
    source: Path | None = None


def arrange(source: Path, target: Path, password: str, ops: list[PageOp], source_password: str = "") -> Arranged:
    """Apply steps to the pages, all or none. What leads to a deleted page is removed with it.

    Raises:
        Problem: the file cannot be read, a page does not exist, a step lacks something, or no page would be left.
    """
    with opened(source, password, strict=True) as pdf:
        notes = warnings_of(pdf)
        entries = read_outline(pdf)
        order = list(pdf.pages)
        originals = [page.obj for page in order]
        for step in ops:
            order = _STEPS[step.op](pdf, order, step, source_password)
            if not order:
                raise Problem(f"after the step {step.op!r} no page would be left; a PDF needs at least one")
        gone = _install(pdf, order, originals)
        if gone:
            _drop_outline(pdf, entries, originals)
            drop_fields(pdf)
        save(pdf, target)
        return Arranged(len(order), notes)


def _install(pdf: Any, order: list[Any], originals: list[Any]) -> int:
    """Make `order` the pages; how many of the originals are gone."""
    wanted = [page.obj for page in order]
    if [each.objgen for each in wanted] == [page.obj.objgen for page in pdf.pages]:
        return 0
    import pikepdf

    while len(pdf.pages):
        del pdf.pages[0]
    used = {obj.objgen for obj in wanted}
    for obj in wanted:
        pdf.pages.append(pikepdf.Page(obj))
    gone = [obj for obj in originals if obj.objgen not in used]
    _forget(pdf, gone)
    return len(gone)


def _forget(pdf: Any, gone: list[Any]) -> None:
    """Empty the objects of deleted pages, which links and tags may still reach, and drop the links."""
    import pikepdf

    ids = {obj.objgen for obj in gone}
    if not ids:
        return
    places = {obj.objgen: number for number, obj in enumerate(gone, start=1)}
    named = named_destinations(pdf)
    for page in pdf.pages:
        held = page.obj.get("/Annots")
        if held is not None:
            left = [one for one in held if target_of(pdf, one, places, named, tops=False)[0] is None]
            page.obj["/Annots"] = pikepdf.Array(left)
    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary) and "/Pg" in each and each["/Pg"].objgen in ids:
            for key in ("/Pg", "/K", "/ActualText", "/Alt", "/E"):
                if key in each:
                    del each[key]
    for obj in gone:
        for key in list(obj.keys()):
            del obj[key]


def _twin(obj: Any) -> Any:
    """A second page with the same content; fields and annotations stay with the first."""
    import pikepdf

    return pikepdf.Dictionary(
        {key: value for key, value in obj.items() if key not in ("/Annots", "/Parent", "/StructParents")}
    )


def _drop_outline(pdf: Any, entries: list[OutlineEntry], originals: list[Any]) -> None:
    now = {page.obj.objgen: number for number, page in enumerate(pdf.pages, start=1)}
    places = [now.get(obj.objgen) if obj.is_indirect else None for obj in originals]
    if not any(entry.page and places[entry.page - 1] is None for entry in entries):
        return
    left = [entry for entry in entries if entry.page and places[entry.page - 1]]
    levels: list[OutlineEntry] = []
    for entry in left:
        level = min(entry.level, levels[-1].level + 1 if levels else 1)
        levels.append(OutlineEntry(entry.title, places[(entry.page or 1) - 1], level, entry.top))
    write_outline(pdf, levels)


def _keep(pdf: Any, order: list[Any], step: PageOp, _: str) -> list[Any]:
    import pikepdf

    kept: list[Any] = []
    seen: set[int] = set()
    for number in select(step.pages, len(order)):
        page = order[number - 1]
        kept.append(pikepdf.Page(pdf.make_indirect(_twin(page.obj))) if number in seen else page)
        seen.add(number)
    return kept


def _delete(pdf: Any, order: list[Any], step: PageOp, _: str) -> list[Any]:
    if not step.pages:
        raise Problem("the step 'delete' needs `pages`")
    gone = set(select(step.pages, len(order)))
    return [page for number, page in enumerate(order, start=1) if number not in gone]


def _place(order: list[Any], before: int | None) -> int:
    if before is not None and not 1 <= before <= len(order) + 1:
        raise Problem(f"before={before} does not exist; there are pages 1 to {len(order)}")
    return len(order) if before is None else before - 1


def _move(pdf: Any, order: list[Any], step: PageOp, _: str) -> list[Any]:
    numbers = list(dict.fromkeys(select(step.pages, len(order))))
    at = _place(order, step.before)
    moved = [order[number - 1] for number in numbers]
    head = [page for number, page in enumerate(order[:at], start=1) if number not in numbers]
    tail = [page for number, page in enumerate(order[at:], start=at + 1) if number not in numbers]
    return head + moved + tail


def _rotate(pdf: Any, order: list[Any], step: PageOp, _: str) -> list[Any]:
    if step.angle % 90:
        raise Problem(f"angle={step.angle} is no multiple of 90; pages turn by quarters")
    for number in set(select(step.pages, len(order))):
        page = order[number - 1]
        page.obj["/Rotate"] = (int(page.obj.get("/Rotate", 0)) + step.angle) % 360
    return order


def _crop(pdf: Any, order: list[Any], step: PageOp, _: str) -> list[Any]:
    import pikepdf

    from toolyard.servers.pdf.engine.raster import clipped

    if not step.box or len(step.box) != 4:
        raise Problem("the step 'crop' needs `box`: [x0, y0, x1, y1] in points from the top left")
    for number in set(select(step.pages, len(order))):
        page = order[number - 1]
        space = space_of(page)
        cut = space.in_user(clipped(step.box, space))
        page.obj["/CropBox"] = pikepdf.Array([round(value, 3) for value in cut])
    return order


def _insert(pdf: Any, order: list[Any], step: PageOp, password: str) -> list[Any]:
    if step.source is None:
        raise Problem("the step 'insert' needs `source`, the file to take pages from")
    with opened(step.source, password, strict=True) as other:
        numbers = select(step.pages, len(other.pages))
        first = len(pdf.pages)
        _append(pdf, other, numbers, [])
    at = _place(order, step.before)
    return order[:at] + list(pdf.pages)[first:] + order[at:]


def _blank(pdf: Any, order: list[Any], step: PageOp, _: str) -> list[Any]:
    at = _place(order, step.before)
    neighbour = space_of(order[max(at - 1, 0)])
    made = pdf.add_blank_page(page_size=(neighbour.width, neighbour.height))
    return [*order[:at], made, *order[at:]]


_STEPS: dict[str, Any] = {
    "keep": _keep,
    "delete": _delete,
    "move": _move,
    "rotate": _rotate,
    "crop": _crop,
    "insert": _insert,
    "blank": _blank,
}
