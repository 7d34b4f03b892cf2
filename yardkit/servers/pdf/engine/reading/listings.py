"""Lists of what a document holds: images, links, bookmarks, annotations, attachments, signatures."""
# ruff: noqa: ARG001 - lists share one signature

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from yardkit.kit.pages.space import space_in_pdfium
from yardkit.servers.pdf.engine.package.bookmarks import named_destinations, read_outline, target_of
from yardkit.servers.pdf.engine.package.document import open_pdf, render_pdf
from yardkit.servers.pdf.engine.package.pages import round_box, select_pages, space_of
from yardkit.servers.pdf.engine.package.signatures import signatures_of
from yardkit.world import Problem

PRELOAD = ("pikepdf", "pypdfium2", "pypdfium2.raw")
What = Literal["images", "links", "outline", "annotations", "attachments", "signatures"]


@dataclass(frozen=True)
class Item:
    """One thing of a list; what does not apply is left out.

    Attributes:
        id: of an image or annotation, for other tools ("page.number").
        page: from 1.
        kind: of an annotation, image or signature.
        text: title, comment, or name.
        box: in points on the page as displayed, origin top left.
        to_page: where a link or bookmark leads.
        description: of an attachment.
    """

    id: str = ""
    page: int | None = None
    kind: str = ""
    text: str = ""
    box: list[float] | None = None
    uri: str = ""
    to_page: int | None = None
    level: int | None = None
    author: str = ""
    date: str = ""
    size_bytes: int | None = None
    width_px: int | None = None
    height_px: int | None = None
    dpi: int | None = None
    signed: bool | None = None
    covers_file: bool | None = None
    description: str = ""


@dataclass(frozen=True)
class PdfItems:
    """A page of a list."""

    path: str
    what: str
    total: int
    items: list[Item]
    next_offset: int | None = None


def list_items(
    path: Path, what: What, password: str = "", pages: str | None = None, offset: int = 0, limit: int = 200
) -> PdfItems:
    """What the pages (or the document) hold.

    Raises:
        Problem: the file cannot be read, a page does not exist, or `offset` is beyond the end.
    """
    if what == "images":
        items = list(_list_images(path, password, pages))
    else:
        with open_pdf(path, password) as pdf:
            numbers = select_pages(pages, len(pdf.pages))
            items = list(_LISTERS[what](pdf, numbers, path))
    if offset and offset >= len(items):
        raise Problem(f"offset {offset} is beyond the end: there are {len(items)} {what}; use offset=0")
    end = offset + limit
    return PdfItems(path.name, what, len(items), items[offset:end], end if end < len(items) else None)


def _list_images(path: Path, password: str, pages: str | None) -> Iterator[Item]:
    import pypdfium2.raw as raw

    with render_pdf(path, password) as document:
        for number in select_pages(pages, len(document)):
            page = document[number - 1]
            space = space_in_pdfium(page)
            for at, image in enumerate(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=8), start=1):
                wide, tall = image.get_px_size()
                left, bottom, right, top = image.get_bounds()
                box = space.convert_box((left, bottom, right, top))
                inches = max(right - left, 0.01) / 72
                kinds = "+".join(image.get_filters()) or "raw"
                yield Item(
                    f"{number}.{at}",
                    number,
                    kinds,
                    box=round_box(box),
                    width_px=wide,
                    height_px=tall,
                    dpi=round(wide / inches),
                )


def _list_links(pdf: Any, numbers: list[int], path: Path) -> Iterator[Item]:
    places = {page.obj.objgen: number for number, page in enumerate(pdf.pages, start=1)}
    named = named_destinations(pdf)
    for number in numbers:
        page = pdf.pages[number - 1]
        space = space_of(page)
        for annot in page.obj.get("/Annots", []):
            if annot.get("/Subtype") != "/Link" or "/Rect" not in annot:
                continue
            action = annot.get("/A", {})
            uri = str(action.get("/URI", ""))
            to, _ = target_of(pdf, annot, places, named)
            kind = "uri" if uri else "page" if to else str(action.get("/S", "/broken"))[1:]
            yield Item(page=number, kind=kind, box=round_box(space.convert_box(annot["/Rect"])), uri=uri, to_page=to)


def _list_outline(pdf: Any, numbers: list[int], path: Path) -> Iterator[Item]:
    for outline_entry in read_outline(pdf):
        yield Item(text=outline_entry.title, to_page=outline_entry.page, level=outline_entry.level)


def _list_annotations(pdf: Any, numbers: list[int], path: Path) -> Iterator[Item]:
    for number in numbers:
        page = pdf.pages[number - 1]
        space = space_of(page)
        for at, annot in enumerate(page.obj.get("/Annots", []), start=1):
            kind = str(annot.get("/Subtype", "/"))[1:]
            if kind in ("Widget", "Link", "Popup"):
                continue
            text, author, date = (str(annot.get(key, "")) for key in ("/Contents", "/T", "/M"))
            box = round_box(space.convert_box(annot["/Rect"])) if "/Rect" in annot else None
            yield Item(f"{number}.{at}", number, kind, text, box, author=author, date=date)


def _list_attachments(pdf: Any, numbers: list[int], path: Path) -> Iterator[Item]:
    for name, spec in pdf.attachments.items():
        attached_file = spec.get_file()
        yield Item(
            text=name,
            kind=str(attached_file.mime_type or ""),
            size_bytes=len(attached_file.read_bytes()),
            date=str(attached_file.mod_date or ""),
            description=spec.description or "",
        )
    for number in numbers:
        for annot in pdf.pages[number - 1].obj.get("/Annots", []):
            if annot.get("/Subtype") == "/FileAttachment":
                spec = annot.get("/FS", {})
                yield Item(page=number, kind="annotation", text=str(spec.get("/UF", spec.get("/F", ""))))


def _list_signatures(pdf: Any, numbers: list[int], path: Path) -> Iterator[Item]:
    for signature in signatures_of(pdf, path.stat().st_size):
        yield Item(
            text=signature.field,
            kind=signature.kind,
            author=signature.signer,
            date=signature.time,
            signed=signature.signed,
            covers_file=signature.covers_file,
        )


_LISTERS: dict[str, Any] = {
    "links": _list_links,
    "outline": _list_outline,
    "annotations": _list_annotations,
    "attachments": _list_attachments,
    "signatures": _list_signatures,
}
