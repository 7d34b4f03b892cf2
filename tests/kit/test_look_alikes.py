"""Texts that look the same are found by one another."""

import re

import pytest

from yardkit.kit.look_alikes import build_look_pattern


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("12 kg", "12\u00a0kg"),
        ("12 kg", "12\u202fkg"),
        ("12\u00a0kg", "12 kg"),
        ("cooperation", "co\u00adopera\u00ad\u200btion"),
        ('"draft"', "\u201cdraft\u201d"),
        ("\u201edraft\u201c", '"draft"'),
        ("don't", "don\u2019t"),
        ("e-mail", "e\u2011mail"),
        ("M\u00fcller", "Mu\u0308ller"),
        ("Mu\u0308ller", "M\u00fcller"),
        ("a.b*", "a.b*"),
    ],
)
def test_signs_that_look_the_same_are_found(term: str, text: str) -> None:
    assert re.fullmatch(build_look_pattern(term), text)


@pytest.mark.parametrize(("term", "text"), [(" ", "\u00a0"), ('"', "\u201c"), ("m2", "m\u00b2"), ("a.b", "axb")])
def test_a_sign_alone_and_other_letters_are_not_taken_for_each_other(term: str, text: str) -> None:
    assert not re.fullmatch(build_look_pattern(term), text)
