"""Values that the calculation engine does not know, by LibreOffice; what that does not know either stays unknown."""

from __future__ import annotations

from pathlib import Path

from toolyard.servers.sheets.engine.cells.dependencies import Place
from toolyard.servers.sheets.engine.cells.grid import FormulaCell
from toolyard.servers.sheets.engine.compute.formula_index import FormulaIndex
from toolyard.servers.sheets.engine.notation.array_formulas import array_work
from toolyard.servers.sheets.engine.notation.formulas import computable, functions, tokens_of
from toolyard.servers.sheets.engine.notation.values import ERRORS, Scalar
from toolyard.servers.sheets.engine.package.workbook import Workbook
from toolyard.world import Problem

MAX_ASKED = 2000
LACKING = ("the engine has no ", "the engine does not implement ")
DEPENDS = "it depends on a value"
_SECONDS = 60.0
# Functions of Excel since 2020, which the LibreOffice of a machine may know or not.
_NEW_NAMES = (
    "ANCHORARRAY ARRAYTOTEXT BYCOL BYROW CHOOSECOLS CHOOSEROWS DROP EXPAND FILTER GROUPBY HSTACK ISOMITTED "
    "LAMBDA LET MAKEARRAY MAP PERCENTOF PIVOTBY RANDARRAY REDUCE REGEXEXTRACT REGEXREPLACE REGEXTEST SCAN "
    "SEQUENCE SORT SORTBY TAKE TEXTAFTER TEXTBEFORE TEXTSPLIT TOCOL TOROW TRIMRANGE UNIQUE VALUETOTEXT VSTACK "
    "WRAPCOLS WRAPROWS XLOOKUP XMATCH"
)
_NEW_FUNCTIONS = frozenset(_NEW_NAMES.split())
# LibreOffice takes truth values in ranges for numbers.
_COUNTS_TRUTHS = frozenset({"AGGREGATE", "SUBTOTAL"})
_IS_TRUE_OR_FALSE = frozenset(["AND", "EXACT", "NOT", "OR", "XOR"])


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
    formulas = {place: index.get(place) for place in asked}
    truths = _truth_values(book)
    plain = [
        place
        for place, formula in formulas.items()
        if formula
        and _is_asked(formula, book.named, truths=any(sheet in truths for sheet, _ in graph.reads(place, formula.text)))
    ]
    found = _asked(draft, sorted(plain))
    lost = {place for place in asked if place not in found}
    lost |= graph.dependents(lost)
    return {place: _typed(value, formulas[place]) for place, value in found.items() if place not in lost}


def _typed(value: Scalar, formula: FormulaCell | None) -> Scalar:
    """TRUE and FALSE where LibreOffice has 1 and 0: for what comes of AND and of the like."""
    if value not in (0, 1) or formula is None:
        return value
    tokens = tokens_of(computable(formula.text))
    opening, depth = tokens[0], 0
    for token in tokens[:-1]:
        depth += (token.subtype == "OPEN") - (token.subtype == "CLOSE")
        if not depth:
            return value  # more than one call
    name = opening.value.rstrip("(").upper()
    return bool(value) if name in _IS_TRUE_OR_FALSE or name.startswith("IS") else value


def _is_asked(formula: FormulaCell, names: dict[str, str], *, truths: bool) -> bool:
    """Whether a formula has one value that LibreOffice takes for the same as Excel.

    Over arrays, truth values are numbers for LibreOffice; and what one of its versions does not know may vanish in
    COUNT or IFERROR.
    """
    if _NEW_FUNCTIONS.intersection(functions(formula.text)):
        return False
    work = array_work(formula.text, names)
    one = formula.area is None or formula.area.size == 1
    if work is None:
        return one and not (truths and _COUNTS_TRUTHS.intersection(functions(formula.text)))
    return one and not truths and not (formula.area is not None and work.fills)


def _truth_values(book: Workbook) -> set[str]:
    """The sheets on which there are truth values."""
    return {i.name for i in book.sheets if i.kind == "worksheet" and b' t="b"' in book.source(i.part).data}


def _asked(draft: Path, places: list[Place]) -> dict[Place, Scalar]:
    from toolyard.kit.pages.libreoffice import calculated

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
