"""Solutions and near misses of office/revised_terms."""

import quopri
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.misses.edits import apply_change
from yardkit.evaluators.proof import Agent, Miss, Solved
from yardkit.evaluators.solving.solver import read_mail_file

BOOK = "real_changes.xlsx"
COLUMNS = ["Old clause", "New clause", "Kind", "Old", "New", "Announced"]
NUMBER = re.compile(r"(\d+\.\d+)\t(.*)", re.DOTALL)
VALUES = {
    "amount": re.compile(r"EUR \d[\d,]*\d(?:\.\d\d)?"),
    "period": re.compile(r"\d+ days"),
    "percentage": re.compile(r"\d+(?:\.\d+)? ?%"),
    "date": re.compile(r"\d+ [A-Z][a-z]+ 20\d\d|[A-Z][a-z]+ \d+, 20\d\d"),
    "duty": re.compile(r"\b(?:shall|must|will|may)\b"),
    "party": re.compile(r"\b(?:Customer|Supplier)\b"),
}
REFERENCE = re.compile(r"clause (\d+\.\d+)")
Row = list[str]


def solve(agent: Agent) -> str:
    """Match the clauses of both versions by their words, compare what they hold, look each change up in the mail."""
    rows = _real_changes(agent)
    _write_changes(agent, rows)
    silent = sum(row[5] == "no" for row in rows)
    return f"{len(rows)} real changes.\n\n{silent}"


def alternative_numbers_as_numbers_saved_by_another_program(agent: Agent, files: Path) -> str:
    """Clause numbers as numbers, a title row missing nothing, and values in the other spelling."""
    import openpyxl

    rows = _real_changes(agent)
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "Changes"
    for row in [COLUMNS, *rows]:
        sheet.append([float(cell) if re.fullmatch(r"\d+\.\d", cell) else cell or None for cell in row])
    workbook.save(files / BOOK)
    return str(sum(row[5] == "no" for row in rows))


def alternative_capitals_and_more_columns(agent: Agent, files: Path) -> str:
    """Kinds and answers with capitals, and a column with remarks."""
    rows = _real_changes(agent)
    _write_changes(agent, rows)
    with open_edited(files / BOOK) as workbook:
        sheet = workbook["Changes"]
        for row in sheet.iter_rows(min_row=2):
            row[2].value, row[5].value = row[2].value.capitalize(), row[5].value.capitalize()
        sheet["G1"] = "Remark"
        workbook.create_sheet("Notes")
    return f"**{sum(row[5] == 'no' for row in rows)}**"


def _change_rows(change: Callable[..., list[Row]], caught_by: str | tuple[str, ...]) -> Miss:
    """The table has the rows that `change` makes of them, as texts; with a second parameter it gets the world."""

    def edit(sheet: Any, work: Solved) -> None:
        rows = [["" if cell is None else str(cell) for cell in row[:6]] for row in sheet.values][1:]
        sheet.delete_rows(2, sheet.max_row)
        for row in apply_change(change, work, rows):
            sheet.append(row)

    return misses.InSheet(BOOK, "Changes").edit_sheet(edit, caught_by)


def _believe_mail(rows: list[Row], work: Solved) -> list[Row]:
    """All clauses that the covering mail names count as announced, also the one with another value."""
    mail = quopri.decodestring(next((work.files / "mail").glob("03_*")).read_bytes()).decode()
    work.answer = str(sum(entry["announced"] == "no" for entry in work.facts["changes"]) - 1)
    return [[*row[:5], "yes" if _describe_clause(row) in mail else "no"] for row in rows]


near_miss_annex_not_compared = _change_rows(
    lambda rows: [row for row in rows if row[0] != "Annex A"], caught_by="amounts"
)
near_miss_references_taken_for_renumbered = _change_rows(
    lambda rows: [row for row in rows if row[2] != "reference"], caught_by="references"
)
near_miss_renumbered_reference_listed = _change_rows(
    lambda rows: [*rows, ["8.2", "9.2", "reference", "8.1", "9.1", "no"]], caught_by="nothing_else"
)
near_miss_reworded_duty_listed = _change_rows(
    lambda rows: [["2.1", "2.1", "duty", "shall", "must", "no"], *rows], caught_by="nothing_else"
)
near_miss_covering_mail_believed = _change_rows(_believe_mail, caught_by=("announced", "answer"))
near_miss_old_numbers_in_both_columns = _change_rows(
    lambda rows: [[row[1], *row[1:]] for row in rows], caught_by="nothing_else"
)
near_miss_values_swapped = _change_rows(
    lambda rows: [[*row[:3], row[4], row[3], row[5]] if row[2] == "period" else row for row in rows],
    caught_by="figures",
)
near_miss_rows_by_kind = _change_rows(lambda rows: sorted(rows, key=lambda row: row[2]), caught_by="order")
near_miss_recalled_version_compared = _change_rows(
    lambda rows: [[*row[:4], "EUR 1,000" if row[2] == "amount" else "12 days", row[5]] for row in rows],
    caught_by=("amounts", "figures"),
)


