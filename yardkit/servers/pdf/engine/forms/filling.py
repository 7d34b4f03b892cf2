"""Fill forms: values and appearances, read back from the saved file before anything is reported."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.servers.pdf.engine.content.glyphs import text_of_form
from yardkit.servers.pdf.engine.drawing import fonts
from yardkit.servers.pdf.engine.drawing.overlay import Sheets
from yardkit.servers.pdf.engine.drawing.shaping import is_private, is_shaped
from yardkit.servers.pdf.engine.forms.fields import (
    EDITABLE,
    MULTI_SELECT,
    MULTILINE,
    PASSWORD,
    READ_ONLY,
    Node,
    button_options,
    choices_of,
    nodes_of,
    states_of,
    value_of,
)
from yardkit.servers.pdf.engine.forms.flattening import flatten_widgets
from yardkit.servers.pdf.engine.forms.widget_appearances import Pen
from yardkit.servers.pdf.engine.package.document import open_pdf, save_pdf, warnings_of
from yardkit.servers.pdf.engine.reading.text_folding import normalize_text
from yardkit.world import Problem

PRELOAD = ("pikepdf", "reportlab.pdfgen.canvas", "reportlab.pdfbase.ttfonts", "pypdfium2")
Value = str | bool | float | list[str] | None


@dataclass(frozen=True)
class Filled:
    """What the saved file says after filling.

    Attributes:
        values: of the filled fields, read back from the saved file; empty after flattening.
        warnings: what a person must know (text that is cut off, signatures, calculations).
    """

    values: dict[str, str | bool | list[str] | None]
    warnings: list[str] = field(default_factory=list)


def fill_form(source: Path, target: Path, password: str, values: dict[str, Value], flatten: bool = False) -> Filled:
    """Set the values of fields by their names, renew their appearances, and read back what was saved.

    Args:
        source: the file.
        target: where to write.
        password: of the file.
        values: by the full name of the field; true/false or a state for check boxes, an option for radio groups and
            dropdowns, a list of options for list boxes, null to clear.
        flatten: make the filled form part of the pages.

    Raises:
        Problem: no such field, a value that it does not admit, a field that cannot be filled; nothing is written then.
    """
    with open_pdf(source, password, strict=True) as pdf:
        nodes = nodes_of(pdf)
        chosen = {name: _find_node(nodes, name, pdf) for name in values}
        pen = Pen(pdf)
        for name, value in values.items():
            _set_value(pen, chosen[name], value)
        pen.finish()
        warnings = [
            *pen.warnings,
            *_list_warnings(pdf, nodes, chosen),
            *warnings_of(pdf, "change" if flatten else "fill forms"),
        ]
        save_pdf(pdf, target)
    read_back = _read_back(target, password, {node.name: values[name] for name, node in chosen.items()})
    if flatten:
        with open_pdf(target, password) as pdf:
            flatten_widgets(pdf)
            data = target.with_name(target.name + ".flat")
            save_pdf(pdf, data)
        data.replace(target)
    return Filled(read_back, warnings)


def _find_node(nodes: list[Node], name: str, pdf: Any) -> Node:
    exact = [node for node in nodes if node.name == name]
    ending = [
        node
        for node in nodes
        if node.name.lower().rsplit(".", 1)[-1] == name.lower() or node.name.lower() == name.lower()
    ]
    matching_nodes = exact or (ending if len(ending) == 1 else [])
    if matching_nodes:
        return matching_nodes[0]
    if not nodes:
        hint = (
            "it is an XFA form without AcroForm fields" if "/XFA" in pdf.Root.get("/AcroForm", {}) else "it has no form"
        )
        raise Problem(f"the field {name!r} does not exist: {hint}; use stamp_pdf to write text anywhere")
    near = difflib.get_close_matches(name, [node.name for node in nodes], 5, 0.3) or [node.name for node in nodes[:8]]
    raise Problem(
        f"the field {name!r} does not exist; nearest: {', '.join(map(repr, near))}. read_pdf_form lists all "
        f"{len(nodes)}"
    )


def _set_value(pen: Pen, node: Node, value: Value) -> None:
    kind = node.kind
    if node.has(READ_ONLY):
        raise Problem(f"the field {node.name!r} is read-only; leave it out")
    if kind in ("button", "signature", "unknown"):
        raise Problem(f"the field {node.name!r} is a {kind} and cannot hold a value; leave it out")
    if kind == "text":
        _set_text(pen, node, value)
    elif kind in ("checkbox", "radio"):
        _set_button(pen, node, value)
    else:
        _set_choice(pen, node, value)


def _to_text(value: Value, name: str) -> str:
    if isinstance(value, bool | list):
        raise Problem(f"the field {name!r} takes text, not {value!r}")
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _set_text(pen: Pen, node: Node, value: Value) -> None:
    import pikepdf

    text = _to_text(value, node.name).replace("\r\n", "\n").replace("\r", "\n")
    length = node.get("/MaxLen")
    if length is not None and len(text) > int(length):
        raise Problem(f"the field {node.name!r} takes at most {int(length)} characters; {text!r} has {len(text)}")
    if "\n" in text and not node.has(MULTILINE):
        raise Problem(f"the field {node.name!r} takes one line; {text!r} has several")
    _check_drawable(node, text)
    node.obj["/V"] = pikepdf.String(text.replace("\n", "\r"))
    if "/RV" in node.obj:
        del node.obj["/RV"]
    pen.text(node, text)


def _check_drawable(node: Node, text: str) -> None:
    unseen = fonts.explain_missing_letters(text)
    if unseen:
        raise Problem(f"the field {node.name!r} cannot show {text!r}: {unseen}")


def _set_button(pen: Pen, node: Node, value: Value) -> None:
    """Value and states of a check box or radio group; widgets without appearances get them."""
    import pikepdf

    for number, widget in enumerate(node.widgets):
        if not states_of(widget):
            pen.draw_marks(node, widget, "Yes" if node.kind == "checkbox" else str(number))
    pen.finish()
    pen.drawings, pen.sheets = [], Sheets()
    options = button_options(node)
    state, only = _choose_state(node, options, value)
    node.obj["/V"] = pikepdf.Name("/" + state)
    for number, widget in enumerate(node.widgets):
        on = state in states_of(widget) and (only is None or only == number or state_is_shared(node, options))
        widget["/AS"] = pikepdf.Name("/" + (state if on else "Off"))


def state_is_shared(node: Node, options: list[tuple[int, str, str]]) -> bool:
    """Whether equal states mean equal values (no texts of their own): then they go on and off together."""
    return node.get("/Opt") is None or all(state == text for _, state, text in options)


def _choose_state(node: Node, options: list[tuple[int, str, str]], value: Value) -> tuple[str, int | None]:
    if value is None or value is False:
        return "Off", None
    if value is True and node.kind == "checkbox" and options:
        return options[0][1], None
    state_name = str(value)
    for spelling in (str, str.lower):
        for number, state, text in options:
            if spelling(state_name) in (spelling(text), spelling(state)):
                return state, number
    if node.kind == "checkbox" and state_name.lower() in ("off", "no", "false", ""):
        return "Off", None
    if node.kind == "checkbox" and state_name.lower() in ("on", "yes", "true", "x") and options:
        return options[0][1], None
    admits = ", ".join(repr(text) for text in dict.fromkeys(text for _, _, text in options))
    truth = "true, false, " if node.kind == "checkbox" else "null, "
    raise Problem(f"the field {node.name!r} does not accept {value!r}; it takes {truth}{admits}")


def _set_choice(pen: Pen, node: Node, value: Value) -> None:
    chosen_texts = (
        []
        if value is None
        else [str(name) for name in value]
        if isinstance(value, list)
        else [_to_text(value, node.name)]
    )
    pairs = choices_of(node)
    if len(chosen_texts) > 1 and not node.has(MULTI_SELECT):
        raise Problem(f"the field {node.name!r} takes one option, not {len(chosen_texts)}")
    stored, numbers = [], []
    for name in chosen_texts:
        number = next((n for n, pair in enumerate(pairs) if name in pair), None)
        if number is None and not (node.kind == "dropdown" and node.has(EDITABLE)):
            option_list = ", ".join(repr(text) for _, text in pairs[:30])
            raise Problem(f"the field {node.name!r} does not accept {name!r}; it takes {option_list}")
        stored.append(name if number is None else pairs[number][0])
        numbers += [] if number is None else [number]
    _store_choice(node, stored, sorted(numbers))
    if node.kind == "dropdown":
        option_list = dict(pairs).get(stored[0], stored[0]) if stored else ""
        _check_drawable(node, option_list)
        pen.text(node, option_list)
    else:
        pen.options(node, stored)


def _store_choice(node: Node, stored: list[str], numbers: list[int]) -> None:
    import pikepdf

    for key in ("/V", "/I"):
        if key in node.obj:
            del node.obj[key]
    if stored:
        texts = [pikepdf.String(name) for name in stored]
        node.obj["/V"] = texts[0] if len(texts) == 1 else pikepdf.Array(texts)
    if numbers and node.kind == "list":
        node.obj["/I"] = pikepdf.Array(numbers)


def _list_warnings(pdf: Any, nodes: list[Node], chosen: dict[str, Node]) -> list[str]:
    """Calculations and scripts are not run; an XFA copy of the data would contradict the fields."""
    form = pdf.Root.AcroForm
    warnings = []
    if "/XFA" in form:
        del form["/XFA"]
        warnings.append("the XFA copy of the form was removed, so that viewers show the filled fields")
    filled = {node.obj.objgen for node in chosen.values()}
    computed = [node.name for node in nodes if "/C" in node.obj.get("/AA", {}) and node.obj.objgen not in filled]
    if computed:
        warnings.append(f"these fields are computed by scripts, which are not run: {', '.join(computed[:20])}")
    return warnings


def _read_back(target: Path, password: str, expected_values: dict[str, Value]) -> dict[str, Any]:
    """The values of the saved file, each also seen in its appearance.

    Raises:
        Problem: the saved file does not show a value.
    """
    with open_pdf(target, password) as pdf:
        nodes = {node.name: node for node in nodes_of(pdf)}
        for name in expected_values:
            node = nodes[name]
            if not _has_value(node):
                raise Problem(f"the field {name!r} does not show its value in the saved file; nothing was changed")
        return {name: value_of(nodes[name]) for name in expected_values}


def _has_value(node: Node) -> bool:
    if node.kind in ("checkbox", "radio"):
        state = str(node.get("/V", "/Off"))
        appearance_states = {str(widget.get("/AS", "/Off")) for widget in node.widgets}
        return appearance_states == {"/Off"} if state == "/Off" else state in appearance_states
    if node.kind == "list":
        return all("/N" in widget.get("/AP", {}) for widget in node.widgets)
    value = value_of(node)
    text = value if isinstance(value, str) else ""
    letters = "*" * len(text) if node.kind == "text" and node.has(PASSWORD) else text
    return all(_is_drawn(letters, text_of_form(widget["/AP"]["/N"])) for widget in node.widgets)


def _is_drawn(text: str, drawn: str) -> bool:
    """Whether what is drawn is a text, whose letters may be joined, and stand from right to left."""
    if not is_shaped(text):
        return _normalize_letters(drawn) == _normalize_letters(text)
    return sorted(_normalize_letters(drawn)) == sorted(_normalize_letters(text)) or any(map(is_private, drawn))


def _normalize_letters(text: str) -> str:
    return "".join(normalize_text(text).split())
