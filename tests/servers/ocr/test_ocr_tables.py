"""Tables in images, places of a text, languages."""

import csv
from pathlib import Path

import pytest
from PIL import ImageFont
from support import drawn
from support.answers import Call
from support.scale import select_drills


@pytest.mark.parametrize("backend", [*select_drills("rapidocr"), "tesseract"])
def test_a_ruled_table_is_read_cell_by_cell(files: Path, call: Call, backend: str) -> None:
    drawn.draw_table(ruled=True).save(files / "table.png")
    result = call("read_image_table", path="table.png", backend=backend).structured_content
    assert result["rows"] == drawn.TABLE
    assert result["ruled"]
    assert result["has_header"]
    assert result["outside"] == ["Order 4711 of 3 March with all of the positions"]


def test_a_table_without_lines_is_read_by_alignment(files: Path, call: Call) -> None:
    drawn.draw_table(ruled=False).save(files / "table.png")
    result = call("read_image_table", path="table.png").structured_content
    assert result["rows"] == drawn.TABLE
    assert not result["ruled"]
    assert result["cell_boxes_px"][3][1] is None
    left, top, right, bottom = result["cell_boxes_px"][1][0]
    assert 20 < left < right < 260
    assert 80 < top < bottom < 125


def test_a_turned_table_is_read_too(files: Path, call: Call, backend: str) -> None:
    drawn.draw_table(ruled=True).rotate(90, expand=True).save(files / "table.png")
    assert call("read_image_table", path="table.png", backend=backend).structured_content["rows"] == drawn.TABLE


def test_the_cells_are_saved_as_csv_with_the_same_content(files: Path, call: Call, backend: str) -> None:
    drawn.draw_table(ruled=False).save(files / "table.png")
    result = call("save_image_table", path="table.png", backend=backend, target="out/table.csv")
    with (files / "out" / "table.csv").open(newline="", encoding="utf-8") as handle:
        assert list(csv.reader(handle)) == drawn.TABLE
    assert result.structured_content["saved"]["path"] == "out/table.csv"


def test_the_image_itself_is_not_overwritten_by_the_csv(files: Path, call: Call, backend: str) -> None:
    drawn.draw_table(ruled=False).save(files / "table.png")
    before = (files / "table.png").read_bytes()
    assert call("save_image_table", path="table.png", backend=backend, target="table.png").is_error
    assert (files / "table.png").read_bytes() == before


def test_prices_of_a_receipt_in_small_type_keep_their_digits(files: Path, call: Call, backend: str) -> None:
    prices = {"Milk 1L": "1.99", "Bread rye": "12.50", "Cheese": "0.99", "Discount": "-1.11", "Total": "25.37"}
    image, draw = drawn.make_blank(356, 30 + 26 * len(prices))
    lettering = ImageFont.truetype(drawn.FONT.with_name("DejaVuSansMono.ttf"), 16)
    for index, (name, price) in enumerate(prices.items()):
        draw.text((20, 15 + 26 * index), name, font=lettering, fill="black")
        draw.text((336, 15 + 26 * index), price, font=lettering, fill="black", anchor="ra")
    image.save(files / "receipt.png")
    rows = call("read_image_table", path="receipt.png", backend=backend).structured_content["rows"]
    assert rows == [[name, price] for name, price in prices.items()]


def test_a_letter_holds_no_table(files: Path, call: Call, backend: str) -> None:
    drawn.draw_letter().save(files / "letter.png")
    result = call("read_image_table", path="letter.png", backend=backend)
    assert result.is_error
    assert "no table" in result.content[0].text


def test_a_text_is_found_where_it_stands_despite_case_spaces_and_an_error(
    files: Path, call: Call, backend: str
) -> None:
    drawn.draw_letter().save(files / "letter.png")
    pieces = call("read_image_text", path="letter.png", backend=backend, level="words").structured_content["pieces"]
    signed = next(piece for piece in pieces if piece["text"] == "signed")
    contract = next(piece for piece in pieces if piece["text"] == "contract")
    result = call("find_image_text", path="letter.png", backend=backend, query="SIGNED  contrqct").structured_content
    best = result["matches"][0]
    assert best["text"] == "signed contract"
    assert best["similarity"] == pytest.approx(13 / 14, abs=0.01)
    assert best["bbox_px"][0] == signed["bbox_px"][0]
    assert best["bbox_px"][2] == contract["bbox_px"][2]
    assert best["row_text"] == drawn.LETTER[1]


def test_every_place_of_a_repeated_text_is_found(files: Path, call: Call) -> None:
    image, draw = drawn.make_blank(500, 200)
    for y in (20, 80, 140):
        draw.text((30, y), f"total of line {y}", font=drawn.load_lettering(26), fill="black")
    image.save(files / "totals.png")
    result = call("find_image_text", path="totals.png", query="total").structured_content
    assert result["total"] == 3
    assert [match["similarity"] for match in result["matches"]] == [1, 1, 1]


def test_what_is_not_there_is_not_found(files: Path, call: Call, backend: str) -> None:
    drawn.draw_letter().save(files / "letter.png")
    result = call("find_image_text", path="letter.png", backend=backend, query="invoice number")
    assert result.structured_content["matches"] == []
    assert "not found" in result.content[0].text


def test_the_languages_of_each_backend_are_listed_with_the_way_to_add_one(call: Call) -> None:
    result = call("list_ocr_languages").structured_content
    rapid, tesseract = result["backends"]
    assert {"en", "de", "ja", "zh-Hans"} <= set(rapid["languages"])
    assert "ru" not in rapid["languages"]
    assert "en" in tesseract["languages"]
    assert all("apt-get install tesseract-ocr-" in advice for advice in result["not_readable"].values())
