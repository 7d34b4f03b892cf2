"""Whether a delivered file has anything in it that could be looked at, whichever program wrote it.

A check that asks for nothing to be wrong (nothing is cut off, no heading skips a level) holds for a blank file, but no
leaf is earned by one.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import InsufficientEvidence, InvalidArtifact
from yardkit.evaluators.readers.engines.workbook_files import load_workbook
from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.media.films import open_film
from yardkit.evaluators.readers.media.sounds import decode_sound
from yardkit.evaluators.readers.pages.pictures import MAX_PIXELS
from yardkit.evaluators.submission import Submission
from yardkit.world.decoding import decode_bytes
from yardkit.world.limits import check_pixels
from yardkit.world.tree import file_digest

_QUIET = 0.001
"""The loudest sample of silence, -60 dBFS."""
_EVEN = 8
"""By how many of 255 levels the pixels of an even picture differ: codecs round."""
_SIDE_PX = 200
_NO_DELIVERABLES = ("input", "stray", "record", "bystander", "mail", "event", "post", "table")
"""Kinds of targets that are no delivered files."""
_DRAWN = re.compile(r"\}(?:drawing|pict|object|pic|graphicFrame|sp|cxnSp|oMath)$")
_SHOWN_IN_PAGES = re.compile(rb"<(?:img|svg|picture|video|canvas|object|iframe|input|table)\b", re.IGNORECASE)
_SHOWN_IN_DRAWINGS = re.compile(rb"<(?:\w+:)?(?:path|rect|circle|ellipse|line|poly\w+|text|image|use)\b")


def is_blank(submission: Submission, relative: str) -> bool:
    """Whether a delivered file is blank; False if it is missing, unreadable, or of a kind not known here."""
    read = _READERS.get(Path(relative).suffix.lower())
    if read is None:
        return False
    try:
        return parse_file(submission, relative, read, "file")
    except (InsufficientEvidence, InvalidArtifact):
        return False


def find_covered(submission: Submission, covers: Iterable[str]) -> list[str]:
    """Find the delivered files, added or changed, that these patterns of targets name."""
    named = {pattern.partition("#")[0].partition(":") for pattern in covers}
    patterns = sorted({name for kind, _, name in named if name and kind not in _NO_DELIVERABLES})
    paths = {path for pattern in patterns for path in _list_matching(submission.files, pattern)}
    return sorted(path for path in paths if file_digest(submission.files / path) != submission.initial.get(path))


def _list_matching(files: Path, pattern: str) -> Iterator[str]:
    candidates = files.rglob("*") if re.search(r"[*?[]", pattern) else [files / pattern]
    names = (path.relative_to(files).as_posix() for path in candidates if path.is_file() and not path.is_symlink())
    return (name for name in names if fnmatchcase(name, pattern))


def _is_blank_workbook(path: Path) -> bool:
    """No sheet has a row below its first one, or anything drawn."""
    for sheet in load_workbook(path).worksheets:
        filled = {row for (row, _), cell in sheet._cells.items() if cell.value not in (None, "")}
        if len(filled) > 1 or sheet._charts or sheet._images:
            return False
    return True


def _is_blank_document(path: Path) -> bool:
    import docx

    body = docx.Document(str(path)).element.body
    return not any(
        (element.tag.endswith(("}t", "}delText")) and (element.text or "").strip()) or _DRAWN.search(element.tag)
        for element in body.iter()
        if isinstance(element.tag, str)
    )


def _is_blank_deck(path: Path) -> bool:
    """No slide shows more than empty boxes."""
    import pptx

    return all(not _shows_anything(shape) for slide in pptx.Presentation(str(path)).slides for shape in slide.shapes)


def _shows_anything(shape: Any) -> bool:
    words = any(element.tag.endswith("}t") and (element.text or "").strip() for element in shape.element.iter())
    return words or not shape.element.tag.endswith(("}sp", "}cxnSp"))


def _is_blank_pdf(path: Path) -> bool:
    """No page shows, in a small picture of it, anything else than its ground."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        return all(_is_even(_draw_small(page)) for page in document)
    finally:
        document.close()


def _draw_small(page: Any) -> Any:
    scale = 4 * _SIDE_PX / max(*page.get_size(), 1)
    return page.render(scale=min(scale, 4)).to_pil()


def _is_blank_picture(path: Path) -> bool:
    import PIL.Image

    with PIL.Image.open(path) as image:
        check_pixels(*image.size, path.name, MAX_PIXELS)
        return _is_even(image)


def _is_even(image: Any) -> bool:
    """Whether all pixels have about the same colour, or none can be seen."""
    bands = image.convert("RGBA").getextrema()
    return bands[3][1] == 0 or all(high - low <= _EVEN for low, high in bands)


def _is_silent(path: Path) -> bool:
    return bool(abs(decode_sound(path).samples).max(initial=0) < _QUIET)


def _is_blank_film(path: Path) -> bool:
    """No frame shows anything, and nothing is heard."""
    with open_film(path) as (container, stream):
        for frame in container.decode(stream):
            if not _is_even(frame.reformat(_SIDE_PX, _SIDE_PX, format="rgb24").to_image()):
                return False
        heard = bool(container.streams.audio)
    return not heard or _is_silent(path)


def _is_blank_page(path: Path) -> bool:
    data = path.read_bytes()
    body = re.sub(rb"(?is)<(script|style|head|title)\b.*?</\1\s*>|<!--.*?-->", b" ", data)
    words = re.sub(rb"<[^>]*>|&nbsp;|\s", b"", body)
    return not words and not _SHOWN_IN_PAGES.search(body)


def _is_blank_drawing(path: Path) -> bool:
    return not _SHOWN_IN_DRAWINGS.search(path.read_bytes())


def _is_blank_json(path: Path) -> bool:
    return json.loads(path.read_bytes()) in ([], {}, None, "")


def _is_blank_table(path: Path) -> bool:
    """It has a header at most."""
    return sum(bool(re.search(r"\w", line)) for line in _read_lines(path)) < 2


def _is_blank_text(path: Path) -> bool:
    return not any(re.search(r"\w", line) for line in _read_lines(path) if not line.startswith("WEBVTT"))


def _is_blank_calendar(path: Path) -> bool:
    return not any(re.match(r"BEGIN:V(EVENT|TODO|JOURNAL)", line, re.IGNORECASE) for line in _read_lines(path))


def _read_lines(path: Path) -> list[str]:
    return decode_bytes(path.read_bytes()).text.splitlines()


_READERS: Mapping[str, Callable[[Path], bool]] = {
    ".xlsx": _is_blank_workbook,
    ".docx": _is_blank_document,
    ".pptx": _is_blank_deck,
    ".pdf": _is_blank_pdf,
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff"), _is_blank_picture),
    **dict.fromkeys((".wav", ".mp3", ".flac", ".ogg", ".m4a"), _is_silent),
    **dict.fromkeys((".mp4", ".mov", ".mkv", ".webm", ".gif"), _is_blank_film),
    **dict.fromkeys((".html", ".htm"), _is_blank_page),
    ".svg": _is_blank_drawing,
    ".json": _is_blank_json,
    **dict.fromkeys((".csv", ".tsv"), _is_blank_table),
    **dict.fromkeys((".txt", ".md", ".tex", ".srt", ".vtt", ".css", ".py"), _is_blank_text),
    ".ics": _is_blank_calendar,
}
