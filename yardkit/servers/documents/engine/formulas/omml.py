"""Elements of Office Math."""

# ruff: noqa: RUF001 - signs of formulas

from __future__ import annotations

from typing import Any

from yardkit.servers.documents.engine.formulas.math_symbols import GROUPS, INTEGRALS
from yardkit.servers.documents.engine.markup.names import SPACE, find_element, get_attribute, make_element, qualify_name

_FONT = "Cambria Math"
_OPENING_BRACKETS = {")": "(", "]": "["}
_SCRIPTS = {qualify_name("m:sSub"), qualify_name("m:sSup"), qualify_name("m:sSubSup")}
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


def make_valued(name: str, value: object) -> Any:
    """An element that is nothing but m:val."""
    return make_element(name, val=value)


def run(words: str, *, style: str | None = None, script: str | None = None, text: bool = False) -> Any:
    """A run of a formula; `style` is p, b, i or bi, `script` an alphabet; as ordinary text with `text`."""
    properties = []
    if text:
        properties.append(make_element("m:nor"))
    else:
        properties += [make_valued("m:scr", script)] if script else []
        properties += [make_valued("m:sty", style)] if style else []
    fonts = make_element("w:rPr", make_element("w:rFonts", ascii=_FONT, hAnsi=_FONT))
    text_element = make_element("m:t", text=words)
    head = [make_element("m:rPr", *properties)] if properties else []
    return make_element("m:r", *head, fonts, text_element)


def apply_style(content: list[Any], script: str | None, style: str | None) -> list[Any]:
    """The same content in another alphabet or weight; runs of text stay as they are."""
    for math_run in [candidate for element in content for candidate in element.iter(qualify_name("m:r"))]:
        properties = math_run.find(qualify_name("m:rPr"))
        if find_element(properties, "m:nor") is not None:
            continue
        if properties is None:
            properties = make_element("m:rPr")
            math_run.insert(0, properties)
        for name, value in (("m:sty", style), ("m:scr", script)):
            if value and properties.find(qualify_name(name)) is None:
                properties.insert(0, make_valued(name, value))
    return content


def merge_runs(content: list[Any]) -> list[Any]:
    """Neighbouring runs of the same look as one."""
    merged_runs: list[Any] = []
    for base in _fenced_bases(content):
        last = merged_runs[-1] if merged_runs else None
        if last is not None and base.tag == last.tag == qualify_name("m:r") and read_look(base) == read_look(last):
            words = last.find(qualify_name("m:t"))
            words.text = (words.text or "") + (base.findtext(qualify_name("m:t")) or "")
            if words.text != words.text.strip() or "  " in words.text:
                words.set(SPACE, "preserve")
        else:
            merged_runs.append(base)
    return merged_runs


def _fenced_bases(content: list[Any]) -> list[Any]:
    """The same with brackets that bear an index or exponent as one base: LibreOffice reads no closing one alone."""
    fenced_bases: list[Any] = []
    for element in content:
        base = find_element(element, "m:e") if element.tag in _SCRIPTS else None
        closing = _get_sign(base[0]) if base is not None and len(base) == 1 else ""
        start = _find_opening(fenced_bases, closing)
        if base is not None and start is not None:
            inner = make_fenced(_OPENING_BRACKETS[closing], closing, [merge_runs(fenced_bases[start + 1 :])])
            del fenced_bases[start:]
            base[:] = [inner]
        fenced_bases.append(element)
    return fenced_bases


def _find_opening(content: list[Any], closing: str) -> int | None:
    """Where the bracket opens that `closing` behind the content closes."""
    depth = 1
    for place in range(len(content) - 1, -1, -1) if closing in _OPENING_BRACKETS else ():
        sign = _get_sign(content[place])
        depth += (sign == closing) - (sign == _OPENING_BRACKETS[closing])
        if not depth:
            return place
    return None


def _get_sign(element: Any) -> str:
    """What a run of a formula says; nothing for text and for all else."""
    return (
        ""
        if element.tag != qualify_name("m:r") or read_look(element)[2]
        else element.findtext(qualify_name("m:t")) or ""
    )


def read_look(element: Any) -> tuple[str | None, str | None, bool]:
    properties = element.find(qualify_name("m:rPr"))
    script, style = (
        get_attribute(find_element(properties, "m:scr"), "m:val"),
        get_attribute(find_element(properties, "m:sty"), "m:val"),
    )
    return script, style, find_element(properties, "m:nor") is not None


