"""Calls in a process of their own."""

import contextlib
import os
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import bounded_work as work
import pytest

from yardkit.programs import bounded as module
from yardkit.programs.bounded import run_bounded
from yardkit.world import Problem
from yardkit.world.guard import Running, use_guard


def call_bounded(function: Any, *args: object, seconds: float = 60, memory_bytes: int = 500_000_000) -> Any:
    return run_bounded(function, *args, seconds=seconds, memory_bytes=memory_bytes)


def test_the_result_comes_back() -> None:
    assert call_bounded(work.add, 20, 22) == 42


def test_a_process_that_kept_another_leaves_nothing_open_at_its_end() -> None:
    source = """
import math
from yardkit.programs.bounded import run_bounded
from yardkit.programs.temporary import own_temporary_folder
own_temporary_folder()
run_bounded(math.sqrt, 4.0, seconds=20, memory_bytes=500_000_000, stays=True)
"""
    ended = subprocess.run([sys.executable, "-W", "always", "-c", source], capture_output=True, text=True, check=True)
    assert ended.stderr == ""


def test_what_a_module_wants_preloaded_is_loaded_before_the_call() -> None:
    assert "fractions" in call_bounded(work.list_loaded_modules)


@pytest.mark.parametrize("function", [work.spin_forever, work.spin_in_c])
def test_a_call_over_its_time_is_killed_even_inside_c_code(function: Any) -> None:
    with pytest.raises(Problem, match=r"limit of 0\.3 s"):
        call_bounded(function, seconds=0.3)


@pytest.mark.parametrize("killed", [False, True])
def test_temporary_files_go_with_the_call_also_when_it_is_killed(tmp_path: Path, killed: bool) -> None:
    report_path = tmp_path / "told"
    with contextlib.suppress(Problem):
        call_bounded(work.leave_a_file, str(report_path), killed)
    left = Path(report_path.read_text())
    deadline = time.monotonic() + 240
    while left.parent.exists():
        assert time.monotonic() < deadline, f"{left.parent} is still there"
        time.sleep(0.01)


def test_calls_go_on_when_the_folder_of_the_first_one_is_removed(tmp_path: Path) -> None:
    program = "import os, bounded_work as work; from yardkit.programs.bounded import run_bounded\n"
    program += "limits = {'seconds': 60, 'memory_bytes': 500_000_000}; run_bounded(work.add, 1, 1, **limits)\n"
    program += "os.rmdir(os.getcwd()); os.chdir('/'); print(run_bounded(work.get_folder, **limits))"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.stdout == "/\n", done.stderr


@pytest.mark.drill
def test_a_program_that_ends_right_after_a_call_leaves_nothing(tmp_path: Path) -> None:
    program = "import bounded_work as work; from yardkit.programs.bounded import run_bounded\n"
    program += "print(run_bounded(work.add, 1, 1, seconds=60, memory_bytes=500_000_000))"
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parent)}
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        assert done.stdout == "2\n", done.stderr
    deadline = time.monotonic() + 240
    while left := list(tmp_path.iterdir()):
        assert time.monotonic() < deadline, left
        time.sleep(0.01)


def test_too_much_memory_is_a_problem_that_names_the_limit() -> None:
    with pytest.raises(Problem, match="500,000,000 bytes of memory"):
        call_bounded(work.grow_memory)


def test_the_limit_of_memory_holds_for_good_but_for_graders_that_start_programs() -> None:
    assert not call_bounded(work.raise_own_limit)
    assert run_bounded(work.raise_own_limit, seconds=20, memory_bytes=500_000_000, starts_programs=True)


def test_a_crash_of_a_native_library_is_a_problem_that_says_so() -> None:
    with pytest.raises(Problem, match="SIGSEGV"):
        call_bounded(work.crash_process)


def test_a_killed_call_is_a_problem_that_says_so() -> None:
    with pytest.raises(Problem, match="SIGKILL"):
        call_bounded(work.be_killed)


def test_a_problem_stays_a_problem() -> None:
    with pytest.raises(Problem, match="3 is odd"):
        call_bounded(work.refuse_value, 3)


def test_another_exception_keeps_its_type_and_says_where_it_was_raised() -> None:
    with pytest.raises(KeyError, match="lost") as caught:
        call_bounded(work.fail_with_error)
    assert any("bounded_work.py" in note for note in caught.value.__notes__)


def test_endless_recursion_is_a_problem() -> None:
    with pytest.raises(Problem, match="nests too deeply"):
        call_bounded(work.nest_deeply)


def test_the_call_has_no_standard_input_and_output(capfd: pytest.CaptureFixture[str]) -> None:
    assert call_bounded(work.speak_to_nobody) == ""
    assert capfd.readouterr().out == ""


def test_large_results_arrive_whole() -> None:
    assert len(call_bounded(work.make_large, 20_000_000)) == 20_000_000


