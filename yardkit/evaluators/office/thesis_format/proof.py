"""Solutions and near misses of office/thesis_format."""

import copy
import re
from functools import partial
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.solver import read_blocks

FILE = "thesis/thesis_final.docx"
NUMBER = re.compile(r"^[\d.]+\s+")
CAPTION = re.compile(r"^(Tab\.|Fig\.|Table|Figure) \d+(?: - |: |\. )(.+)$")
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def solve(agent: Agent) -> str:
    """Clear and build the text, give it its styles, set the pages, renew the contents, look."""
    work = _Work(agent)
    work.build()
    work.style()
    work.set_pages()
    agent.call("edit_references", path=FILE, update=True)
    agent.call("render_pages", path=FILE, pages="2-7", dpi=50)
    return f"The thesis is formatted.\n\n{work.last_chapter()}"


def alternative_pages_first_and_saved_by_another_program(agent: Agent, files: Path) -> str:
    """Another order, captions with fields, and the file saved again by python-docx."""
    import docx

    work = _Work(agent)
    work.build(fields=True)
    work.set_pages()
    work.style()
    agent.call("edit_references", path=FILE, update=True)
    docx.Document(str(files / FILE)).save(str(files / FILE))
    agent.call("render_contact_sheet", path=FILE)
    return f"The last chapter begins on page\n**{work.last_chapter()}**"


def alternative_chapters_parted_by_breaks(agent: Agent, files: Path) -> str:
    """Page breaks before the chapters instead of a property of their style, headings kept with their text by hand."""
    work = _Work(agent)
    work.build()
    work.style()
    work.set_pages()
    with open_edited(files / FILE) as read:
        read.styles["Heading 1"].paragraph_format.page_break_before = None
        chapters = [paragraph for paragraph in read.paragraphs if paragraph.style.name == "Heading 1"]
        for chapter in chapters[1:]:
            chapter.paragraph_format.page_break_before = True
    agent.call("edit_references", path=FILE, update=True)
    agent.call("render_pages", path=FILE, pages="4-9", dpi=50)
    return str(work.last_chapter())


def alternative_captions_counted_and_italics_in_pieces(agent: Agent, files: Path) -> str:
    """The numbers of captions are fields, words in italics stand in several runs."""
    from docx.oxml import OxmlElement

    answer = solve(agent)
    with open_edited(files / FILE) as read:
        for paragraph in read.paragraphs:
            if paragraph.style.name == "Caption" and len(paragraph.runs) == 1:
                kind, number, rest = re.split(r" |(?=:)", paragraph.text, maxsplit=2)
                paragraph.runs[0].text = f"{kind} "
                field = OxmlElement("w:fldSimple")
                field.set(f"{W}instr", rf" SEQ {kind} \* ARABIC ")
                field.append(paragraph.add_run(number)._r)
                paragraph._p.append(field)
                paragraph.add_run(rest)
            for run in [candidate for candidate in paragraph.runs if candidate.italic and len(candidate.text) > 3]:
                second = copy.deepcopy(run._r)
                run._r.addnext(second)
                run.text, second.text = run.text[:3], run.text[3:]
    agent.call("render_pages", path=FILE, pages="1-2", dpi=40)
    return answer


@misses.make_edit_decorator(FILE, caught_by="together")
def near_miss_heading_alone(read: Any) -> None:
    _part_from_its_text(read)


@misses.make_edit_decorator(FILE, caught_by=("headings", "contents"))
def near_miss_one_number_wrong(read: Any) -> None:
    heading = next(paragraph for paragraph in read.paragraphs if paragraph.style.name == "Heading 2")
    heading.runs[0].text = re.sub(r"^\d", "9", heading.runs[0].text)


@misses.make_edit_decorator(FILE, caught_by="contents")
def near_miss_contents_with_old_pages(read: Any) -> None:
    lines = [
        paragraph
        for paragraph in read.paragraphs
        if paragraph.style.name.lower().startswith("toc ") and "\t" in paragraph.text
    ]
    for line in lines:
        last = [text for text in line._p.iter(f"{W}t") if (text.text or "").isdigit()][-1]
        last.text = str(int(last.text) + 1)


