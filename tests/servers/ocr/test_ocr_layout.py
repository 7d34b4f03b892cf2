"""The order in which lines are read, by where they stand."""

import random
from typing import Any

import pytest

from yardkit.servers.ocr.backends import Line, Word
from yardkit.servers.ocr.engine.layout import level_lines, reading_rows

TOPS = [60 + 36 * index for index in range(12)]


def make_line(name: Any, left: Any, top: Any, width: Any) -> Any:
    corners = ((left, top), (left + width, top), (left + width, top + 28), (left, top + 28))
    return Line(name, 1.0, corners, ())


def make_word(line: Any) -> Any:
    return Word(line.text, 1.0, line.quad)


def make_column(name: Any, left: Any, width: int = 500) -> Any:
    """Twelve lines of ragged length."""
    return [make_line(f"{name}{index}", left, top, width - 5 * (index % 3)) for index, top in enumerate(TOPS)]


def beside_a_picture(lines: Any, shift: Any, width: Any) -> Any:
    """The lines with the fourth to the seventh of them shifted and cut to `width`."""
    return [
        *lines[:3],
        *(make_line(old.text, old.quad[0][0] + shift, old.quad[0][1], width) for old in lines[3:7]),
        *lines[7:],
    ]


def list_order(lines: Any) -> Any:
    shuffled = random.Random(7).sample(lines, len(lines))
    return [" ".join(piece.line.text for piece in row) for row in reading_rows(level_lines(shuffled))]


LEFT, RIGHT = make_column("a", 40), make_column("b", 620)
HEADLINE, QUOTE = make_line("headline", 200, 10, 700), make_line("quote", 400, 230, 380)
FIRST, SECOND = beside_a_picture(LEFT, 0, 320), beside_a_picture(RIGHT, 200, 300)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([*FIRST, *SECOND], id="picture between the columns"),
        pytest.param([*beside_a_picture(LEFT, 200, 300), *RIGHT], id="picture at the left"),
        pytest.param([*FIRST, *RIGHT[:3], *RIGHT[7:]], id="picture over the right column"),
        pytest.param([HEADLINE, *FIRST, *SECOND], id="headline and picture"),
        pytest.param([*FIRST, *SECOND, QUOTE], id="quotation between the columns"),
        pytest.param(
            [*make_column("a", 40, 300), *make_column("b", 380, 300), *make_column("c", 720, 300)], id="three columns"
        ),
        pytest.param(
            [*[make_line(f"wide{top}", 40, top - 440, 1090) for top in TOPS], *LEFT, *RIGHT], id="after wide text"
        ),
    ],
)
def test_columns_are_read_to_their_end_whatever_stands_between_them(lines: list[Any]) -> None:
    assert list_order(lines) == [piece.text for piece in lines]


def test_lines_of_narrow_columns_that_the_recogniser_joined_are_parted() -> None:
    left, right = make_column("a", 40), make_column("b", 580)
    joined = [
        Line(
            f"{left_line.text} {other.text}",
            1.0,
            (*left_line.quad[:1], *other.quad[1:3], left_line.quad[3]),
            (make_word(left_line), make_word(other)),
        )
        for left_line, other in zip(left[::2], right[::2], strict=True)
    ]
    rest = [piece for piece in (*left, *right) if int(piece.text[1:]) % 2]
    assert list_order([*joined, *rest]) == [piece.text for piece in (*left, *right)]