def test_calls_of_many_threads_run_at_the_same_time(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        processes = set(pool.map(lambda _: call_bounded(work.meet_in_folder, str(tmp_path), 8, seconds=240), range(8)))
    assert len(processes) == 8


@pytest.mark.drill
def test_two_hundred_calls_leave_no_process_and_no_descriptor() -> None:
    call_bounded(work.add, 1, 1)
    before = _count_descriptors()
    for number in range(200):
        assert call_bounded(work.add, number, 1) == number + 1
    assert _count_descriptors() == before
    assert module._helper is not None
    children = Path(f"/proc/{module._helper.process.pid}/task/{module._helper.process.pid}/children")
    deadline = time.monotonic() + 240
    while len(left := children.read_text().split()) > 1 and time.monotonic() < deadline:
        call_bounded(work.add, 1, 1)  # the helper takes leave of ended children when it is woken
    assert len(left) <= 1


@pytest.mark.drill
def test_when_the_helper_was_killed_the_next_call_starts_another() -> None:
    call_bounded(work.add, 1, 1)
    assert module._helper is not None
    module._helper.process.kill()
    module._helper.process.wait()
    assert call_bounded(work.add, 1, 2) == 3


def test_the_helper_ends_with_the_program_that_used_it() -> None:
    program = (
        "import bounded_work as work, yardkit.programs.bounded as m\n"
        "m.run_bounded(work.add, 1, 2, seconds=60, memory_bytes=10**8); print(m._helper.process.pid)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    assert not Path(f"/proc/{run.stdout.strip()}").exists()


def test_no_module_is_taken_from_the_current_directory(tmp_path: Path) -> None:
    (tmp_path / "fractions.py").write_text("raise SystemExit('evil')")
    program = (
        "import bounded_work as w\nfrom yardkit.programs.bounded import run_bounded\n"
        "print(run_bounded(w.add, 1, 2, seconds=60, memory_bytes=10**8))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    run = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, text=True, env=environment, cwd=tmp_path
    )
    assert run.stdout == "3\n", run.stderr


def _count_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_process_that_stays_serves_the_next_call_and_one_that_crashed_does_not() -> None:
    def stay(function: Any, *args: object) -> Any:
        return run_bounded(function, *args, seconds=60, memory_bytes=400_000_000, stays=True)

    first = stay(work.get_pid)
    assert stay(work.get_pid) == first
    with pytest.raises(Problem, match="crashed"):
        stay(work.crash_process)
    assert stay(work.get_pid) != first


def test_what_earlier_calls_keep_loaded_is_no_part_of_what_a_later_one_may_take() -> None:
    def keep(size: int) -> int:
        return run_bounded(work.keep_memory, size, seconds=60, memory_bytes=410_000_000, stays=True)

    first = keep(300_000_000)
    assert keep(300_000_000) == first
    assert keep(1) != first, "it kept more than a call may take"
    with pytest.raises(Problem, match="410,000,000 bytes"):
        keep(500_000_000)


def test_what_functions_of_one_module_keep_is_no_matter_of_another() -> None:
    def call(function: Any, *args: object) -> Any:
        return run_bounded(function, *args, seconds=60, memory_bytes=420_000_000, stays=True)

    first = call(work.keep_memory, 300_000_000)
    assert call(os.getpid) != first
    assert call(work.get_pid) == first


def test_what_stays_is_given_up_when_it_takes_too_long_and_the_next_call_works() -> None:
    for _ in range(2):
        with pytest.raises(Problem, match=r"limit of 0\.3 s"):
            run_bounded(work.spin_in_c, seconds=0.3, memory_bytes=400_000_000, stays=True)
    assert run_bounded(work.add, 1, 1, seconds=60, memory_bytes=400_000_000, stays=True) == 2


def test_a_call_of_a_tool_that_is_ended_ends_what_works_for_it() -> None:
    running = Running()

    def work_for_it() -> None:
        with use_guard(running=running):
            run_bounded(work.spin_in_c, seconds=60, memory_bytes=400_000_000)

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(work_for_it)
        while not running._enders:
            time.sleep(0.01)
        running.end("it is over")
        with pytest.raises(Problem):
            done.result(240)
    with use_guard(running=running), pytest.raises(Problem, match="it is over"):
        run_bounded(work.add, 1, 1, seconds=60, memory_bytes=400_000_000)


@pytest.mark.drill
def test_many_slow_calls_leave_the_processor_to_a_quick_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang() -> None:
        with contextlib.suppress(Problem):
            run_bounded(work.spin_forever, seconds=12, memory_bytes=400_000_000, stays=True)

    def median() -> float:
        times = []
        for _ in range(15):
            started = time.perf_counter()
            run_bounded(work.sum_numbers, 2_000_000, seconds=20, memory_bytes=400_000_000, stays=True)
            times.append(time.perf_counter() - started)
        return statistics.median(times)

    usual = median()
    with ThreadPoolExecutor(20) as pool:
        hanging = [pool.submit(hang) for _ in range(20)]
        time.sleep(4)
        busy = median()
        assert not any(call.done() for call in hanging)
    assert busy < 2 * usual
