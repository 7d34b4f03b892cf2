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
    commands,
)
from yardkit.servers.documents.engine.formulas.omml import look
from yardkit.servers.documents.engine.markup.names import find, get, q

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
    if formula.tag == q("m:oMathPara"):
        return " \\\\ ".join(to_latex(element) for element in formula.iterfind(q("m:oMath")))
    return _row(formula).strip()


def _row(parent: Any) -> str:
    """The children of an element one after the other; a command is kept apart from a letter behind it."""
    whole = ""
    for child in [] if parent is None else parent:
        piece = _element(child)
        if whole and re.search(r"\\[A-Za-z]+$", whole) and piece[:1].isalpha():
            whole += " "
        whole += piece
    return whole


def _element(child: Any) -> str:
    if not isinstance(child.tag, str):
        return ""
    writer = _WRITERS.get(child.tag)
    if writer is not None:
        return writer(child)
    name = child.tag.partition("}")[2]
    return "" if name.endswith("Pr") else _row(child)


def _braced(parent: Any) -> str:
    return "{" + _row(parent).strip() + "}"


def _part(parent: Any, name: str) -> str:
    return _braced(find(parent, f"m:{name}"))


def _property(parent: Any, path: str, default: str = "") -> str:
    return get(find(parent, path), "m:val", default) or ""


def _run(element: Any) -> str:
    script, style, text = look(element)
    words = "".join(piece.text or "" for piece in element.iter(q("m:t"), q("w:t")))
    if text:
        return "\\text{" + "".join(_TEXT_ESCAPES.get(word, word) for word in words) + "}" if words else ""
    in_lines = next(element.iterancestors(q("m:eqArr")), None) is not None
    shown = _symbols(words, aligned=in_lines)
    name = _BY_STYLE.get((script, style)) or _BY_STYLE.get((script, None)) if script or style else None
    return f"\\{name}{{{shown.strip()}}}" if name and shown else shown


def _symbols(words: str, *, aligned: bool) -> str:
    table = commands()
    whole = ""
    for letter in words:
        piece = "&" if letter == "&" and aligned else table.get(letter, letter)
        if piece[:1].isalpha() and re.search(r"\\[A-Za-z]+$", whole):
            whole += " "
        whole += piece
    return whole


def _scripted(element: Any) -> str:
    base = _row(find(element, "m:e")).strip()
    plain = re.fullmatch(r"[A-Za-z]|\d+(?:[.,]\d+)*|\\[A-Za-z]+", base) and base not in _ARGUMENT_TAKERS
    whole = base if plain else f"{{{base}}}"
    for name, mark in (("sub", "_"), ("sup", "^")):
        if find(element, f"m:{name}") is not None:
            whole += mark + _part(element, name)
    return whole


_ARGUMENT_TAKERS = {*NARY, *FUNCTIONS, *LIMITS}


def _pre_scripted(element: Any) -> str:
    return f"{{}}_{_part(element, 'sub')}^{_part(element, 'sup')}{_part(element, 'e')}"


def _fraction(element: Any) -> str:
    if _property(element, "m:fPr/m:type") == "lin":
        return f"{_part(element, 'num')}/{_part(element, 'den')}"
    if _property(element, "m:fPr/m:type") == "noBar":
        return f"\\binom{_part(element, 'num')}{_part(element, 'den')}"
    return f"\\frac{_part(element, 'num')}{_part(element, 'den')}"


def _radical(element: Any) -> str:
    degree = _row(find(element, "m:deg")).strip()
    return f"\\sqrt[{degree}]{_part(element, 'e')}" if degree else f"\\sqrt{_part(element, 'e')}"


def _nary(element: Any) -> str:
    character = _property(element, "m:naryPr/m:chr", "∫")
    whole = _BY_NARY.get(character, character)
    usual = "subSup" if character in INTEGRALS else "undOvr"
    location = _property(element, "m:naryPr/m:limLoc", usual)
    whole += "" if location == usual else "\\limits" if location == "undOvr" else "\\nolimits"
    for name, mark in (("sub", "_"), ("sup", "^")):
        hidden = _property(element, f"m:naryPr/m:{name}Hide", "0") in ("1", "on", "true")
        if not hidden and find(element, f"m:{name}") is not None:
            whole += mark + _part(element, name)
    return whole + _part(element, "e")


def _function(element: Any) -> str:
    name = find(element, "m:fName")
    return _function_name(name) + _part(element, "e")


