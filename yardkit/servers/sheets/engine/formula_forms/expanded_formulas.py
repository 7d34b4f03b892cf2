"""Formulas written out: names of LET as what they stand for, functions over arrays called for each of the values.

The calculation engine is as right or wrong about a name of LET, and about what BYROW and the like hand to a LAMBDA, as
about the range that it stands for; so that is looked at. Many functions it does not compute over arrays, as
``SUMIF(A:A,UNIQUE(A:A),B:B)`` or ``ROUND(A1:A9,1)``; as ``MAP(A1:A9,LAMBDA(each,ROUND(each,1)))`` it gives for each
value what it gives for a cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from yardkit.servers.sheets.engine.notation.array_formulas import array_work, same_size
from yardkit.servers.sheets.engine.notation.formulas import PREFIX, iter_references, list_functions, tokens_of
from yardkit.servers.sheets.engine.notation.references import area_of
from yardkit.world import Problem

UNCLEAR = "the engine does not implement this use of names in LET or LAMBDA"
_MAX_LENGTH, _MAX_DEPTH = 40_000, 64
_NAMING_FUNCTIONS = frozenset({"LET", "LAMBDA"})
_HANDED = {"BYROW": 0, "BYCOL": 0, "REDUCE": 0, "SCAN": 0}
"""Functions that hand the first name of their LAMBDA an array, or may: if this argument is one."""
_SINGLE = frozenset({"BYROW", "BYCOL"})
"""Functions whose LAMBDA must give one value: an array of one value they do not take."""
_EVERYWHERE = (
    "CEILING CEILING.MATH CHAR CODE COMBIN CONCATENATE DATEDIF DATEVALUE DAYS DAYS360 DOLLAR EDATE EOMONTH FIXED FLOOR "
    "FLOOR.MATH HOUR IFNA IFS ISBLANK ISERR ISERROR ISEVEN ISLOGICAL ISNA ISNONTEXT ISNUMBER ISODD ISOWEEKNUM ISTEXT "
    "MINUTE MOD MROUND NOT NUMBERVALUE PERMUT QUOTIENT ROUND ROUNDDOWN ROUNDUP SECOND SWITCH TEXTAFTER TEXTBEFORE TIME "
    "TIMEVALUE TRUNC UNICHAR UNICODE VALUE WEEKNUM YEARFRAC"
)
_MAPPED_SEPARATELY: dict[str, Callable[[int], bool]] = {
    **dict.fromkeys(_EVERYWHERE.split(), lambda _: True),
    **dict.fromkeys(("RANK", "RANK.AVG", "RANK.EQ"), lambda place: place == 0),
    **dict.fromkeys(("LARGE", "SMALL", "PERCENTILE", "QUARTILE", "INDEX"), lambda place: place == 1),
    **dict.fromkeys(("HLOOKUP", "MATCH", "VLOOKUP", "XLOOKUP", "XMATCH"), lambda place: place == 0),
    **dict.fromkeys(("COUNTIF", "SUMIF", "AVERAGEIF"), lambda place: place == 1),
    "COUNTIFS": lambda place: place % 2 == 1,
    **dict.fromkeys(("SUMIFS", "AVERAGEIFS", "MAXIFS", "MINIFS"), lambda place: place >= 2 and place % 2 == 0),
}
"""Functions of single values, which may stand at these places."""
_MAYBE_EMPTY = frozenset({"HLOOKUP", "IFNA", "IFS", "SWITCH", "VLOOKUP", "XLOOKUP"})
_KEEPING = frozenset({"FILTER", "SORT", "SORTBY", "UNIQUE"})
"""Functions of arrays whose result lies as what they are given."""
_TABLE = re.compile(r"[A-Za-z_\\\u0080-\uffff][\w.\\]*\[")
_COLUMN = re.compile(r"[A-Za-z_\\\u0080-\uffff][\w.\\]*\[[^\[\]#@,:]+\]")
_LONG = re.compile(r"(?<![\w.])\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}(?![\w.(])|:\$?[A-Za-z]{1,3}\$?\d{5,7}(?!\d)")
_SOME_RANGE = "$A$1:$A$2"


class _UnclearError(Exception):
    """A use of names that is not written out."""


@dataclass
class _Call:
    """A call; `size` is how long it is as text, where it was written out: names may stand for the same many times."""

    opening: str
    arguments: list[list[str | _Call]] = field(default_factory=lambda: [[]])
    size: int = 0

    @property
    def name(self) -> str:
        return PREFIX.sub("", self.opening).rstrip("(").upper()


_Nodes = list[str | _Call]
_Bound = dict[str, _Nodes]


def needs_expansion(formula: str, *, arrays: bool) -> bool:
    """Whether a formula may have to be written out; `arrays`: it is one over arrays."""
    called = set(list_functions(formula))
    return not called.isdisjoint(_NAMING_FUNCTIONS) or (arrays and not called.isdisjoint(_MAPPED_SEPARATELY))


def expand_formula(formula: str, names: Mapping[str, str], *, arrays: bool, handed: bool = False) -> str | None:
    """The formula ``=...`` without LET and, if it is one over `arrays`, with functions one by one; None where unclear.

    `names` are the workbook's. `handed`: arrays that LAMBDA is given stand in its place, too, for a look at the work
    alone: such a formula does not compute.
    """
    if not needs_expansion(formula, arrays=arrays):
        return formula
    try:
        nodes = _expand_nodes(_parse_nodes(formula), {})
        if arrays:
            nodes = _Mapping(names).map_over(nodes, frozenset())
        _check_calls(nodes, frozenset())
    except (_UnclearError, Problem, RecursionError):
        return None
    text = "=" + _format_nodes(_insert_arrays(nodes) if handed else nodes)
    return text if len(text) <= _MAX_LENGTH else None


def _parse_nodes(formula: str) -> _Nodes:
    top = _Call("")
    open_: list[_Call | None] = [top]  # None: brackets of other kinds
    for token in tokens_of(formula):
        call = next(opening for opening in reversed(open_) if opening is not None)
        if token.type == "FUNC" and token.subtype == "OPEN":
            if len(open_) > _MAX_DEPTH:
                raise _UnclearError
            new_call = _Call(token.value)
            call.arguments[-1].append(new_call)
            open_.append(new_call)
        elif token.type == "FUNC" and token.subtype == "CLOSE":
            open_.pop()
        elif token.type == "SEP" and token.subtype == "ARG" and open_[-1] is not None:
            call.arguments.append([])
        else:
            if token.subtype == "OPEN":
                open_.append(None)
            elif token.subtype == "CLOSE":
                open_.pop()
            call.arguments[-1].append(token.value)
    return top.arguments[0]


def _format_nodes(nodes: _Nodes) -> str:
    return "".join(
        node if isinstance(node, str) else f"{node.opening}{','.join(map(_format_nodes, node.arguments))})"
        for node in nodes
    )


def _expand_nodes(nodes: _Nodes, bound: _Bound) -> _Nodes:
    """Nodes without LET, with what names stand for."""
    expanded_nodes: _Nodes = []
    for node in nodes:
        if isinstance(node, str):
            stands_for = bound.get(_normalize_name(node))
            expanded_nodes += [node] if stands_for is None else _wrap_operand(stands_for)
        elif node.name == "LET":
            expanded_nodes += _expand_let(node, bound)
        elif node.name == "LAMBDA":
            expanded_nodes.append(_expand_lambda(node, bound))
        else:
            arguments = [_expand_nodes(argument, bound) for argument in node.arguments]
            function = bound.get(node.name.lower())
            expanded_nodes += (
                [_measure_call(_Call(node.opening, arguments))]
                if function is None
                else _apply_lambda(function, arguments)
            )
    _measure_nodes(expanded_nodes)
    return expanded_nodes


def _measure_call(call: _Call) -> _Call:
    call.size = len(call.opening) + sum(map(_measure_nodes, call.arguments))
    return call


def _measure_nodes(nodes: _Nodes) -> int:
    size = sum(len(node) if isinstance(node, str) else node.size for node in nodes)
    if size > _MAX_LENGTH:
        raise _UnclearError
    return size


def _expand_let(call: _Call, bound: _Bound) -> _Nodes:
    bound = dict(bound)
    for name, value in zip(call.arguments[:-1:2], call.arguments[1::2], strict=False):
        bound[_normalize_name(_format_nodes(name))] = _expand_nodes(value, bound)
    return _wrap_operand(_expand_nodes(call.arguments[-1], bound))


def _expand_lambda(call: _Call, bound: _Bound) -> _Call:
    own = {_normalize_name(_format_nodes(argument)) for argument in call.arguments[:-1]}
    outer = {name: value for name, value in bound.items() if name not in own}
    if any(own & _list_words(value) for value in outer.values()):
        raise _UnclearError  # a name of its own would take the place of one that is meant
    return _measure_call(_Call(call.opening, [*call.arguments[:-1], _expand_nodes(call.arguments[-1], outer)]))


def _apply_lambda(function: _Nodes, arguments: list[_Nodes]) -> _Nodes:
    """A LAMBDA that has a name, called."""
    given = _only_call(function)
    if given is None or given.name != "LAMBDA" or len(given.arguments) - 1 != len(arguments):
        raise _UnclearError
    bound = {
        _normalize_name(_format_nodes(name)): value for name, value in zip(given.arguments, arguments, strict=False)
    }
    return _wrap_operand(_expand_nodes(given.arguments[-1], bound))


def _check_calls(nodes: _Nodes, given: frozenset[str]) -> None:
    """Refuse a LAMBDA that calls what it is given: that may be itself, without an end."""
    for node in nodes:
        if isinstance(node, str):
            continue
        if node.name.lower() in given:
            raise _UnclearError
        own = (
            {_normalize_name(_format_nodes(parameter)) for parameter in node.arguments[:-1]}
            if node.name == "LAMBDA"
            else ()
        )
        for argument in node.arguments:
            _check_calls(argument, given.union(own))


def _insert_arrays(nodes: _Nodes) -> _Nodes:
    """Nodes in which arrays that a LAMBDA is handed stand in its place."""
    inserted_nodes: _Nodes = []
    for node in nodes:
        if isinstance(node, str):
            inserted_nodes.append(node)
            continue
        arguments = [_insert_arrays(argument) for argument in node.arguments]
        given = _find_lambda(node.name, arguments)
        if given is not None:
            first = _normalize_name(_format_nodes(given.arguments[0]))
            body = _expand_nodes(given.arguments[-1], {first: arguments[_HANDED[node.name]]})
            arguments[-1] = [_Call(given.opening, [*given.arguments[:-1], body])]
        inserted_nodes.append(_Call(node.opening, arguments))
    return inserted_nodes


def _find_lambda(name: str, arguments: list[_Nodes]) -> _Call | None:
    """The LAMBDA that a function hands arrays to."""
    given = _only_call(arguments[-1]) if name in _HANDED else None
    return given if given is not None and given.name == "LAMBDA" else None


class _Mapping:
    """Calls of functions of single values that are given arrays, written as MAP."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._count = 0

    def map_over(self, nodes: _Nodes, arrays: frozenset[str]) -> _Nodes:
        """`arrays` are the names of LAMBDA around that stand for arrays."""
        return [node if isinstance(node, str) else self._map_call(node, arrays) for node in nodes]

    def _map_call(self, node: _Call, arrays: frozenset[str]) -> _Call:
        arguments = [self.map_over(argument, arrays) for argument in node.arguments]
        given = _find_lambda(node.name, node.arguments)
        if given is not None:
            own = {_normalize_name(_format_nodes(argument)) for argument in given.arguments[:-1]}
            first = (
                {_normalize_name(_format_nodes(given.arguments[0]))}
                if self._is_array(arguments[_HANDED[node.name]], arrays)
                else set()
            )
            body = self.map_over(given.arguments[-1], arrays - own | first)
            if node.name in _SINGLE and self._is_array(body, arrays - own | first):
                raise _UnclearError
            arguments[-1] = [_Call(given.opening, [*given.arguments[:-1], body])]
        call, takes = _Call(node.opening, arguments), _MAPPED_SEPARATELY.get(node.name)
        if takes is None:
            return call
        several = [at for at, argument in enumerate(arguments) if takes(at) and self._is_array(argument, arrays)]
        if any(map(_is_long, (_format_nodes(arguments[at]) for at in several))):
            return call  # LibreOffice is faster with them.
        if not several and node.name == "XLOOKUP":
            return self._looked_up(call)
        return (
            self._map_elements(call, several)
            if several and self._has_equal_sizes([arguments[at] for at in several])
            else call
        )

    def _looked_up(self, call: _Call) -> _Call:
        """XLOOKUP in or of what is computed, or of whole rows, by the place where it finds the value."""
        texts = [_format_nodes(argument).strip() for argument in call.arguments]
        if len(texts) < 3 or (
            all(map(_detect_shape, texts[1:3])) and same_size(texts[1:3]) and "{" not in "".join(texts[1:3])
        ):
            return call
        vector, results = _detect_shape(texts[1]) or _shape_within(texts[1]), _detect_shape(texts[2])
        if vector is None or (results is None and vector != "column"):
            return call
        self._count += 1
        name: _Nodes = [f"place_{self._count}"]
        way: list[_Nodes] = [name] if results in ("column", "row") else [name, ["0"]]
        place = _Call("XMATCH(", [call.arguments[0], call.arguments[1], *call.arguments[4:]])
        if_missing: _Nodes = call.arguments[3] if len(texts) > 3 and texts[3] else [_Call("NA(")]
        index_call = _Call("INDEX(", [call.arguments[2], *(reversed(way) if vector == "row" else way)])
        return _Call("LET(", [name, [place], [_Call("IF(", [[_Call("ISNA(", [name])], if_missing, [index_call]])]])

    def _map_elements(self, call: _Call, several: list[int]) -> _Call:
        given, own = [], list[_Nodes]()
        for at in several:
            self._count += 1
            given.append(call.arguments[at])
            own.append([f"each_{self._count}"])
            call.arguments[at] = own[-1]
        body = self._fill_empty(call) if call.name in _MAYBE_EMPTY else call
        return _Call("MAP(", [*given, [_Call("LAMBDA(", [*own, [body]])]])

    def _fill_empty(self, call: _Call) -> _Call:
        """A call whose value is 0 where it gives an empty cell: in arrays of the engine that stays empty."""
        self._count += 1
        name: _Nodes = [f"value_{self._count}"]
        full = _Call("IF(", [[_Call("ISBLANK(", [name])], ["0"], name])
        return _Call("LET(", [name, [call], [full]])

    def _is_array(self, nodes: _Nodes, arrays: frozenset[str]) -> bool:
        some: _Bound = {name: [_SOME_RANGE] for name in arrays}
        text = _format_nodes(_expand_nodes(nodes, some)).strip()
        work = array_work(text, self._names)
        return work is not None and work.fills

    def _has_equal_sizes(self, arguments: Iterable[_Nodes]) -> bool:
        """Whether several arrays are of one size, as far as their text shows."""
        texts = [_format_nodes(argument) for argument in arguments]
        if len(texts) == 1:
            return True
        tables = {table_name.lower() for text in texts for table_name in _TABLE.findall(text)}
        ranges = {
            str(reference.area) for text in texts for reference in iter_references(text) if reference.area.size > 1
        }
        is_simple = not any(list_functions(text) or "#" in text for text in texts)
        return is_simple and (len(tables) == 1 and not ranges if tables else bool(ranges) and same_size(sorted(ranges)))


