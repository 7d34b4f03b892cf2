"""Decks: built from outlines and templates, arranged, set up, checked and compared."""

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Cm, Pt
from support.decks import check_consistency, read_parts

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
OUTLINE = [
    {"title": "Review", "body": ["2026"]},
    {"title": "Points", "body": ["One", "\tDeeper", "Two"], "notes": "Say it\nslowly"},
    {"title": "Two sides", "body": ["Left"], "more_bodies": [["Right"]]},
    {"title": "Only a title"},
]


@pytest.fixture
def deck_path(call: Callable[..., dict[str, Any]], files: Path) -> Any:
    call("create_deck", path="new.pptx", slides=OUTLINE, title="T", author="Ann")
    return files / "new.pptx"


def list_finding_kinds(call: Any, path: Any, **more: Any) -> Any:
    return [(finding["slide"], finding["kind"]) for finding in call("check_deck", path=path, **more)["findings"]]


def test_an_outline_becomes_slides_on_fitting_layouts(deck_path: Any, call: Callable[..., dict[str, Any]]) -> None:
    info = call("inspect_deck", path="new.pptx")
    assert [slide["layout"] for slide in info["slides"]] == [
        "Title Slide",
        "Title and Content",
        "Two Content",
        "Title Only",
    ]
    assert (info["width_cm"], info["height_cm"]) == (33.87, 19.05)
    assert (info["properties"]["title"], info["properties"]["author"]) == ("T", "Ann")
    deck = Presentation(deck_path)
    assert deck.slides[1].notes_slide.notes_text_frame.text == "Say it\nslowly"
    assert [p.level for p in deck.slides[1].placeholders[1].text_frame.paragraphs] == [0, 1, 0]
    check_consistency(deck_path)


def test_the_letter_case_of_part_names_does_not_count(
    deck_path: Path, call: Callable[..., dict[str, Any]], files: Path
) -> None:
    with zipfile.ZipFile(deck_path) as deck, zipfile.ZipFile(files / "capitals.pptx", "w") as other:
        for name in deck.namelist():
            other.writestr(name.upper(), deck.read(name))
    call("set_shape_text", path="capitals.pptx", slide=4, shape="Title 1", paragraphs=[{"text": "Changed"}])
    assert Presentation(files / "capitals.pptx").slides[3].shapes.title.text == "Changed"
    check_consistency(files / "capitals.pptx")


@pytest.mark.parametrize("size", ["16:9", "4:3"])
def test_the_default_design_passes_its_own_checks_on_every_layout(
    call: Callable[..., dict[str, Any]], files: Path, size: str
) -> None:
    call("create_deck", path="d.pptx", slides=[{"title": "T"}], size=size)
    layouts = call("inspect_deck", path="d.pptx", details=True)["layouts"]
    assert len(layouts) == 11
    slides = []
    for number, layout in enumerate(layouts):
        bodies = [
            ["Some text"]
            for placeholder in layout.get("placeholders", [])
            if placeholder["role"] in ("body", "subtitle")
        ]
        slide = {"layout": layout["name"], "body": bodies[0] if bodies else [], "more_bodies": bodies[1:]}
        slides.append(slide | ({"title": f"Title {number}"} if layout["name"] != "Blank" else {}))
    call("create_deck", path="all.pptx", slides=slides, size=size)
    findings = list_finding_kinds(call, "all.pptx")
    assert findings == [(7, "missing_title"), (9, "empty_placeholder")]


def test_what_adorns_a_quote_stands_between_it_and_who_said_it(
    call: Callable[..., dict[str, Any]], files: Path
) -> None:
    call("create_deck", path="q.pptx", slides=[{"title": "Short.", "body": ["Mia"], "layout": "Quote"}])
    layout = Presentation(files / "q.pptx").slides[0].slide_layout
    quote, source = layout.placeholders[0], layout.placeholders[1]
    adorned = [shape for shape in layout.shapes if not shape.is_placeholder]
    assert adorned
    assert all(quote.top + quote.height <= shape.top < source.top for shape in adorned)


