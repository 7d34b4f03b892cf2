"""Looks (bold, size, alignment, spacing ...) as run and paragraph properties, and back."""

from __future__ import annotations

from typing import Any

from yardkit.servers.documents.engine.markup.names import (
    TWIPS_PER_CM,
    VAL,
    drop,
    ensure,
    find,
    find_all,
    get,
    is_on,
    make,
    place,
    q,
    val,
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


def twips(cm: float) -> int:
    return round(cm * TWIPS_PER_CM)


def cm(measure: str | None) -> float | None:
    """Twentieths of a point as cm."""
    try:
        return None if measure is None else round(int(float(measure)) / TWIPS_PER_CM, 2)
    except ValueError:
        return None


def set_text_look(properties: Any, look: Look) -> None:
    """Write the text side of a look into a w:rPr."""
    for name, tags in _TOGGLE_TAGS.items():
        if (wanted := getattr(look, name)) is not None:
            for tag in tags:
                place(properties, make(tag) if wanted else make(tag, val="0"))
    if look.underline:
        place(properties, make("w:u", val=look.underline))
    if look.color:
        place(properties, make("w:color", val="auto" if look.color == "none" else look.color.upper()))
    if look.highlight:
        place(properties, make("w:highlight", val=_highlight(look.highlight)))
    if look.size_pt is not None:
        for tag in ("w:sz", "w:szCs"):
            place(properties, make(tag, val=round(look.size_pt * 2)))
    _set_letters(properties, look)


def _set_letters(properties: Any, look: Look) -> None:
    if look.font:
        fonts = ensure(properties, "w:rFonts")
        for name in ("asciiTheme", "hAnsiTheme", "cstheme"):
            fonts.attrib.pop(q(f"w:{name}"), None)
        for name in ("ascii", "hAnsi", "cs"):
            fonts.set(q(f"w:{name}"), look.font)
    if look.vertical:
        place(properties, make("w:vertAlign", val=_VERTICAL_ALIGNMENTS[look.vertical]))
    if look.caps:
        drop(properties, "w:caps")
        drop(properties, "w:smallCaps")
        wanted = _CAPS_TAGS.get(look.caps)
        for tag in ("w:caps", "w:smallCaps") if wanted is None else (wanted[0],):
            place(properties, make(tag) if wanted else make(tag, val="0"))
    if look.language:
        ensure(properties, "w:lang").set(VAL, look.language)


def _highlight(name: str) -> str:
    known = {highlight.lower(): highlight for highlight in _HIGHLIGHTS}
    if name.lower() not in known:
        raise Problem(f"{name!r} is not a valid highlight; use {', '.join(_HIGHLIGHTS)}. Use shading for other colours")
    return known[name.lower()]


def set_paragraph_look(properties: Any, look: Look) -> None:
    """Write the paragraph side of a look into a w:pPr."""
    for name, tag in _PARAGRAPH_SWITCHES.items():
        if (wanted := getattr(look, name)) is not None:
            place(properties, make(tag) if wanted else make(tag, val="0"))
    if look.align:
        place(properties, make("w:jc", val=_JUSTIFICATIONS[look.align]))
    if look.shading:
        place(properties, shading(look.shading))
    if look.border:
        _set_border(properties, look.border)
    if look.tabs is not None:
        _set_tabs(properties, look.tabs)
    if look.outline_level is not None:
        place(properties, make("w:outlineLvl", val=look.outline_level - 1 if look.outline_level else 9))
    _set_spacing(properties, look)
    _set_indents(properties, look)


def shading(color: str) -> Any:
    return make("w:shd", val="clear", color="auto", fill="auto" if color == "none" else color.upper())


def _set_spacing(properties: Any, look: Look) -> None:
    values: dict[str, object] = {}
    if look.before_pt is not None:
        values["before"] = round(look.before_pt * 20)
    if look.after_pt is not None:
        values["after"] = round(look.after_pt * 20)
    if look.line_spacing is not None:
        values |= {"line": round(look.line_spacing * 240), "lineRule": "auto"}
    if values:
        spacing = ensure(properties, "w:spacing")
        for name, value in values.items():
            spacing.attrib.pop(q(f"w:{name}Autospacing"), None)
            spacing.set(q(f"w:{name}"), str(value))


def _set_indents(properties: Any, look: Look) -> None:
    if look.left_cm is None and look.right_cm is None and look.first_line_cm is None:
        return
    indent = ensure(properties, "w:ind")
    for side, other, value in (("left", "start", look.left_cm), ("right", "end", look.right_cm)):
        if value is not None:
            indent.attrib.pop(q(f"w:{other}"), None)
            indent.set(q(f"w:{side}"), str(twips(value)))
    if look.first_line_cm is not None:
        for name in ("firstLine", "hanging", "firstLineChars", "hangingChars"):
            indent.attrib.pop(q(f"w:{name}"), None)
        name = "firstLine" if look.first_line_cm >= 0 else "hanging"
        indent.set(q(f"w:{name}"), str(abs(twips(look.first_line_cm))))


def _set_border(properties: Any, border: str) -> None:
    drop(properties, "w:pBdr")
    sides = ("top", "left", "bottom", "right")
    wanted = () if border == "none" else sides if border == "box" else (border,)
    if border == "none":
        place(properties, make("w:pBdr", *(make(f"w:{side}", val="nil") for side in sides)))
    else:
        lines = (make(f"w:{side}", val="single", sz=6, space=4, color="808080") for side in wanted)
        place(properties, make("w:pBdr", *lines))


def _set_tabs(properties: Any, tabs: list[str]) -> None:
    drop(properties, "w:tabs")
    stops = [_tab(text) for text in tabs]
    if stops:
        place(properties, make("w:tabs", *sorted(stops, key=lambda stop: int(stop.get(q("w:pos"))))))


def _tab(text: str) -> Any:
    words = text.split()
    try:
        position = twips(float(words[0]))
    except (ValueError, IndexError) as error:
        raise Problem(f"{text!r} is not a valid tab stop; use '8 center' or '16 right dot', in cm") from error
    kinds = [word for word in words[1:] if word in _TAB_KINDS]
    leaders = [word for word in words[1:] if word in _TAB_LEADERS]
    if len(kinds) + len(leaders) != len(words) - 1:
        raise Problem(
            f"{text!r} is not a valid tab stop: kinds are {', '.join(_TAB_KINDS)}; leaders {', '.join(_TAB_LEADERS)}"
        )
    leader = _TAB_LEADERS[leaders[0]] if leaders else None
    return make("w:tab", val=kinds[0] if kinds else "left", leader=leader, pos=position)


def text_look(properties: Any) -> dict[str, object]:
    """The direct text formats of a w:rPr, in the words of `Look`."""
    found: dict[str, object] = {}
    for name, tags in _TOGGLE_TAGS.items():
        found[name] = is_on(properties, tags[0])
    found["underline"] = val(properties, "w:u")
    found["color"] = val(properties, "w:color")
    found["highlight"] = val(properties, "w:highlight")
    size = val(properties, "w:sz")
    found["size_pt"] = int(size) / 2 if size and size.isdigit() else None
    found["font"] = get(find(properties, "w:rFonts"), "w:ascii")
    found["vertical"] = {"superscript": "super", "subscript": "sub"}.get(val(properties, "w:vertAlign") or "")
    found["caps"] = "all" if is_on(properties, "w:caps") else "small" if is_on(properties, "w:smallCaps") else None
    found["language"] = val(properties, "w:lang")
    found["shading"] = _fill(properties)
    return {name: value for name, value in found.items() if value is not None}


def paragraph_look(properties: Any) -> dict[str, object]:
    """The direct paragraph formats of a w:pPr, in the words of `Look`."""
    spacing, indent = find(properties, "w:spacing"), find(properties, "w:ind")
    justify = val(properties, "w:jc")
    found: dict[str, object | None] = {name: is_on(properties, tag) for name, tag in _PARAGRAPH_SWITCHES.items()}
    found["align"] = {"both": "justify", "start": "left", "end": "right"}.get(justify or "", justify)
    found["before_pt"] = _points(get(spacing, "w:before"))
    found["after_pt"] = _points(get(spacing, "w:after"))
    line = get(spacing, "w:line")
    if line:
        rule = {"exact": "exactly", "atLeast": "at least"}.get(get(spacing, "w:lineRule") or "")
        found["line_spacing"] = f"{rule} {_points(line) or 0:g} pt" if rule else round(float(line) / 240, 2)
    found["left_cm"] = cm(get(indent, "w:left", get(indent, "w:start")))
    found["right_cm"] = cm(get(indent, "w:right", get(indent, "w:end")))
    hanging = cm(get(indent, "w:hanging"))
    found["first_line_cm"] = -hanging if hanging else cm(get(indent, "w:firstLine"))
    found["shading"] = _fill(properties)
    found["border"] = _drawn(find(properties, "w:pBdr"))
    level = val(properties, "w:outlineLvl")
    found["outline_level"] = (int(level) + 1) % 10 if level and level.isdigit() else None
    found["tabs"] = [_tab_text(tab) for tab in find_all(properties, "w:tabs/w:tab")] or None
    return {name: value for name, value in found.items() if value is not None}


def _fill(properties: Any) -> str | None:
    fill = get(find(properties, "w:shd"), "w:fill")
    return None if fill in (None, "auto") else fill


def _drawn(borders: Any) -> str | None:
    """The sides of a paragraph that have a line."""
    if borders is None:
        return None
    sides = [
        str(border.tag).rpartition("}")[2] for border in borders if get(border, "w:val") not in (None, "nil", "none")
    ]
    return "box" if {"top", "left", "bottom", "right"} <= {*sides} else ", ".join(sides) or None


def _tab_text(tab: Any) -> str:
    leader = {"underscore": "line"}.get(get(tab, "w:leader") or "", get(tab, "w:leader") or "")
    words = [f"{cm(get(tab, 'w:pos')) or 0:g}", get(tab, "w:val") or "left", "" if leader == "none" else leader]
    return " ".join(word for word in words if word)


def _points(measure: str | None) -> float | None:
    try:
        return None if measure is None else int(measure) / 20
    except ValueError:
        return None
