"""The dialect of Toolathlon's pptx: presentations as files, which need no memory of the server."""

import os
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pptx import Presentation
from support.speaking import Agent, open_speaking_agent

from yardkit.sandbox.serving.registry import load_server

FADE = "{http://schemas.openxmlformats.org/presentationml/2006/main}fade"


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncIterator[Agent]:
    async with open_speaking_agent(load_server("slides", "toolathlon"), tmp_path) as agent:
        yield agent


def write_deck(path: Path, *titles: str) -> None:
    """A deck of python-pptx's own template."""
    path.parent.mkdir(parents=True, exist_ok=True)
    deck = Presentation()
    for title in titles:
        deck.slides.add_slide(deck.slide_layouts[1]).shapes.title.text = title
    deck.save(str(path))


def set_age(path: Path, seconds: int) -> None:
    os.utime(path, (seconds, seconds))


def list_titles(path: Path) -> list[str]:
    return [slide.shapes.title.text for slide in Presentation(str(path)).slides]


async def test_a_new_presentation_is_a_file_with_their_layouts_and_size(agent: Agent) -> None:
    reply = await agent.call_for_json("create_presentation")
    assert reply["presentation_id"] == "presentation_1.pptx"
    assert reply["slide_count"] == 0
    deck = Presentation(str(agent.files / "presentation_1.pptx"))
    assert (deck.slide_width.inches, deck.slide_height.inches) == (10, 7.5)
    names = [layout.name for layout in deck.slide_layouts]
    assert names[:3] == ["Title Slide", "Title and Content", "Section Header"]
    assert (names[5], names[6]) == ("Title Only", "Blank")
    assert (await agent.call_for_json("create_presentation"))["presentation_id"] == "presentation_2.pptx"


async def test_an_id_of_theirs_works_without_its_ending(agent: Agent) -> None:
    reply = await agent.call_for_json("create_presentation", id="sales")
    assert reply["presentation_id"] == "sales.pptx"
    await agent.call_for_json("add_slide", presentation_id="sales", title="One")
    await agent.call_for_json("add_slide", presentation_id="sales.pptx", title="Two")
    assert list_titles(agent.files / "sales.pptx") == ["One", "Two"]
    assert "sales.pptx" in await agent.call_for_error("create_presentation", id="sales")
    assert "no presentation 'other'" in await agent.call_for_error("add_slide", presentation_id="other")


async def test_a_template_is_copied_with_its_slides_and_layouts(agent: Agent) -> None:
    write_deck(agent.files / "house.pptx", "Kept")
    before = (agent.files / "house.pptx").read_bytes()
    reply = await agent.call_for_json("create_presentation_from_template", template_path="house.pptx", id="new")
    assert (reply["slide_count"], reply["layout_count"]) == (1, 11)
    assert list_titles(agent.files / "new.pptx") == ["Kept"]
    with zipfile.ZipFile(agent.files / "house.pptx") as old, zipfile.ZipFile(agent.files / "new.pptx") as new:
        assert {name: old.read(name) for name in old.namelist()} == {name: new.read(name) for name in new.namelist()}
    assert (agent.files / "house.pptx").read_bytes() == before


async def test_opening_gives_the_file_as_id_or_a_copy_under_the_id_that_is_wanted(agent: Agent) -> None:
    write_deck(agent.files / "in" / "deck.pptx", "First")
    opened = await agent.call_for_json("open_presentation", file_path="in/deck.pptx")
    assert (opened["presentation_id"], opened["slide_count"]) == ("in/deck.pptx", 1)
    opened = await agent.call_for_json("open_presentation", file_path="in/deck.pptx", id="work")
    await agent.call_for_json("add_slide", title="Second", presentation_id="work")
    assert list_titles(agent.files / "in" / "deck.pptx") == ["First"]
    saved = await agent.call_for_json("save_presentation", file_path="out/final.pptx", presentation_id="work")
    assert saved["file_path"] == "out/final.pptx"
    assert list_titles(agent.files / "out" / "final.pptx") == ["First", "Second"]


async def test_saving_where_it_stands_changes_nothing(agent: Agent) -> None:
    write_deck(agent.files / "deck.pptx", "First")
    before = (agent.files / "deck.pptx").read_bytes()
    saved = await agent.call_for_json("save_presentation", file_path="deck.pptx")
    assert saved["message"] == "Presentation saved to deck.pptx"
    assert (agent.files / "deck.pptx").read_bytes() == before
    assert "end" in await agent.call_for_error("save_presentation", file_path="deck.pdf")
    assert not (agent.files / "deck.pdf").exists()


