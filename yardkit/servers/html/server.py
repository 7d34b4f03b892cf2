"""MCP surface of the server of web pages."""

from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from pydantic import Field

from yardkit.kit.pages.browser import Paper, Shot, View
from yardkit.kit.surface import MAX_TEXT, FileRef, Picture, make_server, tool
from yardkit.servers.html.engine import (
    checks,
    comparison,
    element_edits,
    new_pages,
    page_bundle,
    page_content,
    page_views,
    source,
)
from yardkit.servers.html.engine.results import Box, Element, Finding, Heading, Link, Table
from yardkit.world import InFile, OutFile, Problem, current_world, lock_file, save_text
from yardkit.world.wording import format_count

mcp = make_server(
    "html",
    "Create, edit, check and read web pages (.html) and render them in a real browser without network. "
    "Select elements with CSS selectors; an edit preserves the rest of the file byte for byte. Addresses "
    "are relative to the page or, with a leading '/', to the workspace.",
)

InPage = Annotated[InFile, Field(description="HTML file.")]
OutPage = Annotated[OutFile, Field(description="HTML file to write.")]
Selector = Annotated[str, Field(description="CSS selector, such as 'main > p.note' or '#total'.")]
Offset = Annotated[int, Field(description="How many to skip.", ge=0)]
Limit = Annotated[int, Field(description="At most this many.", ge=1, le=500)]
Width = Annotated[int, Field(description="Window width in CSS pixels.", ge=200, le=4000)]
Widths = Annotated[
    list[Annotated[int, Field(ge=200, le=4000)]],
    Field(description="Window widths in CSS pixels: 390 for a phone, 1280 for a desktop.", min_length=1, max_length=4),
]
Rows = Annotated[list[list[str | float | int | None]] | None, Field(description="Rows of cells.")]
Edits = Annotated[
    list[element_edits.Edit],
    Field(
        description="Applied in order, all or none. op: set_text, set_html (the content), replace (the element), "
        "insert (value is HTML, where: before/after the element, first/last in it), remove, wrap (value: "
        "start tag), unwrap, set_attribute (name, value), remove_attribute (name), add_class, remove_class "
        "(value), replace_text (name becomes value). match: one (the selector must match one element), "
        "first, all.",
        min_length=1,
        max_length=200,
    ),
]


@dataclass(frozen=True)
class PageWritten:
    """What was done to a page, and what its parser complains of since."""

    done: str
    file: FileRef
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PageSummary:
    """What a page consists of: title, language, meta data, outline, counts of elements, style sheets and scripts."""

    title: str
    language: str
    encoding: str
    bytes: int
    lines: int
    parse_errors: int
    meta: dict[str, str] = field(default_factory=dict)
    headings: list[Heading] = field(default_factory=list)
    elements: dict[str, int] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PageText:
    """A part of a page's text; `next_offset` (characters) where there is more."""

    text: str
    characters: int
    next_offset: int | None = None


@dataclass(frozen=True)
class PageTables:
    """Tables of a page."""

    tables: list[Table]
    next_offset: int | None = None


@dataclass(frozen=True)
class PageLinks:
    """Addresses on a page; `broken` counts all that lead nowhere."""

    total: int
    broken: int
    links: list[Link] = field(default_factory=list)
    next_offset: int | None = None


@dataclass(frozen=True)
class MatchingElements:
    """Elements that a selector matches."""

    total: int
    elements: list[Element] = field(default_factory=list)
    next_offset: int | None = None


@dataclass(frozen=True)
class PageCheck:
    """What is wrong with a page; `errors` counts the grave findings."""

    errors: int
    warnings: int
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True)
class WidthSeen:
    """How a page fits into one width."""

    width_px: int
    content_width_px: int
    height_px: int
    misfits: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PageSeen:
    """Pictures of a page, one for each width, and what does not fit or did not load."""

    path: str
    widths: list[WidthSeen]
    pictures: list[Picture]
    missing: list[str] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)
    script_errors: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class MeasuredElements:
    """Boxes of elements in the browser, in CSS pixels from the top left of the page."""

    total: int
    boxes: list[Box]


@dataclass(frozen=True)
class PageDifferences:
    """How two pages differ."""

    differences: list[comparison.Change]


