"""MCP surface of the presentation server."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import FileRef, make_server, tool
from yardkit.servers.slides import engine
from yardkit.servers.slides.engine import results
from yardkit.servers.slides.engine.inputs import (
    ChartLook,
    Kind,
    NewShape,
    NewSlide,
    Notes,
    Paragraph,
    Scalar,
    Section,
    Series,
    ShapeEdit,
    ShapeKey,
    TableEdit,
    Transition,
)
from yardkit.servers.slides.engine.slides.new_slides import CreatedSlide
from yardkit.world import InFile, OutFile, Problem, current_world, lock_file, save_bytes
from yardkit.world.wording import format_count

mcp = make_server(
    "slides",
    "Read, build, edit and check PowerPoint decks (.pptx). Slides count from 1. Give shapes by the id that "
    "read_slides shows, or by name. Positions are cm from the top left corner of the slide, before "
    "rotation; text sizes are points; colours are RRGGBB or theme colours (dark1, light1, dark2, light2, "
    "accent1 to accent6). Leading tabs indent a line of text. Unaffected content is preserved. After "
    "building, run check_deck and view the slides with the render server.",
)

InDeck = Annotated[InFile, Field(description="Deck (.pptx, .pptm, .potx, .ppsx).")]
Slide = Annotated[int, Field(description="Slide number, from 1.", ge=1)]
Slides = Annotated[list[int] | None, Field(description="Slide numbers; without: all.")]
Shape = Annotated[ShapeKey, Field(description="Shape id, or name.")]
At = Annotated[int | None, Field(description="Number of the first one; without: the end.", ge=1)]
NewSlides = Annotated[
    list[NewSlide],
    Field(
        description="Without layout, a suitable one is chosen; empty placeholders are removed.",
        min_length=1,
        max_length=500,
    ),
]
Left = Annotated[float, Field(description="From the left edge.")]
Top = Annotated[float, Field(description="From the top edge.")]
Width = Annotated[float, Field(description="Width.", gt=0)]
Height = Annotated[float, Field(description="Height.", gt=0)]
Offset = Annotated[int, Field(description="Entries to skip.", ge=0)]
Limit = Annotated[int, Field(description="At most this many.", ge=1, le=500)]
Name = Annotated[str | None, Field(description="Name of the shape.")]


@tool(mcp, bulk=True)
def inspect_deck(
    path: InDeck,
    details: Annotated[bool, Field(description="Include names and boxes of the layouts' placeholders.")] = False,
    offset: Offset = 0,
    limit: Limit = 100,
) -> results.DeckInfo:
    """Inspect a deck: size, slides with titles, layouts with placeholders, theme, sections, properties."""
    return engine.inspect_deck(path, offset, limit, details=details)


@tool(mcp, bulk=True)
def read_slides(
    path: InDeck,
    slides: Slides = None,
    details: Annotated[bool, Field(description="Include formats of text, shapes and tables.")] = False,
) -> results.SlidePage:
    """List the shapes of slides: id, kind, box [left, top, width, height] in cm, text, tables, chart data, notes."""
    return engine.read_slides(path, slides, details=details)


@tool(mcp, bulk=True)
def read_deck_text(
    path: InDeck,
    slides: Slides = None,
    format: Annotated[  # noqa: A002 - the word of converters
        Literal["markdown", "outline"], Field(description="markdown with tables and chart data, or titles and bullets.")
    ] = "markdown",
    with_notes: Annotated[bool, Field(description="Include speaker notes.")] = True,
) -> results.DeckText:
    """Read the text of slides in reading order."""
    return engine.read_text(path, slides, format, notes=with_notes)


@tool(mcp, bulk=True)
def check_deck(
    path: InDeck,
    slides: Slides = None,
    kinds: Annotated[
        list[str] | None,
        Field(
            description="Some of: overflow, table_overflow, off_slide, overlap, small_text, low_contrast, "
            "empty_placeholder, missing_title, duplicate_title, missing_alt_text, many_fonts, text_heavy, "
            "distorted_picture. Without: all."
        ),
    ] = None,
    min_size_pt: Annotated[float, Field(description="Report text smaller than this.", ge=4, le=40)] = 12,
    offset: Offset = 0,
    limit: Limit = 100,
) -> results.Findings:
    """Check the layout of slides by measurement; reports each problem with shape, position and fix."""
    return engine.check_deck(path, slides, kinds, min_size_pt=min_size_pt, offset=offset, limit=limit)


@tool(mcp, bulk=True)
def compare_decks(
    path: InDeck,
    other: Annotated[InFile, Field(description="Deck to compare with, such as a later version.")],
    offset: Offset = 0,
    limit: Limit = 100,
) -> results.Comparison:
    """Compare two decks: added, removed and moved slides; changes of text, position, format, tables, charts, notes."""
    return engine.compare_decks(path, other, offset, limit)


@tool(mcp, writes=True, destructive=True, bulk=True)
def create_deck(
    path: Annotated[OutFile, Field(description="Deck to create (.pptx); an existing one is replaced.")],
    slides: NewSlides,
    template: Annotated[
        InFile | None,
        Field(description="Deck or .potx that gives design and layouts, without its slides."),
    ] = None,
    size: Annotated[Literal["16:9", "4:3"], Field(description="Size in the default design.")] = "16:9",
    title: Annotated[str, Field(description="Document property.")] = "",
    author: Annotated[str, Field(description="Document property.")] = "",
) -> results.Changed:
    """Create a deck from an outline, in a plain professional design or that of a template."""
    if template == path:
        raise Problem(f"template {path.name!r} is the deck to create; choose another file")
    with lock_file(path, current_world().locks):
        new_deck = engine.create_deck(
            path,
            slides,
            source=template,
            size=size,
            now=current_world().now,
            properties={"title": title, "author": author},
        )
    return _report_changes(path, f"Made a deck of {format_count(len(new_deck), 'slide')}", new_deck)


@tool(mcp, writes=True, idempotent=False, bulk=True)
def add_slides(path: InDeck, slides: NewSlides, position: At = None) -> results.Changed:
    """Add slides from an outline."""
    with lock_file(path, current_world().locks):
        added_slides = engine.add_slides(path, slides, position)
    return _report_changes(path, f"Added {format_count(len(added_slides), 'slide')}", added_slides)


@tool(mcp, writes=True, idempotent=False, bulk=True)
def copy_slides(
    path: InDeck,
    source: Annotated[InFile, Field(description="Deck to copy from.")],
    slides: Slides = None,
    position: At = None,
    layout: Annotated[str | None, Field(description="Layout to use; without: the one with the same name.")] = None,
) -> results.Changed:
    """Copy slides from another deck, with charts, pictures and notes, into the design and size of this one."""
    if source == path:
        raise Problem("source is the deck itself; use arrange_slides with duplicate to copy its slides")
    with lock_file(path, current_world().locks):
        names, notes = engine.copy_slides(path, source, slides, position, layout)
    return results.Changed(f"Copied {format_count(len(names), 'slide')}", FileRef.from_path(path), notes=notes)


@tool(mcp, writes=True, destructive=True, idempotent=False, bulk=True)
def arrange_slides(
    path: InDeck,
    action: Annotated[Literal["move", "duplicate", "delete", "hide", "show"], Field(description="Action.")],
    slides: Annotated[list[int], Field(description="Slide numbers; for move, in the new order.", min_length=1)],
    position: Annotated[int | None, Field(description="move, duplicate: new number of the first.", ge=1)] = None,
) -> results.Changed:
    """Move, duplicate, delete, hide or show slides; content used only by deleted slides is removed."""
    with lock_file(path, current_world().locks):
        done = engine.arrange_slides(path, action, slides, position)
    return results.Changed(done, FileRef.from_path(path))


@tool(mcp, writes=True, destructive=True, bulk=True)
def format_slides(
    path: InDeck,
    slides: Slides = None,
    layout: Annotated[str | None, Field(description="Name of the layout to apply.")] = None,
    background: Annotated[str | None, Field(description="Colour, or none for that of the layout.")] = None,
    transition: Annotated[
        Transition | None,
        Field(description="Transition effect."),
    ] = None,
    transition_s: Annotated[float | None, Field(description="Duration in seconds.", ge=0, le=60)] = None,
    advance_after_s: Annotated[
        float | None, Field(description="Advance after this many seconds.", ge=0, le=86400)
    ] = None,
    advance_on_click: Annotated[bool | None, Field(description="Advance on click.")] = None,
    footer: Annotated[str | None, Field(description="Footer text; empty removes it.")] = None,
    slide_number: Annotated[bool | None, Field(description="Show the slide number.")] = None,
    date: Annotated[str | None, Field(description="Date as footer text; empty removes it.")] = None,
) -> results.Changed:
    """Format slides: layout, background, transition, footer, slide number, date."""
    look = engine.SlideLook(
        layout, background, transition, transition_s, advance_after_s, advance_on_click, footer, slide_number, date
    )
    with lock_file(path, current_world().locks):
        chosen, notes = engine.change_slides(path, slides, look)
    return results.Changed(f"Changed {format_count(len(chosen), 'slide')}", FileRef.from_path(path), notes=notes)


@tool(mcp, writes=True, destructive=True, bulk=True)
def set_shape_text(
    path: InDeck,
    slide: Slide,
    shape: Shape,
    paragraphs: Annotated[list[str | Paragraph], Field(description="Lines, or paragraphs with formats.")],
    append: Annotated[bool, Field(description="Append to the existing text.")] = False,
    autofit: Annotated[
        Literal["none", "shrink", "resize"] | None,
        Field(description="shrink the text, or resize the box, to fit."),
    ] = None,
    vertical: Annotated[
        Literal["top", "middle", "bottom"] | None, Field(description="Vertical position in the box.")
    ] = None,
    margin_cm: Annotated[float | None, Field(description="Between box and text.")] = None,
) -> results.Changed:
    """Set the text of a shape or placeholder, keeping the format of the old text unless formats are given."""
    with lock_file(path, current_world().locks):
        notes = engine.set_text(
            path, slide, shape, paragraphs, append=append, autofit=autofit, anchor=vertical, margin_cm=margin_cm
        )
    return results.Changed(f"Set the text of shape {shape} on slide {slide}", FileRef.from_path(path), notes=notes)


@tool(mcp, writes=True, bulk=True)
def format_shape_text(
    path: InDeck,
    slide: Slide,
    shapes: Annotated[list[ShapeKey], Field(description="Shape ids or names, including tables.", min_length=1)],
    find: Annotated[str | None, Field(description="Only this exact text in them.")] = None,
    bold: Annotated[bool | None, Field(description="Set bold.")] = None,
    italic: Annotated[bool | None, Field(description="Set italic.")] = None,
    underline: Annotated[bool | None, Field(description="Set underline.")] = None,
    size_pt: Annotated[float | None, Field(description="Size.", ge=1, le=400)] = None,
    color: Annotated[str | None, Field(description="Colour.")] = None,
    font: Annotated[str | None, Field(description="Font; +mj-lt and +mn-lt are the theme's.")] = None,
) -> results.Changed:
    """Format existing text; settings that are not given stay."""
    change = engine.Format(bold, italic, underline, size_pt, color, font)
    with lock_file(path, current_world().locks):
        count, notes = engine.format_text(path, slide, shapes, find, change)
    return results.Changed(f"Formatted {format_count(count, 'run')}", FileRef.from_path(path), notes=notes)


@tool(mcp, writes=True, destructive=True, idempotent=False, bulk=True)
def replace_deck_text(
    path: InDeck,
    find: Annotated[str, Field(description="Text to find, within a paragraph.")],
    replace: Annotated[str, Field(description="New text; with regex, \\1 is a group.")],
    slides: Slides = None,
    regex: Annotated[bool, Field(description="find is a regular expression.")] = False,
    match_case: Annotated[bool, Field(description="Match case.")] = True,
    whole_words: Annotated[bool, Field(description="Whole words only.")] = False,
    with_notes: Annotated[bool, Field(description="Include speaker notes.")] = True,
) -> results.Replaced:
    """Find and replace across runs, keeping formats: text, tables, groups, diagrams, titles in charts, notes."""
    search = engine.Search.compile(find, regex=regex, match_case=match_case, whole_words=whole_words)
    with lock_file(path, current_world().locks):
        places, stale = engine.replace_matches(path, search, replace, slides=slides, notes=with_notes)
    left = engine.left_in_charts(path, search, slides)
    messages = [
        f"slide {place.slide}, {place.where}, shape {place.shape}: {place.after[:120]!r}" for place in places[:50]
    ]
    return results.Replaced(len(places), messages, FileRef.from_path(path), [*left, *stale])


@tool(mcp, writes=True, idempotent=False, bulk=True)
def add_slide_shapes(
    path: InDeck,
    slide: Slide,
    shapes: Annotated[list[NewShape], Field(description="Shapes from back to front.", min_length=1, max_length=200)],
) -> results.Changed:
    """Add text boxes, shapes, lines and connectors; all or none."""
    with lock_file(path, current_world().locks):
        ids = engine.add_shapes(path, slide, shapes)
    return results.Changed(f"Added {format_count(len(ids), 'shape')} to slide {slide}", FileRef.from_path(path), ids)


@tool(mcp, writes=True, destructive=True, idempotent=False, bulk=True)
def edit_slide_shapes(
    path: InDeck,
    edits: Annotated[list[ShapeEdit], Field(description="Applied in this order.", min_length=1, max_length=500)],
) -> results.Changed:
    """Apply a batch of operations to shapes, all or none: move, style, align, group, delete, link, crop ..."""
    with lock_file(path, current_world().locks):
        done = engine.edit_shapes(path, edits)
    return results.Changed(f"Applied {format_count(len(edits), 'operation')}", FileRef.from_path(path), notes=done)


@tool(mcp, writes=True, destructive=True, bulk=True)
def place_slide_picture(
    path: InDeck,
    slide: Slide,
    image: Annotated[InFile, Field(description="PNG, JPEG, GIF, BMP or TIFF.")],
    shape: Annotated[
        ShapeKey | None, Field(description="Placeholder to fill, or picture to replace, keeping its box.")
    ] = None,
    left_cm: Annotated[float | None, Field(description="Without: centred.")] = None,
    top_cm: Annotated[float | None, Field(description="Without: centred.")] = None,
    width_cm: Annotated[float | None, Field(description="Without: from the height; without both: to fit.")] = None,
    height_cm: Annotated[float | None, Field(description="Without: from the width.")] = None,
    fit: Annotated[
        Literal["contain", "cover", "stretch"],
        Field(description="Fit in the box, fill and crop, or stretch."),
    ] = "contain",
    alt_text: Annotated[str | None, Field(description="Alt text.")] = None,
    name: Name = None,
) -> results.Changed:
    """Add a picture to a slide, fill a placeholder with it, or replace another picture."""
    box = (left_cm, top_cm, width_cm, height_cm)
    with lock_file(path, current_world().locks):
        placed_picture = engine.place_picture(path, slide, image, shape, box, fit=fit, alt_text=alt_text, name=name)
    return results.Changed(f"Placed {image.name} on slide {slide}", FileRef.from_path(path), [placed_picture])


@tool(mcp, writes=True, destructive=True, bulk=True)
def save_slide_picture(
    path: InDeck,
    slide: Slide,
    shape: Shape,
    target: Annotated[OutFile, Field(description="File to write, in the picture's format.")],
) -> results.Changed:
    """Save the picture of a shape to a file."""
    data, suffix, notes = engine.export_picture(path, slide, shape)
    same = {"jpg": "jpeg", "tif": "tiff"}
    given = target.suffix.lower().lstrip(".")
    if same.get(given, given) != same.get(suffix, suffix):
        raise Problem(f"the picture is stored as .{suffix}, unlike {target.name!r}; end the name in .{suffix}")
    with lock_file(target, current_world().locks):
        save_bytes(target, data)
    return results.Changed(f"Saved the picture of shape {shape}", FileRef.from_path(target), notes=notes)


@tool(mcp, writes=True, idempotent=False, bulk=True)
def add_slide_table(
    path: InDeck,
    slide: Slide,
    rows: Annotated[
        list[list[Scalar]], Field(description="Cells row by row; numbers are right-aligned.", min_length=1)
    ],
    left_cm: Left,
    top_cm: Top,
    width_cm: Width,
    height_cm: Height,
    column_widths_cm: Annotated[list[float] | None, Field(description="One per column; without: equal.")] = None,
    size_pt: Annotated[float, Field(description="Text size.", ge=4, le=100)] = 14,
    header: Annotated[bool, Field(description="The first row is a header.")] = True,
    name: Name = None,
) -> results.Changed:
    """Add a table in the style of the deck's theme."""
    box = engine.box_of(left_cm, top_cm, width_cm, height_cm)
    with lock_file(path, current_world().locks):
        added_table = engine.add_table(
            path, slide, rows, box, widths_cm=column_widths_cm, size_pt=size_pt, header=header, name=name
        )
    return results.Changed(
        f"Added a table of {format_count(len(rows), 'row')} to slide {slide}", FileRef.from_path(path), [added_table]
    )


