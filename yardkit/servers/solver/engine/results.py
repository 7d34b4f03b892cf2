"""Results of the solver as plain text and numbers, so that they travel between processes."""

import functools
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from yardkit.world import Problem

MAX_TEXT = 20_000
DIGITS = 15
Given = ParamSpec("Given")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Value:
    """A value: exact text in Python's notation, LaTeX, decimal to 15 digits, nearest double if real and finite."""

    text: str
    latex: str
    decimal: str | None
    number: float | None

    def __str__(self) -> str:
        return self.text if self.decimal in (None, self.text) else f"{self.text} = {self.decimal}"


def value_of(expression: Any) -> Value:
    """Describe a SymPy expression.

    Raises:
        Problem: its text would be too long to be of use.
    """
    import sympy

    expression = with_numbers(expression)
    try:
        text = str(expression)
    except ValueError as error:
        raise Problem("the result has more than 4,300 digits; ask for its logarithm instead") from error
    if getattr(expression, "is_number", False) and expression.has(sympy.Float):
        text = _trim_zeros(str(_chop_rounding(sympy.N(expression, DIGITS))))  # more digits say nothing
    if len(text) > MAX_TEXT:
        raise Problem(f"the result has {len(text):,} characters; the limit is {MAX_TEXT:,}. Give numbers for letters")
    decimal = number = None
    if getattr(expression, "is_number", False) and not expression.has(sympy.AccumBounds):
        approximate = _chop_rounding(sympy.N(expression, DIGITS))
        decimal = text if expression.is_Integer else _trim_zeros(str(approximate))
        number = float(approximate) if approximate.is_Float or approximate.is_Rational else None
    return Value(text, sympy.latex(expression), decimal, number)


def with_numbers(expression: Any) -> Any:
    """The expression with numbers for roots that have no closed form."""
    import sympy

    roots = expression.atoms(sympy.CRootOf) if hasattr(expression, "atoms") else ()
    return expression.xreplace({root: root.evalf(DIGITS) for root in roots}) if roots else expression


def _chop_rounding(value: Any) -> Any:
    """`value` without an imaginary or real part that is only rounding."""
    import sympy

    real, imaginary = value.as_real_imag()
    if not (real.is_Number and imaginary.is_Number):
        return value
    size = abs(real) + abs(imaginary)
    if abs(imaginary) < size * sympy.Float("1e-13"):
        return real
    return imaginary * sympy.I if abs(real) < size * sympy.Float("1e-13") else value


def _trim_zeros(text: str) -> str:
    if "." not in text or any(sign in text for sign in " eE*I"):
        return text
    return text.rstrip("0").rstrip(".")


def name_values(values: Mapping[Any, Any]) -> dict[str, Value]:
    return {str(name): value_of(value) for name, value in values.items()}


def convert_problems(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Turn what SymPy and SciPy raise for a task that they cannot do into a `Problem`; what we raise stays a crash."""

    @functools.wraps(function)
    def call(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        import sympy

        try:
            return function(*args, **kwargs)
        except NotImplementedError as error:
            _require_foreign(error)
            raise Problem("no method is known for this; simplify it or solve it numerically") from error
        except (ValueError, TypeError, ZeroDivisionError, OverflowError, sympy.PolynomialError) as error:
            _require_foreign(error)
            raise Problem(f"it cannot be computed{_explain_error(error)}; check the input") from error

    return call


def _require_foreign(error: Exception) -> None:
    """Raise an error again that our own code raised: a fault of ours must not read as a task that cannot be done."""
    innermost = list(traceback.walk_tb(error.__traceback__))[-1][0]
    if str(innermost.f_globals.get("__name__", "")).startswith("yardkit."):
        raise error


_REASONS = {
    "NaN": "a value is undefined, as by a division by zero or the logarithm of 0",
    "set of generators": "it is not a quotient of polynomials in the variable",
    "initial conditions": "no solution was found that meets the conditions; they may contradict each other",
    "initial condition": "a condition has a form that is not supported; use y(0) = 1 or y'(0) = 1",
    "multivariate": "it holds more than one letter; name the variable",
    "complex": "a value on the way is not real",
    "infinity": "a value on the way is infinite",
}
"""What libraries say, by a word in it, and what it means: their own words name classes and functions."""


def _explain_error(error: Exception) -> str:
    if isinstance(error, ZeroDivisionError):
        return " (it divides by zero)"
    if isinstance(error, OverflowError):
        return " (a number becomes too large)"
    reason = next((meaning for word, meaning in _REASONS.items() if word in str(error)), "")
    return f" ({reason})" if reason else ""
