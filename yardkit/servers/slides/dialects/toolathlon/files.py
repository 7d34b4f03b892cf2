"""Presentations as files: made, opened, copied, described, chosen; their masters and transitions."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from yardkit.kit.dialect import Answer
from yardkit.kit.surface import tool
from yardkit.servers.slides import engine
from yardkit.servers.slides.dialects.toolathlon.app import (
    NewId,
    PresentationId,
    SlideIndex,
    build_answer,
    choose_presentation,
    edit_presentation,
    id_of,
    list_presentation_paths,
    mark_as_used,
    mcp,
    new_file,
    slide_at,
)
from yardkit.servers.slides.engine.contents import deck_listing
from yardkit.servers.slides.engine.inputs import Transition
from yardkit.servers.slides.engine.slides import new_slides
from yardkit.servers.slides.engine.slides.slide_look import SlideLook
from yardkit.world import InFile, OutFile, Problem, current_world, lock_file

Template = Annotated[InFile, Field(description="Presentation or template (.pptx, .potx).")]
Property = Annotated[str | None, Field(description="New value; without: stays.", max_length=255)]


@tool(mcp, writes=True, idempotent=False, bulk=True)
def create_presentation(id: NewId = None) -> Answer:  # noqa: A002 - their word
    """Make an empty presentation of 10 x 7.5 inches; its id is its file."""
    path = _choose_free_path(id)
    with lock_file(path, current_world().locks):
        engine.create_deck(path, [], source=None, size="4:3", now=current_world().now, properties={})
    return build_answer(f"Created new presentation with ID: {id_of(path)}", path, slide_count=0)


@tool(mcp, writes=True, idempotent=False, bulk=True)
def create_presentation_from_template(template_path: Template, id: NewId = None) -> Answer:  # noqa: A002
    """Make a presentation that is a copy of another, or of a template, with its slides and layouts."""
    path = _choose_free_path(id)
    with lock_file(path, current_world().locks):
        new_slides.copy_deck(template_path, path)
    template = id_of(template_path)
    message = f"Created new presentation from template '{template}' with ID: {id_of(path)}"
    return build_answer(message, path, template_path=template, **_count_contents(path))


@tool(mcp, writes=True, bulk=True)
def open_presentation(file_path: Template, id: NewId = None) -> Answer:  # noqa: A002
    """Use a presentation from now on: its id is its file. With id, a copy under that name is used instead."""
    path = file_path
    if id is not None and id != file_path:
        path = _choose_free_path(id)
        with lock_file(path, current_world().locks):
            new_slides.copy_deck(file_path, path)
    count = len(deck_listing.list_slides(path))
    mark_as_used(path)
    return build_answer(f"Opened presentation from {id_of(file_path)} with ID: {id_of(path)}", path, slide_count=count)


@tool(mcp, writes=True, destructive=True, bulk=True)
def save_presentation(
    file_path: Annotated[OutFile, Field(description="Where to save; an existing file is replaced.")],
    presentation_id: PresentationId = None,
) -> Answer:
    """Also save a presentation under another name; its original file is saved anyway."""
    source = choose_presentation(presentation_id)
    path = file_path if file_path.suffix else file_path.with_suffix(".pptx")
    if path != source:
        with lock_file(path, current_world().locks):
            new_slides.copy_deck(source, path)
    deck_listing.list_slides(path)  # what is said to be saved can be read
    return build_answer(f"Presentation saved to {id_of(path)}", path, file_path=id_of(path))


@tool(mcp, bulk=True)
def get_presentation_info(presentation_id: PresentationId = None) -> Answer:
    """Show slide count, size (in EMU, 914,400 to the inch), layouts and properties of a presentation."""
    path = choose_presentation(presentation_id)
    return Answer({"presentation_id": id_of(path), **_describe_deck(path)})


@tool(mcp, bulk=True)
def get_template_file_info(template_path: Template) -> Answer:
    """Show the layouts with their placeholders, and the properties, of a template file."""
    deck_info = deck_listing.describe_deck(template_path)
    layouts = [
        {**_describe_layout(at, layout), "placeholders": [vars(holder) for holder in layout.holders]}
        for at, layout in enumerate(_list_layouts(deck_info))
    ]
    facts = {"template_path": id_of(template_path), "file_size_bytes": template_path.stat().st_size}
    return Answer({**facts, **_describe_deck(template_path), "slide_layouts": layouts})


@tool(mcp, writes=True, bulk=True, destructive=True)
def set_core_properties(
    title: Property = None,
    subject: Property = None,
    author: Property = None,
    keywords: Property = None,
    comments: Property = None,
    presentation_id: PresentationId = None,
) -> Answer:
    """Set title, author and other properties of the file."""
    path = choose_presentation(presentation_id)
    given = {"title": title, "subject": subject, "author": author, "keywords": keywords, "comments": comments}
    values = {name: value for name, value in given.items() if value is not None}
    with lock_file(path, current_world().locks):
        engine.configure_deck(path, engine.ThemeChange(), None, None, values, scale=False, now=current_world().now)
    return build_answer(
        "Core properties updated successfully", path, core_properties=deck_listing.describe_deck(path).properties
    )


@tool(mcp, bulk=True)
def list_presentations() -> Answer:
    """List the presentations of the workspace, the one used last first."""
    presentation_paths = list_presentation_paths()
    current = _get_current_id()
    listed = [
        {"id": id_of(path), **_try_counting(path), "is_current": id_of(path) == current} for path in presentation_paths
    ]
    return Answer(
        {"presentations": listed, "current_presentation_id": current, "total_presentations": len(presentation_paths)}
    )


@tool(mcp, writes=True, bulk=True)
def switch_presentation(
    presentation_id: Annotated[PresentationId, Field(description="Presentation to mark_as_used from now on.")],
) -> Answer:
    """Use another presentation where no presentation_id is given."""
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


@tool(mcp, bulk=True)
def get_server_info() -> Answer:
    """Show what this server is, and which presentation is in use."""
    return Answer(
        {
            "name": "yardkit slides, dialect toolathlon",
            "version": mcp.version,
            "total_tools": 37,
            "loaded_presentations": len(list_presentation_paths()),
            "current_presentation": _get_current_id(),
            "units": "inches, points, [red, green, blue]; slides, shapes and layouts count from 0",
        }
    )


@tool(mcp, bulk=True)
def manage_slide_masters(
    operation: Annotated[Literal["list", "get_layouts", "get_info"], Field(description="What to show.")],
    master_index: Annotated[int, Field(description="Master, from 0.")] = 0,
    layout_index: Annotated[int | None, Field(description="get_info: layout of the master, from 0.")] = None,
    presentation_id: PresentationId = None,
) -> Answer:
    """Show the slide masters, their layouts, and the placeholders of a layout."""
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


@tool(mcp, writes=True, bulk=True)
def manage_slide_transitions(
    slide_index: SlideIndex,
    operation: Annotated[Literal["set", "remove", "get"], Field(description="What to do.")],
    transition_type: Annotated[Transition | None, Field(description="set: how the slide comes in.")] = None,
    duration: Annotated[float, Field(description="set: seconds that it takes.", ge=0, le=60)] = 1.0,
    presentation_id: PresentationId = None,
) -> Answer:
    """Set, remove or show how a slide comes in."""
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
