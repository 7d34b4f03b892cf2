"""Solutions and near misses of gta/triangle_side."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import read_lines
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_other_plot = misses.answered_with("other_plot")
near_miss_right_angle = misses.answered_with("right_angle")
near_miss_outer_angle = misses.answered_with("outer_angle")
near_miss_radians = misses.answered_with("radians")
near_miss_all_values = misses.all_answers_listed()
near_miss_last_digit = misses.number_off()

CODE = """
def solution():
    from sympy import cos, pi, sqrt
    return round(float(sqrt({one}**2 + {other}**2 - 2*{one}*{other}*cos({angle}*pi/180))), 1)
"""
BY_POINTS = """
def solution():
    import math
    end = ({other} * math.cos(math.radians({angle})), {other} * math.sin(math.radians({angle})))
    return f"{{math.dist(end, ({one}, 0)):.1f}}"
"""


def solve(agent: Agent) -> str:
    """Read the measures of the plot, and use the law of cosines."""
    return agent.text("Solver", command=CODE.format(**_read_measures(agent)))


def alternative_by_points_in_a_sentence(agent: Agent, _files: Path) -> str:
    side = agent.text("Solver", command=f"```python{BY_POINTS.format(**_read_measures(agent))}```")
    return f"With two sides and the angle between them:\n\n**{side} m**"


def alternative_by_an_equation(agent: Agent, _files: Path) -> str:
    code = """
def solution():
    from sympy import cos, pi
    side = symbols("side", positive=True)
    return solve(Eq(side**2, {one}**2 + {other}**2 - 2*{one}*{other}*cos({angle}*pi/180)), side)[0].evalf()
"""
    return f"It is {round(float(agent.text('Solver', command=code.format(**_read_measures(agent)))), 1)} metres long"


def _read_measures(agent: Agent) -> dict[str, str]:
    """Both sides and the angle below the name of the plot."""
    plot = re.findall(r"side of Plot (\d+)", agent.prompt)[0]
    lines = read_lines(agent, "sketch.png")
    head = next(line for line in lines if re.fullmatch(rf"Plot ?{plot}", line.text))
    texts = [line.text for line in lines if line is not head and abs(line.middle[0] - head.middle[0]) < 290]
    first_side, other = (text for side_text in texts for text in re.findall(r"(\d+\.\d) ?m", side_text))
    angle = next(angle_match[0][:2] for text in texts if (angle_match := re.findall(r"^\d{2,3}\D?$", text)))
    return {"one": first_side, "other": other, "angle": angle}
