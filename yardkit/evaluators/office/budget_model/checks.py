"""The budget follows a chosen scenario, its formulas are whole again, and break-even prices are right."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, define_leaf, make_finding, make_group
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.files import require_file
from yardkit.evaluators.readers.office.workbooks import CellLook, read_book, same_number_format
from yardkit.evaluators.readers.tables import Rows, Sheet, is_near, read_sheets, recompute_sheets
from yardkit.evaluators.side_effects import check_unchanged_outside
from yardkit.evaluators.submission import Submission
from yardkit.world.tree import file_digest

FILE = "budget_2026.xlsx"
SHEET = "Scenarios"
HEAD_ROW = 2
RESULTS = ("Revenue", "EBIT", "Net profit")
PRICE = "Break-even price"


OWN = (f"cells:{FILE}#{SHEET}!*", f"rows:{FILE}#{SHEET}", f"sheet:{FILE}#{SHEET}", f"formulas:{FILE}#{SHEET}!*")
INPUTS = (f"cells:{FILE}#Assumptions!*", f"formulas:{FILE}#Assumptions!*")
MODEL = tuple(f"{kind}:{FILE}" for kind in ("cells", "rows", "sheet", "formulas", "formats", "looks", "rules"))
FORMAT_TARGETS = tuple(
    f"visibility:{FILE}#{name}" for name in ("Assumptions", "Products", "Units", "Staff", "Budget", "Actuals 2025")
)


def _get_scenario_rows(sheets: Mapping[str, Sheet]) -> Rows:
    if SHEET not in sheets:
        raise InvalidArtifact(f"{FILE} has no sheet {SHEET!r}, only {', '.join(sheets)}")
    return sheets[SHEET].values


def _get_cell(rows: Rows, row: int, column: int) -> Any:
    return rows[row][column] if row < len(rows) and column < len(rows[row]) else None


@dataclass(frozen=True)
class Layout:
    """Where the columns of the scenarios and the rows of the sheet are, counted from 0."""

    columns: Mapping[str, int]
    rows: Mapping[str, int]


def _find_layout(rows: Rows, names: Collection[str]) -> Layout:
    """Where things are in Scenarios.

    Raises:
        InvalidArtifact: row 3 does not name the scenarios.
    """
    head = [simplify_text(str(cell)) for cell in rows[HEAD_ROW]] if len(rows) > HEAD_ROW else []
    missing = [name for name in names if simplify_text(name) not in head]
    if missing:
        raise InvalidArtifact(f"row 3 of {SHEET} is {head}; it lacks {', '.join(missing)}")
    label_rows: dict[str, int] = {}
    for number, row in enumerate(rows):
        if number > HEAD_ROW and row and row[0] is not None:
            label_rows.setdefault(simplify_text(str(row[0])), number)
    return Layout({name: head.index(simplify_text(name)) for name in names}, label_rows)


def _read_labelled(rows: Rows, layout: Layout, label: str, column: int) -> Any:
    return _get_cell(rows, layout.rows.get(simplify_text(label), len(rows)), column)


Play = tuple[str, bool, Mapping[str, Sheet]]


def _list_plays(submission: Submission, facts: Facts) -> tuple[Play, ...]:
    """The workbook under each scenario, as it is and after all values of Base were changed."""
    base = facts["shifted"]["Base"]
    digest = file_digest(require_file(submission, FILE))
    return _play_scenarios(submission.root, digest, tuple(facts["scenarios"]), tuple(base.items()))


@lru_cache(maxsize=1)  # Several leaves look at the same plays.
def _play_scenarios(
    root: Path, _digest: str, names: tuple[str, ...], base: tuple[tuple[str, float], ...]
) -> tuple[Play, ...]:
    submission = Submission(root)
    layout = _find_layout(_get_scenario_rows(read_sheets(submission, FILE)), names)
    if missing_labels := [label for label, _ in base if simplify_text(label) not in layout.rows]:
        raise InvalidArtifact(f"{SHEET} has no row {', '.join(missing_labels)}")
    shift: dict[tuple[str, int, int], float | str] = {
        (SHEET, layout.rows[simplify_text(label)], layout.columns["Base"]): value for label, value in base
    }
    return tuple(
        (name, shifted, recompute_sheets(submission, FILE, {**(shift if shifted else {}), (SHEET, 0, 1): name}))
        for shifted in (False, True)
        for name in names
    )


@define_leaf("mended", "The typed numbers are formulas again", *MODEL, weight=2)
def _check_repaired(submission: Submission, facts: Facts) -> Finding:
    wrong = []
    for name, shifted, sheets in _list_plays(submission, facts):
        for cell in facts["broken"] if name == "Base" else ():
            value = _read_named_cell(sheets, cell["sheet"], cell["cell"])
            if not is_near(value, cell["values"][shifted], 0.01):
                wrong.append(f"{cell['sheet']}!{cell['cell']} gives {value}, not {cell['values'][shifted]:.2f}")
    return make_finding(not wrong, "; ".join(wrong) or "all formulas are back")


def _read_named_cell(sheets: Mapping[str, Sheet], sheet: str, cell: str) -> Any:
    from openpyxl.utils.cell import coordinate_to_tuple

    if sheet not in sheets:
        raise InvalidArtifact(f"{FILE} has no sheet {sheet!r}")
    row, column = coordinate_to_tuple(cell)
    return _get_cell(sheets[sheet].values, row - 1, column - 1)


@define_leaf(
    "laid_out",
    "Scenarios has the choice, the headers and the rows asked for",
    *OWN,
    f"visibility:{FILE}#{SHEET}",
    kind="format",
)
def _laid_out(submission: Submission, facts: Facts) -> Finding:
    sheets = read_sheets(submission, FILE)
    rows, labels = _get_scenario_rows(sheets), list(facts["scenarios"]["Base"])
    head = [str(cell).strip() for cell in rows[HEAD_ROW][:4]] if len(rows) > HEAD_ROW else []
    first = HEAD_ROW + 1
    named = [str(_get_cell(rows, first + number, 0)).strip() for number in range(len(labels))]
    top = [str(_get_cell(rows, 0, 0)).strip(), str(_get_cell(rows, 0, 1)).strip()]
    good = head == ["Assumption", *facts["scenarios"]] and named == labels and top == ["Scenario", "Base"]
    return make_finding(
        good and sheets[SHEET].visible, f"A1:B1 {top}; row 3 {head}; rows {named}; shown: {sheets[SHEET].visible}"
    )


@define_leaf(
    "dropdown", "The scenario is chosen from a list of the three", *OWN, f"validations:{FILE}#{SHEET}", kind="format"
)
def _check_dropdown(submission: Submission, facts: Facts) -> Finding:
    _get_scenario_rows(read_sheets(submission, FILE))
    rules = [
        validation
        for validation in read_book(submission, FILE).sheets[SHEET].validations
        if validation.kind == "list" and "B1" in validation.cells.replace("$", "").replace(":", " ").split()
    ]
    offered = [_list_offered(submission, rule.formulas[0]) for rule in rules]
    expected_names = {simplify_text(name) for name in facts["scenarios"]}
    return make_finding(
        expected_names in map(set, offered), f"lists at B1: {offered}; expected {sorted(expected_names)}"
    )


def _list_offered(submission: Submission, formula: str) -> list[str]:
    """What a list offers, written out or from a range."""
    from openpyxl.utils.cell import range_boundaries

    if formula.startswith('"'):
        return [simplify_text(part) for part in formula.strip('"').split(",")]
    sheet, _, area = formula.lstrip("=").replace("'", "").replace("$", "").rpartition("!")
    try:
        left, top, right, bottom = range_boundaries(area)
    except ValueError:
        return []
    rows = read_sheets(submission, FILE)[sheet or SHEET].values
    return [
        simplify_text(str(_get_cell(rows, row - 1, column - 1)))
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
    ]


def _wrong_values(rows: Rows, facts: Facts, expected: Mapping[str, Mapping[str, float]]) -> list[str]:
    layout = _find_layout(rows, facts["scenarios"])
    return [
        f"{name}: {label} is {stored_value}, not {value:.6g}"
        for name, values in expected.items()
        for label, value in values.items()
        if not is_near(
            stored_value := _read_labelled(rows, layout, label, layout.columns[name]), value, 1e-6 * max(1, abs(value))
        )
    ]


@define_leaf("base", "Base holds what was decided and corrected", *OWN, weight=3)
def _check_base(submission: Submission, facts: Facts) -> Finding:
    wrong = _wrong_values(
        _get_scenario_rows(read_sheets(submission, FILE)), facts, {"Base": facts["scenarios"]["Base"]}
    )
    return make_finding(not wrong, "; ".join(wrong) or "as decided")


def _others_of(facts: Facts, key: str) -> dict[str, Mapping[str, float]]:
    return {name: values for name, values in facts[key].items() if name != "Base"}


@define_leaf("values", "The other scenarios hold what the mail says", *OWN, weight=2)
def _check_scenarios(submission: Submission, facts: Facts) -> Finding:
    wrong = _wrong_values(_get_scenario_rows(read_sheets(submission, FILE)), facts, _others_of(facts, "scenarios"))
    return make_finding(not wrong, "; ".join(wrong[:8]) or "as in the mail")


@define_leaf("following", "What depends on Base follows it", *OWN, weight=2)
def _check_following(submission: Submission, facts: Facts) -> Finding:
    plays = [sheets for name, shifted, sheets in _list_plays(submission, facts) if shifted and name == "Base"]
    wrong = _wrong_values(_get_scenario_rows(plays[0]), facts, _others_of(facts, "shifted"))
    return make_finding(not wrong, f"after changing Base: {'; '.join(wrong[:8]) or 'all follow'}")


@define_leaf("assumptions", "Assumptions take the chosen scenario's values", *OWN, *INPUTS)
def _check_assumptions(submission: Submission, facts: Facts) -> Finding:
    wrong = []
    for name, shifted, sheets in _list_plays(submission, facts):
        rows = sheets["Assumptions"].values if "Assumptions" in sheets else []
        now = {simplify_text(str(row[0])): row[1] for row in rows if len(row) > 1}
        for label, value in facts["shifted" if shifted else "scenarios"][name].items():
            if not is_near(now.get(simplify_text(label)), value, 1e-6 * max(1, abs(value))):
                wrong.append(f"under {name} {label} is {now.get(simplify_text(label))}, not {value:.6g}")
    return make_finding(not wrong, "; ".join(wrong[:6]) or "they follow the scenario")


@define_leaf("results", "The results of the year are right and live", *OWN, *MODEL, weight=2)
def _check_results(submission: Submission, facts: Facts) -> Finding:
    stored = _get_scenario_rows(read_sheets(submission, FILE))
    wrong = _wrong_results(stored, facts, facts["results"]["Base"], "as saved")
    for name, shifted, sheets in _list_plays(submission, facts):
        expected = facts["shifted_results" if shifted else "results"][name]
        wrong += _wrong_results(
            _get_scenario_rows(sheets), facts, expected, f"under {name}{', Base changed' if shifted else ''}"
        )
    return make_finding(not wrong, "; ".join(wrong[:6]) or "they are right under each scenario")


def _wrong_results(rows: Rows, facts: Facts, expected: Mapping[str, float], when: str) -> list[str]:
    layout = _find_layout(rows, facts["scenarios"])
    return [
        f"{when} {label} is {stored_value}, not {value:.2f}"
        for label, value in expected.items()
        if not is_near(stored_value := _read_labelled(rows, layout, label, 1), value, 0.05)
    ]


@define_leaf(
    "shown", "Numbers are shown as asked", *OWN, f"formats:{FILE}#{SHEET}!*", f"looks:{FILE}#{SHEET}", kind="format"
)
def _check_shown_values(submission: Submission, facts: Facts) -> Finding:
    from openpyxl.utils import get_column_letter

    layout = _find_layout(_get_scenario_rows(read_sheets(submission, FILE)), facts["scenarios"])
    grid = read_book(submission, FILE).sheets[SHEET]
    wrong = []

    def look(label: str, column: int) -> CellLook:
        return grid.look(f"{get_column_letter(column + 1)}{layout.rows.get(simplify_text(label), 9999) + 1}")

    for column in layout.columns.values():
        wrong += [
            label
            for label, code in facts["formats"].items()
            if not same_number_format(look(label, column).number_format, code)
        ]
        if not look(PRICE, column).number_format.split(";")[0].rstrip('_- "€EUR').endswith("0.00"):
            wrong.append(PRICE)
    wrong += [label for label in RESULTS if "#,##0" not in look(label, 1).number_format]
    return make_finding(not wrong, f"other number formats: {', '.join(dict.fromkeys(wrong))}" if wrong else "as asked")


@define_leaf("prices", "The break-even prices are right", *OWN, weight=2)
def _check_prices(submission: Submission, facts: Facts) -> Finding:
    rows = _get_scenario_rows(read_sheets(submission, FILE))
    layout = _find_layout(rows, facts["scenarios"])
    stored_prices = {name: _read_labelled(rows, layout, PRICE, column) for name, column in layout.columns.items()}
    wrong = [
        f"{name}: {stored_prices[name]}, not {price:.2f}"
        for name, price in facts["prices"].items()
        if not is_near(stored_prices[name], price, 1e-6)
    ]
    return make_finding(not wrong, "; ".join(wrong) or "they are right")


@define_leaf(
    "kept", "The rest of the workbook is as it was", *MODEL, *FORMAT_TARGETS, f"validations:{FILE}", kind="guardrail"
)
def _check_unchanged(submission: Submission, facts: Facts) -> Finding:
    cells = [f"cells#{formula['sheet']}!{formula['cell']}" for formula in facts["broken"]]
    cells += [f"cells#Assumptions!B{row}" for row in range(4, 4 + len(facts["formats"]))]
    return check_unchanged_outside(submission, FILE, f"*#{SHEET}!*", f"sheet#{SHEET}", "names#*", *cells)


CHECKS = make_group(
    "budget_model",
    "The budget plays through its scenarios",
    _check_repaired,
    make_group(
        "scenarios",
        "The sheet of scenarios is right",
        _laid_out,
        _check_dropdown,
        _check_base,
        _check_scenarios,
        _check_following,
        _check_shown_values,
        weight=4,
    ),
    make_group("model", "The budget follows", _check_assumptions, _check_results, weight=3),
    _check_prices,
    leaves.answer_number(
        "The answer is the break-even price", lambda facts: facts["prices"][facts["prompt"]["one"]], 1e-6
    ),
    _check_unchanged,
    leaves.nothing_else(FILE, id="others", statement="No other file was touched"),
)
