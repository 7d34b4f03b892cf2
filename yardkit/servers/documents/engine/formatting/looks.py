"""Looks (bold, size, alignment, spacing ...) as run and paragraph properties, and back."""

from __future__ import annotations

from typing import Any

from yardkit.servers.documents.engine.markup.names import (
    TWIPS_PER_CM,
    VAL,
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
)
from yardkit.servers.documents.engine.markup.specs import Look
from yardkit.world import Problem

_HIGHLIGHTS = (
    *("black", "blue", "cyan", "green", "magenta", "red", "yellow", "white", "darkBlue", "darkCyan", "darkGreen"),
    *("darkMagenta", "darkRed", "darkYellow", "darkGray", "lightGray", "none"),
)
_TOGGLE_TAGS = {"bold": ("w:b", "w:bCs"), "italic": ("w:i", "w:iCs"), "strike": ("w:strike",)}
_PARAGRAPH_SWITCHES = {"keep_next": "w:keepNext", "keep_lines": "w:keepLines", "page_break_before": "w:pageBreakBefore"}
_CAPS_TAGS = {"all": ("w:caps", True), "small": ("w:smallCaps", True)}
_VERTICAL_ALIGNMENTS = {"super": "superscript", "sub": "subscript", "normal": "baseline"}
_JUSTIFICATIONS = {"left": "left", "center": "center", "right": "right", "justify": "both"}
_TAB_KINDS = ("left", "center", "right", "decimal")
_TAB_LEADERS = {"dot": "dot", "line": "underscore", "hyphen": "hyphen"}
_TEXT_KEYS = (
    "bold",
    "italic",
    "underline",
    "strike",
    "color",
    "highlight",
    "size_pt",
    "font",
    "vertical",
    "caps",
    "language",
)


def concerns_text(look: Look) -> bool:
    return any(getattr(look, name) is not None for name in _TEXT_KEYS)


def concerns_paragraphs(look: Look) -> bool:
    return any(value is not None for name, value in vars(look).items() if name not in _TEXT_KEYS)


def to_twips(cm: float) -> int:
    return round(cm * TWIPS_PER_CM)


def to_cm(measure: str | None) -> float | None:
    """Twentieths of a point as cm."""
    try:
        return None if measure is None else round(int(float(measure)) / TWIPS_PER_CM, 2)
    except ValueError:
        return None


def set_text_look(properties: Any, look: Look) -> None:
    """Write the text side of a look into a w:rPr."""
    for name, tags in _TOGGLE_TAGS.items():
        if (look_value := getattr(look, name)) is not None:
            for tag in tags:
                insert_child(properties, make_element(tag) if look_value else make_element(tag, val="0"))
    if look.underline:
        insert_child(properties, make_element("w:u", val=look.underline))
    if look.color:
        insert_child(properties, make_element("w:color", val="auto" if look.color == "none" else look.color.upper()))
    if look.highlight:
        insert_child(properties, make_element("w:highlight", val=_find_highlight(look.highlight)))
    if look.size_pt is not None:
        for tag in ("w:sz", "w:szCs"):
            insert_child(properties, make_element(tag, val=round(look.size_pt * 2)))
    _set_letters(properties, look)


def _set_letters(properties: Any, look: Look) -> None:
    if look.font:
        fonts = ensure_child(properties, "w:rFonts")
        for name in ("asciiTheme", "hAnsiTheme", "cstheme"):
            fonts.attrib.pop(qualify_name(f"w:{name}"), None)
        for name in ("ascii", "hAnsi", "cs"):
            fonts.set(qualify_name(f"w:{name}"), look.font)
    if look.vertical:
        insert_child(properties, make_element("w:vertAlign", val=_VERTICAL_ALIGNMENTS[look.vertical]))
    if look.caps:
        drop_children(properties, "w:caps")
        drop_children(properties, "w:smallCaps")
        caps_tag = _CAPS_TAGS.get(look.caps)
        for tag in ("w:caps", "w:smallCaps") if caps_tag is None else (caps_tag[0],):
            insert_child(properties, make_element(tag) if caps_tag else make_element(tag, val="0"))
    if look.language:
        ensure_child(properties, "w:lang").set(VAL, look.language)


