"""Page layout of sections, their headers and footers."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from yardkit.kit.ooxml import relations as rels
from yardkit.servers.documents.engine.formatting.looks import to_cm, to_twips
from yardkit.servers.documents.engine.formatting.styles import Styles, set_tabs
from yardkit.servers.documents.engine.markup.anchors import PARA_ID
from yardkit.servers.documents.engine.markup.names import (
    P,
    add_in_order,
    drop_children,
    ensure_child,
    find_all,
    find_element,
    get_attribute,
    get_value,
    insert_child,
    is_on,
    make_element,
    qualify_name,
)  # fmt: skip
from yardkit.servers.documents.engine.markup.paragraph_text import text_of
from yardkit.servers.documents.engine.markup.specs import Layout
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.page_sections import PAPERS_CM, STARTS, read_sections
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.text.inline_content import build_inline
from yardkit.world import Problem
from yardkit.world.wording import format_count

_PAGE_EDGES = {
    "header": ("header", "default"), "footer": ("footer", "default"), "first_header": ("header", "first"),
    "first_footer": ("footer", "first"), "even_header": ("header", "even"), "even_footer": ("footer", "even"),
}  # fmt: skip
_SLACK = 30  # twips
_SIDES = ("top", "right", "bottom", "left")


@dataclass(frozen=True)
class SectionInfo:
    """A section; `headers` maps header, first_header ... to (story, text)."""

    number: int
    width_cm: float
    height_cm: float
    orientation: str
    margins_cm: list[float]
    columns: int = 1
    start: str = "next_page"
    headers: dict[str, str] = field(default_factory=dict)
    column_gap_cm: float | None = None
    first_number: int | None = None
    number_format: str | None = None


def list_sections(document: Document) -> list[SectionInfo]:
    return [_describe_section(document, number, section) for number, section in enumerate(read_sections(document), 1)]


def _describe_section(document: Document, number: int, section: Any) -> SectionInfo:
    size, margins = find_element(section, "w:pgSz"), find_element(section, "w:pgMar")
    width, height = (to_cm(get_attribute(size, f"w:{key}")) or 0 for key in ("w", "h"))
    start = get_value(section, "w:type") or "nextPage"
    names = {value: key for key, value in STARTS.items()}
    headers = {}
    for name, (kind, which) in _PAGE_EDGES.items():
        part = _edge_part(document, section, kind, which)
        if part:
            story = next((key for key, value in document.map_stories().items() if value == part), "")
            texts = [text_of(paragraph) for paragraph in document.root(part).iter(P)]
            headers[name] = f"{story}: {' / '.join(text for text in texts if text)}"
    count, numbers = (
        int(get_attribute(find_element(section, "w:cols"), "w:num", "1") or 1),
        find_element(section, "w:pgNumType"),
    )
    first = get_attribute(numbers, "w:start")
    return SectionInfo(
        number,
        width,
        height,
        "landscape" if width > height else "portrait",
        [to_cm(get_attribute(margins, f"w:{side}")) or 0 for side in _SIDES],
        count,
        names.get(start, start),
        headers,
        to_cm(get_attribute(find_element(section, "w:cols"), "w:space")) if count > 1 else None,
        int(first) if first and first.isdigit() else None,
        get_attribute(numbers, "w:fmt"),
    )


def _edge_part(document: Document, section: Any, kind: str, which: str) -> str:
    for reference in find_all(section, f"w:{kind}Reference"):
        if get_attribute(reference, "w:type", "default") == which:
            relation = rels.read_relations(document.package, document.main).get(get_attribute(reference, "r:id") or "")
            return relation.target if relation and relation.target in document.package else ""
    return ""


def set_layout(writer: Writer, layouts: list[Layout]) -> int:
    """Apply layouts in order; how many sections were set.

    Raises:
        Problem: there is no section of a number, or the margins leave no room.
    """
    every = read_sections(writer.document)
    widths = [text_width_cm_of(section) for section in every]
    done: set[int] = set()
    for layout in layouts:
        if not 0 <= layout.section <= len(every):
            raise Problem(f"the document has {format_count(len(every), 'section')}, but no section {layout.section}")
        if not 1 <= (1 if layout.columns is None else layout.columns) <= 45 or (layout.first_number or 0) < 0:
            raise Problem("a page has 1 to 45 columns, and page numbers from 0")
        numbers = range(len(every)) if layout.section == 0 else [layout.section - 1]
        for number in numbers:
            section = every[number]
            _set_layout(writer, layout, section, inherits=number != numbers[0])
            if text_width_cm_of(section) < 1:
                raise Problem("the margins leave less than 1 cm for text; make them smaller or the page wider")
        done.update(numbers)
    if any(_concerns_edges(layout) for layout in layouts):
        _fit_edges(writer, done, widths)
    return len(done)


def _concerns_edges(layout: Layout) -> bool:
    """Whether a layout sets headers or footers, or how wide they are."""
    return bool(layout.paper or layout.size_cm or layout.orientation or layout.margins_cm) or any(
        getattr(layout, name) is not None for name in _PAGE_EDGES
    )


def text_width_cm_of(section: Any) -> float:
    """Width between the margins of a section."""
    width = to_cm(get_attribute(find_element(section, "w:pgSz"), "w:w")) or 21.0
    margins = find_element(section, "w:pgMar")
    return width - sum(to_cm(get_attribute(margins, f"w:{side}")) or 0 for side in ("left", "right"))


def _set_layout(writer: Writer, layout: Layout, section: Any, *, inherits: bool) -> None:
    """Write a layout into a section; one that `inherits` shows the headers of the section before."""
    _set_size(layout, section)
    if layout.margins_cm:
        margins = ensure_child(section, "w:pgMar")
        for side, value in zip(_SIDES, layout.margins_cm, strict=True):
            margins.set(qualify_name(f"w:{side}"), str(to_twips(value)))
        for name, default in (("header", 708), ("footer", 708), ("gutter", 0)):
            if get_attribute(margins, f"w:{name}") is None:
                margins.set(qualify_name(f"w:{name}"), str(default))
    if layout.columns or layout.column_gap_cm is not None:
        _set_columns(layout, section)
    if layout.start:
        insert_child(section, make_element("w:type", val=STARTS[layout.start]))
    numbers = {"fmt": layout.number_format, "start": layout.first_number}
    for key, number in numbers.items():
        if number is not None:
            ensure_child(section, "w:pgNumType").set(qualify_name(f"w:{key}"), str(number))
    _set_edges(writer, layout, section, inherits=inherits)


def _set_edges(writer: Writer, layout: Layout, section: Any, *, inherits: bool) -> None:
    for name in _PAGE_EDGES:
        if getattr(layout, name) is not None and inherits:
            kind, which = _PAGE_EDGES[name]
            for page in _pages_of_edge(writer.document, section, kind, which):
                _drop_edge(section, kind, page)
            _switch_on(writer.document, section, which)
        elif getattr(layout, name) is not None:
            _set_edge(writer, section, name, getattr(layout, name))


def _set_size(layout: Layout, section: Any) -> None:
    if not (layout.paper or layout.size_cm or layout.orientation):
        return
    size = ensure_child(section, "w:pgSz")
    old = (to_cm(get_attribute(size, "w:w")) or 21.0, to_cm(get_attribute(size, "w:h")) or 29.7)
    width, height = layout.size_cm or (PAPERS_CM[layout.paper] if layout.paper else old)
    if not (1 <= width <= 55.87 and 1 <= height <= 55.87):
        raise Problem(f"{width:g} x {height:g} cm is not a valid page size; Word allows 1 to 55.87 cm")
    wide = (
        get_attribute(size, "w:orient") == "landscape"
        if layout.orientation is None
        else layout.orientation == "landscape"
    )
    if not layout.size_cm or layout.orientation:
        width, height = (max(width, height), min(width, height)) if wide else (min(width, height), max(width, height))
    size.attrib.pop(qualify_name("w:code"), None)
    size.set(qualify_name("w:w"), str(to_twips(width)))
    size.set(qualify_name("w:h"), str(to_twips(height)))
    size.set(qualify_name("w:orient"), "landscape" if width > height else "portrait")


def _set_columns(layout: Layout, section: Any) -> None:
    columns = ensure_child(section, "w:cols")
    if layout.columns:
        drop_children(columns, "w:col")
        columns.attrib.pop(qualify_name("w:equalWidth"), None)
        columns.set(qualify_name("w:num"), str(layout.columns))
    if layout.column_gap_cm is not None:
        columns.set(qualify_name("w:space"), str(to_twips(layout.column_gap_cm)))


def _set_edge(writer: Writer, section: Any, name: str, text: str) -> None:
    """Write a header or footer. One that another section shares is not touched: this section gets its own."""
    kind, which = _PAGE_EDGES[name]
    document = writer.document
    part = _edge_part(document, section, kind, which)
    pages = _pages_of_edge(document, section, kind, which)
    if part and _count_users(document, part) > len(pages):
        part = ""
    if not part:
        part = document.new_story(kind)
        for page in pages:
            _set_reference(document, section, kind, page, part)
    root = document.root(part)
    for child in list(root):
        root.remove(child)
    for line in text.split("\n"):
        paragraph = make_element(
            "w:p", make_element("w:pPr", make_element("w:pStyle", val=Styles(document).ensure(kind)))
        )
        paragraph.extend(build_inline(writer, part, line))
        if "\t" in line:
            _set_stops(document, paragraph, text_width_cm_of(section))
        root.append(paragraph)
        writer.note_inserted(paragraph)
    _switch_on(document, section, which)


def _set_stops(document: Document, paragraph: Any, width_cm: float) -> None:
    set_tabs(document, paragraph, [f"{width_cm / 2:.2f} center", f"{width_cm:.2f} right"])


def _fit_edges(writer: Writer, named: set[int], widths: list[float]) -> None:
    """Let the middle and the right of headers of `named` sections fit their pages, also where other sections show them.

    Only tab stops that fitted the text of `widths` (cm, before) or fit that of now; others were set with another aim.
    """
    document, every = writer.document, read_sections(writer.document)
    others = [section for number, section in enumerate(every) if number not in named]
    shared_parts = {_edge_part(document, section, *edge) for section in others for edge in _PAGE_EDGES.values()}
    fitting = _Fitting(document, shared_parts)
    for kind, which in _PAGE_EDGES.values():
        source, visible_part, home = "", "", 0
        for number, section in enumerate(every):
            own = _edge_part(document, section, kind, which)
            source, home = (own, number) if own else (source, home)
            target_part = source
            if source and (number in named or home in named):
                stops = {to_twips(widths[home]), to_twips(text_width_cm_of(every[home]))}
                target_part = fitting.part(kind, source, text_width_cm_of(section), stops)
            if target_part != (own or visible_part):
                _set_reference(document, section, kind, which, target_part)
            visible_part = target_part


@dataclass
class _Fitting:
    """Headers for pages of several widths; `shared_parts` stay as they are, for sections that nobody named."""

    document: Document
    shared_parts: set[str]
    fitted_parts: dict[tuple[str, int], str] = field(default_factory=dict)

    def part(self, kind: str, source: str, width_cm: float, stops: set[int]) -> str:
        """The part with the content of `source` and its `stops` (twips) moved to a width."""
        key = (source, to_twips(width_cm))
        moving = [
            candidate for candidate in self.document.root(source).iter(P) if _has_other_stop(candidate, stops, key[1])
        ]
        if key not in self.fitted_parts and moving:
            if source in self.shared_parts or any(part == source for part, _ in self.fitted_parts):
                self.fitted_parts[key] = self._copy_part(kind, source)
                moving = [
                    candidate
                    for candidate in self.document.root(self.fitted_parts[key]).iter(P)
                    if _has_other_stop(candidate, stops, key[1])
                ]
            for paragraph in moving:
                _set_stops(self.document, paragraph, width_cm)
        return self.fitted_parts.setdefault(key, source)

    def _copy_part(self, kind: str, source: str) -> str:
        story_copy = self.document.new_story(kind)
        if rels.rels_name(source) in self.document.package:
            self.document.package.put(rels.rels_name(story_copy), self.document.package.read(rels.rels_name(source)))
        root = self.document.root(story_copy)
        root.extend(copy.deepcopy(list(self.document.root(source))))
        for paragraph in root.iter(P):
            paragraph.attrib.pop(PARA_ID, None)
        return story_copy


def _has_other_stop(paragraph: Any, stops: set[int], width: int) -> bool:
    """Whether a paragraph's stop at the end is one of `stops`, and not at `width`, all in twips."""
    end = _end_stop(paragraph)
    return bool(end) and any(abs(end - stop) <= _SLACK for stop in stops) and abs(end - width) > _SLACK


