"""Where the shapes of a slide are on its page: what is seen of them, runs out, or lies on something else."""

from collections.abc import Sequence
from itertools import combinations, pairwise

from yardkit.evaluators.readers.office.presentations import Shape
from yardkit.evaluators.readers.pages.pdf import Box, Page, Word

_SLACK_PT = 1.5
_LINE_PT = 10
"""The least distance between the feet of two lines."""


def is_within(inner: Box, box: Box) -> bool:
    """Whether a box lies in another one, but for a point."""
    return box[0] - 1 <= inner[0] and box[1] - 1 <= inner[1] and inner[2] <= box[2] + 1 and inner[3] <= box[3] + 1


def find_line_words(page: Page, text: str) -> list[Word]:
    """The words of the first place of a text on the page."""
    return [word for box in page.find(text)[:1] for word in page.words if is_within(word.box, box)]


def count_lines(words: Sequence[Word]) -> int:
    """On how many lines words stand."""
    feet = sorted(round(word.box[3]) for word in words)
    return 1 + sum(after - before > _LINE_PT for before, after in pairwise(feet)) if feet else 0


def find_visible_box(page: Page, shape: Shape, scale: float) -> Box | None:
    """Where the text of a shape stands on the page, None if it is not seen, or the box of a shape without text.

    Lengths on the page are `scale` times millimetres. Of equal texts the nearest to the shape counts.
    """
    left, top, width, height = (side * scale for side in shape.box_mm)
    if not shape.text.strip():
        return (left, top, left + width, top + height)
    places = [page.find(line.text) for line in shape.lines if line.text.strip()]
    if not all(places):
        return None
    near = [min(boxes, key=lambda box: abs(box[0] - left) + abs(box[1] - top)) for boxes in places]
    lefts, tops, rights, bottoms = zip(*near, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def list_untidy(page: Page, shapes: Sequence[Shape], scale: float, top: float, bottom: float) -> list[str]:
    """Shapes that are not seen, run out of the page or over `top` and `bottom`, or lie on each other."""
    boxes = {shape.name: find_visible_box(page, shape, scale) for shape in shapes}
    visible = {name: box for name, box in boxes.items() if box is not None}
    lost = [f"{name} is not visible" for name in boxes if name not in visible]
    out = [
        f"{name} runs out"
        for name, box in visible.items()
        if min(box[0], page.width - box[2]) < -_SLACK_PT or box[1] < top or box[3] > bottom
    ]
    pairs = combinations(visible.items(), 2)
    return lost + out + [f"{a} overlaps {b}" for (a, box), (b, other) in pairs if _do_overlap(box, other)]


def _do_overlap(box: Box, other: Box) -> bool:
    wide, tall = (min(box[n + 2], other[n + 2]) - max(box[n], other[n]) for n in (0, 1))
    return wide > _SLACK_PT and tall > _SLACK_PT