def _find_highlight(name: str) -> str:
    known = {highlight.lower(): highlight for highlight in _HIGHLIGHTS}
    if name.lower() not in known:
        raise Problem(f"{name!r} is not a valid highlight; use {', '.join(_HIGHLIGHTS)}. Use shading for other colours")
    return known[name.lower()]


def set_paragraph_look(properties: Any, look: Look) -> None:
    """Write the paragraph side of a look into a w:pPr."""
    for name, tag in _PARAGRAPH_SWITCHES.items():
        if (look_value := getattr(look, name)) is not None:
            insert_child(properties, make_element(tag) if look_value else make_element(tag, val="0"))
    if look.align:
        insert_child(properties, make_element("w:jc", val=_JUSTIFICATIONS[look.align]))
    if look.shading:
        insert_child(properties, make_shading(look.shading))
    if look.border:
        _set_border(properties, look.border)
    if look.tabs is not None:
        _set_tabs(properties, look.tabs)
    if look.outline_level is not None:
        insert_child(properties, make_element("w:outlineLvl", val=look.outline_level - 1 if look.outline_level else 9))
    _set_spacing(properties, look)
    _set_indents(properties, look)


def make_shading(color: str) -> Any:
    return make_element("w:shd", val="clear", color="auto", fill="auto" if color == "none" else color.upper())


def _set_spacing(properties: Any, look: Look) -> None:
    values: dict[str, object] = {}
    if look.before_pt is not None:
        values["before"] = round(look.before_pt * 20)
    if look.after_pt is not None:
        values["after"] = round(look.after_pt * 20)
    if look.line_spacing is not None:
        values |= {"line": round(look.line_spacing * 240), "lineRule": "auto"}
    if values:
        spacing = ensure_child(properties, "w:spacing")
        for name, value in values.items():
            spacing.attrib.pop(qualify_name(f"w:{name}Autospacing"), None)
            spacing.set(qualify_name(f"w:{name}"), str(value))


def _set_indents(properties: Any, look: Look) -> None:
    if look.left_cm is None and look.right_cm is None and look.first_line_cm is None:
        return
    indent = ensure_child(properties, "w:ind")
    for side, other, value in (("left", "start", look.left_cm), ("right", "end", look.right_cm)):
        if value is not None:
            indent.attrib.pop(qualify_name(f"w:{other}"), None)
            indent.set(qualify_name(f"w:{side}"), str(to_twips(value)))
    if look.first_line_cm is not None:
        for name in ("firstLine", "hanging", "firstLineChars", "hangingChars"):
            indent.attrib.pop(qualify_name(f"w:{name}"), None)
        name = "firstLine" if look.first_line_cm >= 0 else "hanging"
        indent.set(qualify_name(f"w:{name}"), str(abs(to_twips(look.first_line_cm))))


def _set_border(properties: Any, border: str) -> None:
    drop_children(properties, "w:pBdr")
    sides = ("top", "left", "bottom", "right")
    border_sides = () if border == "none" else sides if border == "box" else (border,)
    if border == "none":
        insert_child(properties, make_element("w:pBdr", *(make_element(f"w:{side}", val="nil") for side in sides)))
    else:
        lines = (make_element(f"w:{side}", val="single", sz=6, space=4, color="808080") for side in border_sides)
        insert_child(properties, make_element("w:pBdr", *lines))


def _set_tabs(properties: Any, tabs: list[str]) -> None:
    drop_children(properties, "w:tabs")
    stops = [_parse_tab(text) for text in tabs]
    if stops:
        insert_child(
            properties, make_element("w:tabs", *sorted(stops, key=lambda stop: int(stop.get(qualify_name("w:pos")))))
        )


def _parse_tab(text: str) -> Any:
    words = text.split()
    try:
        position = to_twips(float(words[0]))
    except (ValueError, IndexError) as error:
        raise Problem(f"{text!r} is not a valid tab stop; use '8 center' or '16 right dot', in cm") from error
    kinds = [word for word in words[1:] if word in _TAB_KINDS]
    leaders = [word for word in words[1:] if word in _TAB_LEADERS]
    if len(kinds) + len(leaders) != len(words) - 1:
        raise Problem(
            f"{text!r} is not a valid tab stop: kinds are {', '.join(_TAB_KINDS)}; leaders {', '.join(_TAB_LEADERS)}"
        )
    leader = _TAB_LEADERS[leaders[0]] if leaders else None
    return make_element("w:tab", val=kinds[0] if kinds else "left", leader=leader, pos=position)


