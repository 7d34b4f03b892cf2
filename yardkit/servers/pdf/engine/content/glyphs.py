"""Walk through content streams glyph by glyph; an editor says what is taken out (PDF 32000-1, 8 and 9).

What is not taken out keeps its place: a removed glyph becomes a movement of the same width.
"""
# ruff: noqa: ARG001, ARG002 - handlers share one signature

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from yardkit.kit.pages.space import Matrix
from yardkit.servers.pdf.engine.content.encodings import Code, Encoding
from yardkit.servers.pdf.engine.content.image_metadata import inline_image_texts
from yardkit.servers.pdf.engine.content.operands import unshown_texts
from yardkit.servers.pdf.engine.package.pages import compute_bounds, multiply_matrices
from yardkit.world.boxes import Box

IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)
MAX_DEPTH = 12
MAX_OPERATORS = 3_000_000
_PAINT_OPERATORS = {"f", "F", "f*", "B", "B*", "b", "b*", "S", "s"}
_LINE_OPERATORS = {"BT", "Td", "TD", "T*", "Tm"}
_WIDE = -150
"""What moves the next glyph of a ``TJ`` as far as a narrow space would, in thousandths of the size."""
_HIDDEN_TEXTS = ("/ActualText", "/Alt", "/E")


class Editor:
    """Says what is removed from a page; this one removes nothing and gathers the text."""

    def __init__(self) -> None:
        self.text: list[str] = []

    def removes_glyph(self, box: Box, code: Code) -> bool:
        """Whether a glyph with this box in user space goes."""
        self.text.append(code.text)
        return False

    def note_gap(self) -> None:
        """A new line or a wide space comes before the next glyph."""

    def hidden(self, text: str) -> None:
        """A text stands for what is shown, and is shown by nothing itself."""

    def removes_path(self, box: Box, points: list[tuple[float, float]]) -> bool:
        """Whether a painted path goes, by its box and its points in user space."""
        return False

    def new_image(self, image: Any, matrix: Matrix) -> Any:
        """What takes the place of an image (XObject or inline image), or nothing to keep it."""
        return None


@dataclass(frozen=True)
class _State:
    """What ``q`` saves."""

    ctm: Matrix = IDENTITY
    font: Any = None
    size: float = 0.0
    char_space: float = 0.0
    word_space: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0


@dataclass
class _Marked:
    """A marked content sequence that is open: where it began, and what it is."""

    at: int
    properties: Any


@dataclass
class Walk:
    """One pass over a content stream and the forms that it paints.

    Attributes:
        changed: whether anything was removed.
        mcids: marked content identifiers from which glyphs were removed.
        replacements: the forms that take the place of others, by the object numbers of those.
    """

    pdf: Any
    editor: Editor
    changed: bool = False
    mcids: set[int] = field(default_factory=set)
    replacements: dict[Any, Any] = field(default_factory=dict)
    operators: int = 0
    _fonts: dict[Any, Encoding] = field(default_factory=dict)

    def stream(self, source: Any, resources: Any, ctm: Matrix) -> tuple[list[Any], Any, bool]:
        """New instructions and resources of a page or form, and whether they differ."""
        return self.walk_form(source, resources, _State(ctm), 0)

    def walk_form(self, source: Any, resources: Any, state: _State, depth: int) -> tuple[list[Any], Any, bool]:
        """As `stream`, of a form that inherits the state in which it is painted."""
        import pikepdf

        form_pass = _Pass(self, resources, state, depth)
        for instruction in pikepdf.parse_content_stream(source):
            self.operators += 1
            if self.operators > MAX_OPERATORS:
                raise OverflowError("the page has too many operators")
            form_pass.interpret(instruction)
        form_pass.forget_replaced()
        return form_pass.out, form_pass.resources, form_pass.changed

    def get_encoding(self, font: Any) -> Encoding:
        """The decoder of a font, made once."""
        key = font.objgen if font.is_indirect else id(font)
        if key not in self._fonts:
            self._fonts[key] = Encoding(font)
        return self._fonts[key]


