"""Opening a delivered file to spoil it, or to save it again with another library."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from yardkit.evaluators.proof import Miss, Solved, caught_by_leaf
from yardkit.evaluators.readers.engines.workbook_files import load_workbook

Leaves = str | tuple[str, ...]
FilePath = str | Callable[[Solved], str]
"""The path of a file, or how the solved world tells it."""
Change = Callable[[Any], object] | Callable[[Any, Solved], object]
"""Changes what a library read; with two arguments it gets the solved world as well."""


@contextmanager
def open_edited(path: Path) -> Iterator[Any]:
    """Open a file with its library (openpyxl, python-docx, python-pptx, pikepdf); save it at the end of the block."""
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        import pikepdf

        with pikepdf.open(path, allow_overwriting_input=True) as document:
            yield document
            document.save(path)
        return
    document = _open_office(path, suffix)
    yield document
    document.save(str(path))


def _open_office(path: Path, suffix: str) -> Any:
    if suffix == ".docx":
        import docx

        return docx.Document(str(path))
    if suffix == ".pptx":
        import pptx

        return pptx.Presentation(str(path))
    return load_workbook(path)


def make_miss(caught_by: Leaves, change_world: Callable[[Solved], object]) -> Miss:
    """Make a near miss that spoils a solved world and must be caught by these leaves."""

    def corrupt_world(work: Solved) -> None:
        change_world(work)

    return caught_by_leaf(*((caught_by,) if isinstance(caught_by, str) else caught_by))(corrupt_world)


def edit_file(path: FilePath, change: Change, caught_by: Leaves, *, sheet: str = "") -> Miss:
    """Make a near miss that changes a file, or one sheet of a workbook, through its library."""

    def corrupt_world(work: Solved) -> None:
        with open_edited(work.files / (path if isinstance(path, str) else path(work))) as document:
            apply_change(change, work, document[sheet] if sheet else document)

    return make_miss(caught_by, corrupt_world)


def set_attributes(path: FilePath, which: Change, caught_by: Leaves, *, sheet: str = "", **attributes: Any) -> Miss:
    """Make a near miss that sets attributes of what `which` selects in a file or sheet: an object or a list of them."""

    def change(document: Any, work: Solved) -> None:
        selected = apply_change(which, work, document)
        objects = selected if isinstance(selected, list) else [selected]
        if not objects:
            raise LookupError(f"this near miss changes nothing in {path}: nothing is selected")
        for target in objects:
            for name, value in attributes.items():
                setattr(target, name, value)

    return edit_file(path, change, caught_by, sheet=sheet)


def make_edit_decorator(path: FilePath, *, caught_by: Leaves, sheet: str = "") -> Callable[[Change], Miss]:
    """Make a decorator that turns a function changing a file or a workbook's sheet into a near miss (`edit_file`)."""
    return lambda change: edit_file(path, change, caught_by, sheet=sheet)


def edits_by(
    edit: Callable[[Solved, Callable[..., object]], object], *, caught_by: Leaves
) -> Callable[[Callable[..., object]], Miss]:
    """Like `make_edit_decorator`, for objects that the task opens itself: `edit` passes them to the function."""
    return lambda change: make_miss(
        caught_by, lambda work: edit(work, lambda *parts: apply_change(change, work, *parts))
    )


def apply_change(change: Callable[..., Any], work: Solved, *parts: Any) -> Any:
    """Apply the change to the opened object; a function with one more parameter also gets the solved world."""
    takes_work = len(inspect.signature(change).parameters) > len(parts)
    return change(*parts, work) if takes_work else change(*parts)
