"""Leaves about the contacts of an address book."""

from collections.abc import Callable, Iterable, Mapping

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, finding, leaf
from yardkit.evaluators.readers.cards import SeenContact, read_contacts
from yardkit.evaluators.submission import Submission


def contacts(
    id: str,
    says: str,
    wanted: Callable[[Facts], Iterable[Mapping[str, list[str]]]],
    *,
    user: Callable[[Facts], str],
    where: Callable[[SeenContact, Facts], bool] = lambda _contact, _facts: True,
    weight: float = 1.0,
) -> Checkpoint:
    """The contacts `where` it holds are the wanted ones, each told by properties of vCard, in any order.

    A property is a list of texts: ``{"FN": ["Ada Berg"], "TEL": ["+43 1 2"]}``; what is left out is free.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        left = [one for one in read_contacts(submission, user(facts)) if where(one, facts)]
        missing = []
        for want in wanted(facts):
            fitting = next((one for one in left if _fits(one, want)), None)
            missing += [dict(want)] if fitting is None else []
            left = [one for one in left if one is not fitting]
        return finding(
            not left and not missing, f"missing: {missing or 'none'}; odd: {[one.name for one in left] or 'none'}"
        )

    return leaf(id, says, check, observes=("contact:*",), weight=weight)


def _fits(contact: SeenContact, want: Mapping[str, list[str]]) -> bool:
    return all(sorted(contact.values.get(name, [])) == sorted(texts) for name, texts in want.items())
