"""Every tool of every server, called with what its schema admits and with what it does not.

No call crashes, none hangs, and none says anything of what lies outside the workspace.
"""

import asyncio
import base64
import json
import os
import re
import shutil
import sqlite3
import wave
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastmcp.exceptions import ToolError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import office
from support.hostile_values import FILES, PLACES, arguments_of
from support.scale import count_tries, select_drills
from walking import NAMES, SURFACES, file_arguments, tools_of

from yardkit.apps.lore_documents import save_documents
from yardkit.kit.surface import YardTool
from yardkit.world import World, use_world

SECRET = "canary-77ab-must-never-be-seen"
HANGING_S = 200
"""No call takes as long on a busy machine; each has a limit of its own."""
CALLS = count_tries(40, 1)
KINDS = {
    "documents": ("letter.docx", "letter.docx", "torn.docx"),
    "sheets": ("book.xlsx", "book.xlsx", "torn.xlsx"),
    "slides": ("deck.pptx", "deck.pptx", "torn.pptx"),
    "pdf": ("paper.pdf", "paper.pdf", "torn.pdf"),
    "html": ("page.html",),
    "ocr": ("photo.png", "torn.png", "paper.pdf"),
    "database": ("pets.db", "table.csv"),
}
"""Server -> the files that it works on."""
ENDINGS = {"documents": ".docx", "sheets": ".xlsx", "slides": ".pptx", "pdf": ".pdf", "html": ".html", "plot": ".png"}
LEAK = re.compile(rf"{SECRET}|root:x:0|site-packages|yardkit/servers|{re.escape(str(Path.home()))}/")


@dataclass(frozen=True)
class Fuzzed:
    server: str
    tool: YardTool

    def __str__(self) -> str:
        return f"{self.server}.{self.tool.name}"

    def map_paths(self) -> dict[str, tuple[str, ...]]:
        """What the arguments that are paths mostly are."""
        own = KINDS.get(self.server.partition("/")[0], FILES)
        new = ("new" + ENDINGS.get(self.server.partition("/")[0], ".txt"), "sub/new.txt", own[0])
        return {
            argument.name: (".", "sub", *PLACES[:3])
            if "dir" in argument.role
            else new
            if "out" in argument.role
            else (*own * 3, *FILES, *PLACES)
            for argument in file_arguments(self.server)
            if argument.tool.name == self.tool.name
        }


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A world with a file of each kind, damaged ones and traps."""
    root = tmp_path_factory.mktemp("fuzz")
    (root / "outside").mkdir()
    (root / "outside" / "secret.txt").write_text(SECRET)
    world = World.create(root / "world", task="fuzz", seed=1)
    for name, data in _build_contents().items():
        (world.files / name).parent.mkdir(exist_ok=True)
        (world.files / name).write_bytes(data)
    with sqlite3.connect(world.files / "pets.db") as database:
        database.execute("CREATE TABLE pet (name TEXT, age REAL)")
        database.execute("INSERT INTO pet VALUES ('Rex', 4)")
    database.close()
    with wave.open(str(world.files / "sound.wav"), "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(800))
    save_documents(world, [{"id": "v1%abc", "text": "v0: 12."}])
    return root


def _build_contents() -> dict[str, bytes]:
    contents = {"book.xlsx": office.make_book(), "letter.docx": office.make_paper(), "deck.pptx": office.make_deck()}
    contents |= {"paper.pdf": office.make_sheet(), "photo.png": office.make_picture(), "mail.eml": office.make_letter()}
    torn = {f"torn.{name.split('.')[1]}": data[: len(data) * 2 // 3] for name, data in contents.items()}
    page = b"<!doctype html><html lang=en><title>T</title><body><h1>Plan</h1><p>x</p></body></html>"
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9"/></svg>'
    texts = {
        "notes.txt": b"x marks\n",
        "table.csv": b"name,age\nRex,4\n",
        "data.json": b'[{"a": 1}]',
        "notes.md": b"# A\n",
    }
    unexpected_contents = {
        "text.xlsx": b"no workbook",
        "text.pdf": b"no pdf",
        "empty.docx": b"",
        "\u202egnp.exe": b"MZ\0",
    }
    return {
        **contents,
        **torn,
        **texts,
        **unexpected_contents,
        "page.html": page,
        "drawing.svg": drawing,
        "sub/more.txt": b"x\n",
    }


@pytest.fixture
def worlds(template: Path, tmp_path: Path) -> Iterator[World]:
    """Worlds like the template, each with what lies beside it, one for each call."""

    def make_worlds() -> Iterator[World]:
        number = 0
        while True:
            number += 1
            root = tmp_path / str(number)
            shutil.copytree(template, root)
            files = root / "world" / "files"
            (files / "out").symlink_to(root / "outside")
            (files / "secret").symlink_to(root / "outside" / "secret.txt")
            (files / "loop").symlink_to("loop")
            os.mkfifo(files / "pipe")
            yield World.open(root / "world")
            shutil.rmtree(root)

    return make_worlds()


async def answer_to(tool: YardTool, arguments: dict[str, Any]) -> str:
    """Everything that a client gets."""
    try:
        result = await asyncio.wait_for(tool.run(arguments), HANGING_S)
    except ToolError as error:
        return str(error)
    texts = [getattr(block, "text", "") for block in result.content]
    data = [base64.b64decode(block.data).decode("latin-1") for block in result.content if hasattr(block, "data")]
    return "\n".join([*texts, *data, json.dumps(result.structured_content)])


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("server", [*NAMES, *select_drills(*SURFACES[len(NAMES) :])])
def test_no_call_crashes_hangs_or_tells_of_what_is_outside(server: str, worlds: Iterator[World]) -> None:
    """Dialects call the same engines: they are tried with everything only."""
    for tool in tools_of(server):
        check_calls(Fuzzed(server, tool), worlds)


def check_calls(fuzzed: Fuzzed, worlds: Iterator[World]) -> None:
    @settings(
        max_examples=CALLS,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def check(data: st.DataObject) -> None:
        arguments = data.draw(arguments_of(fuzzed.tool.parameters, fuzzed.map_paths()))
        world = next(worlds)
        with use_world(world):
            reply = asyncio.run(answer_to(fuzzed.tool, arguments))
        assert "failed unexpectedly" not in reply, (str(fuzzed), reply)
        assert str(world.root.parent) not in reply, str(fuzzed)
        assert not LEAK.search(reply), (str(fuzzed), reply)

    check()
