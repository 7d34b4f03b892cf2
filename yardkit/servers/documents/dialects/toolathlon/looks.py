"""Styles, and formats of text."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Text
from yardkit.kit.surface import tool
from yardkit.servers.documents.dialects.toolathlon.app import (
    Doc,
    FontName,
    FontSize,
    ParagraphIndex,
    Switch,
    TextColor,
    edit_text,
    mcp,
    open_writer,
    paragraph_at,
    to_underline,
)
from yardkit.servers.documents.engine.blocks import format_edits
from yardkit.servers.documents.engine.formatting.styles import set_styles
from yardkit.servers.documents.engine.markup.paragraph_text import text_of
from yardkit.servers.documents.engine.markup.specs import Look, StyleEdit


@tool(mcp, writes=True)
def create_custom_style(
    filename: Doc,
    style_name: Annotated[str, Field(description="Its name.", min_length=1, max_length=253)],
    bold: Switch = None,
    italic: Switch = None,
    font_size: FontSize = None,
    font_name: FontName = None,
    color: TextColor = None,
    base_style: Annotated[str | None, Field(description="Style that it is based on.")] = None,
) -> Text:
    """Create a custom style in the document, or change it."""
    look = Look(bold=bold, italic=italic, color=color, size_pt=font_size, font=font_name)
    with open_writer(filename) as writer:
        done = set_styles(writer.document, [StyleEdit(style_name, based_on=base_style, look=look)])
    word = "created" if done[0].startswith("made") else "changed"
    return edit_text(f"Style '{style_name}' {word} successfully.", writer)


@tool(mcp, writes=True)
def format_text(
    filename: Doc,
    paragraph_index: ParagraphIndex,
    start_pos: Annotated[int, Field(description="First character, from 0.", ge=0)],
    end_pos: Annotated[int, Field(description="Behind the last one.", ge=0)],
    bold: Switch = None,
    italic: Switch = None,
    underline: Switch = None,
    color: TextColor = None,
    font_size: FontSize = None,
    font_name: FontName = None,
) -> Text:
    """Format a specific range of text within a paragraph."""
    look = Look(
        bold=bold, italic=italic, underline=to_underline(underline), color=color, size_pt=font_size, font=font_name
    )
    with open_writer(filename) as writer:
        paragraph = paragraph_at(writer.document, paragraph_index)
        text = text_of(paragraph)[start_pos:end_pos]
        format_edits.format_span(writer, paragraph, start_pos, end_pos, look)
    return edit_text(f"Text '{text}' formatted successfully in paragraph {paragraph_index}.", writer)
