"""Formulas of pictures as LaTeX, by a model behind HTTP."""

import io
from dataclasses import dataclass
from pathlib import Path

from yardkit.kit.results import Picture
from yardkit.models.chat import LONGEST_PX, Region, encode_picture, hear_vision
from yardkit.models.contract import Origin
from yardkit.models.embedded.running import run_in_process
from yardkit.models.reading_prompts import reading_prompt, without_fence
from yardkit.models.service import Service, ServiceChoice, find_service, require_service
from yardkit.servers.formulas.engine.checking import MARGIN_PX, check_formula, strip_delimiters
from yardkit.world import Problem

_NONE = "[no formula]"
_MAX_TOKENS = 1024
_DISPLAY_PX = 1200


@dataclass(frozen=True)
class ReadFormula:
    """A formula as a model reads it.

    Attributes:
        latex: of the formula.
        parses: whether it is LaTeX that can be read and drawn.
        problem: what is wrong with it; empty when it parses.
        notes: what in it is not known here.
        comparison: the picture above, below it the drawing of what was read; the picture alone where it does not parse.
        origin: backend, model, quality.
    """

    latex: str
    parses: bool
    problem: str
    notes: list[str]
    comparison: Picture
    origin: Origin

    def __str__(self) -> str:
        verdict = (
            "it parses; compare the drawing below with the picture above"
            if self.parses
            else f"it does not parse: {self.problem}"
        )
        return "\n".join([self.latex, f"[{verdict}; by {self.origin}]", *self.notes])


def read_formula(path: Path, region: Region | None = None, backend: ServiceChoice = "auto") -> ReadFormula:
    """Read a formula from a picture or a part of it, and draw what was read under it.

    Raises:
        ModelUnavailable: no model is set up.
        Problem: the picture cannot be read, or the model sees no formula.
    """
    service = _formula_model(backend)
    picture = run_in_process(encode_picture, path, LONGEST_PX, region)
    answer = hear_vision(service, reading_prompt(service.model, "formula"), [picture], max_tokens=_MAX_TOKENS)
    latex = strip_delimiters(without_fence(answer.text))
    if latex.lower() == _NONE:
        raise Problem(f"{service.model} found no formula in {path.name!r}; give bbox_px of the part that has one")
    check = check_formula(latex)
    comparison = run_in_process(stack_pictures, picture, check.drawing.data if check.drawing else None)
    cut = ["the model's answer was cut off: the formula is not whole"] if answer.is_cut else []
    notes = [*check.notes, *cut]
    return ReadFormula(check.latex, check.parses, check.problem, notes, comparison, service.origin)


def _formula_model(backend: ServiceChoice) -> Service:
    """A model for formulas, else one for vision."""
    return (
        find_service("formulas", backend)
        or find_service("vision", backend)
        or require_service("formulas", "a model that reads formulas, or a vision model", backend)
    )


def stack_pictures(picture: bytes, drawing: bytes | None) -> Picture:
    """A picture, and under it a drawing, each at most so wide. To be called in `run_in_process`."""
    from PIL import Image

    parts = [Image.open(io.BytesIO(data)).convert("RGB") for data in (picture, drawing) if data is not None]
    for part in parts:
        part.thumbnail((_DISPLAY_PX, _DISPLAY_PX))
    width = max(part.width for part in parts)
    combined_image = Image.new(
        "RGB", (width, sum(part.height for part in parts) + (len(parts) - 1) * MARGIN_PX), "#d0d0d0"
    )
    top = 0
    for part in parts:
        combined_image.paste(part, (0, top))
        top += part.height + MARGIN_PX
    file = io.BytesIO()
    combined_image.save(file, "PNG")
    return Picture(file.getvalue(), "image/png", *combined_image.size)