@tool(mcp, writes=True, destructive=True, idempotent=False, bulk=True)
def edit_slide_table(
    path: InDeck,
    slide: Slide,
    shape: Shape,
    edits: Annotated[list[TableEdit], Field(description="Applied in this order.", min_length=1, max_length=500)],
) -> results.Changed:
    """Apply a batch of operations to a table, all or none: cells, formats, merging, rows and columns."""
    with lock_file(path, current_world().locks):
        rows, columns = engine.edit_table(path, slide, shape, edits)
    return results.Changed(
        f"Applied {format_count(len(edits), 'operation')}; the table has {rows} x {columns} cells",
        FileRef.from_path(path),
    )


@tool(mcp, writes=True, destructive=True, idempotent=False, bulk=True)
def write_slide_chart(
    path: InDeck,
    slide: Slide,
    shape: Annotated[ShapeKey | None, Field(description="Chart to change; without: a new one.")] = None,
    kind: Annotated[Kind | None, Field(description="Required for a new chart; changes an existing one.")] = None,
    categories: Annotated[list[str] | None, Field(description="Labels; none for scatter and bubble.")] = None,
    series: Annotated[list[Series] | None, Field(description="All series; without: unchanged.")] = None,
    left_cm: Annotated[float | None, Field(description="Required for a new chart, like the next three.")] = None,
    top_cm: Annotated[float | None, Field(description="From the top edge.")] = None,
    width_cm: Annotated[float | None, Field(description="Width.", gt=0)] = None,
    height_cm: Annotated[float | None, Field(description="Height.", gt=0)] = None,
    look: Annotated[ChartLook | None, Field(description="Titles, legend, scales.")] = None,
) -> results.Changed:
    """Add or change a native chart: data (also in the embedded workbook), kind, titles, axes, colours."""
    if shape is None:
        if kind is None or not series:
            raise Problem("a new chart needs kind and series; to change a chart, give shape")
        box = engine.box_of(left_cm, top_cm, width_cm, height_cm)
        with lock_file(path, current_world().locks):
            added_chart = engine.add_chart(
                path, slide, kind, categories or [], series, box, look or ChartLook(), current_world().now
            )
        article = "an" if kind.startswith("area") else "a"
        return results.Changed(f"Added {article} {kind} chart to slide {slide}", FileRef.from_path(path), [added_chart])
    if (left_cm, top_cm, width_cm, height_cm) != (None,) * 4:
        raise Problem("to move an existing chart, use edit_slide_shapes with op=move")
    with lock_file(path, current_world().locks):
        data, notes = engine.edit_chart(
            path,
            slide,
            shape,
            kind=kind,
            categories=categories,
            series=series,
            look=look or ChartLook(),
            now=current_world().now,
        )
    return results.Changed(f"Changed the chart: {data}", FileRef.from_path(path), notes=notes)


