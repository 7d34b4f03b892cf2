"""The calculator in the dialect of GTA: the value of an expression as Python writes it."""

import ast

from yardkit.servers.calculator.engine.expressions import evaluate_expression

_INTEGER_FUNCTIONS = {"ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "perm", "trunc"}
_LIKE_ARGUMENTS = {"abs", "max", "min", "prod", "sum"}


def Calculator(expression: str) -> str:
    result = evaluate_expression(expression)
    if result.exact is None or result.value is None:
        return result.exact or result.text
    is_integer = result.exact.lstrip("-").isdigit() and not _is_float(_parse_last_line(expression))
    return result.exact if is_integer else repr(result.value)


def _parse_last_line(expression: str) -> ast.AST:
    """The syntax of the last line, whose value is shown; empty where it is not plain Python."""
    try:
        return ast.parse(expression.strip()).body[-1]
    except SyntaxError:
        return ast.Constant(0)


def _is_float(node: ast.AST) -> bool:
    """Whether Python would make a whole result a float, and write it as ``7.0``."""
    match node:
        case ast.Constant(value):
            return isinstance(value, float)
        case ast.BinOp(op=ast.Div()):
            return True
        case ast.Call(func=ast.Name("round") | ast.Attribute(attr="round"), args=args):
            return len(args) > 1 and _is_float(args[0])
        case ast.Call(func=ast.Name(name) | ast.Attribute(attr=name)) if name not in _LIKE_ARGUMENTS:
            return name not in _INTEGER_FUNCTIONS
    return any(_is_float(child) for child in ast.iter_child_nodes(node))
