"""Every tool of the office and media servers has an example, and every example is answered."""

import asyncio
from pathlib import Path

import pytest
from support.scale import drills

from gallery.example import SERVERS, workspace

DEAR = ("html", "pdf", "render", "sheets", "slides", "speech", "video")


@pytest.mark.parametrize("server", [*(name for name in SERVERS if name not in DEAR), *drills(*DEAR)])
def test_every_tool_has_an_example_that_works(server: str, tmp_path: Path) -> None:
    async def called() -> None:
        async with workspace(server, tmp_path / "world") as place:
            tools = {tool.name for tool in await place.client.list_tools()}
            assert tools == {example.tool for example in place.examples}
            for example in place.examples:
                answer = await place.client.call_tool(example.tool, example.arguments, raise_on_error=False)
                assert not answer.is_error, (example, answer.content)
                for name in example.look:
                    assert (place.files / name).stat().st_size, name

    asyncio.run(called())