@dataclass(frozen=True)
class Read:
    """A version: its clauses by number, and its rates by role."""

    clauses: Mapping[str, str]
    rates: Mapping[str, str]


def _real_changes(agent: Agent) -> list[Row]:
    """All rows of the table."""
    hit = agent.call("search_files", pattern="we are ready to sign", path="mail")["hits"][0]
    mail = read_mail_file(agent, hit["path"])
    based_on, signed = re.findall(
        r"What we are ready to sign is\s+(\S+\.docx)\..*?based on your\s+(\S+\.docx)", mail, re.DOTALL
    )[0][::-1]
    old, new = _read_terms(agent, f"contracts/{based_on}"), _read_terms(agent, f"contracts/{signed}")
    pairs = _pair_clauses(old.clauses, new.clauses)
    back = {there: here for here, there in pairs.items()}
    rows: list[Row] = []
    for number, text in new.clauses.items():
        here = back.get(number, "")
        rows += _of_pair(here, number, old.clauses[here], text, pairs) if here else [["", number, "added", "", text]]
    rows += [
        ["Annex A", "Annex A", "amount", rate, new.rates[role]]
        for role, rate in old.rates.items()
        if rate != new.rates[role]
    ]
    rows += [[here, "", "removed", text, ""] for here, text in old.clauses.items() if here not in pairs]
    return [[*row, "yes" if _is_announced(row, mail) else "no"] for row in rows]


def _read_terms(agent: Agent, path: str) -> Read:
    blocks = agent.call("read_document", path=path, limit=300)["blocks"]
    clauses = [(match[1], match[2]) for block in blocks if (match := NUMBER.fullmatch(block.get("text", "")))]
    table = next(block for block in blocks if block.get("rows"))
    return Read(dict(clauses), dict(table["rows"][1:]))


def _pair_clauses(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """The number in the new version by that in the old one: most alike first."""
    scored = sorted(
        (
            (_measure_likeness(text, other_text), here, there)
            for here, text in old.items()
            for there, other_text in new.items()
        ),
        reverse=True,
    )
    pairs: dict[str, str] = {}
    for score, here, there in scored:
        if score >= 0.5 and here not in pairs and there not in pairs.values():
            pairs[here] = there
    return pairs


def _measure_likeness(first_text: str, two: str) -> float:
    first, second = (Counter(re.findall(r"[a-z]{2,}", text.lower())) for text in (first_text, two))
    return 2 * sum((first & second).values()) / (sum(first.values()) + sum(second.values()))


def _of_pair(here: str, there: str, old: str, new: str, pairs: Mapping[str, str]) -> Iterator[Row]:
    for kind, pattern in VALUES.items():
        before, after = pattern.findall(old), pattern.findall(new)
        gone = Counter(map(_normalize_meaning, before)) - Counter(map(_normalize_meaning, after))
        come = Counter(map(_normalize_meaning, after)) - Counter(map(_normalize_meaning, before))
        for removed_value, two in zip(gone, come, strict=True):
            value_texts = [
                next(text for text in side_values if _normalize_meaning(text) == what)
                for side_values, what in ((before, removed_value), (after, two))
            ]
            yield [here, there, kind, *value_texts]
    for removed_value, two in zip(REFERENCE.findall(old), REFERENCE.findall(new), strict=True):
        if pairs.get(removed_value) != two:
            yield [here, there, "reference", removed_value, two]


def _normalize_meaning(value: str) -> str:
    """The same for values that mean the same."""
    if value in ("shall", "must", "will"):
        return "shall"
    if match := re.fullmatch(r"([A-Z][a-z]+) (\d+), (20\d\d)", value):
        return f"{match[2]} {match[1]} {match[3]}"
    return re.sub(r"\.00$", "", value).replace(" %", "%")


def _describe_clause(row: Row) -> str:
    return "Annex A:" if row[1] == "Annex A" else f"Clause {row[1]} "


def _is_announced(row: Row, mail: str) -> bool:
    if row[2] == "added":
        return f"Clause {row[1]} is new" in mail
    return any(
        f": {row[4]} instead of {row[3]}." in line for line in mail.splitlines() if f"- {_describe_clause(row)}" in line
    )


def _write_changes(agent: Agent, rows: list[Row]) -> None:
    cells = [COLUMNS, *[[cell or None for cell in row] for row in rows]]
    agent.call("write_cells", path=BOOK, sheet="Changes", rows=cells, dates=False)
    agent.call("format_cells", path=BOOK, sheet="Changes", range="A1:F1", bold=True, fill_color="D9E1F2")
    agent.call("format_cells", path=BOOK, sheet="Changes", range=f"A2:F{len(cells)}", wrap=True, vertical="top")
    widths = {"A:B": 11, "C": 12, "D:E": 40, "F": 12}
    agent.call("set_sheet_layout", path=BOOK, sheet="Changes", column_widths=widths, freeze_at="A2")
    agent.call("set_print", path=BOOK, sheet="Changes", title_rows="1:1", fit_wide=1)
