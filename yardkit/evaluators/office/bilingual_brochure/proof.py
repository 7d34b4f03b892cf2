"""Solutions and near misses of office/bilingual_brochure."""

import copy
import re
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf
from yardkit.evaluators.readers.engines.libreoffice import convert_files

FILE = "brochure/brochure_2026.docx"
WIDTHS_CM = {"English": [10.0, 6.6], "Property": [5.5, 4.0, 7.1]}
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def solve(agent: Agent) -> str:
    """Fill, lay out, replace, look."""
    filled = sum(_fill_table(agent, table) for table in _list_tables(agent))
    for table in _list_tables(agent):
        _lay_out(agent, table, WIDTHS_CM[table["rows"][0][0]])
    _write_texts(agent)
    agent.call("render_pages", path=FILE, pages="1-2", dpi=60)
    return f"The brochure is complete.\n\n{filled}"


def alternative_layout_first(agent: Agent, files: Path) -> str:
    """Widths before texts, other widths, the font stated in each cell, saved again by python-docx."""
    for table in _list_tables(agent):
        _lay_out(agent, table, [8.0, 8.5] if len(table["rows"][0]) == 2 else [5.0, 5.0, 6.5])
    _write_texts(agent)
    filled = sum(_fill_table(agent, table) for table in _list_tables(agent))
    with open_edited(files / FILE) as read:
        for table in read.tables:
            for run in table._tbl.iter(f"{W}r"):
                run.get_or_add_rPr().get_or_add_rFonts().set(f"{W}eastAsia", "Noto Sans CJK SC")
    agent.call("render_contact_sheet", path=FILE)
    return f"Cells filled:\n**{filled}**"


def alternative_cell_by_cell(agent: Agent, _files: Path) -> str:
    """The texts of the lines set by their anchors, each table in one call; looked at as PDF."""
    filled = 0
    for table in _list_tables(agent):
        filled += _fill_table(agent, table)
    slogan, text = _from_mail(agent)
    for hole, new in (("[中文标语]", slogan), ("[中文说明]", text)):
        block = next(record for record in _list_blocks(agent) if record.get("text") == hole)
        agent.call("edit_blocks", path=FILE, edits=[{"op": "set_text", "anchor": block["anchor"], "text": new}])
    for table in _list_tables(agent):
        _lay_out(agent, table, WIDTHS_CM[table["rows"][0][0]])
    agent.call("convert_to_pdf", path=FILE, target="look.pdf")
    agent.call("render_pages", path="look.pdf", pages="all", dpi=50)
    agent.call("delete_path", path="look.pdf")
    return str(filled)


def alternative_in_rows_of_a_least_height_saved_by_libreoffice(agent: Agent, files: Path) -> str:
    """Rows have a least height, a term stands in two runs, and LibreOffice saved the file."""
    from docx.enum.table import WD_ROW_HEIGHT_RULE
    from docx.shared import Mm

    answer = solve(agent)
    with open_edited(files / FILE) as read:
        for row in read.tables[1].rows:
            row.height, row.height_rule = Mm(6), WD_ROW_HEIGHT_RULE.AT_LEAST
            run = row.cells[1].paragraphs[0].runs[0]
            rest = copy.deepcopy(run._r)
            run._r.addnext(rest)
            run.text, row.cells[1].paragraphs[0].runs[1].text = run.text[:1], run.text[1:]
    convert_files({files / FILE: files / FILE}, "docx")
    agent.call("render_pages", path=FILE, pages="1-2")
    return answer


@misses.make_edit_decorator(FILE, caught_by="features")
def near_miss_term_of_a_near_name(read: Any) -> None:
    """A term from another row of the glossary."""
    _put_text(read.tables[0].rows[2].cells[1], "静音工作型")


