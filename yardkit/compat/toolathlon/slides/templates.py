"""Templates of slides: listed, described, filled, and whole presentations made of them."""

from pathlib import Path
from typing import Any

from yardkit.compat.toolathlon.slides.app import (
    PresentationId,
    build_answer,
    choose_presentation,
    edit_presentation,
    slide_at,
)
from yardkit.kit.dialect import Answer
from yardkit.servers.slides.engine.contents import deck_listing
from yardkit.servers.slides.engine.slides import color_schemes, composed_slides, deck_draft, deck_settings, new_slides
from yardkit.servers.slides.engine.slides.slide_patterns import PATTERNS, Element, Part
from yardkit.world import InFile, Problem, current_world
from yardkit.world.paths import in_file

TEXTS: tuple[Part, ...] = ("title", "text", "table", "chart")


def list_slide_templates() -> Answer:
    templates = [
        {
            "id": name,
            "name": pattern.name,
            "description": pattern.description,
            "layout_type": pattern.kind,
            "content_roles": pattern.list_roles(*TEXTS),
            "image_roles": pattern.list_roles("picture"),
        }
        for name, pattern in PATTERNS.items()
    ]
    return Answer(
        {
            "available_templates": templates,
            "total_templates": len(templates),
            "color_schemes": list(color_schemes.SCHEMES),
            "message": "Use apply_slide_template or create_slide_from_template with content for the roles",
        }
    )


def get_template_info(template_id: str) -> Answer:
    template = composed_slides.find_pattern(template_id)
    return Answer(
        {
            "template_id": template_id,
            "name": template.name,
            "description": template.description,
            "layout_type": template.kind,
            "elements": [_describe_element(element) for element in template.elements],
            "element_count": len(template.elements),
            "has_background": template.background is not None,
            "color_schemes": list(color_schemes.SCHEMES),
        }
    )


def _describe_element(element: Element) -> dict[str, Any]:
    names = {"picture": "image", "title": "text"}
    place = dict(zip(("left", "top", "width", "height"), element.box, strict=True))
    return {"type": names.get(element.part, element.part), "role": element.role, "position": place}