def _function_name(parent: Any) -> str:
    """The name of a function with what stands below, above or beside it."""
    only = [child for child in parent if not child.tag.endswith("Pr")]
    if len(only) != 1:
        return f"\\operatorname{_braced(parent)}"
    first = only[0]
    inner = find(first, "m:e")
    if first.tag == q("m:limLow"):
        base = _function_name(inner)
        starred = base.replace("\\operatorname{", "\\operatorname*{")
        return f"{starred}_{_part(first, 'lim')}"
    if first.tag in (q("m:sSup"), q("m:sSub"), q("m:sSubSup")):
        marks = (("sub", "_"), ("sup", "^"))
        return _function_name(inner) + "".join(
            mark + _part(first, name) for name, mark in marks if find(first, f"m:{name}") is not None
        )
    if first.tag != q("m:r"):
        return _braced(parent)
    word = "".join(first.itertext(q("m:t")))
    known = next((token for token, value in LIMITS.items() if value == word), f"\\{word}")
    return known if known in FUNCTIONS or known in LIMITS else f"\\operatorname{{{_symbols(word, aligned=False)}}}"


def _fenced(element: Any) -> str:
    begin, end = _property(element, "m:dPr/m:begChr", "("), _property(element, "m:dPr/m:endChr", ")")
    parts = element.findall(q("m:e"))
    inside = [child for child in parts[0] if not child.tag.endswith("Pr")] if len(parts) == 1 else []
    if len(inside) == 1 and inside[0].tag == q("m:m") and (begin, end) in _FENCED_MATRICES:
        return _grid(inside[0], _FENCED_MATRICES[begin, end])
    if len(inside) == 1 and _property(inside[0], "m:fPr/m:type") == "noBar" and (begin, end) == ("(", ")"):
        return _fraction(inside[0])
    separator = _fence(_property(element, "m:dPr/m:sepChr", "|"))
    middle = f" \\middle{separator} ".join(_row(part).strip() for part in parts)
    return f"\\left{_fence(begin)} {middle} \\right{_fence(end)}"


def _fence(character: str) -> str:
    token = _LEFT.get(character, character)
    return f"{token} " if token[-1:].isalpha() else token


def _grid(element: Any, name: str = "matrix") -> str:
    rows = (" & ".join(_row(cell).strip() for cell in row.iterfind(q("m:e"))) for row in element.iterfind(q("m:mr")))
    return f"\\begin{{{name}}} " + " \\\\ ".join(rows) + f" \\end{{{name}}}"


def _lines(element: Any) -> str:
    rows = (_row(row).strip() for row in element.iterfind(q("m:e")))
    return "\\begin{aligned} " + " \\\\ ".join(rows) + " \\end{aligned}"


def _accent(element: Any) -> str:
    character = _property(element, "m:accPr/m:chr", "\u0302")
    return f"\\{_BY_ACCENT.get(character, 'hat')}{_part(element, 'e')}"


def _bar(element: Any) -> str:
    over = _property(element, "m:barPr/m:pos", "bot") == "top"
    return f"\\{'overline' if over else 'underline'}{_part(element, 'e')}"


def _grouped(element: Any) -> str:
    over = _property(element, "m:groupChrPr/m:chr", "⏟") == GROUPS["overbrace"]
    return f"\\{'overbrace' if over else 'underbrace'}{_part(element, 'e')}"


def _below(element: Any) -> str:
    base = find(element, "m:e")
    if find(base, "m:groupChr") is not None and len(base) == 1:
        return f"{_row(base)}_{_part(element, 'lim')}"
    return f"\\underset{_part(element, 'lim')}{_braced(base)}"


def _above(element: Any) -> str:
    base = find(element, "m:e")
    if find(base, "m:groupChr") is not None and len(base) == 1:
        return f"{_row(base)}^{_part(element, 'lim')}"
    return f"\\overset{_part(element, 'lim')}{_braced(base)}"


def _boxed(element: Any) -> str:
    return f"\\boxed{_part(element, 'e')}"


def _phantom(element: Any) -> str:
    hidden = _property(element, "m:phantPr/m:show", "1") in ("0", "off", "false")
    return f"\\phantom{_part(element, 'e')}" if hidden else _part(element, "e")


_WRITERS: dict[str, Callable[[Any], str]] = {
    q(f"m:{name}"): writer
    for name, writer in {
        "r": _run,
        **dict.fromkeys(("sSup", "sSub", "sSubSup"), _scripted),
        "sPre": _pre_scripted,
        "f": _fraction,
        "rad": _radical,
        "nary": _nary,
        "func": _function,
        "d": _fenced,
        "m": _grid,
        "eqArr": _lines,
        "acc": _accent,
        "bar": _bar,
        "groupChr": _grouped,
        "limLow": _below,
        "limUpp": _above,
        "borderBox": _boxed,
        "phant": _phantom,
    }.items()
}
