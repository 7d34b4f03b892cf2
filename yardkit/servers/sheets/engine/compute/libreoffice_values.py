"""Values that the calculation engine does not know, by LibreOffice; what that does not know either stays unknown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from pathlib import Path

from yardkit.servers.sheets.engine.cells.dependencies import Place
from yardkit.servers.sheets.engine.cells.grid import FormulaCell, Grid
from yardkit.servers.sheets.engine.notation.array_formulas import array_work
from yardkit.servers.sheets.engine.notation.formulas import list_functions, to_computable, tokens_of
from yardkit.servers.sheets.engine.notation.values import ERRORS, Scalar
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.world import Problem

MAX_ASKED = 20_000
_SECONDS = 60.0
_FORMULA = re.compile(rb"<f(?=[\s/>])[^>]*?(?:/>|>[^<]*</f>)")
_EMPTY_TEXT = '""'
# An empty text is one as a formula alone; else the cell is empty.
_NO_TEXT, _EMPTY_TEXT_FORMULA = re.compile(rb'( t="str"[^>]*>)(<v>(?:</v>)|<v/>|(?=</c>))'), rb'\1<f>""</f>\2'
# Excel reads 5 Jan 2024 and 5-Jan-2024 as a day, LibreOffice the second alone; formulas that seek spaces stay.
_DAY = re.compile(
    r"(?<!\w)(\d{1,2}) ((?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*) (?=(?:\d\d)?\d\d(?!\w))", re.I
)
_DAY_IN_BYTES = re.compile(_DAY.pattern.encode(), re.I)
_SEEKING = frozenset({"FIND", "SEARCH", "SUBSTITUTE"})
_EXPONENT = re.compile(r"(?<=\dE[+-])0(?=\d\d(?!\d))")
# Functions of Excel since 2020, which the LibreOffice of a machine may know or not.
_NEW_NAMES = (
    "ANCHORARRAY ARRAYTOTEXT BYCOL BYROW CHOOSECOLS CHOOSEROWS DROP EXPAND FILTER GROUPBY HSTACK ISOMITTED "
    "LAMBDA LET MAKEARRAY MAP PERCENTOF PIVOTBY RANDARRAY REDUCE REGEXEXTRACT REGEXREPLACE REGEXTEST SCAN "
    "SEQUENCE SORT SORTBY TAKE TEXTAFTER TEXTBEFORE TEXTSPLIT TOCOL TOROW TRIMRANGE UNIQUE VALUETOTEXT VSTACK "
    "WRAPCOLS WRAPROWS XLOOKUP XMATCH"
)
_NEW_FUNCTIONS = frozenset(_NEW_NAMES.split())
_WRONG_FUNCTIONS = frozenset({"SUMXMY2"})
"""Of pairs with an empty cell it makes another value than Excel."""
# LibreOffice takes truth values in ranges for numbers.
_COUNTS_TRUTHS = frozenset({"AGGREGATE", "SUBTOTAL"})
_IS_TRUE_OR_FALSE = frozenset(["AND", "EXACT", "NOT", "OR", "XOR"])


class OfficeBook:
    """A workbook as LibreOffice gets it: with values alone, but for the formulas that it is asked for."""

    def __init__(self, book: Workbook, scratch: Path) -> None:
        self._book = book
        self._scratch = scratch.with_name(f"{scratch.name}.xlsx")

    def accepts(self, formula: FormulaCell, sheets: Set[str]) -> bool:
        """Whether a formula that reads some sheets has one value that LibreOffice takes for the same as Excel.

        Over arrays, truth values are numbers for LibreOffice; and what one of its versions does not know may vanish in
        COUNT or IFERROR.
        """
        called = set(list_functions(formula.text))
        if not (_NEW_FUNCTIONS | _WRONG_FUNCTIONS).isdisjoint(called) or (
            formula.area is not None and formula.area.size > 1
        ):
            return False
        truths = not sheets.isdisjoint(self._truthful)
        work = array_work(formula.text, self._book.named)
        if work is None:
            return not (truths and not _COUNTS_TRUTHS.isdisjoint(called))
        return not truths and not (formula.area is not None and work.fills)

    @cached_property
    def _truthful(self) -> set[str]:
        """The sheets on which there are truth values."""
        sheets = (info for info in self._book.sheets if info.kind == "worksheet")
        return {info.name for info in sheets if b' t="b"' in self._book.get_source(info.part).data}

    def values(self, asked: Sequence[Place], cells: Mapping[Place, FormulaCell | Scalar]) -> dict[Place, Scalar]:
        """The values of formulas, errors among them; those that LibreOffice does not know are left out.

        `cells` are the formulas that are to be computed for them, and values that the file does not have yet.
        """
        from yardkit.kit.pages.libreoffice import calculate_cells

        if not asked or len(asked) > MAX_ASKED:
            return {}
        try:
            self._write_cells(cells)
            answers = calculate_cells(self._scratch, [(sheet, str(cell)) for sheet, cell in asked], seconds=_SECONDS)
        except (Problem, OSError):
            return {}
        finally:
            self._scratch.unlink(missing_ok=True)
        computed_values: dict[Place, Scalar] = {}
        for place, answer in zip(asked, answers, strict=True):
            formula = cells[place]
            if (answer.value is None and answer.error not in ERRORS) or not isinstance(formula, FormulaCell):
                continue
            computed_values[place] = _convert_value(answer.error or answer.value, formula)
        return computed_values

    def _write_cells(self, cells: Mapping[Place, FormulaCell | Scalar]) -> None:
        self._book.save(self._scratch)
        copy = Workbook.open(self._scratch)
        texts = [content.text for content in cells.values() if isinstance(content, FormulaCell)]
        hyphened = _SEEKING.isdisjoint(name for text in texts for name in list_functions(text))
        strings = copy.related_part("sharedStrings")
        if hyphened and strings is not None:
            copy.package.put(strings, _DAY_IN_BYTES.sub(rb"\1-\2-", copy.package.read(strings)))
        for info in copy.sheets:
            if info.kind != "worksheet":
                continue
            data = copy.get_source(info.part).data
            formula_free_data = _NO_TEXT.sub(_EMPTY_TEXT_FORMULA, _FORMULA.sub(b"", data)) if b"<f" in data else data
            copy.package.put(
                info.part, _DAY_IN_BYTES.sub(rb"\1-\2-", formula_free_data) if hyphened else formula_free_data
            )
            grid = Grid(copy, info)
            for (sheet, cell), content in cells.items():
                if sheet != info.name:
                    continue
                if isinstance(content, FormulaCell):
                    text = _DAY.sub(r"\1-\2-", content.text) if hyphened else content.text
                    grid.set_formula(cell, text, content.area)
                elif content == "":
                    grid.set_formula(cell, _EMPTY_TEXT)
                elif content in ERRORS:
                    grid.set_result(cell, content, error=True)
                else:
                    grid.set_value(cell, content)
                grid.changed = True
            grid.save()
        copy.save(self._scratch)


def _convert_value(value: Scalar, formula: FormulaCell) -> Scalar:
    """A whole number as one; TRUE and FALSE where LibreOffice has 1 and 0, for what comes of AND and of the like."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        value = int(value)
    if isinstance(value, str) and "E+0" not in formula.text:
        return _EXPONENT.sub("", value)  # of three digits in LibreOffice, as 1E-007
    if value not in (0, 1):
        return value
    tokens = tokens_of(to_computable(formula.text))
    opening, depth = tokens[0], 0
    for token in tokens[:-1]:
        depth += (token.subtype == "OPEN") - (token.subtype == "CLOSE")
        if not depth:
            return value  # more than one call
    name = opening.value.rstrip("(").upper()
    return bool(value) if name in _IS_TRUE_OR_FALSE or name.startswith("IS") else value
