"""LaTeX of formulas to Office Math: a parser that refuses what it does not know instead of printing it."""

# ruff: noqa: RUF001 - signs of formulas

from __future__ import annotations

import re
from typing import Any

from yardkit.servers.documents.engine.formulas import omml
from yardkit.servers.documents.engine.formulas.math_symbols import (
    ACCENTS,
    CHARACTERS,
    DELIMITERS,
    FENCES,
    FONTS,
    FUNCTIONS,
    GROUPS,
    IGNORED,
    LIMITS,
    NARY,
    SPACES,
    find_symbol,
)
from yardkit.servers.documents.engine.markup.names import make_element, qualify_name
from yardkit.world import Problem

MAX_LENGTH = 10_000
MAX_DEPTH = 60
_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|%[^\n]*|\d+(?:[.,]\d+)*|.", re.DOTALL)
_WORD = re.compile(r"\\textbackslash\{\}|\\(?:[A-Za-z]+|.?)|[^\\]")
_STOPS_TERM = set("+-=<>,;:|)]&/") | {"\\\\", "\\right", "\\middle", "\\end", "}"}
_RELATIONS = set("±∓=≠<>≤≥≪≫≈≡∼≃≅∝→←↔⇒⇐⇔∈∉⊂⊆⊃⊇∣∥⊥≺≻↦∧∨−")
_TEXT_COMMANDS = ("\\text", "\\textrm", "\\textnormal", "\\mbox", "\\textit", "\\textbf")
_MATRIX_FENCES = {
    "matrix": ("", ""),
    "smallmatrix": ("", ""),
    "array": ("", ""),
    "pmatrix": ("(", ")"),
    "bmatrix": ("[", "]"),
    "Bmatrix": ("{", "}"),
    "vmatrix": ("|", "|"),
    "Vmatrix": ("‖", "‖"),
    "cases": ("{", ""),
    "dcases": ("{", ""),
}
_LINE_ENVIRONMENTS = {
    "aligned",
    "align",
    "align*",
    "gathered",
    "gather",
    "gather*",
    "split",
    "eqnarray",
    "eqnarray*",
    "multline",
    "equation",
    "equation*",
}


def to_omml(latex: str) -> Any:
    """The m:oMath of a formula, given without $ signs (they are taken off if they are there).

    Raises:
        Problem: an unknown command, an unbalanced brace, or too long.
    """
    source = _strip_delimiters(latex)
    if len(source) > MAX_LENGTH:
        raise Problem(f"the formula has {len(source):,} characters; the limit is {MAX_LENGTH:,}")
    if not source:
        raise Problem("the formula is empty; give LaTeX such as \\frac{a}{b}")
    parser = _Parser(source)
    content = parser.row(frozenset())
    parser.expect_end()
    return make_element("m:oMath", *content)


def _strip_delimiters(latex: str) -> str:
    source = latex.strip()
    for start, end in (("$$", "$$"), ("$", "$"), ("\\[", "\\]"), ("\\(", "\\)")):
        if len(source) >= len(start) + len(end) and source.startswith(start) and source.endswith(end):
            return source[len(start) : -len(end)].strip()
    return source


