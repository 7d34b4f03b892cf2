"""Office Math back to LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from yardkit.servers.documents.engine.formulas.math_symbols import (
    ACCENTS,
    DELIMITERS,
    FONTS,
    FUNCTIONS,
    GROUPS,
    INTEGRALS,
    LIMITS,
    NARY,
    map_commands,
)
from yardkit.servers.documents.engine.formulas.omml import read_look
from yardkit.servers.documents.engine.markup.names import find_element, get_attribute, qualify_name

_LEFT = {character: token for token, character in reversed(DELIMITERS.items())} | {"": "."}
_BY_STYLE = {value: name for name, value in reversed(FONTS.items())}
_BY_ACCENT = {character: name for name, character in reversed(ACCENTS.items())} | {
    "\u0304": "bar", "¯": "bar", "^": "hat", "~": "tilde", "→": "vec", "̅": "bar",
}  # fmt: skip
_BY_NARY = {character: token for token, character in NARY.items()}
_FENCED_MATRICES = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("{", "}"): "Bmatrix", ("|", "|"): "vmatrix"}
_FENCED_MATRICES |= {("‖", "‖"): "Vmatrix", ("{", ""): "cases"}
_TEXT_ESCAPES = {"\\": "\\textbackslash{}"} | {name: f"\\{name}" for name in "{}$%&#_"}


def to_latex(formula: Any) -> str:
    """LaTeX of an m:oMath, or of several in an m:oMathPara, one a line."""
    if formula.tag == qualify_name("m:oMathPara"):
        return " \\\\ ".join(to_latex(element) for element in formula.iterfind(qualify_name("m:oMath")))
    return _write_row(formula).strip()


def _write_row(parent: Any) -> str:
    """The children of an element one after the other; a command is kept apart from a letter behind it."""
    row_text = ""
    for child in [] if parent is None else parent:
        piece = _write_element(child)
        if row_text and re.search(r"\\[A-Za-z]+$", row_text) and piece[:1].isalpha():
            row_text += " "
        row_text += piece
    return row_text


def _write_element(child: Any) -> str:
    if not isinstance(child.tag, str):
        return ""
    writer = _WRITERS.get(child.tag)
    if writer is not None:
        return writer(child)
    name = child.tag.partition("}")[2]
    return "" if name.endswith("Pr") else _write_row(child)


def _write_braced(parent: Any) -> str:
    return "{" + _write_row(parent).strip() + "}"


def _write_part(parent: Any, name: str) -> str:
    return _write_braced(find_element(parent, f"m:{name}"))


def _read_property(parent: Any, path: str, default: str = "") -> str:
    return get_attribute(find_element(parent, path), "m:val", default) or ""


def _run(element: Any) -> str:
    script, style, text = read_look(element)
    words = "".join(piece.text or "" for piece in element.iter(qualify_name("m:t"), qualify_name("w:t")))
    if text:
        return "\\text{" + "".join(_TEXT_ESCAPES.get(word, word) for word in words) + "}" if words else ""
    in_lines = next(element.iterancestors(qualify_name("m:eqArr")), None) is not None
    symbol_text = _write_symbols(words, aligned=in_lines)
    name = _BY_STYLE.get((script, style)) or _BY_STYLE.get((script, None)) if script or style else None
    return f"\\{name}{{{symbol_text.strip()}}}" if name and symbol_text else symbol_text


def _write_symbols(words: str, *, aligned: bool) -> str:
    table = map_commands()
    symbol_text = ""
    for letter in words:
        piece = "&" if letter == "&" and aligned else table.get(letter, letter)
        if piece[:1].isalpha() and re.search(r"\\[A-Za-z]+$", symbol_text):
            symbol_text += " "
        symbol_text += piece
    return symbol_text


def _write_scripted(element: Any) -> str:
    base = _write_row(find_element(element, "m:e")).strip()
    is_single_token = re.fullmatch(r"[A-Za-z]|\d+(?:[.,]\d+)*|\\[A-Za-z]+", base) and base not in _ARGUMENT_TAKERS
    scripted_text = base if is_single_token else f"{{{base}}}"
    for name, mark in (("sub", "_"), ("sup", "^")):
        if find_element(element, f"m:{name}") is not None:
            scripted_text += mark + _write_part(element, name)
    return scripted_text


_ARGUMENT_TAKERS = {*NARY, *FUNCTIONS, *LIMITS}


def _pre_scripted(element: Any) -> str:
    return f"{{}}_{_write_part(element, 'sub')}^{_write_part(element, 'sup')}{_write_part(element, 'e')}"


def _write_fraction(element: Any) -> str:
    if _read_property(element, "m:fPr/m:type") == "lin":
        return f"{_write_part(element, 'num')}/{_write_part(element, 'den')}"
    if _read_property(element, "m:fPr/m:type") == "noBar":
        return f"\\binom{_write_part(element, 'num')}{_write_part(element, 'den')}"
    return f"\\frac{_write_part(element, 'num')}{_write_part(element, 'den')}"


def _write_radical(element: Any) -> str:
    degree = _write_row(find_element(element, "m:deg")).strip()
    return f"\\sqrt[{degree}]{_write_part(element, 'e')}" if degree else f"\\sqrt{_write_part(element, 'e')}"


def _write_nary(element: Any) -> str:
    character = _read_property(element, "m:naryPr/m:chr", "∫")
    operator_text = _BY_NARY.get(character, character)
    usual = "subSup" if character in INTEGRALS else "undOvr"
    location = _read_property(element, "m:naryPr/m:limLoc", usual)
    operator_text += "" if location == usual else "\\limits" if location == "undOvr" else "\\nolimits"
    for name, mark in (("sub", "_"), ("sup", "^")):
        hidden = _read_property(element, f"m:naryPr/m:{name}Hide", "0") in ("1", "on", "true")
        if not hidden and find_element(element, f"m:{name}") is not None:
            operator_text += mark + _write_part(element, name)
    return operator_text + _write_part(element, "e")


def _write_function(element: Any) -> str:
    name = find_element(element, "m:fName")
    return _function_name(name) + _write_part(element, "e")


def _function_name(parent: Any) -> str:
    """The name of a function with what stands below, above or beside it."""
    only = [child for child in parent if not child.tag.endswith("Pr")]
    if len(only) != 1:
        return f"\\operatorname{_write_braced(parent)}"
    first = only[0]
    inner = find_element(first, "m:e")
    if first.tag == qualify_name("m:limLow"):
        base = _function_name(inner)
        starred = base.replace("\\operatorname{", "\\operatorname*{")
        return f"{starred}_{_write_part(first, 'lim')}"
    if first.tag in (qualify_name("m:sSup"), qualify_name("m:sSub"), qualify_name("m:sSubSup")):
        marks = (("sub", "_"), ("sup", "^"))
        return _function_name(inner) + "".join(
            mark + _write_part(first, name) for name, mark in marks if find_element(first, f"m:{name}") is not None
        )
    if first.tag != qualify_name("m:r"):
        return _write_braced(parent)
    word = "".join(first.itertext(qualify_name("m:t")))
    known = next((token for token, value in LIMITS.items() if value == word), f"\\{word}")
    return (
        known if known in FUNCTIONS or known in LIMITS else f"\\operatorname{{{_write_symbols(word, aligned=False)}}}"
    )


def _write_fenced(element: Any) -> str:
    begin, end = _read_property(element, "m:dPr/m:begChr", "("), _read_property(element, "m:dPr/m:endChr", ")")
    parts = element.findall(qualify_name("m:e"))
    inside = [child for child in parts[0] if not child.tag.endswith("Pr")] if len(parts) == 1 else []
    if len(inside) == 1 and inside[0].tag == qualify_name("m:m") and (begin, end) in _FENCED_MATRICES:
        return _write_grid(inside[0], _FENCED_MATRICES[begin, end])
    if len(inside) == 1 and _read_property(inside[0], "m:fPr/m:type") == "noBar" and (begin, end) == ("(", ")"):
        return _write_fraction(inside[0])
    separator = _write_fence(_read_property(element, "m:dPr/m:sepChr", "|"))
    middle = f" \\middle{separator} ".join(_write_row(part).strip() for part in parts)
    return f"\\left{_write_fence(begin)} {middle} \\right{_write_fence(end)}"


def _write_fence(character: str) -> str:
    token = _LEFT.get(character, character)
    return f"{token} " if token[-1:].isalpha() else token


def _write_grid(element: Any, name: str = "matrix") -> str:
    rows = (
        " & ".join(_write_row(cell).strip() for cell in row.iterfind(qualify_name("m:e")))
        for row in element.iterfind(qualify_name("m:mr"))
    )
    return f"\\begin{{{name}}} " + " \\\\ ".join(rows) + f" \\end{{{name}}}"


def _write_lines(element: Any) -> str:
    rows = (_write_row(row).strip() for row in element.iterfind(qualify_name("m:e")))
    return "\\begin{aligned} " + " \\\\ ".join(rows) + " \\end{aligned}"


def _write_accent(element: Any) -> str:
    character = _read_property(element, "m:accPr/m:chr", "\u0302")
    return f"\\{_BY_ACCENT.get(character, 'hat')}{_write_part(element, 'e')}"


def _write_bar(element: Any) -> str:
    over = _read_property(element, "m:barPr/m:pos", "bot") == "top"
    return f"\\{'overline' if over else 'underline'}{_write_part(element, 'e')}"


def _write_grouped(element: Any) -> str:
    over = _read_property(element, "m:groupChrPr/m:chr", "⏟") == GROUPS["overbrace"]
    return f"\\{'overbrace' if over else 'underbrace'}{_write_part(element, 'e')}"


def _write_below(element: Any) -> str:
    base = find_element(element, "m:e")
    if find_element(base, "m:groupChr") is not None and len(base) == 1:
        return f"{_write_row(base)}_{_write_part(element, 'lim')}"
    return f"\\underset{_write_part(element, 'lim')}{_write_braced(base)}"


def _write_above(element: Any) -> str:
    base = find_element(element, "m:e")
    if find_element(base, "m:groupChr") is not None and len(base) == 1:
        return f"{_write_row(base)}^{_write_part(element, 'lim')}"
    return f"\\overset{_write_part(element, 'lim')}{_write_braced(base)}"


def _write_boxed(element: Any) -> str:
    return f"\\boxed{_write_part(element, 'e')}"


def _write_phantom(element: Any) -> str:
    hidden = _read_property(element, "m:phantPr/m:show", "1") in ("0", "off", "false")
    return f"\\phantom{_write_part(element, 'e')}" if hidden else _write_part(element, "e")


_WRITERS: dict[str, Callable[[Any], str]] = {
    qualify_name(f"m:{name}"): writer
    for name, writer in {
        "r": _run,
        **dict.fromkeys(("sSup", "sSub", "sSubSup"), _write_scripted),
        "sPre": _pre_scripted,
        "f": _write_fraction,
        "rad": _write_radical,
        "nary": _write_nary,
        "func": _write_function,
        "d": _write_fenced,
        "m": _write_grid,
        "eqArr": _write_lines,
        "acc": _write_accent,
        "bar": _write_bar,
        "groupChr": _write_grouped,
        "limLow": _write_below,
        "limUpp": _write_above,
        "borderBox": _write_boxed,
        "phant": _write_phantom,
    }.items()
}
