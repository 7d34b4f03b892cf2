"""Spreadsheets and folders of the drive, and the sheets of a spreadsheet: google_sheet's tools of files."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from yardkit.apps.drive import (
    FOLDER,
    ROOT,
    SPREADSHEET,
    Item,
    Role,
    add_item,
    content_of,
    in_trash,
    opened_drive,
    put_grant,
    require_writer,
    save_content,
    spreadsheet_of,
)
from yardkit.apps.drive_words import words_in
from yardkit.apps.store import Store
from yardkit.compat.toolathlon.sheets.google_books import (
    book_of,
    edit_spreadsheet,
    format_answer,
    properties_of,
    require_sheet,
    sheet_numbers,
)
from yardkit.compat.toolathlon.sheets.google_requests import run_requests
from yardkit.compat.toolathlon.sheets.google_values import cells_of, look_of, to_literal
from yardkit.compat.toolathlon.sheets.structure import FIRST_SHEET
from yardkit.kit.dialect import Text
from yardkit.servers.sheets import engine
from yardkit.servers.sheets.engine.cells.cell_formats import CellFormats
from yardkit.servers.sheets.engine.cells.grid import Content
from yardkit.servers.sheets.engine.layout.sheet_layout import Layout
from yardkit.servers.sheets.engine.notation.formulas import format_formula as shown_formula
from yardkit.servers.sheets.engine.notation.references import Area, Cell
from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.world import Problem, World, current_world

_ROLES = ("reader", "commenter", "writer")


def create_spreadsheet(title: str, folder_id: str | None = None) -> Text:
    world = current_world()
    with opened_drive(world, writes=True) as store, TemporaryDirectory() as folder:
        item = add_item(store, title, SPREADSHEET, folder_id or ROOT, ".xlsx")
        new_path = Path(folder) / "new.xlsx"
        engine.add_sheet(new_path, FIRST_SHEET, now=world.now)
        save_content(world, item, new_path.read_bytes())
    return format_answer({"spreadsheetId": item.id, "title": title, "folder": item.parent})


def list_spreadsheets(folder_id: str | None = None) -> Text:
    with opened_drive(current_world()) as store:
        spreadsheets = [item for item in _list_spreadsheets(store) if folder_id is None or item.parent == folder_id]
    return format_answer([{"id": item.id, "title": item.name} for item in spreadsheets])


def list_folders(parent_folder_id: str | None = None) -> Text:
    with opened_drive(current_world()) as store:
        folders = store.find(Item, "kind = ? AND parent = ?", [FOLDER, parent_folder_id or ROOT], order="name")
        visible_folders = [folder for folder in folders if not in_trash(store, folder)]
    return format_answer(
        [{"id": folder.id, "name": folder.name, "parent": folder.parent} for folder in visible_folders]
    )


def search_spreadsheets(query: str, max_results: int = 20) -> Text:
    world = current_world()
    with opened_drive(world) as store:
        matching_items = [
            item for item in _list_spreadsheets(store) if _matches_words(world, item, query.casefold().split())
        ]
    return format_answer([_describe_item(item) for item in matching_items[:max_results]])


def share_spreadsheet(spreadsheet_id: str, recipients: list[dict[str, str]], send_notification: bool = True) -> Text:
    done: dict[str, list[dict[str, Any]]] = {"successes": [], "failures": []}
    with opened_drive(current_world(), writes=True) as store:
        item = require_writer(store, spreadsheet_of(store, spreadsheet_id))
        for recipient in recipients:
            outcome = _share_item(store, item, recipient)
            done["failures" if "error" in outcome else "successes"].append(outcome)
    return format_answer(done)


def list_sheets(spreadsheet_id: str) -> Text:
    return format_answer(list(sheet_numbers(book_of(spreadsheet_id))))


def create_sheet(spreadsheet_id: str, title: str) -> Text:
    (reply,) = _run_batch(spreadsheet_id, {"addSheet": {"properties": {"title": title}}})["replies"]
    sheet_properties = reply["addSheet"]["properties"]
    return format_answer(
        {**{name: sheet_properties[name] for name in ("sheetId", "title", "index")}, "spreadsheetId": spreadsheet_id}
    )


def copy_sheet(src_spreadsheet: str, src_sheet: str, dst_spreadsheet: str, dst_sheet: str) -> Text:
    source = book_of(src_spreadsheet)
    require_sheet(source, src_sheet, "Source sheet")
    with edit_spreadsheet(dst_spreadsheet) as copy:
        first = f"Copy of {src_sheet}"[:31]
        if src_spreadsheet == dst_spreadsheet:
            engine.copy_sheet(copy, src_sheet, dst_sheet, now=current_world().now)
        else:
            _carry_sheet(source, copy, src_sheet, dst_sheet)
        copied = {**properties_of(copy, dst_sheet), "title": first}
    facts: dict[str, Any] = {"copy": copied}
    if dst_sheet != first:
        facts["rename"] = {"spreadsheetId": dst_spreadsheet, "replies": [{}]}
    return format_answer(facts)


def rename_sheet(spreadsheet: str, sheet: str, new_name: str) -> Text:
    number = _find_sheet_number(spreadsheet, sheet)
    changed = {"properties": {"sheetId": number, "title": new_name}, "fields": "title"}
    return format_answer(_run_batch(spreadsheet, {"updateSheetProperties": changed}))


def add_rows(spreadsheet_id: str, sheet: str, count: int, start_row: int | None = None) -> Text:
    return _insert_lines(spreadsheet_id, sheet, "ROWS", start_row or 0, count)


def add_columns(spreadsheet_id: str, sheet: str, count: int, start_column: int | None = None) -> Text:
    return _insert_lines(spreadsheet_id, sheet, "COLUMNS", start_column or 0, count)


def batch_update(spreadsheet_id: str, requests: list[dict[str, Any]]) -> Text:
    return format_answer(_run_batch(spreadsheet_id, *requests))


def _run_batch(spreadsheet_id: str, *requests: dict[str, Any]) -> dict[str, Any]:
    with edit_spreadsheet(spreadsheet_id) as copy:
        return {"spreadsheetId": spreadsheet_id, "replies": run_requests(copy, requests, current_world().now)}


def _insert_lines(spreadsheet_id: str, sheet: str, dimension: str, start: int, count: int) -> Text:
    where = {"sheetId": _find_sheet_number(spreadsheet_id, sheet), "dimension": dimension}
    place = {**where, "startIndex": start, "endIndex": start + count}
    return format_answer(_run_batch(spreadsheet_id, {"insertDimension": {"range": place}}))


def _find_sheet_number(spreadsheet_id: str, sheet: str) -> int:
    path = book_of(spreadsheet_id)
    return sheet_numbers(path)[require_sheet(path, sheet)]


def _list_spreadsheets(store: Store) -> list[Item]:
    items = store.find(Item, "kind = ?", [SPREADSHEET], order="modified DESC")
    return [item for item in items if not in_trash(store, item)]


def _matches_words(world: World, item: Item, words: list[str]) -> bool:
    name = item.name.casefold()
    if all(word in name for word in words):
        return True
    content = words_in(content_of(world, item)).casefold()
    return all(word in content for word in words)


def _describe_item(item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "name": item.name,
        "created_time": item.created,
        "modified_time": item.modified,
        "owners": [item.owner],
        "web_link": f"https://docs.google.com/spreadsheets/d/{item.id}/edit",
    }


def _share_item(store: Store, item: Item, recipient: dict[str, str]) -> dict[str, Any]:
    email, role = recipient.get("email_address"), recipient.get("role", "writer")
    if not email:
        return {"email_address": None, "error": "Missing email_address in recipient entry."}
    if role not in _ROLES:
        return {"email_address": email, "error": f"Invalid role '{role}'. Must be 'reader', 'commenter', or 'writer'."}
    try:
        grant = put_grant(store, item, email, cast("Role", role))
    except Problem as problem:
        return {"email_address": email, "error": f"Failed to share: {problem}"}
    return {"email_address": email, "role": role, "permissionId": str(grant.id)}


def _carry_sheet(source: Path, target: Path, sheet: str, name: str) -> None:
    """A sheet of one workbook in another: values, formulas, the looks of cells, and merged cells."""
    now = current_world().now
    engine.add_sheet(target, name, now=now)
    grid, area, contents = cells_of(source, sheet, None)
    if area is None:
        return
    rows = [
        [_get_input_value(contents.get(Cell(row, column))) for column in _count_columns(area)]
        for row in _count_rows(area)
    ]
    engine.write_cells(target, name, "A1", rows, now=now)
    looks: dict[engine.Change, list[str]] = {}
    formats = CellFormats(grid.book)
    for cell, content in contents.items():
        change = look_of(grid, formats, content)
        if change != engine.Change():
            looks.setdefault(change, []).append(str(cell))
    for change, cells in looks.items():
        engine.format_cells(target, name, ",".join(cells), change, now=now)
    if merged := tuple(map(str, grid.list_merged())):
        engine.set_layout(target, name, Layout(merge=merged), now=now)


def _get_input_value(content: Content | None) -> Scalar:
    """What is written to get the same cell."""
    if content is None:
        return None
    if content.formula is not None:
        return shown_formula(content.formula)
    return to_literal(content.value) if content.kind == "text" and isinstance(content.value, str) else content.value


def _count_rows(area: Area) -> range:
    return range(1, area.bottom + 1)


def _count_columns(area: Area) -> range:
    return range(1, area.right + 1)
