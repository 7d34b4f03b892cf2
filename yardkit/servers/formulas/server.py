"""The tools of the `formulas` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.models.service import ServiceChoice
from yardkit.servers.formulas import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "formulas",
    "Reads formulas in pictures as LaTeX, by a model, and checks LaTeX by drawing it. Look at the drawing: who sees "
    "both can say whether a formula was read right.",
)


@tool(mcp)
def read_formula(
    path: Annotated[InFile, Field(description="Picture (PNG, JPEG, WEBP, GIF, BMP, TIFF) of one formula.")],
    bbox_px: Annotated[
        list[int] | None,
        Field(description="Only this part: [x_min, y_min, x_max, y_max] in pixels.", min_length=4, max_length=4),
    ] = None,
    backend: Annotated[ServiceChoice, Field(description="Kind of model; auto takes what is set up.")] = "auto",
) -> engine.ReadFormula:
    """Read a formula from a picture as LaTeX, by a model; shows the picture above, and drawn below what was read."""
    if bbox_px is None:
        return engine.read_formula(path, None, backend)
    left, top, right, bottom = bbox_px
    return engine.read_formula(path, (left, top, right, bottom), backend)


Latex = Annotated[
    str, Field(description="LaTeX of one formula, with or without $ or \\[ around it.", min_length=1, max_length=1000)
]


@tool(mcp)
def check_formula(latex: Latex) -> engine.FormulaCheck:
    """Check that LaTeX parses as a formula, and show it drawn, so that it can be compared with a picture."""
    return engine.check_formula(latex)


@tool(mcp, writes=True, destructive=True)
def draw_formula(
    latex: Latex, target: Annotated[OutFile, Field(description="The drawing that is written, .png.")]
) -> engine.FormulaCheck:
    """Draw a formula from LaTeX and save it as a picture."""
    return engine.save_drawing(engine.check_formula(latex), target)
