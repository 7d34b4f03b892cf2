"""LaTeX that is checked by reading it as a formula and drawing it."""

import io
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from yardkit.kit.markdown.formulas import lay_out
from yardkit.kit.pictures import run_picture_call
from yardkit.kit.results import Picture
from yardkit.servers.formulas.engine.painting import paint_formula
from yardkit.world import FileRef, Problem, save_bytes

PRELOAD = ("ziamath", "PIL.Image", "PIL.ImageDraw", "PIL.ImageOps")
"""What the process that draws keeps loaded."""
LETTER_PX = 40.0
MARGIN_PX = 16
MAX_SIDE_PX = 2000
_DELIMITERS = (("$$", "$$"), ("$", "$"), (r"\[", r"\]"), (r"\(", r"\)"))
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_WORDS_OF_NAME = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True)
class FormulaCheck:
    """What was found of a formula.

    Attributes:
        latex: without the signs around it.
        parses: whether it is LaTeX of a formula that can be read and drawn.
        problem: what is wrong with it; empty when it parses.
        notes: commands and environments that are not known here: they may still be right LaTeX.
        drawing: of the formula; null where it cannot be drawn.
        saved: the drawing as a file, if that was wanted.
    """

    latex: str
    parses: bool
    problem: str = ""
    notes: list[str] = field(default_factory=list)
    drawing: Picture | None = None
    saved: FileRef | None = None

    def __str__(self) -> str:
        verdict = "parses; compare the drawing" if self.parses else f"does not parse: {self.problem}"
        saved = [f"drawing saved: {self.saved}"] if self.saved else []
        return "\n".join([f"{self.latex}\n{verdict}", *self.notes, *saved])


def check_formula(latex: str) -> FormulaCheck:
    """Read a formula as LaTeX and draw it; dollar signs and the like around it are taken off."""
    return run_picture_call(drawn_formula, strip_delimiters(latex))


def save_drawing(check: FormulaCheck, target: Path) -> FormulaCheck:
    """Save the drawing as PNG.

    Raises:
        Problem: there is none, or the name is another's.
    """
    if target.suffix.lower() != ".png":
        raise Problem(f"{target.name!r} is not a PNG file name; end it with .png")
    if check.drawing is None:
        raise Problem(f"the formula cannot be drawn: {check.problem}; correct it")
    save_bytes(target, check.drawing.data)
    return replace(check, saved=FileRef.from_path(target))


def strip_delimiters(latex: str) -> str:
    """A formula without the signs that set it apart in a text."""
    latex = latex.strip()
    for start, end in _DELIMITERS:
        if latex.startswith(start) and latex.endswith(end) and len(latex) > len(start) + len(end):
            return latex[len(start) : -len(end)].strip()
    return latex


def drawn_formula(latex: str) -> FormulaCheck:
    """A formula, checked and drawn. To be called in `run_picture_call`."""
    if problem := _find_unbalanced(latex):
        return FormulaCheck(latex, parses=False, problem=problem)
    try:
        svg, notes = lay_out(latex, LETTER_PX)
    except ValueError as error:
        return FormulaCheck(latex, parses=False, problem=_format_reason(error.__cause__ or error))
    picture = paint_formula(svg, MARGIN_PX, MAX_SIDE_PX)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return FormulaCheck(latex, parses=True, notes=notes, drawing=Picture(file.getvalue(), "image/png", *picture.size))


def _find_unbalanced(latex: str) -> str:
    """What is wrong with the braces, which the library takes as they come."""
    depth = 0
    for sign in _ESCAPED.sub("", latex):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth < 0:
            return "a } closes nothing"
    return f"{depth} {{ never closed" if depth else "" if latex else "it is empty"


def _format_reason(error: BaseException) -> str:
    """The library's kinds of errors say by their names what is wrong."""
    if isinstance(error, ValueError) and type(error) is ValueError:
        return str(error)
    words = _WORDS_OF_NAME.sub(" ", type(error).__name__).lower().removesuffix(" error")
    return (
        words if words not in ("assertion", "parse", "key", "index", "type") else "a command lacks what belongs to it"
    )
