"""Templates of slides: listed, described, filled, and whole presentations made of them."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from yardkit.kit.dialect import Answer
from yardkit.kit.surface import tool
from yardkit.servers.slides.dialects.toolathlon.app import (
    PresentationId,
    SlideIndex,
    changing,
    chosen,
    done,
    mcp,
    slide_at,
)
from yardkit.servers.slides.dialects.toolathlon.design import ColorScheme
from yardkit.servers.slides.engine.contents import deck_listing
from yardkit.servers.slides.engine.slides import color_schemes, composed_slides, deck_draft, deck_settings, new_slides
from yardkit.servers.slides.engine.slides.slide_patterns import PATTERNS, Element, Part
from yardkit.world import InFile, Problem, current_world
from yardkit.world.paths import in_file

TemplateId = Annotated[str, Field(description="Template, as list_slide_templates names them.", max_length=60)]
Content = Annotated[
    dict[str, str] | None,
    Field(
        description="Text by role (get_template_info): '- ' begins a bullet; a table is lines of cells divided by |, "
        "a chart lines such as 'North: 12.5'. Roles left out are not drawn."
    ),
]
Images = Annotated[dict[str, InFile] | None, Field(description="Picture files by role.")]
TEXTS: tuple[Part, ...] = ("title", "text", "table", "chart")


@tool(mcp, bulk=True)
def list_slide_templates() -> Answer:
    """List the templates of slides with their roles for content and pictures."""
    told = [
        {
            "id": name,
            "name": pattern.name,
            "description": pattern.description,
            "layout_type": pattern.kind,
            "content_roles": pattern.roles(*TEXTS),
            "image_roles": pattern.roles("picture"),
        }
        for name, pattern in PATTERNS.items()
    ]
    return Answer(
        {
            "available_templates": told,
            "total_templates": len(told),
            "color_schemes": list(color_schemes.SCHEMES),
            "message": "Use apply_slide_template or create_slide_from_template with content for the roles",
        }
    )


@tool(mcp, bulk=True)
def get_template_info(template_id: TemplateId) -> Answer:
    """Show the elements of a template: role, kind, place in inches of a slide of 10 x 7.5."""
    found = composed_slides.pattern(template_id)
    return Answer(
        {
            "template_id": template_id,
            "name": found.name,
            "description": found.description,
            "layout_type": found.kind,
            "elements": [_element(element) for element in found.elements],
            "element_count": len(found.elements),
            "has_background": found.background is not None,
            "color_schemes": list(color_schemes.SCHEMES),
        }
    )


def _element(element: Element) -> dict[str, Any]:
    names = {"picture": "image", "title": "text"}
    place = dict(zip(("left", "top", "width", "height"), element.box, strict=True))
    return {"type": names.get(element.part, element.part), "role": element.role, "position": place}


@tool(mcp, writes=True, destructive=True, idempotent=False, bulk=True)
def apply_slide_template(
    slide_index: SlideIndex,
    template_id: TemplateId,
    color_scheme: ColorScheme = "modern_blue",
    content_mapping: Content = None,
    image_paths: Images = None,
    presentation_id: PresentationId = None,
) -> Answer:
    """Put content on a slide according to a template; existing content stays, empty placeholders are removed."""
    path = chosen(presentation_id)
    slide_at(path, slide_index)
    with changing(path) as copy:
        made = _compose(copy, slide_index, template_id, color_scheme, content_mapping, image_paths)
    message = f"Applied template '{template_id}' to slide {slide_index}"
    return done(message, path, slide_index=slide_index, template_applied=_told(template_id, color_scheme, made))


@tool(mcp, writes=True, idempotent=False, bulk=True)
def create_slide_from_template(
    template_id: TemplateId,
    color_scheme: ColorScheme = "modern_blue",
    content_mapping: Content = None,
    image_paths: Images = None,
    layout_index: Annotated[int, Field(description="Layout below it, from 0.", ge=0)] = 1,
    presentation_id: PresentationId = None,
) -> Answer:
    """Add a slide with content after a template."""
    path = chosen(presentation_id)
    with changing(path) as copy:
        index = _add(copy, layout_index)
        made = _compose(copy, index, template_id, color_scheme, content_mapping, image_paths)
    message = f"Created slide {index} using template '{template_id}'"
    return done(message, path, slide_index=index, template_applied=_told(template_id, color_scheme, made))


@tool(mcp, writes=True, idempotent=False, bulk=True)
def create_presentation_from_templates(
    template_sequence: Annotated[
        list[dict[str, Any]],
        Field(
            description="One per slide: {template_id, content: text by role, images: picture files by role}.",
            min_length=1,
            max_length=50,
        ),
    ],
    color_scheme: ColorScheme = "modern_blue",
    presentation_title: Annotated[str | None, Field(description="Property of the file.", max_length=255)] = None,
    presentation_id: PresentationId = None,
) -> Answer:
    """Add a slide for each of a sequence of templates, all or none."""
    path = chosen(presentation_id)
    ordered = [_order(record, at) for at, record in enumerate(template_sequence)]
    told = []
    with changing(path) as copy:
        _dress(copy, color_scheme)
        for at, (template_id, content, images) in enumerate(ordered):
            try:
                index = _add(copy, 1)
                made = _compose(copy, index, template_id, color_scheme, content, images)
            except Problem as problem:
                raise Problem(f"template_sequence[{at}]: {problem}; nothing was added") from problem
            told.append({"slide_index": index, **_told(template_id, color_scheme, made)})
        if presentation_title is not None:
            _name(copy, presentation_title)
    total = deck_listing.deck(path).slides
    return done(f"Created presentation with {len(told)} slides", path, creation_result=told, total_slides=total)


@tool(mcp, writes=True, idempotent=False, bulk=True)
def auto_generate_presentation(
    topic: Annotated[str, Field(description="Topic.", min_length=1, max_length=200)],
    slide_count: Annotated[int, Field(description="Slides to add.", ge=3, le=20)] = 5,
    presentation_type: Annotated[deck_draft.Kind, Field(description="Which outline.")] = "business",
    color_scheme: ColorScheme = "modern_blue",
    include_charts: Annotated[bool, Field(description="A slide with an empty place for a chart.")] = True,
    include_images: Annotated[bool, Field(description="A slide with an empty place for a picture.")] = False,
    presentation_id: PresentationId = None,
) -> Answer:
    """Add the draft of a presentation: headings and questions to be answered; facts and figures are not made up."""
    path = chosen(presentation_id)
    plan = deck_draft.draft(topic, presentation_type, slide_count, chart=include_charts, picture=include_images)
    told: list[dict[str, Any]] = []
    with changing(path) as copy:
        _dress(copy, color_scheme)
        for draft_slide in plan:
            if draft_slide.place:
                index = _place(copy, draft_slide)
                told.append({"slide_index": index, "empty_place_for": draft_slide.place})
                continue
            index = _add(copy, 1)
            _compose(copy, index, draft_slide.pattern, color_scheme, draft_slide.content, None)
            told.append({"slide_index": index, "template_id": draft_slide.pattern})
    facts = {"topic": topic, "presentation_type": presentation_type, "color_scheme": color_scheme}
    note = "The texts are questions to be answered; replace them. No facts or figures were made up."
    message = f"Auto-generated {slide_count}-slide presentation on '{topic}'"
    return done(message, path, **facts, slide_count=len(told), slides=told, note=note)


def _place(path: Path, slide: deck_draft.DraftSlide) -> int:
    """Add a slide whose placeholder for a picture or a chart stays empty; its index."""
    wanted = "PICTURE" if slide.place == "picture" else "OBJECT"
    layouts = [layout for master in deck_listing.deck(path).masters for layout in master.layouts]
    fitting = (
        at for at, layout_list in enumerate(layouts) if any(wanted in holder.type for holder in layout_list.holders)
    )
    return new_slides.add_on_layout(path, next(fitting, 0) + 1, slide.content["title"]) - 1


def _add(path: Path, layout_index: int) -> int:
    """Add a slide for a template; its index."""
    return new_slides.add_on_layout(path, layout_index + 1, None) - 1


def _compose(
    path: Path,
    index: int,
    template_id: str,
    scheme: color_schemes.Scheme,
    content: dict[str, str] | None,
    images: dict[str, Path] | None,
) -> composed_slides.Composed:
    now = current_world().now
    return composed_slides.compose(
        path, index + 1, template_id, color_schemes.SCHEMES[scheme], content or {}, images or {}, now
    )


def _told(template_id: str, scheme: str, made: composed_slides.Composed) -> dict[str, Any]:
    facts = {"template_id": template_id, "color_scheme": scheme, "elements_created": made.created}
    more = {"roles_without_content": made.left_out, "warnings": made.notes}
    return {**facts, **{key: value for key, value in more.items() if value}}


def _order(given: dict[str, Any], at: int) -> tuple[str, dict[str, str], dict[str, Path]]:
    """The template, the content and the pictures of an entry of template_sequence."""
    unknown = [key for key in given if key not in ("template_id", "content", "images")]
    name, content, images = given.get("template_id"), given.get("content") or {}, given.get("images") or {}
    texts = [*content.items(), *images.items()] if isinstance(content, dict) and isinstance(images, dict) else [(0, 0)]
    if unknown or not isinstance(name, str) or not all(isinstance(number, str) for pair in texts for number in pair):
        shape = "{'template_id': 'title_slide', 'content': {'title': 'Plan'}, 'images': {}}"
        raise Problem(f"template_sequence[{at}] is {str(given)[:120]}; give texts as in {shape}")
    return name, content, {role: in_file(image) for role, image in images.items()}


def _dress(path: Path, scheme: color_schemes.Scheme) -> None:
    """Give a presentation that has no slides yet the colours of the scheme as its theme."""
    if not deck_listing.deck(path).slides:
        theme = deck_settings.ThemeChange(color_schemes.SCHEMES[scheme].theme())
        deck_settings.configure(path, theme, None, None, {}, scale=False, now=current_world().now)


def _name(path: Path, title: str) -> None:
    deck_settings.configure(
        path, deck_settings.ThemeChange(), None, None, {"title": title}, scale=False, now=current_world().now
    )
