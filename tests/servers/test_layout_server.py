"""Pages: what stands where, tables, and how they are turned."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageOps
from support.answers import Call, make_caller, read_text
from support.drawn import draw_table, load_lettering, make_blank

from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.layout.engine.reading_order import in_order

WORDS = "The committee met in spring and agreed on the budget of the coming year after a long and lively talk. " * 9


@pytest.fixture
def call(files: Path) -> Call:
    return make_caller(load_server("layout"))


def call_tool(call: Call, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = call(tool, **arguments)
    assert not answer.is_error, read_text(answer)
    facts: dict[str, Any] = answer.structured_content
    return facts


def draw_column(draw: ImageDraw.ImageDraw, x: int, y: int, width: int, lines: int) -> None:
    words = iter(WORDS.split() * 3)
    for line in range(lines):
        text = next(words)
        while draw.textlength(f"{text} {(word := next(words))}", font=load_lettering(17)) < width:
            text += f" {word}"
        draw.text((x, y + line * 26), text, font=load_lettering(17), fill="black")


def draw_page() -> Image.Image:
    """A title over two columns of text, and a ruled table below."""
    picture, draw = make_blank(1000, 1300)
    draw.text((250, 60), "Minutes of the spring meeting", font=load_lettering(34), fill="black")
    draw_column(draw, 70, 170, 390, 18)
    draw_column(draw, 540, 170, 390, 18)
    picture.paste(draw_table(ruled=True), (120, 750))
    return picture


def test_the_regions_of_a_page_are_named_and_in_reading_order(call: Call, files: Path) -> None:
    draw_page().save(files / "page.png")
    layout = call_tool(call, "mark_regions", path="page.png", target="marked.png")
    regions = [region for region in layout["regions"] if region["label"] in ("title", "text", "table", "header")]
    middles = [
        ((region["box"][0] + region["box"][2]) / 2, (region["box"][1] + region["box"][3]) / 2) for region in regions
    ]
    assert [region["label"] for region in regions[1:3]] == ["text", "text"]
    assert "table" in [region["label"] for region in regions]
    assert middles[0][1] < 120
    assert middles[1][0] < 500 < middles[2][0]
    assert regions[1]["box"] == pytest.approx([70, 170, 460, 630], abs=30)
    with Image.open(files / "marked.png") as marked:
        assert marked.size == (1000, 1300)


def test_a_page_of_a_pdf_is_drawn_and_read(call: Call, files: Path) -> None:
    draw_page().save(files / "scan.pdf", resolution=110)
    layout = call_tool(call, "read_layout", path="scan.pdf")
    assert layout["dpi"] == 110
    assert layout["width_px"] == pytest.approx(1000, abs=1)
    assert "table" in [region["label"] for region in layout["regions"]]
    assert "page 2 does not exist in" in read_text(call("read_layout", path="scan.pdf", page=2))
    (files / "note.txt").write_text("no page")
    assert "is not a picture" in read_text(call("read_layout", path="note.txt"))


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_page_is_found_and_how_to_turn_it_back(call: Call, files: Path, turn: int) -> None:
    draw_page().rotate(-turn, expand=True).save(files / "page.png")
    orientation = call_tool(call, "find_orientation", path="page.png")
    assert orientation["turned_deg"] == turn
    assert (orientation["turn_back_deg"] + turn) % 360 == 0


def test_a_ruled_table_is_found_with_its_cells(call: Call, files: Path) -> None:
    draw_page().save(files / "page.png")
    [table] = call_tool(call, "mark_tables", path="page.png", target="cells.png")["tables"]
    assert (table["rows"], table["columns"], len(table["cells"])) == (5, 4, 20)
    assert table["box"] == pytest.approx([140, 785, 860, 1010], abs=3)
    assert table["cells"][5] | {"box": None} == {"row": 1, "column": 1, "rows": 1, "columns": 1, "box": None}
    assert table["cells"][5]["box"] == pytest.approx([380, 830, 480, 875], abs=3)


def test_a_cell_over_two_columns_is_one(call: Call, files: Path) -> None:
    picture, draw = make_blank(700, 400)
    for y in (50, 120, 190, 260):
        draw.line((50, y, 650, y), fill="black", width=2)
    for x in (50, 250, 450, 650):
        draw.line((x, 120 if x in (250,) else 50, x, 260), fill="black", width=2)
    picture.save(files / "table.png")
    [table] = call_tool(call, "find_tables", path="table.png")["tables"]
    spans = [(cell["row"], cell["column"], cell["rows"], cell["columns"]) for cell in table["cells"]]
    assert spans[:2] == [(0, 0, 1, 2), (0, 2, 1, 1)]
    assert len(spans) == 8


def test_where_no_lines_are_it_is_said_that_a_table_may_be_there(call: Call, files: Path) -> None:
    make_blank(400, 300)[0].save(files / "blank.png")
    assert "may still be there" in read_text(call("find_tables", path="blank.png"))


_places = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), unique=True, max_size=20)


@given(_places)
def test_each_region_is_read_once_and_columns_in_a_row_from_left_to_right(places: list[tuple[int, int]]) -> None:
    boxes = [(x * 100.0, y * 100.0, x * 100.0 + 80, y * 100.0 + 80) for x, y in places]
    ordered = in_order(boxes, lambda box: box)
    assert sorted(ordered) == sorted(boxes)
    # Nothing stands before what is both above it and left of it.
    for place, box in enumerate(ordered):
        assert not any(later[0] <= box[0] and later[1] <= box[1] for later in ordered[place + 1 :])


def read_letters(rows: list[str]) -> str:
    """The order in which boxes are read that are drawn as letters: rows of text, one letter for each box."""
    boxes: dict[str, tuple[float, float, float, float]] = {}
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter != " ":
                left, top, *_ = boxes.get(letter, (x * 100.0, y * 100.0, 0, 0))
                boxes[letter] = left, top, x * 100.0 + 80, y * 100.0 + 80
    return "".join(in_order(list(boxes), boxes.__getitem__, str.islower))


@pytest.mark.parametrize(
    ("rows", "order"),
    [
        (["tttt", "AADD", "BBEE", "CCFF", "p   "], "tABCDEFp"),  # paragraphs that end at one height
        (["ADG", "BEH", "CFI"], "ABCDEFGHI"),
        (["AACC", "BB  "], "ABC"),
        (["AACC", "BBDD", "YYYY", "EEGG", "FFHH"], "ABCDYEFGH"),  # a figure across both columns
        (["AACC", "h   ", "BBDD"], "AChBD"),  # a heading over the columns below it
        (["AXXX", "BYYY", "CZZZ"], "AXBYCZ"),  # headings beside their text
    ],
)
def test_columns_are_read_one_after_the_other(rows: list[str], order: str) -> None:
    assert read_letters(rows) == order


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_is_read_upright_and_its_boxes_are_as_displayed(call: Call, files: Path, turn: int) -> None:
    page = draw_page()
    page.rotate(-turn, expand=True).save(files / "page.png")
    layout = call_tool(call, "read_layout", path="page.png")
    assert f"turned clockwise by {turn} degrees" in layout["note"]
    [table] = [region["box"] for region in layout["regions"] if region["label"] == "table"]
    where = Image.new("L", page.size)
    ImageDraw.Draw(where).rectangle((140, 785, 860, 1010), fill=255)
    assert table == pytest.approx(where.rotate(-turn, expand=True).getbbox(), abs=40)
    [ruled] = call_tool(call, "find_tables", path="page.png")["tables"]
    assert (ruled["rows"], ruled["columns"]) == (5, 4)


def test_a_long_page_is_read_in_parts(call: Call, files: Path) -> None:
    page, draw = make_blank(800, 6000)
    for place in range(10):
        draw.text((60, 60 + 590 * place), f"Part {place + 1}", font=load_lettering(34), fill="black")
        draw_column(draw, 60, 140 + 590 * place, 680, 15)
    page.save(files / "long.png")
    regions = call_tool(call, "read_layout", path="long.png")["regions"]
    texts = [region["box"][1] for region in regions if region["box"][3] - region["box"][1] > 300]
    assert texts == pytest.approx([140 + 590 * place for place in range(10)], abs=25)


@pytest.mark.parametrize("skew", [0.5, 1, -2, 3])
def test_a_skewed_table_has_its_cells(call: Call, files: Path, skew: float) -> None:
    draw_page().rotate(-skew, fillcolor="white", resample=Image.Resampling.BICUBIC).save(files / "page.png")
    page_tables = call_tool(call, "find_tables", path="page.png")
    [table] = page_tables["tables"]
    assert (table["rows"], table["columns"], len(table["cells"])) == (5, 4, 20)
    assert "The lines are skewed by" in page_tables["note"]


def test_light_lines_on_dark_are_a_table_and_letters_on_a_dark_row_are_none(call: Call, files: Path) -> None:
    ImageOps.invert(draw_page()).save(files / "dark.png")
    [table] = call_tool(call, "find_tables", path="dark.png")["tables"]
    assert (table["rows"], table["columns"], len(table["cells"])) == (5, 4, 20)
    picture, draw = make_blank(900, 700)
    for row in range(6):
        draw.rectangle(
            (50, 100 + 40 * row, 850, 140 + 40 * row), fill=["#EEF2FA", "white"][row % 2] if row else "#284FA0"
        )
        for column in range(4):
            color = "black" if row else "white"
            draw.text((60 + 200 * column, 108 + 40 * row), f"r{row}c{column} 31", font=load_lettering(20), fill=color)
    picture.save(files / "striped.png")
    assert call_tool(call, "find_tables", path="striped.png")["tables"] == []
