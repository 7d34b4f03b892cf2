"""What results carry over the wire, as the settings say; and what a server announces."""

import asyncio
import io
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
from fastmcp import Client, FastMCP
from fastmcp.utilities.types import Image

from yardkit.kit.result_settings import ResultSettings, use_result_settings
from yardkit.kit.results import MAX_ANSWER_CHARACTERS, Picture, fit_blocks
from yardkit.kit.surface import FileRef, make_server, tool
from yardkit.world import Problem, World, current_world, use_world
from yardkit.world.save import save_atomically


@dataclass(frozen=True)
class Counted:
    lines: int

    def __str__(self) -> str:
        return f"{self.lines} lines"


@dataclass(frozen=True)
class Drawn:
    file: FileRef

    def __str__(self) -> str:
        return f"drew {self.file.path}"


@dataclass(frozen=True)
class Looked:
    pictures: list[Picture]

    def __str__(self) -> str:
        return "a page"


def make_toy_server() -> FastMCP[Any]:
    mcp = make_server("toy", "Shows what results carry.")

    @tool(mcp)
    def count_lines() -> Counted:
        """Count."""
        return Counted(3)

    @tool(mcp, bulk=True)
    def count_all() -> Counted:
        """Count all."""
        return Counted(4)

    @tool(mcp)
    def draw_dot() -> Drawn:
        """Draw."""
        return Drawn(FileRef("a dot.png", "image/png", 68))

    @tool(mcp)
    def look_at_page() -> Looked:
        """Look."""
        return Looked([Picture(b"PNG", "image/png", 1, 1)])

    @tool(mcp)
    def draw_dots() -> Counted:
        """Draw dots until the disk is full."""
        with save_atomically(current_world().files / "first.png") as draft:
            draft.write_bytes(b"PNG")
        raise Problem("the disk is full; nothing was changed")

    @tool(mcp)
    def fail_now() -> Counted:
        """Fail."""
        raise KeyError("the secret reason")

    return mcp


@pytest.fixture
def dot(tmp_path: Path) -> Iterator[Path]:
    world = World.create(tmp_path / "world", task="t", seed=1)
    PIL.Image.new("RGB", (1, 1)).save(world.files / "a dot.png")
    with use_world(world):
        yield world.files / "a dot.png"


def list_answers(settings: ResultSettings, *tools: str, mcp: FastMCP[Any] | None = None) -> list[tuple[list[str], Any]]:
    """What a client gets from each tool: kinds of its blocks, or their text, and its structured content."""

    async def ask() -> list[tuple[list[str], Any]]:
        async with Client(mcp or make_toy_server()) as client:
            results = [await client.call_tool(name, {}, raise_on_error=False) for name in tools]
        return [
            ([getattr(block, "text", block.type) for block in result.content], result.structured_content)
            for result in results
        ]

    with use_result_settings(settings):
        return asyncio.run(ask())


FILE = {"file": {"path": "a dot.png", "media_type": "image/png", "size_bytes": 68}}
PAGE = {"pictures": [{"media_type": "image/png", "width_px": 1, "height_px": 1}]}


def test_text_alone_has_no_data_and_pictures_are_shown(dot: Path) -> None:
    assert list_answers(ResultSettings("text"), "count_lines", "count_all", "draw_dot", "look_at_page") == [
        (["3 lines"], None),
        (['{"lines":4}'], None),
        (["drew a dot.png", "image"], None),
        (["a page", "image"], None),
    ]


def test_by_default_data_comes_too_but_never_beside_a_picture(dot: Path) -> None:
    tools = ("count_lines", "count_all", "draw_dot")
    assert list_answers(ResultSettings(), *tools) == [
        (["3 lines"], {"lines": 3}),
        (['{"lines":4}'], None),
        (["drew a dot.png", "image"], None),
    ]
    assert list_answers(ResultSettings("both", "off"), "draw_dot") == [(["drew a dot.png"], FILE)]


def test_structured_gives_data_in_place_of_text(dot: Path) -> None:
    tools = ("count_lines", "count_all", "draw_dot")
    assert list_answers(ResultSettings("structured"), *tools) == [
        ([], {"lines": 3}),
        ([], {"lines": 4}),
        (["drew a dot.png", "image"], None),
    ]


