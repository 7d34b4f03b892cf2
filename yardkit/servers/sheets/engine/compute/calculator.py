"""The calculation engine IronCalc, in a process of its own for each workbook.

A workbook may keep the engine busy for ever, fill the memory or end the process; and while it computes, nothing else
of Python runs beside it. So it works outside: the calls of other workbooks go on, and what takes too long is ended.
"""

from __future__ import annotations

import atexit
import contextlib
import shutil
import sys
import threading
import time
import weakref
from collections import deque
from itertools import chain
from pathlib import Path
from typing import Any

from yardkit.programs.jail import Jail, python_paths
from yardkit.programs.worker import Gone, Overrun, WorkerProcess
from yardkit.servers.sheets.engine.notation.references import MAX_ROW, Area
from yardkit.world import Unavailable
from yardkit.world.tree import clone_file

SECONDS = 120.0
"""Time that the engine may take for one calculation, all its passes together, and for loading a workbook."""
_WORKER = Path(__file__).with_name("calculator_worker.py")
_BLOCK = 256
"""Cells of a column that are read together: the next one to be read is often below."""
_FEW = 16
"""Blocks from which an area is put together; of larger ones nothing is kept."""
_MOST_PUTS = 20_000
_MOST_FREE, _FREE_S, _FREE_BYTES = 2, 60.0, 300_000_000
UNCOMPUTED = "#ERROR!"
"""What the engine has for a formula that was put in and not computed yet."""


class Failure(Exception):
    """The engine cannot do it; the words say why."""


class TooMuch(Failure):
    """The engine was ended: it took too much time or memory."""


class Panic(Failure):
    """The engine says itself that it cannot, in words for those who make it."""