class _Pass:
    """The state within one stream."""

    def __init__(self, walk: Walk, resources: Any, state: _State, depth: int) -> None:
        self.walk = walk
        self.resources = resources
        self.depth = depth
        self.out: list[Any] = []
        self.changed = False
        self.state = state
        self.stack: list[_State] = []
        self.tm: Matrix = IDENTITY
        self.line: Matrix = IDENTITY
        self.path: list[tuple[float, float]] = []
        self.marked: list[_Marked] = []
        self.replaced: set[str] = set()

    def interpret(self, instruction: Any) -> None:
        """Interpret one instruction; what stays of it goes to `out`."""
        name = str(instruction.operator)
        handler = _OPERATOR_HANDLERS.get(name)
        operands = [] if name == "INLINE IMAGE" else instruction.operands
        for text in inline_image_texts(instruction.iimage) if name == "INLINE IMAGE" else unshown_texts(name, operands):
            self.walk.editor.hidden(text)
        if name in _PAINT_OPERATORS:
            self.paint(instruction)
        elif name in ("Tj", "TJ", "'", '"'):
            self.show(instruction, name)
        elif name in ("Do", "INLINE IMAGE"):
            self.paint_object(instruction, name)
        elif name in ("BDC", "BMC"):
            self.note_marked(instruction)
        else:
            if name == "EMC" and self.marked:
                self.marked.pop()
            if name in _LINE_OPERATORS:
                self.walk.editor.note_gap()
            if handler:
                handler(self, operands)
            self.out.append(instruction)

    def note_marked(self, instruction: Any) -> None:
        """Note that marked content begins, and the texts that stand for it."""
        import pikepdf

        properties, named = self.properties(instruction)
        for key in _HIDDEN_TEXTS if named and isinstance(properties, pikepdf.Dictionary) else ():
            if key in properties:
                self.walk.editor.hidden(str(properties[key]))
        self.marked.append(_Marked(len(self.out), properties))
        self.out.append(instruction)

    def properties(self, instruction: Any) -> tuple[Any, bool]:
        """Those of marked content, and whether they are named and stand elsewhere."""
        import pikepdf

        if len(instruction.operands) < 2:
            return None, False
        given = instruction.operands[1]
        if isinstance(given, pikepdf.Name):
            return self.get_resource("/Properties", str(given)), True
        return given, False

    def get_resource(self, kind: str, name: str) -> Any:
        resource_group = self.resources.get(kind) if self.resources is not None else None
        return resource_group.get(name) if resource_group is not None else None

    def point(self, x: Any, y: Any) -> None:
        a, b, c, d, e, f = self.state.ctm
        self.path.append((a * float(x) + c * float(y) + e, b * float(x) + d * float(y) + f))

    def paint(self, instruction: Any) -> None:
        import pikepdf

        if self.path:
            xs, ys = [x for x, _ in self.path], [y for _, y in self.path]
            if self.walk.editor.removes_path((min(xs), min(ys), max(xs), max(ys)), self.path):
                instruction = pikepdf.ContentStreamInstruction([], pikepdf.Operator("n"))
                self.mark_changed()
        self.path = []
        self.out.append(instruction)

    def mark_changed(self) -> None:
        self.changed = self.walk.changed = True

    # Text

    def show(self, instruction: Any, name: str) -> None:
        import pikepdf

        if name in ("'", '"'):
            self.walk.editor.note_gap()
            if name == '"':
                self.state = replace(
                    self.state, word_space=float(instruction.operands[0]), char_space=float(instruction.operands[1])
                )
            _next_line(self, [])
        given = instruction.operands[-1] if len(instruction.operands) else b""
        items = list(given) if isinstance(given, pikepdf.Array) else [given]
        remaining_items, removed = self.remove_glyphs(items)
        if not removed:
            self.out.append(instruction)
            return
        self.uncover()
        self.mark_changed()
        if name == '"':
            self.out.append(_make_instruction([self.state.word_space], "Tw"))
            self.out.append(_make_instruction([self.state.char_space], "Tc"))
        if name in ("'", '"'):
            self.out.append(_make_instruction([], "T*"))
        self.out.append(_make_instruction([pikepdf.Array(remaining_items)], "TJ"))

    def remove_glyphs(self, items: list[Any]) -> tuple[list[Any], bool]:
        """The items of a ``TJ`` without the removed glyphs; moves the text matrix."""
        import pikepdf

        remaining_items: list[Any] = []
        run = b""
        removed = False
        state = self.state
        encoding = self.walk.get_encoding(state.font) if state.font is not None else None
        for item in items:
            if not isinstance(item, pikepdf.String):
                if float(item) <= _WIDE:
                    self.walk.editor.note_gap()
                self.advance(-float(item) / 1000 * state.size, encoding)
                remaining_items += [pikepdf.String(run)] if run else []
                remaining_items.append(item)
                run = b""
                continue
            codes = encoding.decode_codes(bytes(item)) if encoding else _without_font(bytes(item))
            for code in codes:
                step = code.advance * state.size + state.char_space + (state.word_space if code.data == b" " else 0)
                if self.walk.editor.removes_glyph(self.glyph_box(code, encoding), code):
                    removed = True
                    remaining_items += [pikepdf.String(run)] if run else []
                    run = b""
                    remaining_items.append(_to_decimal(-step * 1000 / state.size if state.size else 0))
                else:
                    run += code.data
                self.advance(step, encoding)
        remaining_items += [pikepdf.String(run)] if run else []
        return remaining_items, removed

    def advance(self, step: float, encoding: Encoding | None) -> None:
        if encoding is not None and encoding.vertical:
            self.tm = multiply_matrices((1, 0, 0, 1, 0, -step), self.tm)
        else:
            self.tm = multiply_matrices((1, 0, 0, 1, step * self.state.stretch, 0), self.tm)

    def glyph_box(self, code: Code, encoding: Encoding | None) -> Box:
        """The middle of a glyph in user space: from the baseline to the height of capitals."""
        state = self.state
        placed = multiply_matrices((state.size * state.stretch, 0, 0, state.size, 0, state.rise), self.tm)
        matrix = multiply_matrices(placed, state.ctm)
        if encoding is not None and encoding.vertical:
            return compute_bounds(matrix, (-0.4, -code.advance, 0.4, 0))
        return compute_bounds(matrix, (0.1 * code.advance, 0, 0.9 * code.advance, 0.68))

    def uncover(self) -> None:
        """Take the texts that stand for marked content out of what is open now: they repeat what was removed."""
        import pikepdf

        for marked in self.marked:
            if not isinstance(marked.properties, pikepdf.Dictionary):
                continue
            if "/MCID" in marked.properties:
                self.walk.mcids.add(int(marked.properties["/MCID"]))
            if any(key in marked.properties for key in _HIDDEN_TEXTS):
                left = {key: value for key, value in marked.properties.items() if key not in _HIDDEN_TEXTS}
                tag = self.out[marked.at].operands[0]
                marked.properties = pikepdf.Dictionary(left)
                self.out[marked.at] = _make_instruction([tag, marked.properties], "BDC")

    # Objects

    def paint_object(self, instruction: Any, name: str) -> None:
        if name == "INLINE IMAGE":
            new = self.walk.editor.new_image(instruction.iimage, self.state.ctm)
            self.out.append(instruction if new is None else self.use(new))
            return
        painted_object = (
            self.get_resource("/XObject", str(instruction.operands[0])) if len(instruction.operands) else None
        )
        kind = painted_object.get("/Subtype") if painted_object is not None else None
        new = None
        if kind == "/Image":
            new = self.walk.editor.new_image(painted_object, self.state.ctm)
        elif kind == "/Form":
            if self.depth >= MAX_DEPTH:
                raise OverflowError("forms are nested too deeply")
            new = self.new_form(painted_object)
        if new is not None:
            self.replaced.add(str(instruction.operands[0]))
        self.out.append(instruction if new is None else self.use(new))

    def new_form(self, form: Any) -> Any:
        """A copy of a form without what was removed, or nothing if it stays."""
        import pikepdf

        matrix = tuple(float(value) for value in form.get("/Matrix", IDENTITY))
        resources = form.get("/Resources", self.resources)
        inner = replace(self.state, ctm=multiply_matrices(matrix, self.state.ctm))  # type: ignore[arg-type]
        out, resources, changed = self.walk.walk_form(form, resources, inner, self.depth + 1)
        if not changed:
            return None
        new_stream = pikepdf.Stream(self.walk.pdf, pikepdf.unparse_content_stream(out))
        for key, value in form.items():
            if key not in ("/Length", "/Filter", "/DecodeParms", "/PieceInfo", "/Metadata", "/Resources"):
                new_stream[key] = value
        if resources is not None:
            new_stream["/Resources"] = resources
        self.walk.replacements[form.objgen] = new_stream = self.walk.pdf.make_indirect(new_stream)
        return new_stream

    def forget_replaced(self) -> None:
        """Take objects that were replaced, and are painted no more, out of the resources."""
        if not self.replaced:
            return
        used = {str(command.operands[0]) for command in self.out if str(command.operator) == "Do"}
        object_resources = self.resources["/XObject"]
        for name in self.replaced - used:
            del object_resources[name]

    def use(self, new_stream: Any) -> Any:
        """Register an object in resources of this stream's own, and the instruction that paints it."""
        import pikepdf

        from yardkit.servers.pdf.engine.drawing.overlay import name_for

        self.mark_changed()
        resources = (
            pikepdf.Dictionary(dict(self.resources.items())) if self.resources is not None else pikepdf.Dictionary()
        )
        object_resources = pikepdf.Dictionary(dict(resources.get("/XObject", pikepdf.Dictionary()).items()))
        name = name_for(object_resources, "Red")
        object_resources[name] = new_stream
        resources["/XObject"] = object_resources
        self.resources = resources
        return _make_instruction([pikepdf.Name(name)], "Do")


