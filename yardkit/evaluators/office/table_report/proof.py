"""Solutions and near misses of office/table_report."""

import copy
import csv
import io
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.readers.engines.libreoffice import convert_files

FILE = "reports/asset_report_2026.docx"
CORRECTIONS = "corrections/corrections_2026.csv"
WIDTHS_CM = [1.0, 1.8, 4.6, 1.8, 2.8, 2.1, 2.6, 2.6, 5.4]
ASSET, DESCRIPTION, SITE, COST, BOOK = 1, 2, 3, 6, 7


def solve(agent: Agent) -> str:
    """Figures first, then sections, then the look of the table, then a look at it."""
    total = _correct_table(agent)
    _split_sections(agent)
    _widen_edges(agent)
    _lay_out(agent, WIDTHS_CM)
    agent.call("render_pages", path=FILE, pages="1-6", dpi=60)
    return f"The report is ready.\n\n{_format_cents(total)}"


def alternative_table_made_anew(agent: Agent, _files: Path) -> str:
    """The table is replaced by a new one, of another style, and the pages are set before its rows."""
    _split_sections(agent)
    head, *rows = _find_table(agent)["rows"]
    rows, totals = _correct_rows(agent, head, rows)
    anchor = _find_table(agent)["anchor"]
    new = {"kind": "table", "rows": [head, *rows], "widths_cm": WIDTHS_CM}
    agent.call("edit_blocks", path=FILE, edits=[{"op": "replace", "anchor": anchor, "blocks": [new]}])
    cells = [block_anchor for row in _find_table(agent, "details")["cells"] for block_anchor in row["anchors"]]
    agent.call("format_document", path=FILE, edits=[{"anchors": cells, "look": {"size_pt": 9}}])
    _align_amounts(agent, len(rows))
    _lay_out(agent, WIDTHS_CM)
    _write_sentence(agent, totals)
    agent.call("convert_to_pdf", path=FILE, target="look.pdf")
    agent.call("render_contact_sheet", path="look.pdf")
    agent.call("delete_path", path="look.pdf")
    return f"The total book value is\n**€{_format_cents(totals.book)}**"


def alternative_saved_by_another_program(agent: Agent, files: Path) -> str:
    """Wider remarks, and the file saved again by python-docx."""
    total = _correct_table(agent)
    _split_sections(agent)
    _lay_out(agent, [0.9, 1.8, 4.2, 1.9, 2.8, 2.0, 2.6, 2.6, 5.8])
    with open_edited(files / FILE):
        pass
    agent.call("render_pages", path=FILE, pages="last", dpi=60)
    agent.call("render_pages", path=FILE, pages="2-4", dpi=80)
    return _format_cents(total)


def alternative_hyphens_that_keep_numbers_whole(agent: Agent, files: Path) -> str:
    """Asset and serial numbers have hyphens at which no line is broken."""
    answer = solve(agent)
    with open_edited(files / FILE) as read:
        for row in read.tables[1]._tbl.tr_lst[1:]:
            for column in (ASSET, 4):
                for text in list(row.tc_lst[column].iter(f"{W}t")):
                    _keep_unbroken(text)
    agent.call("render_pages", path=FILE, pages="2", dpi=60)
    return answer


def alternative_saved_by_libreoffice(agent: Agent, files: Path) -> str:
    """The report was opened in LibreOffice at last, and saved."""
    answer = solve(agent)
    convert_files({files / FILE: files / FILE}, "docx")
    agent.call("render_pages", path=FILE, pages="2", dpi=60)
    return answer


def _keep_unbroken(text: Any) -> None:
    from docx.oxml import OxmlElement

    first, *rest = str(text.text).split("-")
    text.text = first
    for part in reversed(rest):
        more = OxmlElement("w:t")
        more.text = part
        text.addnext(more)
        text.addnext(OxmlElement("w:noBreakHyphen"))


