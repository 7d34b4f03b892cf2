"""Widths of tables and their columns."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Text
from yardkit.kit.surface import tool
from yardkit.servers.documents.dialects.toolathlon.app import (
    ColumnIndex,
    Doc,
    TableIndex,
    edit_text,
    mcp,
    open_writer,
    table_at,
)
from yardkit.servers.documents.engine.blocks import cell_formats, table_edits
from yardkit.servers.documents.engine.markup.specs import TableEdit

Width = Annotated[float, Field(description="In the unit.", ge=0)]
Unit = Annotated[cell_formats.Unit, Field(description="Percent of the text's width; auto: by the text.")]


@tool(mcp, writes=True)
def set_table_column_width(
    filename: Doc, table_index: TableIndex, col_index: ColumnIndex, width: Width, width_type: Unit = "points"
) -> Text:
    """Set the width of a specific table column."""
    with open_writer(filename, track=False) as writer:
        cell_formats.set_column_widths(writer, table_at(writer.document, table_index), {col_index: width}, width_type)
    return edit_text(f"Column {col_index} of table {table_index}: width {_format_width(width, width_type)}.", writer)


@tool(mcp, writes=True)
def set_table_column_widths(
    filename: Doc,
    table_index: TableIndex,
    widths: Annotated[list[float], Field(description="From the first column on, in the unit.", min_length=1)],
    width_type: Unit = "points",
) -> Text:
    """Set the widths of multiple table columns."""
    with open_writer(filename, track=False) as writer:
        widths_by_column = dict(enumerate(widths))
        cell_formats.set_column_widths(writer, table_at(writer.document, table_index), widths_by_column, width_type)
    width_texts = ", ".join(_format_width(width, width_type) for width in widths)
    return edit_text(f"Columns of table {table_index}: widths {width_texts}.", writer)


@tool(mcp, writes=True)
def set_table_width(filename: Doc, table_index: TableIndex, width: Width, width_type: Unit = "points") -> Text:
    """Set the overall width of a table; its columns keep their proportions."""
    with open_writer(filename, track=False) as writer:
        cell_formats.set_width(writer, table_at(writer.document, table_index), width, width_type)
    return edit_text(f"Table {table_index}: width {_format_width(width, width_type)}.", writer)


@tool(mcp, writes=True)
def auto_fit_table_columns(filename: Doc, table_index: TableIndex) -> Text:
    """Set table columns to auto-fit based on content."""
    with open_writer(filename, track=False) as writer:
        anchor = writer.document.anchor(table_at(writer.document, table_index))
        table_edits.edit_table(writer, anchor, [TableEdit("layout", autofit="contents")])
    return edit_text(f"The columns of table {table_index} fit their content.", writer)


def _format_width(width: float, unit: str) -> str:
    return "by its text" if unit == "auto" else f"{width:g} {unit}"
