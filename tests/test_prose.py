"""Tool descriptions, errors, help, checkpoints and documents are plain English, by the list in support.prose."""

import ast
from collections import Counter

import pytest
from support.prose import PATTERNS, Spot, find_spots, spots_of_code, spots_of_documents, texts_of
from support.ratchet import Ratchet


def complaints(spots: list[Spot]) -> list[str]:
    """What the ratchet says of the number in each folder, and the spots of the folders that have too many."""
    ratchet = Ratchet.of("prose")
    counts = Counter(spot.folder for spot in spots)
    over = {folder for folder, count in counts.items() if count > ratchet.exceptions.get(folder, ratchet.limit)}
    found = ratchet.complaints({**dict.fromkeys(ratchet.exceptions, 0), **counts})
    return found + [str(spot) for spot in spots if spot.folder in over]


def test_no_folder_has_more_wordings_of_the_list_than_before() -> None:
    assert complaints([*spots_of_code(), *spots_of_documents()]) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("'x' is no formula", "is no formula"),
        ("begin anew", "anew"),
        ("all but for one", "but for"),
        ("a process of its\nown", "of its own"),
        ("Somebody else changed it", "Somebody"),
        ("kept apart", "apart"),
        ("guests are told", "told"),
        ("what stands in the file", "stands in"),
        ("it lies in a folder", "lies in"),
        ("Done. What is left stays.", "What is"),
        ("- who has paid gets one", "who has"),
        ("it is written down", "written down"),
        ("taken for a date", "taken for"),
        ("no video came of it", "came of it"),
        ("have it at hand", "at hand"),
        ("starts by itself", "by itself"),
        ("it can not", "can not"),
        ("in order to read", "in order to"),
    ],
)
def test_a_wording_is_found_with_what_to_write(text: str, words: str) -> None:
    (spot,) = find_spots("docs/a.md", text)
    assert (spot.words, spot.path) == (words, "docs/a.md")
    assert spot.instead in PATTERNS.values()


@pytest.mark.parametrize(
    "text",
    [
        "there are no files",
        "it is no longer there",
        "What is a world? A folder.",
        "Say what is missing.",
        "A standing order; a lie.",
        "No one is here.",
    ],
)
def test_plain_english_is_left_alone(text: str) -> None:
    assert find_spots("docs/a.md", text) == []


def test_texts_of_code_are_found_where_they_are() -> None:
    source = '''
@tool(mcp, writes=False)
def read_page(page: Annotated[int, Field(description="The page.")]) -> str:
    """Read a page."""
    if page < 1:
        raise Problem(
            f"{page} is not a page; "
            "give 1 or more"
        )
    return "a text that nobody reads"
'''
    texts = set(texts_of("yardkit/servers/pages/server.py", ast.parse(source)))
    assert texts == {(3, "Read a page."), (3, "The page."), (7, "_ is not a page; give 1 or more")}
