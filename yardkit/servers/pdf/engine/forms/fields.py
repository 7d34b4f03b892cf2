"""The form of a document as fields: what they are called, hold and admit, and where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.servers.pdf.engine.package.document import open_pdf
from yardkit.servers.pdf.engine.package.pages import round_box, space_of
from yardkit.world import Problem

PRELOAD = ("pikepdf",)
MAX_FIELDS = 50_000
_INHERITED_KEYS = ("/FT", "/Ff", "/V", "/DV", "/DA", "/Q", "/MaxLen", "/Opt")
READ_ONLY, REQUIRED, MULTILINE, PASSWORD = 1, 1 << 1, 1 << 12, 1 << 13
RADIO, PUSH_BUTTON, COMBO, EDITABLE, MULTI_SELECT, COMB = 1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 21, 1 << 24


@dataclass(frozen=True)
class FormField:
    """A field of a form.

    Attributes:
        kind: text, checkbox, radio, dropdown, list, button or signature.
        value: text, true/false of a checkbox, or a list; null when empty.
        options: what it admits: of a checkbox and a radio group the states, of choices the texts.
        page: of its first place, from 1.
        box: its first place in points on the page as displayed, origin top left.
        flags: read_only, required, multiline, multi_select, editable, password, comb.
    """

    name: str
    kind: str
    value: str | bool | list[str] | None = None
    options: list[str] = field(default_factory=list)
    page: int | None = None
    box: list[float] | None = None
    label: str = ""
    max_length: int | None = None
    flags: list[str] = field(default_factory=list)
    other_places: int = 0


@dataclass(frozen=True)
class PdfForm:
    """The fields of a form, in the order of the document."""

    path: str
    total: int
    fields: list[FormField]
    next_offset: int | None = None
    note: str = ""


class Node:
    """A terminal field: its dictionary, name, inherited entries and widgets."""

    def __init__(self, obj: Any, name: str, inherited: dict[str, Any]) -> None:
        self.obj = obj
        self.name = name
        self._inherited = inherited
        kids = list(obj.get("/Kids", []))
        self.widgets: list[Any] = kids or [obj]

    def get(self, key: str, default: Any = None) -> Any:
        """An entry, inherited where the field has none of its own."""
        value = self.obj.get(key)
        value = self._inherited.get(key) if value is None else value
        return default if value is None else value

    @property
    def flags(self) -> int:
        return int(self.get("/Ff", 0))

    def has(self, flag: int) -> bool:
        return bool(self.flags & flag)

    @property
    def kind(self) -> str:
        """Of the field in the words of `FormField`."""
        type_ = str(self.get("/FT", ""))
        if type_ == "/Btn":
            return "button" if self.has(PUSH_BUTTON) else "radio" if self.has(RADIO) else "checkbox"
        if type_ == "/Ch":
            return "dropdown" if self.has(COMBO) else "list"
        return {"/Tx": "text", "/Sig": "signature"}.get(type_, "unknown")


def nodes_of(pdf: Any) -> list[Node]:
    """The terminal fields of a document."""
    form = pdf.Root.get("/AcroForm")
    nodes: list[Node] = []
    if form is None:
        return nodes
    start = {key: form.get(key) for key in ("/DA", "/Q") if form.get(key) is not None}
    waiting = [(node, "", start, 0) for node in form.get("/Fields", [])]
    while waiting and len(nodes) < MAX_FIELDS:
        obj, above, inherited, depth = waiting.pop(0)
        if not hasattr(obj, "get"):
            continue
        name = ".".join(part for part in (above, str(obj.get("/T", ""))) if part)
        kids = [kid for kid in obj.get("/Kids", []) if "/T" in kid]
        if kids and depth < 30:
            passed = inherited | {key: obj.get(key) for key in _INHERITED_KEYS if obj.get(key) is not None}
            waiting[:0] = [(kid, name, passed, depth + 1) for kid in kids]
        else:
            nodes.append(Node(obj, name, inherited))
    return nodes


def states_of(widget: Any) -> list[str]:
    """The on-states of a button's widget: the names of its appearances but ``Off``."""
    import pikepdf

    normal = widget.get("/AP", {}).get("/N")
    if isinstance(normal, pikepdf.Stream) or not isinstance(normal, pikepdf.Dictionary):
        return []
    return [str(name)[1:] for name in normal.keys() if name != "/Off"]  # noqa: SIM118 - no mapping of Python


