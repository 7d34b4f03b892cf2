"""What could not be read is said (scripts that the model lacks, words passed over, lookalikes), or read by another."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support import drawn
from support.answers import Call

UNREAD = "Оплатить до 31 декабря"
LOOKALIKE = "СОВА РЕСТОРАН"  # noqa: RUF001 - the lookalikes are the point
NEWS = "НОВОСТИ СЕВЕРА"  # noqa: RUF001
PARTLY = "Фактура 2024-118 дата 12.05"


def draw_page(lines: Any) -> Any:
    """Lines 70 pixels apart, in a font that has Cyrillic letters."""
    image, draw = drawn.make_blank(760, 20 + 70 * len(lines))
    for index, line in enumerate(lines):
        draw.text((20, 20 + 70 * index), line, font=drawn.load_lettering(30), fill="black")
    return image


def test_lines_and_words_of_a_script_that_the_model_lacks_are_told_with_their_places(files: Path, call: Call) -> None:
    draw_page(["Invoice 4711 Total 1250.50", UNREAD, LOOKALIKE, PARTLY]).save(files / "mixed.png")
    result = call("read_image_text", path="mixed.png", backend="rapidocr", languages=["en"])
    reading, text = result.structured_content["reading"], result.content[0].text
    assert [(top + bottom) // 2 // 70 for _, top, _, bottom in reading["unread"]] == [1, 3, 3]
    assert all(str(box) in text for box in reading["unread"])
    assert "3 regions that look like text could not be read" in text
    assert "1 line read with doubt and perhaps wrong ('COBA PECTOPAH')" in text
    assert "Cyrillic" in text
    assert reading["rotation_deg"] == 0
    assert "Invoice 4711 Total 1250.50 [" in text


@pytest.mark.drill
def test_a_picture_of_which_nothing_could_be_read_is_not_said_to_hold_no_text(files: Path, call: Call) -> None:
    draw_page([UNREAD]).save(files / "only.png")
    asked = {"path": "only.png", "backend": "rapidocr", "languages": ["en"]}
    assert "No text was read" in call("read_image_text", **asked).content[0].text
    text = call("find_image_text", query="total", **asked).content[0].text
    assert "1 region that looks like text could not be read" in text


@pytest.mark.drill
def test_latin_text_of_letters_that_others_look_like_is_not_doubted(files: Path, call: Call) -> None:
    draw_page(["TOP MAP OPTOMETRY CAMERA", "Größe über Straße"]).save(files / "sure.png")
    reading = call("read_image_text", path="sure.png", backend="rapidocr").structured_content["reading"]
    assert reading["unread"] == []
    assert reading["notes"] == []


@pytest.mark.drill
def test_a_script_that_only_tesseract_has_is_read_by_it_and_told(
    files: Path, call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    draw_page([LOOKALIKE, NEWS]).save(files / "sign.png")
    listed = subprocess.run(["tesseract", "--list-langs"], capture_output=True, text=True, check=True).stdout
    packs = Path(re.search('"(.+)"', listed)[1])
    # The English pack stands for the Russian one: it reads these capitals as Latin ones.
    for name, pack in {"eng": "eng", "osd": "osd", "rus": "eng"}.items():
        (tmp_path / f"{name}.traineddata").symlink_to(packs / f"{pack}.traineddata")
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    result = call("read_image_text", path="sign.png", backend="rapidocr")
    assert "in Cyrillic script read by tesseract (ru)" in result.content[0].text
    assert result.structured_content["total"] == 2
    assert result.structured_content["reading"]["unread"] == []


def test_a_label_at_the_side_and_a_line_upside_down_are_read(files: Path, call: Call) -> None:
    page = drawn.draw_letter(30)
    for text, turn, place in (("SIDE LABEL 77", 90, (5, 20)), ("Upside down remark 9", 180, (200, 250))):
        strip, pen = drawn.make_blank(30 * len(text) * 2 // 3, 44)
        pen.text((6, 4), text, font=drawn.load_lettering(30), fill="black")
        wide = page.width
        if turn == 90:
            sheet, _ = drawn.make_blank(wide + 60, page.height + 120)
            sheet.paste(page, (60, 0))
            page = sheet
        page.paste(strip.rotate(turn, expand=True), place if turn == 90 else (200, page.height - 60))
    page.save(files / "page.png")
    facts = call("read_image_text", path="page.png").structured_content
    rows: dict[int, list[str]] = {}
    for piece in facts["pieces"]:
        rows.setdefault(piece["row"], []).append(piece["text"])
    texts = [" ".join(row) for row in rows.values()]
    assert {"SIDE LABEL 77", "Upside down remark 9"} <= set(texts)
    assert texts[:4] == drawn.LETTER
    assert "2 lines turned against the page" in facts["reading"]["notes"][0]


@pytest.mark.parametrize("flip", ["mirror", "flip"])
def test_mirrored_text_is_told_and_not_taken_for_another_script(files: Path, call: Call, flip: str) -> None:
    from PIL import ImageOps

    getattr(ImageOps, flip)(drawn.draw_letter(30)).save(files / "mirrored.png")
    (note,) = call("read_image_text", path="mirrored.png").structured_content["reading"]["notes"]
    assert "seems to be mirrored" in note
    assert "mirror_image" in note
