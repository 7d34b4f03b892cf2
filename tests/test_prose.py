"""Tool descriptions, errors, help, checkpoints and documents are plain English, by the list in support.prose."""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from support.prose import (
    DOCUMENTS,
    PACKAGES,
    PATTERNS,
    Spot,
    find_spots,
    spots_of_code,
    spots_of_documents,
    texts_of,
)
from support.ratchet import Ratchet

RATCHET = Ratchet.read_limit("prose")


def collect_complaints(folders: Iterable[str], spots: Sequence[Spot]) -> list[str]:
    """What the ratchet says of the number in each folder, and the spots of those that have too many."""
    counts = {folder: sum(spot.folder == folder for spot in spots) for folder in folders}
    known = {folder: count for folder, count in RATCHET.exceptions.items() if folder in counts}
    over = {folder for folder, count in counts.items() if count > known.get(folder, RATCHET.limit)}
    complaint_lines = replace(RATCHET, exceptions=known).list_complaints(counts)
    return complaint_lines + [str(spot) for spot in spots if spot.folder in over]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_texts_of_a_package_are_plain_english(package: str) -> None:
    assert collect_complaints([f"yardkit/{package}"], list(spots_of_code(package))) == []


def test_documents_are_plain_english() -> None:
    assert collect_complaints(DOCUMENTS, list(spots_of_documents())) == []


def test_each_number_is_kept_for_a_folder_that_exists() -> None:
    assert RATCHET.exceptions.keys() <= {*DOCUMENTS, *(f"yardkit/{package}" for package in PACKAGES)}


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
