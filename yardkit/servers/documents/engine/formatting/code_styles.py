"""The styles of code: "Code", and "Code (python)" based on it, whose name keeps the language of the code."""

from __future__ import annotations

import re
from typing import Any

from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup.names import P, get_value
from yardkit.servers.documents.engine.markup.specs import StyleEdit

_CODE_STYLE_NAMES = ("code", "html preformatted", "preformatted text", "source code", "macro text")
_NAMED = re.compile(r"code \(([\w+#.-]{1,30})\)", re.I)
_CLASS = re.compile(r"(?:language|lang)-([\w+#.-]{1,30})")


def language_of(name: str) -> str | None:
    """The language in the name of a style of code, empty where it has none; None for other styles."""
    name_match = _NAMED.fullmatch(name)
    return name_match[1] if name_match else "" if name.lower() in _CODE_STYLE_NAMES else None


def code_style(styles: Styles, block: Any) -> str | None:
    """The name of the style of a line of code; None for other blocks."""
    name = styles.name_of(get_value(block, "w:pPr/w:pStyle")) if block.tag == P else ""
    return None if language_of(name) is None else name


def ensure_code(styles: Styles, language: str) -> str:
    """The name of the style of code in a language; it is made if it is missing."""
    styles.ensure("Code")
    name = f"Code ({language})" if language else "Code"
    if styles.by_name(name, "paragraph") is None:
        styles.make(StyleEdit(name, "paragraph", "Code", name))
    return name


def stated_language(node: Any) -> str:
    """The language that the class of a ``pre``, or of the ``code`` in it, states."""
    classes = [name for element in (node, *node.iterchildren("code")) for name in (element.get("class") or "").split()]
    return next((class_match[1] for name in classes if (class_match := _CLASS.fullmatch(name))), "")