class _Parser:
    """Recursive descent over the signs; each method gives finished elements."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.signs = _split_tokens(source)
        self.at = 0
        self.depth = 0

    @property
    def next(self) -> str:
        return self.signs[self.at] if self.at < len(self.signs) else ""

    def take(self) -> str:
        sign = self.next
        if not sign:
            raise Problem(f"the formula ends too early: {self.source!r}; close all braces and give all arguments")
        self.at += 1
        return sign

    def expect(self, sign: str) -> None:
        if self.next != sign:
            next_token = repr(self.next) if self.next else "the end"
            raise Problem(f"the formula needs {sign!r} but has {next_token} in {self.source!r}; balance the braces")
        self.at += 1

    def expect_end(self) -> None:
        if self.next:
            hint = "put lines into \\begin{aligned}" if self.next == "\\\\" else "balance the braces and environments"
            raise Problem(f"the formula has {self.next!r} where it is not allowed, in {self.source!r}; {hint}")

    def row(self, stops: frozenset[str]) -> list[Any]:
        """Elements up to a sign of `stops`, a closing brace or the end."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Problem(f"the formula is nested more than {MAX_DEPTH} deep; make it simpler")
        row_elements: list[Any] = []
        ends = stops | {"}", "\\right", "\\middle", "\\end", "\\\\", ""}
        while self.next not in ends:
            if self.next == "&":
                if "&&" not in stops:
                    raise Problem(f"the formula has '&' outside of a matrix or aligned lines: {self.source!r}")
                self.take()
                row_elements.append(omml.run("&"))
                continue
            row_elements += self.read_scripted()
        self.depth -= 1
        return omml.merge_runs(row_elements)

    def group(self) -> list[Any]:
        """An argument: what stands in braces, or the next atom."""
        if self.next != "{":
            return omml.merge_runs(self.read_atom())
        self.take()
        content = self.row(frozenset())
        self.expect("}")
        return content

    def name(self) -> str:
        """What stands in braces, as it is written."""
        self.expect("{")
        words = []
        while self.next != "}":
            words.append(self.take())
        self.take()
        return "".join(words)

    def words(self) -> str:
        """What stands in braces, as it is read: with its spaces, and signs without their backslashes."""
        start = self.at
        self.name()
        signs = self.signs[start + 1 : self.at - 1]
        for sign in signs:
            if sign not in SPACES and len(sign) > 2 and sign.startswith("\\"):
                raise Problem(f"the formula has {sign!r} in a name, in {self.source!r}; use only letters")
        return "".join(SPACES.get(sign, sign.removeprefix("\\")) for sign in signs)

    def read_scripted(self) -> list[Any]:
        """An atom with the indices and exponents that follow it."""
        sign = self.next
        if sign in NARY:
            return [self.read_nary()]
        if sign in FUNCTIONS or sign in LIMITS or sign.startswith("\\operatorname"):
            return [self.read_function()]
        base = [] if sign in ("_", "^") else self.group() if sign == "{" else self.read_atom()
        return self.with_scripts(base)

    def with_scripts(self, base: list[Any]) -> list[Any]:
        sub, sup = self.read_scripts()
        if sub is None and sup is None:
            return base
        if len(base) == 1 and base[0].tag == qualify_name("m:groupChr"):
            return [omml.make_limits(base, sub, sup)]
        return [omml.make_scripts(base, sub, sup)]

    def read_scripts(self) -> tuple[list[Any] | None, list[Any] | None]:
        sub: list[Any] | None = None
        sup: list[Any] | None = None
        while self.next in ("_", "^", "'", "\\limits", "\\nolimits"):
            sign = self.take()
            if sign == "_":
                sub = self.read_script_once(sub, "index")
            elif sign == "^":
                sup = omml.merge_runs([*(sup or []), *self.group()])
            elif sign == "'":
                sup = omml.merge_runs([*(sup or []), omml.run("′")])
        return sub, sup

    def read_script_once(self, old: list[Any] | None, noun: str) -> list[Any]:
        if old is not None:
            raise Problem(f"the formula has two of {noun} on one base: {self.source!r}; put the first into braces")
        return self.group()

    def read_nary(self) -> Any:
        character = NARY[self.take()]
        placed = "subSup" if self.next == "\\nolimits" else "undOvr" if self.next == "\\limits" else None
        sub, sup = self.read_scripts()
        return omml.make_nary(character, sub, sup, self.read_operand(), placed)

    def read_function(self) -> Any:
        sign = self.take()
        below = sign in LIMITS or sign == "\\operatorname*"
        word = self.words() if sign.startswith("\\operatorname") else (LIMITS.get(sign) or sign[1:])
        base = [omml.run(word, style="p")]
        sub, sup = self.read_scripts()
        if sub is not None and below:
            base = [omml.make_limits(base, sub, None)]
            sub = None
        if sub is not None or sup is not None:
            base = [omml.make_scripts(base, sub, sup)]
        return omml.make_function(base, self.read_operand(function=True))

    def read_operand(self, *, function: bool = False) -> list[Any]:
        """What a sum or a function acts on: a group in braces as it is, else the term that follows."""
        if self.next == "{":
            return self.group()
        operand_elements: list[Any] = []
        while self.next and self.next not in _STOPS_TERM and not self._is_relation():
            if (
                function
                and operand_elements
                and (self.next in FUNCTIONS or self.next in NARY or self.next in ("(", "\\left"))
            ):
                break
            if self.next in ("(", "[") and function:
                return omml.merge_runs(self.read_bracketed())
            operand_elements += self.read_bracketed() if self.next in ("(", "[") else self.read_scripted()
            if function and self.signs[self.at - 1] == "\\right":
                break
        return omml.merge_runs(operand_elements)

    def _is_relation(self) -> bool:
        sign = self.next
        return (find_symbol(sign) or sign) in _RELATIONS if sign not in SPACES else sign in ("\\quad", "\\qquad")

    def read_bracketed(self) -> list[Any]:
        """A bracket with all up to the one that closes it, where there is one."""
        closing = {"(": ")", "[": "]"}[self.next]
        bracketed_atom = self.read_atom()
        while self.next and self.next != closing and self.next not in ("}", "\\right", "\\end", "&", "\\\\"):
            bracketed_atom += self.read_bracketed() if self.next in ("(", "[") else self.read_scripted()
        return [*bracketed_atom, *self.read_scripted()] if self.next == closing else bracketed_atom

    def read_atom(self) -> list[Any]:
        sign = self.take()
        if sign == "{":
            self.at -= 1
            return self.group()
        if not sign.startswith("\\") or len(sign) == 1:
            return self.parse_character(sign)
        if sign in SPACES:
            return [omml.run(SPACES[sign])] if SPACES[sign] else []
        special = self.read_structure(sign)
        if special is not None:
            return special
        character = CHARACTERS.get(sign) or find_symbol(sign)
        if character is None:
            raise Problem(f"the formula has {sign!r}, which is not a known command, in {self.source!r}; use another")
        return [omml.run(character)]

    def parse_character(self, sign: str) -> list[Any]:
        if sign in ("}", "&", "_", "^", "#", "$", "\\"):
            raise Problem(
                f"the formula has {sign!r} where it is not allowed, in {self.source!r}; balance it or escape it"
            )
        if sign == "'":
            return [omml.run("′")]
        return [omml.run({"-": "−", "~": "\u00a0"}.get(sign, sign))]

    def read_structure(self, sign: str) -> list[Any] | None:
        """A command with arguments; None for one that is a symbol."""
        name = sign[1:]
        if sign in _TEXT_COMMANDS:
            return [omml.run(self.take()[1:], text=True)]
        if name in FONTS:
            return omml.apply_style(self.group(), *FONTS[name])
        if name in ACCENTS:
            return [omml.make_accent(ACCENTS[name], self.group())]
        if name in GROUPS:
            return [omml.make_grouped(GROUPS[name], self.group())]
        if name in IGNORED:
            return []
        if name in FENCES:
            fence = self.read_delimiter()
            return [omml.run(fence)] if fence else []
        method = getattr(self, f"_do_{name}", None)
        structure_elements: list[Any] | None = None if method is None else method()
        return structure_elements

    def _do_frac(self) -> list[Any]:
        return [omml.make_fraction(self.group(), self.group())]

    _do_dfrac = _do_tfrac = _do_cfrac = _do_frac

    def _do_binom(self) -> list[Any]:
        return [omml.make_fenced("(", ")", [[omml.make_fraction(self.group(), self.group(), "noBar")]])]

    _do_dbinom = _do_tbinom = _do_binom

    def _do_sqrt(self) -> list[Any]:
        degree: list[Any] | None = None
        if self.next == "[":
            self.take()
            degree = self.row(frozenset("]"))
            self.expect("]")
        return [omml.make_radical(self.group(), degree)]

    def _do_overline(self) -> list[Any]:
        return [omml.make_bar(self.group(), "top")]

    def _do_underline(self) -> list[Any]:
        return [omml.make_bar(self.group(), "bot")]

    def _do_overset(self) -> list[Any]:
        above = self.group()
        return [omml.make_limits(self.group(), None, above)]

    _do_stackrel = _do_overset

    def _do_underset(self) -> list[Any]:
        below = self.group()
        return [omml.make_limits(self.group(), below, None)]

    def _do_xrightarrow(self) -> list[Any]:
        return [omml.make_limits([omml.run("→")], None, self.group())]

    def _do_boxed(self) -> list[Any]:
        return [make_element("m:borderBox", make_element("m:e", *self.group()))]

    def _do_phantom(self) -> list[Any]:
        show = make_element("m:phantPr", omml.make_valued("m:show", "0"))
        return [make_element("m:phant", show, make_element("m:e", *self.group()))]

    def _do_not(self) -> list[Any]:
        base = self.read_atom()
        for text in base[-1].iter(qualify_name("m:t")) if base else []:
            text.text = omml.negate_sign(text.text or "")
        return base

    def _do_left(self) -> list[Any]:
        begin = self.read_delimiter()
        parts, separator = [self.row(frozenset())], "|"
        while self.next == "\\middle":
            self.take()
            separator = self.read_delimiter()
            parts.append(self.row(frozenset()))
        self.expect("\\right")
        return [omml.make_fenced(begin, self.read_delimiter(), parts, separator)]

    def read_delimiter(self) -> str:
        sign = self.take()
        if sign not in DELIMITERS:
            raise Problem(f"the formula has {sign!r} after \\left, \\middle or \\right, which is not a bracket")
        return DELIMITERS[sign]

    def _do_begin(self) -> list[Any]:
        name = self.name()
        if name not in _MATRIX_FENCES and name not in _LINE_ENVIRONMENTS:
            known = ", ".join([*_MATRIX_FENCES, *sorted(_LINE_ENVIRONMENTS)])
            raise Problem(f"the formula has the unknown environment {name!r}; use {known}")
        if name == "array":
            self.name()
        rows = self.read_lines(frozenset(("&&",)) if name in _LINE_ENVIRONMENTS else frozenset("&"))
        self.expect("\\end")
        closing = self.name()
        if closing != name:
            raise Problem(f"the formula begins {name!r} and ends {closing!r}; use the same name for both")
        if name in _LINE_ENVIRONMENTS:
            return [omml.make_lines([row[0] for row in rows])]
        grid = omml.make_matrix(rows, left=name.endswith("cases"))
        begin, end = _MATRIX_FENCES[name]
        return [omml.make_fenced(begin, end, [[grid]])] if begin else [grid]

    def read_lines(self, stops: frozenset[str]) -> list[list[list[Any]]]:
        rows: list[list[list[Any]]] = []
        while True:
            cells = [self.row(stops)]
            while self.next == "&":
                self.take()
                cells.append(self.row(stops))
            rows.append(cells)
            if self.next != "\\\\":
                break
            self.take()
        if len(rows) > 1 and rows[-1] == [[]]:
            rows.pop()
        return rows


