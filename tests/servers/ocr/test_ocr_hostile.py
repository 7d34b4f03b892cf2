"""Files and arguments that must be refused with advice, and nothing else."""

import io
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from support import drawn
from support.answers import Call

from yardkit.servers.ocr.backends import get_recogniser
from yardkit.servers.ocr.engine.search import find_all
from yardkit.servers.ocr.languages import LANGUAGES


def png_header(width: Any, height: Any) -> Any:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    start = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return start + struct.pack(">I", 100) + b"IDAT" + zlib.compress(bytes(100_000))[:100]


def truncated_png() -> Any:
    buffer = io.BytesIO()
    drawn.draw_letter().save(buffer, "PNG")
    return buffer.getvalue()[: len(buffer.getvalue()) // 2]


def make_archive() -> Any:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    return buffer.getvalue()


HOSTILE = {
    "truncated.png": (truncated_png(), "damaged"),
    "huge.png": (png_header(30_000, 30_000), "pixels"),
    "wide.png": (png_header(60_000, 1_000), "pixels"),
    "package.png": (make_archive(), "zip package"),
    "drawing.svg": (b'<svg xmlns="http://www.w3.org/2000/svg"><text>hi</text></svg>', "SVG"),
    "empty.png": (b"", "empty"),
    "page.png": (b"%PDF-1.7\n", "PDF"),
    "noise.jpg": (bytes(range(256)) * 8, "give a PNG"),
    "header.png": (b"\x89PNG\r\n\x1a\n", "damaged"),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("tool", ["read_image_text", "read_image_table", "find_image_text"])
def test_what_is_no_readable_image_is_refused_with_the_reason(files: Path, call: Call, name: Any, tool: str) -> None:
    data, reason = HOSTILE[name]
    (files / name).write_bytes(data)
    extra = {"query": "hi"} if tool == "find_image_text" else {}
    result = call(tool, path=name, **extra)
    assert result.is_error
    assert reason in result.content[0].text
    assert name in result.content[0].text


def test_a_language_that_no_backend_reads_is_refused_with_the_package_that_adds_it(files: Path, call: Call) -> None:
    drawn.draw_letter().save(files / "letter.png")
    readable = {code for name in ("rapidocr", "tesseract") for code in get_recogniser(name).languages()}
    absent = next(code for code in ("ka", "hy", "th", "ru") if code not in readable)
    result = call("read_image_text", path="letter.png", languages=[absent])
    assert result.is_error
    assert f"apt-get install tesseract-ocr-{LANGUAGES[absent][1]}" in result.content[0].text


def test_an_unknown_language_is_refused(files: Path, call: Call) -> None:
    drawn.draw_letter().save(files / "letter.png")
    result = call("read_image_text", path="letter.png", languages=["klingon"])
    assert result.is_error
    assert "'klingon'" in result.content[0].text


def test_a_missing_tesseract_is_named_with_its_package(
    files: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn.draw_letter().save(files / "letter.png")
    monkeypatch.setenv("PATH", str(files))
    result = call("read_image_text", path="letter.png", backend="tesseract")
    assert result.is_error
    assert "apt-get install tesseract-ocr" in result.content[0].text


@pytest.mark.parametrize("box", [[900, 900, 950, 950], [50, 50, 50, 90], [90, 10, 20, 40]])
def test_a_region_outside_or_empty_is_refused_with_the_size_of_the_image(
    files: Path, call: Call, box: list[int]
) -> None:
    drawn.draw_letter().save(files / "letter.png")
    result = call("read_image_text", path="letter.png", bbox_px=box)
    assert result.is_error
    assert "672 x 240" in result.content[0].text


def test_an_offset_beyond_the_end_is_refused(files: Path, call: Call, backend: str) -> None:
    drawn.draw_letter().save(files / "letter.png")
    result = call("read_image_text", path="letter.png", backend=backend, offset=99)
    assert result.is_error
    assert "99" in result.content[0].text


@pytest.mark.parametrize("size", [(1, 1), (1, 400), (3, 2)], ids=str)
def test_a_tiny_image_is_no_crash(files: Path, call: Call, backend: str, size: tuple[Any, ...]) -> None:
    Image.new("RGB", size, "black").save(files / "dot.png")
    assert not call("read_image_text", path="dot.png", backend=backend).is_error


def test_the_search_is_the_edit_distance_of_the_best_place() -> None:
    (match,) = find_all("kitten", "the sitting bird", 0.5)
    assert match.similarity == pytest.approx(1 - 2 / 6)
    assert find_all("abc", "xxabcxxABCxx", 1.0)[1].start == 7
    assert find_all("abc", "", 0.5) == []
