"""The excel server of Toolathlon, still without tools, and the arguments that its tools share."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.cells.linked_parts import open_sheet
from yardkit.servers.sheets.engine.notation.references import area_of
from yardkit.world import Problem, current_world, lock_file, save_bytes


def format_span(start: str, end: str | None) -> str:
    """The range from one cell to another; `start` may be a whole range."""
    return str(area_of(f"{start}:{end}" if end else start))


def filled_span(path: Path, sheet: str, start: str, end: str | None) -> str | None:
    """The range from `start` to `end`, without an end to the last used cell; None for a sheet without any there.

    Raises:
        Problem: no such sheet or range.
    """
    area, grid = area_of(format_span(start, end)), _open_grid(path, sheet)
    used = grid.get_used_area()
    if end or area.size > 1:
        return str(area)
    if used is None or used.bottom < area.top or used.right < area.left:
        return None
    return f"{start}:{str(used).rpartition(':')[2]}"


def merged_in(path: Path, sheet: str) -> list[str]:
    """The merged cells of a sheet."""
    return [str(area) for area in _open_grid(path, sheet).list_merged()]


def _open_grid(path: Path, sheet: str) -> Grid:
    return open_sheet(path, sheet)[1]


@contextmanager
def changing_all(path: Path) -> Iterator[Path]:
    """A copy of a workbook for several changes, which takes its place when all of them could be done."""
    with lock_file(path, current_world().locks), TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        copy.write_bytes(path.read_bytes())
        yield copy
        save_bytes(path, copy.read_bytes())


def to_rgb(color: str | None) -> str | None:
    """RRGGBB of a colour that may come as AARRGGBB or with "#".

    Raises:
        Problem: it is no colour.
    """
    from yardkit.servers.sheets import engine

    text = color.lstrip("#") if isinstance(color, str) else color
    return engine.normalize_color(text[2:] if text and len(text) == 8 else text) if text else None


def translate_word(what: str, value: object, known: dict[str, str]) -> str:
    """What a word of Toolathlon is called here.

    Raises:
        Problem: it is none of the known words.
    """
    if not isinstance(value, str) or value not in known:
        raise Problem(f"{what} is {value!r}; it takes {', '.join(known)}")
    return known[value]
