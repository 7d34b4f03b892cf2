"""What a browser shows beside the text of elements: fields, texts of drawings, raised letters."""

from __future__ import annotations

from typing import Any

from yardkit.servers.html.engine.source import parse_fragment, tag_of, text_of

DRAWN = ("input", "select", "datalist", "svg", "math", "iframe")
_UNSEEN_INPUTS = ("hidden", "password", "file")
_MOST_OPTIONS = 40
_TICKED, _EMPTY = "\u2611", "\u2610"
_RAISED_DIGITS = {
    "sup": str.maketrans("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻"),
    "sub": str.maketrans("0123456789+-\u2212", "₀₁₂₃₄₅₆₇₈₉₊₋₋"),
}


def drawn_text(element: Any, *, include_all: bool = True) -> str:
    """What stands in a field, a drawing (SVG), a formula (MathML) or a page within the page.

    Args:
        element: one of `DRAWN`.
        include_all: also what is not seen at once: choices that are not taken, titles of drawings, LaTeX of formulas.
    """
    tag = tag_of(element)
    if tag == "svg":
        names = ("text", "foreignObject", *(("title", "desc") if include_all else ()))
        texts = [text for child in element.iter() if tag_of(child) in names and (text := _get_words(child))]
        return " ".join(texts) or (element.get("aria-label", "") if include_all else "")
    if tag == "math":
        return _format_formula(element, include_all=include_all)
    if tag == "iframe":
        return _get_words(parse_fragment(element.get("srcdoc", "")))
    if tag in ("select", "datalist"):
        return _format_choices(element, include_all=include_all)
    return _format_input(element)


def _get_words(element: Any) -> str:
    return " ".join(text_of(element).split())


def _format_formula(element: Any, *, include_all: bool) -> str:
    """A formula as LaTeX where the page says it so, else its signs."""
    notes = [node for node in element.iter() if tag_of(node) == "annotation"]
    latex = element.get("alttext") or next(
        (_get_words(node) for node in notes if "tex" in node.get("encoding", "")), ""
    )
    if include_all and latex:
        return f"${latex}$"
    return " ".join(" ".join(node.text or "" for node in element.iter() if node not in notes).split())


def _format_choices(element: Any, *, include_all: bool) -> str:
    """What is chosen in a list, and what else may be."""
    options = list(element.iter("option"))
    chosen = [option for option in options if option.get("selected") is not None]
    first = options[:1] if element.get("multiple") is None and tag_of(element) == "select" else []
    taken = chosen or first
    chosen_labels = ", ".join(map(_get_label, taken))
    groups = [group.get("label", "") for group in element.iter("optgroup")]
    others = [text for text in [*groups, *(_get_label(o) for o in options if o not in taken)] if text]
    if not include_all or not others:
        return chosen_labels
    more = f", {len(others) - _MOST_OPTIONS} more: query_elements" if len(others) > _MOST_OPTIONS else ""
    return f"{chosen_labels} (or {', '.join(others[:_MOST_OPTIONS])}{more})".strip()


def _get_label(option: Any) -> str:
    return option.get("label") or _get_words(option) or (option.get("value") or "")


def _format_input(element: Any) -> str:
    """What a reader sees in an input: what is ticked or entered, else what asks for it; the words of a button."""
    kind = element.get("type", "").strip().lower()
    if kind in ("checkbox", "radio"):
        return _EMPTY if element.get("checked") is None else _TICKED
    if kind == "image":
        return element.get("alt", "")  # type: ignore[no-any-return]
    value = element.get("value") or element.get("placeholder") or ""
    return "" if kind in _UNSEEN_INPUTS else str(value).strip()


def get_accessible_name(element: Any) -> str:
    """What a link, button or field without words is called: for those who do not see its icon."""
    return str(element.get("aria-label") or element.get("placeholder") or element.get("title") or "").strip()


def raised_text(element: Any) -> str | None:
    """Raised or lowered numbers in letters that tell it, so that 10 to the 6th is not 106; None for other text."""
    words = text_of(element).strip()
    table = _RAISED_DIGITS.get(tag_of(element), {})
    return words.translate(table) if words and all(ord(letter) in table for letter in words) else None


def raised_markdown(element: Any, inner: str) -> str:
    """Raised or lowered text in its tags; the mark of a note is a link and says so itself."""
    tag = tag_of(element)
    return inner if not inner.strip() or next(element.iter("a"), None) is not None else f"<{tag}>{inner}</{tag}>"
