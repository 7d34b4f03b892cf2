"""Mutants of PDF files."""

import io
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from yardkit.evaluators.mutations.answers import FILLER
from yardkit.evaluators.mutations.mutant import Mutant, on_files

MAX_EACH = 3
"""Mutants of one operator in one file."""


def generate_mutants(workspace: Path, path: str, rng: random.Random) -> Iterator[Mutant]:
    """Generate mutants: pages dropped, swapped, rotated, filled; fields cleared and changed."""
    import pikepdf

    with pikepdf.open(workspace / path) as opened:
        count = len(opened.pages)
        fields = [(number, _describe_field(field)) for number, field in enumerate(_list_fields(opened))]
    for number in sorted(rng.sample(range(count), min(MAX_EACH, count))):
        target = f"pages:{path}#{number + 1}"
        if count > 1:
            yield _make_mutant("page_dropped", target, f"page {number + 1} is missing", path, _drop_page(number))
        yield _make_mutant("page_turned", target, f"page {number + 1} is turned", path, _turn_page(number))
        yield _make_mutant("page_filler", target, f"page {number + 1} is a filler", path, _fill_page(number))
    if count > 1:
        first = rng.randrange(count - 1)
        description = f"pages {first + 1} and {first + 2} are swapped"
        yield _make_mutant("pages_swapped", f"pages:{path}#{first + 1}", description, path, _swap_pages(first))
    filled = [(number, name, kind) for number, (name, kind, value) in fields if value]
    for number, name, kind in rng.sample(filled, min(2 * MAX_EACH, len(filled))):
        target = f"fields:{path}#{name}"
        yield _make_mutant("field_cleared", target, f"the field {name} is empty", path, _clear_field(number))
        if kind == "/Tx":
            yield _make_mutant(
                "field_changed", target, f"the field {name} says something else", path, _refill_field(number)
            )


def _list_fields(opened: Any) -> list[Any]:
    """List the leaf fields of the tree, in a fixed order."""
    form = opened.Root.get("/AcroForm")
    stack = list(reversed(list(form.get("/Fields", [])))) if form is not None else []
    end_fields: list[Any] = []
    while stack and len(end_fields) < 2000:
        entry = stack.pop()
        kids = [kid for kid in entry.get("/Kids", []) if "/T" in kid]
        stack += reversed(kids)
        if not kids:
            end_fields.append(entry)
    return end_fields


def _describe_field(field: Any) -> tuple[str, str, str]:
    names: list[str] = []
    entry = field
    while entry is not None and len(names) < 20:
        names += [str(entry.T)] if "/T" in entry else []
        entry = entry.get("/Parent")
    value = str(field.get("/V", ""))
    return ".".join(reversed(names)), str(field.get("/FT", "")), "" if value == "/Off" else value


def _drop_page(number: int) -> Callable[[Any], object]:
    def change(opened: Any) -> None:
        del opened.pages[number]

    return change


def _turn_page(number: int) -> Callable[[Any], object]:
    return lambda opened: opened.pages[number].rotate(180, relative=True)


def _swap_pages(first: int) -> Callable[[Any], object]:
    def change(opened: Any) -> None:
        page = opened.pages[first]
        del opened.pages[first]
        opened.pages.insert(first + 1, page)

    return change


def _fill_page(number: int) -> Callable[[Any], object]:
    def change(opened: Any) -> None:
        import pikepdf

        page = opened.pages[number]
        font = pikepdf.Dictionary(
            Type=pikepdf.Name("/Font"), Subtype=pikepdf.Name("/Type1"), BaseFont=pikepdf.Name("/Helvetica")
        )
        page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=font))
        page.Contents = opened.make_stream(b"BT /F1 11 Tf 72 700 Td (" + FILLER.encode() + b") Tj ET")
        if "/Annots" in page:
            del page["/Annots"]

    return change


def _clear_field(number: int) -> Callable[[Any], object]:
    def change(opened: Any) -> None:
        import pikepdf

        field = _list_fields(opened)[number]
        text = str(field.get("/FT", "")) != "/Btn"
        field["/V"] = pikepdf.String("") if text else pikepdf.Name("/Off")
        for widget in [field, *field.get("/Kids", [])]:
            if "/AS" in widget:
                widget["/AS"] = pikepdf.Name("/Off")
            if text and "/AP" in widget:
                del widget["/AP"]

    return change


def _refill_field(number: int) -> Callable[[Any], object]:
    def change(opened: Any) -> None:
        import pikepdf

        field = _list_fields(opened)[number]
        field["/V"] = pikepdf.String("See attachment")
        for widget in [field, *field.get("/Kids", [])]:
            if "/AP" in widget:
                del widget["/AP"]

    return change


def _make_mutant(operator: str, target: str, description: str, path: str, change: Callable[[Any], object]) -> Mutant:
    def edit(files: Path) -> None:
        import pikepdf

        with pikepdf.open(io.BytesIO((files / path).read_bytes())) as opened:
            change(opened)
            opened.save(files / path, deterministic_id=True)

    return Mutant(operator, target, f"{description} in {path}", on_files(edit))
