"""Rewriting LaTeX for the formula library, and finding what it does not know."""

from __future__ import annotations

import re

_SIZED = re.compile(r"\\[bB]igg?[lrm]?\s*(?=\\(?:[{}|]|[A-Za-z]))")
"""The size of a bracket that is a command: with it the library draws the name of the command."""
_WORDS = re.compile(r"(\\(?:text(?:rm|it|bf|sf|tt|normal)?|mbox)\s*\{)((?:\\.|[^{}\\])*)(?=\})")
_SIGN = re.compile(r"\\([%$&#_ ,])|([&<~])")
_SIGN_ENTITIES = {"&": "&amp;", "<": "&lt;", "~": "\u00a0", ",": "\u2009"}
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([A-Za-z]+\*?)\}")
_EQUIVALENT_ENVIRONMENTS = {
    "gather": "displaylines",
    "gather*": "displaylines",
    "gathered": "displaylines",
    "multline": "displaylines",
    "multline*": "displaylines",
    "dcases": "cases",
    "eqnarray": "array",
    "eqnarray*": "array",
    "alignat": "align",
    "alignat*": "align*",
    "alignedat": "aligned",
}
_MATRICES = {f"{kind}matrix{star}" for kind in ("", "p", "b", "B", "v", "V") for star in ("", "*")}
_KNOWN = _MATRICES | {"smallmatrix", "array", "substack", "cases", "split", "align", "align*", "aligned"}
_TRANSPARENT_ENVIRONMENTS = {"equation", "equation*", "math", "displaymath"}
"""Of one line: the library leaves them out, and nothing is lost by that."""
_COLUMNS = re.compile(r"(\\begin\s*\{(?:alignat\*?|alignedat)\})\s*\{\d*\}")


def adapt_latex(latex: str) -> str:
    """Rewrite signs in words, environments and sizes in the forms that the library reads."""
    latex = _WORDS.sub(lambda match: match[1] + _SIGN.sub(_replace_sign, match[2]), _SIZED.sub("", latex))
    return _group_environments(_ENVIRONMENT.sub(_rewrite_environment, _COLUMNS.sub(r"\1", latex)))


def _group_environments(latex: str) -> str:
    """Put environments before a superscript or subscript in braces, since the library needs a group there."""
    begins: list[int] = []
    braces: list[tuple[int, str]] = []
    for match in _ENVIRONMENT.finditer(latex):
        if match[1] == "begin":
            begins.append(match.start())
        elif begins:
            begin = begins.pop()
            if latex[match.end() :].lstrip()[:1] in ("^", "_"):
                braces += [(begin, "{"), (match.end(), "}")]
    for at, brace in sorted(braces, reverse=True):
        latex = latex[:at] + brace + latex[at:]
    return latex


def unknown_environments(latex: str) -> list[str]:
    """List the environments that the library would omit silently."""
    environment_names = (match[2] for match in _ENVIRONMENT.finditer(latex) if match[1] == "begin")
    return [
        name
        for name in dict.fromkeys(environment_names)
        if name not in _KNOWN | _TRANSPARENT_ENVIRONMENTS and name not in _EQUIVALENT_ENVIRONMENTS
    ]


def _replace_sign(match: re.Match[str]) -> str:
    sign = match[1] or match[2]
    return _SIGN_ENTITIES.get(sign, sign) if match[2] or sign in "&," else sign


def _rewrite_environment(match: re.Match[str]) -> str:
    end, name = match[1], match[2]
    columns = "{rcl}" if end == "begin" and name.startswith("eqnarray") else ""
    return f"\\{end}{{{_EQUIVALENT_ENVIRONMENTS.get(name, name)}}}{columns}"
