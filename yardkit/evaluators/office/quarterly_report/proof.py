"""Solutions and near misses of office/quarterly_report."""

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved

FILE = "reports/quarterly_report_q1_2026.docx"
CHART = "reports/chart.png"
TEMPLATE = "templates/house_template.docx"
BOOKS = {"Americas": ("Orders",), "Nordics": ("January 2026", "February 2026", "March 2026")}
REGIONS = ["Region", "Orders", "Revenue (EUR)", "Share (%)"]
CUSTOMERS = ["Rank", "Customer no.", "Customer", "Revenue (EUR)", "Note"]
WIDTHS_CM = [1.2, 2.3, 3.2, 2.7, 7.1]
ALT = "Bar chart of the revenue in euros of North, South, Americas and Nordics"
COLOR = "#C8553D"
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def solve(agent: Agent) -> str:
    """Count, draw, write, look."""
    figures = _compute_figures(agent)
    _draw_chart(agent, figures)
    agent.call("create_document", path=FILE, template=TEMPLATE, title="Quarterly report Q1 2026")
    agent.call("edit_blocks", path=FILE, edits=[{"op": "insert", "blocks": _build_blocks(agent, figures)}])
    _let_rows_go(agent)
    agent.call("delete_path", path=CHART)
    agent.call("render_pages", path=FILE, pages="1-2", dpi=60)
    return f"The report is written.\n\n{figures.total:.2f}"


def alternative_a_copy_of_the_template_filled(agent: Agent, _files: Path) -> str:
    """The template is copied, its samples replaced, the chart drawn otherwise, shares with a percent sign."""
    figures = _compute_figures(agent)
    bars = [
        {
            "values": [round(region / 1000) for region in figures.regions.values()],
            "color": COLOR,
            "name": "EUR thousand",
        }
    ]
    agent.call(
        "plot_series", kind="bar", target=CHART, x=list(figures.regions), series=bars, y_range=[0, None],
        width_in=9, height_in=4, value_labels=True, grid=False,
    )  # fmt: skip
    agent.call("copy_path", source=TEMPLATE, target=FILE)
    blocks = agent.call("read_document", path=FILE)["blocks"]
    title = {"kind": "paragraph", "style": "Title", "text": "Quarterly report Q1 2026"}
    new = [title, *_build_blocks(agent, figures, percent="%")]
    edit = {"op": "replace", "anchor": blocks[0]["anchor"], "to": blocks[-1]["anchor"], "blocks": new}
    agent.call("edit_blocks", path=FILE, edits=[edit])
    _let_rows_go(agent)
    agent.call("delete_path", path=CHART)
    agent.call("render_contact_sheet", path=FILE)
    return f"Revenue: **€ {figures.total:,.2f}**"


def alternative_saved_by_another_program(agent: Agent, files: Path) -> str:
    """Saved again by python-docx, with rows that are kept whole by their paragraphs too."""
    answer = str(solve(agent))
    with open_edited(files / FILE) as read:
        for row in read.tables[1].rows:
            for cell in row.cells:
                cell.paragraphs[0].paragraph_format.keep_together = True
    agent.call("render_pages", path=FILE, pages="all", dpi=50)
    return answer


@misses.make_edit_decorator(FILE, caught_by=("regions", "sentence"))
def near_miss_lines_exported_twice_counted(read: Any) -> None:
    row = read.tables[0].rows[2]
    _set_cell_text(row.cells[1], str(int(row.cells[1].text) + 13))
    _set_cell_text(row.cells[2], f"{float(row.cells[2].text.replace(',', '')) * 1.02:,.2f}")
    sentence = next(paragraph for paragraph in read.paragraphs if paragraph.text.startswith("Revenue in the"))
    sentence.runs[0].text = re.sub(r"[\d,]+\.\d\d", "9,999,999.99", sentence.text)
    for run in sentence.runs[1:]:
        run.text = ""


near_miss_next_best_customer = misses.edit_file(
    FILE, lambda read, work: _set_cell_text(read.tables[1].rows[10].cells[1], work.facts["next"]), "customers"
)


@misses.make_edit_decorator(FILE, caught_by="notes")
def near_miss_notes_cut_short(read: Any) -> None:
    for row in read.tables[1].rows[1:]:
        _set_cell_text(row.cells[4], row.cells[4].text[:100] + " ...")


@misses.make_edit_decorator(FILE, caught_by="chart")
def near_miss_chart_with_a_cut_axis(read: Any, work: Solved) -> None:
    values = [revenue for _, revenue, _ in work.facts["regions"].values()]
    _redraw_chart(read, values=values, bottom=min(values) * 0.8)