def test_a_template_gives_its_layouts_and_loses_its_slides(
    rich: Path, call: Callable[..., dict[str, Any]], files: Path
) -> None:
    call("create_deck", path="from.pptx", slides=OUTLINE[1:3], template="rich.pptx")
    deck = Presentation(files / "from.pptx")
    assert [slide.slide_layout.name for slide in deck.slides] == ["Title and Content", "Two Content"]
    assert [shape.text_frame.text for shape in deck.slides[1].placeholders] == ["Two sides", "Left", "Right"]
    assert not [name for name in read_parts(files / "from.pptx") if "charts" in name or "media" in name]
    check_consistency(files / "from.pptx")


def test_slides_are_added_moved_hidden_and_deleted(deck_path: Any, call: Callable[..., dict[str, Any]]) -> None:
    call("add_slides", path="new.pptx", slides=[{"title": "New"}], position=2)
    call("arrange_slides", path="new.pptx", action="move", slides=[5, 2], position=1)
    call("arrange_slides", path="new.pptx", action="hide", slides=[1])
    call("arrange_slides", path="new.pptx", action="delete", slides=[4])
    slides = call("inspect_deck", path="new.pptx")["slides"]
    assert [slide["title"] for slide in slides] == ["Only a title", "New", "Review", "Two sides"]
    assert [slide.get("hidden", False) for slide in slides] == [True, False, False, False]
    check_consistency(deck_path)


def test_sections_follow_the_slides(deck_path: Any, call: Callable[..., dict[str, Any]]) -> None:
    sections = [{"name": "A", "first_slide": 1}, {"name": "B", "first_slide": 3}]
    call("configure_deck", path="new.pptx", sections=sections)
    call("arrange_slides", path="new.pptx", action="duplicate", slides=[1])
    call("arrange_slides", path="new.pptx", action="move", slides=[5], position=1)
    call("arrange_slides", path="new.pptx", action="delete", slides=[3])
    assert call("inspect_deck", path="new.pptx")["sections"] == {"A": [1, 2, 3], "B": [4]}
    call("configure_deck", path="new.pptx", sections=[])
    assert "sections" not in call("inspect_deck", path="new.pptx")


def test_transitions_footers_and_backgrounds_are_real(deck_path: Any, call: Callable[..., dict[str, Any]]) -> None:
    look = {"transition": "push", "transition_s": 1.5, "advance_after_s": 5, "advance_on_click": False}
    call(
        "format_slides", path="new.pptx", slides=[1, 2], background="accent2", footer="Foot", slide_number=True, **look
    )
    xml = read_parts(deck_path)["ppt/slides/slide2.xml"]
    assert b'p14:dur="1500"' in xml
    assert xml.count(b'advTm="5000"') == xml.count(b'advClick="0"') == 2
    slide = call("read_slides", path="new.pptx", slides=[2])["slides"][0]
    assert slide["background"] == "accent2"
    assert [shape["role"] for shape in slide["shapes"]][-2:] == ["footer", "number"]
    call(
        "format_slides",
        path="new.pptx",
        slides=[2],
        transition="none",
        footer="",
        slide_number=False,
        background="none",
    )
    slide = call("read_slides", path="new.pptx", slides=[2])["slides"][0]
    assert [shape["role"] for shape in slide["shapes"]] == ["title", "body"]
    assert "background" not in slide
    assert call("inspect_deck", path="new.pptx")["slides"][1].get("transition", "none") == "none"


def test_a_slide_goes_to_another_layout_with_its_text(deck_path: Any, call: Callable[..., dict[str, Any]]) -> None:
    call("format_slides", path="new.pptx", slides=[3], layout="Title and Content")
    slide = call("read_slides", path="new.pptx", slides=[3])["slides"][0]
    texts = {shape["paragraphs"][0]["text"]: shape.get("role", "") for shape in slide["shapes"]}
    assert texts == {"Two sides": "title", "Left": "body", "Right": ""}
    check_consistency(deck_path)


