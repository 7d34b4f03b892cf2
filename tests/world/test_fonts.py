import pytest
from PIL import ImageFont

from yardkit.world import Problem
from yardkit.world.fonts import CJK_FAMILY, FAMILIES, FONT_DIR, font_file, font_files


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("italic", [False, True])
def test_every_face_of_every_family_loads_as_that_family(family: str, bold: bool, italic: bool) -> None:
    assert ImageFont.truetype(font_file(family, bold, italic), 20).getname()[0] == family


def test_a_bold_face_is_bold_and_an_italic_face_is_italic() -> None:
    assert ImageFont.truetype(font_file("Liberation Serif", bold=True), 20).getname()[1] == "Bold"
    assert ImageFont.truetype(font_file("Liberation Serif", italic=True), 20).getname()[1] == "Italic"


def test_the_cjk_font_draws_chinese_japanese_and_korean_with_different_glyphs() -> None:
    font = ImageFont.truetype(font_file(CJK_FAMILY), 40)
    shapes = {bytes(font.getmask(sign)) for sign in "中文日本語한국あア"}
    assert len(shapes) == 9


def test_an_unknown_family_names_the_bundled_ones() -> None:
    with pytest.raises(Problem, match=r"no bundled font 'Comic Sans'.*DejaVu Sans"):
        font_file("Comic Sans")


def test_the_bundle_is_small_and_has_no_file_without_a_name() -> None:
    assert sum(path.stat().st_size for path in FONT_DIR.iterdir()) <= 12_000_000
    assert set(font_files()) == {path for path in FONT_DIR.iterdir() if path.suffix in (".ttf", ".otf")}


def test_a_licence_lies_beside_every_font() -> None:
    readme = (FONT_DIR / "README.md").read_text("utf-8")
    licences = [path.name for path in FONT_DIR.glob("LICENSE-*.txt")]
    assert len(licences) == 8
    assert all(name in readme for name in licences)
