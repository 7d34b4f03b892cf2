"""Text: written, formatted, replaced across runs; notes; links; fitting."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pptx import Presentation
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.util import Pt
from support.decks import check_consistency

LINES = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8), min_size=1, max_size=5
)
BOX = {"left_cm": 1, "top_cm": 12, "width_cm": 8, "height_cm": 2}


def shape_of(path: Any, slide: Any, name: Any) -> Any:
    return next(shape for shape in Presentation(path).slides[slide - 1].shapes if shape.name.startswith(name))


def test_a_match_over_several_runs_is_replaced_and_the_formats_stay(
    rich: Path, call: Callable[..., dict[str, Any]]
) -> None:
    answer = call("replace_deck_text", path="rich.pptx", find="budget 2025", replace="costs 2026", match_case=False)
    assert answer["count"] == 2
    runs = shape_of(rich, 1, "Content").text_frame.paragraphs[0].runs
    assert [(run.text, run.font.bold) for run in runs] == [("Alpha costs 2026", None), (" plan", True)]
    assert Presentation(rich).slides[0].notes_slide.notes_text_frame.text == "Say the costs 2026 slowly"


def test_replacing_reaches_tables_groups_charts_and_notes(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    answer = call("replace_deck_text", path="rich.pptx", find="budget", replace="cost", match_case=False)
    assert answer["count"] == 1 + 9 + 1 + 1 + 1
    deck = Presentation(rich)
    assert deck.slides[1].shapes[1].chart.chart_title.text_frame.text == "cost chart"
    assert deck.slides[2].shapes[0].table.cell(2, 2).text == "r2c2 cost"
    assert call("read_deck_text", path="rich.pptx")["text"].count("udget") == 0


def test_replacing_takes_groups_of_an_expression_and_only_named_slides(
    rich: Path, call: Callable[..., dict[str, Any]]
) -> None:
    call("replace_deck_text", path="rich.pptx", find=r"r(\d)c(\d)", replace=r"c\2r\1", regex=True, slides=[3])
    assert Presentation(rich).slides[2].shapes[0].table.cell(2, 1).text == "c1r2 budget"


@pytest.mark.drill
def test_an_expression_that_takes_for_ever_is_ended(
    rich: Path, call: Callable[..., dict[str, Any]], refused: Callable[..., str]
) -> None:
    call("replace_deck_text", path="rich.pptx", find="budget", replace="a" * 60 + "!")
    words = refused("replace_deck_text", path="rich.pptx", find="(a+)+$", replace="x", regex=True)
    assert "not worked out within the limit" in words


def test_nothing_to_replace_is_an_error_and_changes_nothing(rich: Path, refused: Callable[..., str]) -> None:
    before = rich.read_bytes()
    assert "nothing matches" in refused("replace_deck_text", path="rich.pptx", find="zebra", replace="x")
    assert "not a valid regular expression" in refused(
        "replace_deck_text", path="rich.pptx", find="(", replace="x", regex=True
    )
    assert rich.read_bytes() == before


def test_paragraphs_with_levels_bullets_and_runs_are_written(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    paragraphs = [
        "Top",
        "\tBelow",
        {"text": "Numbered", "bullet": "number", "align": "center", "space_before_pt": 6},
        {
            "runs": [
                {"text": "bold", "bold": True, "size_pt": 30, "color": "accent2"},
                {"text": " see", "link": "https://example.org"},
            ]
        },
        {"runs": [{"text": "jump", "link": "#3"}]},
    ]
    call("set_shape_text", path="rich.pptx", slide=1, shape="Content Placeholder 2", paragraphs=paragraphs)
    shape = call("read_slides", path="rich.pptx", slides=[1], details=True)["slides"][0]["shapes"][1]
    read_paragraphs = shape["paragraphs"]
    assert [paragraph["text"] for paragraph in read_paragraphs] == ["Top", "Below", "Numbered", "bold see", "jump"]
    assert read_paragraphs[1]["level"] == 1
    assert (read_paragraphs[2]["bullet"], read_paragraphs[2]["align"]) == ("number", "center")
    assert read_paragraphs[3]["runs"][0] == {"text": "bold", "bold": True, "size_pt": 30.0, "color": "accent2"}
    assert read_paragraphs[3]["runs"][1]["link"] == "https://example.org"
    assert read_paragraphs[4]["runs"][0]["link"] == "#3"
    check_consistency(rich)


def test_new_text_takes_the_format_of_the_text_it_replaces(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    deck = Presentation(rich)
    run = deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0]
    run.font.size, run.font.italic = Pt(33), True
    deck.save(rich)
    call("set_shape_text", path="rich.pptx", slide=1, shape="title", paragraphs=["Other"])
    run = Presentation(rich).slides[0].shapes.title.text_frame.paragraphs[0].runs[0]
    assert (run.text, run.font.size, run.font.italic) == ("Other", Pt(33), True)


@settings(max_examples=15)
@given(LINES)
def test_what_is_written_is_read_back(rich: Path, call: Callable[..., dict[str, Any]], lines: Any) -> None:
    call("set_shape_text", path="rich.pptx", slide=1, shape=2, paragraphs=lines)
    shape = call("read_slides", path="rich.pptx", slides=[1])["slides"][0]["shapes"][0]
    assert [paragraph["text"] for paragraph in shape["paragraphs"]] == lines


def test_only_the_matching_text_is_formatted(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    call(
        "format_shape_text",
        path="rich.pptx",
        slide=1,
        shapes=["Content Placeholder 2"],
        find="budget 2025",
        underline=True,
    )
    runs = shape_of(rich, 1, "Content").text_frame.paragraphs[0].runs
    assert [(run.text, run.font.underline, run.font.bold) for run in runs] == [
        ("Alpha ", None, None),
        ("budget", True, None),
        (" 2025", True, True),
        (" plan", None, True),
    ]


def test_text_is_shrunk_until_it_fits(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    long = ["A line of text that is rather long and goes on and on"] * 30
    answer = call("set_shape_text", path="rich.pptx", slide=1, shape="Content Placeholder 2", paragraphs=long)
    assert "needs" in answer["notes"][0]
    shrunk = call(
        "set_shape_text",
        path="rich.pptx",
        slide=1,
        shape="Content Placeholder 2",
        paragraphs=long[:14],
        autofit="shrink",
    )
    assert "scaled" in shrunk["notes"][0]
    assert len(shrunk["notes"]) == 1
    assert call("check_deck", path="rich.pptx", slides=[1], kinds=["overflow"])["count"] == 0


def test_notes_are_written_and_added_to(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    call("set_speaker_notes", path="rich.pptx", notes=[{"slide": 1, "text": "A\nB"}, {"slide": 3, "text": "C"}])
    call("set_speaker_notes", path="rich.pptx", notes=[{"slide": 3, "text": "D"}], append=True)
    deck = Presentation(rich)
    assert [deck.slides[at].notes_slide.notes_text_frame.text for at in (0, 2)] == ["A\nB", "C\nD"]
    check_consistency(rich)


@pytest.mark.parametrize("link", ["javascript:alert(1)", "#9", "file:///etc/passwd"])
def test_links_that_lead_nowhere_are_refused(rich: Path, refused: Callable[..., str], link: str) -> None:
    message = refused(
        "set_shape_text", path="rich.pptx", slide=1, shape=2, paragraphs=[{"runs": [{"text": "x", "link": link}]}]
    )
    assert "link" in message


def test_control_characters_and_wrong_fields_are_refused(rich: Path, refused: Callable[..., str]) -> None:
    assert "control character" in refused("set_shape_text", path="rich.pptx", slide=1, shape=2, paragraphs=["a\x01"])
    message = refused("set_shape_text", path="rich.pptx", slide=1, shape=2, paragraphs=[{"text": "a", "colour": "red"}])
    assert "colour" in message


def test_a_deck_reads_as_markdown(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    text = call("read_deck_text", path="rich.pptx")["text"]
    assert "# Opening words\n\n- Alpha budget **2025 plan**\n- Beta\n\n> Notes: Say the budget 2025 slowly" in text
    assert "*Chart (column): Budget chart*\n\n|  | One |\n|---|---|\n| A | 1 |\n| B | 2 |" in text
    assert "| r0c0 budget | r0c1 budget | r0c2 budget |" in text
    outline = call("read_deck_text", path="rich.pptx", format="outline", slides=[1], with_notes=False)["text"]
    assert outline == "1. Opening words\n   - Alpha budget 2025 plan\n   - Beta"


def test_deeper_lines_of_a_shape_keep_the_colour_size_and_alignment_of_its_text(
    files: Path, call: Callable[..., dict[str, Any]]
) -> None:
    call("create_deck", path="s.pptx", slides=[{"title": "T", "body": ["One"], "layout": "Title and Content"}])
    box = {"kind": "rect", "left_cm": 2, "top_cm": 12, "width_cm": 9, "height_cm": 4, "fill": "light2", "size_pt": 14}
    call("add_slide_shapes", path="s.pptx", slide=1, shapes=[{**box, "text": ["One", "\tDeeper"]}])
    call("set_shape_text", path="s.pptx", slide=1, shape=4, paragraphs=["New"])
    call("set_shape_text", path="s.pptx", slide=1, shape=4, paragraphs=["New", "\tDeeper", "\t\tDeepest"])
    paragraphs = Presentation(str(files / "s.pptx")).slides[0].shapes[2].text_frame.paragraphs
    assert [paragraph.level for paragraph in paragraphs] == [0, 1, 2]
    assert len({(paragraph.alignment, paragraph.runs[0].font.size.pt) for paragraph in paragraphs}) == 1
    assert {paragraph.runs[0].font.color.theme_color for paragraph in paragraphs} == {MSO_THEME_COLOR.TEXT_1}
    call("format_shape_text", path="s.pptx", slide=1, shapes=["body"], size_pt=30)
    call("set_shape_text", path="s.pptx", slide=1, shape="body", paragraphs=["One", "\tAs the design has it"])
    shape_paragraphs = Presentation(str(files / "s.pptx")).slides[0].shapes[1].text_frame.paragraphs
    assert [paragraph.runs[0].font.size for paragraph in shape_paragraphs] == [Pt(30), None]


def test_words_on_both_sides_of_a_line_break_are_no_match(
    rich: Path, call: Callable[..., dict[str, Any]], refused: Callable[..., str]
) -> None:
    call("set_shape_text", path="rich.pptx", slide=1, shape="title", paragraphs=[{"text": "foo\nbar bar"}])
    refused("replace_deck_text", path="rich.pptx", find="foobar", replace="x")
    call("replace_deck_text", path="rich.pptx", find="bar", replace="inn")
    assert call("read_slides", path="rich.pptx")["slides"][0]["shapes"][0]["paragraphs"][0]["text"] == "foo\ninn inn"


def test_text_that_stays_in_the_data_of_charts_is_told(
    rich: Path, call: Callable[..., dict[str, Any]], refused: Callable[..., str]
) -> None:
    series = [{"name": "budget", "values": [1, 2]}]
    call("write_slide_chart", path="rich.pptx", slide=2, shape="Chart 2", categories=["x", "only here"], series=series)
    stays = "slide 2, chart 3: names of its series or categories hold the text and stay; write_slide_chart changes them"
    assert call("replace_deck_text", path="rich.pptx", find="budget", replace="plan")["notes"] == [stays]
    assert stays in refused("replace_deck_text", path="rich.pptx", find="only here", replace="plan")
    assert "notes" not in call("replace_deck_text", path="rich.pptx", find="Figures", replace="Facts")


def body_lines(call: Any, slide: int = 1, **where: Any) -> Any:
    shapes = call("read_slides", path="b.pptx")["slides"][slide - 1]["shapes"]
    return [
        [paragraph["text"] for paragraph in shape["paragraphs"]] for shape in shapes if shape.get("role") != "title"
    ]


def test_bullets_that_are_typed_give_way_to_those_of_the_level(call: Callable[..., dict[str, Any]]) -> None:
    lines = ["• First", "\t◦ Inner", "Plain", "•Close", "- 5 degrees"]
    slides = [{"title": "Cover", "body": ["• A • B"]}, {"title": "T", "body": lines}]
    call("create_deck", path="b.pptx", slides=[*slides, {"title": "L", "body": ["- One", "* Two", "• Three"]}])
    assert body_lines(call, 1) == [["• A • B"]]
    assert body_lines(call, 2) == [["First", "Inner", "Plain", "Close", "- 5 degrees"]]
    assert body_lines(call, 3) == [["One", "Two", "Three"]]


def test_lines_of_an_outline_that_are_indented_lie_lower(call: Callable[..., dict[str, Any]]) -> None:
    lines = ["First", "  Inner", "    - Lower", "\tInner", "Last"]
    call("create_deck", path="b.pptx", slides=[{"title": "C"}, {"title": "T", "body": lines}])
    text = call("read_deck_text", path="b.pptx", slides=[2])["text"]
    assert text.endswith("- First\n  - Inner\n    - - Lower\n  - Inner\n- Last")


def test_two_texts_of_which_none_is_the_first_stand_side_by_side(
    call: Callable[..., dict[str, Any]], refused: Callable[..., str]
) -> None:
    call("create_deck", path="b.pptx", slides=[{"title": "C"}, {"title": "T", "more_bodies": [["left"], ["right"]]}])
    assert body_lines(call, 2) == [["left"], ["right"]]
    call("arrange_slides", path="b.pptx", action="delete", slides=[1, 2])
    assert "'b.pptx' has none" in refused("read_slides", path="b.pptx", slides=[1])


def test_text_that_is_set_or_added_has_one_bullet(call: Callable[..., dict[str, Any]]) -> None:
    call("create_deck", path="b.pptx", slides=[{"title": "C"}, {"title": "T", "body": ["x"]}])
    call("set_shape_text", path="b.pptx", slide=2, shape="body", paragraphs=["• One", {"runs": [{"text": "• Two"}]}])
    bullet_paragraph = {"text": "• Kept", "bullet": "none"}
    call("set_shape_text", path="b.pptx", slide=2, shape="body", paragraphs=["• Three", bullet_paragraph], append=True)
    assert body_lines(call, 2) == [["One", "Two", "Three", "• Kept"]]
    call("add_slide_shapes", path="b.pptx", slide=2, shapes=[{"kind": "textbox", "text": ["x"], **BOX, "name": "box"}])
    call("set_shape_text", path="b.pptx", slide=2, shape="box", paragraphs=["• typed"])
    assert body_lines(call, 2)[-1] == ["• typed"]