def test_theme_and_size_change(deck_path: Any, call: Callable[..., dict[str, Any]]) -> None:
    call(
        "configure_deck",
        path="new.pptx",
        theme_colors={"accent1": "AA0000"},
        body_font="Georgia",
        width_cm=25.4,
        height_cm=19.05,
    )
    info = call("inspect_deck", path="new.pptx")
    assert (info["width_cm"], info["themes"][0]["colors"]["accent1"]) == (25.4, "AA0000")
    assert info["themes"][0]["body_font"] == "Georgia"
    assert [kind for _, kind in list_finding_kinds(call, "new.pptx")] == []


def test_the_check_finds_what_is_wrong_and_where(deck_path: Any, call: Callable[..., dict[str, Any]]) -> None:
    deck = Presentation(deck_path)
    slide = deck.slides[3]
    for left, top, text, size, color in (
        (30, 5, "off", 14, None),
        (2, 5, "tiny", 7, None),
        (2, 8, "pale", 14, "EEEEEE"),
        (2, 8.2, "on top", 14, None),
    ):
        box = slide.shapes.add_textbox(Cm(left), Cm(top), Cm(6), Cm(1))
        box.name = text
        box.text_frame.text = text
        run = box.text_frame.paragraphs[0].runs[0]
        run.font.size = Pt(size)
        if color:
            from pptx.dml.color import RGBColor

            run.font.color.rgb = RGBColor.from_string(color)
    long = slide.shapes.add_textbox(Cm(15), Cm(5), Cm(3), Cm(1))
    long.name, long.text_frame.word_wrap = "long", True
    long.text_frame.text = "many words that do not fit into such a small box at all"
    deck.save(deck_path)
    ids = {
        shape["name"]: shape["id"] for shape in call("read_slides", path="new.pptx", slides=[4])["slides"][0]["shapes"]
    }
    answer = call("check_deck", path="new.pptx")
    findings = {(finding["kind"], finding["shape"], finding.get("other_shape")) for finding in answer["findings"]}
    assert findings == {
        ("overflow", ids["long"], None),
        ("off_slide", ids["off"], None),
        ("small_text", ids["tiny"], None),
        ("low_contrast", ids["pale"], None),
        ("overlap", ids["on top"], ids["pale"]),
    }
    assert answer["clean"] == [1, 2, 3]
    over = next(finding for finding in answer["findings"] if finding["kind"] == "off_slide")
    assert over["box_cm"] == [30, 5, 6, 1]
    assert "right by 2.1 cm" in over["says"]


def test_an_overflow_is_cured_by_what_the_finding_says(deck_path: Any, call: Callable[..., dict[str, Any]]) -> None:
    lines = [f"Line {number} of a text that is too long for its placeholder" for number in range(18)]
    call("set_shape_text", path="new.pptx", slide=2, shape="body", paragraphs=lines, autofit="none")
    assert list_finding_kinds(call, "new.pptx", kinds=["overflow"]) == [(2, "overflow")]
    call("set_shape_text", path="new.pptx", slide=2, shape="body", paragraphs=lines, autofit="shrink")
    assert list_finding_kinds(call, "new.pptx", kinds=["overflow", "small_text"]) == []


def test_a_line_that_does_not_wrap_and_leaves_the_slide_is_found_and_cured(
    deck_path: Any, call: Callable[..., dict[str, Any]]
) -> None:
    deck = Presentation(deck_path)
    for at, text in enumerate(("a short label", "a line with many words that never wraps " * 5)):
        deck.slides[0].shapes.add_textbox(Cm(3), Cm(4 + at), Cm(20), Cm(8)).text_frame.text = text
    deck.save(deck_path)
    (finding,) = call("check_deck", path="new.pptx", slides=[1], kinds=["overflow"])["findings"]
    assert "does not wrap" in finding["says"]
    call("set_shape_text", path="new.pptx", slide=1, shape=finding["shape"], paragraphs=[text], autofit="shrink")
    assert list_finding_kinds(call, "new.pptx", kinds=["overflow"]) == []


