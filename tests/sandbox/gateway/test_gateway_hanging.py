"""Calls that hang in one episode do not hold up another one, nor the grade of their own."""

import contextlib
import statistics
import threading
import time
from pathlib import Path

import docx
import httpx2
import pytest
from support.gateways import Opened, running_gateway
from support.lures import form_bomb

TASK, HANGING = "office/quarterly_report", 20


def plant_file(runs: Path, episode: Opened, name: str, data: bytes) -> None:
    (runs / episode.id / "world" / "files" / name).write_bytes(data)


def hang_calls(episode: Opened, over: threading.Event) -> None:
    while not over.is_set():
        with contextlib.suppress(httpx2.HTTPError):
            episode.post("call", {"name": "render_pages", "arguments": {"path": "bomb.pdf"}})


def time_renders(episode: Opened, name: str) -> float:
    """The median seconds of ten renders."""
    times = []
    for _ in range(10):
        started = time.perf_counter()
        assert not episode.post("call", {"name": "render_pages", "arguments": {"path": name}}).json()["is_error"]
        times.append(time.perf_counter() - started)
    return statistics.median(times)


@pytest.mark.drill
def test_a_render_answers_in_twice_its_time_while_twenty_calls_hang(tmp_path: Path) -> None:
    runs, over = tmp_path / "runs", threading.Event()
    with running_gateway(runs) as gateway:
        innocent, *hanging = (gateway.open(task=TASK) for _ in range(HANGING + 1))
        paper = docx.Document()
        paper.add_paragraph("Some text. " * 60)
        paper.save(str(runs / innocent.id / "world" / "files" / "a.docx"))
        time_renders(innocent, "a.docx")
        usual = time_renders(innocent, "a.docx")
        for episode in hanging:
            plant_file(runs, episode, "bomb.pdf", form_bomb())
        threads = [threading.Thread(target=hang_calls, args=(episode, over)) for episode in hanging]
        for thread in threads:
            thread.start()
        time.sleep(5)
        busy = time_renders(innocent, "a.docx")
        started = time.perf_counter()
        assert gateway.grade(hanging[0]).status_code == 200
        graded = time.perf_counter() - started
        over.set()
        for thread in threads:
            thread.join()
    print(f"usual {usual:.3f} s, busy {busy:.3f} s, grade {graded:.1f} s")  # noqa: T201
    assert busy < 2 * usual
    assert graded < 60
