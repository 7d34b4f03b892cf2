"""The deck as the template makes it, to put the delivered one beside, and what is set by hand in that."""

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.office.presentations import read_deck
from yardkit.evaluators.readers.pages.pdf import Page, Word
from yardkit.evaluators.readers.pages.rendered import draw_slide, find_palette, get_scratch_folder, render_slides
from yardkit.evaluators.submission import Submission

FILE = "deck/launch.pptx"
TEMPLATE = "brand/sandpiper_template.pptx"
LAYOUTS = {
    "title": ("Title Slide",),
    "list": ("Title and Content",),
    "section": ("Section Header",),
    "two": ("Two Content",),
    "chart": ("Title Only",),
}
FOOT_MM = 179.0
"""Where the line of the brand's name begins."""
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SCALE = 0.75
_GROUND, _SPECK, _GONE = 0.05, 0.006, 0.0015
"""Parts of a slide: of a ground, of more than letters that are another size, and of next to nothing."""


def build_model_deck(submission: Submission, facts: Facts) -> Submission:
    """A submission whose deck was made of the template, with the texts of the brief and nothing by hand."""
    root = get_scratch_folder(submission) / "model"
    path = root / "files" / FILE
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        model_path = path.with_name("made.pptx")
        shutil.copyfile(submission.untouched.files / TEMPLATE, model_path)
        _fill_slides(model_path, facts["slides"])
        model_path.replace(path)
    return Submission(root, scratch=submission.scratch)


def _fill_slides(path: Path, slides: Sequence[Mapping[str, Any]]) -> None:
    import pptx

    read = pptx.Presentation(str(path))
    for entry in list(read.slides._sldIdLst):
        read.part.drop_rel(entry.rId)
        entry.getparent().remove(entry)
    layouts = {layout.name: layout for layout in read.slide_layouts}
    for spec in slides:
        slide = read.slides.add_slide(layouts[LAYOUTS[spec["kind"]][0]])
        slide.shapes.title.text = spec["title"]
        bodies = sorted(list(slide.placeholders)[1:], key=lambda shape: int(shape.left))
        for body, lines in zip(bodies, filter(None, (spec["lines"], spec["right"])), strict=False):
            body.text_frame.text = "\n".join(text for text, _ in lines)
            for paragraph, (_, level) in zip(body.text_frame.paragraphs, lines, strict=True):
                paragraph.level = level
    read.save(str(path))


def list_unlike(submission: Submission, facts: Facts) -> Iterator[str]:
    """Slides whose letters, fonts or colours are not those that the template gives; a chart is only seen as a whole."""
    numbers = list(range(1, len(facts["slides"]) + 1))
    beside = build_model_deck(submission, facts)
    now, expected_page = (render_slides(state, FILE, numbers) for state in (submission, beside))
    allowed = {color for color in read_deck(beside, FILE).colors.values() if len(color) == 6}
    charts = {shape for shape, slide in zip(numbers, facts["slides"], strict=True) if slide["kind"] == "chart"}
    for number in numbers:
        words = [_list_words(page[number], None if number in charts else 0.0) for page in (now, expected_page)]
        letters, looks = (
            [Counter("".join(word.text for word in page_words)) for page_words in words],
            _list_other_looks(*words),
        )
        if letters[0] != letters[1]:
            yield f"slide {number} shows {letters[0] - letters[1]} too many, {letters[1] - letters[0]} too few"
        yield from (f"slide {number}: {look}" for look in looks)
        yield from _list_other_colors(submission, beside, number, allowed, chart=number in charts)


def _list_words(page: Page, top: float | None) -> list[Word]:
    """The words above the foot; of a slide with a chart only those of its title."""
    scale = page.height / 190.5
    low = 40.0 * scale if top is None else FOOT_MM * scale
    return [word for word in page.words if word.box[3] <= low]


def _list_other_looks(now: Sequence[Word], expected_words: Sequence[Word]) -> list[str]:
    """Words in another font or colour than the template gives them."""
    known, unexpected = (
        {(word.text, _get_font_family(word), word.color) for word in page_words} for page_words in (expected_words, now)
    )
    unexpected -= known
    return [f"{text!r} in {font}, {color}" for text, font, color in sorted(unexpected)[:3]]


def _get_font_family(word: Word) -> str:
    return word.font.partition("-")[0]


def _list_other_colors(
    submission: Submission, beside: Submission, number: int, allowed: set[str], *, chart: bool
) -> Iterator[str]:
    """Grounds and fills that the template does not have, or has and the slide has not."""
    now, expected_palette = (find_palette(draw_slide(state, FILE, number, _SCALE)) for state in (submission, beside))
    new = [color for color, part in now.items() if part > _SPECK and expected_palette.get(color, 0.0) < _GONE]
    new = [color for color in new if not any(_is_near_color(color, name) for name in allowed)]
    lost = [color for color, part in expected_palette.items() if part > _GROUND and now.get(color, 0.0) < _GONE]
    if (new and not chart) or lost:
        yield f"slide {number} has the colours {new} and lacks {lost}"


def _is_near_color(first: str, other: str) -> bool:
    return max(abs(a - b) for a, b in zip(bytes.fromhex(first), bytes.fromhex(other), strict=True)) < 24


def by_hand(submission: Submission) -> list[str]:
    """Fonts and colours on slides and in charts that do not come from the theme."""
    manual_settings: list[str] = parse_file(submission, FILE, _by_hand, "presentation")
    return manual_settings


def _by_hand(path: Path) -> list[str]:
    import pptx

    manual_settings = []
    for number, slide in enumerate(pptx.Presentation(str(path)).slides, 1):
        charts = [shape.chart._chartSpace for shape in slide.shapes if getattr(shape, "has_chart", False)]
        for root in (slide._element, *charts):
            manual_settings += [f"slide {number}: {name}" for name in _list_own_settings(root)]
    return manual_settings


def _list_own_settings(root: Any) -> list[str]:
    colors = [f"colour {element.get('val')}" for element in root.iter(f"{_A}srgbClr", f"{_A}prstClr")]
    fonts = [font.get("typeface", "") for font in root.iter(f"{_A}latin")]
    return [*colors, *(f"font {name}" for name in fonts if name and not name.startswith("+"))]
