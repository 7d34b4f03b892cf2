"""Places on turned and cropped pages are those of the page as shown."""

from pathlib import Path

import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas
from support.answers import Call, facts, pictures


@pytest.mark.parametrize("crop", [(0, 0, 600, 400), (50, -120, 350, 160)])
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_text_is_placed_on_the_page_as_shown_and_not_over_its_edge(
    files: Path, call: Call, turn: int, crop: tuple[int, int, int, int]
) -> None:
    canvas = Canvas(str(files / "plain.pdf"), pagesize=(600, 400))
    canvas.setFont("Helvetica", 20)
    canvas.drawString(crop[0] + 40, crop[1] + 60, "Marker")
    canvas.save()
    with pikepdf.open(files / "plain.pdf") as pdf:
        pdf.pages[0].mediabox = [-100, -200, 600, 400]
        pdf.pages[0].cropbox = list(crop)
        pdf.pages[0].Rotate = turn
        pdf.save(files / "turned.pdf")
    (place,) = facts(call("find_on_pages", path="turned.pdf", text="Marker"))["places"]
    (whole,) = pictures(call("render_pages", path="turned.pdf", dpi=72))
    left, top, right, bottom = whole.convert("L").point(lambda grey: 255 if grey < 128 else 0).getbbox() or (0,) * 4
    assert place["box_pt"] == pytest.approx([left, top, right, bottom], abs=2.5)
    assert "findings" not in facts(call("check_pages", path="turned.pdf"))


def test_a_text_beyond_the_crop_box_is_over_the_edge(files: Path, call: Call) -> None:
    canvas = Canvas(str(files / "plain.pdf"), pagesize=(600, 400))
    canvas.drawString(20, 200, "Cut off")
    canvas.drawString(300, 200, "Shown")
    canvas.save()
    with pikepdf.open(files / "plain.pdf", allow_overwriting_input=True) as pdf:
        pdf.pages[0].cropbox = [100, 100, 500, 300]
        pdf.save(files / "plain.pdf")
    (finding,) = facts(call("check_pages", path="plain.pdf"))["findings"]
    assert (finding["kind"], finding["text"]) == ("over the edge", "Cut off")
    assert finding["box_pt"][0] == pytest.approx(-80, abs=2)