@misses.make_edit_decorator(FILE, caught_by="texts")
def near_miss_slogan_of_the_first_mail(read: Any, work: Solved) -> None:
    """The agency's first slogan."""
    first = _split_mail((work.files / "mails/agency_1.txt").read_text("utf-8"))[0]
    next(paragraph for paragraph in read.paragraphs if paragraph.text == work.facts["slogan"]).runs[0].text = first


@misses.make_edit_decorator(FILE, caught_by=("two_pages", "one_line"))
def near_miss_narrow_columns(read: Any) -> None:
    """The columns of the Chinese are as narrow as they were."""
    for table, widths in zip(read.tables, ([150, 12], [60, 12, 92]), strict=True):
        _set_widths(table, widths)


@misses.make_edit_decorator(FILE, caught_by="uncut")
def near_miss_rows_of_a_fixed_height(read: Any) -> None:
    """Rows keep their height, their text does not fit."""
    from docx.enum.table import WD_ROW_HEIGHT_RULE
    from docx.shared import Mm

    for row in read.tables[1].rows[3::3]:
        row.height, row.height_rule = Mm(5.2), WD_ROW_HEIGHT_RULE.EXACTLY


@misses.make_edit_decorator(FILE, caught_by="growing")
def near_miss_rows_of_a_larger_fixed_height(read: Any) -> None:
    """Rows have room today, but do not grow."""
    from docx.enum.table import WD_ROW_HEIGHT_RULE
    from docx.shared import Mm

    for row in read.tables[0].rows:
        row.height, row.height_rule = Mm(8), WD_ROW_HEIGHT_RULE.EXACTLY


@misses.make_edit_decorator(FILE, caught_by="growing")
def near_miss_tables_over_the_margin(read: Any) -> None:
    """The tables are wider than the text."""
    for table, widths in zip(read.tables, ([100, 95], [60, 45, 90]), strict=True):
        _set_widths(table, widths)


@misses.make_edit_decorator(FILE, caught_by=("uncut", "dressed"))
def near_miss_new_text_in_white(read: Any) -> None:
    """A term cannot be seen."""
    _set_color(read.tables[1].rows[4].cells[1].paragraphs[0].runs[0], "FFFFFF")


@misses.make_edit_decorator(FILE, caught_by="dressed")
def near_miss_english_marked(read: Any) -> None:
    """The English of a row has another colour."""
    _set_color(read.tables[0].rows[3].cells[0].paragraphs[0].runs[0], "C00000")


@misses.make_edit_decorator(FILE, caught_by="dressed")
def near_miss_slogan_in_small_letters(read: Any, work: Solved) -> None:
    """The slogan is not set as the line it took the place of."""
    run = next(paragraph for paragraph in read.paragraphs if paragraph.text == work.facts["slogan"]).runs[0]
    run.font.size, run.font.bold = 120_000, False


@misses.make_edit_decorator(FILE, caught_by="dressed")
def near_miss_headers_no_longer_repeated(read: Any) -> None:
    """The second table has no header row any more."""
    for mark in list(read.tables[1]._tbl.iter(f"{W}tblHeader")):
        mark.getparent().remove(mark)


@misses.make_edit_decorator(FILE, caught_by="font")
def near_miss_font_of_the_theme(read: Any) -> None:
    """A term asks for the East Asian font of the theme."""
    run = read.tables[1].rows[4].cells[1].paragraphs[0].runs[0]._r
    run.get_or_add_rPr().get_or_add_rFonts().set(f"{W}eastAsiaTheme", "minorEastAsia")


@misses.make_edit_decorator(FILE, caught_by="type")
def near_miss_new_text_in_another_size(read: Any) -> None:
    """A term in the size of the running text."""
    from docx.shared import Pt

    read.tables[1].rows[4].cells[1].paragraphs[0].runs[0].font.size = Pt(11)