@tool(mcp, writes=True, destructive=True, bulk=True)
def set_speaker_notes(
    path: InDeck,
    notes: Annotated[list[Notes], Field(description="One per slide.", min_length=1)],
    append: Annotated[bool, Field(description="Append to the existing notes.")] = False,
) -> results.Changed:
    """Write the speaker notes of slides."""
    with lock_file(path, current_world().locks):
        engine.set_notes(path, notes, append=append)
    return results.Changed(f"Wrote the notes of {format_count(len(notes), 'slide')}", FileRef.from_path(path))


@tool(mcp, writes=True, destructive=True, bulk=True)
def configure_deck(
    path: InDeck,
    theme_colors: Annotated[
        dict[str, str] | None,
        Field(description='RRGGBB by theme colour: {"accent1": "0055A4"}; also hyperlink, followed.'),
    ] = None,
    heading_font: Annotated[str | None, Field(description="Theme font for titles.")] = None,
    body_font: Annotated[str | None, Field(description="Theme font for text.")] = None,
    properties: Annotated[
        dict[str, str] | None,
        Field(description="title, author, subject, keywords, category, comments, content_status, last_modified_by."),
    ] = None,
    sections: Annotated[
        list[Section] | None, Field(description="All sections, replacing the old ones; an empty list: none.")
    ] = None,
    width_cm: Annotated[float | None, Field(description="New slide width, with height_cm.", gt=0)] = None,
    height_cm: Annotated[float | None, Field(description="New slide height.", gt=0)] = None,
    scale_shapes: Annotated[bool, Field(description="With a new size: scale the shapes too.")] = True,
) -> results.Changed:
    """Configure the entire deck: theme colours and fonts, properties, sections, slide size."""
    if (width_cm is None) != (height_cm is None):
        raise Problem("a new size needs both width_cm and height_cm")
    size = None if width_cm is None or height_cm is None else (width_cm, height_cm)
    theme = engine.ThemeChange(theme_colors or {}, heading_font, body_font)
    with lock_file(path, current_world().locks):
        done = engine.configure_deck(
            path, theme, size, sections, properties or {}, scale=scale_shapes, now=current_world().now
        )
    return results.Changed(f"Set: {', '.join(done)}", FileRef.from_path(path))


def _report_changes(path: Path, done: str, changes: list[CreatedSlide]) -> results.Changed:
    lines = [
        f"slide {slide.number}: {slide.layout}"
        + (f"; taken out empty: {', '.join(slide.removed)}" if slide.removed else "")
        + "".join(f"; {remark}" for remark in slide.remarks)
        for slide in changes
    ]
    return results.Changed(done, FileRef.from_path(path), notes=lines)
