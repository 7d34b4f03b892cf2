"""The calculation engine works outside of this process: what keeps it busy or ends it costs values, and no more."""

import contextlib
import contextvars
import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from support.answers import Call
from support.processes import list_alive, wait_until

from yardkit.programs.worker import Limits
from yardkit.servers.sheets.engine.compute import calculations, calculator
from yardkit.servers.sheets.engine.compute.calculator import Calculator, Failure
from yardkit.servers.sheets.engine.notation.references import Area

BUSY = "=REDUCE(0,SEQUENCE(1000000),LAMBDA(a,b,a+SUM(SEQUENCE(1000))))"
LARGE = "=SUMPRODUCT((A1:A40000=TRANSPOSE(A1:A40000))*1)"
OWNER = """
import sys
from pathlib import Path
from yardkit.servers.sheets.engine.compute.calculator import Calculator
engine = Calculator(Path(sys.argv[1]))
print(*engine._process.pids(), flush=True)
engine.put(0, 1, 2, sys.argv[2])
sys.stdin.readline()
engine.evaluate()
"""


def read_column(path: Any, letter: Any) -> Any:
    return [cell.value for cell in openpyxl.load_workbook(path, data_only=True).worksheets[0][letter]]


@pytest.fixture
def numbers(tmp_path: Path) -> Any:
    """A workbook with the numbers from 1 to 1,000 in column A."""
    book = openpyxl.Workbook()
    for number in range(1, 1001):
        book.active.append([number])
    book.save(tmp_path / "numbers.xlsx")
    return tmp_path / "numbers.xlsx"


def collect_engines(monkeypatch: pytest.MonkeyPatch) -> Any:
    """All engines that are taken from now on."""
    engines = []
    monkeypatch.setattr(
        calculator, "_take_engine", lambda taken=calculator._take_engine: engines.append(taken()) or engines[-1]
    )
    return engines


def kill_engine(engine: Any) -> None:
    for pid in engine.pids():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def run_beside(work: Any) -> Any:
    """Another thread that works in this world."""
    thread = threading.Thread(target=contextvars.copy_context().run, args=[work])
    thread.start()
    return thread


