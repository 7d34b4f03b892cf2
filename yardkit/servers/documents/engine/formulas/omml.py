"""Elements of Office Math."""

# ruff: noqa: RUF001 - signs of formulas

from __future__ import annotations

from typing import Any

from yardkit.servers.documents.engine.formulas.math_symbols import GROUPS, INTEGRALS
from yardkit.servers.documents.engine.markup.names import SPACE, find, get, make, q

_FONT = "Cambria Math"
_OPENING_BRACKETS = {")": "(", "]": "["}
_SCRIPTS = {q("m:sSub"), q("m:sSup"), q("m:sSubSup")}
_NEGATED_SIGNS = {
    "=": "≠",
    "∈": "∉",
    "<": "≮",
    ">": "≯",
    "≡": "≢",
    "⊂": "⊄",
    "⊆": "⊈",
    "∼": "≁",
    "≈": "≉",
    "≤": "≰",
    "≥": "≱",
}


def valued(name: str, value: object) -> Any:
    """An element that is nothing but m:val."""
    return make(name, val=value)


def run(words: str, *, style: str | None = None, script: str | None = None, text: bool = False) -> Any:
    """A run of a formula; `style` is p, b, i or bi, `script` an alphabet; as ordinary text with `text`."""
    properties = []
    if text:
        properties.append(make("m:nor"))
    else:
        properties += [valued("m:scr", script)] if script else []
        properties += [valued("m:sty", style)] if style else []
    fonts = make("w:rPr", make("w:rFonts", ascii=_FONT, hAnsi=_FONT))
    shown = make("m:t", text=words)
    head = [make("m:rPr", *properties)] if properties else []
    return make("m:r", *head, fonts, shown)


def styled(content: list[Any], script: str | None, style: str | None) -> list[Any]:
    """The same content in another alphabet or weight; runs of text stay as they are."""
    for math_run in [candidate for element in content for candidate in element.iter(q("m:r"))]:
        properties = math_run.find(q("m:rPr"))
        if find(properties, "m:nor") is not None:
            continue
        if properties is None:
            properties = make("m:rPr")
            math_run.insert(0, properties)
        for name, value in (("m:sty", style), ("m:scr", script)):
            if value and properties.find(q(name)) is None:
                properties.insert(0, valued(name, value))
    return content


def merged(content: list[Any]) -> list[Any]:
    """Neighbouring runs of the same look as one."""
    found: list[Any] = []
    for base in _fenced_bases(content):
        last = found[-1] if found else None
        if last is not None and base.tag == last.tag == q("m:r") and look(base) == look(last):
            words = last.find(q("m:t"))
            words.text = (words.text or "") + (base.findtext(q("m:t")) or "")
            if words.text != words.text.strip() or "  " in words.text:
                words.set(SPACE, "preserve")
        else:
            found.append(base)
    return found


def _fenced_bases(content: list[Any]) -> list[Any]:
    """The same with brackets that bear an index or exponent as one base: LibreOffice reads no closing one alone."""
    found: list[Any] = []
    for element in content:
        base = find(element, "m:e") if element.tag in _SCRIPTS else None
        closing = _sign(base[0]) if base is not None and len(base) == 1 else ""
        start = _opening(found, closing)
        if base is not None and start is not None:
            inner = fenced(_OPENING_BRACKETS[closing], closing, [merged(found[start + 1 :])])
            del found[start:]
            base[:] = [inner]
        found.append(element)
    return found


def _opening(content: list[Any], closing: str) -> int | None:
    """Where the bracket opens that `closing` behind the content closes."""
    depth = 1
    for place in range(len(content) - 1, -1, -1) if closing in _OPENING_BRACKETS else ():
        sign = _sign(content[place])
        depth += (sign == closing) - (sign == _OPENING_BRACKETS[closing])
        if not depth:
            return place
    return None


def _sign(element: Any) -> str:
    """What a run of a formula says; nothing for text and for all else."""
    return "" if element.tag != q("m:r") or look(element)[2] else element.findtext(q("m:t")) or ""


