"""The word server of Toolathlon, still without tools, and what its tools share: documents, places, colours.

Paragraphs and tables count from 0 in the body, as python-docx counts them: those inside of tables and content controls
have no number.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from yardkit.kit.dialect import Text
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup.names import TBL, P, get_value
from yardkit.servers.documents.engine.markup.paragraph_text import in_fallback, text_of
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.writer import Writer, check_saved
from yardkit.world import InFile, OutFile, Problem, current_world, lock_file
from yardkit.world.paths import in_path, out_file

_BARE = re.compile(r"[^./\\]\Z")
"""The end of a name that may lack its ending."""
COLORS = {
    "black": "000000", "white": "FFFFFF", "red": "FF0000", "green": "008000", "blue": "0000FF", "yellow": "FFFF00",
    "orange": "FFA500", "purple": "800080", "gray": "808080", "grey": "808080", "brown": "A52A2A", "pink": "FFC0CB",
    "cyan": "00FFFF", "magenta": "FF00FF", "navy": "000080", "teal": "008080", "maroon": "800000", "olive": "808000",
    "silver": "C0C0C0", "lime": "00FF00", "darkblue": "00008B", "darkred": "8B0000", "darkgreen": "006400",
    "lightblue": "ADD8E6", "lightgreen": "90EE90", "lightgray": "D3D3D3",
}  # fmt: skip


def _complete_path(path: object) -> object:
    """The path with the ending that it lacks, where nothing has the name without it."""
    if not isinstance(path, str) or Path(path).suffix or not _BARE.search(path):
        return path
    try:
        in_path(path)
    except Problem:
        return f"{path}.docx"
    return path


def _add_ending(path: Path) -> Path:
    return path if path.suffix else out_file(path.with_name(f"{path.name}.docx"))


def _parse_color(text: str) -> str:
    known = COLORS.get(text.lower().replace(" ", "").replace("_", ""), text.removeprefix("#"))
    if not re.fullmatch("[0-9A-Fa-f]{6}", known):
        raise ValueError(f"a colour is RRGGBB or one of {', '.join(COLORS)}")
    return known.upper()


Doc = Annotated[InFile, BeforeValidator(_complete_path, json_schema_input_type=Annotated[str, Field(min_length=1)])]
NewDoc = Annotated[OutFile, AfterValidator(_add_ending)]
Color = Annotated[str, AfterValidator(_parse_color)]


@contextmanager
def open_writer(path: Path, output: Path | None = None, *, track: bool | None = None) -> Iterator[Writer]:
    """A writer over the document at `path`, which is saved there (or at `output`) on a clean exit, and read back."""
    target, world = output or path, current_world()
    with lock_file(target, world.locks):
        writer = Writer.for_document(Document.open(path), world.now, track=track)
        yield writer
        writer.document.save(target)
        check_saved(writer.document, target)


def edit_text(done: str, writer: Writer) -> Text:
    """What was done, and what to know besides."""
    notes = [*writer.notes, *writer.document.describe_renumbering()]
    return Text("\n".join([done, *(f"Note: {note}" for note in notes)]))


def list_paragraphs(document: Document) -> list[Any]:
    """The paragraphs of the body that have a number."""
    return [block for block in document.body if block.tag == P]


def paragraph_at(document: Document, index: int) -> Any:
    """A paragraph by its number.

    Raises:
        Problem: there is none.
    """
    return _get_block(list_paragraphs(document), index, "paragraph")


def table_at(document: Document, index: int) -> Any:
    """A table by its number.

    Raises:
        Problem: there is none.
    """
    return _get_block([block for block in document.body if block.tag == TBL], index, "table")


def _get_block(blocks: list[Any], index: int, word: str) -> Any:
    if not 0 <= index < len(blocks):
        there = f"it has {len(blocks)}, counted from 0" if blocks else "it has none"
        raise Problem(f"the document has no {word} {index}: {there}")
    return blocks[index]


def find_near_paragraph(document: Document, text: str | None, index: int | None) -> Any:
    """The paragraph with a number, or the first one that holds a text and is no line of a table of contents.

    Raises:
        Problem: neither is given, or there is none.
    """
    if index is not None:
        return paragraph_at(document, index)
    if not text:
        raise Problem("give target_text, a text of the paragraph, or target_paragraph_index")
    everywhere = (candidate for candidate in document.body.iter(P) if not in_fallback(candidate))
    for paragraph in [*list_paragraphs(document), *everywhere]:
        if text in text_of(paragraph) and not is_contents(document, paragraph):
            return paragraph
    raise Problem(f"no paragraph holds the text {text!r}; find_text_in_document says where a text stands")


def is_contents(document: Document, paragraph: Any) -> bool:
    """Whether a paragraph is a line of a table of contents."""
    return style_of(document, paragraph).lower().startswith("toc")


def style_of(document: Document, paragraph: Any) -> str:
    """The name of the style of a paragraph."""
    return Styles(document).name_of(get_value(paragraph, "w:pPr/w:pStyle"))


def to_underline(on: bool | None) -> Literal["single", "none"] | None:
    """Underlining as looks take it."""
    return None if on is None else "single" if on else "none"
