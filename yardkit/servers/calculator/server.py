"""The tools of the `calculator` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.calculator.engine import expressions, statistics, units

mcp = make_server(
    "calculator",
    "Arithmetic without rounding where possible (0.1 + 0.2 is 0.3, 1/3 stays a fraction), mathematical "
    "functions, units, statistics of a list. Real numbers only; for equations and calculus use a solver.",
)


@tool(mcp)
def evaluate_expression(
    expression: Annotated[
        str,
        Field(
            description="Arithmetic in Python notation: + - * / // % **, comparisons, parentheses, functions (sqrt, "
            "log, sin, factorial, comb, gcd, round, min, max, sum, mean ...), pi, e. Angles in radians. "
            "Several lines are allowed, each an expression or 'name = expression' for later lines.",
            min_length=1,
        ),
    ],
    values: Annotated[
        dict[str, float | str] | None,
        Field(description="Values of variables, as numbers or text such as '0.1', '2/3', '1e-30'."),
    ] = None,
) -> expressions.Evaluation:
    """Evaluate an arithmetic expression, exactly where possible: the exact value and the nearest float."""
    return expressions.evaluate_expression(expression, values)


@tool(mcp)
def convert_units(
    value: Annotated[float | str, Field(description="Number to convert; text such as '0.1' or '2/3' is exact.")],
    from_unit: Annotated[str, Field(description="Unit of the value, such as 'mile/hour', 'kg*m/s**2', 'degF'.")],
    to_unit: Annotated[str, Field(description="Unit to convert to, such as 'km/hour', 'newton', 'degC'.")],
) -> units.Conversion:
    """Convert a quantity to another unit: lengths, masses, temperatures, energies, data sizes, compound units ..."""
    return units.convert_unit(value, from_unit, to_unit)


@tool(mcp)
def compute_statistics(
    values: Annotated[list[float | str], Field(description="Numbers; text such as '0.1' or '2/3' is exact.")],
    percentiles: Annotated[
        tuple[float, ...],
        Field(description="Additional percentiles, each 0 to 100, such as [5, 95].", max_length=100),
    ] = (),
    method: Annotated[
        Literal["inclusive", "exclusive"],
        Field(description="Percentile interpolation: like PERCENTILE.INC or PERCENTILE.EXC of spreadsheets."),
    ] = "inclusive",
) -> statistics.Statistics:
    """Describe a list of numbers: sum, mean, median, modes, extremes, standard deviations, quartiles, percentiles."""
    return statistics.describe_values(values, percents=percentiles, method=method)
