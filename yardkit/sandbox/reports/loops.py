"""The section on closed loops: pass rates with and without the required look at the result, and classes of failures."""

from yardkit.kit.markup import Html, make_tag
from yardkit.sandbox.runs.closed_loops import FAILURES
from yardkit.sandbox.runs.summary import Summary


def build_loop_section(summary: Summary) -> Html | None:
    """Build two rates and a table of classes; None if no task requires a look at the result."""
    if not summary.loops:
        return None
    passed, unlooked = (_format_rate(count, summary.loops) for count in (summary.passed_loops, summary.passed_unlooked))
    asked = f"{passed} passed of the runs whose task asks the agent to look at, or listen to, what it made."
    aside = f"{unlooked} do when this is ignored, since an agent may look by other means."
    return make_tag(
        "section", make_tag("h2", "Closed loops"), make_tag("p", f"{asked} {aside}"), _build_failures(summary)
    )


def _build_failures(summary: Summary) -> Html | None:
    if not summary.failures:
        return None
    head = make_tag("tr", [make_tag("th", title) for title in ("Failed by", "runs")])
    rows = [
        make_tag(
            "tr",
            make_tag("th", name, make_tag("small", meaning), scope="row"),
            make_tag("td", f"{summary.failures[name]}"),
        )
        for name, meaning in FAILURES.items()
        if name in summary.failures
    ]
    return make_tag("div", make_tag("table", make_tag("thead", head), make_tag("tbody", rows)), class_="scroll")


def _format_rate(count: int, of: int) -> str:
    return f"{count} of {of} ({100 * count / of:.1f} %)"
