"""Ready leaves about pictures: on slides, on web pages, and frames around their texts."""

import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy
import PIL.Image
import PIL.ImageDraw
import pptx
import pytest
from pptx.util import Mm

from yardkit.evaluators.checkpoints import Checkpoint
from yardkit.evaluators.leaves import ColumnChart, check_alternative_text, links_to, slide_photograph
from yardkit.evaluators.readers.media.tints import find_frame
from yardkit.evaluators.submission import Submission
from yardkit.state_init.photographs import load_photograph, take_shot

PAGE = '<h1>Cat</h1><img src="./cat.png?1" alt="{alt}"><a href="mailto:{mail}?subject=Yes">Write</a>'


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    """A workspace with a photograph, as the agent found it and as it is now."""
    for name in ("before", "now"):
        (tmp_path / name / "files").mkdir(parents=True)
        load_photograph("cat").save(tmp_path / name / "files" / "cat.png")
    return Submission(tmp_path / "now", before=lambda: tmp_path / "before")


def _check_outcome(checkpoint: Checkpoint, submission: Submission) -> str:
    assert checkpoint.check
    return checkpoint.check(submission, {}).outcome


def _add_deck(submission: Submission, picture: Any, change: Callable[[Any], Any] = lambda image: image) -> None:
    deck, data = pptx.Presentation(), io.BytesIO()
    change(picture).save(data, "PNG")
    deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_picture(data, Mm(10), Mm(10))
    deck.save(str(submission.files / "deck.pptx"))


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        (lambda image: image.resize((300, 200)), "pass"),
        (lambda image: image.crop((0, 0, 330, 300)), "fail"),
        (lambda image: image.resize((450, 200)), "fail"),
        (lambda image: image.transpose(0), "fail"),
    ],
)
def test_a_photograph_on_a_slide_is_whole_and_not_squeezed(
    submission: Submission, change: Callable[[Any], Any], outcome: str
) -> None:
    _add_deck(submission, load_photograph("cat"), change)
    assert _check_outcome(slide_photograph("a", "b", "deck.pptx", 1, "cat.png"), submission) == outcome


@pytest.mark.parametrize(("foot", "outcome"), [(300, "pass"), (240, "fail")])
def test_columns_on_a_slide_stand_for_their_values_from_zero_on(
    submission: Submission, foot: int, outcome: str
) -> None:
    chart = PIL.Image.new("RGB", (400, 340), "white")
    for place, height in enumerate((100, 150, 200)):
        PIL.ImageDraw.Draw(chart).rectangle(
            (40 + 110 * place, 300 - height, 100 + 110 * place, foot - 1), fill="#1F5FA8"
        )
    _add_deck(submission, chart)
    leaf = ColumnChart("deck.pptx", 1, lambda _: "#1F5FA8", lambda _: [("A", 10), ("B", 15), ("C", 20)])
    assert _check_outcome(leaf.check_proportions("a", "b"), submission) == outcome


@pytest.mark.parametrize(
    ("alt", "mail", "outcomes"),
    [("A cat", "ada@example.com", ["pass", "pass"]), ("", "ada@example.org", ["fail", "fail"])],
)
def test_a_page_names_its_picture_and_links_to_an_address(
    submission: Submission, alt: str, mail: str, outcomes: list[str]
) -> None:
    (submission.files / "page.html").write_text(PAGE.format(alt=alt, mail=mail), "utf-8")
    leaves = (
        check_alternative_text("a", "b", "page.html", "cat.png", lambda _: "a cat"),
        links_to("c", "d", "page.html", lambda _: "mailto:ada@example.com"),
    )
    assert [_check_outcome(leaf, submission) for leaf in leaves] == outcomes


def test_a_frame_is_found_with_its_box_and_how_far_it_is_closed() -> None:
    image = PIL.Image.new("RGB", (200, 120), (250, 250, 240))
    PIL.ImageDraw.Draw(image).rectangle((40, 30, 159, 89), outline="#E01010", width=3)
    assert find_frame(numpy.asarray(image), (0, 0, 200, 120), 80) == ((40, 30, 160, 90), 1.0)
    PIL.ImageDraw.Draw(image).rectangle((80, 20, 170, 100), fill=(250, 250, 240))
    box, closed = find_frame(numpy.asarray(image), (0, 0, 200, 120), 80)
    assert box == (40, 30, 80, 90)
    assert closed < 0.2
    assert find_frame(numpy.asarray(image), (100, 0, 200, 120), 80)[1] == 0


def test_shots_of_a_thing_differ_in_sharpness() -> None:
    def detail(fault: Any) -> float:
        shot = take_shot(load_photograph("cat"), (400, 270), fault, random.Random(1))
        return float(cv2.Laplacian(cv2.cvtColor(numpy.asarray(shot), cv2.COLOR_RGB2GRAY), cv2.CV_64F).var())

    assert detail("") > 3 * max(detail("soft"), detail("moved"))