def test_pictures_that_are_off_are_told_unless_a_file_holds_them(dot: Path) -> None:
    notice = "[a picture that is not shown: pictures are set to 'off']"
    assert list_answers(ResultSettings("text", "off"), "draw_dot", "look_at_page") == [
        (["drew a dot.png"], None),
        (["a page", notice], None),
    ]


def test_a_call_that_fails_half_way_names_what_it_changed(dot: Path) -> None:
    answer = list_answers(ResultSettings("text"), "draw_dots")
    assert answer == [(["the disk is full; but these files were changed already: first.png"], None)]
    assert dot.with_name("first.png").exists()


@pytest.mark.parametrize("results", ["text", "structured", "both"])
@pytest.mark.parametrize("pictures", ["on", "link", "off"])
def test_a_schema_of_results_is_listed_where_each_result_keeps_it(results: Any, pictures: Any) -> None:
    async def schemas() -> dict[str, Any]:
        async with Client(make_toy_server()) as client:
            return {tool.name: tool.output_schema for tool in await client.list_tools()}

    with use_result_settings(ResultSettings(results, pictures)):
        listed = asyncio.run(schemas())
    assert bool(listed["count_lines"]) == (results != "text")
    assert bool(listed["draw_dot"]) == (results != "text" and pictures != "on")
    assert listed["count_all"] is None


async def test_links_can_be_read_and_lead_to_pictures_of_the_workspace_only(dot: Path) -> None:
    (dot.parent / "notes.txt").write_text("private")
    (dot.parent / "out.png").symlink_to("/etc/hostname")
    with use_result_settings(ResultSettings(pictures="link")):
        async with Client(make_toy_server(), mode="legacy") as client:
            result = await client.call_tool("draw_dot", {})
            link = result.content[1]
            read = await client.read_resource(link.uri)
            assert (read[0].mime_type, bool(read[0].blob)) == ("image/png", True)
            for name in ("notes.txt", "out.png", "../world.json", "/etc/hostname", "none.png"):
                with pytest.raises(Exception, match=r"(?i)error|not found|unknown") as caught:
                    await client.read_resource(f"workspace:///{name}")
                assert "private" not in str(caught.value)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("pictures", ["on", "link"])
async def test_nothing_is_announced_that_is_not_there(mode: str, pictures: Any) -> None:
    with use_result_settings(ResultSettings(pictures=pictures)):
        async with Client(make_toy_server(), mode=mode) as client:
            announced = client.server_capabilities.model_dump(exclude_none=True, by_alias=True)
    assert announced == {"tools": {}} | ({"resources": {}} if pictures == "link" else {})


def test_a_crash_names_its_kind_and_nothing_else() -> None:
    [([error_text], _)] = list_answers(ResultSettings(), "fail_now")
    assert (
        error_text == "fail_now failed unexpectedly (KeyError), an internal error; try other arguments or another tool"
    )


def test_a_server_that_another_one_mounts_keeps_its_settings(dot: Path) -> None:
    outer: FastMCP[Any] = FastMCP("outer")
    outer.mount(make_toy_server())
    for results, data in (("text", None), ("both", {"lines": 3})):
        assert list_answers(ResultSettings(results), "count_lines", mcp=outer) == [(["3 lines"], data)]  # type: ignore[arg-type]


def test_pictures_of_an_answer_fit_together_into_one_event() -> None:
    noise = [Image(data=_make_noise(number), format="png").to_image_content() for number in range(3)]
    assert sum(len(block.data) for block in noise) > MAX_ANSWER_CHARACTERS
    fitted_picture = fit_blocks(noise)
    assert all(block.type == "image" for block in fitted_picture)
    assert sum(len(block.data) for block in fitted_picture) <= MAX_ANSWER_CHARACTERS  # type: ignore[misc]
    assert fit_blocks(noise[:1])[0].data == noise[0].data


def _make_noise(number: int) -> bytes:
    data = io.BytesIO()
    pixels = random.Random(number).randbytes(360 * 360 * 3)
    PIL.Image.frombytes("RGB", (360, 360), pixels).save(data, "PNG")
    return data.getvalue()
