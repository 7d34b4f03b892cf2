"""Whether a cover hides what is below it."""

from pathlib import Path

import numpy
import PIL.Image
import PIL.ImageFilter
import pytest

from yardkit.evaluators.readers.pages.covers import (
    cut_out,
    find_pictures_below,
    measure_detail_left,
    measure_difference,
)
from yardkit.state_init.booth_prints import Shot

FACES = {who: Shot(who, "", mirrored=False, light=1.0) for who in ("collins", "hopper", "douglass", "caller")}


def draw_face(who: str) -> PIL.Image.Image:
    return FACES[who].draw().crop(FACES[who].face)


@pytest.mark.parametrize("who", FACES)
def test_a_box_a_mosaic_and_a_strong_blur_leave_little_of_a_face(who: str) -> None:
    face_picture = draw_face(who)
    covers = {
        "box": PIL.Image.new("RGB", face_picture.size),
        "mosaic": face_picture.resize((8, 8), PIL.Image.Resampling.BOX).resize(
            face_picture.size, PIL.Image.Resampling.NEAREST
        ),
        "blur": face_picture.filter(PIL.ImageFilter.GaussianBlur(face_picture.width / 10)),
    }
    left = {
        name: measure_detail_left(numpy.asarray(face_picture), numpy.asarray(cover)) for name, cover in covers.items()
    }
    assert max(left.values()) < 0.45, left


@pytest.mark.parametrize("who", FACES)
def test_a_face_that_is_lighter_coarser_or_has_a_bar_over_the_eyes_is_still_seen(who: str) -> None:
    face_picture = draw_face(who)
    bar = face_picture.copy()
    bar.paste((0, 0, 0), (0, 0, face_picture.width, round(face_picture.height * 0.35)))
    seen = (face_picture.point(lambda value: min(255, value + 40)), face_picture.resize((40, 48)), bar)
    assert all(measure_detail_left(numpy.asarray(face_picture), numpy.asarray(picture)) > 0.5 for picture in seen)


def test_a_part_is_cut_out_of_a_picture_of_any_scale_and_compared_with_one_of_its_size() -> None:
    picture = numpy.zeros((40, 60, 3), numpy.uint8)
    picture[10:20, 30:45] = 200
    assert cut_out(picture, (130, 110, 145, 120), (100, 100, 160, 140)).min() == 200
    assert measure_difference(picture, picture).max() == 0
    assert measure_difference(picture, picture[:20]).max() == 255


def test_pictures_of_a_pdf_file_and_its_bare_pages_are_found(tmp_path: Path) -> None:
    import reportlab.pdfgen.canvas

    PIL.Image.new("RGB", (80, 40), "red").save(tmp_path / "red.png")
    canvas = reportlab.pdfgen.canvas.Canvas(str(tmp_path / "a.pdf"), pagesize=(200, 100))
    canvas.drawImage(str(tmp_path / "red.png"), 10, 10, 160, 80)
    canvas.rect(0, 0, 200, 100, fill=1)
    canvas.save()
    stored, page = find_pictures_below(tmp_path / "a.pdf")
    assert stored.shape == (40, 80, 3)
    assert stored[20, 40].tolist() == [255, 0, 0]
    assert page.shape == (200, 400, 3)
    assert page.max() == 0
