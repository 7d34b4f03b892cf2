"""A tool changes what it names and nothing else; what is copied or dropped goes with all that hangs on it."""

import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from support.decks import check_consistency, read_parts, with_extras

EDITS: dict[str, tuple[dict[str, Any], Any]] = {
    "set_shape_text": ({"slide": 1, "shape": "title", "paragraphs": ["New"]}, {"ppt/slides/slide1.xml"}),
    "set_speaker_notes": ({"notes": [{"slide": 1, "text": "x"}]}, {"ppt/notesSlides/notesSlide1.xml"}),
    "edit_slide_shapes": (
        {"edits": [{"op": "move", "slide": 3, "shapes": ["Picture 5"], "left_cm": 1}]},
        {"ppt/slides/slide3.xml"},
    ),
    "configure_deck": ({"colors": {"accent1": "112233"}}, {"ppt/theme/theme1.xml"}),
    "format_slides": ({"slides": [2], "transition": "push"}, {"ppt/slides/slide2.xml"}),
    "edit_slide_table": (
        {"slide": 3, "shape": "Table 1", "edits": [{"op": "set", "values": [["x"]]}]},
        {"ppt/slides/slide3.xml"},
    ),
    "replace_deck_text": (
        {"find": "Budget chart", "replace": "Costs"},
        {"ppt/charts/chart*.xml"},
    ),
    "write_slide_chart": (
        {"slide": 2, "shape": "Chart 2", "series": [{"name": "One", "values": [3, 4]}]},
        {"ppt/charts/chart*.xml", "ppt/embeddings/Microsoft_Excel_Sheet*.xlsx"},
    ),
}


@pytest.mark.parametrize("tool", EDITS)
def test_only_the_parts_that_an_edit_concerns_change(
    rich: Path, call: Callable[..., dict[str, Any]], tool: Any
) -> None:
    with_extras(rich)
    before = read_parts(rich)
    arguments, expected = EDITS[tool]
    call(tool, path="rich.pptx", **arguments)
    after = read_parts(rich)
    changed = {
        re.sub(r"(chart|Sheet)\d+", r"\1*", name) for name in before | after if before.get(name) != after.get(name)
    }
    assert changed == expected
    assert list(before) == list(after)
    check_consistency(rich)


def test_untouched_members_keep_their_compressed_bytes(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    def packed() -> Any:
        with zipfile.ZipFile(rich) as archive:
            return {info.filename: (info.CRC, info.compress_size, info.date_time) for info in archive.infolist()}

    before = packed()
    call("set_shape_text", path="rich.pptx", slide=1, shape="title", paragraphs=["New"])
    after = packed()
    assert {name for name in before if before[name] != after[name]} == {"ppt/slides/slide1.xml"}


def test_unknown_extensions_in_an_edited_slide_survive(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    with_extras(rich)
    call("set_shape_text", path="rich.pptx", slide=1, shape="title", paragraphs=["New"])
    assert b"urn:unknown" in read_parts(rich)["ppt/slides/slide1.xml"]


def test_a_copy_of_a_slide_has_notes_and_chart_of_its_own(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    call("arrange_slides", path="rich.pptx", action="duplicate", slides=[2])
    call("write_slide_chart", path="rich.pptx", slide=3, shape="Chart 2", series=[{"name": "One", "values": [8, 9]}])
    call("set_speaker_notes", path="rich.pptx", notes=[{"slide": 3, "text": "copied"}])
    deck = Presentation(rich)
    values = [list(slide.shapes[1].chart.series[0].values) for slide in list(deck.slides)[1:3]]
    assert values == [[1, 2], [8, 9]]
    assert [slide.notes_slide.notes_text_frame.text for slide in list(deck.slides)[1:3]] == ["Chart notes", "copied"]
    assert len({slide.shapes[1].chart.part.chart_workbook.xlsx_part.partname for slide in list(deck.slides)[1:3]}) == 2
    check_consistency(rich)


def test_deleting_a_slide_takes_its_parts_and_links_to_it_along(
    rich: Path, call: Callable[..., dict[str, Any]]
) -> None:
    call("arrange_slides", path="rich.pptx", action="delete", slides=[1, 2])
    names = list(read_parts(rich))
    assert not [name for name in names if "chart" in name or "embeddings" in name or "notesSlides/" in name]
    assert [name for name in names if name.startswith("ppt/slides/slide")] == ["ppt/slides/slide3.xml"]
    assert b"hlinkClick" not in read_parts(rich)["ppt/slides/slide3.xml"]
    check_consistency(rich)


def test_deleting_a_shape_lets_its_chart_go(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    call("edit_slide_shapes", path="rich.pptx", edits=[{"op": "delete", "slide": 2, "shapes": ["Chart 2"]}])
    assert not [name for name in read_parts(rich) if "chart" in name or "embeddings" in name]
    check_consistency(rich)


def test_a_picture_that_another_slide_uses_stays(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    call("arrange_slides", path="rich.pptx", action="duplicate", slides=[3])
    shapes = call("read_slides", path="rich.pptx", slides=[3])["slides"][0]["shapes"]
    picture = next(shape["id"] for shape in shapes if shape["kind"] == "picture")
    call("edit_slide_shapes", path="rich.pptx", edits=[{"op": "delete", "slide": 3, "shapes": [picture]}])
    assert [name for name in read_parts(rich) if "media" in name] == ["ppt/media/image1.png"]
    check_consistency(rich)


def test_slides_come_from_another_deck_with_all_that_hangs_on_them(
    rich: Path, call: Callable[..., dict[str, Any]], files: Path
) -> None:
    call("create_deck", path="new.pptx", slides=[{"title": "Mine"}])
    call("copy_slides", path="new.pptx", source="rich.pptx", slides=[2, 3], layout="Title Only")
    deck = Presentation(files / "new.pptx")
    assert list(deck.slides[1].shapes[1].chart.series[0].values) == [1, 2]
    assert deck.slides[1].notes_slide.notes_text_frame.text == "Chart notes"
    assert deck.slides[2].slide_layout.name == "Title Only"
    check_consistency(files / "new.pptx")


def test_the_same_calls_give_the_same_bytes(call: Callable[..., dict[str, Any]], files: Path) -> None:
    for name in ("one.pptx", "two.pptx"):
        call("create_deck", path=name, slides=[{"title": "T"}])
        box = {"left_cm": 2, "top_cm": 4, "width_cm": 10, "height_cm": 8}
        series = [{"name": "S", "values": [1, 2]}]
        call("write_slide_chart", path=name, slide=1, kind="bar", categories=["a", "b"], series=series, **box)
    assert (files / "one.pptx").read_bytes() == (files / "two.pptx").read_bytes()


def test_a_batch_is_applied_whole_or_not_at_all(rich: Path, refused: Callable[..., str]) -> None:
    before = rich.read_bytes()
    operations = [{"op": "move", "slide": 1, "shapes": [2], "left_cm": 3}, {"op": "delete", "slide": 1, "shapes": [99]}]
    assert "operation 2 (delete)" in refused("edit_slide_shapes", path="rich.pptx", edits=operations)
    assert rich.read_bytes() == before
