"""TEXTJOIN and CONCAT in the form in which the calculation engine gives what Excel gives.

Empty texts count as empty in Excel; the engine's TEXTJOIN leaves out empty cells alone, and joins nothing but ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from yardkit.servers.sheets.engine.notation.values import MAX_TEXT

_SKIP_VALUES = {"TRUE": True, "1": True, "": True, "FALSE": False, "0": False, "TRUE()": True, "FALSE()": False}
_NOTHING_YET = "CHAR(1)"


def form_of(name: str, arguments: Sequence[str], bounded: Callable[[str], str], *, over_arrays: bool) -> str:
    """The call for the engine, one text after the other; empty for another function, and where it is right as it is.

    `bounded` gives a range without the empty rows below the last used one.
    """
    if name == "CONCAT" and over_arrays:
        return _chain_texts('""', [*map(bounded, arguments)], skips=True)
    if name != "TEXTJOIN" or len(arguments) < 3:
        return ""
    between, how, *texts = arguments
    skips = _SKIP_VALUES.get(how.strip().upper())
    full = [*map(bounded, texts)]
    if skips is None:
        return f"IF({how},{_chain_texts(between, full, skips=True)},{_chain_texts(between, texts, skips=False)})"
    if skips:
        return _chain_texts(between, full, skips=True)
    return _chain_texts(between, texts, skips=False) if over_arrays else ""


def _chain_texts(between: str, texts: Sequence[str], *, skips: bool) -> str:
    start = '""' if skips else _NOTHING_YET
    joined = f'IF(all_joined={start},each_joined&"",all_joined&{between.strip() or chr(34) * 2}&each_joined)'
    step = f'IF(each_joined="",all_joined,{joined})' if skips else joined
    step = f"IF(LEN(all_joined)>{MAX_TEXT},#VALUE!,{step})"  # before it takes all memory
    chain_formula = start
    for text in texts:
        chain_formula = f"REDUCE({chain_formula},{text.strip() or chr(34) * 2},LAMBDA(all_joined,each_joined,{step}))"
    return chain_formula
