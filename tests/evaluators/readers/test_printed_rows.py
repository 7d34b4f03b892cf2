from yardkit.evaluators.readers.pages.pdf import Page, Word
from yardkit.evaluators.readers.pages.printed_rows import find_beyond, find_collisions, find_rows, row_text


def make_page(*words: tuple[str, float, float]) -> Page:
    """A page of 200 by 100 points with words of 30 by 10 points, each with its left and upper edge."""
    placed = tuple(Word(text, (x, y, x + 30, y + 10)) for text, x, y in words)
    return Page(1, 200, 100, 0, "", placed)


def test_columns_side_by_side_are_read_as_rows() -> None:
    rows = find_rows(make_page(("Soup", 20, 20), ("Cake", 20, 40), ("Suppe", 110, 22), ("Kuchen", 110, 39)))
    assert [row_text(row) for row in rows] == ["Soup Suppe", "Cake Kuchen"]


def test_what_lies_beyond_the_margin_or_on_another_word_is_found() -> None:
    crowded = make_page(("one", 20, 20), ("two", 45, 25), ("three", 165, 60))
    assert find_beyond(crowded, 10) == ["three"]
    assert find_collisions(crowded) == [("one", "two")]
    assert find_collisions(make_page(("one", 20, 20), ("two", 50, 20))) == []
