"""Near misses in PDF files: their pages."""

from typing import Any

from yardkit.evaluators.misses.edits import Leaves, edit_file
from yardkit.evaluators.proof import Miss, Solved


def page_gone(path: str, number: int, caught_by: Leaves) -> Miss:
    """A page, counted from 1, is missing; -1 is the last one."""

    def edit(document: Any, _work: Solved) -> None:
        del document.pages[number - 1 if number > 0 else number]

    return edit_file(path, edit, caught_by)


def pages_swapped(path: str, first_number: int, other: int, caught_by: Leaves) -> Miss:
    """Two pages, counted from 1, have changed places."""

    def edit(document: Any, _work: Solved) -> None:
        first, second = sorted((first_number - 1, other - 1))
        page = document.pages[second]
        document.pages.insert(first, page)
        del document.pages[second + 1]
        document.pages.insert(second + 1, document.pages[first + 1])
        del document.pages[first + 1]

    return edit_file(path, edit, caught_by)
