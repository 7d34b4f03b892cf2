"""Expressions: Python's grammar, a whitelist of its nodes, our own arithmetic, no ``eval``."""

import ast
import keyword
import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from yardkit.servers.calculator.engine import functions, numbers
from yardkit.servers.calculator.engine.numbers import MAX_BITS, Real, count_bits
from yardkit.world import Problem

MAX_CHARACTERS = 10_000
MAX_DEPTH = 60
MAX_LINES = 200
MAX_DIGITS = 25_000
_LONG = 300
_WORK = 2e12
_SIGNS = str.maketrans(
    {
        "\N{MULTIPLICATION SIGN}": "*",
        "\N{MIDDLE DOT}": "*",
        "\N{DIVISION SIGN}": "/",
        "\N{MINUS SIGN}": "-",
        "\N{EN DASH}": "-",
        "\N{GREEK SMALL LETTER PI}": " pi ",
        "\N{GREEK SMALL LETTER TAU}": " tau ",
        "\N{SUPERSCRIPT TWO}": "**2",
        "\N{SUPERSCRIPT THREE}": "**3",
    }
)
_SPELLINGS = (
    (re.compile(r"!(?!=)"), "write factorial(n) for n!"),
    (re.compile(r"%\s*($|[-+*/),\]%])"), "% is the remainder here: write 15/100 for 15 %"),
    (re.compile(r"°|\d\s*deg(rees?)?\b"), "angles are in radians: write radians(30) for 30 degrees"),
    (re.compile(r"\d\s*[A-Za-z_]"), "write the multiplication sign: 2*x for 2x"),
)
"""What people write and the grammar does not have, with what to write instead."""


@dataclass(frozen=True)
class Step:
    """The value of one line.

    Attributes:
        expression: the line.
        name: the variable that it sets; null for a mere expression.
        text: the value as a person writes it: ``0.3``, ``2/3 ≈ 0.6666666666666667``, ``True``.
        exact: all digits of an exact value, ``3/10`` or ``12``; null when rounding was involved.
        decimal: the decimal expansion of an exact value if it ends; else null.
        value: the nearest double; null when it is beyond its range or not finite.
        truth: of a comparison; else null.
    """

    expression: str
    name: str | None
    text: str
    exact: str | None
    decimal: str | None
    value: float | None
    truth: bool | None

    def __str__(self) -> str:
        return f"{self.expression} = {self.text}" if self.name is None else f"{self.expression}  ({self.text})"


@dataclass(frozen=True)
class Evaluation:
    """The values of all lines, and of the last one by itself.

    Attributes:
        text: the last value as a person writes it.
        exact: all its digits as an integer or fraction; null when rounding was involved.
        decimal: its decimal expansion if it is exact and ends; else null.
        value: the nearest double; null when it is beyond the range of a double or not finite.
        steps: every line with its value.
    """

    text: str
    exact: str | None
    decimal: str | None
    value: float | None
    steps: list[Step]

    def __str__(self) -> str:
        lines = [str(step) for step in self.steps]
        hidden = self.exact is not None and len(self.exact) > _LONG
        return "\n".join([*lines, f"exact: {self.exact}"] if hidden else lines)


def evaluate_expression(text: str, variables: Mapping[str, str | float] | None = None) -> Evaluation:
    """The value of an expression, or of several lines of which some set variables (``x = 3``).

    Raises:
        Problem: it cannot be parsed, names something unknown, is undefined (1/0) or too large.
    """
    calculation = _Calculation({name: _parse_variable(name, value) for name, value in (variables or {}).items()})
    steps = [calculation.line(line) for line in _split_lines(text)]
    if sum(len(step.exact or "") for step in steps) > MAX_DIGITS:
        raise Problem(f"the results have over {MAX_DIGITS:,} digits in total; ask for fewer at once")
    last = steps[-1]
    return Evaluation(last.text, last.exact, last.decimal, last.value, steps)