W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
in_report = partial(misses.make_edit_decorator, FILE)
near_miss_remarks_in_white = in_report(caught_by="complete")(lambda read: _mark_column(read, 8, "color", "FFFFFF"))
near_miss_hidden_descriptions = in_report(caught_by="complete")(lambda read: _mark_column(read, DESCRIPTION, "vanish"))
near_miss_letters_squeezed = in_report(caught_by="type")(lambda read: _mark_column(read, 8, "w", "50"))
near_miss_first_landscape_page_without_header = in_report(caught_by="same_pages")(
    lambda read: setattr(read.sections[1], "different_first_page_header_footer", True)
)
near_miss_narrow_columns = in_report(caught_by="unbroken")(
    lambda read: _set_widths(read, [10, 18, 66, 18, 28, 21, 18, 18, 50])
)
near_miss_table_over_the_margin = in_report(caught_by="inside")(
    lambda read: _set_widths(read, [10, 18, 76, 18, 28, 21, 26, 26, 64])
)
near_miss_header_row_not_repeated = in_report(caught_by="repeated")(lambda read: _drop_elements(read, "tblHeader"))
near_miss_rows_that_may_break = in_report(caught_by="whole")(lambda read: _drop_elements(read, "cantSplit"))
near_miss_everything_landscape = in_report(caught_by="landscape")(lambda read: _turn_sections(read, [True] * 3))
near_miss_last_chapters_landscape = in_report(caught_by="landscape")(
    lambda read: _turn_sections(read, [False, True, True])
)
near_miss_old_sentence = misses.text_changed(
    FILE,
    lambda text, work: work.facts["stale_sentence"] if text.startswith("The register lists") else text,
    caught_by="sentence",
)
near_miss_never_looked = misses.never_looked()
near_miss_cost_instead_of_book_value = misses.change_answer(lambda work: work.facts["total"][0])
near_miss_draft_tidied_away = misses.delete_file("reports/asset_report_2026_draft.docx", caught_by="others")


@in_report(caught_by="complete")
def near_miss_rows_of_a_fixed_height(read: Any) -> None:
    """Some rows keep the height that somebody gave them."""
    for row in read.tables[1]._tbl.tr_lst[6::6]:
        _fix_height(row, 4.6)


@in_report(caught_by="complete")
def near_miss_row_that_cuts_its_description(read: Any) -> None:
    """The remarks of some rows are whole, their descriptions are not."""
    rows = read.tables[1]._tbl.tr_lst[1:]
    _fix_height(max(rows, key=lambda row: len("".join(row.tc_lst[DESCRIPTION].itertext()))), 4.4)


@in_report(caught_by="type")
def near_miss_narrow_font(read: Any) -> None:
    """The size stays, the font is another one."""
    for run in read.tables[1]._tbl.iter(f"{W}r"):
        fonts = run.get_or_add_rPr().get_or_add_rFonts()
        for kind in ("ascii", "hAnsi"):
            fonts.set(f"{W}{kind}", "Liberation Sans Narrow")


@in_report(caught_by="landscape")
def near_miss_empty_page(read: Any) -> None:
    """A page with nothing on it comes before the chapter Findings."""
    from docx.enum.text import WD_BREAK

    chapter = next(paragraph for paragraph in read.paragraphs if paragraph.text == "Findings")
    chapter.insert_paragraph_before().add_run().add_break(WD_BREAK.PAGE)


@in_report(caught_by="same_pages")
def near_miss_pages_numbered_anew(read: Any) -> None:
    """The pages across begin with 1 again."""
    from docx.oxml import OxmlElement

    numbers = OxmlElement("w:pgNumType")
    numbers.set(f"{W}start", "1")
    read.sections[1]._sectPr.append(numbers)


@in_report(caught_by=("rows", "totals"))
def near_miss_open_correction_worked_in(read: Any, work: Solved) -> None:
    """The value of a correction that is still open."""
    rows = list(csv.DictReader(io.StringIO((work.files / CORRECTIONS).read_text("utf-8")), delimiter=";"))
    correction = next(record for record in rows if record["status"] == "open" and record["action"] == "change")
    row = next(candidate for candidate in read.tables[1].rows if candidate.cells[ASSET].text == correction["asset"])
    row.cells[BOOK].paragraphs[0].runs[0].text = correction["new value"]
    total = read.tables[1].rows[-1].cells[BOOK].paragraphs[0].runs[0]
    total.text = _format_cents(_parse_cents(total.text) + 100)


@in_report(caught_by="rows")
def near_miss_rows_not_numbered_anew(read: Any) -> None:
    """The numbers of the removed rows are missing."""
    for run in (run for row in read.tables[1].rows[60:] for run in row.cells[0].paragraphs[0].runs):
        run.text = str(int(run.text) + 1) if run.text.isdigit() else run.text


