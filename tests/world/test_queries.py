"""Queries find words however a program spelled them."""

import unicodedata
from typing import Literal

import pytest

from yardkit.world.queries import fold_text, split_query


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_accents_cases_and_blanks_are_the_same_however_they_are_written(form: Literal["NFC", "NFD"]) -> None:
    text = fold_text(unicodedata.normalize(form, "N\u00e4chste Stra\u00dfe\u00a0in\nZ\u00fcrich"))
    queries = ("n\u00e4chste", "na\u0308chste", "STRASSE", "zurich", "Nach\u00adste", '"in z\u00fcrich" n\u00e4chste')
    for query in queries:
        assert all(word in text for word in split_query(query)), query


def test_words_in_quotes_are_one_and_a_single_quote_is_a_sign() -> None:
    assert split_query('a "b  C" 5" ""') == ["a", "b c", '5"']
