"""Classes and vectors of photographs, by the embedded model."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.pictures import ASTRONAUT, CAT, COFFEE

from yardkit.models.embedded.image_classes import (
    MODEL,
    Looks,
    best_classes,
    best_kinds,
    image_classes,
    look_at_picture,
)
from yardkit.models.embedded.running import displayed_size, load_rgb, run_in_process
from yardkit.models.embedded.store import require_model


def look_at(path: Path) -> Looks:
    return run_in_process(look_at_picture, require_model(MODEL), path)


def test_the_classes_of_photographs_are_those_that_pytorch_gave() -> None:
    """Figures of a run with PyTorch on these pictures: espresso .78 to .83, Egyptian Mau before tabby cat."""
    coffee, cat = look_at(COFFEE).scores, look_at(CAT).scores
    assert coffee.sum() == pytest.approx(1, abs=1e-4)
    [(name, score)] = best_classes(coffee, 0.5, 5)
    assert name == "espresso"
    assert 0.77 < score < 0.84
    assert best_kinds(coffee, 0.5, 3)[0][0] == "cup"
    assert [name for name, _ in best_classes(cat, 0.1, 2)] == ["Egyptian Mau", "tabby cat"]
    assert best_kinds(cat, 0.8, 3)[0][0] == "cat"


def test_a_person_is_none_of_the_classes() -> None:
    assert best_classes(look_at(ASTRONAUT).scores, 0.2, 5) == []


def test_vectors_of_one_scene_are_near_and_of_two_far(tmp_path: Path) -> None:
    with Image.open(COFFEE) as cup:
        cup.resize((300, 200)).save(tmp_path / "small.jpg", quality=90)
    coffee, small, cat = (look_at(path).vector for path in (COFFEE, tmp_path / "small.jpg", CAT))
    assert np.linalg.norm(coffee) == pytest.approx(1, abs=1e-4)
    assert coffee @ small > 0.9
    assert coffee @ cat < 0.3


def test_equal_names_are_one_class() -> None:
    scores = np.zeros(1000, np.float32)
    missiles = [place for place, name in enumerate(image_classes()) if name == "missile"]
    scores[missiles] = 0.3
    assert len(missiles) == 2
    assert best_classes(scores, 0.1, 5) == [("missile", 0.6)]
    assert best_kinds(scores, 0.1, 5) == [("rocket", 0.6)]


def test_a_large_photograph_is_seen_as_a_small_one_and_keeps_its_size(tmp_path: Path) -> None:
    with Image.open(COFFEE) as cup:
        turned = Image.Exif()
        turned[0x0112] = 6
        cup.resize((3000, 2000)).save(tmp_path / "large.jpg", quality=90, exif=turned)
        cup.rotate(-90, expand=True).save(tmp_path / "upright.png")
    assert displayed_size(tmp_path / "large.jpg") == (2000, 3000)
    assert load_rgb(tmp_path / "large.jpg", 448).shape == (750, 500, 3)
    assert load_rgb(tmp_path / "large.jpg").shape == (3000, 2000, 3)
    assert look_at(tmp_path / "large.jpg").vector @ look_at(tmp_path / "upright.png").vector > 0.9
