"""A readable notation for logic, read into Z3.

Declarations::

    p, q: Bool            Person: sort             likes: Person, Person -> Bool
    x, y: Int             Color: {red, green}      r: Real

Formulas, from the loosest to the tightest::

    forall x: Int, y: Int. ...      exists x: Int. ...      if c then a else b
    <->   ->   or   xor   and   not   = != < <= > >=   + -   * / %   unary -   ^   f(x), distinct(a, b), (...)
"""

import re
from dataclasses import dataclass, field
from typing import Any

from yardkit.world import Problem

MAX_CHARACTERS = 20_000
MAX_DEPTH = 150
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([^\W\d]\w*)|(<->|<=>|->|=>|<=|>=|!=|==|&&|\|\||[-+*/%^()<>=.,:!&|{}]))")
_SIGN_WORDS = {
    "\u2200": " forall ",
    "\u2203": " exists ",
    "\u00ac": " not ",
    "\u2227": " and ",
    "\u2228": " or ",
    "\u2295": " xor ",
    "\u2192": "->",
    "\u21d2": "->",
    "\u2194": "<->",
    "\u21d4": "<->",
    "\u22a4": "true",
    "\u22a5": "false",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2260": "!=",
}
"""The signs of logic -> what is written for them on a keyboard."""
_OPERATOR_WORDS = {
    "=>": "->",
    "<=>": "<->",
    "iff": "<->",
    "implies": "->",
    "&&": "and",
    "&": "and",
    "||": "or",
    "|": "or",
}
_OPERATOR_WORDS |= {"!": "not", "==": "=", "mod": "%"}
_RESERVED_WORDS = {
    "forall",
    "exists",
    "not",
    "and",
    "or",
    "xor",
    "if",
    "then",
    "else",
    "true",
    "false",
    "distinct",
    "abs",
    "sort",
}
_COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


@dataclass
class Language:
    """The declared names, and the reading of formulas that use them.

    With no declaration at all, every name is a proposition.
    """

    context: Any
    names: dict[str, Any] = field(default_factory=dict)
    sorts: dict[str, Any] = field(default_factory=dict)
    propositional: bool = True

    def declare(self, line: str) -> None:
        """Take in one declaration, such as ``x, y: Int``.

        Raises:
            Problem: it cannot be read, or a name is taken.
        """
        import z3

        self.propositional = False
        left, colon, right = line.partition(":")
        names = [name.strip() for name in left.split(",")]
        if not colon or not all(re.fullmatch(r"[^\W\d]\w*", name) for name in names):
            raise Problem(f"{line!r} is not a valid declaration; use 'x, y: Int', 'Person: sort', 'f: Int -> Int'")
        for name in names:
            if name in self.names or name in self.sorts or name in _RESERVED_WORDS:
                raise Problem(f"{name!r} in {line!r} is already declared or a reserved word; choose another name")
        kind = right.strip()
        for name in names:
            if kind in ("sort", "type"):
                self.sorts[name] = z3.DeclareSort(name, self.context)
            elif kind.startswith("{"):
                self._declare_enumeration(name, kind, line)
            else:
                self.names[name] = self._make_symbol(name, kind, line)

    def _declare_enumeration(self, name: str, kind: str, line: str) -> None:
        import z3

        values = [value.strip() for value in kind.strip("{}").split(",")]
        if not kind.endswith("}") or not all(value.isidentifier() and value not in self.names for value in values):
            raise Problem(f"{line!r} must list new names, such as 'Color: {{red, green, blue}}'")
        self.sorts[name], constants = z3.EnumSort(name, values, self.context)
        self.names.update(zip(values, constants, strict=True))

    def _make_symbol(self, name: str, kind: str, line: str) -> Any:
        import z3

        *sides, result = [side.strip() for side in kind.split("->")]
        if len(sides) > 1:
            raise Problem(f"{line!r} has more than one arrow; write 'f: Int, Int -> Int'")
        domain = [self.sort(part.strip(), line) for part in sides[0].split(",")] if sides else []
        return (
            z3.Function(name, *domain, self.sort(result, line)) if domain else z3.Const(name, self.sort(result, line))
        )

    def sort(self, name: str, where: str) -> Any:
        import z3

        known = {"Bool": z3.BoolSort, "Int": z3.IntSort, "Real": z3.RealSort, "String": z3.StringSort}
        if name in known:
            return known[name](self.context)
        if name not in self.sorts:
            listed = ", ".join([*known, *self.sorts])
            raise Problem(
                f"the sort {name!r} in {where!r} is not declared; use one of {listed}, or declare '{name}: sort'"
            )
        return self.sorts[name]

    def formula(self, text: str) -> Any:
        """A formula that is true or false.

        Raises:
            Problem: it cannot be read, with the place; names are not declared; sorts do not fit.
        """
        import z3

        if len(text) > MAX_CHARACTERS:
            raise Problem(f"the formula has {len(text):,} characters; the limit is {MAX_CHARACTERS:,}. Split it")
        try:
            parsed_formula = _Reading(self, text).read_all()
        except z3.Z3Exception as error:
            raise Problem(
                f"the sorts do not match in {_shorten_text(text)} ({_format_error(error)}); check the declarations"
            ) from error
        if not z3.is_bool(parsed_formula):
            raise Problem(f"{_shorten_text(text)} is a value, not true or false; compare it with something")
        return parsed_formula


