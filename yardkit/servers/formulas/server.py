"""The tools of the `formulas` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.models.service import ServiceChoice
from yardkit.servers.formulas import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "formulas",
    "Read formulas in pictures as LaTeX with a model, and check LaTeX by drawing it. Compare the drawing "
    "with the picture to see whether the formula was read correctly.",
)


@tool(mcp, looks_at=["path"])
def read_formula(
    path: Annotated[InFile, Field(description="Picture (PNG, JPEG, WEBP, GIF, BMP, TIFF, AVIF, HEIC) of one formula.")],
    bbox_px: Annotated[
        list[int] | None,
        Field(description="Only this part: [x_min, y_min, x_max, y_max] in pixels.", min_length=4, max_length=4),
    ] = None,
    backend: Annotated[ServiceChoice, Field(description="Kind of model; auto uses the configured one.")] = "auto",
) -> engine.ReadFormula:
    """Read a formula from a picture as LaTeX with a model; returns the picture above a drawing of the result."""
    if bbox_px is None:
        return engine.read_formula(path, None, backend)
    left, top, right, bottom = bbox_px
    return engine.read_formula(path, (left, top, right, bottom), backend)


Latex = Annotated[
    str, Field(description="LaTeX of one formula, with or without $ or \\[ around it.", min_length=1, max_length=1000)
]


@tool(mcp)
def check_formula(latex: Latex) -> engine.FormulaCheck:
    """Check that LaTeX parses as a formula, and show it drawn to compare it with a picture."""
    return engine.check_formula(latex)


@tool(mcp, writes=True, destructive=True)
def draw_formula(
    latex: Latex, target: Annotated[OutFile, Field(description="Picture file to write, .png.")]
) -> engine.FormulaCheck:
    """Draw a formula from LaTeX and save it as a picture."""
    return engine.save_drawing(engine.check_formula(latex), target)