@misses.make_edit_decorator(FILE, caught_by="chart")
def near_miss_chart_of_equal_bars(read: Any) -> None:
    _redraw_chart(read, values=[4, 3, 2, 1], bottom=0)


@misses.make_edit_decorator(FILE, caught_by="rows_hold")
def near_miss_rows_that_may_break(read: Any) -> None:
    for name in ("cantSplit", "tblHeader"):
        for element in list(read.tables[1]._tbl.iter(f"{W}{name}")):
            element.getparent().remove(element)


near_miss_amounts_broken = misses.edit_file(
    FILE, lambda read: _set_widths(read.tables[1], [12, 23, 46, 13, 71]), "legible"
)


@misses.make_edit_decorator(FILE, caught_by="well_filled")
def near_miss_table_on_the_next_page(read: Any) -> None:
    """The heading of the customers stands alone at the end of a page."""
    read.tables[1].rows[0].cells[0].paragraphs[0].paragraph_format.page_break_before = True
    heading = next(paragraph for paragraph in read.paragraphs if paragraph.text == "Top 10 customers")
    heading.paragraph_format.keep_with_next = False


near_miss_tables_without_the_house_style = misses.set_attributes(
    FILE, lambda read: list(read.tables), "template", style=None
)


@misses.make_edit_decorator(FILE, caught_by="template")
def near_miss_old_template(read: Any, work: Solved) -> None:
    import docx

    old = docx.Document(str(work.files / "templates/house_template_2019.docx"))
    read.styles["Heading 1"].font.color.rgb = old.styles["Heading 1"].font.color.rgb


near_miss_never_looked = misses.never_looked()


def _set_cell_text(cell: Any, text: str) -> None:
    first, *others = cell.paragraphs[0].runs
    first.text = text
    for run in others:
        run.text = ""


def _set_widths(table: Any, widths_mm: list[int]) -> None:
    from docx.shared import Mm

    for column, width in zip(table._tbl.tblGrid.gridCol_lst, widths_mm, strict=True):
        column.w = Mm(width)
    for row in table._tbl.tr_lst:
        for cell, width in zip(row.tc_lst, widths_mm, strict=True):
            cell.width = Mm(width)


def _redraw_chart(read: Any, values: list[float], bottom: float) -> None:
    """Another chart in place of the picture in the report."""
    from matplotlib.figure import Figure

    axes = (figure := Figure(figsize=(6.5, 2.8), dpi=150)).subplots()
    axes.bar(["North", "South", "Americas", "Nordics"], values, color=COLOR)
    axes.set_ylim(bottom)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    part = next(candidate for candidate in read.part.package.iter_parts() if candidate.partname.endswith(".png"))
    part._blob = buffer.getvalue()


@dataclass(frozen=True)
class _Figures:
    """What the exports come to: valid orders and euros of each region, euros of each customer."""

    orders: dict[str, int]
    regions: dict[str, float]
    customers: list[tuple[str, float]]
    before: float

    @property
    def total(self) -> float:
        return round(sum(self.regions.values()), 2)


def _compute_figures(agent: Agent) -> _Figures:
    rates = {row["Currency"]: row["Q1 2026"] for row in _read_records(agent, "finance/rates.xlsx", "Rates")}
    orders, regions, customers = {}, {}, Counter[str]()
    for region, rows in _read_exports(agent).items():
        valid = {row["Order no."]: row for row in rows if row["Status"] == "invoiced" and _in_quarter(row["Date"])}
        euros = [
            (row["Customer no."], _parse_number(row["Amount"]) / rates.get(row["Currency"], 1))
            for row in valid.values()
        ]
        orders[region], regions[region] = len(valid), sum(value for _, value in euros)
        for customer, value in euros:
            customers[customer] += value
    ranked = [(name, float(value)) for name, value in customers.most_common(10)]
    return _Figures(orders, regions, ranked, _find_previous_year(agent))


def _read_exports(agent: Agent) -> dict[str, list[Mapping[str, Any]]]:
    """The latest export of each region, row by row."""
    rows_by_region: dict[str, list[Mapping[str, Any]]] = {
        "North": list(csv.DictReader(io.StringIO(_read_text(agent, "exports/north_2026-04-02.csv")))),
        "South": list(csv.DictReader(io.StringIO(_read_text(agent, "exports/south_2026-04-02.csv")), delimiter=";")),
    }
    for region, sheets in BOOKS.items():
        path = f"exports/{region.lower()}_2026-04-02.xlsx"
        top = {"range": "A3:G900"} if region == "Americas" else {}
        rows_by_region[region] = [row for sheet in sheets for row in _read_records(agent, path, sheet, **top)]
    return rows_by_region


