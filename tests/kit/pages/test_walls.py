"""What servers show reaches no network and no file outside of the workspace; without walls nothing is shown."""

import io
from pathlib import Path

import PIL.Image
import pytest
from support.lures import form_bomb, linked_picture, listen_for_requests

from yardkit.kit.pages import browser, libreoffice, raster
from yardkit.programs import jail
from yardkit.world import Problem, Unavailable


@pytest.fixture
def outside(tmp_path: Path) -> str:
    """The address of a red picture beside the workspace."""
    path = tmp_path / "outside.png"
    PIL.Image.new("RGB", (200, 200), "red").save(path)
    return path.as_uri()


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "files").mkdir()
    return tmp_path / "files"


def count_red_pixels(picture: bytes) -> int:
    with PIL.Image.open(io.BytesIO(picture)) as image:
        return sum(count for count, colour in image.convert("RGB").getcolors(1 << 24) or [] if colour == (255, 0, 0))


def test_a_document_and_a_page_ask_nobody_and_show_nothing_from_outside(files: Path, outside: str) -> None:
    with listen_for_requests() as (url, asked):
        for name, target in (("web.docx", f"{url}/picture"), ("file.docx", outside)):
            linked_picture(files / name, target)
            assert count_red_pixels(raster.render_page(libreoffice.pdf_pages(files / name, 1, 1), 1).data) == 0
        lures = f'<img src="{url}/img"><img src="{outside}"><iframe src="{outside}"></iframe>'
        (files / "page.html").write_text(f'{lures}<script>fetch("{url}/fetch"); location = "{outside}"</script>')
        libreoffice.convert_file(files / "page.html", files / "made.docx")
        seen = browser.visit_page(files / "page.html", files, shot=browser.Shot())
        assert seen.picture is not None
        assert count_red_pixels(seen.picture.data) == 0
        assert asked == []


def test_a_browser_sees_the_files_of_its_workspace_alone(files: Path) -> None:
    (files.parent / "beside.css").write_text("p { display: none }")
    (files / "own.css").write_text("body { color: red }")
    (files / "link.css").symlink_to(files.parent / "beside.css")
    sheets = "".join(f'<link rel="stylesheet" href="{name}">' for name in ("own.css", "link.css", "../beside.css"))
    (files / "page.html").write_text(f"{sheets}<p>text</p>")
    look = "() => [getComputedStyle(document.body).color, document.querySelector('p').offsetHeight > 0]"
    seen = browser.visit_page(files / "page.html", files, scripts=[(look, None)])
    assert seen.values == [["rgb(255, 0, 0)", True]]
    assert seen.missing == ["link.css", "beside.css"]


@pytest.mark.parametrize("module", [libreoffice, browser])
def test_without_bubblewrap_they_refuse_unless_the_operator_allows_it(
    module: object, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    libreoffice.stop_office()
    browser.stop_browser()
    (files / "a.txt").write_text("text")
    monkeypatch.setattr(jail, "is_usable", lambda: False)
    with pytest.raises(Unavailable, match=f"runs only inside bubblewrap.*{jail.SETTING}=1"):
        show_file(module, files / "a.txt")
    monkeypatch.setenv(jail.SETTING, "1")
    show_file(module, files / "a.txt")
    libreoffice.stop_office()
    browser.stop_browser()


def show_file(module: object, path: Path) -> None:
    if module is libreoffice:
        assert libreoffice.page_count(path) == 1
    else:
        browser.visit_page(path, path.parent, content="<p>text</p>")


def test_a_page_that_never_ends_is_given_up(files: Path) -> None:
    (files / "bomb.pdf").write_bytes(form_bomb())
    with pytest.raises(Problem, match=r"crashed|limit"):
        raster.run_picture_call(raster.render_page, files / "bomb.pdf", 1)
