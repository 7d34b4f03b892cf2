"""Leaves about forms that were sent from the pages of a world's sites."""

from collections.abc import Callable, Collection, Mapping

from toolyard.evaluators.checkpoints import Checkpoint, Facts, Finding, finding, leaf
from toolyard.evaluators.readers.answers import find_numbers, fold
from toolyard.evaluators.readers.posts import read_posts
from toolyard.evaluators.submission import Submission


def sent_once(id: str, says: str, url: str, *, weight: float = 1.0) -> Checkpoint:
    """One form was sent, to this address, and nothing else from any page."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        sent = [post.url for post in read_posts(submission)]
        return finding(sent == [url], f"sent: {sent}")

    return leaf(id, says, check, observes=(), weight=weight)


def filled_in(
    id: str,
    says: str,
    url: str,
    wanted: Callable[[Facts], Mapping[str, str]],
    *,
    numbers: Collection[str] = (),
    weight: float = 1.0,
) -> Checkpoint:
    """What was sent last to this address has these fields and no others; of `numbers` the number counts alone."""

    def value_of(name: str, text: str) -> object:
        return find_numbers(text)[:1] if name in numbers else squeezed(text)

    def check(submission: Submission, facts: Facts) -> Finding:
        sent = [post.fields for post in read_posts(submission) if post.url == url]
        if not sent:
            return finding(holds=False, evidence=f"nothing was sent to {url}")
        held, truth = sent[-1], wanted(facts)
        odd = [
            f"{name}: {held.get(name)!r}, expected {truth.get(name)!r}"
            for name in sorted({*held, *truth})
            if name not in held or name not in truth or value_of(name, held[name]) != value_of(name, truth[name])
        ]
        return finding(not odd, "; ".join(odd) or "all fields are right")

    return leaf(id, says, check, observes=(), weight=weight)


def squeezed(text: str) -> str:
    """A text without blanks, whatever its case."""
    return "".join(fold(text).split())
