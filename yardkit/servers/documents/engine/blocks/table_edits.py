"""Tables changed: cells, rows and columns, merged cells, formats, layout."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from yardkit.servers.documents.engine.blocks.block_builder import lines_of, set_inline, set_tracked
from yardkit.servers.documents.engine.blocks.block_reader import rows_of
from yardkit.servers.documents.engine.formatting.looks import make_shading, set_paragraph_look, set_text_look, to_twips
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup import tracking
from yardkit.servers.documents.engine.markup.grids import Area, Cell, Grid, cell_text, format_reference
from yardkit.servers.documents.engine.markup.names import (
    TBL,
    P,
    add_in_order,
    drop_children,
    ensure_child,
    find_all,
    find_element,
    get_attribute,
    get_value,
    insert_child,
    is_on,
    make_element,
    qualify_name,
)  # fmt: skip
from yardkit.servers.documents.engine.markup.paragraph_text import list_runs
from yardkit.servers.documents.engine.markup.specs import Look, TableEdit
from yardkit.servers.documents.engine.package import page_sections
from yardkit.servers.documents.engine.package.document import story_of
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.review import dependents
from yardkit.world import Problem

MAX_NEW = 1000
_SIDES = ("top", "left", "bottom", "right")


def edit_table(writer: Writer, anchor: str, edits: list[TableEdit]) -> int:
    """Apply edits to the table with an anchor, in order; ranges are those before each edit. How many edits.

    Raises:
        Problem: the anchor is no table, or an edit does not fit it; then nothing is saved.
    """
    block = writer.document.find(anchor)
    table = block if block.tag == TBL else next(block.iterancestors(TBL), None)
    if table is None:
        raise Problem(f"{anchor!r} is not a table or in one; use read_document to see the anchors of tables")
    for edit in edits:
        if not 1 <= edit.count <= MAX_NEW or not 0.25 <= edit.border_pt <= 12:
            raise Problem(f"`count` is 1 to {MAX_NEW}, and `border_pt` 0.25 to 12")
        _Table(writer, table, writer.document.map_stories()[story_of(anchor)]).apply(edit)
    dependents.remove_orphans(writer)
    writer.written.append(table)
    return len(edits)


class _Table:
    """One edit of a table."""

    def __init__(self, writer: Writer, table: Any, part: str) -> None:
        self.writer = writer
        self.table = table
        self.part = part
        self.grid = Grid(table)

    def apply(self, edit: TableEdit) -> None:
        makers: dict[str, Callable[[TableEdit], None]] = {
            "set_cells": self._set_cells, "insert_rows": self._insert_rows, "delete_rows": self._delete_rows,
            "insert_columns": self._insert_columns, "delete_columns": self._delete_columns, "merge": self._merge_cells,
            "split": self._split_cells, "format": self._format_cells, "layout": self._change_layout,
        }  # fmt: skip
        if self.writer.tracker is not None and edit.op in ("insert_columns", "delete_columns", "merge", "split"):
            raise Problem(f"{edit.op} cannot be tracked; use track=false")
        if self.writer.tracker is not None and edit.op in ("format", "layout"):
            self.writer.note_untracked("formats of tables")
        makers[edit.op](edit)

    def _set_cells(self, edit: TableEdit) -> None:
        area = self.grid.parse_area(edit.range)
        if not edit.values:
            raise Problem("set_cells needs `values`, rows of texts")
        for row, texts in enumerate(edit.values):
            for column, text in enumerate(texts):
                cell = self.grid.owner(self.grid.at(area.top + row, area.left + column)).element
                marks = dependents.lift_marks(self.writer, cell) if self.writer.tracker is None else []
                self._set_text(cell, text)
                dependents.put_back_marks(cell, marks)

    def _set_text(self, cell: Any, text: str) -> None:
        """Put text into a cell: its first paragraph gives the format; the others go."""
        first, *others = [child for child in cell if child.tag == P] or [cell.makeelement(P, {})]
        if first.getparent() is None:
            cell.append(first)
        if self.writer.tracker is not None:
            set_tracked(self.writer, self.part, first, "\n".join(lines_of(text)))
            for other in others:
                tracking.mark_block(other, "del", self.writer.tracker)
            return
        dependents.remember_marks(self.writer, cell)
        for other in others:
            cell.remove(other)
        lines = lines_of(text)
        for line in reversed(lines[1:]):
            more = copy.deepcopy(first)
            first.addnext(more)
            set_inline(self.writer, self.part, more, line)
        set_inline(self.writer, self.part, first, lines[0])

    def _insert_rows(self, edit: TableEdit) -> None:
        """New rows look like the row above, or below at the top; merged cells that go on there grow."""
        line = _normalize_line_name(edit.range)
        at = int(line) - 1 if line.isdigit() else self.grid.height if not line else -1
        if not 0 <= at <= self.grid.height:
            raise Problem(
                f"insert_rows takes a row from 1 to {self.grid.height + 1} in `range`, not {edit.range!r}; "
                "`count` or `values` say how many come before it"
            )
        model = self.grid.rows[self._model_row(at)]
        texts = edit.values or [[] for _ in range(edit.count)]
        new = [self._new_row(model, row) for row in texts]
        for row in new if at < self.grid.height else reversed(new):
            (self.grid.rows[at].addprevious if at < self.grid.height else self.grid.rows[-1].addnext)(row)
            if self.writer.tracker is not None:
                tracking.mark_row(row, "ins", self.writer.tracker)
        if 0 < at < self.grid.height:
            self._bridge_rows(at, new)
        elif at > 1 and is_on(self.grid.rows[-2], ".//w:pPr/w:keepNext"):
            for paragraph in [
                text_paragraph for row in (self.grid.rows[-1], *new[:-1]) for text_paragraph in row.iter(P)
            ]:
                set_paragraph_look(ensure_child(paragraph, "w:pPr"), Look(keep_next=True))

    def _model_row(self, at: int) -> int:
        """The row above, but never a header row for what follows it."""
        above = max(0, at - 1)
        header = find_element(self.grid.rows[above], "w:trPr/w:tblHeader") is not None or above == 0
        return at if at == 0 or (header and at < self.grid.height and at > 0) else above

    def _new_row(self, model: Any, texts: list[str]) -> Any:
        row = copy.deepcopy(model)
        for attribute in list(row.attrib):
            del row.attrib[attribute]
        drop_children(find_element(row, "w:trPr"), "w:tblHeader")
        cells = [
            child for child in row.iter(qualify_name("w:tc")) if next(child.iterancestors(qualify_name("w:tr"))) is row
        ]
        if len(texts) > len(cells):
            raise Problem(f"{len(texts)} texts for a row of {len(cells)} cells")
        for number, cell in enumerate(cells):
            drop_children(find_element(cell, "w:tcPr"), "w:vMerge")
            for extra in [child for child in cell if child.tag in (TBL, P)][1:]:
                cell.remove(extra)
            tracker, self.writer.tracker = self.writer.tracker, None
            self._set_text(cell, texts[number] if number < len(texts) else "")
            self.writer.tracker = tracker
        self.writer.name_paragraphs_in(row, self.table)
        return row

    def _bridge_rows(self, at: int, new: list[Any]) -> None:
        """Cells that were merged over the place of new rows stay merged over them."""
        for below in self.grid.cells[at]:
            if below.merge == "continue":
                for row in new:
                    for cell in Grid(self.table).cells[Grid(self.table).rows.index(row)]:
                        if cell.column == below.column:
                            insert_child(ensure_child(cell.element, "w:tcPr"), make_element("w:vMerge"))

    def _delete_rows(self, edit: TableEdit) -> None:
        area = self._find_area(edit)
        if area.bottom - area.top + 1 == self.grid.height:
            raise Problem("these are all rows of the table; delete the table with edit_blocks")
        for row in range(area.top, area.bottom + 1):
            if self.writer.tracker is not None:
                tracking.mark_row(self.grid.rows[row], "del", self.writer.tracker)
            else:
                self._hand_down(row, area.bottom)
                dependents.remember_marks(self.writer, self.grid.rows[row])
                dependents.keep_comments_beyond_row(self.grid.rows[row])
                self.grid.rows[row].getparent().remove(self.grid.rows[row])

    def _hand_down(self, row: int, last: int) -> None:
        """A merged cell that begins in a deleted row begins in the next one that stays."""
        for cell in self.grid.cells[row]:
            if cell.merge == "restart" and last + 1 < self.grid.height:
                below = [cell_below for cell_below in self.grid.cells[last + 1] if cell_below.column == cell.column]
                if below and below[0].merge == "continue":
                    insert_child(ensure_child(below[0].element, "w:tcPr"), make_element("w:vMerge", val="restart"))

    def _insert_columns(self, edit: TableEdit) -> None:
        """New columns look like the one to the left; the table keeps its width."""
        named = _normalize_line_name(edit.range)
        if named and not named.isalpha():
            raise Problem(
                f"insert_columns takes one column, such as C, in `range`, not {edit.range!r}; "
                "`count` or `values` say how many come before it"
            )
        area = self.grid.parse_area(f"{named}:{named}") if named else None
        at = self.grid.width if area is None else area.left
        count = max(edit.count, max((len(row) for row in edit.values), default=0))
        widths = self._column_widths()
        for number, line in enumerate(self.grid.cells):
            texts = edit.values[number] if number < len(edit.values) else []
            self._widen_row(line, at, count, texts)
        share = sum(widths) // len(widths)
        old = sum(widths)
        widths[at:at] = [share] * count
        self._set_widths([max(1, width * old // sum(widths)) for width in widths])

    def _widen_row(self, line: list[Cell], at: int, count: int, texts: list[str]) -> None:
        around = next((cell for cell in line if cell.column < at < cell.column + cell.span), None)
        if around is not None:
            insert_child(ensure_child(around.element, "w:tcPr"), make_element("w:gridSpan", val=around.span + count))
            return
        before = [cell for cell in line if cell.column + cell.span <= at]
        model = before[-1] if before else line[0]
        for number in reversed(range(count)):
            cell = copy.deepcopy(model.element)
            drop_children(find_element(cell, "w:tcPr"), "w:gridSpan")
            self._set_text(cell, texts[number] if number < len(texts) else "")
            (model.element.addnext if before else model.element.addprevious)(cell)
        self.writer.name_paragraphs_in(model.element.getparent(), self.table)

    def _delete_columns(self, edit: TableEdit) -> None:
        area = self._find_area(edit)
        if area.right - area.left + 1 == self.grid.width:
            raise Problem("these are all columns of the table; delete the table with edit_blocks")
        for line in self.grid.cells:
            for cell in line:
                gone = min(cell.column + cell.span, area.right + 1) - max(cell.column, area.left)
                if gone >= cell.span:
                    dependents.remember_marks(self.writer, cell.element)
                    cell.element.getparent().remove(cell.element)
                elif gone > 0:
                    insert_child(ensure_child(cell.element, "w:tcPr"), make_element("w:gridSpan", val=cell.span - gone))
        widths = self._column_widths()
        old = sum(widths)
        del widths[area.left : area.right + 1]
        self._set_widths([max(1, width * old // sum(widths)) for width in widths])

    def _find_area(self, edit: TableEdit) -> Area:
        if not edit.range:
            raise Problem(f"{edit.op} needs a `range`")
        return self.grid.parse_area(edit.range)

    def _column_widths(self) -> list[int]:
        stated = [int(get_attribute(column, "w:w") or 0) for column in find_all(self.table, "w:tblGrid/w:gridCol")]
        if len(stated) == self.grid.width and all(stated):
            return stated
        room = to_twips(page_sections.text_width_cm(self.writer.document, self.table))
        return [room // self.grid.width] * self.grid.width

    def _set_widths(self, widths: list[int]) -> None:
        grid = find_element(self.table, "w:tblGrid")
        if grid is None:
            grid = make_element("w:tblGrid")
            find_element(self.table, "w:tblPr").addnext(grid)
        for old in find_all(grid, "w:gridCol"):
            grid.remove(old)
        for number, width in enumerate(widths):
            grid.insert(number, make_element("w:gridCol", w=width))
        for line in Grid(self.table).cells:
            for cell in line:
                own = sum(widths[cell.column : cell.column + cell.span])
                insert_child(ensure_child(cell.element, "w:tcPr"), make_element("w:tcW", w=own, type="dxa"))
        if (
            get_value(self.table, "w:tblPr/w:tblW") is not None
            or get_attribute(find_element(self.table, "w:tblPr/w:tblW"), "w:type") == "dxa"
        ):
            insert_child(ensure_child(self.table, "w:tblPr"), make_element("w:tblW", w=sum(widths), type="dxa"))

    def _merge_cells(self, edit: TableEdit) -> None:
        """One cell of an area: the texts of all go into the first, in reading order."""
        area = self._find_area(edit)
        cells = self.grid.list_inside(area)
        cut = [c for c in cells if c.column < area.left or c.column + c.span > area.right + 1]
        if cut:
            where = format_reference(cut[0].row, cut[0].column)
            raise Problem(
                f"{edit.range!r} cuts through the merged cell at {where}; include all of it, or split it first"
            )
        first = cells[0]
        self._gather_cells(first.element, [cell.element for cell in cells[1:]])
        width = area.right - area.left + 1
        for row in range(area.top, area.bottom + 1):
            first_cell, *others = [cell for cell in cells if cell.row == row]
            for other in others:
                other.element.getparent().remove(other.element)
            properties = ensure_child(first_cell.element, "w:tcPr")
            drop_children(properties, "w:vMerge")
            drop_children(properties, "w:gridSpan")
            if width > 1:
                insert_child(properties, make_element("w:gridSpan", val=width))
            if area.bottom > area.top:
                insert_child(
                    properties, make_element("w:vMerge", val="restart") if row == area.top else make_element("w:vMerge")
                )
        self._set_widths(self._column_widths())

    def _gather_cells(self, first: Any, others: list[Any]) -> None:
        for cell in others:
            content = [child for child in cell if child.tag in (P, TBL)]
            if cell_text(cell).strip() or cell.find(f".//{qualify_name('w:drawing')}") is not None:
                first.extend(content)
            for child in [node for node in cell if node.tag in (P, TBL)]:
                cell.remove(child)
            cell.append(make_element("w:p"))
        paragraphs = [child for child in first if child.tag == P]
        for empty in [paragraph for paragraph in paragraphs if not len(list_runs(paragraph))][: len(paragraphs) - 1]:
            first.remove(empty)

    def _split_cells(self, edit: TableEdit) -> None:
        """Merged cells become single ones again; the text stays in the first."""
        area, count = self._find_area(edit), 0
        for cell in self.grid.list_inside(area):
            properties = find_element(cell.element, "w:tcPr")
            count += cell.span > 1 or bool(cell.merge)
            drop_children(properties, "w:vMerge")
            drop_children(properties, "w:gridSpan")
            for _ in range(cell.span - 1):
                new = make_element("w:tc", copy.deepcopy(properties), make_element("w:p"))
                cell.element.addnext(new)
        if not count:
            raise Problem(f"{edit.range!r} has no merged cells; to divide single cells insert rows or columns")
        self._set_widths(self._column_widths())

    def _format_cells(self, edit: TableEdit) -> None:
        area = self.grid.parse_area(edit.range)
        for cell in self.grid.list_inside(area):
            properties = ensure_child(cell.element, "w:tcPr")
            if edit.shading:
                insert_child(properties, make_shading(edit.shading))
            if edit.valign:
                insert_child(properties, make_element("w:vAlign", val=edit.valign))
            if edit.padding_cm is not None:
                insert_child(properties, _make_padding("w:tcMar", edit.padding_cm))
            if edit.borders:
                _set_borders(properties, edit, cell, area, self._get_bottom_row(cell))
            _format_text(cell.element, edit)

    def _get_bottom_row(self, cell: Cell) -> int:
        return cell.row + (rows_of(self.grid, cell.row, cell.column) if cell.merge == "restart" else 1) - 1

    def _change_layout(self, edit: TableEdit) -> None:
        properties = ensure_child(self.table, "w:tblPr")
        if edit.style:
            insert_child(
                properties, make_element("w:tblStyle", val=Styles(self.writer.document).ensure(edit.style, "table"))
            )
        if edit.align:
            insert_child(properties, make_element("w:jc", val="left" if edit.align == "justify" else edit.align))
        if edit.description is not None:
            insert_child(properties, make_element("w:tblDescription", val=edit.description))
        if edit.padding_cm is not None:
            insert_child(properties, _make_padding("w:tblCellMar", edit.padding_cm))
        if edit.borders:
            self._table_borders(properties, edit)
        if edit.widths_cm:
            self._state_widths(edit.widths_cm)
        if edit.autofit:
            self._set_fit(properties, edit.autofit)
        self._row_rules(edit)

    def _table_borders(self, properties: Any, edit: TableEdit) -> None:
        sides = {"all": (*_SIDES, "insideH", "insideV"), "outside": _SIDES, "none": (*_SIDES, "insideH", "insideV")}
        borders = ensure_child(properties, "w:tblBorders")
        for side in sides.get(str(edit.borders), (str(edit.borders),)):
            insert_child(borders, _make_line(side, edit))

    def _state_widths(self, widths_cm: list[float]) -> None:
        if len(widths_cm) != self.grid.width:
            raise Problem(f"{len(widths_cm)} widths for {self.grid.width} columns; give one for each")
        insert_child(
            ensure_child(self.table, "w:tblPr"),
            make_element("w:tblW", w=sum(to_twips(w) for w in widths_cm), type="dxa"),
        )
        insert_child(ensure_child(self.table, "w:tblPr"), make_element("w:tblLayout", type="fixed"))
        self._set_widths([to_twips(width) for width in widths_cm])

    def _set_fit(self, properties: Any, fit: str) -> None:
        insert_child(properties, make_element("w:tblLayout", type="fixed" if fit == "fixed" else "autofit"))
        if fit == "page":
            insert_child(properties, make_element("w:tblW", w=5000, type="pct"))
        elif fit == "contents":
            insert_child(properties, make_element("w:tblW", w=0, type="auto"))
            for line in self.grid.cells:
                for cell in line:
                    insert_child(ensure_child(cell.element, "w:tcPr"), make_element("w:tcW", w=0, type="auto"))

    def _row_rules(self, edit: TableEdit) -> None:
        for number, row in enumerate(self.grid.rows):
            if edit.header_rows is not None:
                drop_children(find_element(row, "w:trPr"), "w:tblHeader")
                if number < edit.header_rows:
                    add_in_order(ensure_child(row, "w:trPr"), make_element("w:tblHeader"))
            if edit.keep_rows is not None:
                insert_child(
                    ensure_child(row, "w:trPr"), make_element("w:cantSplit", val=None if edit.keep_rows else "0")
                )
            if edit.row_cm is not None:
                drop_children(find_element(row, "w:trPr"), "w:trHeight")
            if edit.row_cm:
                insert_child(
                    ensure_child(row, "w:trPr"), make_element("w:trHeight", val=to_twips(edit.row_cm), hRule="atLeast")
                )


def _normalize_line_name(cell_text: str) -> str:
    """The name of one row or column, which may be said as 5:5 and C:C too."""
    first, _, last = cell_text.partition(":")
    return first if last in ("", first) else cell_text


def _set_borders(properties: Any, edit: TableEdit, cell: Cell, area: Area, bottom: int) -> None:
    """The borders of one cell of an area: "outside" draws only those on the edge of the area."""
    on_edge = {
        "top": cell.row == area.top,
        "left": cell.column <= area.left,
        "bottom": bottom >= area.bottom,
        "right": cell.column + cell.span > area.right,
    }
    if edit.borders == "outside":
        sides = [side for side in _SIDES if on_edge[side]]
    else:
        sides = list(_SIDES) if edit.borders in ("all", "none") else [str(edit.borders)]
    borders = ensure_child(properties, "w:tcBorders")
    for side in sides:
        insert_child(borders, _make_line(side, edit))


def _make_padding(name: str, width_cm: float) -> Any:
    return make_element(name, *(make_element(f"w:{side}", w=to_twips(width_cm), type="dxa") for side in _SIDES))


def _make_line(side: str, edit: TableEdit) -> Any:
    if edit.borders == "none":
        return make_element(f"w:{side}", val="nil")
    return make_element(
        f"w:{side}", val="single", sz=round(edit.border_pt * 8), space=0, color=edit.border_color.upper()
    )


def _format_text(cell: Any, edit: TableEdit) -> None:
    for paragraph in cell.iter(P):
        if edit.align:
            set_paragraph_look(ensure_child(paragraph, "w:pPr"), Look(align=edit.align))
        for run in list_runs(paragraph) if edit.bold is not None else []:
            set_text_look(ensure_child(run, "w:rPr"), Look(bold=edit.bold))
