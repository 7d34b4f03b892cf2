"""The answers that count, live tables over them, and two charts that leave the tables in sight."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import ne
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import find_last_line, mentions_name, simplify_text
from yardkit.evaluators.readers.office.workbooks import Chart, Grid, read_book
from yardkit.evaluators.readers.pages.pdf import Box, Page
from yardkit.evaluators.readers.pages.rendered import draw_printed, find_cut_cells, is_legible, render_pages
from yardkit.evaluators.readers.tables import Rows, Sheet, find_records, is_near, read_sheets, recompute_sheets, to_date
from yardkit.evaluators.submission import Submission

BOOK = "survey_results.xlsx"
CLEAN = ["Respondent", "Date", "Channel", "Site", "Department", "Satisfaction", "Recommend"]
TITLE = "Staff survey February 2026"
FIRST_HEAD = ["Site", "1", "2", "3", "4", "5", "Answers", "Mean"]
SECOND_HEAD = ["Department", "Answers", "Promoters", "Detractors", "NPS"]
CHARTS = ("Satisfaction by site", "NPS by department")
LEVELS = ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied")
SCALE = 2.0
MEAN_OFF, SCORE_OFF = 0.0051, 0.051
"""How far a mean or a score may be off: rounded to two decimals, or one."""
Reply = Sequence[Any]
Replies = Mapping[str, Reply]
Figures = dict[str, list[float]]


def _find_sheet(sheets: Mapping[str, Sheet], name: str) -> Sheet:
    if name not in sheets:
        raise InvalidArtifact(f"{BOOK} has no sheet {name!r}, only {', '.join(sheets)}")
    return sheets[name]


def _read_clean_rows(submission: Submission) -> list[dict[str, Any]]:
    return find_records(_find_sheet(read_sheets(submission, BOOK), "Clean").values, CLEAN, "Clean")


def _each_once(submission: Submission, facts: Facts) -> Finding:
    sheet = _find_sheet(read_sheets(submission, BOOK), "Clean")
    head = [str(cell).strip() for cell in sheet.values[0]] if sheet.values else []
    respondents = [str(row["Respondent"]).strip() for row in _read_clean_rows(submission)]
    expected_respondents = sorted(facts["replies"])
    unexpected = sorted(set(respondents) ^ set(expected_respondents)) or [
        name for name, other in zip(respondents, expected_respondents, strict=False) if name != other
    ]
    evidence = (
        f"header {head}; {len(respondents)} rows for {len(expected_respondents)} respondents; wrong or out of order:"
        f" {unexpected[:8]}"
    )
    return make_finding(respondents == expected_respondents and head == CLEAN, evidence)


def _check_columns(submission: Submission, facts: Facts, columns: Sequence[int]) -> Finding:
    rows = {str(row["Respondent"]).strip(): list(row.values())[1:] for row in _read_clean_rows(submission)}
    wrong = [
        f"{code}: {CLEAN[column + 1]} is {rows[code][column] if code in rows else None!r}, not"
        f" {expected_reply[column]!r}"
        for code, expected_reply in facts["replies"].items()
        for column in columns
        if code not in rows or not _is_same_value(rows[code][column], expected_reply[column])
    ]
    return make_finding(not wrong, f"{len(wrong)} other values: {'; '.join(wrong[:6])}" if wrong else "they are right")


def _is_same_value(cell: Any, expected_value: Any) -> bool:
    if expected_value is None:
        return cell is None or not str(cell).strip()
    if isinstance(expected_value, int):
        return isinstance(cell, int | float) and is_near(cell, expected_value)
    day = to_date(cell)
    return str(cell).strip() == expected_value or (day is not None and day.isoformat() == expected_value)


def _check_people(submission: Submission, facts: Facts) -> Finding:
    return _check_columns(submission, facts, (0, 1, 2, 3))


def _check_marks(submission: Submission, facts: Facts) -> Finding:
    return _check_columns(submission, facts, (4, 5))


def _check_dates(submission: Submission, _facts: Facts) -> Finding:
    wrong = [str(row["Respondent"]) for row in _read_clean_rows(submission) if not hasattr(row["Date"], "year")]
    return make_finding(
        not wrong, f"{len(wrong)} dates are invalid: {', '.join(wrong[:6])}" if wrong else "dates are dates"
    )


def _tally_replies(replies: Replies, facts: Facts) -> tuple[Figures, Figures]:
    """The rows of both tables by their label."""
    levels_by_site = {
        site: _count_levels([reply for reply in replies.values() if reply[2] == site]) for site in facts["sites"]
    }
    two = {
        name: _compute_score([reply for reply in replies.values() if reply[3] == name]) for name in facts["departments"]
    }
    every = list(replies.values())
    return levels_by_site | {"All": _count_levels(every)}, two | {"All": _compute_score(every)}


def _count_levels(replies: Sequence[Reply]) -> list[float]:
    given = [reply[4] for reply in replies if reply[4] is not None]
    return [*(float(given.count(level)) for level in range(1, 6)), float(len(given)), sum(given) / len(given)]


def _compute_score(replies: Sequence[Reply]) -> list[float]:
    given = [reply[5] for reply in replies if reply[5] is not None]
    likely, unlikely = sum(score >= 9 for score in given), sum(score <= 6 for score in given)
    return [float(len(given)), float(likely), float(unlikely), (likely - unlikely) / len(given) * 100]


def _laid_out(submission: Submission, facts: Facts) -> Finding:
    sheet = _find_sheet(read_sheets(submission, BOOK), "Summary")
    sheet_rows = [[_to_text(cell) for cell in row] for row in sheet.values]
    sheet_rows += [[]] * max(0, 20 - len(sheet_rows))
    title, first, second = _cut_row(sheet_rows[0], 1), _cut_row(sheet_rows[2], 8), _cut_row(sheet_rows[11], 5)
    labels = [_cut_row(row, 1)[0] for row in (*sheet_rows[3:9], *sheet_rows[12:19])]
    expected_labels = [*facts["sites"], "All", *facts["departments"], "All"]
    typed = all(isinstance(cell, int | float) for cell in sheet.values[2][1:6]) if len(sheet.values) > 2 else False
    good = (
        title == [TITLE]
        and first == FIRST_HEAD
        and second == SECOND_HEAD
        and labels == expected_labels
        and sheet.visible
    )
    evidence = f"A1 {title}; row 3 {first}, levels as numbers {typed}; row 12 {second}; labels {labels}"
    return make_finding(good and typed, f"{evidence}; shown {sheet.visible}")


def _to_text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value).strip()


def _cut_row(row: Sequence[str], count: int) -> list[str]:
    return [*row, *[""] * count][:count]


def _list_wrong(rows: Rows, first: int, expected: Figures) -> list[str]:
    wrong = []
    for number, (label, values) in enumerate(expected.items(), first):
        cells = [*rows[number][1:], *[None] * len(values)] if number < len(rows) else [None] * len(values)
        close = MEAN_OFF if len(values) == 7 else SCORE_OFF
        if not all(is_near(cell, value, close) for cell, value in zip(cells, values, strict=False)):
            wrong.append(f"{label}: {cells[: len(values)]}, not {[round(value, 2) for value in values]}")
    return wrong


def _check_first_table(submission: Submission, facts: Facts) -> Finding:
    wrong = _list_wrong(
        _find_sheet(read_sheets(submission, BOOK), "Summary").values, 3, _tally_replies(facts["replies"], facts)[0]
    )
    return make_finding(not wrong, "; ".join(wrong[:4]) or "they are right")


def _check_second_table(submission: Submission, facts: Facts) -> Finding:
    wrong = _list_wrong(
        _find_sheet(read_sheets(submission, BOOK), "Summary").values, 12, _tally_replies(facts["replies"], facts)[1]
    )
    return make_finding(not wrong, "; ".join(wrong[:4]) or "they are right")


def _check_live_formulas(submission: Submission, facts: Facts) -> Finding:
    """Correct some answers, sites and departments, so that every figure changes, and look at all figures."""
    codes = [str(row[0]).strip() if row else "" for row in _find_sheet(read_sheets(submission, BOOK), "Clean").values]
    before = _list_figures(facts["replies"], facts)
    tried = (_correct_cells(codes, step, turn, facts) for step in range(3, 16) for turn in range(4))
    telling = (pair for pair in tried if all(map(ne, before, _list_figures(pair[1], facts))))
    changes, corrected = next(telling, _correct_cells(codes, 3, 0, facts))
    first, second = _tally_replies(corrected, facts)
    rows = _find_sheet(recompute_sheets(submission, BOOK, changes), "Summary").values
    wrong = [*_list_wrong(rows, 3, first), *_list_wrong(rows, 12, second)]
    return make_finding(
        bool(changes) and not wrong, f"after {len(changes)} corrections: {'; '.join(wrong[:3]) or 'all follow'}"
    )


def _correct_cells(
    codes: Sequence[str], step: int, turn: int, facts: Facts
) -> tuple[dict[tuple[str, int, int], float | str], Replies]:
    """The cells of each `step`-th row of Clean that are corrected, the columns taking turns from `turn` on, and the
    replies as they are then.
    """
    corrected = {code: list(reply) for code, reply in facts["replies"].items()}
    changes: dict[tuple[str, int, int], float | str] = {}
    for number, code in enumerate(codes):
        if code in corrected and number % step == 0:
            column = (2, 3, 4, 5)[(number // step + turn) % 4]
            corrected[code][column] = _change_value(corrected[code][column], column, facts)
            changes["Clean", number, column + 1] = corrected[code][column]
    return changes, corrected


def _list_figures(replies: Replies, facts: Facts) -> list[float]:
    return [value for table in _tally_replies(replies, facts) for row in table.values() for value in row]


def _change_value(value: Any, column: int, facts: Facts) -> Any:
    if column in (2, 3):
        names = facts["sites" if column == 2 else "departments"]
        return names[(names.index(value) + 1) % len(names)]
    best, worst = (5, 1) if column == 4 else (10, 2)
    return worst if value == best else best


def _find_grid(submission: Submission) -> Grid:
    sheets = read_book(submission, BOOK).sheets
    if "Summary" not in sheets:
        raise InvalidArtifact(f"{BOOK} has no sheet 'Summary', only {', '.join(sheets)}")
    return sheets["Summary"]


def _find_chart(submission: Submission, title: str) -> Chart | None:
    matching_charts = [
        chart for chart in _find_grid(submission).charts if simplify_text(chart.title) == simplify_text(title)
    ]
    return matching_charts[0] if len(matching_charts) == 1 else None


def _refers_to_ranges(chart: Chart, values: Sequence[str], categories: str) -> bool:
    """Whether the series are just these ranges, over these categories."""
    series_ranges = [_normalize_reference(series.values_at) for series in chart.series]
    return series_ranges == [f"SUMMARY!{value}" for value in values] and {
        _normalize_reference(series.categories_at) for series in chart.series
    } == {f"SUMMARY!{categories}"}


def _normalize_reference(reference: str) -> str:
    return re.sub(r"[$'\s]", "", reference).upper()


def _check_stacked(submission: Submission, _facts: Facts) -> Finding:
    chart = _find_chart(submission, CHARTS[0])
    if chart is None:
        return make_finding(holds=False, evidence=f"no chart, or several, with the title {CHARTS[0]!r}")
    levels = [f"{letter}4:{letter}8" for letter in "BCDEF"]
    right = any(_refers_to_ranges(chart, order, "A4:A8") for order in (levels, levels[::-1])) and _is_named(chart)
    holds = right and chart.kind == "bar" and chart.grouping == "percentStacked" and chart.legend
    return make_finding(holds, f"{chart.kind} {chart.grouping}, legend {chart.legend}: {_describe_chart(chart)}")


def _is_named(chart: Chart) -> bool:
    """Whether the legend says which series is which level: by the header, the number or the words of the codebook."""
    for series in chart.series:
        column = _normalize_reference(series.values_at).removeprefix("SUMMARY!")[:1]
        level = "BCDEF".find(column) + 1
        matches_level = (
            re.findall(r"\d+", series.name) == [str(level)] or simplify_text(series.name) == LEVELS[level - 1]
        )
        if _normalize_reference(series.name_at) != f"SUMMARY!{column}3" and not matches_level:
            return False
    return True


def _check_simple_bars(submission: Submission, _facts: Facts) -> Finding:
    chart = _find_chart(submission, CHARTS[1])
    if chart is None:
        return make_finding(holds=False, evidence=f"no chart, or several, with the title {CHARTS[1]!r}")
    holds = _refers_to_ranges(chart, ["E13:E18"], "A13:A18") and chart.kind == "bar" and "tacked" not in chart.grouping
    return make_finding(holds, f"{chart.kind} {chart.grouping}: {_describe_chart(chart)}")


def _describe_chart(chart: Chart) -> str:
    return "; ".join(
        f"{series.name or series.name_at or 'nameless'}: {series.values_at} over {series.categories_at}"
        for series in chart.series
    )


def _find_page(submission: Submission) -> Page:
    """The page with the title of the summary."""
    pages = [page for page in render_pages(submission, BOOK).pages if simplify_text(TITLE) in simplify_text(page.text)]
    if not pages:
        raise InvalidArtifact(f"no printed page of {BOOK} says {TITLE!r}")
    return pages[0]


def _check_single_page(submission: Submission, facts: Facts) -> Finding:
    page, grid = _find_page(submission), _find_grid(submission)
    text = simplify_text(page.text)
    missing_texts = [chart for chart in (*CHARTS, facts["sites"][-1], "Detractors") if simplify_text(chart) not in text]
    printed = render_pages(submission, BOOK)
    cut = find_cut_cells(replace(printed, pages=(page,)))  # How wide the columns of Clean are is free.
    a4 = abs(page.width - 841.9) < 3 and abs(page.height - 595.3) < 3
    holds = not missing_texts and not cut and a4 and len(grid.charts) == 2
    return make_finding(
        holds, f"A4 landscape {a4}; the page lacks {missing_texts}; number signs {cut[:3]}; {len(grid.charts)} charts"
    )


def _check_uncovered(submission: Submission, facts: Facts) -> Finding:
    """Each label and each count of the tables, and the charts' titles, can be seen on the page."""
    if len(_find_grid(submission).charts) != 2:
        return make_finding(
            holds=False, evidence=f"{len(_find_grid(submission).charts)} charts on Summary instead of two"
        )
    page = _find_page(submission)
    picture = draw_printed(submission, BOOK, page.number, SCALE)
    hidden = [text for text, box in _table_words(page, facts) if box is None or not is_legible(picture, box, SCALE)]
    hidden += [title for title in CHARTS if not any(is_legible(picture, box, SCALE) for box in page.find(title))]
    crossing = _charts_cross([chart.place for chart in _find_grid(submission).charts])
    return make_finding(
        not hidden and not crossing, f"not to be seen: {hidden[:10]}; charts over each other: {crossing}"
    )