def _in_quarter(day: str) -> bool:
    year, month = (day[6:10], day[3:5]) if day[2] == "." else (day[:4], day[5:7])
    return year == "2026" and month in ("01", "02", "03")


def _parse_number(value: Any) -> float:
    """1,234.50, 1.234,50, 1 234,50 or a number."""
    if not isinstance(value, str):
        return float(value)
    return int(re.sub(r"\D", "", value)) / 100


def _find_previous_year(agent: Agent) -> float:
    """The last figure that the mails give for the year before."""
    mail = _read_text(agent, "mails/restatement_corrected.eml").replace("=\n", "").replace("\r", "")
    return float(re.findall(r"is ([\d,]+\.\d\d) euros", mail.replace("\n", " "))[0].replace(",", ""))


def _read_text(agent: Agent, path: str) -> str:
    text, offset = "", 0
    while True:
        part = agent.call("read_file", path=path, offset=offset)
        content = str(part["content"])
        text += content if content.endswith("\n") else f"{content}\n"
        offset = int(part.get("next_offset") or 0)
        if not offset:
            return text


def _read_records(agent: Agent, path: str, sheet: str, **where: Any) -> list[Mapping[str, Any]]:
    records: list[Mapping[str, Any]] = []
    offset: int | None = 0
    while offset is not None:
        page = agent.call("read_records", path=path, sheet=sheet, offset=offset, limit=1000, **where)
        records += page["records"]
        offset = page.get("next_offset")
    return records


def _draw_chart(agent: Agent, figures: _Figures) -> None:
    bars = [{"values": [round(region, 2) for region in figures.regions.values()], "color": COLOR}]
    agent.call(
        "plot_series", kind="bar", target=CHART, x=list(figures.regions), series=bars, y_range=[0, None],
        y_label="Revenue in euros", width_in=6.5, height_in=2.8, dpi=200,
    )  # fmt: skip


def _build_blocks(agent: Agent, figures: _Figures, percent: str = "") -> list[dict[str, Any]]:
    """The report below its title."""
    change = (figures.total / figures.before - 1) * 100
    sentence = (
        f"Revenue in the first quarter of 2026 was {figures.total:,.2f} euros, {abs(change):.1f} percent "
        f"{'more' if change > 0 else 'less'} than in the first quarter of 2025."
    )
    rows = [
        [name, f"{figures.orders[name]:,}", f"{value:,.2f}", f"{value / figures.total * 100:.1f}{percent}"]
        for name, value in figures.regions.items()
    ]
    rows.append(["Total", f"{sum(figures.orders.values()):,}", f"{figures.total:,.2f}", f"100.0{percent}"])
    return [
        {"kind": "heading", "level": 1, "text": "Summary"},
        {"text": f"{sentence} All amounts are in euros."},
        {"kind": "heading", "level": 1, "text": "Revenue by region"},
        {"kind": "table", "style": "House Table", "rows": [REGIONS, *rows]},
        {"text": ""},
        {"kind": "image", "image": CHART, "alt": ALT, "widths_cm": [14]},
        {"kind": "caption", "text": "Revenue by region, first quarter of 2026"},
        {"kind": "heading", "level": 1, "text": "Top 10 customers"},
        {
            "kind": "table",
            "style": "House Table",
            "rows": [CUSTOMERS, *_rank_customers(agent, figures)],
            "widths_cm": WIDTHS_CM,
        },
    ]


def _rank_customers(agent: Agent, figures: _Figures) -> list[list[str]]:
    accounts = {row["Customer no."]: row for row in _read_records(agent, "finance/accounts.xlsx", "Accounts")}
    return [
        [str(rank), number, accounts[number]["Customer"], f"{value:,.2f}", accounts[number]["Note"]]
        for rank, (number, value) in enumerate(figures.customers, 1)
    ]


def _let_rows_go(agent: Agent) -> None:
    """Short tables are kept on one page; the customers' is too long for that."""
    blocks = agent.call("read_document", path=FILE, format="details")["blocks"]
    tables = [block for block in blocks if block["kind"] == "table"]
    cells = [anchor for cell in tables[1]["cells"] for anchor in cell["anchors"]][2 * len(CUSTOMERS) :]
    agent.call("format_document", path=FILE, edits=[{"anchors": cells, "look": {"keep_next": False}}])
