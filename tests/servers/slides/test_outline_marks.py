"""Markdown in an outline becomes what it means, and what cannot be shown is said."""

from pathlib import Path

import pptx
from support.answers import Call

BODY = [
    "- **Revenue** up *12 %*",
    "- see [the report](https://example.com/a_b)",
    "  - use `make all` and 2*3*4",
    "> quoted words",
    "snake_case_name stays, #1 too, __init__ as well",
    "~~old~~ price",
    "![logo](x.png)",
]


def test_marks_are_formats_and_what_is_left_out_is_said(files: Path, call: Call) -> None:
    slides = [{"title": "# **Q3** results", "body": BODY}, {"title": "Code", "body": ["```python", "a*b*c", "```"]}]
    notes = call("create_deck", path="a.pptx", slides=slides)["notes"]
    assert "Markdown became format: bold, code, heading, italic, link, quote" in notes[0]
    assert "strikethrough is left out" in notes[0]
    assert "place_slide_picture" in notes[0]
    first, second = pptx.Presentation(str(files / "a.pptx")).slides
    assert first.shapes.title.text_frame.text == "Q3 results"
    paragraphs = first.placeholders[1].text_frame.paragraphs
    assert [paragraph.text for paragraph in paragraphs] == [
        "Revenue up 12 %",
        "see the report",
        "use make all and 2*3*4",
        "quoted words",
        "snake_case_name stays, #1 too, __init__ as well",
        "old price",
        "logo",
    ]
    formats = {run.text: (run.font.bold, run.font.italic) for paragraph in paragraphs for run in paragraph.runs}
    assert formats["Revenue"] == (True, None)
    assert formats["12 %"] == (None, True)
    links = [run.hyperlink.address for run in paragraphs[1].runs if run.hyperlink.address]
    assert links == ["https://example.com/a_b"]
    assert [paragraph.text for paragraph in second.placeholders[1].text_frame.paragraphs] == ["a*b*c"]


def test_plain_lines_stay_as_they_are(files: Path, call: Call) -> None:
    body = ["Costs: 5 * 3 * 2", "f(x)_max and a_b_c", "50 % [draft]", "<b>not HTML</b>"]
    call("create_deck", path="a.pptx", slides=[{"title": "C# and F#", "body": body}])
    (slide,) = pptx.Presentation(str(files / "a.pptx")).slides
    assert [paragraph.text for paragraph in slide.placeholders[1].text_frame.paragraphs] == body