@misses.make_edit_decorator(FILE, caught_by="font")
def near_miss_other_font(read: Any, work: Solved) -> None:
    """The slogan asks for another East Asian font."""
    run = next(paragraph for paragraph in read.paragraphs if paragraph.text == work.facts["slogan"]).runs[0]._r
    run.get_or_add_rPr().get_or_add_rFonts().set(f"{W}eastAsia", "SimSun")


@misses.make_edit_decorator(FILE, caught_by="kept")
def near_miss_smaller_margins(read: Any) -> None:
    """The margins were made smaller."""
    read.sections[0].left_margin = read.sections[0].right_margin = 500_000


@caught_by_leaf("looked")
def near_miss_never_looked(work: Solved) -> None:
    """No page was looked at."""
    work.calls[:] = [call for call in work.calls if not call["media"]]


near_miss_all_cells_counted = misses.change_answer(lambda work: len(work.facts["features"]) + len(work.facts["data"]))


def _set_color(run: Any, color: str) -> None:
    from docx.shared import RGBColor

    run.font.color.rgb = RGBColor.from_string(color)


def _put_text(cell: Any, text: str) -> None:
    cell.paragraphs[0].runs[0].text = text


def _set_widths(table: Any, widths_mm: list[int]) -> None:
    from docx.shared import Mm

    for column, width in zip(table._tbl.tblGrid.gridCol_lst, widths_mm, strict=True):
        column.w = Mm(width)
    for row in table._tbl.tr_lst:
        for cell, width in zip(row.tc_lst, widths_mm, strict=True):
            cell.width = Mm(width)


def _list_blocks(agent: Agent) -> list[dict[str, Any]]:
    return list(agent.call("read_document", path=FILE)["blocks"])


def _list_tables(agent: Agent) -> list[dict[str, Any]]:
    return [block for block in _list_blocks(agent) if block["kind"] == "table"]


def _read_terms(agent: Agent) -> dict[str, str]:
    """The approved terms of the domain that the prompt names."""
    domain = re.findall(r'domain is "(\w+)"', " ".join(agent.prompt.split()))[0]
    rows = agent.call("read_records", path="glossary/glossary.xlsx", sheet="Terms", limit=1000)["records"]
    return {row["English"]: row["中文"] for row in rows if (row["Domain"], row["Status"]) == (domain, "approved")}


def _fill_table(agent: Agent, table: dict[str, Any]) -> int:
    """Fill the empty Chinese cells of a table, in its size; how many."""
    terms = _read_terms(agent)
    holes = {number: terms[row[0]] for number, row in enumerate(table["rows"], 1) if not row[1]}
    edits = [{"op": "set_cells", "range": f"B{number}", "values": [[term]]} for number, term in holes.items()]
    agent.call("edit_document_table", path=FILE, anchor=table["anchor"], edits=edits)
    look = {"size_pt": 10}
    agent.call("format_document", path=FILE, edits=[{"anchors": [table["anchor"]], "look": look}])
    return len(holes)


def _lay_out(agent: Agent, table: dict[str, Any], widths_cm: list[float]) -> None:
    edit = {"op": "layout", "widths_cm": widths_cm, "row_cm": 0}
    agent.call("edit_document_table", path=FILE, anchor=table["anchor"], edits=[edit])


def _from_mail(agent: Agent) -> tuple[str, str]:
    """Slogan and text of the later mail."""
    mails = [agent.call("read_file", path=f"mails/agency_{number}.txt")["content"] for number in (1, 2)]
    return _split_mail(max(mails, key=lambda mail: re.findall(r"Sent: (.+)", mail)[0]))


def _split_mail(mail: str) -> tuple[str, str]:
    slogan, text = (re.findall(rf"{label}:\n(.+)", mail)[0] for label in ("标语", "说明"))
    return slogan, text


def _write_texts(agent: Agent) -> None:
    slogan, text = _from_mail(agent)
    changes = [{"find": "[中文标语]", "replace": slogan}, {"find": "[中文说明]", "replace": text}]
    agent.call("replace_document_text", path=FILE, replacements=changes)
