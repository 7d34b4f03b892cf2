"""What graders look at reaches no network and no file outside of the world; without walls they look at nothing."""

from pathlib import Path

import PIL.Image
import pytest
from support.lures import linked_picture, listen_for_requests

from yardkit.evaluators.checkpoints import EnvironmentInvalid
from yardkit.evaluators.readers.engines.libreoffice import convert_files_alone
from yardkit.evaluators.readers.pages.pdf import draw_page
from yardkit.evaluators.readers.web.browser import browse_page
from yardkit.evaluators.submission import Submission
from yardkit.programs import jail
from yardkit.world import World


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    return Submission(World.create(tmp_path / "world", task="test", seed=1).root, "", {})


@pytest.fixture
def outside(tmp_path: Path) -> str:
    """The address of a red picture beside the world."""
    PIL.Image.new("RGB", (200, 200), "red").save(tmp_path / "outside.png")
    return (tmp_path / "outside.png").as_uri()


def count_red_pixels(pdf: Path) -> int:
    return int((draw_page(pdf.read_bytes(), 1, 1.0) == (255, 0, 0)).all(axis=2).sum())


def test_a_delivered_document_asks_nobody_and_shows_nothing_from_outside(submission: Submission, outside: str) -> None:
    files = submission.files
    with listen_for_requests() as (url, asked):
        linked_picture(files / "web.docx", f"{url}/picture")
        linked_picture(files / "file.docx", outside)
        (files / "page.html").write_text(f'<img src="{url}/img"><img src="{outside}">')
        rendered_pdfs = {files / name: files / f"{name}.pdf" for name in ("web.docx", "file.docx", "page.html")}
        assert convert_files_alone(rendered_pdfs) == ""
        assert asked == []
    assert [count_red_pixels(path) for path in rendered_pdfs.values()] == [0, 0, 0]


def test_a_delivered_page_asks_nobody_and_shows_nothing_from_outside(submission: Submission, outside: str) -> None:
    (submission.files / "link.png").symlink_to(outside.removeprefix("file://"))
    with listen_for_requests() as (url, asked):
        lures = f'<p>Text</p><img src="{url}/img"><img src="{outside}"><img src="link.png">'
        (submission.files / "page.html").write_text(lures)
        (view,) = browse_page(submission, "page.html", (400,))
        assert asked == []
    assert view.text == "Text"
    assert not any(picture.loaded for picture in view.pictures)
    assert view.missing == ("link.png",)


def test_without_bubblewrap_it_is_the_fault_of_the_machine(
    submission: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jail, "is_usable", lambda: False)
    (submission.files / "a.txt").write_text("text")
    (submission.files / "a.html").write_text("<p>text</p>")
    with pytest.raises(EnvironmentInvalid, match="inside bubblewrap"):
        convert_files_alone({submission.files / "a.txt": submission.files / "a.pdf"})
    with pytest.raises(EnvironmentInvalid, match="inside bubblewrap"):
        browse_page(submission, "a.html", (400,))
    monkeypatch.setenv(jail.SETTING, "1")
    assert convert_files_alone({submission.files / "a.txt": submission.files / "a.pdf"}) == ""