def test_a_table_that_grows_over_the_slide_is_found(deck_path: Any, call: Callable[..., dict[str, Any]]) -> None:
    rows = [[f"row {number}", "some text"] for number in range(25)]
    box = {"left_cm": 2, "top_cm": 4, "width_cm": 20, "height_cm": 10}
    call("add_slide_table", path="new.pptx", slide=4, rows=rows, **box)
    assert (4, "table_overflow") in list_finding_kinds(call, "new.pptx")


def test_a_deck_is_the_same_as_itself(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    assert call("compare_decks", path="rich.pptx", other="rich.pptx")["same"] is True


def test_differences_are_told_slide_by_slide(rich: Path, call: Callable[..., dict[str, Any]], files: Path) -> None:
    shutil.copy(rich, files / "later.pptx")
    call("set_shape_text", path="later.pptx", slide=1, shape="title", paragraphs=["Closing words"])
    operations = [
        {"op": "move", "slide": 3, "shapes": ["Picture 5"], "left_cm": 1},
        {"op": "delete", "slide": 3, "shapes": ["TextBox 6"]},
    ]
    call("edit_slide_shapes", path="later.pptx", edits=operations)
    call("write_slide_chart", path="later.pptx", slide=2, shape="Chart 2", series=[{"name": "One", "values": [1, 5]}])
    table = {"slide": 3, "shape": "Table 1", "edits": [{"op": "set", "row": 2, "column": 2, "values": [["X"]]}]}
    call("edit_slide_table", path="later.pptx", **table)
    call("set_speaker_notes", path="later.pptx", notes=[{"slide": 2, "text": "Other"}])
    call("add_slides", path="later.pptx", slides=[{"title": "Brand new thing"}], position=1)
    call("arrange_slides", path="later.pptx", action="move", slides=[4], position=1)
    answer = call("compare_decks", path="rich.pptx", other="later.pptx")
    differences = {
        (difference["kind"], difference.get("slide"), difference.get("other_slide"))
        for difference in answer["differences"]
    }
    assert differences == {
        ("slide_added", None, 2),
        ("slide_moved", 3, 1),
        ("text", 1, 3),
        ("notes", 2, 4),
        ("chart", 2, 4),
        ("table", 3, 1),
        ("geometry", 3, 1),
        ("shape_removed", 3, 1),
    }
    assert (
        next(difference["says"] for difference in answer["differences"] if difference["kind"] == "text")
        == "'Opening' -> 'Closing'"
    )
    assert "row 2, column 2: 'r1c1 budget' -> 'X'" in next(
        e["says"] for e in answer["differences"] if e["kind"] == "table"
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("read_slides", {"slides": [9]}, "slide 9 does not exist"),
        ("add_slides", {"slides": [{"title": "x", "layout": "Nope"}]}, "the layout 'Nope' does not exist"),
        ("add_slides", {"slides": [{"title": "x"}], "position": 7}, "give 1 to 4"),
        ("add_slides", {"slides": [{"title": "x", "layout": "Blank"}]}, "no title placeholder"),
        ("arrange_slides", {"action": "move", "slides": [1]}, "needs to"),
        ("configure_deck", {"sections": [{"name": "a", "first_slide": 2}]}, "the first must start at slide 1"),
        ("configure_deck", {"theme_colors": {"accent9": "000000"}}, "not a valid theme colour"),
        ("configure_deck", {"width_cm": 20}, "both"),
        ("format_slides", {}, "no change was given"),
        ("check_deck", {"kinds": ["ugly"]}, "'ugly' is not a valid check"),
        ("set_shape_text", {"slide": 1, "shape": "zz", "paragraphs": ["a"]}, "no shape 'zz'"),
        (
            "add_slide_shapes",
            {"slide": 1, "shapes": [{"kind": "rectt", "left_cm": 1, "top_cm": 1, "width_cm": 1, "height_cm": 1}]},
            "rect",
        ),
        (
            "edit_slide_shapes",
            {"edits": [{"op": "move", "slide": 1, "shapes": [2], "left_cm": 1e6}]},
            "out of range",
        ),
    ],
)
def test_wrong_wishes_are_refused_and_change_nothing(
    rich: Path, refused: Callable[..., str], tool: str, arguments: dict[str, Any], says: str
) -> None:
    before = rich.read_bytes()
    assert says in refused(tool, path="rich.pptx", **arguments)
    assert rich.read_bytes() == before


