"""The figures of a run by what kind of task it was: domain, difficulty, what was read, what was delivered."""

from collections.abc import Iterator, Mapping, Sequence

from toolyard.sandbox.reports.markup import Html, tag
from toolyard.sandbox.runs.results import Result
from toolyard.sandbox.runs.summary import Summary, summarize
from toolyard.sandbox.tasks.profiles import DELIVERABLES, DIFFICULTIES, DOMAINS, MODALITIES

ASPECTS: Mapping[str, tuple[str, ...]] = {
    "domain": DOMAINS,
    "difficulty": DIFFICULTIES,
    "modalities": MODALITIES,
    "deliverables": DELIVERABLES,
}
"""What results are put together by -> its words, in the order in which they are shown."""
_SHOWN = ("domain", "difficulty")


def breakdowns(results: Sequence[Result]) -> dict[str, dict[str, Summary]]:
    """The figures by aspect and word. Of several modalities or deliverables a result counts for each.

    Results of runs that were made before tasks had a profile are left out.
    """
    return {
        aspect: {
            word: summarize(some)
            for word in known
            if (some := [result for result in results if word in _words(result, aspect)])
        }
        for aspect, known in ASPECTS.items()
    }


def as_section(results: Sequence[Result]) -> Html | None:
    """A table by domain and by difficulty for the page of a report; None where all tasks are of one kind."""
    found = breakdowns(results)
    rows = [row for aspect in _SHOWN if len(found[aspect]) > 1 for row in _rows(aspect, found[aspect])]
    if not rows:
        return None
    head = tag("tr", [tag("th", title) for title in ("Kind of task", "runs", "passed", "reward")])
    table = tag("table", tag("thead", head), tag("tbody", rows))
    return tag("section", tag("h2", "By domain and difficulty"), tag("div", table, class_="scroll"))


def _rows(aspect: str, summaries: Mapping[str, Summary]) -> Iterator[Html]:
    for word, summary in summaries.items():
        name = tag("th", word, tag("small", aspect), scope="row")
        passed = f"{summary.passed}/{summary.runs - summary.invalid}"
        reward = "-" if summary.reward is None else f"{summary.reward:.3f}"
        yield tag("tr", name, tag("td", f"{summary.runs}"), tag("td", passed), tag("td", reward))


def _words(result: Result, aspect: str) -> Sequence[str]:
    value = result.profile.get(aspect, ())
    return [value] if isinstance(value, str) else list(value)
