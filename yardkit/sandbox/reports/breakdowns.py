"""The figures of a run by kind of task: domain, difficulty, inputs and deliverables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from yardkit.kit.markup import Html, make_tag
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.summary import Summary, summarize_results
from yardkit.sandbox.tasks.profiles import DELIVERABLES, DIFFICULTIES, DOMAINS, MODALITIES

ASPECTS: Mapping[str, tuple[str, ...]] = {
    "domain": DOMAINS,
    "difficulty": DIFFICULTIES,
    "modalities": MODALITIES,
    "deliverables": DELIVERABLES,
}
"""What results are put together by -> its words, in the order in which they are shown."""
_LISTED_ASPECTS = ("domain", "difficulty")
THIRDS = ("shortest third", "middle third", "longest third")


def break_down(results: Sequence[Result]) -> dict[str, dict[str, Summary]]:
    """Compute the figures by aspect and word. A result with several modalities or deliverables counts for each.

    Results from before tasks had a profile are left out.
    """
    return {
        aspect: {
            word: summarize_results(some)
            for word in known
            if (some := [result for result in results if word in _list_words(result, aspect)])
        }
        for aspect, known in ASPECTS.items()
    }


@dataclass(frozen=True)
class Third:
    """A third of the valid results by length: the fewest and the most turns (or calls) in it, and its figures."""

    fewest: int
    most: int
    unit: str
    summary: Summary

    @property
    def length(self) -> str:
        """The range of lengths in words."""
        reach = f"{self.fewest}" if self.fewest == self.most else f"{self.fewest} to {self.most}"
        return f"{reach} {self.unit}"

    def as_dict(self) -> dict[str, Any]:
        """The third as JSON values."""
        return {**self.__dict__, "summary": self.summary.as_dict()}


def by_turns(results: Sequence[Result]) -> dict[str, Third]:
    """Split the valid results into thirds by the number of turns.

    Turns are answers of the model; calls are used if turns are unknown for any result. Empty for fewer than three
    results.
    """
    valid = [result for result in results if result.valid]
    if len(valid) < len(THIRDS):
        return {}
    turns_known = all(result.usage.turns for result in valid)

    def length(result: Result) -> int:
        return result.usage.turns if turns_known else result.calls

    ordered = sorted(valid, key=lambda result: (length(result), result.key))
    ends = [round(len(ordered) * part / len(THIRDS)) for part in range(len(THIRDS) + 1)]
    parts = [ordered[start:end] for start, end in pairwise(ends)]
    return {
        name: Third(length(part[0]), length(part[-1]), "turns" if turns_known else "calls", summarize_results(part))
        for name, part in zip(THIRDS, parts, strict=True)
    }


def as_section(results: Sequence[Result]) -> Html | None:
    """Make the report's table by domain, difficulty and thirds by turns; None if there is only one kind."""
    breakdown_tables = break_down(results)
    rows = [
        row
        for aspect in _LISTED_ASPECTS
        if len(breakdown_tables[aspect]) > 1
        for row in _list_rows(aspect, breakdown_tables[aspect])
    ]
    thirds = by_turns(results)
    for name, third in thirds.items():
        rows += _list_rows(third.length, {name: third.summary})
    if not rows:
        return None
    head = make_tag("tr", [make_tag("th", title) for title in ("Kind of task", "runs", "passed", "reward")])
    table = make_tag("table", make_tag("thead", head), make_tag("tbody", rows))
    return make_tag(
        "section", make_tag("h2", "By domain, difficulty and turns"), make_tag("div", table, class_="scroll")
    )


def _list_rows(aspect: str, summaries: Mapping[str, Summary]) -> Iterator[Html]:
    for word, summary in summaries.items():
        name = make_tag("th", word, make_tag("small", aspect), scope="row")
        passed = f"{summary.passed}/{summary.runs - summary.invalid}"
        reward = "-" if summary.reward is None else f"{summary.reward:.3f}"
        yield make_tag("tr", name, make_tag("td", f"{summary.runs}"), make_tag("td", passed), make_tag("td", reward))


def _list_words(result: Result, aspect: str) -> Sequence[str]:
    value = result.profile.get(aspect, ())
    return [value] if isinstance(value, str) else list(value)