def _make_instruction(operands: list[Any], operator: str) -> Any:
    import pikepdf

    return pikepdf.ContentStreamInstruction([_to_operand(operand) for operand in operands], pikepdf.Operator(operator))


def _to_operand(value: Any) -> Any:
    return _to_decimal(value) if isinstance(value, float) else value


def _to_decimal(value: float) -> Any:
    from decimal import Decimal

    return Decimal(f"{value:.4f}")


def _without_font(data: bytes) -> list[Code]:
    """What a string without a font shows nobody knows; viewers take one of their own."""
    return [Code(bytes([byte]), 0.0, "", f"no font {byte}") for byte in data]


def _save_state(walk_pass: _Pass, operands: Any) -> None:
    walk_pass.stack.append(walk_pass.state)


def _restore_state(walk_pass: _Pass, operands: Any) -> None:
    if walk_pass.stack:
        walk_pass.state = walk_pass.stack.pop()


def _concat_matrix(walk_pass: _Pass, operands: Any) -> None:
    walk_pass.state = replace(walk_pass.state, ctm=multiply_matrices(_to_matrix(operands), walk_pass.state.ctm))


def _to_matrix(operands: Any) -> Matrix:
    a, b, c, d, e, f = (float(value) for value in operands)
    return a, b, c, d, e, f