@dataclass
class _Reading:
    """One formula: recursive descent, a method for each level of binding."""

    language: Language
    text: str
    bound: dict[str, Any] = field(default_factory=dict)
    position: int = 0
    depth: int = 0

    def __post_init__(self) -> None:
        self.tokens = _split_tokens(self.text)

    def read_all(self) -> Any:
        expression = self.expression()
        if self.position < len(self.tokens):
            raise self.make_unexpected("the end")
        return expression

    @property
    def next(self) -> str:
        return self.tokens[self.position][0] if self.position < len(self.tokens) else ""

    def take(self, *expected_tokens: str) -> str:
        token = self.next
        if token in expected_tokens and token:
            self.position += 1
            return token
        return ""

    def require(self, token: str) -> None:
        if not self.take(token):
            raise self.make_unexpected(repr(token))

    def make_unexpected(self, expected_text: str) -> Problem:
        at = self.tokens[self.position][1] if self.position < len(self.tokens) else len(self.text)
        line = self.text.count("\n", 0, at) + 1
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        return Problem(
            f"{_shorten_text(self.text)} cannot be read at line {line}, column {column}: found "
            f"{self.next or 'the end'!r} where {expected_text} was expected"
        )

    def expression(self) -> Any:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Problem(
                f"{_shorten_text(self.text)} is nested more than {MAX_DEPTH} deep; split it into several premises"
            )
        try:
            if self.next in ("forall", "exists"):
                return self.read_quantified()
            if self.next == "if":
                return self.read_conditional()
            return self.read_equivalence()
        finally:
            self.depth -= 1

    def read_quantified(self) -> Any:
        import z3

        kind = z3.ForAll if self.take("forall") else z3.Exists
        self.take("exists")
        outer, constants = dict(self.bound), []
        for name, sort in self.parameters():
            constants.append(z3.Const(name, self.language.sort(sort, self.text)))
            self.bound[name] = constants[-1]
        body = self.expression()
        self.bound = outer
        return kind(constants, body)

    def parameters(self) -> list[tuple[str, str]]:
        """Bound names with their sorts up to the dot: ``x, y: Int, z: Real.``."""
        parameters, pending = [], [self.name()]
        while True:
            if self.take(":"):
                sort = self.name()
                parameters += [(name, sort) for name in pending]
                pending = []
                if self.take("."):
                    return parameters
                self.require(",")
            elif not self.take(","):
                raise self.make_unexpected("':' and a sort, such as 'forall x: Int. ...'")
            pending.append(self.name())

    def name(self) -> str:
        token = self.next
        if not token or not (token[0].isalpha() or token[0] == "_") or token in _RESERVED_WORDS:
            raise self.make_unexpected("a name")
        self.position += 1
        return token

    def read_conditional(self) -> Any:
        import z3

        self.require("if")
        condition = self.expression()
        self.require("then")
        then = self.expression()
        self.require("else")
        return z3.If(condition, then, self.expression())

    def read_equivalence(self) -> Any:
        left = self.read_implication()
        while self.take("<->"):
            left = left == self.read_operand(self.read_implication)
        return left

    def read_implication(self) -> Any:
        import z3

        left = self.read_disjunction()
        return z3.Implies(left, self.read_operand(self.read_implication)) if self.take("->") else left

    def read_operand(self, level: Any) -> Any:
        """What stands right of an operator: the next level, or a quantifier that reaches to the end."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Problem(
                f"{_shorten_text(self.text)} is nested more than {MAX_DEPTH} deep; split it into several premises"
            )
        operand = self.expression() if self.next in ("forall", "exists", "if") else level()
        self.depth -= 1
        return operand

    def read_disjunction(self) -> Any:
        import z3

        left = self.read_conjunction()
        while operator := self.take("or", "xor"):
            right = self.read_operand(self.read_conjunction)
            left = z3.Or(left, right) if operator == "or" else z3.Xor(left, right)
        return left

    def read_conjunction(self) -> Any:
        import z3

        left = self.read_negation()
        while self.take("and"):
            left = z3.And(left, self.read_operand(self.read_negation))
        return left

    def read_negation(self) -> Any:
        import z3

        return z3.Not(self.read_operand(self.read_negation)) if self.take("not") else self.read_comparison()

    def read_comparison(self) -> Any:
        import z3

        left, parts = self.read_total(), []
        while operator := self.take(*_COMPARISONS):
            right = self.read_total()
            parts.append(_compare_terms(left, operator, right))
            left = right
        return left if not parts else parts[0] if len(parts) == 1 else z3.And(parts)

    def read_total(self) -> Any:
        left = self.read_product()
        while operator := self.take("+", "-"):
            right = self.read_product()
            _check_numbers(operator, left, right)
            left = left + right if operator == "+" else left - right
        return left

    def read_product(self) -> Any:
        left = self.read_power()
        while operator := self.take("*", "/", "%"):
            right = self.read_power()
            _check_numbers(operator, left, right)
            left = left * right if operator == "*" else left / right if operator == "/" else left % right
        return left

    def read_power(self) -> Any:
        if self.take("-"):
            value = self.read_operand(self.read_power)
            _check_numbers("-", value)
            return -value
        base = self.read_atom()
        if not self.take("^"):
            return base
        exponent = self.read_operand(self.read_power)
        _check_numbers("^", base, exponent)
        return base**exponent

    def read_atom(self) -> Any:
        import z3

        word, context = self.next, self.language.context
        if self.take("("):
            inner = self.expression()
            self.require(")")
            return inner
        if word and word[0].isdigit():
            self.position += 1
            return z3.RealVal(word, context) if "." in word else z3.IntVal(word, context)
        if self.take("true", "false"):
            return z3.BoolVal(word == "true", context)
        if self.take("distinct", "abs"):
            values = self.arguments()
            if word == "distinct":
                return z3.Distinct(values)
            _check_numbers("abs", *values)
            return z3.Abs(values[0])
        return self.read_named(self.name())

    def read_named(self, name: str) -> Any:
        import z3

        language = self.language
        if name not in self.bound and name not in language.names and language.propositional and self.next != "(":
            language.names[name] = z3.Bool(name, language.context)
        symbol = self.bound.get(name, language.names.get(name))
        if symbol is None:
            known = ", ".join([*self.bound, *language.names]) or "nothing"
            raise Problem(f"{name!r} in {_shorten_text(self.text)} is not declared; use one of {known}")
        if not isinstance(symbol, z3.FuncDeclRef):
            return symbol
        values = self.arguments()
        if len(values) != symbol.arity():
            raise Problem(f"{name} takes {symbol.arity()} arguments, not {len(values)}, in {_shorten_text(self.text)}")
        return symbol(*values)

    def arguments(self) -> list[Any]:
        self.require("(")
        values = [self.expression()]
        while self.take(","):
            values.append(self.expression())
        self.require(")")
        return values


def _compare_terms(left: Any, operator: str, right: Any) -> Any:
    if operator == "=":
        return left == right
    if operator == "!=":
        return left != right
    _check_numbers(operator, left, right)
    return {"<": left.__lt__, "<=": left.__le__, ">": left.__gt__, ">=": left.__ge__}[operator](right)


def _check_numbers(operator: str, *values: Any) -> None:
    import z3

    for value in values:
        if not z3.is_arith(value):
            raise Problem(
                f"{_shorten_text(str(value))} is a {value.sort()}, not a number; {operator!r} takes Int or "
                "Real, and undeclared names are Bool: declare numbers, such as 'x, y: Int'"
            )


def _split_tokens(text: str) -> list[tuple[str, int]]:
    for sign, spelling in _SIGN_WORDS.items():
        text = text.replace(sign, spelling)
    tokens, position, end = [], 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            line = text.count("\n", 0, position) + 1
            raise Problem(
                f"{_shorten_text(text)} cannot be read in line {line} at {text[position : position + 12].strip()!r}"
            )
        token = match[1] or match[2] or match[3]
        tokens.append((_OPERATOR_WORDS.get(token, token), match.start(match.lastindex or 0)))
        position = match.end()
    if not tokens:
        raise Problem("the formula is empty; give one such as 'p -> q'")
    return tokens


def _format_error(error: Exception) -> str:
    raw = error.args[0] if error.args else str(error)
    return (raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw)).strip()[:200]


def _shorten_text(text: str) -> str:
    return repr(text if len(text) <= 120 else text[:105] + "..." + text[-10:])