def text_look(properties: Any) -> dict[str, object]:
    """The direct text formats of a w:rPr, in the words of `Look`."""
    look_values: dict[str, object] = {}
    for name, tags in _TOGGLE_TAGS.items():
        look_values[name] = is_on(properties, tags[0])
    look_values["underline"] = get_value(properties, "w:u")
    look_values["color"] = get_value(properties, "w:color")
    look_values["highlight"] = get_value(properties, "w:highlight")
    size = get_value(properties, "w:sz")
    look_values["size_pt"] = int(size) / 2 if size and size.isdigit() else None
    look_values["font"] = get_attribute(find_element(properties, "w:rFonts"), "w:ascii")
    look_values["vertical"] = {"superscript": "super", "subscript": "sub"}.get(
        get_value(properties, "w:vertAlign") or ""
    )
    look_values["caps"] = (
        "all" if is_on(properties, "w:caps") else "small" if is_on(properties, "w:smallCaps") else None
    )
    look_values["language"] = get_value(properties, "w:lang")
    look_values["shading"] = _get_fill(properties)
    return {name: value for name, value in look_values.items() if value is not None}


def paragraph_look(properties: Any) -> dict[str, object]:
    """The direct paragraph formats of a w:pPr, in the words of `Look`."""
    spacing, indent = find_element(properties, "w:spacing"), find_element(properties, "w:ind")
    justify = get_value(properties, "w:jc")
    look_values: dict[str, object | None] = {name: is_on(properties, tag) for name, tag in _PARAGRAPH_SWITCHES.items()}
    look_values["align"] = {"both": "justify", "start": "left", "end": "right"}.get(justify or "", justify)
    look_values["before_pt"] = _to_points(get_attribute(spacing, "w:before"))
    look_values["after_pt"] = _to_points(get_attribute(spacing, "w:after"))
    line = get_attribute(spacing, "w:line")
    if line:
        rule = {"exact": "exactly", "atLeast": "at least"}.get(get_attribute(spacing, "w:lineRule") or "")
        look_values["line_spacing"] = f"{rule} {_to_points(line) or 0:g} pt" if rule else round(float(line) / 240, 2)
    look_values["left_cm"] = to_cm(get_attribute(indent, "w:left", get_attribute(indent, "w:start")))
    look_values["right_cm"] = to_cm(get_attribute(indent, "w:right", get_attribute(indent, "w:end")))
    hanging = to_cm(get_attribute(indent, "w:hanging"))
    look_values["first_line_cm"] = -hanging if hanging else to_cm(get_attribute(indent, "w:firstLine"))
    look_values["shading"] = _get_fill(properties)
    look_values["border"] = _describe_borders(find_element(properties, "w:pBdr"))
    level = get_value(properties, "w:outlineLvl")
    look_values["outline_level"] = (int(level) + 1) % 10 if level and level.isdigit() else None
    look_values["tabs"] = [_tab_text(tab) for tab in find_all(properties, "w:tabs/w:tab")] or None
    return {name: value for name, value in look_values.items() if value is not None}


def _get_fill(properties: Any) -> str | None:
    fill = get_attribute(find_element(properties, "w:shd"), "w:fill")
    return None if fill in (None, "auto") else fill


def _describe_borders(borders: Any) -> str | None:
    """The sides of a paragraph that have a line."""
    if borders is None:
        return None
    sides = [
        str(border.tag).rpartition("}")[2]
        for border in borders
        if get_attribute(border, "w:val") not in (None, "nil", "none")
    ]
    return "box" if {"top", "left", "bottom", "right"} <= {*sides} else ", ".join(sides) or None


def _tab_text(tab: Any) -> str:
    leader = {"underscore": "line"}.get(get_attribute(tab, "w:leader") or "", get_attribute(tab, "w:leader") or "")
    words = [
        f"{to_cm(get_attribute(tab, 'w:pos')) or 0:g}",
        get_attribute(tab, "w:val") or "left",
        "" if leader == "none" else leader,
    ]
    return " ".join(word for word in words if word)


def _to_points(measure: str | None) -> float | None:
    try:
        return None if measure is None else int(measure) / 20
    except ValueError:
        return None
