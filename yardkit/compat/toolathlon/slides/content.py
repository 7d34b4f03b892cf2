"""Slides and their text: added, read, filled, formatted, fitted, linked."""

from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from yardkit.compat.toolathlon.slides.app import (
    PresentationId,
    build_answer,
    choose_presentation,
    edit_presentation,
    holder_at,
    id_of,
    index_of,
    shape_at,
    slide_at,
    to_cm,
    to_rgb,
)
from yardkit.kit.dialect import Answer
from yardkit.servers.slides import engine
from yardkit.servers.slides.engine.contents import deck_listing, text_links
from yardkit.servers.slides.engine.inputs import NewShape, Paragraph, Run, ShapeEdit
from yardkit.servers.slides.engine.shapes import shape_text
from yardkit.servers.slides.engine.slides import color_schemes, new_slides
from yardkit.servers.slides.engine.slides.slide_look import SlideLook
from yardkit.servers.slides.engine.text import text_fit
from yardkit.servers.slides.engine.text.paragraphs import Align, Format
from yardkit.world import Problem

Direction = Literal["horizontal", "vertical", "diagonal"]
ANGLES: dict[str, float] = {"horizontal": 0, "vertical": 90, "diagonal": 45}


def add_slide(
    layout_index: int = 1,
    title: str | None = None,
    background_type: str | None = None,
    background_colors: list[list[int]] | None = None,
    gradient_direction: Direction = "horizontal",
    color_scheme: color_schemes.Scheme = "modern_blue",
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    layouts = sum(len(master.layouts) for master in deck_listing.describe_deck(path).masters)
    if not 0 <= layout_index < layouts:
        raise Problem(f"Invalid layout index: {layout_index}. Available layouts: 0-{layouts - 1}")
    colors = _choose_background(background_type, background_colors, color_scheme)
    with edit_presentation(path) as copy:
        number = new_slides.add_on_layout(copy, layout_index + 1, title)
        if colors:
            second = colors[1] if len(colors) > 1 else None
            look = SlideLook(background=colors[0], background_to=second, background_deg=ANGLES[gradient_direction])
            engine.change_slides(copy, [number], look)
    new_slide = slide_at(path, number - 1)
    holders = [vars(holder) for holder, _ in new_slide.holders]
    message = f"Added slide {number - 1} with layout {layout_index}"
    return build_answer(message, path, slide_index=number - 1, layout_name=new_slide.layout, placeholders=holders)


def _choose_background(kind: str | None, colors: list[list[int]] | None, scheme: color_schemes.Scheme) -> list[str]:
    """The one or two colours of a background."""
    needed = {"solid": 1, "gradient": 2}.get(kind or "", 0)
    if kind == "professional_gradient":
        palette = color_schemes.SCHEMES[scheme]
        return [palette.light, palette.pale]
    if needed and (len(colors or []) < needed or any(len(color) != 3 for color in colors or [])):
        raise Problem(f"a {kind} background needs {needed} of background_colors, each [red, green, blue]")
    if any(not 0 <= channel <= 255 for color in colors or [] for channel in color):
        raise Problem(f"background_colors is {colors}; its values go from 0 to 255")
    return [to_rgb(color) or "" for color in (colors or [])[:needed]]


def get_slide_info(slide_index: int, presentation_id: PresentationId = None) -> Answer:
    path = choose_presentation(presentation_id)
    slide_info = slide_at(path, slide_index)
    holders = [{**vars(holder), "shape_index": slide_info.shapes.index(shape)} for holder, shape in slide_info.holders]
    shapes = [
        {
            "index": at,
            "name": listed.name,
            "shape_type": listed.type,
            "left": listed.left,
            "top": listed.top,
            "width": listed.width,
            "height": listed.height,
            **({"text": listed.text[:200]} if listed.text else {}),
        }
        for at, listed in enumerate(slide_info.shapes)
    ]
    return Answer(
        {
            "slide_index": slide_index,
            "layout_name": slide_info.layout,
            "placeholder_count": len(holders),
            "placeholders": holders,
            "shape_count": len(shapes),
            "shapes": shapes,
        }
    )


def extract_slide_text(slide_index: int, presentation_id: PresentationId = None) -> Answer:
    return Answer(
        {
            "success": True,
            **_collect_texts(slide_at(choose_presentation(presentation_id), slide_index)),
            "slide_index": slide_index,
        }
    )


def extract_presentation_text(
    presentation_id: PresentationId = None, include_slide_info: bool = True, start_slide: int = 0
) -> Answer:
    path = choose_presentation(presentation_id)
    slides = deck_listing.list_slides(path)
    slide_texts: list[dict[str, Any]] = []
    room = MOST_CHARACTERS
    for at, slide in enumerate(slides[start_slide:], start_slide):
        texts = _collect_texts(slide)
        room -= 2 * len(texts["text_content"]["all_text_combined"]) + 300
        if room < 0 and slide_texts:
            break
        info = {"layout_name": slide.layout, **{key: texts[key] for key in texts if key != "text_content"}}
        slide_texts.append(
            {"slide_index": at, "text_content": texts["text_content"], **(info if include_slide_info else {})}
        )
    combined = [
        f"=== SLIDE {record['slide_index'] + 1} ===\n{record['text_content']['all_text_combined']}\n"
        for record in slide_texts
        if record["text_content"]["all_text_combined"]
    ]
    rest = start_slide + len(slide_texts)
    return Answer(
        {
            "success": True,
            "presentation_id": id_of(path),
            "total_slides": len(slides),
            "slides_with_text": len(combined),
            "total_text_shapes": sum(_collect_texts(slide)["total_text_shapes"] for slide in slides),
            "slides_with_titles": sum(bool(slide.title) for slide in slides),
            "slides_with_tables": sum(any(shape.table for shape in slide.shapes) for slide in slides),
            "slides_text": slide_texts,
            "all_presentation_text_combined": "\n".join(combined),
            **({"next_start_slide": rest} if rest < len(slides) else {}),
        }
    )


MOST_CHARACTERS = 80_000
"""Of a result with the text of slides, about."""


def _collect_texts(slide: deck_listing.SlideList) -> dict[str, Any]:
    """The text of a slide by where it stands, and all of it in order."""
    texts: dict[str, Any] = {
        "slide_title": slide.title.strip(),
        "placeholders": [],
        "text_shapes": [],
        "table_text": [],
    }
    all_texts = []
    for at, shape in enumerate(slide.shapes):
        text = shape.text.strip()
        where = {"shape_index": at, "shape_name": shape.name}
        if text:
            all_texts.append(text)
            entry = {**where, "shape_type": shape.type, "text": text}
            holder = shape.holder
            kind = {"placeholder_type": holder.type, "placeholder_idx": holder.idx} if holder else {}
            texts["placeholders" if holder else "text_shapes"].append({**entry, **kind})
        rows = [{"row": row, "cells": cells} for row, cells in enumerate(shape.table)]
        if any(map(any, shape.table)):
            texts["table_text"].append({**where, "table_content": rows})
            all_texts += [" | ".join(cells) for cells in shape.table]
    texts["all_text_combined"] = "\n".join(all_texts)
    return {
        "text_content": texts,
        "total_text_shapes": len(texts["placeholders"]) + len(texts["text_shapes"]),
        "has_title": bool(texts["slide_title"]),
        "has_tables": bool(texts["table_text"]),
    }


def populate_placeholder(
    slide_index: int, placeholder_idx: int, text: str, presentation_id: PresentationId = None
) -> Answer:
    path = choose_presentation(presentation_id)
    notes = _fill_placeholder(path, slide_index, placeholder_idx, [*text.split("\n")])
    return build_answer(f"Populated placeholder {placeholder_idx} on slide {slide_index}", path, **notes)


def add_bullet_points(
    slide_index: int, placeholder_idx: int, bullet_points: list[str], presentation_id: PresentationId = None
) -> Answer:
    path = choose_presentation(presentation_id)
    notes = _fill_placeholder(path, slide_index, placeholder_idx, [*bullet_points])
    message = f"Added {len(bullet_points)} bullet points to placeholder {placeholder_idx} on slide {slide_index}"
    return build_answer(message, path, **notes)


def _fill_placeholder(path: Path, slide_index: int, idx: int, lines: list[str | Paragraph]) -> dict[str, Any]:
    shape = holder_at(path, slide_index, idx)
    with edit_presentation(path) as copy:
        notes = engine.set_text(
            copy, slide_index + 1, shape.id, lines, append=False, autofit=None, anchor=None, margin_cm=None
        )
    return {"warnings": notes} if notes else {}


def manage_text(
    slide_index: int,
    operation: str,
    left: float = 1.0,
    top: float = 1.0,
    width: float = 4.0,
    height: float = 2.0,
    text: str = "",
    shape_index: int | None = None,
    text_runs: list[dict[str, Any]] | None = None,
    font_size: float | None = None,
    font_name: str | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    color: list[int] | None = None,
    bg_color: list[int] | None = None,
    alignment: Align | None = None,
    vertical_alignment: str | None = None,
    auto_fit: bool = True,
    validation_only: bool = False,
    min_font_size: int = 8,
    max_font_size: int = 72,
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    look = Format(bold, italic, underline, font_size, to_rgb(color), font_name)
    if operation == "add":
        shape = NewShape("textbox", to_cm(left), to_cm(top), to_cm(width), to_cm(height), fill=to_rgb(bg_color))
        fit = "shrink" if auto_fit else None
        return _add_text(path, slide_index, shape, look, text, alignment, vertical_alignment, fit)
    identity = shape_at(path, slide_index, shape_index).id
    if operation == "validate":
        limits = (min_font_size, max_font_size)
        return _validate_fit(path, slide_index, identity, text, font_size, limits, change=not validation_only)
    if operation == "format_runs":
        return _set_runs(path, slide_index, identity, text_runs)
    with edit_presentation(path) as copy:
        _format_shape(copy, slide_index + 1, identity, look, alignment, vertical_alignment, to_rgb(bg_color))
    return build_answer(f"Formatted text shape {shape_index} on slide {slide_index}", path)


def _add_text(
    path: Path,
    slide_index: int,
    shape: NewShape,
    look: Format,
    text: str,
    align: Align | None,
    anchor: str | None,
    autofit: str | None,
) -> Answer:
    slide_at(path, slide_index)
    runs = [
        Paragraph(runs=[Run(line, **vars(look))], align=align) if line else Paragraph() for line in text.split("\n")
    ]
    with edit_presentation(path) as copy:
        identity = engine.add_shapes(copy, slide_index + 1, [shape])[0]
        notes = engine.set_text(
            copy, slide_index + 1, identity, [*runs], append=False, autofit=autofit, anchor=anchor, margin_cm=None
        )
    facts = {"shape_index": index_of(path, slide_index, identity), "text": text}
    return build_answer(
        f"Added text box to slide {slide_index}", path, **facts, **({"warnings": notes} if notes else {})
    )


def _format_shape(
    path: Path, slide: int, identity: int, look: Format, align: Align | None, anchor: str | None, fill: str | None
) -> None:
    if look == Format() and (align, anchor, fill) == (None,) * 3:
        raise Problem("format needs font_size, font_name, bold, italic, underline, color, bg_color or an alignment")
    if look != Format():
        engine.format_text(path, slide, [identity], None, look)
    if align or anchor:
        shape_text.align_text(path, slide, identity, align, anchor)
    if fill:
        engine.edit_shapes(path, [ShapeEdit("style", slide, [identity], fill=fill)])


def _validate_fit(
    path: Path,
    slide_index: int,
    identity: int,
    text: str,
    size: float | None,
    limits: tuple[float, float],
    *,
    change: bool,
) -> Answer:
    fit = text_fit.check_fit(path, slide_index + 1, identity, text or None, size)
    facts: dict[str, Any] = {
        "text_fits": fit.fits,
        "needs_optimization": not fit.fits,
        "lines": fit.lines,
        "needed_height_pt": fit.needs_height_pt,
        "available_height_pt": fit.has_height_pt,
        "font_sizes_pt": list(fit.sizes_pt),
        "fixes_applied": [],
    }
    if change and not text and not fit.fits:
        with edit_presentation(path) as copy:
            fitted_shapes = text_fit.optimize_text(
                copy, slide_index + 1, [identity], *limits, resize=True, wrap=True, spacing=False
            )
        facts |= {
            "fixes_applied": fitted_shapes[0].done if fitted_shapes else [],
            "text_fits": bool(fitted_shapes and fitted_shapes[0].fits),
        }
    return build_answer(f"Checked the text of slide {slide_index}", path, **facts)


def _set_runs(path: Path, slide_index: int, identity: int, given: list[dict[str, Any]] | None) -> Answer:
    if not given:
        raise Problem("format_runs needs text_runs, such as [{'text': 'Total', 'bold': true}, {'text': ' 12'}]")
    runs = [_run(record, number) for number, record in enumerate(given)]
    with edit_presentation(path) as copy:
        engine.set_text(
            copy,
            slide_index + 1,
            identity,
            [Paragraph(runs=runs)],
            append=False,
            autofit=None,
            anchor=None,
            margin_cm=None,
        )
    applied = [
        {"text": record["text"], "formatting_applied": {key: value for key, value in record.items() if key != "text"}}
        for record in given
    ]
    facts = {"slide_index": slide_index, "shape_index": index_of(path, slide_index, identity)}
    return build_answer(f"Applied formatting to {len(runs)} text runs", path, **facts, formatted_runs=applied)


_RUN_FIELDS = {"font_size": "size_pt", "font_name": "font", "hyperlink": "link"}


def _run(given: dict[str, Any], number: int) -> Run:
    """A run of theirs as ours, checked by its type."""
    run_values = {_RUN_FIELDS.get(key, key): value for key, value in given.items()}
    if isinstance(run_values.get("color"), list):
        colors = run_values["color"]
        if len(colors) != 3 or not all(isinstance(color, int) and 0 <= color <= 255 for color in colors):
            raise Problem(f"text_runs[{number}]: color is {colors}; give [red, green, blue], each 0-255")
        run_values["color"] = to_rgb(colors)
    try:
        return TypeAdapter(Run).validate_python(run_values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        takes = "text, bold, italic, underline, font_size, font_name, color, hyperlink"
        raise Problem(f"text_runs[{number}] is not right: {place}: {first['msg']}; it takes {takes}") from None


def optimize_slide_text(
    slide_index: int,
    auto_resize: bool = True,
    auto_wrap: bool = True,
    optimize_spacing: bool = True,
    min_font_size: int = 8,
    max_font_size: int = 36,
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    slide_at(path, slide_index)
    with edit_presentation(path) as copy:
        fitted_shapes = text_fit.optimize_text(
            copy,
            slide_index + 1,
            None,
            min_font_size,
            max_font_size,
            resize=auto_resize,
            wrap=auto_wrap,
            spacing=optimize_spacing,
        )
    ids = [shape.id for shape in slide_at(path, slide_index).shapes]
    applied = [
        {
            **({"shape_index": ids.index(fitted.shape)} if fitted.shape in ids else {"shape_id": fitted.shape}),
            "optimizations": fitted.done,
            "text_fits": fitted.fits,
        }
        for fitted in fitted_shapes
    ]
    message = f"Optimized {len(fitted_shapes)} text elements on slide {slide_index}"
    return build_answer(message, path, slide_index=slide_index, optimizations_applied=applied)


def manage_hyperlinks(
    operation: str,
    slide_index: int,
    shape_index: int | None = None,
    text: str | None = None,
    url: str | None = None,
    run_index: int = 0,
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    if operation == "list":
        return _list_links(path, slide_index)
    shape = shape_at(path, slide_index, shape_index)
    if operation == "add":
        if not text or not url:
            raise Problem("add needs text and url")
        with edit_presentation(path) as copy:
            new_link = text_links.add(copy, slide_index + 1, shape.id, text, url)
        message = f"Added hyperlink '{text}' -> '{url}' to shape {shape_index}"
        return build_answer(message, path, text=new_link.text, url=new_link.link, run_index=new_link.run)
    if operation == "update" and not url:
        raise Problem("update needs url")
    with edit_presentation(path) as copy:
        new_link, before = text_links.change_link(
            copy, slide_index + 1, shape.id, run_index, url or "" if operation == "update" else ""
        )
    if operation == "update":
        message = f"Updated hyperlink from '{before}' to '{new_link.link}'"
        return build_answer(message, path, old_url=before, new_url=new_link.link, text=new_link.text)
    return build_answer(
        f"Removed hyperlink '{before}' from text '{new_link.text}'", path, removed_url=before, text=new_link.text
    )


def _list_links(path: Path, slide_index: int) -> Answer:
    ids = [shape.id for shape in slide_at(path, slide_index).shapes]
    links = [
        {
            "shape_index": ids.index(run_link.shape),
            "paragraph_index": run_link.paragraph,
            "run_index": run_link.run,
            "text": run_link.text,
            "url": run_link.link,
        }
        for run_link in text_links.read_links(path, slide_index + 1)
    ]
    return Answer({"message": f"Found {len(links)} hyperlinks on slide {slide_index}", "hyperlinks": links})
