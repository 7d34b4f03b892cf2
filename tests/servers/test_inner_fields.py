"""Fields of inner objects that a tool does not know are refused, whatever the tool."""

import asyncio
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from fastmcp import Client

from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, use_world

mcp = load_server("sheets")


@pytest.mark.parametrize(
    ("operations", "message"),
    [
        ([{"op": "replace", "find": "a", "replace": "b"}], "edits.0.replace: there is no such field"),
        (
            [{"op": "write", "range": "A1", "values": [["x"]]}, {"op": "sort", "range": "A1:A2", "key": ["A"]}],
            "edits.1.key: there is no such field",
        ),
        ([{"op": "sort", "cells": "A1", "key": "A"}], "edits.0.cells, edits.0.key: there is no such field"),
        ([{"op": "sort", "key": "A"}] * 50, "; and 45 more"),
    ],
)
def test_a_misnamed_field_is_refused_and_nothing_is_done(tmp_path: Path, operations: Any, message: str) -> None:
    world = World.create(tmp_path / "world", task="fields", seed=1)

    async def run() -> Any:
        async with Client(mcp) as client:
            await client.call_tool("write_cells", {"path": "a.xlsx", "rows": [["abc"]]})
            arguments = {"path": "a.xlsx", "edits": operations}
            return await client.call_tool("edit_workbook", arguments, raise_on_error=False)

    with use_world(world):
        answer = asyncio.run(run())
    assert answer.is_error
    assert message in answer.content[0].text
    assert "in an object with op, sheet, range" in answer.content[0].text
    assert openpyxl.load_workbook(world.files / "a.xlsx").active["A1"].value == "abc"
