"""Mathematical text to SymPy objects without evaluating any text: tokens, Python's syntax tree, known names only."""

import ast
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from yardkit.world import Problem

MAX_CHARACTERS = 5_000
MAX_NODES = 1_500
MAX_DIGITS = 300
MAX_POWER_BITS = 14_000
MAX_FACTORIAL = 5_000
PRIME = "__prime"

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)(?P<primes>'*)"
    r"|(?P<mark>\*\*|<=|>=|==|!=|[-+*/%^(),<>=!&|]))"
)
_SPELLINGS = {
    "\u2212": "-",
    "\u2013": "-",
    "\u00d7": "*",
    "\u00b7": "*",
    "\u22c5": "*",
    "\u00f7": "/",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2260": "!=",
    "\u03c0": "pi",
    "\u221e": "oo",
    "\u221a": "sqrt",
    "\u00b2": "^2",
    "\u00b3": "^3",
    "\u2019": "'",
    "\u2032": "'",
    "\u2033": "''",
}
"""Mathematical signs -> what is written for them on a keyboard."""

_OWN_NAME = """
    sin cos tan cot sec csc asin acos atan acot asec acsc atan2 sinh cosh tanh coth asinh acosh atanh acoth exp log sqrt
    cbrt root sign floor ceiling factorial binomial gamma beta erf erfc zeta LambertW Heaviside DiracDelta re im
    conjugate arg gcd lcm fibonacci besselj bessely Si Ci Ei li loggamma digamma sinc Abs Min Max Mod
"""
_OTHER_NAME = {
    "ln": "log",
    "abs": "Abs",
    "ceil": "ceiling",
    "min": "Min",
    "max": "Max",
    "mod": "Mod",
    "sgn": "sign",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
}
FUNCTIONS = {name: name for name in _OWN_NAME.split()} | _OTHER_NAME
"""Function of the text -> name in SymPy."""
_CONSTANTS = {"pi": "pi", "e": "E", "E": "E", "I": "I", "oo": "oo", "inf": "oo", "infinity": "oo"}
_SINGLE_ARGUMENT_LOGARITHMS = {"log10": 10, "log2": 2}
_OPEN, _CLOSE, _POWER = ("(",), (")",), {"^": "**"}
_EQUALS = ("=", "==")
_COUNTING_FUNCTIONS = {"factorial", "binomial", "fibonacci", "gamma"}


