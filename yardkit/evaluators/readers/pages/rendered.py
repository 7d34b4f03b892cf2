"""Rendered Office files: printed once by LibreOffice for all leaves that check their pages.

A fault of the machine (no LibreOffice, or one that cannot even render a line of text) is never the agent's fault:
`EnvironmentInvalid`.
"""

import hashlib
import io
import shutil
import tempfile
import uuid
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.engines.libreoffice import convert_files, require_libreoffice
from yardkit.evaluators.readers.engines.workbook_files import check_merged
from yardkit.evaluators.readers.files import parse_once
from yardkit.evaluators.readers.office.packages import open_parts, parse_file
from yardkit.evaluators.readers.pages.pdf import Box, Page, Pdf, draw_file_page, parse_pdf
from yardkit.evaluators.submission import Submission
from yardkit.world.tree import file_digest
from yardkit.world.wording import format_count

_PACKAGE_SUFFIXES = {".docx", ".xlsx", ".pptx"}
MAX_SLIDES = 100
_CUT = "###"
_TOFU = "\ufffd\u25a1"


def render_pages(submission: Submission, relative: str) -> Pdf:
    """Render the pages of a delivered docx, xlsx, pptx (or odt ...) with LibreOffice; for a PDF, return its own pages.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it cannot be rendered, although other files can.
        EnvironmentInvalid: nothing can be rendered on this machine.
    """
    return parse_once(parse_pdf, _make_printed(submission, relative))


def render_slides(submission: Submission, relative: str, numbers: Sequence[int]) -> dict[int, Page]:
    """Render some slides of a presentation, including hidden ones, with LibreOffice, by number.

    Each is rendered without the other slides, and only once for all decks with the same slide.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a presentation, has no such slide or cannot be rendered.
        EnvironmentInvalid: nothing can be rendered on this machine.
    """
    paths = _slide_pdfs(submission, relative, numbers)
    return {number: parse_once(parse_pdf, path).pages[0] for number, path in paths.items()}


def draw_slide(submission: Submission, relative: str, number: int, scale: float = 1.0) -> Any:
    """Draw one slide of `render_slides` as pixels, like `draw_printed`."""
    return draw_file_page(_slide_pdfs(submission, relative, [number])[number], 1, scale)


def _slide_pdfs(submission: Submission, relative: str, numbers: Sequence[int]) -> dict[int, Path]:
    """Return the PDF of each slide; missing ones are made in one conversion."""
    folder = get_scratch_folder(submission) / "slides"
    alone = {
        number: parse_file(submission, relative, _make_slide_extractor(number), "presentation") for number in numbers
    }
    paths = {number: _put_alone(data, folder) for number, data in alone.items()}
    pairs = {path: path.with_suffix(".pdf") for path in paths.values() if not path.with_suffix(".pdf").exists()}
    _print_files(pairs, folder, f"a slide of {relative}")
    return {number: path.with_suffix(".pdf") for number, path in paths.items()}


def _put_alone(data: bytes, folder: Path) -> Path:
    """Write a presentation with only this slide, next to which its PDF is stored, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{_digest_package(data)}.pptx"
    if not path.exists():
        path.write_bytes(data)
    return path


@cache
def _make_slide_extractor(number: int) -> Callable[[Path], bytes]:
    """Make a function that reduces the file at a path to a presentation with one slide."""
    return partial(_cut_down, number)


def _cut_down(number: int, path: Path) -> bytes:
    import pptx

    open_parts(path)
    read = pptx.Presentation(str(path))
    entries = list(read.slides._sldIdLst)
    if not 1 <= number <= len(entries):
        raise InvalidArtifact(f"{path.name} has {format_count(len(entries), 'slide')}, no slide {number}")
    for index, entry in enumerate(entries, 1):
        if index != number:
            read.part.drop_rel(entry.rId)
            entry.getparent().remove(entry)
    read.slides[0]._element.attrib.pop("show", None)
    buffer = io.BytesIO()
    read.save(buffer)
    return buffer.getvalue()


def _digest_package(package: bytes) -> str:
    """Compute a digest of the names and contents of a package's parts, independent of their dates."""
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        parts = {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}
    listed = "".join(f"{name}{digest}" for name, digest in sorted(parts.items()) if not name.startswith("docProps/"))
    return hashlib.sha256(listed.encode()).hexdigest()


def draw_printed(submission: Submission, relative: str, number: int, scale: float = 1.0) -> Any:
    """Draw a page of the rendered file as an array (height, width, 3), uint8, RGB; `scale` is pixels per point."""
    try:
        return draw_file_page(_make_printed(submission, relative), number, scale)
    except IndexError as error:
        raise InvalidArtifact(f"{relative} has no page {number} when it is printed") from error


def is_legible(picture: Any, box: Box, scale: float = 1.0, least: float = 0.04) -> bool:
    """Whether letters are visible in a region, in points, since a PDF also contains text that is covered.

    Part of the region must differ in brightness from most of it. Complete letters cover 0.3 of it; `least` is the share
    that must be left of them.
    """
    import numpy

    left, top, right, bottom = (int(value * scale) for value in box)
    part = picture[max(0, top) : bottom + 1, max(0, left) : right + 1]
    if not part.size:
        return False
    grey = part.astype(numpy.float64).mean(axis=2)
    ground = numpy.bincount(grey.astype(int).ravel()).argmax()
    share = float((numpy.abs(grey - ground) > 50).mean())
    return least < share < 0.75


