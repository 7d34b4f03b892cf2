"""The promise of the office servers: an edit changes what it names, and every other part stays byte for byte."""

import asyncio
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from support import rich
from support.books import read_parts
from support.scale import count_tries, select_drills

from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.slides.server import mcp as slides
from yardkit.world import World, skip_syncing, use_world

documents, sheets = load_server("documents"), load_server("sheets")


@dataclass(frozen=True)
class Edit:
    """A call, and the parts that it may change, as a pattern."""

    tool: str
    arguments: dict[str, Any]
    may_change: str


SHEET = r"xl/worksheets/sheet1\.xml"
READERS = r"xl/worksheets/sheet[23]\.xml|xl/workbook\.xml|xl/calcChain\.xml"
"""What any write may reach: sheets with formulas that read the change or have no stored value yet, and the wish to be
computed by the next program."""
# Without the cells that the corpus hides in a merged one, which refuse values.
cells = st.builds("{}{}".format, st.sampled_from("ABCDFGK"), st.integers(2, 40)).filter(
    lambda cell: cell not in {"B30", "C30", "D30"}
)
texts = st.text(st.characters(exclude_categories=("Cc", "Cs", "Co", "Cn")), min_size=1, max_size=30).filter(str.strip)
values = st.one_of(st.integers(-(10**9), 10**9), st.floats(-1e9, 1e9), texts.map("'{}".format), st.booleans())

workbook_edits = st.one_of(
    st.builds(
        lambda cell, value: Edit("write_cells", {"start_cell": cell, "rows": [[value]]}, rf"{SHEET}|{READERS}"),
        cells,
        values,
    ),
    st.builds(lambda row: Edit("append_rows", {"rows": [row]}, rf"{SHEET}|{READERS}"), st.lists(values, min_size=1)),
    st.builds(
        lambda cell, bold: Edit("format_cells", {"range": cell, "bold": bold}, rf"{SHEET}|xl/styles\.xml|{READERS}"),
        cells,
        st.booleans(),
    ),
    st.builds(
        lambda width: Edit("set_sheet_layout", {"column_widths": {"B": width}}, rf"{SHEET}|{READERS}"),
        st.floats(2, 80).map(round),
    ),
    st.builds(
        lambda n: Edit("set_name", {"name": "Fresh", "refers_to": f"=Data!$B${n}"}, rf"{SHEET}|{READERS}"),
        st.integers(2, 20),
    ),
)
document_edits = st.one_of(
    st.builds(
        lambda text: Edit(
            "replace_document_text",
            {"replacements": [{"find": "ten per cent", "replace": text}]},
            r"word/document\.xml",
        ),
        texts.map(lambda text: text.replace("\\", "")),
    ),
    st.builds(
        lambda text: Edit(
            "edit_blocks",
            {"edits": [{"op": "insert", "blocks": [{"text": text, "literal": True}]}]},
            r"word/document\.xml",
        ),
        texts,
    ),
    st.builds(
        lambda word: Edit(
            "replace_document_text", {"replacements": [{"find": "The header", "replace": word}]}, r"word/header\d\.xml"
        ),
        st.sampled_from(["Draft", "Final"]),
    ),
    st.just(Edit("set_document_properties", {"properties": {"title": "Other"}}, r"docProps/core\.xml")),
)
deck_edits = st.one_of(
    st.builds(
        lambda number, text: Edit(
            "set_shape_text",
            {"slide": number, "shape": "title", "paragraphs": [text]},
            rf"ppt/slides/slide{number}\.xml",
        ),
        st.integers(1, 5),
        texts,
    ),
    st.builds(
        lambda number, text: Edit(
            "set_speaker_notes",
            {"notes": [{"slide": number, "text": text}]},
            rf"ppt/notesSlides/notesSlide{number}\.xml",
        ),
        st.integers(1, 5),
        texts,
    ),
    st.builds(
        lambda number, left: Edit(
            "edit_slide_shapes",
            {"edits": [{"op": "move", "slide": number, "shapes": ["title"], "left_cm": left}]},
            rf"ppt/slides/slide{number}\.xml",
        ),
        st.integers(1, 5),
        st.integers(0, 20),
    ),
)
CASES = {
    ".xlsx": (sheets, workbook_edits),
    ".docx": (documents, document_edits),
    ".pptx": (slides, deck_edits),
}


@pytest.fixture(scope="module")
def corpus() -> Iterator[dict[str, list[Path]]]:
    """Files by suffix, each by its first maker and as LibreOffice saves it; none is ever changed."""
    with tempfile.TemporaryDirectory() as folder:
        paths_by_kind: dict[str, list[Path]] = {}
        for suffix, makers in rich.MAKERS.items():
            generated_paths = [maker(Path(folder) / f"{maker.__name__}{suffix}") for maker in makers]
            again = [rich.by_libreoffice(path, path.with_name(f"lo_{path.name}")) for path in generated_paths]
            paths_by_kind[suffix] = [*generated_paths, *again]
        yield paths_by_kind


def apply_edit(server: Any, path: Path, edit: Edit) -> None:
    async def call() -> None:
        async with Client(server) as client:
            await client.call_tool(edit.tool, {"path": path.name, **edit.arguments})

    with use_world(World.open_user_folder(path.parent)), skip_syncing():
        asyncio.run(call())


@pytest.mark.parametrize("suffix", list(CASES))
def test_an_edit_leaves_every_other_part_as_it_is(suffix: str, corpus: dict[str, list[Path]]) -> None:
    server, edits = CASES[suffix]

    @settings(max_examples=count_tries(60, 10))
    @given(data=st.data())
    def holds(data: st.DataObject) -> None:
        source = data.draw(st.sampled_from(corpus[suffix]), label="file")
        edit = data.draw(edits, label="edit")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(shutil.copy(source, folder))
            apply_edit(server, path, edit)
            changed = rich.changed_parts(read_parts(source), read_parts(path))
        assert {part for part in changed if not re.fullmatch(edit.may_change, part)} == set()

    holds()


@pytest.mark.parametrize("suffix", [".xlsx", *select_drills(".docx", ".pptx")])
def test_what_was_edited_opens_in_libreoffice(suffix: str, corpus: dict[str, list[Path]], tmp_path: Path) -> None:
    server, edits = CASES[suffix]
    path = Path(shutil.copy(corpus[suffix][0], tmp_path))

    @settings(max_examples=count_tries(25, 8), database=None, derandomize=True)
    @given(edit=edits)
    def all_on_one_file(edit: Edit) -> None:
        if edit.tool != "replace_document_text":  # what it looks for is there once only
            apply_edit(server, path, edit)

    all_on_one_file()
    assert rich.by_libreoffice(path, path.with_suffix(".pdf")).stat().st_size > 1000
