"""Give widgets the appearances that their values ask for."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Any

from yardkit.servers.pdf.engine.drawing.overlay import Sheets, sheets_in
from yardkit.servers.pdf.engine.forms import field_drawing
from yardkit.servers.pdf.engine.forms.fields import Node, nodes_of, value_of


@dataclass
class _Drawing:
    """A widget that gets the appearance of a sheet, in a state of a button or none."""

    widget: Any
    state: str | None
    sheet: int


class Pen:
    """Collects the appearances to draw, and what to say about them."""

    def __init__(self, pdf: Any) -> None:
        self.pdf = pdf
        self.sheets = Sheets()
        self.drawings: list[_Drawing] = []
        self.warnings: list[str] = []

    def text(self, node: Node, text: str) -> None:
        text = text.replace("\t", " ")
        for widget in node.widgets:
            with self._open_sheet(widget) as canvas:
                cut = field_drawing.draw_text(canvas, node, widget, field_drawing.look_of(self.pdf, node, widget), text)
            self.warnings += [f"{node.name}: {cut}"] if cut else []
            self._note_drawing(widget, None)

    def options(self, node: Node, chosen: list[str]) -> None:
        for widget in node.widgets:
            with self._open_sheet(widget) as canvas:
                top = field_drawing.draw_list(
                    canvas, node, widget, field_drawing.look_of(self.pdf, node, widget), chosen
                )
            node.obj["/TI"] = top
            self._note_drawing(widget, None)

    def draw_marks(self, node: Node, widget: Any, state: str) -> None:
        for name in (state, "Off"):
            with self._open_sheet(widget) as canvas:
                field_drawing.draw_mark(canvas, widget, radio=node.kind == "radio", on=name != "Off")
            self._note_drawing(widget, name)

    def _open_sheet(self, widget: Any) -> Any:
        width, height = field_drawing.size_of(widget)
        return self.sheets.sheet(max(width, 1), max(height, 1))

    def _note_drawing(self, widget: Any, state: str | None) -> None:
        self.drawings.append(_Drawing(widget, state, self.sheets.count - 1))

    def finish(self) -> None:
        import pikepdf

        with sheets_in(self.pdf, self.sheets) as forms:
            for drawing in self.drawings:
                form = _build_appearance(forms[drawing.sheet], drawing)
                faces = pikepdf.Dictionary(dict(drawing.widget.get("/AP", pikepdf.Dictionary()).items()))
                if drawing.state is None:
                    faces = pikepdf.Dictionary(N=form)
                else:
                    normal_appearance = faces.get("/N", pikepdf.Dictionary())
                    normal_appearance = (
                        pikepdf.Dictionary() if isinstance(normal_appearance, pikepdf.Stream) else normal_appearance
                    )
                    normal_appearance["/" + drawing.state] = form
                    faces["/N"] = normal_appearance
                drawing.widget["/AP"] = faces


def _build_appearance(form: Any, drawing: _Drawing) -> Any:
    """The sheet as the appearance of a widget: marked as variable text, and turned as the widget says."""
    import pikepdf

    width, height = field_drawing.size_of(drawing.widget)
    turned = {90: [0, 1, -1, 0, height, 0], 180: [-1, 0, 0, -1, width, height], 270: [0, -1, 1, 0, 0, width]}
    turn = field_drawing.turn_of(drawing.widget)
    if turn in turned:
        form["/Matrix"] = pikepdf.Array(turned[turn])
    if drawing.state is None:
        form.write(b"/Tx BMC\nq\n" + form.read_bytes() + b"\nQ\nEMC\n")
    return form


def draw_missing_appearances(pdf: Any, only: Container[tuple[int, int]] | None = None) -> None:
    """Draw the fields without an appearance, as a viewer would: ground, border and value; all, or those of `only`."""
    pen = Pen(pdf)
    for node in nodes_of(pdf):
        bare = [widget for widget in node.widgets if "/N" not in widget.get("/AP", {}) and "/Rect" in widget]
        bare = [widget for widget in bare if only is None or widget.objgen in only]
        if not bare:
            continue
        value = value_of(node)
        if node.kind in ("text", "dropdown"):
            pen.text(node, value if isinstance(value, str) else "")
        elif node.kind == "list":
            pen.options(node, [] if not value else value if isinstance(value, list) else [str(value)])
        elif node.kind in ("checkbox", "radio"):
            for widget in bare:
                pen.draw_marks(node, widget, str(widget.get("/AS", "/Yes"))[1:])
    pen.finish()
