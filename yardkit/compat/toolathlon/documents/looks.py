"""Styles, and formats of text."""

from yardkit.compat.toolathlon.documents.app import Color, Doc, edit_text, open_writer, paragraph_at, to_underline
from yardkit.kit.dialect import Text
from yardkit.servers.documents.engine.blocks import format_edits
from yardkit.servers.documents.engine.formatting.styles import set_styles
from yardkit.servers.documents.engine.markup.paragraph_text import text_of
from yardkit.servers.documents.engine.markup.specs import Look, StyleEdit


def create_custom_style(
    filename: Doc,
    style_name: str,
    bold: bool | None = None,
    italic: bool | None = None,
    font_size: float | None = None,
    font_name: str | None = None,
    color: Color | None = None,
    base_style: str | None = None,
) -> Text:
    look = Look(bold=bold, italic=italic, color=color, size_pt=font_size, font=font_name)
    with open_writer(filename) as writer:
        done = set_styles(writer.document, [StyleEdit(style_name, based_on=base_style, look=look)])
    word = "created" if done[0].startswith("made") else "changed"
    return edit_text(f"Style '{style_name}' {word} successfully.", writer)


def format_text(
    filename: Doc,
    paragraph_index: int,
    start_pos: int,
    end_pos: int,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    color: Color | None = None,
    font_size: float | None = None,
    font_name: str | None = None,
) -> Text:
    look = Look(
        bold=bold, italic=italic, underline=to_underline(underline), color=color, size_pt=font_size, font=font_name
    )
    with open_writer(filename) as writer:
        paragraph = paragraph_at(writer.document, paragraph_index)
        text = text_of(paragraph)[start_pos:end_pos]
        format_edits.format_span(writer, paragraph, start_pos, end_pos, look)
    return edit_text(f"Text '{text}' formatted successfully in paragraph {paragraph_index}.", writer)
