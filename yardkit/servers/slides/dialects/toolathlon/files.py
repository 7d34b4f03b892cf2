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
    changing,
    chosen,
    done,
    id_of,
    mcp,
    new_file,
    presentations,
    slide_at,
    use,
)
from yardkit.servers.slides.engine.contents import deck_listing
from yardkit.servers.slides.engine.inputs import Transition
from yardkit.servers.slides.engine.slides import new_slides
from yardkit.servers.slides.engine.slides.slide_look import SlideLook
from yardkit.world import InFile, OutFile, Problem, current_world, locked

Template = Annotated[InFile, Field(description="Presentation or template (.pptx, .potx).")]
Property = Annotated[str | None, Field(description="New value; without: stays.", max_length=255)]


@tool(mcp, writes=True, idempotent=False, bulk=True)
def create_presentation(id: NewId = None) -> Answer:  # noqa: A002 - their word
    """Make an empty presentation of 10 x 7.5 inches; its id is its file."""
    path = _free(id)
    with locked(path, current_world().locks):
        engine.create(path, [], source=None, size="4:3", now=current_world().now, properties={})
    return done(f"Created new presentation with ID: {id_of(path)}", path, slide_count=0)


@tool(mcp, writes=True, idempotent=False, bulk=True)
def create_presentation_from_template(template_path: Template, id: NewId = None) -> Answer:  # noqa: A002
    """Make a presentation that is a copy of another, or of a template, with its slides and layouts."""
    path = _free(id)
    with locked(path, current_world().locks):
        new_slides.copy(template_path, path)
    template = id_of(template_path)
    message = f"Created new presentation from template '{template}' with ID: {id_of(path)}"
    return done(message, path, template_path=template, **_counts(path))


@tool(mcp, writes=True, bulk=True)
def open_presentation(file_path: Template, id: NewId = None) -> Answer:  # noqa: A002
    """Use a presentation from now on: its id is its file. With id, a copy under that name is used instead."""
    path = file_path
    if id is not None and id != file_path:
        path = _free(id)
        with locked(path, current_world().locks):
            new_slides.copy(file_path, path)
    count = len(deck_listing.slides(path))
    use(path)
    return done(f"Opened presentation from {id_of(file_path)} with ID: {id_of(path)}", path, slide_count=count)


@tool(mcp, writes=True, destructive=True, bulk=True)
def save_presentation(
    file_path: Annotated[OutFile, Field(description="Where to save; an existing file is replaced.")],
    presentation_id: PresentationId = None,
) -> Answer:
    """Also save a presentation under another name; its original file is saved anyway."""
    source = chosen(presentation_id)
    path = file_path if file_path.suffix else file_path.with_suffix(".pptx")
    if path != source:
        with locked(path, current_world().locks):
            new_slides.copy(source, path)
    deck_listing.slides(path)  # what is said to be saved can be read
    return done(f"Presentation saved to {id_of(path)}", path, file_path=id_of(path))


@tool(mcp, bulk=True)
def get_presentation_info(presentation_id: PresentationId = None) -> Answer:
    """Show slide count, size (in EMU, 914,400 to the inch), layouts and properties of a presentation."""
    path = chosen(presentation_id)
    return Answer({"presentation_id": id_of(path), **_described(path)})


@tool(mcp, bulk=True)
def get_template_file_info(template_path: Template) -> Answer:
    """Show the layouts with their placeholders, and the properties, of a template file."""
    found = deck_listing.deck(template_path)
    layouts = [
        {**_layout(at, layout), "placeholders": [vars(holder) for holder in layout.holders]}
        for at, layout in enumerate(_layouts(found))
    ]
    facts = {"template_path": id_of(template_path), "file_size_bytes": template_path.stat().st_size}
    return Answer({**facts, **_described(template_path), "slide_layouts": layouts})


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
    path = chosen(presentation_id)
    given = {"title": title, "subject": subject, "author": author, "keywords": keywords, "comments": comments}
    values = {name: value for name, value in given.items() if value is not None}
    with locked(path, current_world().locks):
        engine.configure(path, engine.ThemeChange(), None, None, values, scale=False, now=current_world().now)
    return done("Core properties updated successfully", path, core_properties=deck_listing.deck(path).properties)