@in_report(caught_by="rows")
def near_miss_copied_header_left(read: Any) -> None:
    """One of the copied header rows is still there."""
    table = read.tables[1]._tbl
    row = copy.deepcopy(table.tr_lst[0])
    row.remove(row.trPr)
    table.tr_lst[40].addnext(row)


@in_report(caught_by="amounts")
def near_miss_amounts_on_the_left(read: Any) -> None:
    """The amounts are not aligned."""
    for row in read.tables[1].rows:
        row.cells[COST].paragraphs[0].alignment = None


@in_report(caught_by="type")
def near_miss_smaller_type(read: Any) -> None:
    """The table was made to fit with small type."""
    from docx.shared import Pt

    for element in read.tables[1]._tbl.iter(f"{W}sz"):
        element.val = Pt(7)


@in_report(caught_by="same_pages")
def near_miss_narrow_margins(read: Any) -> None:
    """The landscape pages got margins of their own."""
    read.sections[1].left_margin = read.sections[1].right_margin = 432_000


def _fix_height(row: Any, height_mm: float) -> None:
    from docx.enum.table import WD_ROW_HEIGHT_RULE
    from docx.shared import Mm

    properties = row.get_or_add_trPr()
    properties.trHeight_val, properties.trHeight_hRule = Mm(height_mm), WD_ROW_HEIGHT_RULE.EXACTLY


def _mark_column(read: Any, column: int, name: str, value: str = "") -> None:
    """Give the text of a column, its heading aside, a property."""
    from docx.oxml import OxmlElement

    for row in read.tables[1]._tbl.tr_lst[1:]:
        for run in row.tc_lst[column].iter(f"{W}r"):
            mark = OxmlElement(f"w:{name}")
            if value:
                mark.set(f"{W}val", value)
            run.get_or_add_rPr().append(mark)


def _drop_elements(read: Any, name: str) -> None:
    for element in list(read.tables[1]._tbl.iter(f"{W}{name}")):
        element.getparent().remove(element)


def _set_widths(read: Any, widths_mm: list[int]) -> None:
    from docx.shared import Mm

    table = read.tables[1]._tbl
    table.tblPr.find(f"{W}tblW").set(f"{W}w", str(round(sum(widths_mm) / 25.4 * 1440)))
    for column, width in zip(table.tblGrid.gridCol_lst, widths_mm, strict=True):
        column.w = Mm(width)
    for row in table.tr_lst:
        for cell, width in zip(row.tc_lst, widths_mm, strict=True):
            cell.width = Mm(width)


def _turn_sections(read: Any, across: list[bool]) -> None:
    for section, lies in zip(read.sections, across, strict=True):
        short, long = sorted((section.page_width, section.page_height))
        section.page_width, section.page_height = (long, short) if lies else (short, long)


@dataclass(frozen=True)
class _Totals:
    items: int
    cost: int
    book: int


def _format_cents(cents: int) -> str:
    return f"{cents / 100:,.2f}"


def _parse_cents(text: str) -> int:
    """Cents of 1,234.50, 1.234,50 or 1234.50."""
    return int(re.sub(r"\D", "", text))


def _read_blocks(agent: Agent, show: str = "text") -> list[dict[str, Any]]:
    return list(agent.call("read_document", path=FILE, format=show, limit=400)["blocks"])


def _find_table(agent: Agent, show: str = "text") -> dict[str, Any]:
    tables = [block for block in _read_blocks(agent, show) if block["kind"] == "table"]
    return next(table for table in tables if table["rows"][0][1] == "Asset")


def _read_approved(agent: Agent, head: list[str]) -> tuple[set[str], dict[tuple[str, int], str]]:
    """Assets that go, and new cells by asset and column, the later ones over the earlier."""
    text = agent.call("read_file", path=CORRECTIONS)["content"]
    rows = [record for record in csv.DictReader(io.StringIO(text), delimiter=";") if record["status"] == "approved"]
    rows.sort(key=lambda row: row["entered"])
    gone = {row["asset"] for row in rows if row["action"] == "remove"}
    cells = {(row["asset"], head.index(row["field"])): row["new value"] for row in rows if row["field"]}
    return gone, cells


