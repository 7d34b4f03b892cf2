"""What a browser shows beside the text of elements: fields, texts of drawings, raised letters."""

from __future__ import annotations

from typing import Any

from toolyard.servers.html.engine.source import tag_of, text_of, words_of

DRAWN = ("input", "select", "svg")
_UNSEEN_INPUTS = ("hidden", "password", "submit", "reset", "button", "image", "file")
_TICKED, _EMPTY = "\u2611", "\u2610"
_RAISED_DIGITS = {
    "sup": str.maketrans("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻"),
    "sub": str.maketrans("0123456789+-\u2212", "₀₁₂₃₄₅₆₇₈₉₊₋₋"),
}


def drawn_text(element: Any) -> str:
    """What a reader sees in a field: what is chosen, ticked or entered; in a drawing (SVG) its texts."""
    if tag_of(element) == "svg":
        return " ".join(words_of(child, 500) for child in element.iter() if tag_of(child) == "text")
    if tag_of(element) == "select":
        options = list(element.iter("option"))
        chosen = [option for option in options if option.get("selected") is not None]
        first = options[:1] if element.get("multiple") is None else []
        return ", ".join(words_of(label, 500) for label in chosen or first)
    kind = element.get("type", "").strip().lower()
    if kind in ("checkbox", "radio"):
        return _EMPTY if element.get("checked") is None else _TICKED
    return "" if kind in _UNSEEN_INPUTS else str(element.get("value", "")).strip()


def raised_text(element: Any) -> str | None:
    """Raised or lowered numbers in letters that tell it, so that 10 to the 6th is not 106; None for other text."""
    words = text_of(element).strip()
    table = _RAISED_DIGITS.get(tag_of(element), {})
    return words.translate(table) if words and all(ord(letter) in table for letter in words) else None


def raised_markdown(element: Any, inner: str) -> str:
    """Raised or lowered text in its tags; the mark of a note is a link and says so itself."""
    tag = tag_of(element)
    return inner if not inner.strip() or next(element.iter("a"), None) is not None else f"<{tag}>{inner}</{tag}>"
