"""Formulas in the dialect of GTA: the LaTeX alone, where GTA gave the JSON of a service, its faults included."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Text
from yardkit.kit.surface import make_server, tool
from yardkit.servers.formulas import engine
from yardkit.world import InFile

mcp = make_server("formulas", "Reads formulas in pictures as LaTeX, by the model that is set up.")


@tool(mcp, name="MathOCR")
def read_formula(image: Annotated[InFile, Field(description="Image file of a formula.")]) -> Text:
    """Read the formula of an image as LaTeX."""
    return Text(engine.read_formula(image).latex)
