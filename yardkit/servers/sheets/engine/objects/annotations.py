"""Notes, threaded comments and hyperlinks of cells: several changes in one call, all or none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.cells.linked_parts import open_sheet, save_objects
from yardkit.servers.sheets.engine.compute.saved_workbook import save_workbook
from yardkit.servers.sheets.engine.notation.references import Cell, Places, cell_of
from yardkit.servers.sheets.engine.objects.comment_threads import CommentInfo, Threads
from yardkit.servers.sheets.engine.objects.hyperlinks import LinkInfo, add_link, drop_links, list_links, move_links
from yardkit.servers.sheets.engine.objects.notes import Notes
from yardkit.world import Problem

Kind = Literal["note", "comment", "resolve", "reopen", "link", "delete_note", "delete_comment", "delete_link"]
MAX_TEXT = 32_000


@dataclass(frozen=True)
class Annotation:
    """A change at a cell."""

    op: Kind
    cell: str
    text: str = ""
    target: str = ""


def annotate_cells(
    path: Path, sheet: str | None, changes: list[Annotation], author: str, *, now: datetime
) -> list[CommentInfo | LinkInfo]:
    """Apply changes to notes, comments and links; what the saved file says of the cells.

    Raises:
        Problem: no such sheet or cell, nothing to delete or resolve, no text, or a link that is none.
    """
    book, grid = open_sheet(path, sheet)
    notes, threads = Notes(grid), Threads(grid)
    touched = {
        (grid.info.name, cell)
        for change in changes
        for cell in _apply_change(grid, notes, threads, change, author, now)
    }
    if any(change.op not in ("link", "delete_link") for change in changes):
        threads.note_texts(notes)
        threads.save()
        notes.save()
    if touched:
        save_workbook(book, {grid.info.name: grid}, path, touched=touched, written=set(), now=now)
    else:
        save_objects(book, path, grid)
    after = open_sheet(path, grid.info.name)[1]
    cells = {change.cell.replace("$", "").upper() for change in changes}
    known: list[CommentInfo | LinkInfo] = [*list_comments(after), *list_links(after)]
    return [info for info in known if info.cell in cells]


def list_comments(grid: Grid) -> list[CommentInfo]:
    """The notes and threaded comments of a sheet."""
    threads = Threads(grid).all()
    own = {info.cell for info in threads}
    notes = [
        CommentInfo(grid.info.name, note.cell, "note", note.author, note.text)
        for note in Notes(grid).all()
        if note.cell not in own
    ]
    return sorted([*threads, *notes], key=lambda info: tuple(cell_of(info.cell)))


def carry_annotations(grid: Grid, places: Places) -> None:
    """Take notes, comments and links of cells along to where the cells go, or out with them (None)."""
    notes, threads = Notes(grid), Threads(grid)
    if threads.move(places):
        threads.save()
    if notes.move(places):
        notes.save()
    move_links(grid, places)


def _apply_change(
    grid: Grid, notes: Notes, threads: Threads, change: Annotation, author: str, now: datetime
) -> set[Cell]:
    """Make one change; the cells whose values it wrote."""
    if change.op == "link":
        return add_link(grid, change.cell, change.target, change.text)
    if change.op == "delete_link":
        _require_existing(drop_links(grid, change.cell) > 0, change)
        return set()
    cell = cell_of(change.cell)
    if change.op in ("note", "comment"):
        _write_annotation(notes, threads, change, cell, author, now)
    elif change.op in ("resolve", "reopen"):
        threads.resolve(cell, done=change.op == "resolve")
    elif change.op == "delete_comment":
        _require_existing(threads.drop(cell), change)
        notes.drop(cell)
    else:
        _require_existing(str(cell) not in threads.roots() and notes.drop(cell), change)
    return set()


def _write_annotation(
    notes: Notes, threads: Threads, change: Annotation, cell: Cell, author: str, now: datetime
) -> None:
    if not change.text.strip() or len(change.text) > MAX_TEXT:
        raise Problem(
            f"a {change.op} needs a text of 1 to {MAX_TEXT:,} characters; the one of {cell} has {len(change.text):,}"
        )
    threaded = str(cell) in threads.roots()
    if change.op == "comment":
        if not threaded and any(note.cell == str(cell) for note in notes.all()):
            raise Problem(
                f"{cell} has a note, and a cell can have only a note or a comment. Delete the note first (delete_note)"
            )
        threads.comment(cell, author, change.text, now)
        return
    if threaded:
        raise Problem(f"{cell} has a threaded comment; reply to it with op='comment', or delete it first")
    notes.put(cell, author, change.text)


def _require_existing(there: bool, change: Annotation) -> None:
    if not there:
        raise Problem(f"{change.cell} has nothing to {change.op}; use read_objects to list comments and links")


__all__ = ["Annotation", "CommentInfo", "LinkInfo", "annotate_cells", "list_comments"]
