"""Modules, pages, files."""

from typing import Any

from yardkit.apps.courses import Completion, Folder, Module, ModuleItem
from yardkit.compat.toolathlon.courses import objects
from yardkit.servers.courses.engine import contents
from yardkit.servers.courses.engine.school_view import Campus


def canvas_list_modules(campus: Campus, course_id: int) -> Any:
    return [objects.build_module(campus, module) for module in contents.find_modules(campus, course_id)]


def canvas_get_module(campus: Campus, course_id: int, module_id: int) -> Any:
    return objects.build_module(campus, campus.get_course_record(Module, module_id, course_id))


def canvas_list_module_items(campus: Campus, course_id: int, module_id: int) -> Any:
    return [_build_item(campus, module_item) for module_item in contents.items_of(campus, course_id, module_id)]


def canvas_get_module_item(campus: Campus, course_id: int, module_id: int, item_id: int) -> Any:
    return _build_item(campus, contents.item_of(campus, course_id, module_id, item_id))


def canvas_mark_module_item_complete(campus: Campus, course_id: int, module_id: int, item_id: int) -> Any:
    contents.mark_done(campus, course_id, module_id, item_id)
    return {"message": "OK"}


def canvas_list_pages(campus: Campus, course_id: int) -> Any:
    return [objects.build_page(page, body=False) for page in contents.find_pages(campus, course_id)]


def canvas_get_page(campus: Campus, course_id: int, page_url: str) -> Any:
    return objects.build_page(contents.page_of(campus, course_id, page_url), body=True)


def canvas_list_files(campus: Campus, course_id: int, folder_id: int | None = None) -> Any:
    return [objects.build_file(course_file) for course_file in contents.find_files(campus, course_id, folder_id)]


def canvas_get_file(campus: Campus, file_id: int) -> Any:
    return objects.build_file(contents.file_of(campus, file_id))


def canvas_list_folders(campus: Campus, course_id: int) -> Any:
    campus.get_course(course_id)
    return [objects.build_folder(campus, folder) for folder in campus.all(Folder, course_id=course_id)]


def _build_item(campus: Campus, module_item: ModuleItem) -> objects.Facts:
    done = campus.find_first(Completion, item_id=module_item.id, user_id=campus.me.id) is not None
    return objects.build_module_item(module_item, done=done)
