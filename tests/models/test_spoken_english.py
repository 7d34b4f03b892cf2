"""English as it is read aloud: words of numbers and signs, and their phonemes."""

from typing import Any

import pytest

from yardkit.models.embedded.hibari_voice import MODEL, load_english
from yardkit.models.embedded.spoken_english.number_words import spell_cardinal, spell_ordinal, spell_year
from yardkit.models.embedded.spoken_english.spoken_text import read_out
from yardkit.models.embedded.store import require_model


@pytest.fixture(scope="module")
def reader() -> Any:
    return load_english(require_model(MODEL))


READ = {
    "at 9:30 a.m. on March 5, 2024.": "at nine thirty A.M. on March fifth, twenty twenty four.",
    "at 8:05, 14:00 and 5pm": "at eight oh five, fourteen o'clock and five P.M.",
    "$42.50, $1 and £3.01": "forty two dollars and fifty cents, one dollar and three pounds and one penny",
    "€1.2 million or $5k": "one point two million euros or five thousand dollars",
    "1,250 people, 3.14": "one thousand two hundred fifty people, three point one four",
    "0042, 23rd": "zero zero four two, twenty third",
    "in 1905, 2005 and the 1990s": "in nineteen oh five, two thousand five and the nineteen nineties",
    "5km at 20°C or -3 %": "five kilometers at twenty degrees Celsius or minus three percent",
    "2026-11-26": "November twenty sixth, twenty twenty six",
    "3/4 of pages 3-5": "three quarters of pages three to five",
    "Dr. Smith, St. Paul": "Dr Smith, Saint Paul",
    "chapter IV, Henry VIII": "chapter four, Henry the eighth",
    "555-1234 & No. 7": "five five five, one two three four and number seven",
}


@pytest.mark.parametrize("text", READ)
def test_numbers_and_signs_are_read_as_words(reader: Any, text: str) -> None:
    assert read_out(text, reader.rules) == READ[text]


def test_numbers_have_their_words() -> None:
    assert spell_cardinal(0) == "zero"
    assert spell_cardinal(-1_000_042) == "minus one million forty two"
    assert spell_cardinal(10**16) == " ".join(["one", *["zero"] * 16])
    assert [spell_ordinal(number) for number in (1, 12, 20, 101)] == [
        "first",
        "twelfth",
        "twentieth",
        "one hundred first",
    ]
    assert [spell_year(number) for number in (1066, 1900, 2010)] == ["ten sixty six", "nineteen hundred", "twenty ten"]


@pytest.mark.parametrize(
    ("text", "phonemes"),
    [
        (
            "I live in St. Paul; live music is close to the door, so close it.",
            "ˌI lˈɪv ɪn sˈAnt pˈɔl; lˈIv mjˈuzɪk ɪz klˈOs tə ðə dˈɔɹ, sˌO klˈOs ɪt.",
        ),
        (
            "Dr. Smith read the record yesterday, but he will read it again tomorrow.",
            "dˈɑktəɹ smˈɪθ ɹˈɛd ðə ɹˈɛkəɹd jˈɛstəɹdˌA, bˌʌt hi wɪl ɹˈid ɪt əɡˈɛn təmˈɑɹO.",
        ),
        (
            "Please present the present to Mr. Jones's children.",
            "plˈiz pɹizˈɛnt ðə pɹˈɛzᵊnt tə mˈɪstəɹ ʤˈOnzᵻz ʧˈɪldɹᵊn.",
        ),
        ("I am going to the office to order tea.", "ˌI ɐm ɡˈOɪŋ tə ði ˈɔfəs tʊ ˈɔɹdəɹ tˈi."),
        ("NASA and the USA", "nˈæsə ænd ðə jˌuˌɛsˈA"),
    ],
)
def test_words_sound_by_their_part_of_speech_and_what_follows(reader: Any, text: str, phonemes: str) -> None:
    assert reader.phonemes(text) == [phonemes]


def test_sentences_are_cut_and_abbreviations_end_none(reader: Any) -> None:
    assert len(reader.phonemes("It ends here. See fig. 3 of J. K. Rowling, i.e. all of it! Does it?\nYes")) == 4


def test_a_long_sentence_comes_in_parts_that_the_model_takes(reader: Any) -> None:
    parts = reader.phonemes("one, two, three and four, " * 60)
    assert len(parts) > 1
    assert max(map(len, parts)) <= 400


def test_a_word_that_no_dictionary_has_is_guessed_and_nothing_is_left_out(reader: Any) -> None:
    [sound] = reader.phonemes("Yardkit blicket zzyx")
    assert len(sound.split()) == 3
    assert reader.unread("Yardkit, Москва, naïve, 日本 and 5 €") == ["日本"]