def choices_of(node: Node) -> list[tuple[str, str]]:
    """Pairs (stored value, shown text) of a choice field."""
    import pikepdf

    pairs = []
    for option in node.get("/Opt", []):
        if isinstance(option, pikepdf.Array) and len(option) == 2:
            pairs.append((str(option[0]), str(option[1])))
        else:
            pairs.append((str(option), str(option)))
    return pairs


def button_options(node: Node) -> list[tuple[int, str, str]]:
    """(number of the widget, state, option text) of a checkbox or a radio group."""
    texts = [str(option) for option in node.get("/Opt", [])]
    out = []
    for number, widget in enumerate(node.widgets):
        for state in states_of(widget):
            text = texts[number] if number < len(texts) and len(texts) == len(node.widgets) else state
            out.append((number, state, text))
    return out


def value_of(node: Node) -> str | bool | list[str] | None:
    """The value as `FormField` states it."""
    import pikepdf

    value = node.get("/V")
    kind = node.kind
    if kind == "checkbox":
        return _read_checked(node, value)
    if value is None or kind in ("signature", "button"):
        return None
    if kind == "radio":
        state = str(value).removeprefix("/")
        return None if state == "Off" else next((text for _, s, text in button_options(node) if s == state), state)
    display_texts = dict(choices_of(node))
    if isinstance(value, pikepdf.Array):
        return [display_texts.get(str(item), str(item)) for item in value]
    text = bytes(value.read_bytes()).decode("utf-8", "replace") if isinstance(value, pikepdf.Stream) else str(value)
    return display_texts.get(text, text.replace("\r\n", "\n").replace("\r", "\n"))


def _read_checked(node: Node, value: Any) -> bool | str:
    states = {state for _, state, _ in button_options(node)}
    state = str(value).removeprefix("/") if value is not None else "Off"
    if len(states) > 1 and state in states:
        return next(text for _, name, text in button_options(node) if name == state)
    return state not in ("Off", "")


def read_form(path: Path, password: str = "", offset: int = 0, limit: int = 200) -> PdfForm:
    """The fields of a file.

    Raises:
        Problem: the file cannot be read, or `offset` is beyond the end.
    """
    with open_pdf(path, password) as pdf:
        places = places_of(pdf)
        nodes = nodes_of(pdf)
        if offset and offset >= len(nodes):
            raise Problem(f"offset {offset} is beyond the end: there are {len(nodes)} fields; use offset=0")
        end = offset + limit
        fields = [_describe_field(node, places) for node in nodes[offset:end]]
        return PdfForm(path.name, len(nodes), fields, end if end < len(nodes) else None, form_note(pdf, nodes))


def form_note(pdf: Any, nodes: list[Node]) -> str:
    """What a reader must know about the form as a whole."""
    form = pdf.Root.get("/AcroForm")
    if form is None:
        return "the document has no form; stamp_pdf writes text at any place"
    if "/XFA" in form:
        return "an XFA form" + (" with AcroForm fields" if nodes else " without AcroForm fields: it cannot be filled")
    return ""


def places_of(pdf: Any) -> dict[Any, tuple[int, list[float]]]:
    """Page and box of each widget, by object number."""
    places = {}
    for number, page in enumerate(pdf.pages, start=1):
        space = space_of(page)
        for annot in page.obj.get("/Annots", []):
            if hasattr(annot, "get") and annot.get("/Subtype") == "/Widget" and "/Rect" in annot:
                places[annot.objgen] = (number, round_box(space.convert_box(annot["/Rect"])))
    return places


def _describe_field(node: Node, places: dict[Any, tuple[int, list[float]]]) -> FormField:
    at = [places[widget.objgen] for widget in node.widgets if widget.objgen in places]
    kind = node.kind
    options = (
        list(dict.fromkeys(text for _, _, text in button_options(node)))
        if kind in ("checkbox", "radio")
        else [display_text for _, display_text in choices_of(node)]
    )
    length = node.get("/MaxLen")
    page, box = at[0] if at else (None, None)
    return FormField(
        node.name,
        kind,
        value_of(node),
        options,
        page,
        box,
        str(node.get("/TU", "")),
        int(length) if length is not None else None,
        list(_flag_names(node)),
        0 if kind in ("checkbox", "radio") else max(len(at) - 1, 0),
    )


def _flag_names(node: Node) -> Iterator[str]:
    names = {READ_ONLY: "read_only", REQUIRED: "required"}
    if node.kind == "text":
        names |= {MULTILINE: "multiline", PASSWORD: "password", COMB: "comb"}
    if node.kind in ("dropdown", "list"):
        names |= {MULTI_SELECT: "multi_select", EDITABLE: "editable"}
    return (name for flag, name in names.items() if node.has(flag))