def _correct_rows(agent: Agent, head: list[str], rows: list[list[str]]) -> tuple[list[list[str]], _Totals]:
    """All rows as they should be, totals among them, and the grand total."""
    gone, cells = _read_approved(agent, head)
    new_rows: list[list[str]] = []
    site, everything = [0, 0], [0, 0]
    for old in rows:
        row = [cells.get((old[ASSET], column), text) for column, text in enumerate(old)]
        if old == head or old[ASSET] in gone:
            continue
        if old[ASSET]:
            row[COST], row[BOOK] = (_format_cents(_parse_cents(row[column])) for column in (COST, BOOK))
            row[0] = str(sum(bool(line[ASSET]) for line in new_rows) + 1)
            site = [site[0] + _parse_cents(row[COST]), site[1] + _parse_cents(row[BOOK])]
        else:
            summed = everything if old[DESCRIPTION] == "Total" else site
            row[COST], row[BOOK] = map(_format_cents, summed)
            everything, site = [a + b for a, b in zip(everything, site, strict=True)], [0, 0]
        new_rows.append(row)
    return new_rows, _Totals(
        sum(bool(line[ASSET]) for line in new_rows), *map(_parse_cents, (new_rows[-1][COST], new_rows[-1][BOOK]))
    )


def _correct_table(agent: Agent) -> int:
    """Take rows out, write the cells anew; the total book value in cents."""
    table = _find_table(agent)
    head, *rows = table["rows"]
    gone, _ = _read_approved(agent, head)
    out = [number for number, row in enumerate(rows, 2) if row == head or row[ASSET] in gone]
    corrected_rows, totals = _correct_rows(agent, head, rows)
    edits: list[dict[str, Any]] = [{"op": "delete_rows", "range": f"{number}:{number}"} for number in reversed(out)]
    edits.append({"op": "set_cells", "range": f"A2:I{len(corrected_rows) + 1}", "values": corrected_rows})
    agent.call("edit_document_table", path=FILE, anchor=table["anchor"], edits=edits)
    _align_amounts(agent, len(corrected_rows))
    _write_sentence(agent, totals)
    return totals.book


def _align_amounts(agent: Agent, rows: int) -> None:
    edit = {"op": "format", "range": f"G2:H{rows + 1}", "align": "right"}
    agent.call("edit_document_table", path=FILE, anchor=_find_table(agent)["anchor"], edits=[edit])


def _write_sentence(agent: Agent, totals: _Totals) -> None:
    """Put the new figures into the sentence of the summary."""
    old = next(block["text"] for block in _read_blocks(agent) if block.get("text", "").startswith("The register lists"))
    expected_figures = iter([str(totals.items), _format_cents(totals.cost), _format_cents(totals.book)])
    new = re.sub(r"\d[\d,]*(\.\d\d)?", lambda _: next(expected_figures), old)
    agent.call("replace_document_text", path=FILE, replacements=[{"find": old, "replace": new}])


def _split_sections(agent: Agent) -> None:
    """Sections before the heading of the register and after its table; the middle one across."""
    blocks = _read_blocks(agent)
    heading = next(block for block in blocks if block.get("text") == "Asset register")
    cut = [{"kind": "section_break"}]
    edits = [
        {"op": "insert", "anchor": heading["anchor"], "position": "before", "blocks": cut},
        {"op": "insert", "anchor": _find_table(agent)["anchor"], "position": "after", "blocks": cut},
    ]
    agent.call("edit_blocks", path=FILE, edits=edits)
    agent.call("set_page_layout", path=FILE, layouts=[{"section": 2, "orientation": "landscape"}])


def _widen_edges(agent: Agent) -> None:
    """The same header and footer on the landscape pages, from margin to margin."""
    edges = agent.call("inspect_document", path=FILE, lists=["sections"])["section_list"][0]["headers"]
    header, footer = (edges[name].partition(": ")[2] for name in ("header", "footer"))
    layout = {"section": 2, "header": header, "footer": re.sub(r"\d+$", "{PAGE}", footer)}
    agent.call("set_page_layout", path=FILE, layouts=[layout])


def _lay_out(agent: Agent, widths_cm: list[float]) -> None:
    edit = {"op": "layout", "widths_cm": widths_cm, "header_rows": 1, "keep_rows": True, "row_cm": 0}
    agent.call("edit_document_table", path=FILE, anchor=_find_table(agent)["anchor"], edits=[edit])