def _end_stop(paragraph: Any) -> int:
    """Where the right one of a paragraph's stops for the middle and the right end is; 0 where it has others."""
    stops = [tab for tab in find_all(paragraph, "w:pPr/w:tabs/w:tab") if get_attribute(tab, "w:val") != "clear"]
    if [get_attribute(stop, "w:val") for stop in stops] != ["center", "right"]:
        return 0
    middle, end = (int(get_attribute(stop, "w:pos") or 0) for stop in stops)
    return end if abs(2 * middle - end) <= _SLACK else 0


def _pages_of_edge(document: Document, section: Any, kind: str, which: str) -> list[str]:
    """The pages that a header of a section is for: even ones too, where they only repeat that of the others."""
    part = _edge_part(document, section, kind, which)
    repeats = which == "default" and part and _edge_part(document, section, kind, "even") == part
    return [which, "even"] if repeats else [which]


def _set_reference(document: Document, section: Any, kind: str, which: str, part: str) -> None:
    _drop_edge(section, kind, which)
    add_in_order(section, make_element(f"w:{kind}Reference", type=which, r_id=document.relation_id(part)))


def _drop_edge(section: Any, kind: str, which: str) -> None:
    for old in find_all(section, f"w:{kind}Reference"):
        if get_attribute(old, "w:type", "default") == which:
            section.remove(old)


def _count_users(document: Document, part: str) -> int:
    identities = {
        key for key, relation in rels.read_relations(document.package, document.main).items() if relation.target == part
    }
    references = document.body.iter(qualify_name("w:headerReference"), qualify_name("w:footerReference"))
    return sum(get_attribute(reference, "r:id") in identities for reference in references)


def _switch_on(document: Document, section: Any, which: str) -> None:
    """First and even pages show their own headers only where that is switched on."""
    if which == "first" and not is_on(section, "w:titlePg"):
        insert_child(section, make_element("w:titlePg"))
    if which == "even" and not is_on(document.settings, "w:evenAndOddHeaders"):
        insert_child(document.settings, make_element("w:evenAndOddHeaders"))
        for part in read_sections(document):
            _repeat_on_even_pages(document, part)


def _repeat_on_even_pages(document: Document, section: Any) -> None:
    """Even pages would lose the headers that they have; a part of their own is set later."""
    for kind in ("header", "footer"):
        part = _edge_part(document, section, kind, "default")
        if part and not _edge_part(document, section, kind, "even"):
            _set_reference(document, section, kind, "even", part)