def _is_long(text: str) -> bool:
    """Whether an array has very many values: whole columns as they are."""
    return _LONG.search(text) is not None and _KEEPING.isdisjoint(list_functions(text))


def _detect_shape(text: str) -> str | None:
    """Whether a range, a column of a table or an array constant is a column, a row or a block; None for all else."""
    if text.startswith("{"):
        return "block" if "," in text and ";" in text else "column" if ";" in text else "row"
    if _COLUMN.fullmatch(text):
        return "column"
    try:
        area = area_of(text.rpartition("!")[2])
    except Problem:
        return None
    return "column" if area.columns == 1 else "row" if area.rows == 1 else "block"


def _shape_within(text: str) -> str | None:
    """Whether what is computed of ranges is a column or a row, as far as its text shows."""
    shapes = {_detect_shape(str(reference.area)) for reference in iter_references(text) if reference.area.size > 1}
    shapes |= {"column" for _ in _COLUMN.findall(text)}
    return shapes.pop() if len(shapes) == 1 and _KEEPING.issuperset(list_functions(text)) else None


def _only_call(nodes: _Nodes) -> _Call | None:
    full = [node for node in nodes if not isinstance(node, str) or node.strip()]
    return full[0] if len(full) == 1 and isinstance(full[0], _Call) else None


def _wrap_operand(nodes: _Nodes) -> _Nodes:
    """Nodes as one operand."""
    full = [node for node in nodes if not isinstance(node, str) or node.strip()]
    return full if len(full) == 1 else ["(", *nodes, ")"]


def _normalize_name(text: str) -> str:
    return PREFIX.sub("", text).strip().lower()


def _list_words(nodes: _Nodes) -> set[str]:
    """The names that stand in nodes as operands."""
    operand_names: set[str] = set()
    for node in nodes:
        if isinstance(node, str):
            operand_names.add(_normalize_name(node))
        else:
            for argument in node.arguments:
                operand_names |= _list_words(argument)
    return operand_names
