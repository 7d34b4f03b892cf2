"""Presentations as files: made, opened, copied, described, chosen; their masters and transitions."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

from yardkit.compat.toolathlon.slides.app import (
    NewId,
    PresentationId,
    build_answer,
    choose_presentation,
    edit_presentation,
    id_of,
    list_presentation_paths,
    mark_as_used,
    new_file,
    slide_at,
)
from yardkit.kit.dialect import Answer
from yardkit.servers.slides import engine
from yardkit.servers.slides.engine.contents import deck_listing
from yardkit.servers.slides.engine.inputs import Transition
from yardkit.servers.slides.engine.slides import new_slides
from yardkit.servers.slides.engine.slides.slide_look import SlideLook
from yardkit.world import InFile, OutFile, Problem, current_world, lock_file


def create_presentation(id: NewId = None) -> Answer:
    path = _choose_free_path(id)
    with lock_file(path, current_world().locks):
        engine.create_deck(path, [], source=None, size="4:3", now=current_world().now, properties={})
    return build_answer(f"Created new presentation with ID: {id_of(path)}", path, slide_count=0)


def create_presentation_from_template(template_path: InFile, id: NewId = None) -> Answer:
    path = _choose_free_path(id)
    with lock_file(path, current_world().locks):
        new_slides.copy_deck(template_path, path)
    template = id_of(template_path)
    message = f"Created new presentation from template '{template}' with ID: {id_of(path)}"
    return build_answer(message, path, template_path=template, **_count_contents(path))


def open_presentation(file_path: InFile, id: NewId = None) -> Answer:
    path = file_path
    if id is not None and id != file_path:
        path = _choose_free_path(id)
        with lock_file(path, current_world().locks):
            new_slides.copy_deck(file_path, path)
    count = len(deck_listing.list_slides(path))
    mark_as_used(path)
    return build_answer(f"Opened presentation from {id_of(file_path)} with ID: {id_of(path)}", path, slide_count=count)


def save_presentation(file_path: OutFile, presentation_id: PresentationId = None) -> Answer:
    source = choose_presentation(presentation_id)
    path = file_path if file_path.suffix else file_path.with_suffix(".pptx")
    if path != source:
        with lock_file(path, current_world().locks):
            new_slides.copy_deck(source, path)
    deck_listing.list_slides(path)  # what is said to be saved can be read
    return build_answer(f"Presentation saved to {id_of(path)}", path, file_path=id_of(path))


def get_presentation_info(presentation_id: PresentationId = None) -> Answer:
    path = choose_presentation(presentation_id)
    return Answer({"presentation_id": id_of(path), **_describe_deck(path)})


def get_template_file_info(template_path: InFile) -> Answer:
    deck_info = deck_listing.describe_deck(template_path)
    layouts = [
        {**_describe_layout(at, layout), "placeholders": [vars(holder) for holder in layout.holders]}
        for at, layout in enumerate(_list_layouts(deck_info))
    ]
    facts = {"template_path": id_of(template_path), "file_size_bytes": template_path.stat().st_size}
    return Answer({**facts, **_describe_deck(template_path), "slide_layouts": layouts})


def set_core_properties(
    title: str | None = None,
    subject: str | None = None,
    author: str | None = None,
    keywords: str | None = None,
    comments: str | None = None,
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    given = {"title": title, "subject": subject, "author": author, "keywords": keywords, "comments": comments}
    values = {name: value for name, value in given.items() if value is not None}
    with lock_file(path, current_world().locks):
        engine.configure_deck(path, engine.ThemeChange(), None, None, values, scale=False, now=current_world().now)
    return build_answer(
        "Core properties updated successfully", path, core_properties=deck_listing.describe_deck(path).properties
    )


def list_presentations() -> Answer:
    presentation_paths = list_presentation_paths()
    current = _get_current_id()
    listed = [
        {"id": id_of(path), **_try_counting(path), "is_current": id_of(path) == current} for path in presentation_paths
    ]
    return Answer(
        {"presentations": listed, "current_presentation_id": current, "total_presentations": len(presentation_paths)}
    )


def switch_presentation(presentation_id: PresentationId) -> Answer:
    path = choose_presentation(presentation_id)
    before = _get_current_id()
    deck_listing.list_slides(path)
    mark_as_used(path)
    return Answer(
        {
            "message": f"Switched from presentation '{before}' to '{id_of(path)}'",
            "previous_presentation_id": before,
            "current_presentation_id": id_of(path),
        }
    )


def get_server_info() -> Answer:
    return Answer(
        {
            "name": "yardkit slides, dialect toolathlon",
            "version": version("yardkit"),
            "total_tools": 37,
            "loaded_presentations": len(list_presentation_paths()),
            "current_presentation": _get_current_id(),
            "units": "inches, points, [red, green, blue]; slides, shapes and layouts count from 0",
        }
    )


def manage_slide_masters(
    operation: str, master_index: int = 0, layout_index: int | None = None, presentation_id: PresentationId = None
) -> Answer:
    masters = deck_listing.describe_deck(choose_presentation(presentation_id)).masters
    if operation == "list":
        master_infos = [
            {"index": at, "name": master_list.name, "layout_count": len(master_list.layouts)}
            for at, master_list in enumerate(masters)
        ]
        return Answer(
            {
                "message": f"Found {len(master_infos)} slide masters",
                "masters": master_infos,
                "total_masters": len(master_infos),
            }
        )
    master = masters[_check_index(master_index, len(masters), "master")]
    if operation == "get_layouts":
        layouts = [_describe_layout(at, layout_list) for at, layout_list in enumerate(master.layouts)]
        message = f"Master {master_index} has {len(layouts)} layouts"
        return Answer({"message": message, "master_index": master_index, "layouts": layouts})
    if layout_index is None:
        facts = {"name": master.name, "layout_count": len(master.layouts)}
        return Answer({"message": f"Master {master_index} information", "master_index": master_index, **facts})
    layout = master.layouts[_check_index(layout_index, len(master.layouts), "layout")]
    return Answer(
        {
            "message": f"Layout info for master {master_index}, layout {layout_index}",
            "master_index": master_index,
            "layout_index": layout_index,
            "layout_name": layout.name,
            "placeholders": [vars(holder) for holder in layout.holders],
        }
    )


def manage_slide_transitions(
    slide_index: int,
    operation: str,
    transition_type: Transition | None = None,
    duration: float = 1.0,
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    slide_at(path, slide_index)
    message = "Transition info for"
    if operation != "get":
        if operation == "set" and transition_type is None:
            raise Problem("set needs transition_type, such as fade, push or wipe")
        look = (
            SlideLook(transition=transition_type, transition_s=duration)
            if operation == "set"
            else SlideLook(transition="none")
        )
        with edit_presentation(path) as copy:
            engine.change_slides(copy, [slide_index + 1], look)
        message = "Set the transition of" if operation == "set" else "Removed the transition of"
    transition_name = engine.inspect_deck(path, slide_index, 1, details=False).slides[0].transition
    facts: dict[str, Any] = {"slide_index": slide_index, "transition_type": transition_name or None}
    if operation == "set":
        facts["duration"] = duration
    return build_answer(f"{message} slide {slide_index}", path, **facts)


def _choose_free_path(given: Path | None) -> Path:
    """Where a presentation is made: under the name given, else the first free one."""
    if given is None:
        number = 1
        while (path := new_file(f"presentation_{number}")).exists():
            number += 1
        return path
    if given.exists():
        raise Problem(f"there is a file {id_of(given)!r} already; choose another id, or open it with open_presentation")
    return given


def _get_current_id() -> str | None:
    try:
        return id_of(choose_presentation(None))
    except Problem:
        return None


def _try_counting(path: Path) -> dict[str, Any]:
    try:
        return {"slide_count": deck_listing.describe_deck(path).slides}
    except Problem as problem:
        return {"slide_count": None, "error": str(problem)}


def _count_contents(path: Path) -> dict[str, Any]:
    deck_info = deck_listing.describe_deck(path)
    return {"slide_count": deck_info.slides, "layout_count": len(_list_layouts(deck_info))}


def _describe_deck(path: Path) -> dict[str, Any]:
    deck_info = deck_listing.describe_deck(path)
    layouts = _list_layouts(deck_info)
    return {
        "slide_count": deck_info.slides,
        "layout_count": len(layouts),
        "slide_layouts": [_describe_layout(at, layout) for at, layout in enumerate(layouts)],
        "core_properties": deck_info.properties,
        "slide_width": deck_info.width,
        "slide_height": deck_info.height,
    }


def _list_layouts(deck_info: deck_listing.DeckList) -> list[deck_listing.LayoutList]:
    """The layouts over all masters, as layout_index counts them."""
    return [layout for master in deck_info.masters for layout in master.layouts]


def _describe_layout(at: int, layout: deck_listing.LayoutList) -> dict[str, Any]:
    return {"index": at, "name": layout.name, "placeholder_count": len(layout.holders)}


def _check_index(index: int, count: int, what: str) -> int:
    if not 0 <= index < count:
        raise Problem(f"there is no {what} {index}; there are 0-{count - 1}")
    return index
