"""Formulas: LaTeX that is checked and drawn, and pictures that a model reads."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageChops
from support.answers import Call, list_pictures
from support.model_services import answer_with_words, model_service

QUADRATIC = r"\frac{-b \pm \sqrt{b^2-4ac}}{2a}"


@pytest.fixture(autouse=True)
def no_services(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("YARDKIT_FORMULAS_URL", "YARDKIT_VISION_URL", "YARDKIT_WORKER_URL"):
        monkeypatch.delenv(name, raising=False)


def count_ink(picture: Image.Image) -> list[int]:
    """Dark pixels in each row."""
    rows: list[int] = (np.asarray(picture.convert("L")) < 100).sum(1).tolist()
    return rows


def draw_formula(call: Call, latex: str) -> Image.Image:
    [picture] = list_pictures(call("check_formula", latex=latex))
    return picture


def test_a_fraction_is_drawn_with_its_bar_between_its_parts(call: Call, done: Call, files: Path) -> None:
    reply = done("draw_formula", latex=f"$${QUADRATIC}$$", target="formula.png")
    assert (reply["latex"], reply["parses"], reply["notes"]) == (QUADRATIC, True, [])
    with Image.open(files / "formula.png") as saved:
        assert ImageChops.difference(saved, draw_formula(call, QUADRATIC)).getbbox() is None
        rows = count_ink(saved)
        bar = rows.index(max(rows))
        assert max(rows) > 0.8 * saved.width
        assert sum(rows[: bar - 3]) > sum(rows[bar + 5 :]) > 100


def test_holes_of_letters_stay_white_and_shapes_that_are_not_letters_are_drawn(call: Call) -> None:
    zero = draw_formula(call, "0")
    middle = zero.getpixel((zero.width // 2, zero.height // 2))
    assert middle == 255
    assert sum(count_ink(zero)) > 100
    bare_ink, boxed, struck = (
        sum(count_ink(draw_formula(call, latex))) for latex in ("x", r"\boxed{x}", r"\cancel{x}")
    )
    assert bare_ink < struck < boxed


@pytest.mark.parametrize(
    ("latex", "problem"),
    [
        (r"\frac{a}{b", "1 { never closed"),
        (r"a}", "a } closes nothing"),
        (r"\frac{a}", "a command lacks what belongs to it"),
        (r"a_b_c", "double subscripts"),
        (r"\left( x", "extra left or missing right"),
        (r"\begin{matrix} a & b", "missing end"),
        ("{" * 40 + "x" + "}" * 40, "nested too deep"),
        ("$$ $$", "it is empty"),
    ],
)
def test_latex_that_does_not_parse_is_told_with_the_reason(done: Call, refused: Call, latex: str, problem: str) -> None:
    reply = done("check_formula", latex=latex)
    assert (reply["parses"], reply["problem"]) == (False, problem)
    assert problem in refused("draw_formula", latex=latex, target="formula.png")


def test_a_command_that_is_not_known_here_is_told_and_not_called_wrong(done: Call) -> None:
    reply = done("check_formula", latex=r"\foo{x}")
    assert reply["parses"]
    assert reply["notes"] == [r"\foo is not a LaTeX command known here and is drawn as text"]


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, files: Path) -> Iterator[None]:
    """Reads the fraction if the picture is dark on white, with its prompt in the answer if it is not."""

    def read(prompt: str, images: list[Image.Image]) -> str:
        [picture] = images
        share = sum(count_ink(picture)) / (picture.width * picture.height)
        return f"```latex\n\\[{QUADRATIC}\\]\n```" if 0.01 < share < 0.3 else "[no formula]"

    Image.new("RGB", (200, 80), "white").save(files / "blank.png")
    with model_service({"POST /chat/completions": answer_with_words(read)}, "PP-FormulaNet", "formulas") as url:
        monkeypatch.setenv("YARDKIT_WORKER_URL", url)
        yield


@pytest.mark.usefixtures("reader")
def test_what_was_read_is_drawn_under_the_picture(call: Call, done: Call, refused: Call, files: Path) -> None:
    page = Image.new("RGB", (900, 400), "black")
    formula = draw_formula(call, QUADRATIC)
    page.paste(formula, (100, 100))
    page.save(files / "page.png")
    corners = [100, 100, 100 + formula.width, 100 + formula.height]
    reply = done("read_formula", path="page.png", bbox_px=corners)
    assert (reply["latex"], reply["parses"]) == (QUADRATIC, True)
    assert reply["origin"] == {"backend": "local", "model": "PP-FormulaNet", "quality": "full"}
    [comparison] = list_pictures(call("read_formula", path="page.png", bbox_px=corners))
    below = comparison.crop((0, comparison.height - formula.height, formula.width, comparison.height)).convert("L")
    assert ImageChops.difference(below, formula).getbbox() is None
    assert "found no formula in 'blank.png'" in refused("read_formula", path="blank.png")


def test_small_reading_models_are_asked_in_their_words_and_vision_stands_in(
    done: Call, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Image.new("RGB", (200, 80), "white").save(files / "f.png")
    route = {"POST /chat/completions": answer_with_words(lambda prompt, _: f"\\text{{{prompt[:12]}}}")}
    with model_service(route, "looker") as vision, model_service(route, "PaddleOCR-VL-1.6") as formulas:
        monkeypatch.setenv("YARDKIT_VISION_URL", vision)
        assert done("read_formula", path="f.png")["latex"] == r"\text{Write the fo}"
        monkeypatch.setenv("YARDKIT_FORMULAS_URL", formulas)
        assert done("read_formula", path="f.png")["latex"] == r"\text{Formula Reco}"


def test_latex_of_a_model_that_does_not_parse_is_given_with_the_reason(
    done: Call, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Image.new("RGB", (200, 80), "white").save(files / "f.png")
    with model_service({"POST /chat/completions": answer_with_words(lambda *_: r"\frac{1}{")}) as url:
        monkeypatch.setenv("YARDKIT_FORMULAS_URL", url)
        reply = done("read_formula", path="f.png")
    assert (reply["latex"], reply["parses"], reply["problem"]) == (r"\frac{1}{", False, "1 { never closed")


def test_without_a_model_both_ways_to_get_one_are_told(refused: Call, files: Path) -> None:
    Image.new("RGB", (200, 80), "white").save(files / "f.png")
    message = refused("read_formula", path="f.png")
    assert "YARDKIT_FORMULAS_URL=" in message
    assert "`yardkit models add formulas --from DIR`" in message
