"""The tools of GTA that ask a vision model: their texts are the model's, and without one they are errors."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageStat
from support.model_services import answer_with_words, model_service
from support.speaking import Agent
from support.videos import write_video

from yardkit.sandbox.serving.registry import chosen_servers
from yardkit.sandbox.serving.workspace_server import build_server
from yardkit.world import World, use_world


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Agent]:
    for name in ("YARDKIT_VISION_URL", "YARDKIT_FORMULAS_URL", "YARDKIT_WORKER_URL"):
        monkeypatch.delenv(name, raising=False)
    world = World.create(tmp_path / "world", task="gta", seed=1)
    board = Image.new("RGB", (400, 300), "white")
    board.paste((0, 0, 255), (100, 100, 350, 250))
    board.save(world.files / "board.png")
    with use_world(world):
        yield Agent(build_server(chosen_servers(["vision", "formulas"], "gta"), "gta"), world.files)


@pytest.fixture
def looker(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def look(prompt: str, pictures: list[Image.Image]) -> str:
        [picture] = pictures
        colour = [round(mean) for mean in ImageStat.Stat(picture).mean]
        return r"\[x^2\]" if "LaTeX" in prompt else f"{picture.size} {colour} {prompt[:60]}"

    with model_service({"POST /chat/completions": answer_with_words(look)}) as url:
        monkeypatch.setenv("YARDKIT_VISION_URL", url)
        yield


@pytest.mark.usefixtures("looker")
async def test_pictures_regions_and_formulas_are_told_as_the_model_tells_them(agent: Agent) -> None:
    description = await agent.says("ImageDescription", image="board.png")
    assert description.startswith("(400, 300) [175, 175, 255] Describe this picture in detail")
    region = await agent.says(
        "RegionAttributeDescription", image="board.png", bbox="(100, 100, 350, 250)", attribute="colour"
    )
    assert region.startswith("(250, 150) [0, 0, 255] This is a part of a larger picture")
    assert await agent.says("MathOCR", image="board.png") == "x^2"


@pytest.mark.usefixtures("looker")
async def test_frames_of_a_video_are_described_a_bounded_number_in_a_call(agent: Agent) -> None:
    colours = [Image.new("RGB", (64, 48), colour) for colour in ["red"] * 10 + ["blue"] * 20]
    write_video(agent.files / "film.mp4", colours)
    lines = (await agent.says("VideoDescription", video="film.mp4", frame_skip=8)).splitlines()
    assert [line.partition(":")[0] for line in lines] == ["Frame 0", "Frame 8", "Frame 16", "Frame 24"]
    assert "(64, 48)" in lines[0]
    assert lines[0] != lines[3]
    more = (await agent.says("VideoDescription", video="film.mp4", frame_skip=1)).splitlines()
    assert (len(more), more[-1]) == (25, "[24 frames; go on with start_s=2.4]")


@pytest.mark.usefixtures("looker")
async def test_a_region_that_is_none_is_an_error(agent: Agent) -> None:
    for bbox, words in (
        ("top left", "is not a valid region"),
        ("(1, 2, 3)", "is not a valid region"),
        ("(500, 0, 600, 9)", "outside"),
    ):
        message = await agent.call_for_error(
            "RegionAttributeDescription", image="board.png", bbox=bbox, attribute="colour"
        )
        assert words in message


async def test_without_a_model_they_say_what_they_need(agent: Agent) -> None:
    assert "YARDKIT_VISION_URL=" in await agent.call_for_error("ImageDescription", image="board.png")
    region = {"image": "board.png", "bbox": "(0, 0, 9, 9)", "attribute": "colour"}
    assert "YARDKIT_VISION_URL=" in await agent.call_for_error("RegionAttributeDescription", **region)
    assert "YARDKIT_FORMULAS_URL=" in await agent.call_for_error("MathOCR", image="board.png")
    assert "YARDKIT_VISION_URL=" in await agent.call_for_error("VideoDescription", video="board.png")