@tool(mcp, bulk=True, writes=True, destructive=True)
def create_page(
    path: OutPage,
    title: Annotated[str, Field(description="Page title; empty: the first heading of the Markdown.")] = "",
    markdown: Annotated[
        str,
        Field(description="Content as Markdown, with footnotes [^1] and formulas $x^2$; or give html or template."),
    ] = "",
    html: Annotated[str, Field(description="Content of the body as HTML.")] = "",
    template: Annotated[
        InFile | None,
        Field(
            description="File with {{name}} (text), {{&name}} (HTML), {{#list}}...{{/list}} (repeated, or shown when "
            "true), {{^name}}...{{/name}} (when empty)."
        ),
    ] = None,
    values: Annotated[dict[str, Any] | None, Field(description="Values for the template or for html.")] = None,
    language: Annotated[str, Field(description="Language, such as en or de.")] = "en",
    css: Annotated[str | None, Field(description="CSS to use instead of the plain printable style.")] = None,
) -> PageWritten:
    """Create a page from Markdown, HTML or a template with values."""
    if sum(map(bool, (markdown, html, template))) != 1:
        raise Problem("give exactly one of markdown, html and template")
    unused, notes = list[str](), list[str]()
    if markdown and values:
        raise Problem("values only apply to html or template, not markdown; write them into the Markdown, or give html")
    if template:
        text, unused = new_pages.fill_template(source.read_page(template).text, values or {})
    elif markdown:
        text, notes = new_pages.from_markdown(markdown, title=title, language=language, style=css)
    else:
        if values:
            html, unused = new_pages.fill_template(html, values)
        text = new_pages.new_page(html, title=title or path.stem, language=language, style=css)
    page = source.Page(path.name, text)
    warnings = [*notes, *(f"line {page.line(offset)}: {words}" for offset, words in page.errors[:10])]
    warnings += [f"the template does not use {name!r}" for name in unused]
    with lock_file(path, current_world().locks):
        save_text(path, text)
    return PageWritten(f"Created {path.name}", FileRef.from_path(path), warnings)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def edit_page(path: InPage, edits: Edits) -> PageWritten:
    """Change elements of a page; each change is read back before it is reported."""
    with lock_file(path, current_world().locks):
        edited = element_edits.apply_edits(source.read_page(path), edits)
        edited.page.save(path)
    counts = ", ".join(f"{edit.op} {count}" for edit, count in zip(edits, edited.counts, strict=True))
    return PageWritten(
        f"Made {format_count(len(edits), 'edit')} (elements or places: {counts})",
        FileRef.from_path(path),
        edited.new_errors,
    )


@tool(mcp, bulk=True, writes=True, idempotent=False)
def insert_page_table(
    path: InPage,
    selector: Selector,
    rows: Rows = None,
    source: Annotated[InFile | None, Field(description="CSV file in place of rows.")] = None,
    where: Annotated[
        element_edits.Where | Literal["replace"], Field(description="Position relative to the element.")
    ] = "last",
    header: Annotated[bool, Field(description="The first row is a header.")] = True,
    caption: Annotated[str, Field(description="Caption above the table.")] = "",
) -> PageWritten:
    """Insert a table from rows or a CSV file; number columns are right-aligned."""
    if (rows is None) == (source is None):
        raise Problem("give either rows or source")
    cells = new_pages.csv_rows(source) if source else rows or []
    table = new_pages.table_html(cells, header=header, caption=caption)
    op: element_edits.Op = "replace" if where == "replace" else "insert"
    edit = element_edits.Edit(op, selector, table, where="last" if where == "replace" else where)
    done = f"Inserted a table of {format_count(len(cells), 'row')} and {format_count(len(cells[0]), 'column')}"
    written_page: PageWritten = edit_page(path, [edit])
    return replace(written_page, done=done)


@tool(mcp, bulk=True, writes=True, destructive=True)
def bundle_page(
    path: InPage,
    target: Annotated[OutFile, Field(description="HTML file to write.")],
) -> PageWritten:
    """Bundle a page with its style sheets, scripts and pictures into one file."""
    bundle = page_bundle.Bundle(source.read_page(path), path, current_world().files)
    page = bundle.make_page()
    with lock_file(target, current_world().locks):
        page.save(target)
    warnings = [f"{address!r} stays as it is: {reason}" for address, reason in bundle.left.items()]
    return PageWritten(f"Took in {format_count(len(bundle.taken), 'file')}", FileRef.from_path(target), warnings)


