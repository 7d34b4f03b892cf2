"""Values that the calculation engine does not know, by LibreOffice; what that does not know either stays unknown."""

from __future__ import annotations

from pathlib import Path

from toolyard.servers.sheets.engine.graph import Place
from toolyard.servers.sheets.engine.index import FormulaIndex
from toolyard.servers.sheets.engine.values import ERRORS, Scalar
from toolyard.servers.sheets.engine.workbook import Workbook
from toolyard.world import Problem

MAX_ASKED = 2000
LACKING = ("the engine has no ", "the engine does not implement ")
DEPENDS = "it depends on a value"
_SECONDS = 60.0


def office_values(draft: Path, book: Workbook, index: FormulaIndex, unknown: dict[Place, str]) -> dict[Place, Scalar]:
    """The values of those of the `unknown` formulas that LibreOffice can be trusted with.

    Formulas that read a clock, chance, another workbook or a circle, directly or through others, are not asked for.
    `#NAME?` means that LibreOffice does not know the function either.
    """
    asked = {place for place, reason in unknown.items() if reason.startswith((*LACKING, DEPENDS))}
    if not any(unknown[place].startswith(LACKING) for place in asked) or len(asked) > MAX_ASKED:
        return {}
    graph = index.graph(book)
    moving = {place for place, reason in index.doubtful.items() if not reason.startswith(LACKING)} | index.clocks
    moving |= {place for place, reason in unknown.items() if place not in asked}
    asked -= moving | graph.dependents(moving)
    plain = sorted(place for place in asked if (formula := index.get(place)) is not None and formula.area is None)
    found = _asked(draft, plain)
    lost = {place for place in asked if place not in found}
    return {place: value for place, value in found.items() if place not in graph.dependents(lost)}


def _asked(draft: Path, places: list[Place]) -> dict[Place, Scalar]:
    from toolyard.servers.pages.libreoffice import calculated

    if not places:
        return {}
    copy = draft.with_name(f"{draft.name}.xlsx")
    try:
        copy.write_bytes(draft.read_bytes())
        answers = calculated(copy, [(sheet, str(cell)) for sheet, cell in places], seconds=_SECONDS)
    except (Problem, OSError):
        return {}
    finally:
        copy.unlink(missing_ok=True)
    found: dict[Place, Scalar] = {}
    for place, answer in zip(places, answers, strict=True):
        value = answer.error or answer.value
        if value is None or value == "#NAME?" or (answer.error and answer.error not in ERRORS):
            continue
        found[place] = int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value
    return found