def find_palette(picture: Any) -> dict[str, float]:
    """Find the colours of a picture with their shares; shades that differ by less than 16 levels count as one."""
    import numpy

    flat = picture.reshape(-1, 3).astype(numpy.int64)
    shades, counts = numpy.unique(flat @ numpy.array([65536, 256, 1]), return_counts=True)
    color_counts: dict[tuple[int, int, int], int] = {}
    for at in counts.argsort()[::-1][:2000]:
        shade = (int(shades[at]) >> 16, int(shades[at]) >> 8 & 255, int(shades[at]) & 255)
        near = next(
            (pair for pair in color_counts if max(abs(a - b) for a, b in zip(pair, shade, strict=True)) < 16), shade
        )
        color_counts[near] = color_counts.get(near, 0) + int(counts[at])
    return {"".join(f"{level:02X}" for level in shade): part / len(flat) for shade, part in color_counts.items()}


def find_cut_cells(pdf: Pdf) -> list[str]:
    """Find words of number signs, which show that a column is too narrow for a number."""
    return [f"page {page.number}: {word.text}" for page in pdf.pages for word in page.words if _CUT in word.text]


def find_tofu(pdf: Pdf) -> list[str]:
    """Find words with characters that no font could draw."""
    return [
        f"page {page.number}: {word.text}"
        for page in pdf.pages
        for word in page.words
        if any(sign in word.text for sign in _TOFU)
    ]


def find_outside(page: Page, margin_pt: float = 0.0) -> list[str]:
    """Find words that exceed the page's edges, less a margin, and are cut off when printed or shown."""
    return [
        word.text
        for word in page.words
        if word.box[0] < margin_pt - 1
        or word.box[1] < margin_pt - 1
        or word.box[2] > page.width - margin_pt + 1
        or word.box[3] > page.height - margin_pt + 1
    ]


def measure_contrast(picture: Any, box: Box, scale: float) -> float:
    """Measure the contrast (WCAG 2, from 1 to 21) of the darkest and lightest pixels in a region, such as a text."""
    import numpy

    left, top, right, bottom = (max(0, int(value * scale)) for value in box)
    part = picture[top : bottom + 1, left : right + 1].astype(float) / 255
    if not part.size:
        return 1.0
    linear = numpy.where(part <= 0.03928, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    light = linear @ numpy.array([0.2126, 0.7152, 0.0722])
    return float((light.max() + 0.05) / (light.min() + 0.05))


def find_overlaps(page: Page, least: float = 0.3) -> list[tuple[str, str]]:
    """Find pairs of words of which one covers more than `least` of the other, that is, texts drawn over each other."""
    overlaps = []
    words = [word for word in page.words if word.text.strip()][:3000]
    words.sort(key=lambda word: word.box[1])
    for index, first_word in enumerate(words):
        for other in words[index + 1 :]:
            if other.box[1] >= first_word.box[3]:
                break
            if _compute_shared_part(first_word.box, other.box) > least:
                overlaps.append((first_word.text, other.text))
    return overlaps


def _compute_shared_part(first: Box, other: Box) -> float:
    wide = min(first[2], other[2]) - max(first[0], other[0])
    tall = min(first[3], other[3]) - max(first[1], other[1])
    if wide <= 0 or tall <= 0:
        return 0.0
    small = min((box[2] - box[0]) * (box[3] - box[1]) for box in (first, other))
    return wide * tall / small if small > 0 else 0.0


def _make_printed(submission: Submission, relative: str) -> Path:
    """Make the PDF of a delivered file, once per content."""
    path = files.require_file(submission, relative)
    if path.suffix.lower() == ".pdf":
        return path
    if path.suffix.lower() in _PACKAGE_SUFFIXES:
        open_parts(path)
    if path.suffix.lower() == ".xlsx":
        parse_once(check_merged, path)
    return _pdf_of(path, get_scratch_folder(submission), relative)


def get_scratch_folder(submission: Submission) -> Path:
    """Return the folder for data that leaves derive from a submission."""
    return submission.scratch or _own_folder()


def _pdf_of(path: Path, folder: Path, relative: str) -> Path:
    """Make the PDF of a file, below `folder`, once."""
    target = folder / "rendered" / f"{file_digest(path)}{path.suffix.lower()}.pdf"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        _print_files({path: target}, target.parent, relative)
    return target


def _print_files(pairs: Mapping[Path, Path], folder: Path, relative: str) -> None:
    reason = convert_files(pairs) if pairs else ""
    if reason:
        require_libreoffice(folder)
        raise InvalidArtifact(f"{relative} cannot be rendered: {reason}")


@cache
def _own_folder() -> Path:
    """Make a temporary folder of this process, deleted at its end."""
    import atexit

    folder = Path(tempfile.gettempdir()) / f"yardkit-rendered-{uuid.uuid4().hex}"
    folder.mkdir()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
