"""Rearrange the pages of a document."""
# ruff: noqa: ARG001 - steps share one signature

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from yardkit.servers.pdf.engine.assembly.labels_and_layers import Label, labels_of, write_labels
from yardkit.servers.pdf.engine.assembly.merge_split import Arranged, append_pages, copied_page, drop_links
from yardkit.servers.pdf.engine.forms.flattening import drop_fields
from yardkit.servers.pdf.engine.package.bookmarks import (
    OutlineEntry,
    read_outline,
    write_outline,
)
from yardkit.servers.pdf.engine.package.document import open_pdf, save_pdf, warnings_of
from yardkit.servers.pdf.engine.package.pages import select_pages, space_of
from yardkit.servers.pdf.engine.package.permissions import taken_out
from yardkit.servers.pdf.engine.package.raster import clip_box
from yardkit.world import Problem

PRELOAD = ("pikepdf",)


@dataclass(frozen=True)
class PageOp:
    """One step of `arrange_pages`; page numbers are those at this step.

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


@dataclass
class _Job:
    """What steps share: the password of the file to insert from, what to say, every page there was, and the labels of
    pages by their objects.
    """

    password: str
    notes: list[str]
    pages: list[Any] = field(default_factory=list)
    labels: dict[Any, Label | None] = field(default_factory=dict)


def arrange_pages(source: Path, target: Path, password: str, ops: list[PageOp], source_password: str = "") -> Arranged:
    """Apply steps to the pages, all or none. What leads to a deleted page is removed with it.

    Raises:
        Problem: the file cannot be read, a page does not exist, a step lacks something, or no page would be left.
    """
    with open_pdf(source, password, strict=True) as pdf:
        job = _Job(source_password, warnings_of(pdf, "assemble"))
        entries = read_outline(pdf)
        order = list(pdf.pages)
        originals = [page.obj for page in order]
        job.pages += originals
        job.labels = {obj.objgen: label for obj, label in zip(originals, labels_of(pdf) or (), strict=False)}
        for step in ops:
            order = _OPERATIONS[step.op](pdf, order, step, job)
            if not order:
                raise Problem(f"after the step {step.op!r} no page would be left; a PDF needs at least one")
        gone = _install_pages(pdf, order, [*job.pages, *(page.obj for page in pdf.pages)])
        if gone:
            _drop_outline(pdf, entries, originals)
            drop_fields(pdf)
        if any(job.labels.values()):
            write_labels(pdf, [job.labels.get(page.obj.objgen) for page in order])
        save_pdf(pdf, target)
        return Arranged(len(order), job.notes)


def _install_pages(pdf: Any, order: list[Any], every: list[Any]) -> int:
    """Make `order` the pages; how many of all the pages there were are gone."""
    import pikepdf

    page_objects = [page.obj for page in order]
    if [page_object.objgen for page_object in page_objects] != [page.obj.objgen for page in pdf.pages]:
        while len(pdf.pages):
            del pdf.pages[0]
        for obj in page_objects:
            pdf.pages.append(pikepdf.Page(obj))
    used = {obj.objgen for obj in page_objects}
    gone = list({obj.objgen: obj for obj in every if obj.objgen not in used}.values())
    _forget_pages(pdf, gone)
    return len(gone)


def _forget_pages(pdf: Any, gone: list[Any]) -> None:
    """Empty the objects of deleted pages, which links and tags may still reach, and drop the links."""
    import pikepdf

    ids = {obj.objgen for obj in gone}
    if not ids:
        return
    drop_links(pdf, gone)
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Dictionary) and "/Pg" in thing and thing["/Pg"].objgen in ids:
            for key in ("/Pg", "/K", "/ActualText", "/Alt", "/E"):
                if key in thing:
                    del thing[key]
    for obj in gone:
        for key in list(obj.keys()):
            del obj[key]


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


def _keep_pages(pdf: Any, order: list[Any], step: PageOp, job: _Job) -> list[Any]:
    remaining_pages: list[Any] = []
    seen: set[int] = set()
    for number in select_pages(step.pages, len(order)):
        page = order[number - 1]
        remaining_pages.append(copied_page(pdf, page, job.notes) if number in seen else page)
        job.labels[remaining_pages[-1].obj.objgen] = job.labels.get(page.obj.objgen)
        seen.add(number)
    job.pages += [page.obj for page in remaining_pages]
    return remaining_pages


def _delete_pages(pdf: Any, order: list[Any], step: PageOp, _: _Job) -> list[Any]:
    if not step.pages:
        raise Problem("the step 'delete' needs `pages`")
    gone = set(select_pages(step.pages, len(order)))
    return [page for number, page in enumerate(order, start=1) if number not in gone]


def _find_position(order: list[Any], before: int | None) -> int:
    if before is not None and not 1 <= before <= len(order) + 1:
        raise Problem(f"before={before} does not exist; use 1 to {len(order)}")
    return len(order) if before is None else before - 1


def _move_pages(pdf: Any, order: list[Any], step: PageOp, _: _Job) -> list[Any]:
    numbers = list(dict.fromkeys(select_pages(step.pages, len(order))))
    at = _find_position(order, step.before)
    moved = [order[number - 1] for number in numbers]
    head = [page for number, page in enumerate(order[:at], start=1) if number not in numbers]
    tail = [page for number, page in enumerate(order[at:], start=at + 1) if number not in numbers]
    return head + moved + tail


def _rotate_pages(pdf: Any, order: list[Any], step: PageOp, _: _Job) -> list[Any]:
    if step.angle % 90:
        raise Problem(f"angle={step.angle} is not a multiple of 90; use 90, 180 or 270")
    for number in set(select_pages(step.pages, len(order))):
        page = order[number - 1]
        page.obj["/Rotate"] = (int(page.obj.get("/Rotate", 0)) + step.angle) % 360
    return order


def _crop_pages(pdf: Any, order: list[Any], step: PageOp, _: _Job) -> list[Any]:
    import pikepdf

    if not step.box or len(step.box) != 4:
        raise Problem("the step 'crop' needs `box`: [x0, y0, x1, y1] in points from the top left")
    for number in set(select_pages(step.pages, len(order))):
        page = order[number - 1]
        space = space_of(page)
        cut = space.in_user(clip_box(step.box, space))
        page.obj["/CropBox"] = pikepdf.Array([round(value, 3) for value in cut])
    return order


def _insert_pages(pdf: Any, order: list[Any], step: PageOp, job: _Job) -> list[Any]:
    if step.source is None:
        raise Problem("the step 'insert' needs `source`, the file to take pages from")
    with open_pdf(step.source, job.password, strict=True) as other:
        numbers = select_pages(step.pages, len(other.pages))
        job.notes += taken_out(other, step.source.name)
        first = len(pdf.pages)
        labels = append_pages(pdf, other, numbers, job.notes)
    job.labels |= {page.obj.objgen: label for page, label in zip(list(pdf.pages)[first:], labels, strict=True)}
    at = _find_position(order, step.before)
    return order[:at] + list(pdf.pages)[first:] + order[at:]


def _insert_blank(pdf: Any, order: list[Any], step: PageOp, _: _Job) -> list[Any]:
    at = _find_position(order, step.before)
    neighbour = space_of(order[max(at - 1, 0)])
    blank_page = pdf.add_blank_page(page_size=(neighbour.width, neighbour.height))
    return [*order[:at], blank_page, *order[at:]]


_OPERATIONS: dict[str, Any] = {
    "keep": _keep_pages,
    "delete": _delete_pages,
    "move": _move_pages,
    "rotate": _rotate_pages,
    "crop": _crop_pages,
    "insert": _insert_pages,
    "blank": _insert_blank,
}
