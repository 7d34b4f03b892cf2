"""The programs in `examples` run, and so does an example of every office, media and perception tool."""

import asyncio
import contextvars
import os
import runpy
from pathlib import Path

import pytest
from support.answers import world_state
from support.scale import select_drills
from tools.example import PERCEPTION, SERVERS, open_workspace

CHEAP = ("barcodes", "formulas")
DEAR = (
    "html",
    "pdf",
    "render",
    "sheets",
    "slides",
    "speech",
    "video",
    *(name for name in PERCEPTION if name not in CHEAP),
)


PROGRAMS = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_runs(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    contextvars.copy_context().run(runpy.run_path, str(program))  # so that its world is forgotten afterwards
    assert capfd.readouterr().out


@pytest.mark.parametrize("server", [*(name for name in SERVERS if name not in DEAR), *select_drills(*DEAR)])
def test_every_tool_has_an_example_that_works(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("YARDKIT_") and name.endswith("_URL")]:
        monkeypatch.delenv(name)

    async def called() -> None:
        async with open_workspace(server, tmp_path / "world") as place:
            tools = await place.client.list_tools()
            assert {tool.name for tool in tools} == {example.tool for example in place.examples}
            reading = {tool.name for tool in tools if tool.annotations and tool.annotations.read_only_hint}
            for example in place.examples:
                before = world_state()
                answer = await place.client.call_tool(example.tool, example.arguments, raise_on_error=False)
                assert example.tool not in reading or world_state() == before, example
                if example.needs:
                    assert f"YARDKIT_{example.needs.upper()}_URL" in answer.content[0].text
                    continue
                assert not answer.is_error, (example, answer.content)
                for name in example.look:
                    assert (place.files / name).stat().st_size, name

    asyncio.run(called())
