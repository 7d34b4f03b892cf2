"""The kit of contract clauses."""

import random
import re
from collections import Counter

from yardkit.state_init.contracts import AGREEMENT, CLAUSES, draw_other_value, draw_values, number_clauses


def _count_terms(text: str) -> Counter[str]:
    """What must not change when a clause is said in other words: slots, parties, duties and permissions."""
    duties = ["shall" for _ in re.findall(r"\b(?:shall|must|will)\b", text)]
    return Counter([*re.findall(r"\{\w+\}|\bCustomer\b|\bSupplier\b|\bmay\b", text), *duties])


def test_other_words_hold_the_same_values_parties_and_duties() -> None:
    reworded = [clause for clause in CLAUSES.values() if clause.reworded]
    assert len(reworded) > 20
    assert [clause.key for clause in reworded if _count_terms(clause.text) != _count_terms(clause.reworded)] == []


def test_each_clause_refers_to_one_that_is_there() -> None:
    numbers = number_clauses(AGREEMENT)
    assert set(numbers) == set(CLAUSES)
    assert {clause.see for clause in CLAUSES.values()} - {""} <= set(numbers)
    assert all(("{see}" in clause.text) == bool(clause.see) for clause in CLAUSES.values())


def test_texts_come_with_all_values_filled_in() -> None:
    values, numbers = draw_values(random.Random(3)), number_clauses(AGREEMENT)
    for key, clause in CLAUSES.items():
        clause_text = clause.format_text(values[key], numbers)
        assert "{" not in clause_text
        assert "".join(text for _, text in clause.parts(values[key], numbers)) == clause_text


def test_another_value_is_another_one() -> None:
    rng = random.Random(5)
    for key, clause in CLAUSES.items():
        for kind in set(clause.kinds) - {"city"}:
            old = draw_other_value(key, kind, rng)
            assert draw_other_value(key, kind, rng, old) != old
