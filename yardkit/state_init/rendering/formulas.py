"""Formulas, set as in a textbook."""

import io
import random
from typing import TYPE_CHECKING, Literal

from yardkit.state_init.rendering.ink import Face, get_pen, make_paper, write_line
from yardkit.world import Problem

if TYPE_CHECKING:
    from PIL.Image import Image

FormulaFont = Literal["cm", "stix", "dejavusans"]


def draw_formulas(
    lines: list[str], rng: random.Random, font: FormulaFont = "cm", size: int = 64, heading: str = ""
) -> "Image":
    """Formulas in TeX notation without dollar signs, one below the other, on a sheet of paper.

    Args:
        lines: such as ``x^2 - 5x = 0``; the subset of TeX that Matplotlib's mathtext sets.
        rng: grain of the paper.
        font: Computer Modern, STIX (like Times) or DejaVu Sans.
        size: height of the letters in pixels.
        heading: plain text above, such as ``Solve for x:``.

    Raises:
        Problem: a line is not in that subset.
    """
    pictures = [_typeset_formula(line, font, size) for line in lines]
    margin = round(size * 0.9)
    top = margin + (round(size * 1.3) if heading else 0)
    width = max([picture.width for picture in pictures] + [round(len(heading) * size * 0.4)]) + 2 * margin
    height = top + sum(picture.height + round(size * 0.55) for picture in pictures) + margin // 2
    sheet = make_paper(width, height, (253, 252, 250), rng, grain=1.0)
    if heading:
        write_line(
            get_pen(sheet), (margin, margin * 0.7), heading, Face("Liberation Serif", round(size * 0.6)), (25, 25, 28)
        )
    for picture in pictures:
        sheet.paste((22, 22, 26), (margin, top), picture)
        top += picture.height + round(size * 0.55)
    return sheet


def _typeset_formula(line: str, font: FormulaFont, size: int) -> "Image":
    """The formula as a mask: 255 where there is ink."""
    import matplotlib as mpl
    from matplotlib import mathtext
    from PIL import Image, ImageOps

    buffer = io.BytesIO()
    with mpl.rc_context({"mathtext.fontset": font, "savefig.facecolor": "white", "text.color": "black"}):
        try:
            mathtext.math_to_image(f"${line}$", buffer, dpi=size * 5, format="png")
        except ValueError as error:
            raise Problem(f"{line!r} is not a formula that can be set ({error}); use Matplotlib's mathtext") from error
    buffer.seek(0)
    mask = ImageOps.invert(Image.open(buffer).convert("L"))
    return mask.crop(mask.getbbox())
