"""What a file is and holds, in one answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.servers.pdf.engine.package.document import check_pdf, open_pdf, render_pdf
from yardkit.servers.pdf.engine.package.pages import expression_of, space_of
from yardkit.servers.pdf.engine.package.permissions import list_denied
from yardkit.servers.pdf.engine.package.signatures import Signature, signatures_of
from yardkit.servers.pdf.engine.reading.page_text import is_scan

PRELOAD = ("pikepdf", "pypdfium2", "pypdfium2.raw")
MAX_LOOKED_AT = 60
MAX_FONTS = 60


@dataclass(frozen=True)
class Font:
    """A font of the pages: its name, type, and whether the file carries it."""

    name: str
    kind: str
    embedded: bool = False


@dataclass(frozen=True)
class PdfInfo:
    """What a file is and holds.

    Attributes:
        page_sizes: "612 x 792" in points as displayed, with the pages that have it.
        encryption: empty when there is none; `list_denied` what the owner does not permit.
        scanned_pages: pages with images but no text, of the first 60.
        damage: what qpdf had to reconstruct.
    """

    path: str
    pages: int
    version: str
    size_bytes: int
    page_sizes: dict[str, str]
    metadata: dict[str, str] = field(default_factory=dict)
    encryption: str = ""
    denied: list[str] = field(default_factory=list)
    pages_with_text: str = ""
    scanned_pages: str = ""
    form_fields: int = 0
    form_kind: str = ""
    annotations: dict[str, int] = field(default_factory=dict)
    outline_items: int = 0
    attachments: list[str] = field(default_factory=list)
    signatures: list[Signature] = field(default_factory=list)
    fonts: list[Font] = field(default_factory=list)
    page_labels: dict[str, str] = field(default_factory=dict)
    tagged: bool = False
    language: str = ""
    javascript: bool = False
    layers: int = 0
    linearized: bool = False
    damage: list[str] = field(default_factory=list)


def inspect_pdf(path: Path, password: str = "") -> PdfInfo:
    """Pages, metadata, protection, and what the file holds.

    Raises:
        Problem: it cannot be opened.
    """
    check_pdf(path)
    with_text, scanned, labels = _looked_at(path, password)
    with open_pdf(path, password) as pdf:
        root = pdf.Root
        form = root.get("/AcroForm")
        return PdfInfo(
            path=path.name,
            pages=len(pdf.pages),
            version=str(pdf.pdf_version),
            size_bytes=path.stat().st_size,
            page_sizes=_list_sizes(pdf),
            metadata=_read_metadata(pdf),
            encryption=_describe_encryption(pdf),
            denied=list_denied(pdf),
            pages_with_text=with_text,
            scanned_pages=scanned,
            form_fields=_count_fields(form) if form is not None else 0,
            form_kind="" if form is None else "XFA and AcroForm" if "/XFA" in form else "AcroForm",
            annotations=_count_annotations(pdf),
            outline_items=_count_outline(root),
            attachments=sorted(pdf.attachments.keys()),
            signatures=signatures_of(pdf, path.stat().st_size),
            fonts=_list_fonts(pdf),
            page_labels=labels,
            tagged=bool(root.get("/MarkInfo", {}).get("/Marked", False)),
            language=str(root.get("/Lang", "")),
            javascript=_has_javascript(root),
            layers=len(root.get("/OCProperties", {}).get("/OCGs", [])),
            linearized=bool(pdf.is_linearized),
            damage=[str(warning).replace(str(path), path.name)[:200] for warning in pdf.get_warnings()[:5]],
        )


def count_pages(path: Path, password: str = "") -> int:
    """How many pages a file has.

    Raises:
        Problem: it cannot be opened.
    """
    with render_pdf(path, password) as document:
        return len(document)


def _looked_at(path: Path, password: str) -> tuple[str, str, dict[str, str]]:
    with_text: list[int] = []
    scanned: list[int] = []
    labels: dict[str, str] = {}
    with render_pdf(path, password) as document:
        for index in range(min(len(document), MAX_LOOKED_AT)):
            page = document[index]
            if page.get_textpage().count_chars():
                with_text.append(index + 1)
            elif is_scan(page):
                scanned.append(index + 1)
            label = document.get_page_label(index)
            if label and label != str(index + 1):
                labels[str(index + 1)] = label
    return expression_of(with_text), expression_of(scanned), labels


def _list_sizes(pdf: Any) -> dict[str, str]:
    sizes: dict[str, list[int]] = {}
    for number, page in enumerate(pdf.pages, start=1):
        space = space_of(page)
        sizes.setdefault(f"{space.width:g} x {space.height:g}", []).append(number)
    return {size: expression_of(numbers) for size, numbers in list(sizes.items())[:40]}


def _read_metadata(pdf: Any) -> dict[str, str]:
    info = pdf.trailer.get("/Info")
    return {} if info is None else {str(key)[1:]: str(value)[:500] for key, value in info.items()}


def _describe_encryption(pdf: Any) -> str:
    if not pdf.is_encrypted:
        return ""
    facts = pdf.encryption
    by = "owner" if pdf.owner_password_matched else "user"
    method = str(facts.stream_method).rsplit(".", 1)[-1]
    return f"{method}, {facts.bits} bits, revision {facts.R}, opened with the {by} password"


def _count_fields(form: Any) -> int:
    count = 0
    waiting = [(field_, 0) for field_ in form.get("/Fields", [])]
    while waiting:
        field, depth = waiting.pop()
        kids = [kid for kid in field.get("/Kids", []) if "/T" in kid]
        count += not kids
        waiting += [(kid, depth + 1) for kid in kids if depth < 30]
    return count


def _count_annotations(pdf: Any) -> dict[str, int]:
    kinds = Counter(
        str(annot.get("/Subtype", "/?"))[1:] for page in pdf.pages for annot in page.obj.get("/Annots", []) if annot
    )
    return dict(sorted(kinds.items()))


def _count_outline(root: Any) -> int:
    count = 0
    seen = set()
    waiting = [root.get("/Outlines", {}).get("/First")]
    while waiting and count < 100_000:
        item = waiting.pop()
        if item is None or item.objgen in seen:
            continue
        seen.add(item.objgen)
        count += 1
        waiting += [item.get("/Next"), item.get("/First")]
    return count


def _list_fonts(pdf: Any) -> list[Font]:
    fonts_by_name: dict[str, Font] = {}
    for page in list(pdf.pages)[:MAX_LOOKED_AT]:
        resources = page.obj.get("/Resources")
        fonts = resources.get("/Font", {}) if resources is not None else {}
        for font in fonts.values():
            name = str(font.get("/BaseFont", "/(Type 3)"))[1:]
            below = font.get("/DescendantFonts", [font])[0]
            descriptor = below.get("/FontDescriptor", {})
            embedded = any(f"/FontFile{suffix}" in descriptor for suffix in ("", "2", "3"))
            fonts_by_name[name] = Font(
                name, str(font.get("/Subtype", "/"))[1:], embedded or font.get("/Subtype") == "/Type3"
            )
    return [fonts_by_name[name] for name in sorted(fonts_by_name)][:MAX_FONTS]


def _has_javascript(root: Any) -> bool:
    action = root.get("/OpenAction")
    by_action = action is not None and hasattr(action, "get") and action.get("/S") == "/JavaScript"
    return "/JavaScript" in root.get("/Names", {}) or bool(by_action)