class Calculator:
    """A workbook in the engine. Rows and columns count from 1, sheets from 0; nothing is computed before `evaluate`.

    Attributes:
        sheets: the names of the sheets.
    """

    def __init__(self, path: Path) -> None:
        """Read the file at `path`.

        Raises:
            Failure: the engine cannot.
            Unavailable: the engine does not start.
        """
        self._process = _take_engine()
        weakref.finalize(self, _free_engine, self._process).atexit = False
        self._puts: list[tuple[int | str, ...]] = []
        self._broken = False
        self._blocks: dict[tuple[str, int, int, int], list[Any]] = {}
        self.restart_clock()
        self.sheets: list[str] = self._load_file(path)

    def _load_file(self, path: Path) -> list[str]:
        # From a copy in the engine's own directory: it sees no other file.
        copy = self._process.base / "workbook.xlsx"
        copy.unlink(missing_ok=True)
        clone_file(path, copy)
        try:
            sheets: list[str] = self._ask_worker("load", path=str(copy))
        finally:
            copy.unlink(missing_ok=True)
        return sheets

    def restart_clock(self) -> None:
        """Let the time that may be taken begin anew."""
        self._left = SECONDS

    def is_usable(self) -> bool:
        """Whether all that was put in is there still."""
        return not self._broken and self._process.is_usable()

    def put(self, sheet: int, row: int, column: int, text: str) -> None:
        """Put in what a user would type; it is known of failures later."""
        self._puts.append((sheet, row, column, text))
        block = self._blocks.get(("values", sheet, column, row // _BLOCK))
        if block is not None:
            block[row % _BLOCK] = UNCOMPUTED if text.startswith("=") else _UNREAD
        if len(self._puts) >= _MOST_PUTS:
            self.flush()

    def put_array(self, sheet: int, row: int, column: int, area: Area, text: str) -> None:
        """Put in an array formula that fills an area, whatever the size of its value."""
        self._puts.append((sheet, row, column, area.columns, area.rows, text))
        self._blocks.clear()

    def flush(self) -> None:
        """Hand over what was put in.

        Raises:
            Failure: some of it cannot be put in.
        """
        if self._puts:
            self._ask_worker("nothing")

    def evaluate(self) -> None:
        """Compute all formulas.

        Raises:
            Failure: it cannot, or it took too long.
        """
        self._blocks.clear()
        self._ask_worker("evaluate")

    def value(self, sheet: int, row: int, column: int) -> Any:
        """The value of a cell: None, bool, float or str."""
        return self._of_block("values", sheet, row, column)

    def values(self, sheet: int, area: Area) -> list[Any]:
        """The values of an area, line by line."""
        numbers = range(area.top // _BLOCK, area.bottom // _BLOCK + 1)
        if len(numbers) * area.columns > _FEW:
            return list(self._ask_worker("values", sheet=sheet, area=(area.top, area.left, area.bottom, area.right)))
        first = area.top - numbers[0] * _BLOCK
        columns = []
        for column in range(area.left, area.right + 1):
            blocks = [self._read_block("values", sheet, column, number) for number in numbers]
            columns.append(list(chain(*blocks))[first : first + area.rows])
        values = list(chain(*zip(*columns, strict=True)))
        if _UNREAD in values:
            self._blocks.clear()
            return self.values(sheet, area)
        return values

    def get_filled_size(self, sheet: int, row: int, column: int) -> tuple[int, int] | None:
        """How many rows and columns the formula in a cell fills; None where it fills its own cell alone."""
        structure = self._of_block("structures", sheet, row, column)
        kind, size = next(iter(structure.items())) if isinstance(structure, dict) else ("", (1, 1))
        return (size[1], size[0]) if kind.endswith("Anchor") else None

    def size(self, sheet: int) -> tuple[int, int]:
        """The last row and the last column that are used."""
        _, last_row, _, last_column = self._ask_worker("size", sheet=sheet)
        return last_row, last_column

    def add_sheet(self, name: str) -> int:
        """A new sheet behind the others; its number."""
        self.sheets.append(self._ask_worker("add", name=name))
        return len(self.sheets) - 1

    def _of_block(self, kind: str, sheet: int, row: int, column: int) -> Any:
        number, place = divmod(row, _BLOCK)
        block_value = self._read_block(kind, sheet, column, number)[place]
        if block_value is _UNREAD:
            del self._blocks[kind, sheet, column, number]
            block_value = self._read_block(kind, sheet, column, number)[place]
        return block_value

    def _read_block(self, kind: str, sheet: int, column: int, number: int) -> list[Any]:
        """What was read of a column, from row `number` times the length of a block on; there is no row 0."""
        key = kind, sheet, column, number
        if key not in self._blocks:
            first = number * _BLOCK
            block_values = self._ask_worker(
                kind, sheet=sheet, area=(max(first, 1), column, min(first + _BLOCK - 1, MAX_ROW), column)
            )
            self._blocks[key] = block_values if first else [None, *block_values]
        return self._blocks[key]

    def _ask_worker(self, do: str, **values: Any) -> Any:
        """The result of a job, after all that waits was put in."""
        if not self.is_usable():
            raise Failure("it ended")
        puts, self._puts = self._puts, []
        begun = time.monotonic()
        try:
            answer = self._process.ask({"do": do, "puts": puts, **values}, self._left)
        except BaseException as error:
            self._process.stop()  # whatever happened: its answer must not be taken for that to the next job
            if isinstance(error, Overrun):
                late = time.monotonic() - begun >= self._left
                raise TooMuch(f"it took more than {f'{SECONDS:g} s' if late else error}") from None
            if isinstance(error, Gone):
                raise Failure("it crashed") from None
            raise
        finally:
            self._left = max(self._left - (time.monotonic() - begun), 0.0)
        if "failed" in answer:
            self._broken |= not answer["put"]
            raise Panic(answer["message"])
        return answer["result"]


_UNREAD = object()
_waiting: deque[tuple[WorkerProcess, float]] = deque()
"""Engines whose workbook nobody needs any more, with the time since when."""
_reaper = threading.Thread()
_all: weakref.WeakSet[WorkerProcess] = weakref.WeakSet()


@atexit.register
def stop_engines() -> None:
    """End all engines; a workbook that is edited again gets a new one."""
    for process in list(_all):
        process.stop()


def _take_engine() -> WorkerProcess:
    """An engine that is free, or a new one."""
    global _reaper  # noqa: PLW0603 - one for the process
    with contextlib.suppress(IndexError):
        while True:
            process, _ = _waiting.pop()
            if process.is_usable() and process.memory_bytes() < _FREE_BYTES:
                return process
            process.stop()
    if not _reaper.is_alive():
        _reaper = threading.Thread(target=_reap_engines, name="yardkit-IronCalc-idle", daemon=True)
        _reaper.start()
    try:
        process = WorkerProcess(
            "IronCalc", _build_command, _build_environment, jail=Jail(read_only_paths=python_paths())
        )
    except OSError as error:  # no room, or no more processes
        raise Unavailable(f"the calculation engine does not start on this machine: {error}") from error
    _all.add(process)
    return process


def _free_engine(process: WorkerProcess) -> None:
    # Called when the memory of a calculator is freed, wherever that happens: it must not wait.
    _waiting.append((process, time.monotonic()))


def _reap_engines() -> None:
    """End engines that nobody took again."""
    while True:
        time.sleep(_FREE_S / 4)
        with contextlib.suppress(IndexError):
            while len(_waiting) > _MOST_FREE or _waiting[0][1] + _FREE_S < time.monotonic():
                _waiting.popleft()[0].stop()


def _build_command(base: Path) -> list[str]:
    shutil.copyfile(_WORKER, base / _WORKER.name)
    return [sys.executable, "-P", "-B", str(base / _WORKER.name)]


def _build_environment(_base: Path) -> dict[str, str]:
    import ironcalc

    return {"LANG": "C.UTF-8", "PYTHONPATH": str(Path(ironcalc.__file__).parents[1])}
