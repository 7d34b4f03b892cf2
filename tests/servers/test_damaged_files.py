"""Office files of which a part is damaged: every tool answers in words, none crashes."""

import asyncio
import io
import random
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp.exceptions import ToolError
from support import office
from support.scale import count_tries, select_drills

from yardkit.kit.ooxml.damage import find_damage, find_unreadable
from yardkit.sandbox.serving.registry import load_server, tools_of
from yardkit.sandbox.tasks.seeding import seed_task
from yardkit.sandbox.tasks.suites import find_task
from yardkit.world import Problem, World, use_world

Calls = list[tuple[str, dict[str, Any]]]
CALLS: dict[str, tuple[str, Calls]] = {
    ".pptx": (
        "slides",
        [
            *((name, {}) for name in ("inspect_deck", "read_slides", "read_deck_text", "check_deck", "configure_deck")),
            ("compare_decks", {"other": "good.pptx"}),
            ("copy_slides", {"source": "good.pptx"}),
            ("arrange_slides", {"action": "duplicate", "slides": [1]}),
            ("add_slides", {"slides": [{"title": "more"}]}),
            ("replace_deck_text", {"find": "a", "replace": "b"}),
            ("set_speaker_notes", {"notes": [{"slide": 1, "text": "more"}]}),
            ("edit_slide_shapes", {"edits": [{"op": "delete", "slide": 1, "shapes": [1]}]}),
        ],
    ),
    ".xlsx": (
        "sheets",
        [
            *((name, {}) for name in ("inspect_workbook", "read_cells", "read_records", "read_objects")),
            ("find_cells", {"query": "a"}),
            ("compare_workbooks", {"other": "good.xlsx"}),
            ("write_cells", {"rows": [["more", 1]]}),
            ("append_rows", {"rows": [["more"]]}),
            ("change_sheets", {"action": "add", "name": "More"}),
            ("format_cells", {"range": "A1:B2", "bold": True}),
            ("export_data", {"target": "made.csv"}),
        ],
    ),
    ".docx": (
        "documents",
        [
            ("inspect_document", {}),
            ("read_document", {}),
            ("search_document", {"query": "a"}),
            ("replace_document_text", {"replacements": [{"find": "a", "replace": "b"}]}),
            ("read_annotations", {"kind": "comments"}),
            ("edit_blocks", {"edits": [{"op": "insert", "blocks": [{"text": "more"}]}]}),
            ("compare_documents", {"other": "good.docx"}),
            ("settle_changes", {"action": "accept"}),
            ("merge_documents", {"paths": ["bad.docx", "good.docx"], "target": "made.docx"}),
        ],
    ),
}
GOOD = {".pptx": office.make_deck, ".xlsx": office.make_book, ".docx": office.make_paper}
INSTEAD = (b"x", b"", b"-1", b"0", b"99999999999999999999", b"1.5", b"1e999", b"NaN")


def damage_package(data: bytes, chance: random.Random) -> bytes:
    """The package with one number, value or empty element of one part replaced or left out, or the part cut off."""
    source, damaged_buffer = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    victim = chance.choice([name for name in source.namelist() if name.endswith((".xml", ".rels"))])
    with zipfile.ZipFile(damaged_buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            part = source.read(name)
            target.writestr(name, _damaged_part(part, chance) if name == victim else part)
    return damaged_buffer.getvalue()


def _damaged_part(part: bytes, chance: random.Random) -> bytes:
    kind = chance.choice(["number", "number", "number", "value", "element", "cut"])
    if kind == "cut":
        return part[: chance.randrange(len(part))]
    number, value, element = rb'(?<=[">])-?\d+(?=["<])', rb'(?<==")[^"]+(?=")', rb"<[a-zA-Z:0-9]+[^>]*/>"
    hits = list(re.finditer({"number": number, "value": value, "element": element}[kind], part))
    if not hits:
        return part
    hit = chance.choice(hits)
    instead = b"" if kind == "element" else chance.choice([*INSTEAD, b"rId99", b"A1:ZZ", b"#REF!"])
    return part[: hit.start()] + instead + part[hit.end() :]


def list_crashes(suffix: str, data: bytes, folder: Path) -> Iterator[str]:
    """The tools that crash on a file, and how; each gets it as it was."""
    world = World.create(folder, task="damage", seed=1)
    (world.files / f"good{suffix}").write_bytes(GOOD[suffix]())
    server, calls = CALLS[suffix]
    tools = {tool.name: tool for tool in tools_of(load_server(server))}
    for name, others in calls:
        (world.files / f"bad{suffix}").write_bytes(data)
        arguments = others if "paths" in others else {"path": f"bad{suffix}", **others}
        with use_world(world):
            try:
                asyncio.run(tools[name].run(arguments))
            except ToolError as error:
                if "wrong arguments" in str(error) or not isinstance(error.__cause__, Problem):
                    yield str(error)
            except Exception as error:  # noqa: BLE001 - every crash counts
                yield f"{name}: {error!r}"


@pytest.mark.parametrize("suffix", sorted(CALLS))
@pytest.mark.parametrize("seed", range(count_tries(60, 2)))
def test_no_tool_crashes_on_a_damaged_part(suffix: str, seed: int, tmp_path: Path) -> None:
    chance = random.Random(f"{suffix}:{seed}")
    for number in range(count_tries(4, 1)):
        data = damage_package(GOOD[suffix](), chance)
        assert list(list_crashes(suffix, data, tmp_path / str(number))) == [], f"seed {seed}, file {number}"


def test_what_is_damaged_is_named_with_its_part(tmp_path: Path) -> None:
    def broken(suffix: str, part: str, old: bytes, new: bytes) -> Path:
        source, path = zipfile.ZipFile(io.BytesIO(GOOD[suffix]())), tmp_path / f"a{suffix}"
        with zipfile.ZipFile(path, "w") as target:
            for name in source.namelist():
                data = source.read(name)
                assert name != part or old in data
                target.writestr(name, data.replace(old, new, 1) if name == part else data)
        return path

    slide = "ppt/slides/slide1.xml"
    layout = broken(".pptx", "ppt/slides/_rels/slide1.xml.rels", b"/slideLayout", b"/nothing")
    assert find_damage(layout) == f"the part {slide!r} has no relation to a slideLayout"
    row = broken(".xlsx", "xl/worksheets/sheet1.xml", b'<row r="1"', b'<row min="x"')
    assert find_damage(row) == "the part 'xl/worksheets/sheet1.xml' has 'x' as 'min' of 'row', where a number belongs"
    kind = broken(".pptx", "[Content_Types].xml", b".slideLayout+xml", b".x+xml")
    assert "does not call 'ppt/slideLayouts/slideLayout1.xml' a slideLayout" in find_damage(kind)
    size = broken(".xlsx", "xl/styles.xml", b'<sz val="11"', b'<sz val="#REF!"')
    unread = ValueError("could not convert string to float: '#REF!'")
    assert find_unreadable(size, unread) == "the part 'xl/styles.xml' has '#REF!' in 'sz', where it cannot be read"
    assert not find_unreadable(size, unread, "the call asked for '#REF!'")


@pytest.mark.parametrize(
    "task",
    ["office/quarterly_report", *select_drills("office/deck_repair", "office/timesheets", "office/thesis_format")],
)
def test_files_that_office_programs_wrote_are_not_called_damaged(task: str, tmp_path: Path) -> None:
    seed_task(find_task(task), 0, tmp_path / "world")
    files = [path for path in (tmp_path / "world" / "files").rglob("*") if path.suffix in CALLS]
    assert files
    assert [find_damage(path) for path in files] == [""] * len(files)
