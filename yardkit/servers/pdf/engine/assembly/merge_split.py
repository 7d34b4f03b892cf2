"""Merge files, take pages out, split: new documents from pages of others."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from yardkit.servers.pdf.engine.assembly.labels_and_layers import Label, labels_of, take_layers, write_labels
from yardkit.servers.pdf.engine.package.bookmarks import (
    OutlineEntry,
    named_destinations,
    read_outline,
    target_of,
    write_outline,
)
from yardkit.servers.pdf.engine.package.document import open_pdf, save_pdf, signatures_ended
from yardkit.servers.pdf.engine.package.pages import list_dictionaries, select_pages
from yardkit.servers.pdf.engine.package.permissions import taken_out
from yardkit.world import Problem

PRELOAD = ("pikepdf",)
MAX_PARTS = 2_000
_UNTAGGED = "tags for screen readers were not copied"
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


def merge_documents(target: Path, parts: list[Part], bookmarks: bool = True) -> Arranged:
    """Join pages of files in order; bookmarks, forms, named destinations and attachments come along.

    With `bookmarks` each file gets one with its name, above its own.

    Raises:
        Problem: a file cannot be read, or a page does not exist.
    """
    import pikepdf

    entries: list[OutlineEntry] = []
    notes: list[str] = []
    labels: list[Label | None] = []
    with pikepdf.new() as merged_pdf:
        for part in parts:
            with open_pdf(part.path, part.password, strict=True) as pdf:
                notes += taken_out(pdf, part.path.name)
                notes += [f"{part.path.name}: {warning}" for warning in signatures_ended(pdf)]
                first = len(merged_pdf.pages)
                numbers = select_pages(part.pages, len(pdf.pages))
                labels += append_pages(merged_pdf, pdf, numbers, notes)
                own = _shift_bookmarks(read_outline(pdf), numbers, first)
                if bookmarks:
                    own = [OutlineEntry(part.path.stem, first + 1), *_deepen_entries(own)]
                entries += own
                _take_along(merged_pdf, pdf, first == 0)
        write_outline(merged_pdf, entries)
        write_labels(merged_pdf, labels)
        save_pdf(merged_pdf, target)
        return Arranged(len(merged_pdf.pages), notes)


def drop_links(pdf: Any, gone: list[Any]) -> None:
    """Remove the links to these pages, which lead nowhere without them."""
    import pikepdf

    places = {obj.objgen: number for number, obj in enumerate(gone, start=1)}
    named = named_destinations(pdf)
    for page in pdf.pages if gone else ():
        annotations = page.obj.get("/Annots")
        if annotations is not None:
            left = [
                annotation
                for annotation in annotations
                if target_of(pdf, annotation, places, named, tops=False)[0] is None
            ]
            page.obj["/Annots"] = pikepdf.Array(left)


def append_pages(merged_pdf: Any, pdf: Any, numbers: list[int], notes: list[str]) -> list[Label | None]:
    """Add pages of `pdf` with their forms and layers; their labels, if they have some."""
    labels = labels_of(pdf)
    drop_links(pdf, [page.obj for number, page in enumerate(pdf.pages, start=1) if number not in set(numbers)])
    result = merged_pdf.add_pages_from(pdf, pages=[number - 1 for number in numbers])
    take_layers(merged_pdf, pdf)
    if "/StructTreeRoot" in pdf.Root and _UNTAGGED not in notes:
        notes.append(_UNTAGGED)
    _note_renamed(notes, list(dict(getattr(result, "renamed_fields", None) or {}).items()))
    taken: set[Any] = set()
    for page in list(merged_pdf.pages)[-len(numbers) :]:
        annotations = list_dictionaries(page.obj, "/Annots")
        if taken.intersection(_collect_ids(annotations)):  # of a page named twice, in a file without a form
            _give_annotations(merged_pdf, page, annotations)
        taken.update(_collect_ids(annotations))
    return [labels[number - 1] if labels else None for number in numbers]


def _note_renamed(notes: list[str], renamed: list[tuple[str, str]]) -> None:
    if renamed:
        notes.append("fields renamed: " + ", ".join(f"{old} -> {new}" for old, new in renamed[:20]))


def _collect_ids(annotations: list[Any]) -> set[Any]:
    return {annotation.objgen for annotation in annotations if annotation.is_indirect}


def copied_page(pdf: Any, page: Any, notes: list[str]) -> Any:
    """A second page of the same document with annotations of its own; its fields get names of their own, as merged."""
    import pikepdf

    left_out = ("/Parent", "/StructParents")
    page_copy = pikepdf.Page(
        pdf.make_indirect(pikepdf.Dictionary({key: value for key, value in page.obj.items() if key not in left_out}))
    )
    annotations, form = list_dictionaries(page.obj, "/Annots"), pdf.acroform
    if not annotations:
        return page_copy
    if form.exists:
        form.fix_copied_annotations(page_copy, page, form)
        names = [
            [form_field.fully_qualified_name for form_field in form.get_form_fields_for_page(page_copy)]
            for page_copy in (page, page_copy)
        ]
        _note_renamed(notes, [(old, new) for old, new in zip(*names, strict=False) if old != new])
        _settle_copies(page_copy, annotations, list_dictionaries(page_copy.obj, "/Annots"))
    else:
        _give_annotations(pdf, page_copy, annotations)
    return page_copy


def _give_annotations(pdf: Any, page: Any, annotations: list[Any]) -> None:
    """Copies of annotations as those of a page, which shared them with another."""
    import pikepdf

    annotation_copies = [pdf.make_indirect(pikepdf.Dictionary(dict(annotation.items()))) for annotation in annotations]
    page.obj["/Annots"] = pikepdf.Array(annotation_copies)
    _settle_copies(page, annotations, annotation_copies)


def _settle_copies(page: Any, before: list[Any], annotation_copies: list[Any]) -> None:
    """Copies of annotations belong to their page, and to each other as the first ones do: popups, replies."""
    twins = {old.objgen: new for old, new in zip(before, annotation_copies, strict=False) if old.is_indirect}
    for annotation in annotation_copies:
        annotation["/P"] = page.obj
        if "/StructParent" in annotation:
            del annotation["/StructParent"]
        for key in ("/Popup", "/IRT", "/Parent"):
            other = annotation.get(key)
            if other is not None and getattr(other, "objgen", None) in twins:
                annotation[key] = twins[other.objgen]


def _take_along(merged_pdf: Any, pdf: Any, first: bool) -> None:
    """Attachments of each file; title, author and language of the first."""
    for name, spec in pdf.attachments.items():
        free = name if name not in merged_pdf.attachments else f"{len(merged_pdf.attachments)}-{name}"
        merged_pdf.attachments[free] = _copy_attachment(merged_pdf, spec, free)
    if not first:
        return
    for key in ("/Title", "/Author", "/Subject", "/Keywords"):
        value = pdf.docinfo.get(key) if "/Info" in pdf.trailer else None
        if value is not None:
            merged_pdf.docinfo[key] = str(value)
    if "/Lang" in pdf.Root:
        merged_pdf.Root.Lang = str(pdf.Root.Lang)


def _copy_attachment(merged_pdf: Any, spec: Any, name: str) -> Any:
    import pikepdf

    return pikepdf.AttachedFileSpec(
        merged_pdf, spec.get_file().read_bytes(), filename=name, description=spec.description or ""
    )


def _shift_bookmarks(entries: list[OutlineEntry], numbers: list[int], first: int) -> list[OutlineEntry]:
    """Bookmarks of the chosen pages, at their new pages; levels closed up where one above is gone."""
    places: dict[int, int] = {}
    for position, number in enumerate(numbers, start=first + 1):
        places.setdefault(number, position)
    remaining_entries: list[OutlineEntry] = []
    open_levels: list[int] = []
    for entry in entries:
        while open_levels and open_levels[-1] >= entry.level:
            open_levels.pop()
        if entry.page in places:
            open_levels.append(entry.level)
            remaining_entries.append(OutlineEntry(entry.title, places[entry.page], len(open_levels), entry.top))
    return remaining_entries


def _deepen_entries(entries: list[OutlineEntry]) -> list[OutlineEntry]:
    return [OutlineEntry(entry.title, entry.page, entry.level + 1, entry.top) for entry in entries]


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
    with open_pdf(source, password, strict=True) as pdf:
        count = len(pdf.pages)
        if by == "ranges":
            if not ranges:
                raise Problem("by='ranges' needs `ranges`, one page expression per file, such as ['1-3', '4-']")
            cuts = [Cut(_make_file_name(source, f"pages {area}"), select_pages(area, count)) for area in ranges]
        elif by == "every":
            digits = len(str(count))
            steps = [list(range(at, min(at + every, count + 1))) for at in range(1, count + 1, every)]
            cuts = [
                Cut(_make_file_name(source, "-".join(f"{n:0{digits}d}" for n in dict.fromkeys((p[0], p[-1])))), p)
                for p in steps
            ]
        else:
            cuts = _by_bookmarks(source, read_outline(pdf), count)
    if len(cuts) > MAX_PARTS:
        raise Problem(f"that makes {len(cuts):,} files; the limit is {MAX_PARTS:,}")
    return cuts


def split_document(
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
    notes = [note for cut in cuts for note in extract_pages(source, folder / cut.name, password, cut.pages).notes]
    return cuts, list(dict.fromkeys(notes))[:20]


def _by_bookmarks(source: Path, entries: list[OutlineEntry], count: int) -> list[Cut]:
    tops = [entry for entry in entries if entry.level == 1 and entry.page]
    if not tops:
        raise Problem(f"{source.name!r} has no bookmarks that lead to pages; split it by ranges or every n pages")
    starts = sorted({entry.page or 0: entry.title for entry in reversed(tops)}.items())
    cuts = [Cut(_make_file_name(source, "front"), list(range(1, starts[0][0])))] if starts[0][0] > 1 else []
    ends = [page for page, _ in starts[1:]] + [count + 1]
    for number, ((page, title), end) in enumerate(zip(starts, ends, strict=True), start=1):
        cuts.append(Cut(_make_file_name(source, f"{number:02d} {title}"), list(range(page, end))))
    return cuts


def _make_file_name(source: Path, what: str) -> str:
    usable = _UNUSABLE.sub("_", f"{source.stem} {what}").strip(" .")
    return usable[:120] + ".pdf"


def extract_pages(source: Path, target: Path, password: str, numbers: list[int]) -> Arranged:
    """Write some pages as a document of their own, in the order given."""
    import pikepdf

    notes: list[str] = []
    with open_pdf(source, password, strict=True) as pdf, pikepdf.new() as part:
        notes += taken_out(pdf, source.name)
        write_labels(part, append_pages(part, pdf, numbers, notes))
        write_outline(part, _shift_bookmarks(read_outline(pdf), numbers, 0))
        _take_titles(part, pdf)
        save_pdf(part, target)
    return Arranged(len(numbers), notes)


def _take_titles(part: Any, pdf: Any) -> None:
    _take_along(part, _Titles(pdf), first=True)


class _Titles:
    """The metadata of a document without its attachments."""

    def __init__(self, pdf: Any) -> None:
        self.attachments: dict[str, Any] = {}
        self.docinfo, self.trailer, self.Root = pdf.docinfo if "/Info" in pdf.trailer else {}, pdf.trailer, pdf.Root
