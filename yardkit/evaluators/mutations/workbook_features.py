"""Mutants of a workbook's (xlsx) features other than values: formulas, formats, rules, charts, visibility."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from yardkit.evaluators.mutations.mutant import Mutant
from yardkit.evaluators.mutations.packages import Change, Draft, make_mutant

MAX_EACH = 3
"""Mutants of one operator in one sheet."""
_S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def generate_mutants(workspace: Path, path: str, rng: random.Random) -> Iterator[Mutant]:
    """Generate mutants: formulas pasted as values, formats lost, rules and charts dropped, sheets hidden."""
    draft = Draft(workspace / path)
    relations = draft.parts.read_relations(draft.main)
    sheets = list(draft.xml(draft.main).iter(f"{_S}sheet"))
    for number, entry in enumerate(sheets):
        name, part = entry.get("name", ""), relations[entry.get(f"{_R}id")].target
        root = draft.parts.xml(part)
        yield from _of_cells(path, draft, name, part, root, rng)
        if root.find(f"{_S}conditionalFormatting") is not None:
            description = f"sheet {name!r} has no conditional format"
            yield make_mutant(
                "rules_dropped", f"rules#{name}", description, path, _drop_elements(part, "conditionalFormatting")
            )
        if root.find(f"{_S}dataValidations") is not None:
            description = f"sheet {name!r} has no data validation"
            yield make_mutant(
                "validations_dropped", f"validations#{name}", description, path, _drop_elements(part, "dataValidations")
            )
        if any(draft.parts.list_related(text, "chart") for text in draft.parts.list_related(part, "drawing")):
            yield make_mutant(
                "charts_dropped",
                f"charts#{name}",
                f"sheet {name!r} has no chart",
                path,
                _drop_elements(part, "drawing"),
            )
        visible = [sheet for sheet in sheets if sheet.get("state", "visible") == "visible"]
        if entry in visible and len(visible) > 1:
            yield make_mutant(
                "sheet_hidden", f"visibility#{name}", f"sheet {name!r} is hidden", path, _hide_sheet(number)
            )


def _of_cells(path: str, draft: Draft, name: str, part: str, root: Any, rng: random.Random) -> Iterator[Mutant]:
    cells = {cell.get("r"): cell for cell in root.iter(f"{_S}c")}
    stored = [
        place
        for place, cell in cells.items()
        if cell.find(f"{_S}f") is not None and (cell.findtext(f"{_S}v") or "") != ""
    ]
    for place in rng.sample(stored, min(MAX_EACH, len(stored))):
        description = f"the formula in {name}!{place} is pasted as a value"
        yield make_mutant("formula_pasted", f"formulas#{name}!{place}", description, path, _paste_value(part, place))
    formats = _number_formats(draft)
    number_cells = [
        place
        for place, cell in cells.items()
        if formats.get(int(cell.get("s", "0"))) and cell.get("t", "n") == "n" and cell.find(f"{_S}v") is not None
    ]
    for place in rng.sample(number_cells, min(MAX_EACH, len(number_cells))):
        description = f"{name}!{place} has lost its number format"
        yield make_mutant("number_format_lost", f"formats#{name}!{place}", description, path, _drop_format(part, place))
    if any(cell.get("s", "0") != "0" for cell in cells.values()):
        description = f"the cells of {name!r} have lost their formats"
        yield make_mutant("formats_lost", f"looks#{name}", description, path, _drop_format(part, ""))


def _number_formats(draft: Draft) -> dict[int, int]:
    """Read the number format (0 is General) of each cell format."""
    styles_part = draft.parts.list_related(draft.main, "styles")
    looks = draft.parts.xml(styles_part[0]).find(f"{_S}cellXfs") if styles_part else None
    return {n: int(look.get("numFmtId", "0")) for n, look in enumerate(looks if looks is not None else ())}


def _get_cell(draft: Draft, part: str, place: str) -> Any:
    return next(cell for cell in draft.xml(part).iter(f"{_S}c") if cell.get("r") == place)


def _paste_value(part: str, place: str) -> Change:
    def change(draft: Draft) -> None:
        cell = _get_cell(draft, part, place)
        formula = cell.find(f"{_S}f")
        index = formula.get("si")
        cell.remove(formula)
        shared = [
            cell_formula
            for cell_formula in draft.xml(part).iter(f"{_S}f")
            if index is not None and cell_formula.get("si") == index
        ]
        if formula.get("ref") and shared:  # The other cells of a shared formula must keep it without its first cell.
            for shared_formula in shared:
                shared_formula.getparent().remove(shared_formula)
        chain = draft.parts.list_related(draft.main, "calcChain")
        for entry in [candidate for name in chain for candidate in draft.xml(name) if candidate.get("r") == place]:
            if len(entry.getparent()) > 1:
                entry.getparent().remove(entry)

    return change


def _drop_format(part: str, place: str) -> Change:
    def change(draft: Draft) -> None:
        for cell in draft.xml(part).iter(f"{_S}c"):
            if place in ("", cell.get("r")):
                cell.attrib.pop("s", None)

    return change


def _drop_elements(part: str, tag: str) -> Change:
    def change(draft: Draft) -> None:
        for element in list(draft.xml(part).iterfind(f"{_S}{tag}")):
            element.getparent().remove(element)

    return change


def _hide_sheet(number: int) -> Change:
    def change(draft: Draft) -> None:
        list(draft.xml(draft.main).iter(f"{_S}sheet"))[number].set("state", "hidden")

    return change
