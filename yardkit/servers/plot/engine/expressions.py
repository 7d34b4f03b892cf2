"""Formulas as text, computed on arrays: a closed grammar, no ``eval``."""

import ast
import re
from dataclasses import dataclass
from typing import Any

from yardkit.world import Problem

MAX_LENGTH = 500
_CONSTANTS = ("pi", "e", "tau")
_FUNCTIONS = {
    **{name: name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log2", "log10", "sqrt", "cbrt")},
    **{name: name for name in ("floor", "ceil", "round", "sign", "sinc", "where", "hypot")},
    "abs": "abs",
    "log": "log",
    "ln": "log",
    "min": "minimum",
    "max": "maximum",
    "atan2": "arctan2",
    **{name: name.replace("a", "arc", 1) for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh")},
    **{name: name for name in ("arcsin", "arccos", "arctan")},
}
_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Pow: "power",
    ast.Mod: "mod",
    ast.FloorDiv: "floor_divide",
    ast.USub: "negative",
    ast.UAdd: "positive",
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.Gt: "greater",
    ast.GtE: "greater_equal",
}
_FACTOR = re.compile(r"(?<![\w.])(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)\s*(?=[A-Za-z_(])|\)\s*(?=[\w(])")


@dataclass(frozen=True)
class Formula:
    """A formula that was read: its text and its tree."""

    text: str
    tree: ast.expr
    variables: frozenset[str]

    def __call__(self, **values: Any) -> Any:
        """The values over arrays of the variables, in floating point; where there is none, NaN or infinity."""
        import numpy as np

        with np.errstate(all="ignore"):
            result = _compute_node(self.tree, {name: np.asarray(value, dtype=float) for name, value in values.items()})
            shape = np.broadcast_shapes(*(np.shape(value) for value in values.values()))
            return np.broadcast_to(np.asarray(result, dtype=float), shape)


def read_formula(text: str, variables: set[str]) -> Formula:
    """Read a formula such as ``2x^2 + sin(3x)``: Python's operators, ``^`` as power, no sign after a factor number.

    Raises:
        Problem: it is too long, no formula, or holds a name that is none of `variables`, constants and functions.
    """
    if len(text) > MAX_LENGTH:
        raise Problem(f"the formula has {len(text)} characters; the limit is {MAX_LENGTH}")
    code = _FACTOR.sub(lambda match: match[0].rstrip() + "*", text.replace("^", "**").replace("π", "pi").strip())
    try:
        tree = ast.parse(code, mode="eval").body
        used_variables = _check_node(tree, variables, text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise Problem(f"{text!r} is not a valid formula; write it like 'x^2 - 3*x + 2' or 'sin(x)/x'") from None
    return Formula(text, tree, frozenset(used_variables))


def _check_node(node: ast.AST, variables: set[str], text: str) -> set[str]:
    """The variables in the tree, if it holds nothing else than what we compute."""
    match node:
        case ast.Constant(value=bool()):
            raise Problem(f"{text!r} is a truth value; use where(x < 0, ..., ...)")
        case ast.Constant(value=int() | float()):
            return set()
        case ast.Name(id=name):
            return _check_name(name, variables, text)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _OPERATORS:
            return _check_node(operand, variables, text)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _check_node(left, variables, text) | _check_node(right, variables, text)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OPERATORS:
            return _check_node(left, variables, text) | _check_node(right, variables, text)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return _check_call(name, args, variables, text)
    raise Problem(
        f"{text!r} contains something other than numbers, operators and {_list_known_names(variables)}; use only these"
    )


def _check_name(name: str, variables: set[str], text: str) -> set[str]:
    if name in variables:
        return {name}
    if name not in _CONSTANTS:
        raise Problem(f"{text!r} contains the unknown name {name!r}; use {_list_known_names(variables)}")
    return set()


def _check_call(name: str, args: list[ast.expr], variables: set[str], text: str) -> set[str]:
    if name not in _FUNCTIONS:
        hint = (
            f"write {name}*(...) for a product" if name in variables else f"it may hold {_list_known_names(variables)}"
        )
        raise Problem(f"{text!r} contains the unknown function {name!r}; {hint}")
    expected_count = {"where": 3, "min": 2, "max": 2, "atan2": 2, "hypot": 2}.get(name, 1)
    if len(args) != expected_count:
        raise Problem(f"{name} in {text!r} has {len(args)} arguments; give {expected_count}")
    return set().union(*(_check_node(arg, variables, text) for arg in args))


def _list_known_names(variables: set[str]) -> str:
    return f"{', '.join(sorted(variables))}, {', '.join(_CONSTANTS)} and {', '.join(sorted(_FUNCTIONS))}"


def _compute_node(node: ast.AST, values: dict[str, Any]) -> Any:
    import numpy as np

    match node:
        case ast.Constant(value=int() | float() as value):
            return np.float64(float(value)) if abs(value) < 1e308 else np.float64("inf")
        case ast.Name(id=name):
            return values[name] if name in values else np.float64(getattr(np, name, 2 * np.pi))
        case ast.UnaryOp(op=op, operand=operand):
            return getattr(np, _OPERATORS[type(op)])(_compute_node(operand, values))
        case ast.BinOp(left=left, op=op, right=right):
            return _compute_binary(op, _compute_node(left, values), _compute_node(right, values))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return getattr(np, _OPERATORS[type(op)])(_compute_node(left, values), _compute_node(right, values))
        case ast.Call(func=ast.Name(id=name), args=args):
            return getattr(np, _FUNCTIONS[name])(*(_compute_node(arg, values) for arg in args))
    raise AssertionError(f"unchecked node {ast.dump(node)}")


def _compute_binary(op: ast.operator, left: Any, right: Any) -> Any:
    import numpy as np

    if isinstance(op, ast.Pow) and np.ndim(right) == 0 and _is_uneven_root(float(right)):
        return np.sign(left) * np.power(np.abs(left), right)  # x^(1/3) is real for negative x
    return getattr(np, _OPERATORS[type(op)])(left, right)


def _is_uneven_root(power: float) -> bool:
    return any(abs(power - 1 / root) < 1e-12 for root in (3, 5, 7))
