import io
import os
import pty
import sys

import pytest

from yardkit.sandbox.cli.console import show_progress


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, *lines: tuple[str, str]) -> str:
    """What a terminal shows while `lines` come in."""
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0) as reader, os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        monkeypatch.setenv("TERM", "xterm")
        with show_progress(len(lines), "proving") as ended:
            for line, state in lines:
                ended(line, state)
        terminal.close()
        return b"".join(iter(lambda: _read_chunk(reader), b"")).decode()


def _read_chunk(reader: io.FileIO) -> bytes:
    """What has come so far; nothing at the end, which a terminal whose other side is closed tells as an error."""
    try:
        return reader.read(1 << 16)
    except OSError:
        return b""


def test_a_terminal_gets_a_bar_and_brackets_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal_text = on_a_terminal(monkeypatch, ("one [/red] two", "passed"), ("[bold]three", "invalid"))
    assert "one [/red] two" in terminal_text
    assert "[bold]three" in terminal_text
    assert "2/2" in terminal_text


def test_without_a_terminal_there_is_a_plain_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress(2, "running") as ended:
        ended("first", "passed")
        ended("second", "failed")
    assert capsys.readouterr().err == "[1/2] passed   first\n[2/2] failed   second\n"