@misses.make_edit_decorator(FILE, caught_by="captions")
def near_miss_caption_below_its_table(read: Any) -> None:
    caption = next(paragraph for paragraph in read.paragraphs if paragraph.text.startswith("Table 1"))
    caption._p.getnext().addnext(caption._p)


@misses.make_edit_decorator(FILE, caught_by="numbers")
def near_miss_arabic_numbers_throughout(read: Any) -> None:
    for element in read.sections[0]._sectPr.iter(f"{W}pgNumType"):
        element.attrib.pop(f"{W}fmt")


@misses.make_edit_decorator(FILE, caught_by=("setup", "inside"))
def near_miss_margins_of_2019(read: Any) -> None:
    from docx.shared import Cm

    section = read.sections[-1]
    section.left_margin = section.right_margin = Cm(2)


@misses.make_edit_decorator(FILE, caught_by="inside")
def near_miss_wide_table(read: Any) -> None:
    from docx.shared import Mm

    table = next(candidate for candidate in read.tables if len(candidate.columns) == 8)._tbl
    table.tblPr.find(f"{W}tblW").set(f"{W}w", str(round(190 / 25.4 * 1440)))
    for column in table.tblGrid.gridCol_lst:
        column.w = Mm(23.7)
    for row in table.tr_lst:
        for cell in row.tc_lst:
            cell.width = Mm(23.7)


altered = partial(misses.set_attributes, FILE)
near_miss_single_spacing = altered(lambda read: read.styles["Normal"].paragraph_format, "type", line_spacing=1.0)
near_miss_one_paragraph_in_another_font = altered(
    lambda read, work: (
        next(candidate for candidate in read.paragraphs if candidate.text == work.facts["texts"][6]).runs[0].font
    ),
    "type",
    name="Georgia",
)


@misses.make_edit_decorator(FILE, caught_by="italics")
def near_miss_italics_lost(read: Any) -> None:
    for paragraph in read.paragraphs:
        for run in paragraph.runs:
            run.italic = None


@misses.make_edit_decorator(FILE, caught_by="no_empties")
def near_miss_empty_paragraphs_left(read: Any) -> None:
    for paragraph in [candidate for candidate in read.paragraphs if candidate.style.name == "Heading 2"]:
        paragraph.insert_paragraph_before("")


near_miss_one_paragraph_in_close_lines = altered(
    lambda read: _list_running_text(read)[4].paragraph_format, "type", line_spacing=1.0
)
near_miss_heading_in_italics = altered(lambda read: _list_headings(read)[2].runs[0], "heading_type", italic=True)


@misses.make_edit_decorator(FILE, caught_by="heading_type")
def near_miss_headings_numbered_by_the_program_too(read: Any) -> None:
    from docx.oxml import OxmlElement

    numbered, list_id = OxmlElement("w:numPr"), OxmlElement("w:numId")
    list_id.set(f"{W}val", "1")
    numbered.append(list_id)
    _list_headings(read)[2]._p.get_or_add_pPr().append(numbered)


@misses.make_edit_decorator(FILE, caught_by="inside")
def near_miss_table_in_tiny_letters(read: Any) -> None:
    from docx.shared import Pt

    runs = (run for cell in read.tables[0]._cells for paragraph in cell.paragraphs for run in paragraph.runs)
    for run in runs:
        run.font.size = Pt(5)


near_miss_paragraph_in_white = misses.edit_file(
    FILE, lambda read: _paint_paragraph(_list_running_text(read)[4], "FFFFFF"), "dressed"
)
near_miss_paragraph_in_bold = altered(lambda read: _list_running_text(read)[4].runs[0], "dressed", bold=True)


@misses.make_edit_decorator(FILE, caught_by="dressed")
def near_miss_figure_squashed(read: Any) -> None:
    read.inline_shapes[0].height = read.inline_shapes[0].height // 2


near_miss_small_title = altered(lambda read: read.paragraphs[0].runs[0].font, "dressed", size=101_600)


near_miss_never_looked = misses.never_looked()


def _list_running_text(read: Any) -> list[Any]:
    return [
        paragraph for paragraph in read.paragraphs if paragraph.style.name == "Normal" and len(paragraph.text) > 120
    ]


def _list_headings(read: Any) -> list[Any]:
    return [paragraph for paragraph in read.paragraphs if paragraph.style.name.startswith("Heading")]


