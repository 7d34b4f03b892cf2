"""Conditional formats as Toolathlon's server takes them: a type, and the parameters that openpyxl's rules have."""

from collections.abc import Callable
from typing import Any

from yardkit.compat.toolathlon.sheets.app import to_rgb, translate_word
from yardkit.servers.sheets.engine.objects.conditional_formats import Look, Point, Rule
from yardkit.world import Problem

_OPERATORS = {
    "greaterThan": ">", "lessThan": "<", "equal": "=", "notEqual": "<>", "greaterThanOrEqual": ">=",
    "lessThanOrEqual": "<=", "between": "between", "notBetween": "not between", ">": ">", "<": "<", ">=": ">=",
    "<=": "<=", "=": "=", "==": "=", "!=": "<>", "<>": "<>",
}  # fmt: skip
_ICON_SETS = {
    "3Arrows": "3_arrows", "3ArrowsGray": "3_arrows_gray", "3Flags": "3_flags",
    "3TrafficLights1": "3_traffic_lights", "3TrafficLights2": "3_traffic_lights_rimmed", "3Signs": "3_signs",
    "3Symbols": "3_symbols_circled", "3Symbols2": "3_symbols", "4Arrows": "4_arrows",
    "4ArrowsGray": "4_arrows_gray", "4RedToBlack": "4_red_to_black", "4Rating": "4_ratings",
    "4TrafficLights": "4_traffic_lights", "5Arrows": "5_arrows", "5ArrowsGray": "5_arrows_gray",
    "5Rating": "5_ratings", "5Quarters": "5_quarters",
}  # fmt: skip
_SCALE_POINTS = {kind: kind for kind in ("min", "max", "num", "percent", "percentile", "formula")}


def rule_of(given: dict[str, Any]) -> Rule:
    """The rule that a type with its parameters means.

    Raises:
        Problem: no such type or parameter, or one that the type needs is missing.
    """
    kinds: dict[str, Callable[[_Parameters], Rule]] = {
        "cell_is": _cell_is,
        "formula": _build_formula_rule,
        "color_scale": _color_scale,
        "data_bar": _data_bar,
        "icon_set": _icon_set,
    }
    kind = translate_word("the type of a conditional_format", given.get("type"), {name: name for name in kinds})
    parameters = _Parameters(kind, given.get("params", {key: given[key] for key in given if key != "type"}))
    rule = kinds[kind](parameters)
    parameters.check()
    return rule


class _Parameters:
    """The parameters of a rule; those that nobody asked for are refused, not ignored."""

    def __init__(self, kind: str, given: object) -> None:
        if not isinstance(given, dict):
            raise Problem(f"the params of a {kind} rule are {given!r}; give an object")
        self.kind, self.given = kind, given
        self.known: list[str] = []

    def get(self, *names: str) -> Any:
        """The first of the parameters `names` that is given."""
        self.known += names
        return next((self.given[name] for name in names if self.given.get(name) is not None), None)

    def check(self) -> None:
        unknown = [name for name in self.given if name not in self.known]
        if unknown:
            raise Problem(f"a {self.kind} rule has no parameter {unknown[0]!r}; it takes {', '.join(self.known)}")

    def list_formulas(self) -> list[str]:
        """What cells are compared with, or the formula itself."""
        given_formulas = self.get("formula")
        texts = (
            given_formulas if isinstance(given_formulas, list) else [] if given_formulas is None else [given_formulas]
        )
        if not texts:
            raise Problem(f"a {self.kind} rule needs formula, such as ['100']")
        return ["=" + str(text).removeprefix("=") for text in texts]

    def look(self) -> Look:
        fill, font = self.get("fill"), self.get("font")
        shade = _get_first_color(fill, "fgColor", "start_color", "bgColor", "end_color")
        letters = font if isinstance(font, dict) else {}
        return Look(to_rgb(shade), to_rgb(_get_first_color(font, "color")), letters.get("bold"), letters.get("italic"))

    def points(self, *ends: str) -> tuple[Point, ...]:
        """The points that are given by type, such as start_type and start_value."""
        given = [(end, self.get(f"{end}_type"), self.get(f"{end}_value")) for end in ends]
        return tuple(
            Point(translate_word(f"{end}_type", kind, _SCALE_POINTS), value) for end, kind, value in given if kind
        )


def _get_first_color(given: object, *names: str) -> str | None:
    """A colour: the text itself, or one of the fields `names`."""
    if isinstance(given, dict):
        given = next((given[name] for name in names if given.get(name)), None)
    if given is not None and not isinstance(given, str):
        raise Problem(f"{given!r} is not a valid colour; use RRGGBB, such as FFC7CE")
    return given


def _cell_is(parameters: _Parameters) -> Rule:
    operator = translate_word("the operator of a cell_is rule", parameters.get("operator"), _OPERATORS)
    first, *more = parameters.list_formulas()
    stop = bool(parameters.get("stopIfTrue"))
    return Rule("cell", operator, first, more[0] if more else None, parameters.look(), stop=stop)


def _build_formula_rule(parameters: _Parameters) -> Rule:
    (first, *_), stop = parameters.list_formulas(), bool(parameters.get("stopIfTrue"))
    return Rule("formula", value=first, look=parameters.look(), stop=stop)


def _color_scale(parameters: _Parameters) -> Rule:
    named = ((end, parameters.get(f"{end}_color")) for end in ("start", "mid", "end"))
    given = [(end, color) for end, color in named if color]
    points = parameters.points(*(end for end, _ in given))
    for name in ("mid_type", "mid_value"):
        parameters.get(name)
    return Rule("color_scale", colors=tuple(to_rgb(color) or "" for _, color in given), points=points)


def _data_bar(parameters: _Parameters) -> Rule:
    color = to_rgb(_get_first_color(parameters.get("color"), "rgb"))
    bare = parameters.get("showValue", "show_value") is False
    return Rule("data_bar", colors=(color,) if color else (), points=parameters.points("start", "end"), bare=bare)


def _icon_set(parameters: _Parameters) -> Rule:
    style = translate_word("icon_style", parameters.get("icon_style") or "3TrafficLights1", _ICON_SETS)
    kind = translate_word("the type of the values", parameters.get("type") or "percent", _SCALE_POINTS)
    values = parameters.get("values") or []
    points = tuple(Point(kind, value) for value in values[1:])
    bare = parameters.get("showValue", "show_value") is False
    return Rule("icon_set", icons=style, points=points, bare=bare, reverse=bool(parameters.get("reverse")))
