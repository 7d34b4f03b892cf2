"""Matrices with exact entries."""

from dataclasses import dataclass, field
from typing import Any, Literal

from yardkit.servers.solver.engine.parse import Reader
from yardkit.servers.solver.engine.results import Value, convert_problems, value_of
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


@convert_problems
def compute_matrix(matrix: Rows, operation: Operation, other: Rows | None, exponent: int | None) -> MatrixResult:
    """Work out `operation` of a matrix given by rows of texts.

    Raises:
        Problem: rows differ in length, the shape does not fit, the matrix is singular, a system is inconsistent.
    """
    a = _parse_matrix(matrix, "matrix")
    if operation in _SQUARE_OPERATIONS and a.rows != a.cols:
        raise Problem(f"{operation} needs a square matrix; this one has {a.rows} rows and {a.cols} columns")
    if operation in ("multiply", "solve"):
        if other is None:
            raise Problem(f"{operation} needs a second matrix; give other, such as [['1'], ['2']]")
        return _with_other(a, _parse_matrix(other, "other"), operation)
    if operation == "power":
        return _raise_to_power(a, exponent)
    return (
        _SINGLE_MATRIX_OPERATIONS[operation](a)
        if operation in _SINGLE_MATRIX_OPERATIONS
        else _compute_single(a, operation)
    )


def _parse_matrix(rows: Rows, name: str) -> Any:
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


def _build_part(name: str, value: Any, multiplicity: int = 1) -> Part:
    import sympy

    part_matrix = value if isinstance(value, sympy.MatrixBase) else sympy.Matrix([[value]])
    return Part(name, [[value_of(entry) for entry in row] for row in part_matrix.tolist()], multiplicity)


def _compute_single(a: Any, operation: Operation) -> MatrixResult:
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
    result = sympy.sympify(work())
    return MatrixResult(operation, [_build_part(operation, result)], sympy.latex(result))


def _invert_matrix(a: Any) -> MatrixResult:
    import sympy

    if sympy.simplify(a.det()) == 0:
        raise Problem(
            "the matrix is singular (its determinant is 0), so it has no inverse; use operation null_space to see why"
        )
    inverse = a.inv().applyfunc(sympy.simplify)
    return MatrixResult(
        "inverse", [_build_part("inverse", inverse)], sympy.latex(inverse), _is_zero(a * inverse - sympy.eye(a.rows))
    )


def _row_echelon(a: Any) -> MatrixResult:
    import sympy

    echelon_form, pivots = a.rref()
    note = f"pivot columns (from 1): {', '.join(str(column + 1) for column in pivots) or 'none'}"
    return MatrixResult(
        "row_echelon", [_build_part("reduced row echelon form", echelon_form)], sympy.latex(echelon_form), None, note
    )


def _null_space(a: Any) -> MatrixResult:
    import sympy

    null_vectors = a.nullspace()
    parts = [_build_part(f"basis vector {number}", vector) for number, vector in enumerate(null_vectors, 1)]
    return MatrixResult(
        "null_space", parts, sympy.latex(null_vectors), all(_is_zero(a * vector) for vector in null_vectors)
    )


def _column_space(a: Any) -> MatrixResult:
    import sympy

    column_vectors = a.columnspace()
    parts = [_build_part(f"basis vector {number}", vector) for number, vector in enumerate(column_vectors, 1)]
    return MatrixResult("column_space", parts, sympy.latex(column_vectors))


def _compute_eigenvalues(a: Any) -> MatrixResult:
    import sympy

    eigenvalues = a.eigenvals()
    parts = [
        _build_part("eigenvalue", value, count) for value, count in sorted(eigenvalues.items(), key=_make_sort_key)
    ]
    sums = _is_zero(sympy.Matrix([sum(value * count for value, count in eigenvalues.items()) - a.trace()]))
    return MatrixResult("eigenvalues", parts, sympy.latex(list(eigenvalues)), sums)


def _compute_eigenvectors(a: Any) -> MatrixResult:
    import sympy

    parts, holds = [], []
    for value, count, vectors in sorted(a.eigenvects(), key=_make_sort_key):
        parts.append(_build_part("eigenvalue", value, count))
        parts += [_build_part(f"eigenvector of {value}", vector) for vector in vectors]
        holds += [_is_zero(a * vector - value * vector) for vector in vectors]
    return MatrixResult("eigenvectors", parts, sympy.latex(a.eigenvects()), all(holds))


def _singular_values(a: Any) -> MatrixResult:
    import sympy

    singular_values = a.singular_values()
    return MatrixResult(
        "singular_values",
        [_build_part("singular value", value) for value in singular_values],
        sympy.latex(singular_values),
    )


def _decompose_lu(a: Any) -> MatrixResult:
    import sympy

    lower, upper, swaps = a.LUdecomposition()
    is_confirmed = _is_zero(lower * upper - a.permute_rows(swaps))
    note = f"row swaps before (from 1): {[tuple(row + 1 for row in swap) for swap in swaps] or 'none'}"
    return MatrixResult(
        "lu", [_build_part("L", lower), _build_part("U", upper)], sympy.latex((lower, upper)), is_confirmed, note
    )


def _decompose_qr(a: Any) -> MatrixResult:
    import sympy

    q, r = a.QRdecomposition()
    return MatrixResult("qr", [_build_part("Q", q), _build_part("R", r)], sympy.latex((q, r)), _is_zero(q * r - a))


def _raise_to_power(a: Any, exponent: int | None) -> MatrixResult:
    import sympy

    if exponent is None or abs(exponent) > 1000 or a.rows != a.cols:
        raise Problem(f"power needs a square matrix and an exponent from -1000 to 1000, not {exponent}")
    matrix_power = (a**exponent).applyfunc(sympy.simplify)
    return MatrixResult("power", [_build_part(f"power {exponent}", matrix_power)], sympy.latex(matrix_power))


def _with_other(a: Any, b: Any, operation: Operation) -> MatrixResult:
    import sympy

    if operation == "multiply":
        if a.cols != b.rows:
            raise Problem(f"a matrix with {a.cols} columns cannot be multiplied by one with {b.rows} rows")
        return MatrixResult(operation, [_build_part("product", a * b)], sympy.latex(a * b))
    if a.rows != b.rows or b.cols != 1:
        raise Problem(f"the right side must be one column of {a.rows} entries, not {b.rows} x {b.cols}")
    unknowns = sympy.symbols(f"x1:{a.cols + 1}")
    linear_solutions = sympy.linsolve((a, b), *unknowns)
    if linear_solutions is sympy.S.EmptySet:
        raise Problem(
            "the system is inconsistent: no x satisfies A x = b; its least-squares solution solves A^T A x = A^T b"
        )
    (vector,) = linear_solutions
    x = sympy.Matrix(vector).applyfunc(sympy.simplify)
    free = sorted({str(symbol) for symbol in x.free_symbols & set(unknowns)})
    note = f"{', '.join(free)} may be anything" if free else "the only solution"
    return MatrixResult(operation, [_build_part("x", x)], sympy.latex(x), _is_zero(a * x - b), note, free)


def _make_sort_key(item: Any) -> str:
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
    "inverse": _invert_matrix,
    "row_echelon": _row_echelon,
    "null_space": _null_space,
    "column_space": _column_space,
    "eigenvalues": _compute_eigenvalues,
    "eigenvectors": _compute_eigenvectors,
    "singular_values": _singular_values,
    "lu": _decompose_lu,
    "qr": _decompose_qr,
}
