"""Workers die when they should, come again when they must, and leave nothing behind."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import docx
import pytest
from support.papers import LOREM
from support.processes import list_alive, wait_until

from yardkit.kit.pages import browser, libreoffice
from yardkit.programs import keeper
from yardkit.programs import worker as processes
from yardkit.programs.jail import Jail
from yardkit.programs.worker import WorkerProcess
from yardkit.world import Problem, Unavailable

PROGRAM = """
import sys
from pathlib import Path
from yardkit.kit.pages import {module}
{module}.warm()
process = {process}
print(process.base, *process.pids(), flush=True)
sys.stdin.readline()
"""
OWNERS = {"libreoffice": "libreoffice._office.kept.process", "browser": "browser._kept.process"}


def start_office() -> WorkerProcess:
    libreoffice.warm_office()
    process = libreoffice._office.kept.process
    assert process is not None
    return process


@pytest.fixture
def long_report(tmp_path: Path) -> Path:
    """A document that takes LibreOffice seconds."""
    document = docx.Document()
    for _ in range(1200):
        document.add_paragraph(LOREM * 6)
    path = tmp_path / "long.docx"
    document.save(str(path))
    return path


def test_a_job_beyond_its_time_is_killed_and_the_next_one_works(long_report: Path, report: Path) -> None:
    process = start_office()
    pids = process.pids()
    with pytest.raises(Problem, match=r"'long.docx' needed more than 0.05 s in LibreOffice"):
        libreoffice.convert_file(long_report, long_report.with_name("out.pdf"), seconds=0.05)
    assert list_alive(pids) == []
    assert not process.base.exists()
    assert not long_report.with_name("out.pdf").exists()
    assert libreoffice.page_count(report) == 3


@pytest.mark.drill
def test_libreoffice_killed_in_the_middle_of_a_job_is_started_anew(long_report: Path) -> None:
    process = start_office()
    done: list[int] = []
    thread = threading.Thread(target=lambda: done.append(libreoffice.page_count(long_report)))
    thread.start()
    wait_until(lambda: process.jobs > 0)
    for pid in process.pids():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # its starter may just have ended
            if "soffice" in Path(f"/proc/{pid}/cmdline").read_text("utf-8"):
                os.kill(pid, signal.SIGKILL)
    thread.join()
    assert len(done) == 1
    assert done[0] > 10
    assert libreoffice._office.kept.process is not process
    assert not process.base.exists()


@pytest.mark.drill
def test_a_worker_killed_while_it_waits_is_started_anew(report: Path) -> None:
    process = start_office()
    os.killpg(process.process.pid, signal.SIGKILL)
    wait_until(lambda: process.process.poll() is not None)
    assert libreoffice.page_count(report) == 3


@pytest.mark.drill
def test_a_worn_process_is_replaced(report: Path) -> None:
    process = start_office()
    process.jobs = libreoffice._office.kept.max_jobs
    assert libreoffice.page_count(report) == 3
    assert libreoffice._office.kept.process is not process
    assert not process.base.exists()


@pytest.mark.parametrize("module", [libreoffice, browser])
@pytest.mark.drill
def test_a_process_that_nobody_asks_ends_and_comes_again(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = libreoffice._office.kept if module is libreoffice else browser._keeper
    module.stop()
    monkeypatch.setattr(keeper, "idle_s", 0.3)
    monkeypatch.setattr(keeper, "_watcher", None)
    for _ in range(2):
        module.warm()
        process = keeper.process
        if process is not None:  # it may have already finished on a slow machine
            pids = process.pids()
            wait_until(lambda pids=pids, process=process: not list_alive(pids) and not process.base.exists())  # type: ignore[misc]
        wait_until(lambda: keeper.process is None and keeper._watcher is None)


def test_stopping_leaves_no_process_and_no_directory(report: Path) -> None:
    process = start_office()
    pids = process.pids()
    assert len(pids) >= 3
    libreoffice.stop_office()
    assert list_alive(pids) == []
    assert not process.base.exists()


@pytest.mark.parametrize("module", sorted(OWNERS))
@pytest.mark.parametrize("end", ["kill -9", "exit"])
@pytest.mark.drill
def test_workers_end_with_the_process_that_started_them(module: str, end: str) -> None:
    program = PROGRAM.format(module=module, process=OWNERS[module])
    owner = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert owner.stdin
    assert owner.stdout
    base, *numbers = owner.stdout.readline().split()
    pids = [int(number) for number in numbers]
    assert list_alive(pids) == pids
    if end == "exit":
        owner.stdin.write("\n")
        owner.stdin.flush()
    else:
        owner.kill()
    owner.wait()
    owner.stdin.close()
    owner.stdout.close()
    wait_until(lambda: not list_alive(pids))
    wait_until(lambda: not Path(base).exists())


@pytest.mark.drill
def test_two_processes_have_a_libreoffice_each(report: Path) -> None:
    program = (
        "from pathlib import Path\nfrom yardkit.kit.pages import libreoffice\n"
        f"print(libreoffice.page_count(Path({str(report)!r})))"
    )
    command = [sys.executable, "-c", program]
    others = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert libreoffice.page_count(report) == 3
    assert [other.communicate(timeout=240)[0].strip() for other in others] == ["3", "3"]


def test_a_forked_child_starts_its_own(report: Path) -> None:
    process = start_office()
    child = os.fork()
    if child == 0:
        usable = process.is_usable()
        os._exit(1 if usable else 0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert process.is_usable()


def test_processes_are_known_where_there_is_no_proc(report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = start_office()
    pids, memory = worker.pids(), worker.memory_bytes()
    monkeypatch.setattr(processes, "_PROC", report / "none")
    assert worker.pids() == pids
    assert worker.memory_bytes() == pytest.approx(memory, rel=0.2)
    libreoffice.stop_office()
    assert list_alive(pids) == []


def test_what_does_not_start_is_said_in_its_own_words(tmp_path: Path) -> None:
    command = ["/bin/sh", "-c", "echo no display >&2; exit 3"]
    with pytest.raises(Unavailable, match="Something does not start on this machine: no display"):
        WorkerProcess("Something", lambda base: command, lambda base: {}, jail=Jail())
    assert not list(Path(tempfile.gettempdir()).glob("yardkit-something-*"))


@pytest.mark.drill
def test_a_page_that_never_ends_is_killed_and_the_next_one_works(tmp_path: Path) -> None:
    page = tmp_path / "loop.html"
    page.write_text("<script>while (true);</script>")
    browser.warm_browser()
    process = browser._keeper.process
    assert process is not None
    pids = process.pids()
    with pytest.raises(Problem, match=r"'loop.html' needed more than 2 s in the browser"):
        browser.visit_page(page, tmp_path, seconds=2)
    assert list_alive(pids) == []
    assert not process.base.exists()
    page.write_text("<title>Well</title>")
    assert browser.visit_page(page, tmp_path).title == "Well"


@pytest.mark.drill
def test_a_browser_killed_while_it_waits_is_started_anew(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("<title>Well</title>")
    browser.warm_browser()
    process = browser._keeper.process
    assert process is not None
    for pid in process.pids()[1:]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    assert browser.visit_page(page, tmp_path).title == "Well"
    assert browser._keeper.process is not process
    assert not process.base.exists()


@pytest.mark.parametrize("module", [libreoffice, browser])
def test_a_file_that_keeps_one_busy_does_not_hold_up_another(
    module: Any, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "_PATIENCE_S", 0.0)
    keeper_process = libreoffice._office.kept if module is libreoffice else browser._keeper
    assert keeper_process.acquire()
    try:
        if module is libreoffice:
            assert libreoffice.page_count(report) == 3
        else:
            browser.visit_page(report, report.parent, content="<p>text</p>")
    finally:
        keeper_process.give_back()
        libreoffice.stop_office() if module is libreoffice else browser.stop_browser()
