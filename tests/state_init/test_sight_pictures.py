"""What the pictures of the suite sight hold: bars that a till reads, photographs as a camera stores them."""

import io
import random

import numpy as np
import pytest
from PIL import Image, ImageOps

from yardkit.state_init import photos
from yardkit.state_init.rendering.barcodes import add_check_digit, draw_ean13
from yardkit.state_init.rendering.ink import get_pen, new_image
from yardkit.state_init.rendering.letters import Line
from yardkit.state_init.sight.scan_table.scans import feed_page, table_page


@pytest.mark.parametrize("number", ["4006381333931", "9780306406157", "5901234123457"])
def test_the_last_digit_of_an_ean_is_the_one_that_is_printed_on_goods(number: str) -> None:
    assert add_check_digit(number[:12]) == number


def test_the_bars_are_those_of_the_number_whatever_digits_stand_below() -> None:
    image = new_image(400, 300, (255, 255, 255))
    draw_ean13(get_pen(image), (20, 40), "4003994155486", unit=3, height=120, digits="4006381333931")
    row = np.asarray(image.convert("L"))[100, 20 + 27 + 1 :: 3][:95]
    left = "0001101 0100111 0111101 0001011 0010111 0011101"
    right = "1100110 1001110 1001110 1011100 1001000 1010000"
    assert "".join("1" if level < 99 else "0" for level in row) == f"101{left}01010{right}101".replace(" ", "")


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_a_picture_that_is_stored_turned_is_shown_as_it_was(orientation: int) -> None:
    cat = photos.load_photo("cat")
    stored = Image.open(io.BytesIO(photos.as_taken(cat, "2026:03:14 10:20:30", orientation=orientation)))  # type: ignore[arg-type]
    assert (stored.size == cat.size) == (orientation in (1, 3))
    assert photos.measure_difference(ImageOps.exif_transpose(stored), cat) < 1
    assert stored.getexif().get_ifd(0x8769)[0x9003] == "2026:03:14 10:20:30"


def test_a_copy_without_a_time_has_no_exif_data() -> None:
    assert not Image.open(io.BytesIO(photos.as_taken(photos.load_photo("coffee"), ""))).getexif()


@pytest.mark.parametrize("name", ["astronaut", "cat", "coffee", "officer", "photographer", "rocket"])
def test_another_shot_differs_more_than_a_smaller_copy(name: photos.PhotoName) -> None:
    first = photos.load_photo(name)
    copy = first.resize((first.width // 2, first.height // 2))
    assert (
        photos.measure_difference(first, copy)
        < 3
        < 8
        < photos.measure_difference(first, photos.another_shot(first, random.Random(name)))
    )


def test_a_page_that_is_fed_sideways_has_its_title_at_an_edge() -> None:
    page = table_page(
        [Line("Visitors", 24, size_mm=9, bold=True)], [["A", "B"], ["1", "2"]], random.Random(1), landscape=True
    )
    sideways = np.asarray(feed_page(page, random.Random(2), 90))
    assert sideways.shape == (page.width, page.height)
    dark = np.argwhere(sideways[:, 100:] < 90)
    assert dark[:, 0].min() > sideways.shape[0] / 4
    assert dark[:, 1].min() < sideways.shape[1] / 4