def _begin_text(walk_pass: _Pass, operands: Any) -> None:
    walk_pass.tm = walk_pass.line = IDENTITY


def _set_font(walk_pass: _Pass, operands: Any) -> None:
    walk_pass.state = replace(
        walk_pass.state, font=walk_pass.get_resource("/Font", str(operands[0])), size=float(operands[1])
    )


def _graphics_state(walk_pass: _Pass, operands: Any) -> None:
    graphics_state = walk_pass.get_resource("/ExtGState", str(operands[0]))
    font = graphics_state.get("/Font") if graphics_state is not None else None
    if font is not None:
        walk_pass.state = replace(walk_pass.state, font=font[0], size=float(font[1]))


def _set_matrix(walk_pass: _Pass, operands: Any) -> None:
    walk_pass.tm = walk_pass.line = _to_matrix(operands)


def _move_line(walk_pass: _Pass, operands: Any) -> None:
    walk_pass.line = multiply_matrices((1, 0, 0, 1, float(operands[0]), float(operands[1])), walk_pass.line)
    walk_pass.tm = walk_pass.line


def _move_leading(walk_pass: _Pass, operands: Any) -> None:
    walk_pass.state = replace(walk_pass.state, leading=-float(operands[1]))
    _move_line(walk_pass, operands)


def _next_line(walk_pass: _Pass, operands: Any) -> None:
    _move_line(walk_pass, [0, -walk_pass.state.leading])


def _make_setter(name: str, factor: float = 1.0) -> Any:
    def set_(walk_pass: _Pass, operands: Any) -> None:
        walk_pass.state = replace(walk_pass.state, **{name: float(operands[0]) * factor})  # type: ignore[arg-type]

    return set_


def _line_to(walk_pass: _Pass, operands: Any) -> None:
    for x, y in zip(operands[::2], operands[1::2], strict=False):
        walk_pass.point(x, y)


def _add_rectangle(walk_pass: _Pass, operands: Any) -> None:
    x, y, wide, tall = (float(value) for value in operands)
    for corner in ((x, y), (x + wide, y), (x, y + tall), (x + wide, y + tall)):
        walk_pass.point(*corner)


def _end_path(walk_pass: _Pass, operands: Any) -> None:
    walk_pass.path = []


_OPERATOR_HANDLERS: dict[str, Any] = {
    "q": _save_state,
    "Q": _restore_state,
    "cm": _concat_matrix,
    "BT": _begin_text,
    "Tf": _set_font,
    "gs": _graphics_state,
    "Tm": _set_matrix,
    "Td": _move_line,
    "TD": _move_leading,
    "T*": _next_line,
    "Tc": _make_setter("char_space"),
    "Tw": _make_setter("word_space"),
    "Tz": _make_setter("stretch", 0.01),
    "TL": _make_setter("leading"),
    "Ts": _make_setter("rise"),
    "m": _line_to,
    "l": _line_to,
    "c": _line_to,
    "v": _line_to,
    "y": _line_to,
    "re": _add_rectangle,
    "n": _end_path,
}


def text_of_form(form: Any) -> str:
    """The text that a form XObject shows, in the order of its content."""
    walk = Walk(None, Editor())
    walk.stream(form, form.get("/Resources"), IDENTITY)
    return "".join(walk.editor.text)
