"""Opening a delivered file in order to spoil it, or to save it again by another library."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from toolyard.evaluators.proof import Miss, Solved, killed_by
from toolyard.evaluators.readers.engines.workbook_files import load_workbook

Leaves = str | tuple[str, ...]


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """A file as its library reads it (openpyxl, python-docx, python-pptx, pikepdf), saved at the end."""
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        import pikepdf

        with pikepdf.open(path, allow_overwriting_input=True) as document:
            yield document
            document.save(path)
        return
    document = _office(path, suffix)
    yield document
    document.save(str(path))


def _office(path: Path, suffix: str) -> Any:
    if suffix == ".docx":
        import docx

        return docx.Document(str(path))
    if suffix == ".pptx":
        import pptx

        return pptx.Presentation(str(path))
    return load_workbook(path)


def miss(kills: Leaves, spoil: Callable[[Solved], object]) -> Miss:
    """A near miss that spoils a solved world and must be noticed by these leaves."""

    def made(work: Solved) -> None:
        spoil(work)

    return killed_by(*((kills,) if isinstance(kills, str) else kills))(made)


def edited(path: str, change: Callable[[Any, Solved], object], kills: Leaves) -> Miss:
    """A near miss that changes a file, as its library reads it."""

    def spoil(work: Solved) -> None:
        with opened(work.files / path) as document:
            change(document, work)

    return miss(kills, spoil)
