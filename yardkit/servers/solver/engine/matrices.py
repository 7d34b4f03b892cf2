"""Matrices with exact entries."""

from dataclasses import dataclass, field
from typing import Any, Literal

from yardkit.servers.solver.engine.parse import Reader
from yardkit.servers.solver.engine.results import Value, problems, value_of
from yardkit.world import Problem

PRELOAD = ("sympy",)
MAX_SIDE = 60
Operation = Literal[
    "determinant",
    "inverse",
    "rank",
    "trace",
    "transpose",
    "row_echelon",
    "null_space",
    "column_space",
    "eigenvalues",
    "eigenvectors",
    "characteristic_polynomial",
    "singular_values",
    "norm",
    "lu",
    "qr",
    "exponential",
    "power",
    "multiply",
    "solve",
]
_SQUARE_OPERATIONS = (
    "determinant",
    "inverse",
    "trace",
    "eigenvalues",
    "eigenvectors",
    "characteristic_polynomial",
    "exponential",
)
Rows = list[list[str]]


@dataclass(frozen=True)
class Part:
    """One part of the result.

    Attributes:
        name: what it is, such as ``eigenvalue`` or ``x``.
        rows: as a matrix; a single number is 1 x 1, a vector has one column.
        multiplicity: of an eigenvalue; else 1.
    """

    name: str
    rows: list[list[Value]]
    multiplicity: int = 1

    def __str__(self) -> str:
        if len(self.rows) == 1 and len(self.rows[0]) == 1:
            text = str(self.rows[0][0])
        else:
            text = "[" + ", ".join("[" + ", ".join(value.text for value in row) + "]" for row in self.rows) + "]"
        return f"{self.name} = {text}" + (f" (multiplicity {self.multiplicity})" if self.multiplicity > 1 else "")


@dataclass(frozen=True)
class MatrixResult:
    """What was worked out of a matrix.

    Attributes:
        parts: the results by name.
        latex: of the whole result.
        verified: put back it fulfils its definition (A * inverse = I, A * x = b, ...); null where nothing was to check.
        note: what to know about the result; empty when nothing.
    """

    operation: Operation
    parts: list[Part]
    latex: str
    verified: bool | None = None
    note: str = ""
    free_parameters: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [str(part) for part in self.parts] or ["nothing: only the zero vector"]
        if self.note:
            lines.append(self.note)
        if self.verified is not None:
            lines.append("verified by putting it back" if self.verified else "NOT fulfilled when put back")
        return "\n".join(lines)


@problems
def compute(matrix: Rows, operation: Operation, other: Rows | None, exponent: int | None) -> MatrixResult:
    """Work out `operation` of a matrix given by rows of texts.

    Raises:
        Problem: rows differ in length, the shape does not fit, the matrix is singular, a system is inconsistent.
    """
    a = _matrix(matrix, "matrix")
    if operation in _SQUARE_OPERATIONS and a.rows != a.cols:
        raise Problem(f"{operation} needs a square matrix; this one has {a.rows} rows and {a.cols} columns")
    if operation in ("multiply", "solve"):
        if other is None:
            raise Problem(f"{operation} needs a second matrix; give other, such as [['1'], ['2']]")
        return _with_other(a, _matrix(other, "other"), operation)
    if operation == "power":
        return _power(a, exponent)
    return _SINGLE_MATRIX_OPERATIONS[operation](a) if operation in _SINGLE_MATRIX_OPERATIONS else _single(a, operation)


def _matrix(rows: Rows, name: str) -> Any:
    import sympy

    if not rows or not rows[0] or len(rows) > MAX_SIDE or len(rows[0]) > MAX_SIDE:
        raise Problem(f"{name} must have 1 to {MAX_SIDE} rows and columns, such as [['1', '2'], ['3', '4']]")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise Problem(
                f"row {number + 1} of {name} has {len(row)} entries, row 1 has {len(rows[0])}; make them equal"
            )
    reader = Reader()
    return sympy.Matrix([[reader.expression(text) for text in row] for row in rows])


def _part(name: str, value: Any, multiplicity: int = 1) -> Part:
    import sympy

    whole = value if isinstance(value, sympy.MatrixBase) else sympy.Matrix([[value]])
    return Part(name, [[value_of(entry) for entry in row] for row in whole.tolist()], multiplicity)


def _single(a: Any, operation: Operation) -> MatrixResult:
    import sympy

    work = {
        "determinant": lambda: sympy.simplify(a.det()),
        "rank": a.rank,
        "trace": a.trace,
        "transpose": lambda: a.T,
        "norm": a.norm,
        "exponential": a.exp,
        "characteristic_polynomial": lambda: a.charpoly(sympy.Symbol("lambda")).as_expr(),
    }[operation]
    found = sympy.sympify(work())
    return MatrixResult(operation, [_part(operation, found)], sympy.latex(found))


def _inverse(a: Any) -> MatrixResult:
    import sympy

    if sympy.simplify(a.det()) == 0:
        raise Problem(
            "the matrix is singular (its determinant is 0), so it has no inverse; use operation null_space to see why"
        )
    found = a.inv().applyfunc(sympy.simplify)
    return MatrixResult(
        "inverse", [_part("inverse", found)], sympy.latex(found), _is_zero(a * found - sympy.eye(a.rows))
    )


