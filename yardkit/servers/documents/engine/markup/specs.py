"""What the tools are told: new blocks, looks of text and paragraphs, and edits, as small typed objects."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from yardkit.world import InFile


def _normalize_color(text: str) -> str:
    if text != "none" and not re.fullmatch("#?[0-9A-Fa-f]{6}", text):
        raise ValueError("not a valid colour; use RRGGBB, or none")
    return text.removeprefix("#")


Color = Annotated[str, AfterValidator(_normalize_color)]
Level = Annotated[int, Field(ge=1, le=9)]
Align = Literal["left", "center", "right", "justify"]
BlockKind = Literal[
    "paragraph", "heading", "bullet", "number", "table", "image", "page_break", "section_break", "toc", "caption",
    "figures", "rule", "code", "quote",
]  # fmt: skip


@dataclass(frozen=True)
class NewBlock:
    """A block to write. Text may hold **bold**, *italic*, ~~strike~~, `code`, [text](url), {FIELD code}, $LaTeX$."""

    kind: BlockKind = "paragraph"
    text: str = ""
    literal: Annotated[bool, Field(description="Text without markup.")] = False
    level: Annotated[Level, Field(description="Level of heading or list item; levels of a toc.")] | None = None
    style: str | None = None
    align: Align | None = None
    restart: Annotated[bool, Field(description="Start a new list.")] = False
    rows: Annotated[list[list[str]], Field(description="Rows of a table.")] = field(default_factory=list)
    header_rows: int = 1
    widths_cm: Annotated[list[float], Field(description="Widths of columns, or of the image.")] = field(
        default_factory=list
    )
    image: InFile | None = None
    alt: str = ""
    label: Annotated[str, Field(description="Label of captions, and of figures, their list.")] = "Figure"
    bookmark: Annotated[str, Field(description="Bookmark name.")] = ""
    start: Literal["next_page", "continuous", "even_page", "odd_page"] = "next_page"


@dataclass(frozen=True)
class BlockEdit:
    """insert blocks beside an anchor (without: at the end), replace or delete anchor..to, move them, set_text."""

    op: Literal["insert", "replace", "delete", "move", "set_text"]
    anchor: str = ""
    to: Annotated[str, Field(description="Last block of the range.")] = ""
    beside: Annotated[str, Field(description="Anchor to move to.")] = ""
    position: Literal["after", "before"] = "after"
    blocks: list[NewBlock] = field(default_factory=list)
    text: Annotated[str, Field(description="For set_text: plain; style and format stay.")] = ""


@dataclass(frozen=True)
class Look:
    """What is not given stays."""

    bold: bool | None = None
    italic: bool | None = None
    underline: Literal["single", "double", "dotted", "wave", "none"] | None = None
    strike: bool | None = None
    color: Color | None = None
    highlight: Annotated[str, Field(description="yellow, green, cyan, lightGray ..., none")] | None = None
    size_pt: float | None = None
    font: str | None = None
    vertical: Literal["super", "sub", "normal"] | None = None
    caps: Literal["all", "small", "none"] | None = None
    language: str | None = None
    align: Align | None = None
    before_pt: float | None = None
    after_pt: float | None = None
    line_spacing: Annotated[float, Field(description="Line spacing.")] | None = None
    left_cm: float | None = None
    right_cm: float | None = None
    first_line_cm: Annotated[float, Field(description="Negative for a hanging indent.")] | None = None
    keep_next: bool | None = None
    keep_lines: bool | None = None
    page_break_before: bool | None = None
    shading: Color | None = None
    border: Literal["top", "bottom", "left", "right", "box", "none"] | None = None
    tabs: Annotated[list[str], Field(description="8 center, 16 right dot")] | None = None
    outline_level: Annotated[int, Field(description="0: body")] | None = None


@dataclass(frozen=True)
class Replacement:
    """A text and what comes in its place."""

    find: Annotated[str, Field(min_length=1)]
    replace: Annotated[str, Field(description="With regex: \\1 for a group.")]


@dataclass(frozen=True)
class FormatEdit:
    """A look for blocks, for the text `find` in them, or for the style `define`."""

    anchors: list[str] = field(default_factory=list)
    to: Annotated[str, Field(description="Last block of a range.")] = ""
    find: Annotated[str, Field(description="Only this text.")] = ""
    style: Annotated[str, Field(description="Style of paragraphs; with find, of characters.")] = ""
    look: Look = field(default_factory=Look)
    clear: Annotated[bool, Field(description="Drop direct formats.")] = False
    define: Annotated[str, Field(description="Style to make or change.")] = ""
    kind: Literal["paragraph", "character", "table"] = "paragraph"
    based_on: str | None = None
    next: str | None = None


@dataclass(frozen=True)
class StyleEdit:
    """A style to make or change; what `FormatEdit` says with `define`."""

    name: str
    kind: Literal["paragraph", "character", "table"] = "paragraph"
    based_on: str | None = None
    next: str | None = None
    look: Look = field(default_factory=Look)


@dataclass(frozen=True)
class TableEdit:
    """An edit of a table. `range`: cells A1:B2, rows 2:3, columns B:C; without: all."""

    op: Literal[
        "set_cells", "insert_rows", "delete_rows", "insert_columns", "delete_columns", "merge", "split", "format",
        "layout",
    ]  # fmt: skip
    range: Annotated[str, Field(description="For insert: row before which; without: at the end.")] = ""
    values: Annotated[list[list[str]], Field(description="Texts, row by row.")] = field(default_factory=list)
    count: int = 1
    shading: Color | None = None
    borders: Literal["all", "outside", "top", "bottom", "left", "right", "none"] | None = None
    border_color: Color = "808080"
    border_pt: float = 0.5
    align: Annotated[Align, Field(description="Alignment of cell text; with layout: of the table.")] | None = None
    valign: Literal["top", "center", "bottom"] | None = None
    bold: bool | None = None
    padding_cm: float | None = None
    style: str | None = None
    widths_cm: Annotated[list[float], Field(description="Widths of columns.")] = field(default_factory=list)
    autofit: Literal["contents", "page", "fixed"] | None = None
    header_rows: Annotated[int, Field(description="Repeat on each page.")] | None = None
    keep_rows: Annotated[bool, Field(description="Do not break rows over pages.")] | None = None
    row_cm: Annotated[float, Field(description="Minimum row height; 0: as text needs.", ge=0)] | None = None
    description: Annotated[str, Field(description="Alternative text.")] | None = None


@dataclass(frozen=True)
class ImageEdit:
    """An edit of the image with this number."""

    image: Annotated[int, Field(description="Number from inspect_document.")]
    op: Literal["replace", "resize", "describe", "delete", "save"]
    file: Annotated[InFile, Field(description="New picture.")] | None = None
    width_cm: float | None = None
    height_cm: float | None = None
    alt: str = ""


@dataclass(frozen=True)
class Layout:
    """Headers and footers: text with {PAGE}, {NUMPAGES}; tabs part left, middle, right."""

    section: Annotated[int, Field(description="Number from 1; 0: all.")] = 0
    paper: Literal["A3", "A4", "A5", "Letter", "Legal"] | None = None
    orientation: Literal["portrait", "landscape"] | None = None
    size_cm: Annotated[list[float], Field(description="[width, height]", min_length=2, max_length=2)] | None = None
    margins_cm: (
        Annotated[list[float], Field(description="[top, right, bottom, left]", min_length=4, max_length=4)] | None
    ) = None
    columns: int | None = None
    column_gap_cm: float | None = None
    start: Literal["next_page", "continuous", "even_page", "odd_page"] | None = None
    first_number: Annotated[int, Field(description="Of the section's first page.")] | None = None
    number_format: Literal["decimal", "lowerRoman", "upperRoman", "lowerLetter", "upperLetter"] | None = None
    header: str | None = None
    footer: str | None = None
    first_header: Annotated[str, Field(description="First page only.")] | None = None
    first_footer: str | None = None
    even_header: str | None = None
    even_footer: str | None = None


@dataclass(frozen=True)
class ReferenceEdit:
    """An edit of bookmarks, links and fields at `find` in the block, or at the block's end; or a form field to fill."""

    op: Literal["bookmark", "remove_bookmark", "link", "unlink", "field", "cross_reference", "remove_field", "fill"]
    anchor: str = ""
    find: Annotated[str, Field(description="Text in the block; a field replaces it.")] = ""
    name: Annotated[str, Field(description="Name of the bookmark to make or point to, or of the form field.")] = ""
    value: Annotated[str, Field(description="Value for fill; true, false for a checkbox.")] = ""
    target: Annotated[str, Field(description="Anchor that a cross_reference points to.")] = ""
    show: Literal["text", "page", "number"] = "text"
    url: str = ""
    code: Annotated[str, Field(description="Field code, such as DATE \\@ yyyy-MM-dd, SEQ Table.")] = ""