def _table_words(page: Page, facts: Facts) -> list[tuple[str, Box | None]]:
    """The labels and counts of both tables with their boxes, None where one is not printed."""
    table_words: list[tuple[str, Box | None]] = []
    top = min((word.box[1] for word in page.words if word.text == "Site"), default=0.0)
    for rows, counts in zip(_tally_replies(facts["replies"], facts), (6, 3), strict=True):
        for label, values in rows.items():
            boxes = [box for box in page.find(label) if box[1] > top]
            box = min(boxes, key=lambda corner: (round(corner[0]), corner[1]), default=None)
            table_words.append((label, box))
            if box is None:
                continue
            top = box[1] if label == "All" else top
            line = [word for word in page.words if abs(word.box[3] - box[3]) < 4 and word.box[0] > box[0]]
            for value in values[:counts]:
                text = f"{value:.0f}"
                table_words.append(
                    (f"{label} {text}", next((w.box for w in line if w.text.replace(",", "") == text), None))
                )
    return table_words


def _charts_cross(places: Sequence[str]) -> bool:
    """Whether two charts lie over each other by more than the cells at their edges."""
    from openpyxl.utils.cell import range_boundaries

    if not all(":" in place for place in places):
        return False
    (a, b, c, d), (e, f, g, h) = (range_boundaries(place) for place in places)
    return bool(min(c, g) - max(a, e) > 0 and min(d, h) - max(b, f) > 0)


