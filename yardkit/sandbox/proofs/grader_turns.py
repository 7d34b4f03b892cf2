"""Graders that take turns, so that LibreOffice converts the files of several at once: its start takes longest."""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Generic, TypeVar

from yardkit.evaluators.checkpoints import EnvironmentInvalid
from yardkit.evaluators.readers.engines.libreoffice import LIMIT_S, convert_files_alone, shared_converter

Result = TypeVar("Result")


def in_turns(works: Sequence[Callable[[], Result]]) -> list[Result]:
    """Run pieces of work, each of which reads and converts files; return their results, or raise what one raises.

    One of them runs at a time, until it ends or needs files converted. When all have ended or wait, their files are
    converted in one call, and they continue.
    """
    turns = [_Turn(work) for work in works]
    waiting = [turn for turn in turns if turn.goes_on()]
    while waiting:
        _convert_all(waiting)
        waiting = [turn for turn in waiting if turn.goes_on()]
    return [turn.get_result() for turn in turns]


class _Turn(Generic[Result]):
    """Work in a separate thread, which runs only while `goes_on` is called."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self.pairs: Mapping[Path, Path] = {}
        self.kind = ""
        self._work, self._results, self._errors = work, list[Result](), list[BaseException]()
        self._ours, self._theirs = threading.Semaphore(0), threading.Semaphore(0)
        self._thread = threading.Thread(target=self._run_turn, daemon=True)
        self._thread.start()

    def goes_on(self) -> bool:
        """Let it run; return whether it then waits for files to be converted (else it has ended)."""
        self.kind = ""
        self._theirs.release()
        self._ours.acquire()
        return bool(self.kind)

    def get_result(self) -> Result:
        self._thread.join()
        for error in self._errors:
            raise error
        return self._results[0]

    def _run_turn(self) -> None:
        self._theirs.acquire()
        shared_converter.set(self._convert_files)
        try:
            self._results.append(self._work())
        except BaseException as error:  # noqa: BLE001 - raised again by `result`
            self._errors.append(error)
        self._ours.release()

    def _convert_files(self, pairs: Mapping[Path, Path], kind: str) -> str:
        self.pairs, self.kind = pairs, kind
        self._ours.release()
        self._theirs.acquire()
        # A file that failed together with others is tried alone: another file may have been the cause.
        missing = {source: target for source, target in pairs.items() if not target.exists()}
        return convert_files_alone(missing, kind) if missing else ""


def _convert_all(turns: Sequence[_Turn[Result]]) -> None:
    for kind in sorted({turn.kind for turn in turns}):
        pairs = {source: target for turn in turns if turn.kind == kind for source, target in turn.pairs.items()}
        if len(pairs) > 1:
            with suppress(EnvironmentInvalid):
                # One start for all files, so each further file gets only part of the time of a single one.
                convert_files_alone(pairs, kind, limit_s=LIMIT_S + LIMIT_S / 4 * len(pairs))