def look(element: Any) -> tuple[str | None, str | None, bool]:
    properties = element.find(q("m:rPr"))
    script, style = get(find(properties, "m:scr"), "m:val"), get(find(properties, "m:sty"), "m:val")
    return script, style, find(properties, "m:nor") is not None


def scripts(base: list[Any], sub: list[Any] | None, sup: list[Any] | None) -> Any:
    """A base with index, exponent or both."""
    parts = [make("m:e", *base)]
    parts += [make("m:sub", *sub)] if sub is not None else []
    parts += [make("m:sup", *sup)] if sup is not None else []
    return make("m:sSubSup" if len(parts) == 3 else "m:sSub" if sub is not None else "m:sSup", *parts)


def limits(base: list[Any], below: list[Any] | None, above: list[Any] | None) -> Any:
    """Something below or above a base."""
    made = base
    if below is not None:
        made = [make("m:limLow", make("m:e", *made), make("m:lim", *below))]
    if above is not None:
        made = [make("m:limUpp", make("m:e", *made), make("m:lim", *above))]
    return made[0]


def nary(
    character: str, sub: list[Any] | None, sup: list[Any] | None, operand: list[Any], placed: str | None = None
) -> Any:
    """A sum, product or integral."""
    location = placed or ("subSup" if character in INTEGRALS else "undOvr")
    properties = make("m:naryPr", valued("m:chr", character), valued("m:limLoc", location))
    properties.extend([valued("m:subHide", 1)] if sub is None else [])
    properties.extend([valued("m:supHide", 1)] if sup is None else [])
    return make("m:nary", properties, make("m:sub", *(sub or [])), make("m:sup", *(sup or [])), make("m:e", *operand))


def function(name: list[Any], operand: list[Any]) -> Any:
    return make("m:func", make("m:fName", *name), make("m:e", *operand))


def fraction(numerator: list[Any], denominator: list[Any], kind: str | None = None) -> Any:
    head = [make("m:fPr", valued("m:type", kind))] if kind else []
    return make("m:f", *head, make("m:num", *numerator), make("m:den", *denominator))


def radical(content: list[Any], degree: list[Any] | None) -> Any:
    head = [make("m:radPr", valued("m:degHide", 1))] if degree is None else []
    return make("m:rad", *head, make("m:deg", *(degree or [])), make("m:e", *content))


def fenced(begin: str, end: str, parts: list[list[Any]], separator: str = "|") -> Any:
    properties = make("m:dPr", valued("m:begChr", begin))
    properties.extend([valued("m:sepChr", separator)] if len(parts) > 1 else [])
    properties.append(valued("m:endChr", end))
    return make("m:d", properties, *(make("m:e", *part) for part in parts))


def accent(character: str, content: list[Any]) -> Any:
    return make("m:acc", make("m:accPr", valued("m:chr", character)), make("m:e", *content))


def bar(content: list[Any], position: str) -> Any:
    return make("m:bar", make("m:barPr", valued("m:pos", position)), make("m:e", *content))


def grouped(character: str, content: list[Any]) -> Any:
    top = character == GROUPS["overbrace"]
    position, joint = ("top", "bot") if top else ("bot", "top")
    properties = make("m:groupChrPr", valued("m:chr", character), valued("m:pos", position))
    properties.append(valued("m:vertJc", joint))
    return make("m:groupChr", properties, make("m:e", *content))


def matrix(rows: list[list[list[Any]]], *, left: bool = False) -> Any:
    columns = max(len(row) for row in rows)
    column = make("m:mcPr", valued("m:count", columns), valued("m:mcJc", "left" if left else "center"))
    properties = make("m:mPr", make("m:mcs", make("m:mc", column)))
    padded = [[*row, *([[]] * (columns - len(row)))] for row in rows]
    return make("m:m", properties, *(make("m:mr", *(make("m:e", *cell) for cell in row)) for row in padded))


def lines(rows: list[list[Any]]) -> Any:
    return make("m:eqArr", *(make("m:e", *row) for row in rows))


def negated(text: str) -> str:
    return _NEGATED_SIGNS.get(text, f"{text}\u0338")
