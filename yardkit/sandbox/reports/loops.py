"""The section on closed loops: pass rates with and without the look at what was made, and what runs failed by."""

from yardkit.kit.markup import Html, tag
from yardkit.sandbox.runs.closed_loops import FAILURES
from yardkit.sandbox.runs.summary import Summary


def loops(summary: Summary) -> Html | None:
    """Two rates and a table of classes; None where no task asks the agent to look at what it made."""
    if not summary.loops:
        return None
    passed, unlooked = (_rate(count, summary.loops) for count in (summary.passed_loops, summary.passed_unlooked))
    asked = f"{passed} passed of the runs whose task asks the agent to look at, or listen to, what it made."
    aside = f"{unlooked} do when this is ignored, since an agent may look by other means."
    return tag("section", tag("h2", "Closed loops"), tag("p", f"{asked} {aside}"), _failures(summary))


def _failures(summary: Summary) -> Html | None:
    if not summary.failures:
        return None
    head = tag("tr", [tag("th", title) for title in ("Failed by", "runs")])
    rows = [
        tag("tr", tag("th", name, tag("small", meaning), scope="row"), tag("td", f"{summary.failures[name]}"))
        for name, meaning in FAILURES.items()
        if name in summary.failures
    ]
    return tag("div", tag("table", tag("thead", head), tag("tbody", rows)), class_="scroll")


def _rate(count: int, of: int) -> str:
    return f"{count} of {of} ({100 * count / of:.1f} %)"