def _split_lines(text: str) -> list[str]:
    if len(text) > MAX_CHARACTERS:
        raise Problem(
            f"the expression has {len(text):,} characters; the limit is {MAX_CHARACTERS:,}. Split it into parts"
        )
    lines = [line.strip() for line in text.replace(";", "\n").splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if not 0 < len(lines) <= MAX_LINES:
        raise Problem(f"there are {len(lines)} expressions; give 1 to {MAX_LINES}, such as '2 * (3 + 4)'")
    return lines


def _parse_variable(name: str, value: str | float) -> Real:
    _check_name(name)
    if isinstance(value, float) and not math.isfinite(value):
        return value
    return numbers.parse_exact(str(value))


def _check_name(name: str) -> None:
    if not name.isidentifier() or keyword.iskeyword(name) or len(name) > 50:
        raise Problem(f"{name[:60]!r} cannot be the name of a variable; use letters, digits and _")
    if name in functions.FUNCTIONS or name in functions.CONSTANTS:
        raise Problem(f"{name!r} is already a function or constant; use another name for the variable")


def _parse_expression(line: str) -> ast.expr:
    try:
        tree = ast.parse(line, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        where = f" at character {error.offset}" if isinstance(error, SyntaxError) and error.offset else ""
        hint = next((f"{spelling_hint}; " for sign, spelling_hint in _SPELLINGS if sign.search(line)), "")
        reason = {SyntaxError: getattr(error, "msg", ""), ValueError: str(error)}.get(type(error), "too deeply nested")
        raise Problem(
            f"{_shorten_text(line)} cannot be parsed{where}: {reason}; {hint}use + - * / // % ** and functions"
        ) from None
    return tree


class _Calculation:
    """The variables so far and what may still be spent."""

    def __init__(self, variables: dict[str, Real]) -> None:
        self.variables = variables
        self.spent = 0.0
        self.source = b""

    def line(self, line: str) -> Step:
        name, expression = _split_assignment(line)
        prepared = expression.translate(_SIGNS).strip()
        try:
            self.source = prepared.encode()
            value = self.number(_parse_expression(prepared), 0)
        except ZeroDivisionError:
            raise Problem(f"{_shorten_text(line)} divides by zero; change the divisor") from None
        except OverflowError:
            raise Problem(
                f"{_shorten_text(line)} is beyond the range of floating point (about 1.8e308); use logarithms"
            ) from None
        except (ValueError, TypeError) as error:
            raise Problem(
                f"{_shorten_text(line)} is not defined ({error}); check the number and values of the arguments"
            ) from None
        if name:
            self.variables[name] = value
        return _build_step(line, name, value)

    def value(self, node: ast.expr, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise Problem(
                f"the expression is nested over {MAX_DEPTH} levels deep; assign parts to variables on separate lines"
            )
        handler = self._HANDLERS.get(type(node))
        if handler is None:
            raise Problem(
                f"{type(node).__name__} ({_shorten_text(self.text(node))}) is not arithmetic; use numbers, + - * / // %"
                " **, comparisons and functions"
            )
        return self.check_value(handler(self, node, depth + 1))

    def number(self, node: ast.expr, depth: int) -> Any:
        value = self.value(node, depth)
        if isinstance(value, list):
            raise Problem(
                f"{_shorten_text(self.text(node))} is a list, not a number; use lists inside sum, mean, min, max, prod"
                " or dist, and write numbers without commas, such as 1234.5"
            )
        return value

    def check_value(self, value: Any) -> Any:
        if isinstance(value, Fraction):
            value = numbers.simplify_fraction(value)
        if isinstance(value, int | Fraction):
            size = count_bits(value)
            self.spent += size * size
            if size > 2 * MAX_BITS:
                raise functions.too_large("a result")
        if self.spent > _WORK:
            raise Problem(
                "the expression needs too much computation with very large numbers; use smaller ones or logarithms"
            )
        return value

    def text(self, node: ast.expr) -> str:
        return self.source[node.col_offset : node.end_col_offset].decode()

    def evaluate_constant(self, node: ast.Constant, _: int) -> Real:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise Problem(
                f"{_shorten_text(self.text(node))} is not a real number; write numbers such as 12, 0.5 or 1e-3"
            )
        return node.value if isinstance(node.value, int) else numbers.parse_exact(self.text(node))

    def name(self, node: ast.Name, _: int) -> Real:
        if node.id in self.variables:
            return self.variables[node.id]
        if node.id in functions.CONSTANTS:
            return functions.CONSTANTS[node.id]
        if node.id in functions.FUNCTIONS:
            raise Problem(f"{node.id!r} is a function; call it with arguments: {node.id}(...)")
        known = ", ".join([*self.variables, *functions.CONSTANTS])
        raise Problem(f"{node.id!r} is not defined; give it in variables, or use one of: {known}")

    def evaluate_binary(self, node: ast.BinOp, depth: int) -> Real:
        """Long chains such as 1 + 2 + 3 ... lean to the left; they are worked off without recursion."""
        chain: list[ast.BinOp] = []
        first: ast.expr = node
        while isinstance(first, ast.BinOp):
            chain.append(first)
            first = first.left
        result: Real = self.number(first, depth)
        for link in reversed(chain):
            work = _BINARY_OPERATORS.get(type(link.op))
            if work is None:
                raise Problem(f"{_shorten_text(self.text(link))}: {_operator_hint(link.op)}")
            result = self.check_value(work(result, self.number(link.right, depth)))
        return result

    def evaluate_unary(self, node: ast.UnaryOp, depth: int) -> Any:
        work: Callable[[Any], Any] | None = _UNARY_OPERATORS.get(type(node.op))
        if work is None:
            raise Problem(f"{_shorten_text(self.text(node))}: 'not' and '~' are not arithmetic; use + or -")
        return work(self.number(node.operand, depth))

    def evaluate_comparison(self, node: ast.Compare, depth: int) -> bool:
        left = self.number(node.left, depth)
        for sign, right_node in zip(node.ops, node.comparators, strict=True):
            compare = _COMPARISONS.get(type(sign))
            if compare is None:
                raise Problem("'in' and 'is' are not arithmetic; compare with < <= == != >= >")
            right = self.number(right_node, depth)
            if not compare(left, right):
                return False
            left = right
        return True

    def evaluate_listing(self, node: ast.List | ast.Tuple, depth: int) -> list[Any]:
        return [self.value(item, depth) for item in node.elts]

    def call(self, node: ast.Call, depth: int) -> Any:
        if isinstance(node.func, ast.Constant | ast.BinOp | ast.Call):
            raise Problem(
                f"{_shorten_text(self.text(node))}: write the multiplication sign, such as 2*(3 + 4) for 2(3 + 4)"
            )
        name = node.func.id if isinstance(node.func, ast.Name) else self.text(node.func).removeprefix("math.")
        function = functions.FUNCTIONS.get(name)
        if function is None or node.keywords:
            known = ", ".join(sorted(functions.FUNCTIONS))
            what = f"{name[:60]!r} takes no named arguments" if function else f"there is no function {name[:60]!r}"
            raise Problem(f"{what}; there are: {known}")
        return function(*[self.value(argument, depth) for argument in node.args])

    def constant_of_math(self, node: ast.Attribute, _: int) -> Real:
        name = self.text(node).removeprefix("math.")
        if name not in functions.CONSTANTS:
            raise Problem(f"{_shorten_text(self.text(node))} is not defined; use pi, e, tau, inf")
        return functions.CONSTANTS[name]

    _HANDLERS: Mapping[type[ast.expr], Callable[..., Any]] = {
        ast.Constant: evaluate_constant,
        ast.Name: name,
        ast.BinOp: evaluate_binary,
        ast.UnaryOp: evaluate_unary,
        ast.Compare: evaluate_comparison,
        ast.List: evaluate_listing,
        ast.Tuple: evaluate_listing,
        ast.Call: call,
        ast.Attribute: constant_of_math,
    }


_BINARY_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: functions.add,
    ast.Sub: lambda left, right: functions.add(left, -right),
    ast.Mult: functions.multiply_numbers,
    ast.Div: functions.divide_numbers,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: functions.raise_to_power,
}
_UNARY_OPERATORS: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
}


def _operator_hint(sign: ast.operator) -> str:
    if isinstance(sign, ast.BitXor):
        return "^ is not an operator here; write ** for powers"
    return "only + - * / // % ** are operators here"


def _split_assignment(line: str) -> tuple[str | None, str]:
    """Split ``name = expression``; ``==`` and other comparisons are left alone."""
    name, sign, rest = line.partition("=")
    if not sign or rest.startswith("=") or name.rstrip()[-1:] in ("<", ">", "!") or "(" in name:
        return None, line
    _check_name(name.strip())
    return name.strip(), rest.strip()


def _build_step(line: str, name: str | None, value: Real | bool) -> Step:
    if isinstance(value, bool):
        return Step(line, name, str(value), None, None, None, value)
    if isinstance(value, float):
        return Step(line, name, repr(value), None, None, numbers.nearest_float(value), None)
    exact, decimal, near = numbers.exact_text(value), numbers.decimal_text(value), numbers.nearest_float(value)
    rounded = near if near is not None else numbers.format_scientific(value)
    text = decimal or f"{exact} ≈ {rounded}"
    if len(text) > _LONG:
        text = f"{rounded} ({len(exact):,} digits)"
    return Step(line, name, text, exact, decimal, near, None)


def _shorten_text(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:60] + "...")