def _paint_paragraph(paragraph: Any, color: str) -> None:
    from docx.shared import RGBColor

    for run in paragraph.runs:
        run.font.color.rgb = RGBColor.from_string(color)


def _part_from_its_text(read: Any) -> None:
    paragraphs = read.paragraphs
    place = [number for number, paragraph in enumerate(paragraphs) if paragraph.style.name == "Heading 2"][2]
    paragraphs[place].paragraph_format.keep_with_next = False
    paragraphs[place + 1].paragraph_format.page_break_before = True


class _Work:
    """Formats the thesis by tools."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        lines = agent.call("read_file", path="thesis/outline.md")["content"].splitlines()[1:]
        self.outline = [(len(line) - len(line.lstrip())) // 2 + 1 for line in lines if line.strip()]
        self.titles = [line.strip().removeprefix("- ") for line in lines if line.strip()]
        self.numbers = dict(zip(self.titles, self._list_numbers(), strict=True))

    def _list_numbers(self) -> list[str]:
        counts, numbered_blocks = [0, 0, 0], []
        for level in self.outline:
            counts[level - 1] += 1
            counts[level:] = [0] * (3 - level)
            numbered_blocks.append(".".join(map(str, counts[:level])))
        return numbered_blocks

    def title(self, block: dict[str, Any]) -> str:
        """The title that a paragraph is the heading of, or nothing."""
        title = NUMBER.sub("", block.get("text", "").strip())
        return title if title in self.titles else ""

    def build(self, *, fields: bool = False) -> None:
        """Headings and captions get their texts and places; empty paragraphs and the typed contents go."""
        blocks, edits, counts = read_blocks(self.agent, FILE), [], {"Table": 0, "Figure": 0}
        first = next(record for record in blocks if self.title(record))
        for place, block in enumerate(blocks):
            text, anchor = block.get("text", ""), block["anchor"]
            if text == "Contents":
                edits.append({"op": "replace", "anchor": anchor, "blocks": [{"kind": "toc", "level": 3, "text": text}]})
            elif self.title(block):
                title = self.title(block)
                edits.append({"op": "set_text", "anchor": anchor, "text": f"{self.numbers[title]} {title}"})
            elif CAPTION.match(text):
                edits += self._make_caption(blocks, place, counts, fields=fields)
            elif "....." in text or (
                block["kind"] != "table" and not block.get("text", "").strip() and not block.get("images")
            ):
                edits.append({"op": "delete", "anchor": anchor})
        edits.append(
            {"op": "insert", "anchor": first["anchor"], "position": "before", "blocks": [{"kind": "section_break"}]}
        )
        self.agent.call("edit_blocks", path=FILE, edits=edits)

    def _make_caption(
        self, blocks: list[dict[str, Any]], place: int, counts: dict[str, int], *, fields: bool
    ) -> list[dict[str, Any]]:
        """Its new text, and its move to the other side where it stands on the wrong one."""
        block = blocks[place]
        match = CAPTION.match(block["text"])
        assert match is not None  # noqa: S101 - the caller looked
        kind = "Table" if match.group(1).startswith("Tab") else "Figure"
        counts[kind] += 1
        edits: list[dict[str, Any]] = []
        new = f"{kind} {counts[kind]}: {match.group(2)}"
        if fields:
            caption_block = {"kind": "caption", "label": kind, "text": match.group(2)}
            edits.append({"op": "insert", "anchor": block["anchor"], "blocks": [caption_block]})
        else:
            edits.append({"op": "set_text", "anchor": block["anchor"], "text": new})
        above = kind == "Table" and blocks[place - 1]["kind"] == "table"
        below = kind == "Figure" and blocks[place + 1].get("images")
        if fields:
            goes = {"op": "delete", "anchor": block["anchor"]}
            if above or below:
                beside, position = (blocks[place - 1], "before") if above else (blocks[place + 1], "after")
                edits = [{"op": "insert", "anchor": beside["anchor"], "position": position, "blocks": [caption_block]}]
            return [*edits, goes]
        if above:
            edits.append(
                {"op": "move", "anchor": block["anchor"], "beside": blocks[place - 1]["anchor"], "position": "before"}
            )
        if below:
            edits.append({"op": "move", "anchor": block["anchor"], "beside": blocks[place + 1]["anchor"]})
        return edits

    def style(self) -> None:
        """Styles as the rules say, the direct formats gone but for the italics."""
        edits = [*_STYLES]
        for block in read_blocks(self.agent, FILE, format="details"):
            edits += self._list_style_edits(block)
        self.agent.call("format_document", path=FILE, edits=edits)
        for block in read_blocks(self.agent, FILE):
            if block["kind"] == "table":
                self._fit_table(block)

    def _list_style_edits(self, block: dict[str, Any]) -> list[dict[str, Any]]:
        text, anchors = block.get("text", ""), [block["anchor"]]
        title = self.title(block)
        if title:
            level = self.outline[self.titles.index(title)]
            return [{"anchors": anchors, "style": f"Heading {level}", "clear": True}]
        if text == "Abstract":
            return [{"anchors": anchors, "style": "TOC Heading", "clear": True}]
        if re.match(r"(Table|Figure) \d+: ", text):
            keep = {"keep_next": text.startswith("Table")}
            return [{"anchors": anchors, "style": "Caption", "clear": True, "look": keep}]
        if block.get("images"):
            return [{"anchors": anchors, "look": {"keep_next": True, "align": "center"}}]
        if len(text) < 100 or block["kind"] == "table":
            return []
        leaning = [run["text"] for run in block.get("runs", []) if run.get("look", {}).get("italic")]
        again = [{"anchors": anchors, "find": part.strip(), "look": {"italic": True}} for part in leaning]
        return [{"anchors": anchors, "style": "Normal", "clear": True}, *again]

    def _fit_table(self, table: dict[str, Any]) -> None:
        """Into the margins, in small type."""
        columns = len(table["rows"][0])
        edit = {"op": "layout", "widths_cm": [round(15 / columns, 2)] * columns, "keep_rows": True}
        self.agent.call("edit_document_table", path=FILE, anchor=table["anchor"], edits=[edit])
        look = {"size_pt": 9, "line_spacing": 1, "align": "left", "keep_next": True}
        self.agent.call("format_document", path=FILE, edits=[{"anchors": [table["anchor"]], "look": look}])

    def set_pages(self) -> None:
        margins = {"paper": "A4", "margins_cm": [3, 2.5, 2.5, 3.5]}
        layouts: list[dict[str, Any]] = [
            {"section": 1, **margins, "number_format": "lowerRoman", "footer": "\t{PAGE}", "first_footer": ""},
            {"section": 2, **margins, "number_format": "decimal", "first_number": 1, "footer": "\t{PAGE}"},
        ]
        self.agent.call("set_page_layout", path=FILE, layouts=layouts)

    def last_chapter(self) -> str:
        """The page of the last chapter by the contents."""
        last = [title for title, level in zip(self.titles, self.outline, strict=True) if level == 1][-1]
        line = next(
            block["text"]
            for block in read_blocks(self.agent, FILE)
            if re.match(rf"\d+ {last}\t", block.get("text", ""))
        )
        return str(line.rpartition("\t")[2])


def _make_heading_style(level: int, size_pt: float, **look: Any) -> dict[str, Any]:
    common = {"font": "Arial", "bold": True, "italic": False, "color": "000000", "keep_next": True, "align": "left"}
    return {
        "define": f"Heading {level}",
        "look": {**common, "size_pt": size_pt, "before_pt": 12, "after_pt": 6, **look},
    }


_TEXT = {"font": "Times New Roman", "size_pt": 12, "align": "justify", "line_spacing": 1.5, "after_pt": 6}
_CAPTION = {"font": "Times New Roman", "size_pt": 10, "color": "000000", "line_spacing": 1.0, "align": "left"}
_FRONT = {"font": "Arial", "size_pt": 16, "bold": True, "color": "000000", "page_break_before": True, "align": "left"}
_STYLES = [
    {"define": "Normal", "look": _TEXT},
    _make_heading_style(1, 16, page_break_before=True),
    _make_heading_style(2, 14),
    _make_heading_style(3, 12),
    {"define": "Caption", "look": _CAPTION},
    {"define": "TOC Heading", "look": _FRONT},
]
