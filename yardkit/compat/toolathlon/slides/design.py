"""Colour schemes: for the whole presentation, for a slide, for a new slide."""

from pathlib import Path
from typing import Literal

from yardkit.compat.toolathlon.slides.app import (
    PresentationId,
    build_answer,
    choose_presentation,
    edit_presentation,
    slide_at,
)
from yardkit.kit.dialect import Answer
from yardkit.servers.slides import engine
from yardkit.servers.slides.engine.contents import deck_listing
from yardkit.servers.slides.engine.inputs import NewSlide
from yardkit.servers.slides.engine.slides import color_schemes
from yardkit.world import Problem, current_world

SlideType = Literal["title_slide", "title", "title_content", "content", "two_column", "section", "blank"]
LAYOUTS: dict[str, tuple[str, ...]] = {
    "title_slide": ("Title Slide",),
    "title": ("Title Slide",),
    "section": ("Section Header",),
    "title_content": ("Title and Content",),
    "content": ("Title and Content",),
    "two_column": ("Two Content",),
    "blank": ("Blank",),
}
"""Kinds of slides, and the layouts with their usual names; where there is none, one that fits is taken."""


def apply_professional_design(
    operation: str,
    slide_index: int | None = None,
    slide_type: SlideType = "title_content",
    color_scheme: color_schemes.Scheme = "modern_blue",
    title: str | None = None,
    content: list[str] | None = None,
    apply_to_existing: bool = True,
    enhance_title: bool = True,
    enhance_content: bool = True,
    enhance_shapes: bool = True,
    enhance_charts: bool = True,
    presentation_id: PresentationId = None,
) -> Answer:
    palette = color_schemes.SCHEMES[color_scheme]
    if operation == "get_schemes":
        schemes = {name: scheme.rgb() for name, scheme in color_schemes.SCHEMES.items()}
        return Answer({"available_schemes": list(schemes), "schemes": schemes, "color_types": list(palette.rgb())})
    path = choose_presentation(presentation_id)
    if operation == "professional_slide":
        return _add(path, slide_type, color_scheme, title, content or [])
    if operation == "theme":
        return _apply_theme(path, color_scheme, existing=apply_to_existing)
    if slide_index is None:
        raise Problem("enhance needs slide_index")
    slide_at(path, slide_index)
    with edit_presentation(path) as copy:
        colored_parts = color_schemes.enhance_slide(
            copy,
            slide_index + 1,
            palette,
            title=enhance_title,
            content=enhance_content,
            shapes=enhance_shapes,
            charts=enhance_charts,
        )
    message = f"Enhanced slide {slide_index} with {color_scheme} scheme"
    return build_answer(
        message, path, slide_index=slide_index, color_scheme=color_scheme, enhancements_applied=colored_parts
    )


def _add(path: Path, kind: SlideType, scheme: color_schemes.Scheme, title: str | None, content: list[str]) -> Answer:
    names = {layout.name for master in deck_listing.describe_deck(path).masters for layout in master.layouts}
    layout = next((name for name in LAYOUTS[kind] if name in names), None)
    if kind == "blank" and (title or content):
        raise Problem("a blank slide has no place for title and content; choose title_content")
    half = -(-len(content) // 2)
    bodies = [content[:half], content[half:]] if kind == "two_column" and len(content) > 1 else [content]
    slide = NewSlide(title, bodies[0], bodies[1:], layout=layout)
    with edit_presentation(path) as copy:
        (new_slide,) = engine.add_slides(copy, [slide], None)
        if title or content:
            palette = color_schemes.SCHEMES[scheme]
            color_schemes.enhance_slide(
                copy, new_slide.number, palette, title=True, content=True, shapes=False, charts=False, must=False
            )
    facts = {
        "slide_index": new_slide.number - 1,
        "color_scheme": scheme,
        "slide_type": kind,
        "layout_name": new_slide.layout,
    }
    return build_answer(f"Added professional {kind} slide", path, **facts)


def _apply_theme(path: Path, scheme: color_schemes.Scheme, *, existing: bool) -> Answer:
    if not existing and deck_listing.describe_deck(path).slides:
        raise Problem(
            "the slides take their colours from the theme; use apply_to_existing=true, or enhance single slides"
        )
    theme = engine.ThemeChange(color_schemes.SCHEMES[scheme].theme())
    with edit_presentation(path) as copy:
        engine.configure_deck(copy, theme, None, None, {}, scale=False, now=current_world().now)
    message = f"Applied {scheme} theme to presentation"
    return build_answer(message, path, color_scheme=scheme, applied_to_existing=existing)
