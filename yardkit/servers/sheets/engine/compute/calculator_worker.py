"""The calculation engine as a program of its own, which may be killed; never imported.

    python calculator_worker.py    (JSON lines: a job on stdin, its answer on stdout)

It ends when its stdin does, also in the middle of a job.
"""

import json
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

import ironcalc  # noqa: TID253 - the program exists for it

_Job = dict[str, Any]
_PARTS_PER_CELL = 4
"""Parts of what is put into one cell: sheet, row, column, text."""


class Worker:
    """The jobs, about one workbook at a time. Before each the cells of `puts` are put in; nothing is computed then."""

    def __init__(self) -> None:
        self.model: Any = None
        self.jobs: dict[str, Callable[[_Job], Any]] = {
            "load": self.load,
            "evaluate": self.evaluate,
            "values": self.values,
            "structures": self.list_structures,
            "size": lambda job: self.model.get_sheet_dimensions(job["sheet"]),
            "add": self.add,
            "nothing": lambda _job: None,
        }

    def answer(self, job: _Job) -> _Job:
        """The result of a job, or how it failed, and whether all cells were put in."""
        put = False
        try:
            for cell in job["puts"]:
                (self.model.set_user_input if len(cell) == _PARTS_PER_CELL else self.model.set_user_array_formula)(
                    *cell
                )
            put = True
            return {"result": self.jobs[job["do"]](job)}
        except BaseException as error:  # noqa: BLE001 - a panic of the engine derives from it on purpose
            return {"failed": type(error).__name__, "message": str(error)[:400], "put": put}

    def load(self, job: _Job) -> list[str]:
        """Read a file; its sheets."""
        self.model = None
        self.model = ironcalc.create_user_model_from_xlsx(job["path"], "en", "UTC")
        self.model.pause_evaluation()
        return self.list_sheets()

    def list_sheets(self) -> list[str]:
        return [attribute["name"] for attribute in self.model.get_worksheets_properties()]

    def evaluate(self, _job: _Job) -> None:
        self.model.resume_evaluation()
        try:
            self.model.evaluate()
        finally:  # Else what is put in after a failure would be computed at once, and fail again.
            self.model.pause_evaluation()

    def values(self, job: _Job) -> list[Any]:
        """The values of an area, line by line."""
        return [self.model.get_cell_value(job["sheet"], *cell) for cell in _iter_cells(job)]

    def list_structures(self, job: _Job) -> list[Any]:
        """What each cell of an area is: alone, or with others that one formula fills."""
        return [self.model.get_cell_array_structure(job["sheet"], *cell) for cell in _iter_cells(job)]

    def add(self, job: _Job) -> str:
        """A new sheet behind the others; how it is called."""
        self.model.new_sheet()
        self.model.rename_sheet(len(self.list_sheets()) - 1, job["name"])
        return self.list_sheets()[-1]


def _iter_cells(job: _Job) -> Iterator[tuple[int, int]]:
    top, left, bottom, right = job["area"]
    return ((row, column) for row in range(top, bottom + 1) for column in range(left, right + 1))


def _end_with_stdin() -> None:
    """Be killed when stdin ends, by another process: while the engine computes, no thread of Python runs beside it."""
    worker = os.getpid()
    if os.fork():
        return
    for descriptor in (1, 2):  # else nobody would see that the worker is gone
        os.close(descriptor)
    watch = select.poll()
    watch.register(0, select.POLLHUP)  # the end alone, no jobs
    while not watch.poll(1000) and os.getppid() == worker:
        pass
    if os.getppid() == worker:
        os.kill(worker, signal.SIGKILL)
    os._exit(0)


def main() -> None:
    """Do the jobs."""
    _end_with_stdin()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    worker = Worker()
    print("{}", file=answers, flush=True)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):  # the engine writes there about some formulas
        os.dup2(nowhere, descriptor)
    for line in sys.stdin:
        job = json.loads(line)
        print(json.dumps(worker.answer(job)), file=answers, flush=True)


if __name__ == "__main__":
    main()
