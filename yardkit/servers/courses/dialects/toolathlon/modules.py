"""Modules, pages, files."""

from typing import Annotated

from pydantic import Field

from yardkit.apps.courses import Completion, Folder, Module, ModuleItem
from yardkit.kit.dialect import TextPage
from yardkit.kit.surface import tool
from yardkit.servers.courses.dialects.toolathlon import objects
from yardkit.servers.courses.dialects.toolathlon.app import (
    CourseId,
    ModuleId,
    Offset,
    changing,
    mcp,
    need,
    seeing,
    shown,
)
from yardkit.servers.courses.engine import contents
from yardkit.servers.courses.engine.campus import Campus

ItemId = Annotated[int, Field(description="ID of the module item.")]


@tool(mcp)
def canvas_list_modules(course_id: CourseId, offset: Offset = 0) -> TextPage:
    """List all modules in a course."""
    need(course_id=course_id)
    with seeing() as campus:
        return shown([objects.module(campus, one) for one in contents.find_modules(campus, course_id)], offset)


@tool(mcp)
def canvas_get_module(course_id: CourseId, module_id: ModuleId) -> TextPage:
    """Get details of a specific module."""
    need(course_id=course_id, module_id=module_id)
    with seeing() as campus:
        return shown(objects.module(campus, campus.within(Module, module_id, course_id)))


@tool(mcp)
def canvas_list_module_items(course_id: CourseId, module_id: ModuleId, offset: Offset = 0) -> TextPage:
    """List all items in a module."""
    need(course_id=course_id, module_id=module_id)
    with seeing() as campus:
        return shown([_item(campus, one) for one in contents.items_of(campus, course_id, module_id)], offset)


@tool(mcp)
def canvas_get_module_item(course_id: CourseId, module_id: ModuleId, item_id: ItemId) -> TextPage:
    """Get details of a specific module item."""
    need(course_id=course_id, module_id=module_id, item_id=item_id)
    with seeing() as campus:
        return shown(_item(campus, contents.item_of(campus, course_id, module_id, item_id)))


@tool(mcp, writes=True)
def canvas_mark_module_item_complete(course_id: CourseId, module_id: ModuleId, item_id: ItemId) -> TextPage:
    """Mark a module item as complete."""
    need(course_id=course_id, module_id=module_id, item_id=item_id)
    with changing() as campus:
        contents.mark_done(campus, course_id, module_id, item_id)
        return shown({"message": "OK"})


@tool(mcp)
def canvas_list_pages(course_id: CourseId, offset: Offset = 0) -> TextPage:
    """List pages in a course."""
    need(course_id=course_id)
    with seeing() as campus:
        return shown([objects.page(one, body=False) for one in contents.find_pages(campus, course_id)], offset)


@tool(mcp)
def canvas_get_page(
    course_id: CourseId,
    page_url: Annotated[str, Field(description="URL or ID of the page.", max_length=500)],
    offset: Offset = 0,
) -> TextPage:
    """Get content of a specific page."""
    need(course_id=course_id, page_url=page_url)
    with seeing() as campus:
        return shown(objects.page(contents.page_of(campus, course_id, page_url), body=True), offset)


@tool(mcp)
def canvas_list_files(
    course_id: CourseId,
    folder_id: Annotated[int | None, Field(description="ID of the folder.")] = None,
    offset: Offset = 0,
) -> TextPage:
    """List files in a course or folder."""
    need(course_id=course_id)
    with seeing() as campus:
        return shown([objects.file(one) for one in contents.find_files(campus, course_id, folder_id)], offset)


@tool(mcp)
def canvas_get_file(file_id: Annotated[int, Field(description="ID of the file.")]) -> TextPage:
    """Get information about a specific file."""
    need(file_id=file_id)
    with seeing() as campus:
        return shown(objects.file(contents.file_of(campus, file_id)))


@tool(mcp)
def canvas_list_folders(course_id: CourseId, offset: Offset = 0) -> TextPage:
    """List folders in a course."""
    need(course_id=course_id)
    with seeing() as campus:
        campus.course(course_id)
        return shown([objects.folder(campus, one) for one in campus.all(Folder, course_id=course_id)], offset)


def _item(campus: Campus, one: ModuleItem) -> objects.Facts:
    done = campus.one(Completion, item_id=one.id, user_id=campus.me.id) is not None
    return objects.item(one, done=done)