def _check_answer(submission: Submission, facts: Facts) -> Finding:
    named = [name for name in facts["departments"] if mentions_name(submission.answer, name)]
    last_line = find_last_line(submission.answer)[:80]
    return make_finding(named == [facts["lowest"]], f"{last_line!r}, expected {facts['lowest']}")


DATA = (f"cells:{BOOK}#Clean!*", f"rows:{BOOK}#Clean", f"sheet:{BOOK}#Clean")
DAYS = (f"formats:{BOOK}#Clean!*", f"looks:{BOOK}#Clean")
TABLES = (f"cells:{BOOK}#Summary!*", f"rows:{BOOK}#Summary", f"sheet:{BOOK}#Summary")
LOOKS = (f"charts:{BOOK}#Summary",)

CHECKS = make_group(
    "survey_charts",
    "The survey is cleaned, added up and shown",
    make_group(
        "clean",
        "Clean holds the answers that count",
        make_checkpoint(
            "each_once", "Each respondent who counts has one row, in order", _each_once, covers=DATA, weight=2
        ),
        make_checkpoint("people", "Day, channel, site and department are right", _check_people, covers=DATA, weight=2),
        make_checkpoint("marks", "Satisfaction and recommendation are right", _check_marks, covers=DATA, weight=2),
        make_checkpoint("dates", "Dates are dates", _check_dates, covers=(*DATA, *DAYS), kind="format"),
        weight=4,
    ),
    make_group(
        "tables",
        "Summary adds them up",
        make_checkpoint(
            "laid_out",
            "Both tables are where they were requested",
            _laid_out,
            covers=(*TABLES, f"visibility:{BOOK}#Summary"),
            kind="format",
        ),
        make_checkpoint("one", "The figures by site are right", _check_first_table, covers=TABLES, weight=2),
        make_checkpoint("two", "The figures by department are right", _check_second_table, covers=TABLES, weight=2),
        make_checkpoint(
            "live",
            "All figures follow a correction",
            _check_live_formulas,
            covers=(*TABLES, *DATA, f"formulas:{BOOK}"),
            weight=2,
        ),
        weight=4,
    ),
    make_group(
        "charts",
        "Two charts show them",
        make_checkpoint("stacked", "Satisfaction by site is stacked to 100 %", _check_stacked, covers=LOOKS, weight=2),
        make_checkpoint("bars", "NPS by department has a bar for each", _check_simple_bars, covers=LOOKS, weight=2),
        make_checkpoint(
            "on_one_page", "Tables and charts print on one page", _check_single_page, covers=LOOKS, weight=1.5
        ),
        make_checkpoint(
            "uncovered", "The charts cover no table and not each other", _check_uncovered, covers=LOOKS, weight=2
        ),
        leaves.check_looked_at("The agent looked at the page", BOOK),
        weight=4,
    ),
    make_checkpoint("answer", "The answer names the department with the lowest NPS", _check_answer, covers=("answer",)),
    leaves.nothing_else(BOOK),
)
