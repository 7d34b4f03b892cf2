from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yardkit.evaluators.checkpoints import InsufficientEvidence, InvalidArtifact
from yardkit.evaluators.readers.answers import find_last_line, find_numbers, mentions_name, read_number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The total is $1,234.50.", ["1234.50"]),
        ("12.50EUR", ["12.50"]),
        ("**-3** and \u22124", ["-3", "-4"]),
        ("RTX4080 costs 999", ["999"]),
        ("see v1.2.3", []),
        ("5% of 200", ["5", "200"]),
        ("\uff11\uff12 euros", ["12"]),
        ("about 1.2e-3 mm, or 5E3 N", ["0.0012", "5000"]),
        ("1e999999999 and 1.5e3.7", []),
    ],
)
def test_numbers_are_read_as_a_person_reads_them(text: str, expected: list[str]) -> None:
    assert find_numbers(text) == [Decimal(number) for number in expected]


def test_the_last_line_counts_without_its_markdown() -> None:
    assert read_number("I added 3 and 4.\n\n**7.00**\n") == Decimal("7.00")


def test_listing_several_candidates_is_no_answer() -> None:
    with pytest.raises(InvalidArtifact, match="3 different numbers"):
        read_number("It is 5, 6 or 7")


def test_saying_the_same_number_twice_is_one_answer() -> None:
    assert read_number("45.3, that is 45.30 euros") == Decimal("45.3")


def test_no_answer_is_no_evidence() -> None:
    with pytest.raises(InsufficientEvidence):
        find_last_line(" \n ")


def test_names_are_found_as_whole_words() -> None:
    assert mentions_name("So it is:\nThe Long Evening.", "the long  evening")
    assert not mentions_name("The Long Evenings", "The Long Evening")
    assert not mentions_name("The Long Evening\nis not it", "The Long Evening")


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=2))
def test_any_amount_is_read_back(amount: Decimal) -> None:
    assert read_number(f"Total: {amount:,} EUR") == amount


@given(st.text(max_size=300))
def test_no_text_breaks_the_readers(text: str) -> None:
    assert all(number.is_finite() for number in find_numbers(text))