def _split_tokens(source: str) -> list[str]:
    """The signs of a formula; the words of a text command are one sign that begins with a quote mark."""
    signs: list[str] = []
    at = 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        assert match is not None, "the last alternative takes any character"  # noqa: S101
        sign, at = match.group(), match.end()
        if sign in _TEXT_COMMANDS:
            words, at = _read_braced(source, at)
            signs += [sign, '"' + words]
        elif not sign.isspace() and sign[0] != "%":
            signs.append(sign)
    return signs


def _read_braced(source: str, at: int) -> tuple[str, int]:
    """The text of a group in braces that begins at `at`, without escapes, and where it ends."""
    while at < len(source) and source[at].isspace():
        at += 1
    if at >= len(source) or source[at] != "{":
        raise Problem(f"the formula needs '{{' after \\text in {source!r}")
    depth, words = 1, ""
    for match in _WORD.finditer(source, at + 1):
        sign = match.group()
        depth += (sign == "{") - (sign == "}")
        if not depth:
            return words, match.end()
        words += _read_word(sign, source)
    raise Problem(f"the formula has an open brace after \\text in {source!r}; close it")


def _read_word(sign: str, source: str) -> str:
    """A sign of words as it is read."""
    if sign in ("{", "}"):
        return ""
    if sign == "\\textbackslash{}":
        return "\\"
    if sign in SPACES and sign != "~":
        return SPACES[sign]
    if sign[0] == "\\" and sign[1:] not in tuple("{}$%&#_"):
        raise Problem(f"the formula has {sign!r} within text, in {source!r}; end the text before it")
    return sign[-1]
