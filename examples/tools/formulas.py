"""Examples of formulas: LaTeX that is drawn; a picture of a formula, whose reading needs a model."""

from pathlib import Path

from PIL import Image, ImageDraw
from support.drawn import load_lettering

from tools.example import Example, Gallery

WAITING = r"W = \frac{\lambda}{\mu(\mu - \lambda)} + \sum_{i=1}^{n} \sqrt{\sigma_i^2}"


def prepare_files(files: Path) -> None:
    paper = Image.new("RGB", (420, 120), "white")
    ImageDraw.Draw(paper).text((30, 30), "E = m c²", font=load_lettering(48), fill="black")
    paper.save(files / "paper.png")


GALLERY = Gallery(
    prepare_files,
    (
        Example("draw_formula", {"latex": WAITING, "target": "waiting.png"}, ("waiting.png",)),
        Example("check_formula", {"latex": r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}^{-1}"}),
        Example("check_formula", {"latex": r"\frac{a}"}),
        Example("read_formula", {"path": "paper.png"}, needs="formulas"),
    ),
)
