"""Text in images: content, boxes, order, rotation, skew, size, regions, pages."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageDraw
from support import drawn
from support.answers import Call
from support.scale import select_drills

BACKENDS = ["rapidocr", "tesseract"]
LETTER = "\n".join(drawn.LETTER)
# Without help the recogniser reads "EUR1,250.00" and "61288 90" here.
NOISY = [
    "Offer for office chairs: delay of the second delivery of 12 April 2026, EUR 1,250.00 in all.",
    "Highland Controls S.A., 130 Bridge Street. If it is of use, call 044 612 88 90 at 9 a.m.",
    "We expect the truck on 1 April 2026 and will call you one day before. We apologise for the trouble.",
]


def join_result_text(result: Any) -> Any:
    """The text of a result, a row per line."""
    rows: dict[Any, Any] = {}
    for piece in result.structured_content["pieces"]:
        rows.setdefault(piece["row"], []).append(piece["text"])
    return "\n".join(" ".join(row) for row in rows.values())


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_clean_letter_is_read_nearly_without_errors(files: Path, call: Call, backend: str) -> None:
    drawn.draw_letter().save(files / "letter.png")
    result = call("read_image_text", path="letter.png", backend=backend)
    assert drawn.error_rate(LETTER, join_result_text(result)) <= 0.01
    assert result.structured_content["reading"]["backend"] == backend
    assert result.structured_content["reading"]["model"]
    for line in join_result_text(result).splitlines():
        assert line in result.content[0].text


@pytest.mark.parametrize("turn", [90, *select_drills(180, 270)])
def test_a_turned_letter_is_read_and_its_boxes_are_in_the_file_as_displayed(
    files: Path, call: Call, backend: str, turn: int
) -> None:
    upright = drawn.draw_letter()
    upright.rotate(turn, expand=True).save(files / "turned.png")
    result = call("read_image_text", path="turned.png", backend=backend)
    assert drawn.error_rate(LETTER, join_result_text(result)) <= 0.02
    assert result.structured_content["reading"]["rotation_deg"] == turn
    assert_boxes_hold_ink(files / "turned.png", result)


@pytest.mark.parametrize("angle", [*select_drills(-12), 6])
def test_a_skewed_letter_is_read_and_its_slope_is_told(files: Path, call: Call, backend: str, angle: int) -> None:
    drawn.draw_letter().rotate(angle, expand=True, fillcolor="white", resample=Image.Resampling.BICUBIC).save(
        files / "skewed.png"
    )
    result = call("read_image_text", path="skewed.png", backend=backend)
    assert drawn.error_rate(LETTER, join_result_text(result)) <= 0.03
    assert result.structured_content["reading"]["skew_deg"] == pytest.approx(-angle, abs=1)
    first = result.structured_content["pieces"][0]
    assert first["quad_px"] is not None
    (x1, y1), (x2, y2) = first["quad_px"][:2]
    assert (y2 - y1) * angle < 0 < x2 - x1
    assert_boxes_hold_ink(files / "skewed.png", result)


def assert_boxes_hold_ink(path: Any, result: Any) -> None:
    """The boxes lie on ink, and little ink lies outside of them."""
    with Image.open(path) as opened:
        ink = ImageChops.invert(opened.convert("L")).point(lambda value: 255 * (value > 128))
    total = ink.histogram()[255]
    for piece in result.structured_content["pieces"]:
        assert ink.crop(tuple(piece["bbox_px"])).histogram()[255] > 20
        ink.paste(0, tuple(piece["bbox_px"]))
    assert ink.histogram()[255] <= 0.02 * total


@pytest.mark.drill
def test_words_of_a_noisy_letter_are_read_apart(files: Path, call: Call) -> None:
    image = drawn.add_noise(drawn.draw_letter(24, NOISY, wide=56), 8)
    image.save(files / "noisy.png")
    assert join_result_text(call("read_image_text", path="noisy.png", backend="rapidocr")).splitlines() == NOISY


def test_small_text_is_enlarged_for_tesseract(files: Path, call: Call) -> None:
    drawn.draw_letter(9).save(files / "small.png")
    result = call("read_image_text", path="small.png", backend="tesseract")
    assert result.structured_content["reading"]["zoom"] > 1
    assert drawn.error_rate(LETTER, join_result_text(result)) <= 0.05
    assert_boxes_hold_ink(files / "small.png", result)


def test_columns_are_read_one_after_the_other_below_their_headline(files: Path, call: Call) -> None:
    image, draw = drawn.make_blank(1000, 300)
    headline = "A headline over both of the columns of the page"
    left = [
        "The first column begins here and",
        "goes on for a number of lines with",
        "ordinary words in it to the end.",
    ]
    left.append("It stops at the foot of the page.")
    right = ["The second column is to be read", "after the first one has been done,", "never across the gutter between"]
    right.append("them as some programs do it.")
    draw.text((180, 10), headline, font=drawn.load_lettering(28), fill="black")
    for index in range(4):
        draw.text((30, 80 + index * 45), left[index], font=drawn.load_lettering(24), fill="black")
        draw.text((540, 80 + index * 45), right[index], font=drawn.load_lettering(24), fill="black")
    image.save(files / "columns.png")
    assert join_result_text(call("read_image_text", path="columns.png")) == "\n".join([headline, *left, *right])


def test_a_receipt_is_read_row_by_row_not_as_columns(files: Path, call: Call) -> None:
    image, draw = drawn.make_blank(600, 330)
    goods = [("Espresso double", "1.99"), ("Croissant with ham", "4.20"), ("Orange juice large", "5.00")]
    goods += [("Mineral water", "12.50"), ("Chocolate cake", "6.10"), ("TOTAL", "21.50")]
    for index, (name, price) in enumerate(goods):
        draw.text((30, 20 + index * 50), name, font=drawn.load_lettering(24), fill="black")
        draw.text((480, 20 + index * 50), price, font=drawn.load_lettering(24), fill="black")
    image.save(files / "receipt.png")
    result = call("read_image_text", path="receipt.png")
    assert join_result_text(result) == "\n".join(f"{name} {price}" for name, price in goods)
    assert "Espresso double [" in result.content[0].text
    assert "] 1.00 | 1.99 [" in result.content[0].text


def test_a_region_is_read_alone_with_boxes_in_the_whole_image(files: Path, call: Call, backend: str) -> None:
    drawn.draw_letter().save(files / "letter.png")
    page_piece = call("read_image_text", path="letter.png", backend=backend).structured_content["pieces"][2]
    left, top, right, bottom = page_piece["bbox_px"]
    part = call(
        "read_image_text", path="letter.png", backend=backend, bbox_px=[left - 16, top - 9, right + 16, bottom + 9]
    )
    (piece,) = part.structured_content["pieces"]
    assert piece["text"] == drawn.LETTER[2]
    assert piece["bbox_px"] == pytest.approx(page_piece["bbox_px"], abs=10)


def test_words_have_boxes_of_their_own_from_left_to_right(files: Path, call: Call, backend: str) -> None:
    drawn.draw_letter().save(files / "letter.png")
    pieces = call("read_image_text", path="letter.png", backend=backend, level="words").structured_content["pieces"]
    first = [piece for piece in pieces if piece["row"] == 1]
    assert [piece["text"] for piece in first] == drawn.LETTER[0].split()
    edges = [piece["bbox_px"][0] for piece in first]
    assert edges == sorted(edges)


def test_pages_of_the_result_cover_every_piece_once(files: Path, call: Call, backend: str) -> None:
    drawn.draw_letter().save(files / "letter.png")
    reading = call("read_image_text", path="letter.png", backend=backend, level="words").structured_content
    pieces, offset = [], 0
    while offset is not None:
        page = call(
            "read_image_text", path="letter.png", backend=backend, level="words", offset=offset, limit=7
        ).structured_content
        pieces += page["pieces"]
        offset = page["next_offset"]
    assert pieces == reading["pieces"]
    assert len(pieces) == reading["total"]


def test_the_orientation_in_exif_is_applied(files: Path, call: Call, backend: str) -> None:
    image = drawn.draw_letter().rotate(90, expand=True)
    exif = Image.Exif()
    exif[0x0112] = 6  # to be shown turned by 90 degrees clockwise
    image.save(files / "photo.jpg", exif=exif, quality=95)
    reading = call("read_image_text", path="photo.jpg", backend=backend).structured_content["reading"]
    assert (reading["width_px"], reading["height_px"]) == drawn.draw_letter().size
    assert reading["rotation_deg"] == 0


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "tif", "bmp", "gif"])
def test_each_image_format_is_read(files: Path, call: Call, backend: str, suffix: str) -> None:
    drawn.draw_letter().save(files / f"letter.{suffix}")
    assert (
        drawn.error_rate(LETTER, join_result_text(call("read_image_text", path=f"letter.{suffix}", backend=backend)))
        <= 0.02
    )


@pytest.mark.parametrize("shade", [0, 255])
def test_letters_on_a_transparent_ground_are_read(files: Path, call: Call, backend: str, shade: int) -> None:
    ink = ImageChops.invert(drawn.draw_letter().convert("L"))
    image = Image.new("RGBA", ink.size, (shade, shade, shade, 0))
    image.putalpha(ink)
    image.save(files / "ghost.png")
    assert (
        drawn.error_rate(LETTER, join_result_text(call("read_image_text", path="ghost.png", backend=backend))) <= 0.02
    )


def test_dark_letters_below_a_light_panel_on_a_transparent_ground_are_read(
    files: Path, call: Call, backend: str
) -> None:
    image = Image.new("RGBA", (500, 220), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 500, 120), fill=(255, 240, 120, 255))
    draw.text((20, 30), "Sale today at noon", font=drawn.load_lettering(30), fill=(0, 0, 0, 255))
    draw.text((20, 150), "Price without tax", font=drawn.load_lettering(30), fill=(20, 20, 20, 255))
    image.save(files / "panel.png")
    assert (
        join_result_text(call("read_image_text", path="panel.png", backend=backend))
        == "Sale today at noon\nPrice without tax"
    )


def test_an_image_without_text_says_so(files: Path, call: Call, backend: str) -> None:
    Image.new("RGB", (300, 200), "white").save(files / "blank.png")
    result = call("read_image_text", path="blank.png", backend=backend)
    assert not result.is_error
    assert result.structured_content["total"] == 0
    assert "No text was found" in result.content[0].text


@pytest.mark.drill
def test_german_and_french_letters_are_read_by_the_default(files: Path, call: Call) -> None:
    image, draw = drawn.make_blank(700, 80)
    draw.text((20, 20), "Größe über façade, déjà vu, Straße", font=drawn.load_lettering(30), fill="black")
    image.save(files / "accents.png")
    result = call("read_image_text", path="accents.png", languages=["de", "French"])
    assert drawn.error_rate("Größe über façade, déjà vu, Straße", join_result_text(result)) <= 0.06
    assert result.structured_content["reading"]["backend"] == "rapidocr"


def test_the_setting_chooses_the_backend_of_auto(files: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn.draw_letter().save(files / "letter.png")
    monkeypatch.setenv("YARDKIT_OCR_BACKEND", "tesseract")
    assert call("read_image_text", path="letter.png").structured_content["reading"]["backend"] == "tesseract"
    monkeypatch.setenv("YARDKIT_OCR_BACKEND", "crystal ball")
    refused = call("read_image_text", path="letter.png")
    assert refused.is_error
    assert "crystal ball" in refused.content[0].text
