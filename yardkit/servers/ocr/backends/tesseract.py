"""The Tesseract program, one process per image, with the language packs that are installed."""

from __future__ import annotations

import csv
import functools
import io
import os
import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yardkit.programs.command import run_program
from yardkit.servers.ocr.backends import BackendName, Line, Quad, Recognised, Word
from yardkit.servers.ocr.languages import LANGUAGES, language_name, tesseract_pack
from yardkit.world import Problem

if TYPE_CHECKING:
    from yardkit.servers.ocr.backends import Pixels

_TIMEOUT_S = 120
_MAX_OUTPUT_BYTES = 50_000_000
_WORD_LEVEL = "5"
_BLOCKS, _SINGLE_BLOCK = "3", "6"
_CLEARLY = 1.03
_ALL_TURNS = (1, 3, 2)
_SURE_TURN = 1.0


class Tesseract:
    """Good and fast on clean pages, with packs for more than a hundred languages."""

    name: BackendName = "tesseract"
    small_text_px = 18.0
    reads_skewed = False
    doubtful_below = 0.7

    def missing(self) -> str:
        return "" if shutil.which("tesseract") else "the program is not installed; apt-get install tesseract-ocr"

    def model(self) -> str:
        return _read_version()

    def languages(self) -> list[str]:
        packs = set() if self.missing() else _list_packs()
        return [code for code in LANGUAGES if tesseract_pack(code) in packs]

    def how_to_add(self, language: str) -> str:
        package = f"tesseract-ocr-{tesseract_pack(language).replace('_', '-')}"
        return (
            f"Tesseract's pack for {language_name(language)} ({language}) is not installed; apt-get install {package}"
        )

    def read(self, image: Pixels, languages: list[str]) -> Recognised:
        """Read as a page of blocks, which keeps columns apart, and as one block: what reads clearly more is taken.

        In its own blocks it drops columns of short numbers, or their first digits.
        """
        packs = "+".join(tesseract_pack(code) for code in languages or ["en"])
        blocks, full_lines = (_read_lines(image, packs, mode) for mode in (_BLOCKS, _SINGLE_BLOCK))
        return Recognised(
            full_lines if _measure_legibility(full_lines) > _CLEARLY * _measure_legibility(blocks) else blocks
        )

    def read_strips(self, images: list[Pixels]) -> list[tuple[str, float]]:
        readings = [self.read(image, []).lines for image in images]
        return [
            (" ".join(line.text for line in lines), min((line.confidence for line in lines), default=0.0))
            for lines in readings
        ]

    def turns(self, image: Pixels, recognised: Recognised) -> tuple[int, ...]:  # noqa: ARG002 - garbled text tells nothing
        look = look_at(image)
        return _ALL_TURNS if look is None or look.sureness < _SURE_TURN else (look.turns,) if look.turns else ()


@dataclass(frozen=True)
class Look:
    """The script of a picture as Tesseract names it, the quarter turns counter-clockwise that right it, how sure."""

    script: str
    turns: int
    sureness: float


def look_at(image: Pixels) -> Look | None:
    """What script a picture shows and how it lies; none where Tesseract cannot tell or is not installed."""
    if Tesseract().missing() or "osd" not in _list_packs():
        return None
    try:
        orientation_text = _run(
            ["stdin", "stdout", "--psm", "0", "--dpi", "150", "-c", "min_characters_to_try=3"], _encode_png(image)
        )
    except Problem:
        return None
    facts = dict(re.findall(r"^(.+?): (.+)$", orientation_text, re.MULTILINE))
    if "Script" not in facts:
        return None
    return Look(facts["Script"], -int(facts["Rotate"]) // 90 % 4, float(facts["Orientation confidence"]))


def _read_lines(image: Pixels, packs: str, mode: str) -> tuple[Line, ...]:
    asked = ["stdin", "stdout", "-l", packs, "--psm", mode, "--dpi", "150", "-c", "tessedit_create_tsv=1"]
    rows = csv.DictReader(io.StringIO(_run(asked, _encode_png(image))), delimiter="\t", quoting=csv.QUOTE_NONE)
    lines: dict[tuple[str, str, str], list[Word]] = {}
    for row in rows:
        if row["level"] == _WORD_LEVEL and row["text"].strip() and float(row["conf"]) >= 0:
            lines.setdefault((row["block_num"], row["par_num"], row["line_num"]), []).append(_parse_word(row))
    return tuple(_build_line(words) for words in lines.values())


def _measure_legibility(lines: tuple[Line, ...]) -> float:
    return sum(line.confidence * len("".join(line.text.split())) for line in lines)


def _parse_word(row: dict[str, str]) -> Word:
    left, top = float(row["left"]), float(row["top"])
    right, bottom = left + float(row["width"]), top + float(row["height"])
    return Word(row["text"].strip(), float(row["conf"]) / 100, _to_quad(left, top, right, bottom))


def _build_line(words: list[Word]) -> Line:
    xs = [x for word in words for x, _ in word.quad]
    ys = [y for word in words for _, y in word.quad]
    confidence = sum(word.confidence * len(word.text) for word in words) / sum(len(word.text) for word in words)
    box = _to_quad(min(xs), min(ys), max(xs), max(ys))
    return Line(" ".join(word.text for word in words), confidence, box, tuple(words))


def _to_quad(left: float, top: float, right: float, bottom: float) -> Quad:
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _encode_png(image: Pixels) -> bytes:
    import PIL.Image

    buffer = io.BytesIO()
    PIL.Image.fromarray(image).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


@functools.cache
def _read_version() -> str:
    return _run(["--version"]).split()[1]


def _list_packs() -> set[str]:
    return {line.strip() for line in _run(["--list-langs"]).splitlines()[1:]}


def _run(arguments: list[str], data: bytes = b"") -> str:
    # Its own threads make one page slower and starve the others: one thread per process.
    environment = {"OMP_THREAD_LIMIT": "1", "PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"}
    if "TESSDATA_PREFIX" in os.environ:
        environment["TESSDATA_PREFIX"] = os.environ["TESSDATA_PREFIX"]
    command = [shutil.which("tesseract") or "tesseract", *arguments]
    done = run_program(
        command, environment=environment, limit_s=_TIMEOUT_S, given=data, max_output_bytes=_MAX_OUTPUT_BYTES
    )
    if done.timed_out:
        raise Problem(f"Tesseract took longer than {_TIMEOUT_S} s; give part of the image (bbox_px)")
    if done.exit_code:
        raise Problem(f"Tesseract failed ({done.stderr.strip()[-300:]}); try backend 'rapidocr'")
    return done.stdout
