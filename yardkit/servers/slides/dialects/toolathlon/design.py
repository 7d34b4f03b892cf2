"""Colour schemes: for the whole presentation, for a slide, for a new slide."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.dialect import Answer
from yardkit.kit.surface import tool
from yardkit.servers.slides import engine
from yardkit.servers.slides.dialects.toolathlon.app import (
    PresentationId,
    build_answer,
    choose_presentation,
    edit_presentation,
    mcp,
    slide_at,
)
from yardkit.servers.slides.engine.contents import deck_listing
from yardkit.servers.slides.engine.inputs import NewSlide
from yardkit.servers.slides.engine.slides import color_schemes
from yardkit.world import Problem, current_world

ColorScheme = Annotated[color_schemes.Scheme, Field(description="Colours.")]
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


@tool(mcp, writes=True, destructive=True, idempotent=False, bulk=True)
def apply_professional_design(
    operation: Annotated[
        Literal["professional_slide", "theme", "enhance", "get_schemes"],
        Field(description="Add a slide in a scheme; change the theme; colour a slide; show the schemes."),
    ],
    slide_index: Annotated[int | None, Field(description="enhance: slide, from 0.")] = None,
    slide_type: Annotated[SlideType, Field(description="professional_slide: kind of slide.")] = "title_content",
    color_scheme: ColorScheme = "modern_blue",
    title: Annotated[str | None, Field(description="professional_slide: its title.")] = None,
    content: Annotated[list[str] | None, Field(description="professional_slide: its points.")] = None,
    apply_to_existing: Annotated[
        bool, Field(description="theme: must be true where there are slides, as all take their colours from it.")
    ] = True,
    enhance_title: Annotated[bool, Field(description="enhance: the title.")] = True,
    enhance_content: Annotated[bool, Field(description="enhance: the text.")] = True,
    enhance_shapes: Annotated[bool, Field(description="enhance: the areas.")] = True,
    enhance_charts: Annotated[bool, Field(description="enhance: the series of charts.")] = True,
    presentation_id: PresentationId = None,
) -> Answer:
    """Bring a presentation or a slide into a colour scheme."""
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
