"""What the pictures of the file show: places of the scanned page, and pages without what covers them."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.readers.files import require_file
from yardkit.evaluators.readers.pages.pdf import draw_pdf_page, read_pdf
from yardkit.evaluators.submission import Submission
from yardkit.world.tree import file_digest

SCALE = 1.5
_PARTS = 4
_PT_PER_MM = 72 / 25.4


def measure_legibility(submission: Submission, facts: Facts, box_mm: list[float], *, pictures: bool = False) -> float:
    """How much of the contrast between letters and paper is left in a place: 1 as before, 0 none.

    Without `pictures` the least of its parts counts and only the page as it is drawn; with them the most of its parts,
    in any picture of the file too.
    """
    before, drawn = _draw_scanned_pages(submission, facts)
    views = [drawn]
    if pictures:
        read_pdf(submission, facts["public"])
        path = require_file(submission, facts["public"])
        views += _read_stored_pictures(path, file_digest(path), before.shape)
        views += [view.mean(axis=2) for view in render_uncovered(submission, facts, facts["scan"]["page"], SCALE)]
    contrasts = [part for view in views for part in _list_contrasts(before, view, box_mm)]
    return max(contrasts) if pictures else min(contrasts)


def list_unreadable_words(submission: Submission, facts: Facts) -> list[str]:
    """Words of the scanned page that are nobody's and cannot be read; something may lie over a letter at their edge."""
    before, drawn = _draw_scanned_pages(submission, facts)
    return [
        word for word, *box in facts["scan"]["words"] if next(_list_contrasts(before, drawn, box, parts=1), 1.0) < 0.5
    ]


def _draw_scanned_pages(submission: Submission, facts: Facts) -> tuple[Any, Any]:
    """The scanned page in grey, in the dossier and in the public version."""
    number = facts["scan"]["page"]
    before = draw_pdf_page(submission.untouched, facts["file"], number, SCALE)
    return before.mean(axis=2), draw_pdf_page(submission, facts["public"], number, SCALE).mean(axis=2)


def render_uncovered(submission: Submission, facts: Facts, number: int, scale: float) -> tuple[Any, ...]:
    """A page of the public version as pixels without what may lie over it: without fields, and its pictures alone."""
    path = require_file(submission, facts["public"])
    return _render_uncovered(path, file_digest(path), number, scale)


@lru_cache(maxsize=24)
def _render_uncovered(path: Path, _digest: str, number: int, scale: float) -> tuple[Any, ...]:
    import numpy
    import pypdfium2

    views = []
    opened = pypdfium2.PdfDocument(path)
    try:
        page = opened[number - 1]
        views.append(page.render(scale=scale, draw_annots=False))
        retained_kinds = (pypdfium2.raw.FPDF_PAGEOBJ_IMAGE, pypdfium2.raw.FPDF_PAGEOBJ_FORM)
        objects = list(page.get_objects(max_depth=1))
        if any(thing.type in retained_kinds for thing in objects):
            for thing in objects:
                if thing.type not in retained_kinds:
                    page.remove_obj(thing)
            views.append(page.render(scale=scale, draw_annots=False))
        return tuple(numpy.array(view.to_pil().convert("RGB")) for view in views)
    finally:
        opened.close()


def _list_contrasts(before: Any, after: Any, box_mm: list[float], parts: int = _PARTS) -> Iterator[float]:
    import numpy

    left, top, right, bottom = (round(side * _PT_PER_MM * SCALE) for side in _compute_core(box_mm))
    if before.shape != after.shape:
        yield 0.0
        return
    for columns in numpy.array_split(numpy.arange(left, right), parts):
        old, new = before[top:bottom, columns], after[top:bottom, columns]
        letters = old < 150
        if letters.any() and not letters.all():
            was = old[~letters].mean() - old[letters].mean()
            yield float((new[~letters].mean() - new[letters].mean()) / was)


def _compute_core(box_mm: list[float]) -> tuple[float, float, float, float]:
    """The middle of a place: a box drawn over it may end a little short of it."""
    left, top, right, bottom = box_mm
    wide, tall = 0.03 * (right - left), 0.2 * (bottom - top)
    return left + wide, top + tall, right - wide, bottom - tall


@lru_cache(maxsize=4)
def _read_stored_pictures(path: Path, _digest: str, shape: tuple[int, int]) -> tuple[Any, ...]:
    """The pictures in the file that have the form of the page, as grey arrays of its shape."""
    import numpy
    import pikepdf

    pictures = []
    with pikepdf.open(path) as opened:
        for thing in opened.objects:
            if not isinstance(thing, pikepdf.Stream) or thing.get("/Subtype") != "/Image":
                continue
            wide, tall = int(thing.get("/Width", 0)), int(thing.get("/Height", 0))
            if 200 < wide < 20_000 and 200 < tall < 20_000 and abs(wide / tall - shape[1] / shape[0]) < 0.02:
                grey = pikepdf.PdfImage(thing).as_pil_image().convert("L").resize((shape[1], shape[0]))
                pictures.append(numpy.asarray(grey, dtype=float))
    return tuple(pictures)