def _row_echelon(a: Any) -> MatrixResult:
    import sympy

    found, pivots = a.rref()
    note = f"pivot columns (from 1): {', '.join(str(column + 1) for column in pivots) or 'none'}"
    return MatrixResult("row_echelon", [_part("reduced row echelon form", found)], sympy.latex(found), None, note)


def _null_space(a: Any) -> MatrixResult:
    import sympy

    found = a.nullspace()
    parts = [_part(f"basis vector {number}", vector) for number, vector in enumerate(found, 1)]
    return MatrixResult("null_space", parts, sympy.latex(found), all(_is_zero(a * vector) for vector in found))


def _column_space(a: Any) -> MatrixResult:
    import sympy

    found = a.columnspace()
    parts = [_part(f"basis vector {number}", vector) for number, vector in enumerate(found, 1)]
    return MatrixResult("column_space", parts, sympy.latex(found))


def _eigenvalues(a: Any) -> MatrixResult:
    import sympy

    found = a.eigenvals()
    parts = [_part("eigenvalue", value, count) for value, count in sorted(found.items(), key=_order)]
    sums = _is_zero(sympy.Matrix([sum(value * count for value, count in found.items()) - a.trace()]))
    return MatrixResult("eigenvalues", parts, sympy.latex(list(found)), sums)


def _eigenvectors(a: Any) -> MatrixResult:
    import sympy

    parts, holds = [], []
    for value, count, vectors in sorted(a.eigenvects(), key=_order):
        parts.append(_part("eigenvalue", value, count))
        parts += [_part(f"eigenvector of {value}", vector) for vector in vectors]
        holds += [_is_zero(a * vector - value * vector) for vector in vectors]
    return MatrixResult("eigenvectors", parts, sympy.latex(a.eigenvects()), all(holds))


def _singular_values(a: Any) -> MatrixResult:
    import sympy

    found = a.singular_values()
    return MatrixResult("singular_values", [_part("singular value", value) for value in found], sympy.latex(found))


def _lu(a: Any) -> MatrixResult:
    import sympy

    lower, upper, swaps = a.LUdecomposition()
    held = _is_zero(lower * upper - a.permute_rows(swaps))
    note = f"row swaps before (from 1): {[tuple(row + 1 for row in swap) for swap in swaps] or 'none'}"
    return MatrixResult("lu", [_part("L", lower), _part("U", upper)], sympy.latex((lower, upper)), held, note)


def _qr(a: Any) -> MatrixResult:
    import sympy

    q, r = a.QRdecomposition()
    return MatrixResult("qr", [_part("Q", q), _part("R", r)], sympy.latex((q, r)), _is_zero(q * r - a))


def _power(a: Any, exponent: int | None) -> MatrixResult:
    import sympy

    if exponent is None or abs(exponent) > 1000 or a.rows != a.cols:
        raise Problem(f"power needs a square matrix and an exponent from -1000 to 1000, not {exponent}")
    found = (a**exponent).applyfunc(sympy.simplify)
    return MatrixResult("power", [_part(f"power {exponent}", found)], sympy.latex(found))


def _with_other(a: Any, b: Any, operation: Operation) -> MatrixResult:
    import sympy

    if operation == "multiply":
        if a.cols != b.rows:
            raise Problem(f"a matrix with {a.cols} columns cannot be multiplied by one with {b.rows} rows")
        return MatrixResult(operation, [_part("product", a * b)], sympy.latex(a * b))
    if a.rows != b.rows or b.cols != 1:
        raise Problem(f"the right side must be one column of {a.rows} entries, not {b.rows} x {b.cols}")
    unknowns = sympy.symbols(f"x1:{a.cols + 1}")
    found = sympy.linsolve((a, b), *unknowns)
    if found is sympy.S.EmptySet:
        raise Problem(
            "the system is inconsistent: no x satisfies A x = b; its least-squares solution solves A^T A x = A^T b"
        )
    (vector,) = found
    x = sympy.Matrix(vector).applyfunc(sympy.simplify)
    free = sorted({str(symbol) for symbol in x.free_symbols & set(unknowns)})
    note = f"{', '.join(free)} may be anything" if free else "the only solution"
    return MatrixResult(operation, [_part("x", x)], sympy.latex(x), _is_zero(a * x - b), note, free)


def _order(item: Any) -> str:
    import sympy

    return str(sympy.default_sort_key(item[0]))


def _is_zero(matrix: Any) -> bool:
    """Whether every entry vanishes: exactly, or numerically where simplifying does not show it."""
    import sympy

    for entry in matrix:
        rest = sympy.simplify(entry)
        if rest != 0 and not (rest.is_number and abs(sympy.N(rest, 30)) < 1e-20):
            return False
    return True


_SINGLE_MATRIX_OPERATIONS: dict[str, Any] = {
    "inverse": _inverse,
    "row_echelon": _row_echelon,
    "null_space": _null_space,
    "column_space": _column_space,
    "eigenvalues": _eigenvalues,
    "eigenvectors": _eigenvectors,
    "singular_values": _singular_values,
    "lu": _lu,
    "qr": _qr,
}
