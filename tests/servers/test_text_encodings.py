"""Whichever tool reads a text of another program: it comes right, or is refused, and a guess is told."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from yardkit.apps.drive_words import words_in
from yardkit.kit.pages.page_files import prepare_copy
from yardkit.kit.pages.text_tables import as_utf8
from yardkit.servers.database.engine.sources import read_source
from yardkit.servers.documents.engine.combine.mail_merge import rows_of
from yardkit.servers.files.engine.texts import read_text
from yardkit.servers.git.engine.old_encodings import decode_output
from yardkit.servers.html.engine.new_pages import csv_rows
from yardkit.servers.html.engine.source import read_page
from yardkit.servers.memory.graph_file import read_graph_file
from yardkit.servers.music.engine.files import open_score
from yardkit.servers.pdf.engine.drawing.new_documents import source_of
from yardkit.servers.plot.engine.table import read_rows
from yardkit.servers.render.engine import sources
from yardkit.servers.sheets.engine.edits.csv_files import typed_rows
from yardkit.servers.speech.engine.subtitles import write_transcript
from yardkit.servers.video.engine.subtitle_files import read_subtitles
from yardkit.world import Problem, World, use_world
from yardkit.world.guard import collect_notes

WORDS = {
    "cp1252": "Grüße aus Köln und Öl",
    "utf-8-sig": "Grüße aus Łódź",
    "utf-16": "Grüße aus Łódź",
    "utf-16-be": "\ufeffGrüße aus Łódź",
    "shift_jis": "東京都の天気は晴れです",
    "gb18030": "你好世界这是一个简单的中文文本",
}
TABLE = "place,count\n{},1\nHome,2\n"
SUBTITLES = "1\n00:00:01,000 --> 00:00:02,000\n{}\n"
ABC = "X:1\nT:{}\nM:4/4\nL:1/4\nK:C\nCDEF|\n"
ENTITY = '{{"type":"entity","name":"{}","entityType":"p","observations":[]}}\n'


def read_files(path: Path) -> str:
    world = World.open_user_folder(path.parent)
    with use_world(world):
        part = read_text(world, path)
    return part.content


def read_copy(path: Path) -> str:
    assert prepare_copy(path, path).endswith("charset=utf-8")
    return path.read_text("utf-8")


def read_rewritten(path: Path) -> str:
    as_utf8(path)
    return path.read_text("utf-8-sig")


def read_continued(path: Path) -> str:
    write_transcript(path, [], append=True)
    return path.read_text("utf-8-sig")


READERS: dict[str, tuple[str, str, Callable[[Path], object]]] = {
    "files": ("a.txt", "{}\n", read_files),
    "sheets": ("a.csv", TABLE, typed_rows),
    "database": ("a.csv", TABLE, lambda path: list(read_source(path).rows())),
    "database, JSON": ("a.json", '[{{"place":"{}"}}]', lambda path: list(read_source(path).rows())),
    "plot": ("a.csv", TABLE, read_rows),
    "mail merge": ("a.csv", TABLE, rows_of),
    "mail merge, JSON": ("a.json", '[{{"place":"{}"}}]', rows_of),
    "html": ("a.html", "<p>{}</p>", lambda path: read_page(path).text),
    "html, CSV": ("a.csv", TABLE, csv_rows),
    "pdf": ("a.md", "# {}\n", lambda path: source_of(None, None, path, path.parent)[0]),
    "render": ("a.md", "# {}\n", sources.read_text),
    "browser": ("a.html", "<p>{}</p>", read_copy),
    "office": ("a.csv", TABLE, read_rewritten),
    "music": ("a.abc", ABC, open_score),
    "speech": ("a.srt", SUBTITLES, read_continued),
    "video": ("a.srt", SUBTITLES, lambda path: read_subtitles(path, Fraction(25)).subtitles),
    "drive": ("a.txt", "{}\n", words_in),
    "memory": ("memory.json", ENTITY, lambda path: read_graph_file(path).records[0].facts),
    "git": ("a.txt", "{}\n", lambda path: decode_output(path.read_bytes())),
}
UNTOLD = ("drive", "video")
"""A search has no place for notes; subtitles tell their encoding in their own note."""


@pytest.mark.parametrize("encoding", WORDS)
@pytest.mark.parametrize("reader", READERS)
def test_a_text_is_read_as_it_was_written_and_a_guess_is_told(tmp_path: Path, reader: str, encoding: str) -> None:
    name, template, read = READERS[reader]
    if reader == "git" and encoding.startswith("utf-16"):
        return  # git prints no lines of what it takes for binary
    words = WORDS[encoding]
    mark = "\ufeff" if words.startswith("\ufeff") else ""
    words = words.removeprefix(mark)
    (tmp_path / name).write_bytes((mark + template.format(words)).encode(encoding))
    with collect_notes() as notes:
        assert words in str(read(tmp_path / name))
    if not encoding.startswith("utf") and reader not in UNTOLD:
        assert "a guess" in " ".join(notes)


@pytest.mark.parametrize("reader", [reader for reader in READERS if reader not in ("drive", "git", "memory")])
def test_what_cannot_be_read_is_refused_or_told(tmp_path: Path, reader: str) -> None:
    name, template, read = READERS[reader]
    (tmp_path / name).write_bytes(template.format("Grüße aus Köln, für Übisch und Öl|").encode().replace(b"|", b"\xff"))
    with collect_notes() as notes:
        try:
            result_text = str(read(tmp_path / name)) + " ".join(notes)
        except Problem as problem:
            result_text = str(problem)
    assert "cannot be read as utf-8" in result_text or "could not be" in result_text or reader in UNTOLD