def make_scripts(base: list[Any], sub: list[Any] | None, sup: list[Any] | None) -> Any:
    """A base with index, exponent or both."""
    parts = [make_element("m:e", *base)]
    parts += [make_element("m:sub", *sub)] if sub is not None else []
    parts += [make_element("m:sup", *sup)] if sup is not None else []
    return make_element("m:sSubSup" if len(parts) == 3 else "m:sSub" if sub is not None else "m:sSup", *parts)


def make_limits(base: list[Any], below: list[Any] | None, above: list[Any] | None) -> Any:
    """Something below or above a base."""
    limited_base = base
    if below is not None:
        limited_base = [make_element("m:limLow", make_element("m:e", *limited_base), make_element("m:lim", *below))]
    if above is not None:
        limited_base = [make_element("m:limUpp", make_element("m:e", *limited_base), make_element("m:lim", *above))]
    return limited_base[0]


def make_nary(
    character: str, sub: list[Any] | None, sup: list[Any] | None, operand: list[Any], placed: str | None = None
) -> Any:
    """A sum, product or integral."""
    location = placed or ("subSup" if character in INTEGRALS else "undOvr")
    properties = make_element("m:naryPr", make_valued("m:chr", character), make_valued("m:limLoc", location))
    properties.extend([make_valued("m:subHide", 1)] if sub is None else [])
    properties.extend([make_valued("m:supHide", 1)] if sup is None else [])
    return make_element(
        "m:nary",
        properties,
        make_element("m:sub", *(sub or [])),
        make_element("m:sup", *(sup or [])),
        make_element("m:e", *operand),
    )


def make_function(name: list[Any], operand: list[Any]) -> Any:
    return make_element("m:func", make_element("m:fName", *name), make_element("m:e", *operand))


def make_fraction(numerator: list[Any], denominator: list[Any], kind: str | None = None) -> Any:
    head = [make_element("m:fPr", make_valued("m:type", kind))] if kind else []
    return make_element("m:f", *head, make_element("m:num", *numerator), make_element("m:den", *denominator))


def make_radical(content: list[Any], degree: list[Any] | None) -> Any:
    head = [make_element("m:radPr", make_valued("m:degHide", 1))] if degree is None else []
    return make_element("m:rad", *head, make_element("m:deg", *(degree or [])), make_element("m:e", *content))


def make_fenced(begin: str, end: str, parts: list[list[Any]], separator: str = "|") -> Any:
    properties = make_element("m:dPr", make_valued("m:begChr", begin))
    properties.extend([make_valued("m:sepChr", separator)] if len(parts) > 1 else [])
    properties.append(make_valued("m:endChr", end))
    return make_element("m:d", properties, *(make_element("m:e", *part) for part in parts))


def make_accent(character: str, content: list[Any]) -> Any:
    return make_element(
        "m:acc", make_element("m:accPr", make_valued("m:chr", character)), make_element("m:e", *content)
    )


def make_bar(content: list[Any], position: str) -> Any:
    return make_element("m:bar", make_element("m:barPr", make_valued("m:pos", position)), make_element("m:e", *content))


def make_grouped(character: str, content: list[Any]) -> Any:
    top = character == GROUPS["overbrace"]
    position, joint = ("top", "bot") if top else ("bot", "top")
    properties = make_element("m:groupChrPr", make_valued("m:chr", character), make_valued("m:pos", position))
    properties.append(make_valued("m:vertJc", joint))
    return make_element("m:groupChr", properties, make_element("m:e", *content))


def make_matrix(rows: list[list[list[Any]]], *, left: bool = False) -> Any:
    columns = max(len(row) for row in rows)
    column = make_element(
        "m:mcPr", make_valued("m:count", columns), make_valued("m:mcJc", "left" if left else "center")
    )
    properties = make_element("m:mPr", make_element("m:mcs", make_element("m:mc", column)))
    padded = [[*row, *([[]] * (columns - len(row)))] for row in rows]
    return make_element(
        "m:m", properties, *(make_element("m:mr", *(make_element("m:e", *cell) for cell in row)) for row in padded)
    )


def make_lines(rows: list[list[Any]]) -> Any:
    return make_element("m:eqArr", *(make_element("m:e", *row) for row in rows))


def negate_sign(text: str) -> str:
    return _NEGATED_SIGNS.get(text, f"{text}\u0338")
