"""What the style sheets of a page or a mail hide from its reader."""

import re

_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?<![\w-])opacity\s*:\s*0*\.?0+\s*(?:;|!|$)", re.IGNORECASE
)
_NO_HEIGHT = re.compile(r"(?<![\w-])(?:max-)?height\s*:\s*0+(?:px|em|pt)?\s*(?:;|!|$)", re.IGNORECASE)
_CUT = re.compile(r"overflow(?:-y)?\s*:\s*(?:hidden|clip)", re.IGNORECASE)
_SHOWING = re.compile(r"display|visibility|opacity", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_AT_RULE = re.compile(r"@[^;{}]*(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_MAX_SELECTORS = 50


def is_hidden(declarations: str) -> bool:
    """Whether declarations of CSS, as in the attribute ``style``, hide the element."""
    cut_away = _NO_HEIGHT.search(declarations) and _CUT.search(declarations)
    return bool(cut_away or _HIDING.search(declarations))


def list_hiding_selectors(*sheets: str) -> list[str]:
    """The selectors that sheets hide, unless a later rule of the same selector shows it; not those for some media."""
    hiding: dict[str, None] = {}
    for sheet in sheets:
        for selectors, declarations in _RULE.findall(_AT_RULE.sub("", _COMMENT.sub("", sheet))):
            for selector in map(str.strip, selectors.split(",")):
                if is_hidden(declarations):
                    hiding[selector] = None
                elif _SHOWING.search(declarations):
                    hiding.pop(selector, None)
    return [*hiding][:_MAX_SELECTORS]
