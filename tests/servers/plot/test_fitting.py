"""Charts are measured after they are laid out: nothing is cut off or lies over its neighbour without a word."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from support.scale import select_drills

from yardkit.servers.plot.engine import canvas, fitting
from yardkit.servers.plot.engine.series import draw_chart
from yardkit.servers.plot.engine.spec import Look, Series, SeriesChart


def test_a_title_beside_a_wide_legend_stays_within_the_picture(tmp_path: Path) -> None:
    from PIL import Image

    names = ["A series with a long name", "Another series with a long name", *"cdefg"]
    title = "Monthly costs of all departments in the northern region, 2024 to 2026"
    chart = SeriesChart("line", [Series([number, 3.0], name) for number, name in enumerate(names)], look=Look(title))
    assert draw_chart(chart, tmp_path / "t.png").remarks == []
    picture = Image.open(tmp_path / "t.png").convert("L")
    assert picture.crop((0, 0, 4, picture.height // 8)).getextrema()[0] > 200


@pytest.mark.parametrize(("count", "expected_remark"), [(20, ""), (40, ""), *select_drills((200, "only every"))])
def test_labels_of_many_categories_do_not_overlap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, expected_remark: str
) -> None:
    names: list[float | str] = [f"Abteilung {number} für Angelegenheiten" for number in range(count)]
    measured: list[Any] = []
    fit = fitting.fit_figure

    def keep(figure: Any) -> Any:
        remarks = fit(figure)
        labels = [label for label in figure.axes[0].get_xticklabels() if label.get_text()]
        measured.extend(label.get_window_extent() for label in labels)
        return remarks

    monkeypatch.setattr(fitting, "fit_figure", keep)
    drawn = draw_chart(SeriesChart("bar", [Series([1.0] * count)], names), tmp_path / "c.svg")
    assert any(expected_remark in remark for remark in drawn.remarks) == bool(expected_remark)
    assert not any(a.overlaps(b) for a, b in itertools.pairwise(measured))


def test_a_sign_that_no_font_has_is_said(tmp_path: Path) -> None:
    chart = SeriesChart("line", [Series([1.0, 2.0])], look=Look("Fest \U0001f389 東京 مرحبا"))
    assert draw_chart(chart, tmp_path / "g.png").remarks[0].startswith("no installed font has '\U0001f389' (U+1F389)")


def test_a_text_that_cannot_be_made_to_fit_is_said() -> None:
    with canvas.open_canvas(Look()) as (figure, axes):
        axes.text(0.9, 0.5, "a word that runs off " * 4).set_in_layout(False)
        assert "cut off at the edge" in fitting.fit_figure(figure)[0]
