"""Measures of models against values that are known."""

import random

import numpy as np
import pytest

from yardkit.models.quality.box_precision import PredictedBox, TrueBox, average_precision
from yardkit.models.quality.figures import class_accuracy, count_errors, equal_error, sound_ratio_db
from yardkit.models.quality.text_errors import (
    count_edits,
    expression_match,
    letter_errors,
    measure_word_recall,
    word_errors,
)


def boxes_of_a_seed(seed: int) -> tuple[list[TrueBox], list[PredictedBox]]:
    """Things in pictures, some of them crowds, and what a model may have found of them."""
    chance = random.Random(seed)
    truth, predicted_boxes = [], []
    for picture in map(str, range(11)):
        for label in "abc":
            for _ in range(chance.randint(0, 5)):
                x, y, width, height = (chance.uniform(*limits) for limits in ((0, 300), (0, 300), (10, 120), (10, 120)))
                truth.append(TrueBox(picture, label, (x, y, x + width, y + height), chance.random() < 0.1))
                for _ in range(chance.randint(0, 2)):
                    left, top = x + chance.gauss(0, 6), y + chance.gauss(0, 6)
                    right, bottom = left + width * chance.uniform(0.8, 1.2), top + height * chance.uniform(0.8, 1.2)
                    score, named = round(chance.random(), 2), label if chance.random() < 0.9 else chance.choice("abc")
                    predicted_boxes.append(PredictedBox(picture, named, (left, top, right, bottom), score))
    return truth, predicted_boxes


# What COCOeval of pycocotools 2.0 gives for the same boxes: AP, AP50, AP75, AR100.
PYCOCOTOOLS = {
    0: (0.1641567652, 0.4087243113, 0.0731234875, 0.2740761689),
    1: (0.1253210792, 0.3228792958, 0.0453154727, 0.2279348919),
    2: (0.1365641369, 0.3792059624, 0.0955747548, 0.2282218506),
}


@pytest.mark.parametrize("seed", PYCOCOTOOLS)
def test_average_precision_is_that_of_pycocotools(seed: int) -> None:
    figures = average_precision(*boxes_of_a_seed(seed))
    assert tuple(figures.values()) == pytest.approx(PYCOCOTOOLS[seed], abs=1e-9)


def test_boxes_that_are_all_right_are_precise_and_a_set_without_things_says_nothing() -> None:
    truth = [TrueBox("p", "cup", (0, 0, 10, 10)), TrueBox("p", "cup", (20, 0, 30, 10))]
    predicted_boxes = [PredictedBox("p", "cup", box.box, 0.9) for box in truth]
    assert set(average_precision(truth, predicted_boxes).values()) == {1.0}
    assert average_precision(truth, predicted_boxes[:1])["AR100"] == 0.5
    assert average_precision(truth, [])["AP"] == 0
    assert average_precision([], predicted_boxes) == {}


def test_edits_are_the_fewest() -> None:
    assert [
        count_edits(first, other) for first, other in (("kitten", "sitting"), ("", "abc"), ("abc", ""), ("ab", "ba"))
    ] == [
        3,
        3,
        3,
        2,
    ]


def test_words_are_compared_without_case_and_punctuation_and_letters_with_both() -> None:
    pair = ("He paid $9.99, didn't he?", "he paid 9.99 did he")
    assert word_errors([pair])["WER"] == pytest.approx(1 / 5)
    assert letter_errors([("A b", "a  b")]) == {"CER": pytest.approx(1 / 3), "WER": 0.5}
    assert word_errors([("a b", "a b"), ("c d", "c")])["WER"] == 0.25


def test_words_of_a_picture_are_found_wherever_they_stand() -> None:
    assert measure_word_recall([(["EXIT", "Stairs", "2"], "stairs EXIT lift")]) == {
        "precision": pytest.approx(2 / 3),
        "recall": pytest.approx(2 / 3),
        "F1": pytest.approx(2 / 3),
    }


@pytest.mark.parametrize(
    ("expected", "given", "same"),
    [
        ("x^{2}+y", "x^2 + y", True),
        (r"\dfrac{a}{b}", r"\frac {a}{b}", True),
        (r"$\left( x \right)$", "(x)", True),
        ("x^{12}", "x^12", False),
        (r"\alpha", r"\beta", False),
    ],
)
def test_formulas_are_the_same_whatever_their_spacing(expected: str, given: str, same: bool) -> None:
    assert expression_match([(expected, given)])["match"] == float(same)


def test_counts_classes_and_voices() -> None:
    assert count_errors([(3, 3), (5, 4), (0, 2)]) == {"exact": pytest.approx(1 / 3), "MAE": 1}
    assert class_accuracy([("cat", ["cat", "dog"]), ("dog", ["cat", "dog"]), ("cow", [])]) == {
        "top-1": pytest.approx(1 / 3),
        "top-5": pytest.approx(2 / 3),
    }
    pairs = [(True, 0.9), (True, 0.8), (True, 0.3), (False, 0.7), (False, 0.2), (False, 0.1)]
    assert equal_error(pairs)["EER"] == pytest.approx(1 / 3)
    assert equal_error([(True, 0.9), (False, 0.1)])["EER"] == 0


def test_a_ratio_of_sound_is_that_of_its_powers_at_whatever_loudness() -> None:
    time = np.arange(48_000) / 48_000
    speech, noise = np.sin(2 * np.pi * 300 * time), np.sin(2 * np.pi * 500 * time)
    assert sound_ratio_db(speech, 0.2 * (speech + 0.1 * noise)) == pytest.approx(20, abs=0.01)
