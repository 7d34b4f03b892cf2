"""Modules, pages, files."""

from yardkit.apps.courses import Completion, Folder, Module, ModuleItem
from yardkit.compat.toolathlon.courses import objects
from yardkit.compat.toolathlon.courses.app import format_answer, open_for_changing, open_for_reading, require_values
from yardkit.kit.dialect import Offset, TextPage
from yardkit.servers.courses.engine import contents
from yardkit.servers.courses.engine.school_view import Campus


def canvas_list_modules(course_id: int, offset: Offset = 0) -> TextPage:
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        return format_answer(
            [objects.build_module(campus, module) for module in contents.find_modules(campus, course_id)], offset
        )


def canvas_get_module(course_id: int, module_id: int) -> TextPage:
    require_values(course_id=course_id, module_id=module_id)
    with open_for_reading() as campus:
        return format_answer(objects.build_module(campus, campus.get_course_record(Module, module_id, course_id)))


def canvas_list_module_items(course_id: int, module_id: int, offset: Offset = 0) -> TextPage:
    require_values(course_id=course_id, module_id=module_id)
    with open_for_reading() as campus:
        return format_answer(
            [_build_item(campus, module_item) for module_item in contents.items_of(campus, course_id, module_id)],
            offset,
        )


def canvas_get_module_item(course_id: int, module_id: int, item_id: int) -> TextPage:
    require_values(course_id=course_id, module_id=module_id, item_id=item_id)
    with open_for_reading() as campus:
        return format_answer(_build_item(campus, contents.item_of(campus, course_id, module_id, item_id)))


def canvas_mark_module_item_complete(course_id: int, module_id: int, item_id: int) -> TextPage:
    require_values(course_id=course_id, module_id=module_id, item_id=item_id)
    with open_for_changing() as campus:
        contents.mark_done(campus, course_id, module_id, item_id)
        return format_answer({"message": "OK"})


def canvas_list_pages(course_id: int, offset: Offset = 0) -> TextPage:
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        return format_answer(
            [objects.build_page(page, body=False) for page in contents.find_pages(campus, course_id)], offset
        )


def canvas_get_page(course_id: int, page_url: str, offset: Offset = 0) -> TextPage:
    require_values(course_id=course_id, page_url=page_url)
    with open_for_reading() as campus:
        return format_answer(objects.build_page(contents.page_of(campus, course_id, page_url), body=True), offset)


def canvas_list_files(course_id: int, folder_id: int | None = None, offset: Offset = 0) -> TextPage:
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        return format_answer(
            [objects.build_file(course_file) for course_file in contents.find_files(campus, course_id, folder_id)],
            offset,
        )


def canvas_get_file(file_id: int) -> TextPage:
    require_values(file_id=file_id)
    with open_for_reading() as campus:
        return format_answer(objects.build_file(contents.file_of(campus, file_id)))


def canvas_list_folders(course_id: int, offset: Offset = 0) -> TextPage:
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        campus.get_course(course_id)
        return format_answer(
            [objects.build_folder(campus, folder) for folder in campus.all(Folder, course_id=course_id)], offset
        )


def _build_item(campus: Campus, module_item: ModuleItem) -> objects.Facts:
    done = campus.find_first(Completion, item_id=module_item.id, user_id=campus.me.id) is not None
    return objects.build_module_item(module_item, done=done)