def apply_slide_template(
    slide_index: int,
    template_id: str,
    color_scheme: color_schemes.Scheme = "modern_blue",
    content_mapping: dict[str, str] | None = None,
    image_paths: dict[str, InFile] | None = None,
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    slide_at(path, slide_index)
    with edit_presentation(path) as copy:
        composed_slide = _compose_slide(copy, slide_index, template_id, color_scheme, content_mapping, image_paths)
    message = f"Applied template '{template_id}' to slide {slide_index}"
    return build_answer(
        message,
        path,
        slide_index=slide_index,
        template_applied=_describe_composed(template_id, color_scheme, composed_slide),
    )


def create_slide_from_template(
    template_id: str,
    color_scheme: color_schemes.Scheme = "modern_blue",
    content_mapping: dict[str, str] | None = None,
    image_paths: dict[str, InFile] | None = None,
    layout_index: int = 1,
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    with edit_presentation(path) as copy:
        index = _add(copy, layout_index)
        composed_slide = _compose_slide(copy, index, template_id, color_scheme, content_mapping, image_paths)
    message = f"Created slide {index} using template '{template_id}'"
    return build_answer(
        message, path, slide_index=index, template_applied=_describe_composed(template_id, color_scheme, composed_slide)
    )


def create_presentation_from_templates(
    template_sequence: list[dict[str, Any]],
    color_scheme: color_schemes.Scheme = "modern_blue",
    presentation_title: str | None = None,
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    ordered = [_parse_order(record, at) for at, record in enumerate(template_sequence)]
    slide_facts = []
    with edit_presentation(path) as copy:
        _dress_deck(copy, color_scheme)
        for at, (template_id, content, images) in enumerate(ordered):
            try:
                index = _add(copy, 1)
                composed_slide = _compose_slide(copy, index, template_id, color_scheme, content, images)
            except Problem as problem:
                raise Problem(f"template_sequence[{at}]: {problem}; nothing was added") from problem
            slide_facts.append({"slide_index": index, **_describe_composed(template_id, color_scheme, composed_slide)})
        if presentation_title is not None:
            _set_title(copy, presentation_title)
    total = deck_listing.describe_deck(path).slides
    return build_answer(
        f"Created presentation with {len(slide_facts)} slides", path, creation_result=slide_facts, total_slides=total
    )


def auto_generate_presentation(
    topic: str,
    slide_count: int = 5,
    presentation_type: deck_draft.Kind = "business",
    color_scheme: color_schemes.Scheme = "modern_blue",
    include_charts: bool = True,
    include_images: bool = False,
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    plan = deck_draft.draft_deck(topic, presentation_type, slide_count, chart=include_charts, picture=include_images)
    slide_facts: list[dict[str, Any]] = []
    with edit_presentation(path) as copy:
        _dress_deck(copy, color_scheme)
        for draft_slide in plan:
            if draft_slide.place:
                index = _add_draft_slide(copy, draft_slide)
                slide_facts.append({"slide_index": index, "empty_place_for": draft_slide.place})
                continue
            index = _add(copy, 1)
            _compose_slide(copy, index, draft_slide.pattern, color_scheme, draft_slide.content, None)
            slide_facts.append({"slide_index": index, "template_id": draft_slide.pattern})
    facts = {"topic": topic, "presentation_type": presentation_type, "color_scheme": color_scheme}
    note = "The texts are questions to be answered; replace them. No facts or figures were made up."
    message = f"Auto-generated {slide_count}-slide presentation on '{topic}'"
    return build_answer(message, path, **facts, slide_count=len(slide_facts), slides=slide_facts, note=note)


def _add_draft_slide(path: Path, slide: deck_draft.DraftSlide) -> int:
    """Add a slide whose placeholder for a picture or a chart stays empty; its index."""
    placeholder_type = "PICTURE" if slide.place == "picture" else "OBJECT"
    layouts = [layout for master in deck_listing.describe_deck(path).masters for layout in master.layouts]
    fitting = (
        at
        for at, layout_list in enumerate(layouts)
        if any(placeholder_type in holder.type for holder in layout_list.holders)
    )
    return new_slides.add_on_layout(path, next(fitting, 0) + 1, slide.content["title"]) - 1


def _add(path: Path, layout_index: int) -> int:
    """Add a slide for a template; its index."""
    return new_slides.add_on_layout(path, layout_index + 1, None) - 1


def _compose_slide(
    path: Path,
    index: int,
    template_id: str,
    scheme: color_schemes.Scheme,
    content: dict[str, str] | None,
    images: dict[str, Path] | None,
) -> composed_slides.Composed:
    now = current_world().now
    return composed_slides.compose_slide(
        path, index + 1, template_id, color_schemes.SCHEMES[scheme], content or {}, images or {}, now
    )


def _describe_composed(template_id: str, scheme: str, composed_slide: composed_slides.Composed) -> dict[str, Any]:
    facts = {"template_id": template_id, "color_scheme": scheme, "elements_created": composed_slide.created}
    more = {"roles_without_content": composed_slide.left_out, "warnings": composed_slide.notes}
    return {**facts, **{key: value for key, value in more.items() if value}}


def _parse_order(given: dict[str, Any], at: int) -> tuple[str, dict[str, str], dict[str, Path]]:
    """The template, the content and the pictures of an entry of template_sequence."""
    unknown = [key for key in given if key not in ("template_id", "content", "images")]
    name, content, images = given.get("template_id"), given.get("content") or {}, given.get("images") or {}
    texts = [*content.items(), *images.items()] if isinstance(content, dict) and isinstance(images, dict) else [(0, 0)]
    if unknown or not isinstance(name, str) or not all(isinstance(number, str) for pair in texts for number in pair):
        shape = "{'template_id': 'title_slide', 'content': {'title': 'Plan'}, 'images': {}}"
        raise Problem(f"template_sequence[{at}] is {str(given)[:120]}; give texts as in {shape}")
    return name, content, {role: in_file(image) for role, image in images.items()}


def _dress_deck(path: Path, scheme: color_schemes.Scheme) -> None:
    """Give a presentation that has no slides yet the colours of the scheme as its theme."""
    if not deck_listing.describe_deck(path).slides:
        theme = deck_settings.ThemeChange(color_schemes.SCHEMES[scheme].theme())
        deck_settings.configure_deck(path, theme, None, None, {}, scale=False, now=current_world().now)


def _set_title(path: Path, title: str) -> None:
    deck_settings.configure_deck(
        path, deck_settings.ThemeChange(), None, None, {"title": title}, scale=False, now=current_world().now
    )