def test_a_calculation_that_takes_too_long_is_given_up_and_the_change_is_saved(
    files: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("write_cells", path="busy.xlsx", rows=[[1, "=A1*2"]])
    monkeypatch.setattr(calculator, "SECONDS", 0.5)
    reply = call("write_cells", path="busy.xlsx", start_cell="C1", rows=[[BUSY]]).structured_content
    assert [cell["cell"] for cell in reply["unknown"]] == ["Sheet1!C1"]
    assert "it took more than 0.5 s" in reply["unknown"][0]["reason"]
    assert [read_column(files / "busy.xlsx", letter) for letter in "ABC"] == [[1], [2], [None]]
    monkeypatch.undo()
    call("write_cells", path="busy.xlsx", start_cell="C1", rows=[["=B1+1"]])
    assert read_column(files / "busy.xlsx", "C") == [3]


@pytest.mark.drill
def test_a_calculation_that_fills_the_memory_is_given_up(numbers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Calculator(numbers)
    monkeypatch.setattr(engine._process, "limits", Limits(memory_bytes=200_000_000))
    engine.put(0, 1, 2, LARGE)
    with pytest.raises(Failure, match="it took more than 200,000,000 bytes of memory"):
        engine.evaluate()
    assert not engine.is_usable()


def test_other_workbooks_are_edited_while_one_keeps_the_engine_busy(
    files: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("write_cells", path="other.xlsx", rows=[[1, "=A1*2"]])
    call("write_cells", path="busy.xlsx", rows=[[1]])
    engines = collect_engines(monkeypatch)
    busy = run_beside(lambda: call("write_cells", path="busy.xlsx", rows=[[BUSY]]))
    wait_until(lambda: engines and engines[0].jobs > 1)
    for number in range(5):
        call("write_cells", path="other.xlsx", rows=[[number]])
        assert read_column(files / "other.xlsx", "B") == [2 * number]
    assert busy.is_alive()
    for engine in engines:
        kill_engine(engine)
    busy.join()


def test_an_engine_that_is_killed_between_two_edits_is_started_anew(
    files: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines = collect_engines(monkeypatch)
    call("write_cells", path="a.xlsx", rows=[[1, "=A1*2"]])
    os.killpg(engines[-1].process.pid, signal.SIGKILL)
    wait_until(lambda: engines[-1].process.poll() is not None)
    reply = call("write_cells", path="a.xlsx", rows=[[4]]).structured_content
    assert not reply.get("unknown")
    assert read_column(files / "a.xlsx", "B") == [8]
    assert len(engines) == 2


def test_an_engine_that_is_killed_while_it_computes_costs_values_until_the_next_calculation(
    files: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines = collect_engines(monkeypatch)
    replies = []
    rows = [[1, "=A1*2", BUSY]]
    write = run_beside(lambda: replies.append(call("write_cells", path="a.xlsx", rows=rows)))
    wait_until(lambda: engines and engines[-1].jobs > 1)
    time.sleep(0.2)
    kill_engine(engines[-1])
    write.join()
    assert "it crashed" in replies[0].structured_content["unknown"][0]["reason"]
    call("write_cells", path="a.xlsx", start_cell="C1", rows=[[5]])
    assert [read_column(files / "a.xlsx", letter) for letter in "BC"] == [[2], [5]]


def test_where_the_engine_ends_while_values_are_read_libreoffice_computes(
    files: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("write_cells", path="a.xlsx", rows=[[1, "=A1*2"]])
    evaluate = Calculator.evaluate
    monkeypatch.setattr(Calculator, "evaluate", lambda self: (evaluate(self), self._process.stop()))
    reply = call("write_cells", path="a.xlsx", rows=[[4]]).structured_content
    assert "unknown" not in reply
    assert [read_column(files / "a.xlsx", letter) for letter in "AB"] == [[4], [8]]


def test_an_engine_whose_answer_was_not_awaited_is_not_asked_again(
    numbers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Calculator(numbers)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(engine._process, "_await_answer", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
        engine.value(0, 1, 1)
    assert not engine.is_usable()
    assert Calculator(numbers).value(0, 2, 1) == 2


def test_the_engine_of_a_workbook_that_nobody_needs_serves_the_next_one(numbers: Any) -> None:
    first = Calculator(numbers)
    first.put(0, 1, 2, "=SUM(A:A)")
    worker = first._process
    second = Calculator(numbers)
    assert second._process is not worker
    del first
    third = Calculator(numbers)
    assert third._process is worker
    third.evaluate()
    assert third.value(0, 1, 2) is None


def test_engines_that_nobody_takes_again_are_ended(numbers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calculator, "_FREE_S", 0.2)
    monkeypatch.setattr(calculator, "_waiting", deque())
    monkeypatch.setattr(calculator, "_reaper", threading.Thread())
    pids = Calculator(numbers)._process.pids()
    wait_until(lambda: not list_alive(pids))


def test_values_are_those_of_the_last_calculation_wherever_they_are_read(numbers: Any) -> None:
    engine = Calculator(numbers)
    assert engine.values(0, Area(255, 1, 258, 1)) == [255, 256, 257, 258]
    assert engine.values(0, Area(1, 1, 2, 2)) == [1, None, 2, None]
    engine.put(0, 256, 1, "=A255*10")
    engine.put(0, 1000, 1, "=A255*10")
    assert engine.value(0, 256, 1) == engine.value(0, 1000, 1) == calculator.UNCOMPUTED
    engine.put(0, 255, 1, "7")
    assert engine.value(0, 255, 1) == 7
    engine.put(0, 1, 3, "=SEQUENCE(300,2)")
    engine.evaluate()
    assert engine.value(0, 256, 1) == 70
    assert [engine.value(0, row, 4) for row in (1, 300, 301)] == [2, 600, None]
    assert engine.get_filled_size(0, 1, 3) == (300, 2)
    assert engine.get_filled_size(0, 2, 3) is engine.get_filled_size(0, 1, 1) is None
    assert engine.size(0) == (1000, 4)
    assert engine.values(0, Area(1_048_575, 1, 1_048_576, 2)) == [None] * 4


def test_engines_of_workbooks_that_are_edited_no_more_are_free_at_once(
    files: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines = collect_engines(monkeypatch)
    gc.collect()
    gc.disable()
    try:
        for number in range(8):
            call("write_cells", path=f"{number}.xlsx", rows=[[1, "=A1*2"]])
        assert len(engines) == 8
        assert len(set(map(id, engines))) <= calculations.MAX_MODELS + 2
    finally:
        gc.enable()


def test_an_engine_that_is_gone_is_replaced_also_where_formulas_alone_change(
    files: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines = collect_engines(monkeypatch)
    call("write_cells", path="a.xlsx", rows=[[4, "=A1*2"]])
    kill_engine(engines[-1])
    looked = iter([True, True])  # it ends after one looked
    monkeypatch.setattr(engines[-1], "is_usable", lambda: next(looked, False))
    reply = call("write_cells", path="a.xlsx", start_cell="B1", rows=[["=A1*3"]]).structured_content
    assert not reply.get("unknown")
    assert read_column(files / "a.xlsx", "B") == [12]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), BlockingIOError(11, "try again")])
def test_an_engine_that_does_not_start_costs_values_and_not_the_change(
    files: Path, call: Call, monkeypatch: pytest.MonkeyPatch, error: Any
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(calculator, "_waiting", deque())
    monkeypatch.setattr(calculator, "WorkerProcess", fail)
    reply = call("write_cells", path="a.xlsx", rows=[[1, "=A1*2"]]).structured_content
    assert "does not start on this machine" in reply["unknown"][0]["reason"]
    assert [read_column(files / "a.xlsx", letter) for letter in "AB"] == [[1], [None]]


def test_goal_seek_in_a_workbook_that_takes_too_long_says_so(
    files: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calculator, "SECONDS", 0.5)
    call("write_cells", path="a.xlsx", rows=[[1, f"{BUSY}*A1"]])
    seek = {"op": "seek_goal", "range": "B1", "by": ["A1"], "value": 5}
    answer = call("edit_workbook", path="a.xlsx", edits=[seek])
    assert answer.is_error
    assert "the workbook takes too long to compute" in answer.content[0].text


def test_what_could_not_be_put_in_makes_the_engine_unusable(numbers: Any) -> None:
    engine = Calculator(numbers)
    engine.put(7, 1, 1, "1")
    with pytest.raises(Failure):
        engine.evaluate()
    assert not engine.is_usable()


@pytest.mark.parametrize("busy", [False, True])
def test_engines_end_with_the_process_that_started_them(numbers: Any, busy: bool) -> None:
    command = [sys.executable, "-c", OWNER, str(numbers), BUSY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
        pids = [int(pid) for pid in owner.stdout.readline().split()]
        assert list_alive(pids) == pids
        if busy:
            owner.stdin.write("\n")
            owner.stdin.flush()
            time.sleep(0.5)
        owner.kill()
    wait_until(lambda: not list_alive(pids))
