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
    format_answer,
    mcp,
    open_for_changing,
    open_for_reading,
    require_values,
)
from yardkit.servers.courses.engine import contents
from yardkit.servers.courses.engine.school_view import Campus

ItemId = Annotated[int, Field(description="ID of the module item.")]


@tool(mcp)
def canvas_list_modules(course_id: CourseId, offset: Offset = 0) -> TextPage:
    """List all modules in a course."""
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        return format_answer(
            [objects.build_module(campus, module) for module in contents.find_modules(campus, course_id)], offset
        )


@tool(mcp)
def canvas_get_module(course_id: CourseId, module_id: ModuleId) -> TextPage:
    """Get details of a specific module."""
    require_values(course_id=course_id, module_id=module_id)
    with open_for_reading() as campus:
        return format_answer(objects.build_module(campus, campus.get_course_record(Module, module_id, course_id)))


@tool(mcp)
def canvas_list_module_items(course_id: CourseId, module_id: ModuleId, offset: Offset = 0) -> TextPage:
    """List all items in a module."""
    require_values(course_id=course_id, module_id=module_id)
    with open_for_reading() as campus:
        return format_answer(
            [_build_item(campus, module_item) for module_item in contents.items_of(campus, course_id, module_id)],
            offset,
        )


@tool(mcp)
def canvas_get_module_item(course_id: CourseId, module_id: ModuleId, item_id: ItemId) -> TextPage:
    """Get details of a specific module item."""
    require_values(course_id=course_id, module_id=module_id, item_id=item_id)
    with open_for_reading() as campus:
        return format_answer(_build_item(campus, contents.item_of(campus, course_id, module_id, item_id)))


@tool(mcp, writes=True)
def canvas_mark_module_item_complete(course_id: CourseId, module_id: ModuleId, item_id: ItemId) -> TextPage:
    """Mark a module item as complete."""
    require_values(course_id=course_id, module_id=module_id, item_id=item_id)
    with open_for_changing() as campus:
        contents.mark_done(campus, course_id, module_id, item_id)
        return format_answer({"message": "OK"})


@tool(mcp)
def canvas_list_pages(course_id: CourseId, offset: Offset = 0) -> TextPage:
    """List pages in a course."""
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        return format_answer(
            [objects.build_page(page, body=False) for page in contents.find_pages(campus, course_id)], offset
        )


@tool(mcp)
def canvas_get_page(
    course_id: CourseId,
    page_url: Annotated[str, Field(description="URL or ID of the page.", max_length=500)],
    offset: Offset = 0,
) -> TextPage:
    """Get content of a specific page."""
    require_values(course_id=course_id, page_url=page_url)
    with open_for_reading() as campus:
        return format_answer(objects.build_page(contents.page_of(campus, course_id, page_url), body=True), offset)


@tool(mcp)
def canvas_list_files(
    course_id: CourseId,
    folder_id: Annotated[int | None, Field(description="ID of the folder.")] = None,
    offset: Offset = 0,
) -> TextPage:
    """List files in a course or folder."""
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        return format_answer(
            [objects.build_file(course_file) for course_file in contents.find_files(campus, course_id, folder_id)],
            offset,
        )


@tool(mcp)
def canvas_get_file(file_id: Annotated[int, Field(description="ID of the file.")]) -> TextPage:
    """Get information about a specific file."""
    require_values(file_id=file_id)
    with open_for_reading() as campus:
        return format_answer(objects.build_file(contents.file_of(campus, file_id)))


@tool(mcp)
def canvas_list_folders(course_id: CourseId, offset: Offset = 0) -> TextPage:
    """List folders in a course."""
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        campus.get_course(course_id)
        return format_answer(
            [objects.build_folder(campus, folder) for folder in campus.all(Folder, course_id=course_id)], offset
        )


def _build_item(campus: Campus, module_item: ModuleItem) -> objects.Facts:
    done = campus.find_first(Completion, item_id=module_item.id, user_id=campus.me.id) is not None
    return objects.build_module_item(module_item, done=done)
