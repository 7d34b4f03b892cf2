"""Widths of tables and their columns."""

from yardkit.compat.toolathlon.documents.app import Doc, edit_text, open_writer, table_at
from yardkit.kit.dialect import Text
from yardkit.servers.documents.engine.blocks import cell_formats, table_edits
from yardkit.servers.documents.engine.markup.specs import TableEdit


def set_table_column_width(
    filename: Doc, table_index: int, col_index: int, width: float, width_type: cell_formats.Unit = "points"
) -> Text:
    with open_writer(filename, track=False) as writer:
        cell_formats.set_column_widths(writer, table_at(writer.document, table_index), {col_index: width}, width_type)
    return edit_text(f"Column {col_index} of table {table_index}: width {_format_width(width, width_type)}.", writer)


def set_table_column_widths(
    filename: Doc, table_index: int, widths: list[float], width_type: cell_formats.Unit = "points"
) -> Text:
    with open_writer(filename, track=False) as writer:
        widths_by_column = dict(enumerate(widths))
        cell_formats.set_column_widths(writer, table_at(writer.document, table_index), widths_by_column, width_type)
    width_texts = ", ".join(_format_width(width, width_type) for width in widths)
    return edit_text(f"Columns of table {table_index}: widths {width_texts}.", writer)


def set_table_width(filename: Doc, table_index: int, width: float, width_type: cell_formats.Unit = "points") -> Text:
    with open_writer(filename, track=False) as writer:
        cell_formats.set_width(writer, table_at(writer.document, table_index), width, width_type)
    return edit_text(f"Table {table_index}: width {_format_width(width, width_type)}.", writer)


def auto_fit_table_columns(filename: Doc, table_index: int) -> Text:
    with open_writer(filename, track=False) as writer:
        anchor = writer.document.anchor(table_at(writer.document, table_index))
        table_edits.edit_table(writer, anchor, [TableEdit("layout", autofit="contents")])
    return edit_text(f"The columns of table {table_index} fit their content.", writer)


def _format_width(width: float, unit: str) -> str:
    return "by its text" if unit == "auto" else f"{width:g} {unit}"