def test_a_potx_template_becomes_a_presentation(
    deck_path: Any, call: Callable[..., dict[str, Any]], files: Path
) -> None:
    members = read_parts(deck_path)
    kind = b"presentationml.presentation.main+xml"
    members["[Content_Types].xml"] = members["[Content_Types].xml"].replace(kind, b"presentationml.template.main+xml")
    with zipfile.ZipFile(files / "t.potx", "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    call("create_deck", path="from.pptx", slides=[{"title": "A"}], template="t.potx")
    deck_parts = read_parts(files / "from.pptx")
    assert kind in deck_parts["[Content_Types].xml"]
    assert [name for name in deck_parts if name.startswith("ppt/slides/slide")] == ["ppt/slides/slide1.xml"]
    check_consistency(files / "from.pptx")
    call("set_shape_text", path="t.potx", slide=1, shape="title", paragraphs=["x"])
    assert b"template.main+xml" in read_parts(files / "t.potx")["[Content_Types].xml"]


def test_a_deck_with_macros_keeps_them_and_its_kind(
    rich: Path, call: Callable[..., dict[str, Any]], refused: Callable[..., str], files: Path
) -> None:
    members = read_parts(rich)
    macro = b"application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml"
    content_type = b"application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
    members["[Content_Types].xml"] = members["[Content_Types].xml"].replace(content_type, macro)
    with zipfile.ZipFile(files / "m.pptm", "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    call("set_shape_text", path="m.pptm", slide=1, shape="title", paragraphs=["x"])
    assert macro in read_parts(files / "m.pptm")["[Content_Types].xml"]
    assert "end 'new.pptx' in .pptm" in refused(
        "create_deck", path="new.pptx", slides=[{"title": "A"}], template="m.pptm"
    )


def list_font_scales(path: Any) -> Any:
    slides = Presentation(path).slides
    return [
        [norm_autofit.get("fontScale") for norm_autofit in slide._element.iter(f"{A}normAutofit")] for slide in slides
    ]


def test_a_long_body_is_scaled_to_stay_in_its_box_for_as_long_as_it_is_long(
    call: Callable[..., dict[str, Any]], files: Path
) -> None:
    lines = [f"Point {number} with a sentence that says something about it" for number in range(14)]
    call(
        "create_deck", path="long.pptx", slides=[{"title": "Long", "body": lines}, {"title": "Short", "body": ["One"]}]
    )
    ((scale,), others) = list_font_scales(files / "long.pptx")
    assert 50_000 <= int(scale) < 100_000
    assert others == []
    assert "overflow" not in call("check_deck", path="long.pptx")["by_kind"]
    body = call("read_slides", path="long.pptx", slides=[1])["slides"][0]["shapes"][1]["id"]
    call("format_shape_text", path="long.pptx", slide=1, shapes=[body], size_pt=8)
    assert list_font_scales(files / "long.pptx")[0] == [None]
    call("format_shape_text", path="long.pptx", slide=1, shapes=[body], size_pt=40)
    call("set_shape_text", path="long.pptx", slide=1, shape=body, paragraphs=lines, autofit="shrink")
    assert int(list_font_scales(files / "long.pptx")[0][0]) < 100_000
    call("set_shape_text", path="long.pptx", slide=1, shape=body, paragraphs=["Short now"])
    assert list_font_scales(files / "long.pptx")[0] == [None]
