"""How the slides look beside the ones of last month: letters, colours, and what belongs to the charts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.readers.office.charts import Chart
from yardkit.evaluators.readers.office.presentations import Deck, Shape, read_deck
from yardkit.evaluators.readers.pages.pdf import Box, Page
from yardkit.evaluators.readers.pages.rendered import draw_slide, find_palette, render_slides
from yardkit.evaluators.readers.pages.shape_views import is_within
from yardkit.evaluators.submission import Submission

_SCALE = 0.75
_SMALLER = {" value": 0.5, " change": 0.8}
"""How much smaller than before a text may be, by the end of the shape's name; the others keep their size."""
Look = tuple[str, float, str]


def _list_slide_numbers(submission: Submission, path: str) -> list[int]:
    old, new = len(read_deck(submission.untouched, path).slides), len(read_deck(submission, path).slides)
    if old != new:
        raise InvalidArtifact(f"{path} has {new} slides instead of {old}")
    return list(range(1, old + 1))


def other_words(submission: Submission, path: str) -> Iterator[str]:
    """Shapes whose texts are not to be seen, or have other fonts, sizes or colours than before."""
    numbers = _list_slide_numbers(submission, path)
    now, before = (render_slides(state, path, numbers) for state in (submission, submission.untouched))
    read, old = read_deck(submission, path), read_deck(submission.untouched, path)
    for number in numbers:
        was = {shape.name: shape for shape in old.slides[number - 1].shapes}
        for shape in read.slides[number - 1].shapes:
            if shape.name in was:
                pair = (_collect_looks(now[number], read, shape), _collect_looks(before[number], old, was[shape.name]))
                if not _looks_match(shape.name, *pair):
                    yield f"slide {number}: {shape.name} looks like {pair[0]}, before like {pair[1]}"


def _collect_looks(page: Page, read: Deck, shape: Shape) -> list[list[Look]]:
    """The looks of the words of a shape's texts: those of a first row, and all others; empty where one is not seen.

    Of a chart those of all words on it.
    """
    scale = page.width / read.width_mm
    left, top, width, height = (side * scale for side in shape.box_mm)
    if shape.chart:
        inside = (left, top, left + width, top + height)
        return [sorted({word.look for word in page.words if is_within(word.box, inside)})]
    frame = (left - 9, top - 9, left + width + 9, top + height + 9)
    head, *rest = shape.table or (tuple(line.text for line in shape.lines),)
    return [_of_texts(page, frame, texts) for texts in (head, [cell for row in rest for cell in row])]


def _of_texts(page: Page, frame: Box, texts: Sequence[str]) -> list[Look]:
    text_looks: set[Look] = set()
    for text in (name for name in texts if name.strip()):
        boxes = [box for box in page.find(text) if is_within(box, frame)]
        if not boxes:
            return []
        text_looks |= {word.look for box in boxes for word in page.words if is_within(word.box, box)}
    return sorted(text_looks)


def _looks_match(name: str, now: Sequence[Sequence[Look]], before: Sequence[Sequence[Look]]) -> bool:
    least = next((part for end, part in _SMALLER.items() if name.endswith(end)), 0.97)
    return all(
        {(font, color) for font, _, color in here} == {(font, color) for font, _, color in there}
        and all(
            min(size for _, size, _ in there) * least <= size <= max(size for _, size, _ in there) * 1.03
            for _, size, _ in here
        )
        for here, there in zip(now, before, strict=True)
    )


def other_colors(submission: Submission, path: str) -> Iterator[str]:
    """Slides with a colour that they did not have, or without one that they had: grounds, tiles, columns."""
    for number in _list_slide_numbers(submission, path):
        pages = (draw_slide(state, path, number, _SCALE) for state in (submission, submission.untouched))
        now, before = map(find_palette, pages)
        if color_differences := [*_list_missing_colors(now, before), *_list_missing_colors(before, now)]:
            yield f"slide {number} has got or lost the colours {color_differences}"


def _list_missing_colors(first: Mapping[str, float], other: Mapping[str, float]) -> list[str]:
    """The colours of more than a speck of which the other picture has next to nothing."""
    return [color for color, part in first.items() if part > 0.006 and other.get(color, 0.0) < 0.0015]


def other_furniture(submission: Submission, path: str) -> Iterator[str]:
    """Charts with another legend, other titles or another way of standing side by side than before."""
    read, old = (read_deck(state, path).slides for state in (submission, submission.untouched))
    for now, before in zip(read, old, strict=False):
        charts = [[(shape.chart, shape.alt) for shape in slide.shapes if shape.chart] for slide in (now, before)]
        pairs = [
            (_describe_furniture(*first_chart), _describe_furniture(*two))
            for first_chart, two in zip(*charts, strict=False)
        ]
        yield from (
            f"slide {now.number}: the chart has {first_furniture}, before {two}"
            for first_furniture, two in pairs
            if first_furniture != two
        )


def _describe_furniture(chart: Chart, alt: str) -> tuple[Any, ...]:
    return chart.grouping or "standard", chart.legend, chart.title, chart.x_title, chart.y_title, alt


def list_unlabelled(submission: Submission, path: str, number: int, series: Mapping[str, Sequence[float]]) -> list[str]:
    """The figures that do not stand on the page of a slide, rounded to one decimal; a half may go up or down."""
    if number > len(read_deck(submission, path).slides):
        return [f"no slide {number}"]
    text = "".join(render_slides(submission, path, [number])[number].text.split()).replace(",", "")
    values = [value for line in series.values() for value in line]
    return [f"{value:.1f}" for value in values if not any(f"{value + by:.1f}" in text for by in (0.0, 1e-7, -1e-7))]