@dataclass
class Reader:
    """Reads texts that belong together: a name is the same symbol in all of them.

    Attributes:
        unknowns: names that are symbols even when they are the name of a constant, such as ``e``.
        assumptions: of every symbol, such as ``{"real": True}``.
        variable: of the unknown functions.
        functions: names of unknown functions of the variable (``y``, ``y'``, ``y(0)``).
    """

    unknowns: Iterable[str] = ()
    assumptions: dict[str, bool] = field(default_factory=dict)
    variable: str = ""
    functions: tuple[str, ...] = ()
    symbols: dict[str, Any] = field(default_factory=dict)

    def make_symbol(self, name: str) -> Any:
        """The symbol `name`, checked to be a name."""
        import sympy

        if not name.isidentifier() or name.startswith("_") or "__" in name or len(name) > 40:
            raise Problem(f"{name[:60]!r} cannot be a variable; use a letter, then letters, digits and single _")
        if name in FUNCTIONS or name in _SINGLE_ARGUMENT_LOGARITHMS:
            raise Problem(f"{name!r} is a function; write its argument in parentheses, or rename the variable")
        return self.symbols.setdefault(name, sympy.Symbol(name, **self.assumptions))

    def expression(self, text: str) -> Any:
        """A value, such as ``2*x^2 + sin(x)``.

        Raises:
            Problem: it cannot be read, or is an equation or inequality.
        """
        statement = self.read_statement(text)
        if isinstance(statement, tuple) or statement.is_Relational or statement.is_Boolean:
            raise Problem(f"{_shorten_text(text)} is an equation or condition; give an expression, such as 'x^2 - 1'")
        return statement

    def read_equation(self, text: str) -> tuple[Any, Any]:
        """Both sides of an equation; a text without ``=`` is meant to equal zero."""
        statement = self.read_statement(text)
        if isinstance(statement, tuple):
            return statement
        if statement.is_Relational or statement.is_Boolean:
            raise Problem(f"{_shorten_text(text)} is an inequality; give an equation, such as 'x^2 = 4'")
        return statement, statement * 0

    def read_condition(self, text: str) -> Any:
        """An inequality or a chain of them, such as ``0 < x <= 3``."""
        statement = self.read_statement(text)
        if isinstance(statement, tuple) or not (statement.is_Relational or statement.is_Boolean):
            raise Problem(f"{_shorten_text(text)} is not an inequality; compare with <, <=, > or >=, such as 'x^2 < 4'")
        return statement

    def read_statement(self, text: str) -> Any:
        """A value, a condition, or the two sides of an equation."""
        tree = self._parse_sides(text)
        sides = [self._read_value(node, text) for node in tree]
        return sides[0] if len(sides) == 1 else (sides[0], sides[1])

    def _parse_sides(self, text: str) -> list[ast.expr]:
        tokens = _split_tokens(text)
        sides: list[list[str]] = [[]]
        for token in tokens:
            if token in _EQUALS:
                sides.append([])
            else:
                sides[-1].append(token)
        if len(sides) > 2:
            raise Problem(f"{_shorten_text(text)} has {len(sides) - 1} equals signs; write one equation per entry")
        trees = [_parse_source(self._with_products(side), text) for side in sides]
        count = sum(1 for tree in trees for _ in ast.walk(tree))
        if count > MAX_NODES:
            raise Problem(f"the expression has {count:,} parts; the limit is {MAX_NODES:,}. Split it")
        return trees

    def _with_products(self, tokens: list[str]) -> str:
        """The text with the products written out that people leave out: ``2x``, ``3(x+1)``, ``(a)(b)``."""
        written: list[str] = []
        for token in tokens:
            if written and _ends_value(written[-1]) and _starts_value(token) and not self._is_call(written[-1], token):
                if _is_number(written[-1]) and _is_number(token):
                    raise Problem(
                        f"two numbers follow each other: {written[-1]} {token}; write the operator between them"
                    )
                written.append("*")
            written.append(_POWER.get(token, token))
        return " ".join(written)

    def _is_call(self, name: str, token: str) -> bool:
        known = name in FUNCTIONS or name in _SINGLE_ARGUMENT_LOGARITHMS or name.split(PRIME)[0] in self.functions
        return token in _OPEN and (known or (_is_name(name) and len(name) > 2 and name not in self.unknowns))

    def _read_value(self, node: ast.AST, text: str) -> Any:
        readers: dict[type[ast.AST], Callable[[Any, str], Any]] = {
            ast.Constant: self._read_number,
            ast.Name: self._read_name,
            ast.UnaryOp: self._read_sign,
            ast.BinOp: self._read_operation,
            ast.Call: self._read_call,
            ast.Compare: self._read_comparison,
        }
        if type(node) not in readers:
            raise Problem(
                f"{_shorten_text(text)} contains something that is not a formula ({type(node).__name__}); {_ALLOWED}"
            )
        return readers[type(node)](node, text)

    def _read_number(self, node: ast.Constant, text: str) -> Any:
        return _to_exact_number(node.value, text)

    def _read_name(self, node: ast.Name, text: str) -> Any:
        import sympy

        base, _, order = node.id.partition(PRIME)
        if base in self.functions:
            return self._make_derivative(base, int(order or 0))
        if order:
            raise Problem(f"{_shorten_text(text)} has a derivative of {base!r}, which is not an unknown function here")
        if node.id in _CONSTANTS and node.id not in self.unknowns:
            return getattr(sympy, _CONSTANTS[node.id])
        return self.make_symbol(node.id)

    def _make_derivative(self, name: str, order: int) -> Any:
        import sympy

        variable = self.make_symbol(self.variable)
        function = sympy.Function(name)(variable)
        return function.diff(variable, order) if order else function

    def _read_sign(self, node: ast.UnaryOp, text: str) -> Any:
        value = self._read_value(node.operand, text)
        if isinstance(node.op, ast.USub):
            return -value
        if isinstance(node.op, ast.UAdd):
            return value
        raise Problem(f"{_shorten_text(text)} uses an unknown operator; {_ALLOWED}")

    def _read_operation(self, node: ast.BinOp, text: str) -> Any:
        left, right = self._read_value(node.left, text), self._read_value(node.right, text)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Div):
            return left / _check_divisor(right, text)
        if isinstance(node.op, ast.Mod):
            return left % _check_divisor(right, text)
        if isinstance(node.op, ast.Pow):
            return _raise_to_power(left, right, text)
        raise Problem(f"{_shorten_text(text)} uses an unknown operator; {_ALLOWED}")

    def _read_call(self, node: ast.Call, text: str) -> Any:
        import sympy

        if not isinstance(node.func, ast.Name) or node.keywords:
            raise Problem(f"{_shorten_text(text)} calls something that is not a function; {_ALLOWED}")
        name = node.func.id
        values = [self._read_value(argument, text) for argument in node.args]
        base, _, order = name.partition(PRIME)
        if base in self.functions:
            return self._evaluate_at(base, int(order or 0), values, text)
        if name in _SINGLE_ARGUMENT_LOGARITHMS and len(values) == 1:
            return sympy.log(values[0], _SINGLE_ARGUMENT_LOGARITHMS[name])
        if name not in FUNCTIONS:
            raise Problem(f"{name!r} is not a known function; use one of {', '.join(sorted(FUNCTIONS))}")
        if name in _COUNTING_FUNCTIONS and any(value.is_number and abs(value) > MAX_FACTORIAL for value in values):
            raise Problem(f"{name} of more than {MAX_FACTORIAL:,} has too many digits; use loggamma")
        try:
            return getattr(sympy, FUNCTIONS[name])(*values)
        except (TypeError, ValueError, ZeroDivisionError) as error:
            raise Problem(f"{name} has invalid arguments in {_shorten_text(text)} ({error})") from error

    def _evaluate_at(self, name: str, order: int, values: list[Any], text: str) -> Any:
        if len(values) != 1:
            raise Problem(f"{name} in {_shorten_text(text)} takes one argument, {self.variable!r} or a point")
        derivative = self._make_derivative(name, order)
        variable = self.make_symbol(self.variable)
        return derivative if values[0] == variable else derivative.subs(variable, values[0])

    def _read_comparison(self, node: ast.Compare, text: str) -> Any:
        import sympy

        kinds = {ast.Lt: sympy.Lt, ast.LtE: sympy.Le, ast.Gt: sympy.Gt, ast.GtE: sympy.Ge, ast.NotEq: sympy.Ne}
        values = [self._read_value(part, text) for part in (node.left, *node.comparators)]
        parts = []
        for number, operator in enumerate(node.ops):
            if type(operator) not in kinds:
                raise Problem(f"{_shorten_text(text)} uses an unknown comparison; use <, <=, >, >=, !=")
            parts.append(kinds[type(operator)](values[number], values[number + 1]))
        return sympy.And(*parts)


