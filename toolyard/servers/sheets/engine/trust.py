"""Which formulas the calculation engine can be trusted with."""

from __future__ import annotations

import re
from functools import cache

from toolyard.servers.sheets.engine import formulas
from toolyard.servers.sheets.engine.values import Scalar

MALFORMED = "the engine cannot parse it"
OWN_ERRORS = {
    "#ERROR!": MALFORMED,
    "#N/IMPL!": "the engine does not implement this use of ",
    "#CIRC!": "it refers to itself in a circle",
}


def doubt(text: str, names: dict[str, str]) -> str:
    """Why no value of a formula is to be trusted, whatever the engine says; empty when there is no reason."""
    used = {text, *(names[word] for word in formulas.words(text) & names.keys())} if names else {text}
    called = {name for part in used for name in formulas.functions(part)}
    chance = sorted(called & formulas.CHANCE)
    if chance:
        return f"{chance[0]} gives another value at each calculation"
    if called & formulas.SURROUNDINGS:
        return "its value depends on the program that opens the file"
    absent = sorted(name for name in called if not _implemented(name) and name.lower() not in names)
    if absent:
        return f"the engine has no {absent[0]}"
    if "[" in re.sub(r"\w+\[[^\]]*\]+|\[@?[^\]]*\]", "", text) or re.search(r"\[\d+\]", text):
        return "it refers to another workbook"
    over_range = formulas.array_call(text)
    if over_range:
        return f"the engine is not reliable where {over_range} is given a range; use a helper column, or SUMIFS"
    return ""


def doubt_of_value(value: Scalar, text: str) -> str:
    """Why a value that the engine gives for a formula is none."""
    if value == "#N/IMPL!":
        return OWN_ERRORS[value] + (", ".join(dict.fromkeys(formulas.functions(text))) or "its operators")
    if isinstance(value, str) and value in OWN_ERRORS:
        return OWN_ERRORS[value]
    return "the engine gives no value" if value is None else ""


@cache
def _implemented(function: str) -> bool:
    """Whether the engine knows a function: without arguments it complains about them, not about the name."""
    import ironcalc

    if function in ("TRUE", "FALSE", "ANCHORARRAY"):  # the last is written C1# for the engine
        return True
    model = ironcalc.create("probe", "en", "UTC", "en")
    model.set_user_input(0, 1, 1, f"={function}()")
    model.evaluate()
    return model.get_cell_value(0, 1, 1) not in ("#NAME?", "#N/IMPL!")