async def test_without_an_id_the_presentation_used_last_is_meant(agent: Agent) -> None:
    for name in ("a", "b", "c"):
        write_deck(agent.files / f"{name}.pptx", name)
        set_age(agent.files / f"{name}.pptx", 1_000_000 + ord(name))
    assert (await agent.call_for_json("get_presentation_info"))["presentation_id"] == "c.pptx"
    await agent.call_for_json("open_presentation", file_path="a.pptx")
    assert (await agent.call_for_json("get_presentation_info"))["presentation_id"] == "a.pptx"
    switched = await agent.call_for_json("switch_presentation", presentation_id="b")
    assert (switched["previous_presentation_id"], switched["current_presentation_id"]) == ("a.pptx", "b.pptx")
    await agent.call_for_json("add_slide", title="more")
    assert list_titles(agent.files / "b.pptx") == ["b", "more"]
    listed = await agent.call_for_json("list_presentations")
    assert [presentation["id"] for presentation in listed["presentations"]] == ["b.pptx", "a.pptx", "c.pptx"]
    assert listed["presentations"][0] == {"id": "b.pptx", "slide_count": 2, "is_current": True}
    assert (await agent.call_for_json("get_server_info"))["current_presentation"] == "b.pptx"


async def test_what_was_used_last_is_not_guessed(agent: Agent) -> None:
    assert "no presentation in the workspace" in await agent.call_for_error("get_presentation_info")
    for name in ("a", "b"):
        write_deck(agent.files / f"{name}.pptx", name)
        set_age(agent.files / f"{name}.pptx", 1_000_000)
    assert "a.pptx, b.pptx" in await agent.call_for_error("add_slide")
    assert (await agent.call_for_json("list_presentations"))["current_presentation_id"] is None


async def test_a_damaged_file_is_listed_as_such(agent: Agent) -> None:
    (agent.files / "bad.pptx").write_bytes(b"PK no")
    listed = await agent.call_for_json("list_presentations")
    assert listed["presentations"][0]["slide_count"] is None
    assert "damaged" in listed["presentations"][0]["error"]
    assert "damaged" in await agent.call_for_error("open_presentation", file_path="bad.pptx")


async def test_information_states_layouts_size_and_properties(agent: Agent) -> None:
    write_deck(agent.files / "deck.pptx", "One", "Two")
    reply = await agent.call_for_json("set_core_properties", title="Report", author="Ann", keywords="a, b")
    assert reply["message"] == "Core properties updated successfully"
    core = Presentation(str(agent.files / "deck.pptx")).core_properties
    assert (core.title, core.author, core.keywords) == ("Report", "Ann", "a, b")
    info = await agent.call_for_json("get_presentation_info")
    assert (info["slide_count"], info["slide_width"], info["layout_count"]) == (2, 9_144_000, 11)
    assert info["slide_layouts"][0] == {"index": 0, "name": "Title Slide", "placeholder_count": 5}
    assert info["core_properties"]["title"] == "Report"
    assert "no change was given" in await agent.call_for_error("set_core_properties")
    template_info = await agent.call_for_json("get_template_file_info", template_path="deck.pptx")
    assert template_info["slide_layouts"][0]["placeholders"][0] == {
        "idx": 0,
        "type": "CENTER_TITLE (3)",
        "name": "Title 1",
    }


async def test_masters_and_layouts_are_shown(agent: Agent) -> None:
    write_deck(agent.files / "deck.pptx")
    assert (await agent.call_for_json("manage_slide_masters", operation="list"))["total_masters"] == 1
    layouts = await agent.call_for_json("manage_slide_masters", operation="get_layouts")
    assert layouts["layouts"][6]["name"] == "Blank"
    layout = await agent.call_for_json("manage_slide_masters", operation="get_info", layout_index=1)
    assert layout["layout_name"] == "Title and Content"
    assert [placeholder["idx"] for placeholder in layout["placeholders"]] == [0, 1, 10, 11, 12]
    assert (await agent.call_for_json("manage_slide_masters", operation="get_info"))["layout_count"] == 11
    assert "0-0" in await agent.call_for_error("manage_slide_masters", operation="get_layouts", master_index=3)
    assert "0-10" in await agent.call_for_error("manage_slide_masters", operation="get_info", layout_index=11)


async def test_transitions_are_really_set_and_removed(agent: Agent) -> None:
    write_deck(agent.files / "deck.pptx", "One", "Two")
    reply = await agent.call_for_json(
        "manage_slide_transitions", slide_index=1, operation="set", transition_type="fade", duration=0.7
    )
    assert (reply["transition_type"], reply["duration"]) == ("fade", 0.7)
    slides = Presentation(str(agent.files / "deck.pptx")).slides
    assert [bool(list(slide._element.iter(FADE))) for slide in slides] == [False, True]
    got = await agent.call_for_json("manage_slide_transitions", slide_index=1, operation="get")
    assert got["transition_type"] == "fade"
    await agent.call_for_json("manage_slide_transitions", slide_index=1, operation="remove")
    assert not list(Presentation(str(agent.files / "deck.pptx")).slides[1]._element.iter(FADE))
    assert "needs transition_type" in await agent.call_for_error(
        "manage_slide_transitions", slide_index=0, operation="set"
    )
    assert "0-1" in await agent.call_for_error("manage_slide_transitions", slide_index=2, operation="get")
