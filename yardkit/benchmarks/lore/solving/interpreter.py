"""What small Python modules return, worked out without running them.

A module is read with `ast` and interpreted here: assignments, ``global``, ``if``, arithmetic, comparisons, calls of
``vK.main()``, and coroutines that sleep and are gathered, on the clock of `.event_loop`. Anything else in what is
called is an error.
"""

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from yardkit.benchmarks.lore.solving.event_loop import Coroutine, Gather, Sleep, run

Number = int | Fraction
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_BINARY_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
}
_COMPARISON_OPERATORS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_STANDARD_MODULES = ("asyncio", "functools")


class Module:
    """One file of a program.

    Attributes:
        imports: the modules of the program that it names.
    """

    def __init__(self, source: str) -> None:
        body = ast.parse(source).body
        self._functions = {
            function_def.name: function_def for function_def in body if isinstance(function_def, _Function)
        }
        self._assigned = [assign for assign in body if isinstance(assign, ast.Assign)]
        named = [alias.name for stmt in body if isinstance(stmt, ast.Import) for alias in stmt.names]
        self.imports = tuple(name for name in named if name not in _STANDARD_MODULES)

    def run_main(self, results: Mapping[str, int]) -> int:
        """What its ``main()`` returns, if those of the modules that it imports return `results`.

        Raises:
            ValueError: what it does is not among what can be interpreted, or not certain.
        """
        shared: dict[str, Number] = {}
        _finish_steps(_Call(self._functions, results, shared, shared).block(self._assigned))
        return int(_finish_steps(_Call(self._functions, results, shared).run_function("main", [])).number)


@dataclass(frozen=True)
class _Returned:
    number: Number


def _finish_steps(steps: Coroutine) -> Any:
    """What comes out of steps that never wait."""
    try:
        wait_request = next(steps)
    except StopIteration as end:
        return end.value
    raise ValueError(f"{wait_request} where nothing can wait")


@dataclass
class _Call:
    """One call of a function: its variables, and those of the module, which all calls share."""

    functions: Mapping[str, _Function]
    results: Mapping[str, int]
    shared: dict[str, Number]
    local: dict[str, Number] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)

    def run_function(self, name: str, arguments: Sequence[Number]) -> Coroutine:
        """The steps of a function of the module."""
        function = self.functions[name]
        local = dict(zip((argument.arg for argument in function.args.args), arguments, strict=True))
        return _Call(self.functions, self.results, self.shared, local).block(function.body)

    def block(self, statements: Sequence[ast.stmt]) -> Coroutine:
        for statement in statements:
            ended = yield from self._execute_statement(statement)
            if ended is not None:
                return ended
        return None

    def _execute_statement(self, statement: ast.stmt) -> Coroutine:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._store_name(name, self._evaluate_expression(value))
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                self._store_name(
                    name, _BINARY_OPERATORS[type(op)](self._load_name(name), self._evaluate_expression(value))
                )
            case ast.Global(names=names):
                self.declared.update(names)
            case ast.If(test=test, body=body, orelse=orelse):
                return (yield from self.block(body if self._evaluate_expression(test) else orelse))
            case ast.Return(value=ast.expr() as value):
                return _Returned(self._evaluate_expression(value))
            case ast.Expr(value=ast.Await(value=ast.Call() as awaited)):
                yield self._parse_awaited(awaited)
            case ast.Expr(value=ast.Call(func=func, args=[ast.Call() as started])) if (
                ast.unparse(func) == "asyncio.run"
            ):
                run(self._make_coroutine(started))
            case _:
                raise _make_unreadable_error(statement)
        return None

    def _parse_awaited(self, call: ast.Call) -> Sleep | Gather:
        name = ast.unparse(call.func)
        if name == "asyncio.sleep":
            return Sleep(Fraction(self._evaluate_expression(call.args[0])))
        if name == "asyncio.gather":
            return Gather([self._make_coroutine(argument) for argument in call.args])
        raise _make_unreadable_error(call)

    def _make_coroutine(self, call: ast.expr) -> Coroutine:
        match call:
            case ast.Call(func=ast.Name(id=name), args=arguments) if isinstance(
                self.functions.get(name), ast.AsyncFunctionDef
            ):
                return self.run_function(name, [self._evaluate_expression(argument) for argument in arguments])
        raise _make_unreadable_error(call)

    def _evaluate_expression(self, expression: ast.expr) -> Number:
        match expression:
            case ast.Constant(value=int() | float() as value):
                return value if isinstance(value, int) else Fraction(str(value))
            case ast.Name(id=name):
                return self._load_name(name)
            case ast.BinOp(left=left, op=op, right=right):
                return _BINARY_OPERATORS[type(op)](self._evaluate_expression(left), self._evaluate_expression(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._evaluate_expression(operand)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return _COMPARISON_OPERATORS[type(op)](
                    self._evaluate_expression(left), self._evaluate_expression(right)
                )
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._evaluate_expression(body if self._evaluate_expression(test) else orelse)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr="main"), args=[]):
                return self.results[module]
        raise _make_unreadable_error(expression)

    def _load_name(self, name: str) -> Number:
        return self.local[name] if name in self.local else self.shared[name]

    def _store_name(self, name: str, value: Number) -> None:
        (self.shared if name in self.declared else self.local)[name] = value


def _make_unreadable_error(node: ast.AST) -> ValueError:
    return ValueError(f"this cannot be interpreted here: {ast.unparse(node)}")
