"""Tables of Markdown stay on the page, however wide their words are."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pdfplumber
import pytest

Ok = Callable[..., dict[str, Any]]
MARGIN_PT = 20 * 72 / 25.4


def make_table(columns: int, *cells: str) -> str:
    rows = ["|".join(f"Column{number}" for number in range(columns)), "|".join("-" * columns)]
    return "\n".join(f"|{row}|" for row in [*rows, *("|".join([cell] * columns) for cell in cells)]) + "\n"


def words_and_sizes(path: Path, margin: float = MARGIN_PT) -> tuple[list[str], set[float]]:
    """The words of the document, none of which is beyond the margin, and the sizes they are set in."""
    with pdfplumber.open(path) as pdf:
        words = [word for page in pdf.pages for word in page.extract_words()]
        assert max(word["x1"] for word in words) <= pdf.pages[0].width - margin + 1
        return [word["text"] for word in words], {round(char["size"], 1) for char in pdf.pages[0].chars}


@pytest.mark.parametrize("columns", [7, 8, 10, 11])
def test_a_table_with_long_numbers_is_set_smaller_with_its_numbers_whole(ok: Ok, files: Path, columns: int) -> None:
    assert "warnings" not in ok("create_pdf", path="a.pdf", markdown=make_table(columns, "1234567890.12"))
    words, sizes = words_and_sizes(files / "a.pdf")
    assert words.count("1234567890.12") == columns
    assert max(sizes) < 10.5


@pytest.mark.parametrize("columns", [13, 15, 18, 30])
def test_a_table_that_is_too_wide_at_any_size_stays_on_the_page_and_is_told(ok: Ok, files: Path, columns: int) -> None:
    (warning,) = ok("create_pdf", path="a.pdf", markdown=make_table(columns, "123456789012.1234"))["warnings"]
    assert f"a table of {columns} columns" in warning
    words, _ = words_and_sizes(files / "a.pdf")
    assert "".join(words).count("1") >= 3 * columns


@pytest.mark.parametrize("word", ["x" * 150, "https://example.com/" + "abc/" * 30, f"`{'y' * 150}`"])
def test_a_long_word_in_a_cell_is_broken_and_the_table_not_set_smaller(ok: Ok, files: Path, word: str) -> None:
    text = f"| Internationalisation | b |\n|-|-|\n| Several short words | {word} |\n\n"
    text += f"- in\n\n  | a |\n  |-|\n  | {word} |\n"
    assert "warnings" not in ok("create_pdf", path="a.pdf", markdown=text)
    words, sizes = words_and_sizes(files / "a.pdf")
    assert {"Internationalisation", "Several"} <= set(words)
    assert max(sizes) == 10.5
    assert "".join(words).count(word[1]) >= 2 * word.count(word[1])


def test_a_table_that_fits_is_set_as_ever(ok: Ok, files: Path) -> None:
    ok("create_pdf", path="a.pdf", markdown=make_table(3, "1234567890.12"))
    assert words_and_sizes(files / "a.pdf")[1] == {10.5}


STYLES = {
    "@page { size: A5 landscape; margin: 20mm }": 10.5,
    "@page { margin: 40mm }": 10.5,
    "body { font-family: 'Liberation Mono'; font-size: 14pt }": 14,
    "td { font-size: 14pt } th { font-size: 16pt }": 16,
    "th, td { padding: 10pt }": 10.5,
}


@pytest.mark.parametrize("css", STYLES)
@pytest.mark.parametrize("within", [False, True])
def test_tables_stay_on_the_page_with_styles_of_ones_own(ok: Ok, files: Path, css: str, within: bool) -> None:
    text = make_table(7, "1234567890.12") + "\nUsual text.\n"
    how = {"markdown": f"<style>{css}</style>\n\n{text}"} if within else {"markdown": text, "css": css}
    assert "warnings" not in ok("create_pdf", path="a.pdf", **how)
    margin = 40 * 72 / 25.4 if "40mm" in css else MARGIN_PT
    words, sizes = words_and_sizes(files / "a.pdf", margin)
    assert words.count("1234567890.12") == 7
    assert min(sizes) < STYLES[css]


@pytest.mark.parametrize("css", ["@page { size: A3 landscape }", "table { font-size: 5.5pt }"])
def test_a_table_that_fits_with_styles_of_ones_own_keeps_them(ok: Ok, files: Path, css: str) -> None:
    ok("create_pdf", path="a.pdf", markdown=make_table(8, "1234567890.12"), css=css)
    assert words_and_sizes(files / "a.pdf")[1] == {5.5 if "5.5" in css else 10.5}


def test_a_table_too_wide_for_a_small_page_of_ones_own_is_told(ok: Ok, files: Path) -> None:
    (warning,) = ok("create_pdf", path="a.pdf", markdown=make_table(11, "1234567890.12"), css="@page { size: A5 }")[
        "warnings"
    ]
    assert "a table of 11 columns is wider than the page" in warning
    words_and_sizes(files / "a.pdf")