@tool(mcp, bulk=True)
def inspect_page(path: InPage) -> PageSummary:
    """Summarise a page: title, language, metadata, heading outline, element counts, ids."""
    page = source.read_page(path)
    elements = source.elements_of(page.root)
    counts: dict[str, int] = {}
    for element in elements:
        counts[source.tag_of(element)] = counts.get(source.tag_of(element), 0) + 1
    titles = page.select("head > title")
    meta = {
        entry.get("name") or entry.get("property") or "charset": entry.get("content") or entry.get("charset") or ""
        for entry in page.select("meta[name], meta[property], meta[charset]")
    }
    return PageSummary(
        source.words_of(titles[0], 200) if titles else "",
        page.root.get("lang", ""),
        page.encoding,
        len(page.encode()),
        page.text.count("\n") + 1,
        len(page.errors),
        meta,
        page_content.headings_of(page),
        counts,
        [node.get("id") for node in elements if node.get("id")][:200],
    )


@tool(mcp, bulk=True)
def read_page_text(
    path: InPage,
    format: Annotated[Literal["markdown", "text"], Field(description="Output format.")] = "markdown",  # noqa: A002
    selector: Annotated[str, Field(description="CSS selector of the part to read.")] = "body",
    offset: Annotated[int, Field(description="Characters to skip.", ge=0)] = 0,
    limit: Annotated[int, Field(description="At most this many characters.", ge=100, le=MAX_TEXT)] = 20_000,
) -> PageText:
    """Read the text of a page as Markdown or plain text, without scripts and styles."""
    page = source.read_page(path)
    convert = page_content.markdown_of if format == "markdown" else page_content.extract_text
    text = "\n".join(convert(element) for element in element_edits.choose_elements(page, selector, "all"))
    end = offset + limit
    return PageText(text[offset:end], len(text), end if end < len(text) else None)


@tool(mcp, bulk=True)
def read_page_tables(
    path: InPage,
    selector: Annotated[str, Field(description="CSS selector of tables, or of elements that contain them.")] = "body",
    offset: Offset = 0,
    limit: Limit = 20,
) -> PageTables:
    """Read the tables of a page as rows of texts; spanning cells are repeated."""
    tables = page_content.tables_of(source.read_page(path), selector)
    return PageTables(tables[offset : offset + limit], _compute_next_offset(offset, limit, len(tables)))


def _compute_next_offset(offset: int, limit: int, total: int) -> int | None:
    return offset + limit if offset + limit < total else None


@tool(mcp, bulk=True)
def list_page_links(
    path: InPage,
    only_broken: Annotated[bool, Field(description="Only broken ones.")] = False,
    offset: Offset = 0,
    limit: Limit = 100,
) -> PageLinks:
    """List links, pictures, scripts and style sheets of a page, and check that their files and anchors exist."""
    links = page_content.links_of(source.read_page(path), path, current_world().files)
    broken = [link for link in links if link.status not in ("ok", "external")]
    listed_links = broken if only_broken else links
    return PageLinks(
        len(links),
        len(broken),
        listed_links[offset : offset + limit],
        _compute_next_offset(offset, limit, len(listed_links)),
    )


@tool(mcp, bulk=True)
def query_elements(
    path: InPage,
    selector: Selector,
    with_html: Annotated[bool, Field(description="Include the source of each element (first 400 characters).")] = False,
    offset: Offset = 0,
    limit: Limit = 50,
) -> MatchingElements:
    """Find the elements that a CSS selector matches, with line, attributes, text and an exact path."""
    page = source.read_page(path)
    matching_elements = page.select(selector)
    element_infos = [
        page_content.element_of(page, element, html=with_html) for element in matching_elements[offset : offset + limit]
    ]
    return MatchingElements(
        len(matching_elements), element_infos, _compute_next_offset(offset, limit, len(matching_elements))
    )