_ALLOWED = "write numbers, names, + - * / ^ and functions such as sin(x), in parentheses where needed"


def _split_tokens(text: str) -> list[str]:
    if len(text) > MAX_CHARACTERS:
        raise Problem(f"the expression has {len(text):,} characters; the limit is {MAX_CHARACTERS:,}. Split it")
    for sign, spelling in _SPELLINGS.items():
        text = text.replace(sign, spelling)
    normalized_text = unicodedata.normalize("NFC", text).strip()
    tokens, position = [], 0
    while position < len(normalized_text):
        match = _TOKEN.match(normalized_text, position)
        if match is None:
            raise Problem(
                f"{_shorten_text(text)} cannot be read at {normalized_text[position : position + 12]!r}; {_ALLOWED}"
            )
        position = match.end()
        tokens.append(_translate_token(match))
    if not tokens:
        raise Problem(f"the expression is empty; {_ALLOWED}")
    return tokens


def _translate_token(match: re.Match[str]) -> str:
    name = match["name"]
    if not name:
        return str(match["number"] or match["mark"])
    if "__" in name:
        raise Problem(f"{name[:60]!r} is not a valid variable name; avoid two underscores in a row")
    return name + (f"{PRIME}{len(match['primes'])}" if match["primes"] else "")


def _is_name(token: str) -> bool:
    return token[0].isalpha()


def _is_number(token: str) -> bool:
    return token[0].isdigit() or (token[0] == "." and len(token) > 1)


def _ends_value(token: str) -> bool:
    return token in _CLOSE or token[0].isalnum() or token[0] == "."


def _starts_value(token: str) -> bool:
    return token in _OPEN or token[0].isalnum() or token[0] == "."


def _parse_source(source: str, text: str) -> ast.expr:
    try:
        # Numbers are wrapped so that their digits survive: a float would round 0.1.
        return ast.parse(_NUMBER.sub(r"'\g<0>'", source), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = getattr(error, "msg", None) or "it nests too deeply"
        raise Problem(f"{_shorten_text(text)} is not a valid formula ({reason}); {_ALLOWED}") from error


_NUMBER = re.compile(r"(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])")


def _to_exact_number(value: object, text: str) -> Any:
    import sympy

    digits = str(value)
    exponent = re.search(r"[eE]([+-]?\d+)$", digits)
    if len(digits) > MAX_DIGITS or (exponent and abs(int(exponent[1])) > MAX_DIGITS):
        raise Problem(f"a number in {_shorten_text(text)} has more than {MAX_DIGITS} digits; round it")
    return sympy.Rational(digits)


def _check_divisor(value: Any, text: str) -> Any:
    if value.is_zero:
        raise Problem(f"{_shorten_text(text)} divides by zero; check the denominator")
    return value


def _raise_to_power(base: Any, exponent: Any, text: str) -> Any:
    import sympy

    if base.is_Rational and exponent.is_Rational and not base.is_zero:
        bits = max(abs(int(base.p)).bit_length(), int(base.q).bit_length())
        if bits > 1 and abs(exponent) * bits > MAX_POWER_BITS:
            raise Problem(f"a power in {_shorten_text(text)} has more than {MAX_POWER_BITS:,} bits; use logarithms")
    if base.is_zero and exponent.is_negative:
        raise Problem(f"{_shorten_text(text)} divides by zero; check the powers of 0")
    return sympy.Pow(base, exponent)


def _shorten_text(text: str) -> str:
    return repr(text if len(text) <= 100 else text[:85] + "..." + text[-10:])
