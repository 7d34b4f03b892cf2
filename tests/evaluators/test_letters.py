"""Days, times and languages of letters, as people write them."""

from datetime import date, time

import pytest

from yardkit.evaluators.letters import detect_language, find_clock_times, find_days

DAY = date(2026, 2, 17)


@pytest.mark.parametrize(
    "text",
    [
        "on Tuesday, 17 February 2026 at 09:30",
        "February 17th at 9:30 am",
        "am Dienstag, 17. Februar 2026 um 09:30 Uhr",
        "am 17.2. um 9.30 Uhr",
        "am 17.02.2026 um 09:30",
        "le mardi 17 février à 9 h 30",
        "le 17/02 à 9h30",
        "el martes 17 de febrero de 2026 a las 9:30",
        "2026-02-17T09:30",
    ],
)
def test_a_day_and_a_time_are_found_however_they_are_written(text: str) -> None:
    assert find_days(text, 2026) == {DAY}
    if "T09" not in text:
        assert find_clock_times(text) == {time(9, 30)}


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("at 2:30 pm", {time(14, 30)}),
        ("um 14 Uhr", {time(14)}),
        ("14:00-15:15", {time(14), time(15, 15)}),
        ("room 12", set()),
    ],
)
def test_times_have_halves_of_days_and_may_lack_minutes(text: str, times: set[time]) -> None:
    assert find_clock_times(text) == times


def test_a_year_that_is_named_counts_and_no_day_is_made_of_what_is_none() -> None:
    assert find_days("17 February 2027 and 31 February", 2026) == {date(2027, 2, 17)}
    assert find_days("we may meet 5 people", 2026) == set()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("English", "we look forward to meeting you on Tuesday at nine"),
        ("German", "wir freuen uns auf das Gespräch mit Ihnen am Dienstag um neun Uhr"),
        ("French", "nous serons heureux de vous voir le mardi à neuf heures"),
        ("Spanish", "tendremos el gusto de hablar con usted el martes a las nueve"),
        ("", "9:30"),
    ],
)
def test_a_letter_tells_its_language(language: str, text: str) -> None:
    assert detect_language(text) == language