@tool(mcp, bulk=True)
def check_page(
    path: InPage,
    in_browser: Annotated[bool, Field(description="Also check contrast and fit in the real browser.")] = True,
    widths: Widths = [1280, 390],  # noqa: B006 - never changed
) -> PageCheck:
    """Check a page: parse errors, links, anchors, assets, ids, alt texts, labels, headings, language, contrast, fit."""
    page = source.read_page(path)
    findings = checks.check_source(page, path, current_world().files)
    if in_browser:
        findings += page_views.check_rendered(page, path, current_world().files, widths)
    errors = sum(finding.severity == "error" for finding in findings)
    return PageCheck(errors, len(findings) - errors, findings[:300])


@tool(mcp, bulk=True)
def render_web_page(
    path: InPage,
    widths: Widths = [1280],  # noqa: B006 - never changed
    selector: Annotated[str, Field(description="Show only the first element that this CSS selector matches.")] = "",
    full_page: Annotated[bool, Field(description="Show the full page, not only the first screen.")] = True,
    dark: Annotated[bool, Field(description="Use the dark colour scheme.")] = False,
    print_style: Annotated[bool, Field(description="Use the print styles.")] = False,
) -> PageSeen:
    """Render a page in the browser at several widths, and report what overflows, is cut off or did not load."""
    view = View(dark=dark, media="print" if print_style else "screen")
    shot = Shot(full=full_page, selector=selector)
    seen = [page_views.view_page(path, current_world().files, width, shot=shot, view=view) for width in widths]
    images = [width_view.picture for width_view in seen if width_view.picture]
    return PageSeen(
        current_world().to_relative(path),
        [_width_seen(width_view) for width_view in seen],
        [Picture(image.data, image.media_type, image.width_px, image.height_px) for image in images],
        *(
            list(dict.fromkeys(words for width_view in seen for words in getattr(width_view, name)))
            for name in _LOAD_LISTS
        ),
    )


_LOAD_LISTS = ("missing", "blocked", "console")


def _width_seen(seen: page_views.Seen) -> WidthSeen:
    misfits = [f"{finding.kind}: {finding.element} {finding.text}" for finding in seen.findings]
    misfits += ["the picture ends before the page does; ask for an element by selector"] if seen.cut else []
    return WidthSeen(seen.width_px, seen.content_width_px, seen.height_px, misfits)


@tool(mcp, bulk=True)
def measure_elements(path: InPage, selector: Selector, width: Width = 1280, limit: Limit = 50) -> MeasuredElements:
    """Measure elements in the browser: boxes, fonts, colours, and whether they are hidden, cut off or off the edge."""
    total, boxes = page_views.measure_elements(path, current_world().files, selector, width=width, most=limit)
    return MeasuredElements(total, boxes)


@tool(mcp, bulk=True, writes=True, destructive=True)
def print_page_to_pdf(
    path: InPage,
    target: Annotated[OutFile, Field(description="PDF file to write.")],
    paper: Annotated[
        Literal["A3", "A4", "A5", "Letter", "Legal"],
        Field(description="Paper size; a size in the page's @page rule takes precedence."),
    ] = "A4",
    landscape: Annotated[bool, Field(description="Landscape orientation.")] = False,
    margin_mm: Annotated[float, Field(description="Margin on all sides.", ge=0, le=100)] = 15,
    backgrounds: Annotated[bool, Field(description="Print background colours and pictures.")] = True,
) -> PageWritten:
    """Save a page as PDF, as the browser prints it."""
    paper_setup = Paper(paper, landscape, f"{margin_mm:g}mm", 1.0, backgrounds)
    with lock_file(target, current_world().locks):
        count, notes = page_views.print_page(path, current_world().files, target, paper_setup)
    return PageWritten(f"Printed {format_count(count, 'page')}", FileRef.from_path(target), notes)


@tool(mcp, bulk=True)
def compare_web_pages(
    path: Annotated[InFile, Field(description="First HTML file.")],
    other: Annotated[InFile, Field(description="Second HTML file.")],
) -> PageDifferences:
    """Compare two pages: visible text, elements and attributes; differences in markup style are ignored."""
    return PageDifferences(comparison.compare_pages(source.read_page(path), source.read_page(other)))