@tool(mcp, bulk=True)
def list_presentations() -> Answer:
    """List the presentations of the workspace, the one used last first."""
    found = presentations()
    current = _current()
    listed = [{"id": id_of(path), **_count(path), "is_current": id_of(path) == current} for path in found]
    return Answer({"presentations": listed, "current_presentation_id": current, "total_presentations": len(found)})


@tool(mcp, writes=True, bulk=True)
def switch_presentation(
    presentation_id: Annotated[PresentationId, Field(description="Presentation to use from now on.")],
) -> Answer:
    """Use another presentation where no presentation_id is given."""
    path = chosen(presentation_id)
    before = _current()
    deck_listing.slides(path)
    use(path)
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
            "loaded_presentations": len(presentations()),
            "current_presentation": _current(),
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
    masters = deck_listing.deck(chosen(presentation_id)).masters
    if operation == "list":
        told = [
            {"index": at, "name": master_list.name, "layout_count": len(master_list.layouts)}
            for at, master_list in enumerate(masters)
        ]
        return Answer({"message": f"Found {len(told)} slide masters", "masters": told, "total_masters": len(told)})
    master = masters[_checked(master_index, len(masters), "master")]
    if operation == "get_layouts":
        layouts = [_layout(at, layout_list) for at, layout_list in enumerate(master.layouts)]
        message = f"Master {master_index} has {len(layouts)} layouts"
        return Answer({"message": message, "master_index": master_index, "layouts": layouts})
    if layout_index is None:
        facts = {"name": master.name, "layout_count": len(master.layouts)}
        return Answer({"message": f"Master {master_index} information", "master_index": master_index, **facts})
    layout = master.layouts[_checked(layout_index, len(master.layouts), "layout")]
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
    path = chosen(presentation_id)
    slide_at(path, slide_index)
    said = "Transition info for"
    if operation != "get":
        if operation == "set" and transition_type is None:
            raise Problem("set needs transition_type, such as fade, push or wipe")
        look = (
            SlideLook(transition=transition_type, transition_s=duration)
            if operation == "set"
            else SlideLook(transition="none")
        )
        with changing(path) as copy:
            engine.change_slides(copy, [slide_index + 1], look)
        said = "Set the transition of" if operation == "set" else "Removed the transition of"
    shown = engine.inspect(path, slide_index, 1, details=False).slides[0].transition
    facts: dict[str, Any] = {"slide_index": slide_index, "transition_type": shown or None}
    if operation == "set":
        facts["duration"] = duration
    return done(f"{said} slide {slide_index}", path, **facts)


def _free(given: Path | None) -> Path:
    """Where a presentation is made: under the name given, else the first free one."""
    if given is None:
        number = 1
        while (path := new_file(f"presentation_{number}")).exists():
            number += 1
        return path
    if given.exists():
        raise Problem(f"there is a file {id_of(given)!r} already; choose another id, or open it with open_presentation")
    return given


def _current() -> str | None:
    try:
        return id_of(chosen(None))
    except Problem:
        return None


def _count(path: Path) -> dict[str, Any]:
    try:
        return {"slide_count": deck_listing.deck(path).slides}
    except Problem as problem:
        return {"slide_count": None, "error": str(problem)}


def _counts(path: Path) -> dict[str, Any]:
    found = deck_listing.deck(path)
    return {"slide_count": found.slides, "layout_count": len(_layouts(found))}


def _described(path: Path) -> dict[str, Any]:
    found = deck_listing.deck(path)
    layouts = _layouts(found)
    return {
        "slide_count": found.slides,
        "layout_count": len(layouts),
        "slide_layouts": [_layout(at, layout) for at, layout in enumerate(layouts)],
        "core_properties": found.properties,
        "slide_width": found.width,
        "slide_height": found.height,
    }


def _layouts(found: deck_listing.DeckList) -> list[deck_listing.LayoutList]:
    """The layouts over all masters, as layout_index counts them."""
    return [layout for master in found.masters for layout in master.layouts]


def _layout(at: int, layout: deck_listing.LayoutList) -> dict[str, Any]:
    return {"index": at, "name": layout.name, "placeholder_count": len(layout.holders)}


def _checked(index: int, count: int, what: str) -> int:
    if not 0 <= index < count:
        raise Problem(f"there is no {what} {index}; there are 0-{count - 1}")
    return index
