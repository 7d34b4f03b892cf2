"""The scans are searchable, upright, rightly named and listed."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.office.visible_lists import find_unseen
from yardkit.evaluators.readers.pages.pdf import Box, Page, Word, draw_pdf_page, read_pdf
from yardkit.evaluators.readers.tables import read_sheets, to_date, to_decimal
from yardkit.evaluators.submission import Submission

if TYPE_CHECKING:
    from yardkit.state_init.office.scan_archive import ScanArchiveFacts as Facts

INDEX = "archive/index.xlsx"
HEAD = ["File", "Reference", "Date", "Sender", "Subject", "Pages"]
MM = 72 / 25.4
READ = 0.88
"""Part of the words that must have been recognised."""
OFF, OFF_IN_PLACE = 2.5, 10.0
"""Levels of grey by which a page that was compressed anew may differ, all over and in one place."""
MORE_UNREAD = 0.04
"""Part of the words that may stand a little beside their line."""
TWICE = 1.4
"""How many letters of text there are at most for each that is printed; stains are read as letters too."""
MOST_EXTRA_LETTERS = 12
"""How many letters of text may stand where nothing is printed."""
LONG = 4
"""How many letters a word has that nobody reads where it is not printed."""
SHARP, LEAST_CORRELATION = 0.5, 0.9
"""How much of the contrast between neighbouring points is left in printed lines, and how alike they are, at least."""
SCALE, SQUARE_PX = 2.0, 64
ROUNDED_PX = 8
"""By how much a page may be larger or smaller, in pixels; a page that was made from its picture is rounded."""
LEAST_LIKENESS = 0.9
"""How alike a recognised name must be to the printed one."""


def _squeeze_text(text: str) -> str:
    return re.sub(r"[\W_]", "", text).casefold()


def _check_names(submission: Submission, facts: Facts) -> Finding:
    """Each letter is there with all of its pages, and no other file is hidden in it."""
    problems = []
    for path, letter in facts["letters"].items():
        pages, inside = (
            len(read_pdf(submission, path).pages),
            parse_file(submission, path, _list_inner_files, "PDF file"),
        )
        if pages != len(letter["pages"]) or inside:
            problems.append(f"{path}: {pages} pages, files in it: {inside}")
    return make_finding(not problems, f"with other numbers of pages or with more than a letter: {problems[:4]}")


def _list_inner_files(path: Path) -> list[str]:
    """The files that a PDF holds, in the list of attached files or wherever else one is kept."""
    import pikepdf

    with pikepdf.open(path) as opened:
        things = [thing for thing in opened.objects if isinstance(thing, pikepdf.Dictionary | pikepdf.Stream)]
        files = [thing for thing in things if "/EF" in thing or str(thing.get("/Type", "")) == "/EmbeddedFile"]
        return sorted({*opened.attachments, *(str(file.get("/UF", file.get("/F", "a file"))) for file in files)})


def _check_searchable(submission: Submission, facts: Facts) -> Finding:
    """The words of each scanned page are in its text, the references letter by letter."""
    problems = []
    for path, letter in facts["letters"].items():
        text = _squeeze_text(read_pdf(submission, path).text.partition("\f")[0])
        words = letter["pages"][0]["words"]
        word_share = sum(_squeeze_text(word) in text for word in words) / len(words)
        closed = read_pdf(submission, path).encrypted
        if word_share < READ or _squeeze_text(letter["row"][0]) not in text or closed:
            reference = _squeeze_text(letter["row"][0]) in text
            problems.append(f"{path}: {word_share:.0%} of the words, reference: {reference}, protected: {closed}")
    return make_finding(not problems, f"not to be searched: {problems[:4]}")


def _check_word_positions(submission: Submission, facts: Facts) -> Finding:
    """The words of each line, and the reference, are found where they are printed, on a page that stands upright."""
    problems = []
    for path, letter in facts["letters"].items():
        words = [word for page in read_pdf(submission, path).pages[:1] for word in page.words]
        x, y = (side * MM for side in letter["pages"][0]["place"])
        boxes = [word.box for word in words if _squeeze_text(letter["row"][0]) in _squeeze_text(word.text)]
        if not any(_is_around(box, x, y) for box in boxes):
            problems.append(f"{path}: {boxes[:2]}, expected around {x:.0f}, {y:.0f}")
        there, bare = _in_place(words, letter["pages"][0]["lines"])
        if there < READ - MORE_UNREAD or bare:
            problems.append(f"{path}: {there:.0%} of the words are on their lines; lines without their text: {bare}")
    return make_finding(not problems, f"text elsewhere: {problems[:3]}")


def _in_place(words: Sequence[Word], lines: Sequence[Sequence[Any]]) -> tuple[float, list[str]]:
    """Which part of the printed words is found on the line where it is printed, and lines with next to no text."""
    word_count, count, bare = 0, 0, []
    for text, *box in lines:
        box_text = _squeeze_text("".join(word.text for word in words if _is_on(word, box)))
        word_count += sum(_squeeze_text(word) in box_text for word in text.split())
        count += len(text.split())
        bare += [text] if len(box_text) < len(_squeeze_text(text)) / 2 else []
    return word_count / count, bare


def _is_on(word: Word, box_mm: Sequence[float]) -> bool:
    """Whether a word stands on a line."""
    left, top, right, bottom = (side * MM for side in box_mm)
    across, down = (word.box[0] + word.box[2]) / 2, (word.box[1] + word.box[3]) / 2
    return top - 6 < down < bottom + 6 and left - 15 < across < right + 15


def _is_around(box: Box, x: float, y: float) -> bool:
    """Whether a box lies across a place, and is wider than it is tall."""
    left, top, right, bottom = box
    return left - 9 < x < right + 9 and abs((top + bottom) / 2 - y) < 14 and right - left > bottom - top


def _check_looks(submission: Submission, facts: Facts) -> Finding:
    """Each page looks as the scanned sheet does when it is held upright."""
    problems = []
    for path, letter in facts["letters"].items():
        for number, page in enumerate(letter["pages"], 1):
            was, now = _draw_both_pages(submission, path, letter, number)
            off = _measure_difference(was, now)
            if off[0] > OFF or off[1] > OFF_IN_PLACE:
                problems.append(f"{path} page {number}: off by {off[0]:.1f} levels, in one place by {off[1]:.1f}")
            elif page["lines"] and (why := _find_blur(was, now, page["lines"])):
                problems.append(f"{path} page {number}: {why}")
        read, before = read_pdf(submission, path), read_pdf(submission.untouched, letter["source"])
        if read.annotations or read.blanks or len(read.outline) > len(before.outline):
            problems.append(f"{path} has comments, fields or bookmarks")
    return make_finding(not problems, f"look different: {problems[:4]}")


def _draw_both_pages(submission: Submission, path: str, letter: Mapping[str, Any], number: int) -> tuple[Any, Any]:
    """A page of a letter as pixels, upright: as it was scanned, and in the archive."""
    import numpy
    from PIL import Image

    was = draw_pdf_page(submission.untouched, letter["source"], number, SCALE)
    was = numpy.rot90(was, letter["turn"] // 90 if number == 1 else 0)
    now = draw_pdf_page(submission, path, number, SCALE)
    rounded = all(
        abs(original_size - two) <= ROUNDED_PX for original_size, two in zip(was.shape, now.shape, strict=True)
    )
    if rounded and was.shape != now.shape:
        now = numpy.asarray(Image.fromarray(now).resize((was.shape[1], was.shape[0])))
    return was, now


def _measure_difference(was: Any, now: Any) -> tuple[float, float]:
    """By how many levels two pictures differ: all over, and in the square of 8 mm where they differ most."""
    import numpy

    if was.shape != now.shape:
        return 255.0, 255.0
    tall, wide = (side // SQUARE_PX for side in was.shape[:2])
    # Points are put together first: letters that stand half a point beside are no difference.
    pages = [page[: tall * SQUARE_PX, : wide * SQUARE_PX].astype("uint16") for page in (was, now)]
    rows = [sum(page[start::4] for start in range(4)) for page in pages]
    fours = [sum(row[:, start::4] for start in range(4)) / 16 for row in rows]
    off = numpy.abs(fours[0] - fours[1]).mean(axis=2)
    return float(off.mean()), float(off.reshape(tall, 16, wide, 16).mean(axis=(1, 3)).max())


def _find_blur(was: Any, now: Any, lines: Sequence[Sequence[Any]]) -> str:
    """What shows that the printed lines were drawn with fewer points: less contrast between neighbours, or steps."""
    import numpy

    points, contrasts = list[Any](), list[float]()
    boxes = [[round(side * MM * SCALE) for side in box] for _, *box in lines]
    for grey in (sum(page[..., colour].astype("uint16") for colour in range(3)) / 3 for page in (was, now)):
        parts = [grey[top:bottom, left:right] for left, top, right, bottom in boxes]
        points.append(numpy.concatenate([part.ravel() for part in parts]))
        contrasts.append(sum(float((numpy.diff(part, axis=axis) ** 2).sum()) for part in parts for axis in (0, 1)))
    sharp, correlation = contrasts[1] / contrasts[0], float(numpy.corrcoef(*points)[0, 1])
    return (
        ""
        if sharp >= SHARP and correlation >= LEAST_CORRELATION
        else f"{sharp:.0%} as sharp, and {correlation:.0%} alike"
    )


def _check_text_once(submission: Submission, facts: Facts) -> Finding:
    """A page that had text keeps it and gets no other; a scanned one does not get its text twice."""
    problems = []
    for path, letter in facts["letters"].items():
        before, after = read_pdf(submission.untouched, letter["source"]), read_pdf(submission, path)
        if len(before.pages) != len(after.pages):
            problems.append(f"{path}: {len(after.pages)} pages")
            continue
        for page, original_page, two in zip(letter["pages"], before.pages, after.pages, strict=True):
            if page["text"] and original_page.text.split() != two.text.split():
                problems.append(f"{path} page {original_page.number}: {' '.join(two.text.split())[:120]!r}")
            if not page["text"] and (more := _more_text(page, two)):
                problems.append(f"{path} page {original_page.number}: {more}")
    return make_finding(not problems, f"other text: {problems}")


def _more_text(printed: Mapping[str, Any], page: Page) -> str:
    """What a scanned page has of text that is not printed on it, or not as often."""
    letters, text_length = len(_squeeze_text("".join(printed["words"]))), len(_squeeze_text(page.text))
    if text_length > letters * TWICE:
        return f"{text_length} letters of text for {letters} that are printed"
    once = Counter(_squeeze_text(word) for word in printed["words"])
    again = [w for w in Counter(_squeeze_text(word.text) for word in page.words) - once if w in once and len(w) >= LONG]
    extra_words = [word.text for word in page.words if not any(_is_on(word, box) for _, *box in printed["lines"])]
    extra_words = extra_words if len(_squeeze_text("".join(extra_words))) > MOST_EXTRA_LETTERS else []
    return f"again {again}, where nothing is printed {extra_words[:8]}" if again or extra_words else ""


def _check_index(submission: Submission, facts: Facts) -> Finding:
    sheet = read_sheets(submission, INDEX).get("Index")
    filled = [row for row in sheet.values if any(cell not in (None, "") for cell in row)] if sheet else []
    rows = [[*row, *[None] * len(HEAD)][: max(len(row), len(HEAD))] for row in filled]
    header = [str(cell or "").strip() for cell in rows[0]] if rows else []
    expected_rows = [(path.rpartition("/")[2], *letter["row"]) for path, letter in facts["letters"].items()]
    days = [right[2] for right in expected_rows]
    problems = [str(row[:6]) for row, day in zip(rows[1:], days, strict=False) if str(to_date(row[2])) != day]
    problems += find_unseen(submission, INDEX, "Index")
    problems += [
        f"none like {right}" for right in expected_rows if not any(_matches_row(row, right) for row in rows[1:])
    ]
    return make_finding(
        header == HEAD and len(rows) == len(expected_rows) + 1 and not problems, f"header {header}; {problems[:4]}"
    )


def _matches_row(row: list[Any], right: tuple[Any, ...]) -> bool:
    name, reference, day, sender, subject, pages = right
    texts = [str(cell or "").strip() for cell in row]
    real = isinstance(row[2], datetime.date) and str(row[2]).removesuffix(" 00:00:00") == day
    like = all(
        SequenceMatcher(None, _squeeze_text(cell_text), _squeeze_text(two)).ratio() >= LEAST_LIKENESS
        for cell_text, two in ((texts[3], sender), (texts[4], subject))
    )
    return texts[0] == name and texts[1] == reference and real and like and to_decimal(row[5]) == pages


FILES = "archive/*.pdf"
PAGES = (f"pages:{FILES}",)

CHECKS = make_group(
    "scan_archive",
    "The letters are in the archive",
    make_group(
        "letters",
        "Each letter is searchable and upright",
        make_checkpoint(
            "named",
            "Each letter has its name and its pages, and no other file in it",
            _check_names,
            covers=PAGES,
            weight=2,
        ),
        make_checkpoint("searchable", "The words of scanned pages are text", _check_searchable, covers=PAGES, weight=3),
        make_checkpoint(
            "placed", "The text is where it is printed, upright", _check_word_positions, covers=PAGES, weight=3
        ),
        make_checkpoint(
            "looks", "The pages look as before, but upright", _check_looks, covers=PAGES, weight=2, kind="format"
        ),
        make_checkpoint(
            "once", "Pages with text keep it and get no other; no text stands twice", _check_text_once, covers=PAGES
        ),
        weight=5,
    ),
    make_checkpoint(
        "index",
        "The index lists the letters by date",
        _check_index,
        covers=tuple(f"{kind}:{INDEX}" for kind in ("cells", "rows", "sheet", "formats", "looks")),
        weight=3,
    ),
    leaves.answer_number(
        "The answer counts the pages", lambda facts: sum(len(letter["pages"]) for letter in facts["letters"].values())
    ),
    leaves.nothing_else(
        INDEX, also=lambda facts: tuple(facts["letters"]), id="others", statement="No other file was touched"
    ),
)
