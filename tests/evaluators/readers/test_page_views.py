"""What of a page can be seen at a width, in a real browser."""

import shutil
from pathlib import Path

import PIL.Image
import pytest

from yardkit.evaluators.checkpoints import EnvironmentInvalid, InsufficientEvidence, InvalidArtifact
from yardkit.evaluators.readers.web.browser import View, browse_page
from yardkit.evaluators.submission import Submission
from yardkit.programs import chromium

PAGE = "site/a.html"


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    (tmp_path / "files" / "site").mkdir(parents=True)
    (tmp_path / "scratch").mkdir()
    PIL.Image.new("RGB", (400, 100), "red").save(tmp_path / "files" / "a.png")
    return Submission(tmp_path, scratch=tmp_path / "scratch")


def view_page(submission: Submission, body: str, *widths: int) -> list[View]:
    text = f"<!DOCTYPE html><style>body {{ margin: 8px; font: 16px Arial }}</style>{body}"
    (submission.files / PAGE).write_text(text, "utf-8")
    return browse_page(submission, PAGE, widths or (375,))


def test_a_page_that_fits_has_no_misfits_and_its_text_is_seen(submission: Submission) -> None:
    body = "<h1>Top of it</h1><p>Words enough for some lines on a phone, but for one on a desk.</p>"
    image = '<img src="../a.png" style="max-width: 100%" loading="lazy">'
    phone, desk = view_page(submission, body + image, 300, 1200)
    assert (phone.list_misfits(), desk.list_misfits(), phone.width, desk.width) == ([], [], 300, 1200)
    assert phone.text == "Top of it Words enough for some lines on a phone, but for one on a desk."
    assert [len(view.words[1].boxes) for view in (phone, desk)] == [2, 1]
    assert (phone.words[1].tag, phone.words[1].size_px, phone.words[1].state) == ("p", 16.0, "seen")
    picture = phone.pictures[0]
    assert (picture.size, picture.displayed_size, picture.loaded) == ((400, 100), (284, 71), True)


def test_each_thing_that_does_not_fit_is_told_and_nothing_else(submission: Submission) -> None:
    pushed = "position: absolute; left: 9px; top"
    body = f"""<p>fits</p><p style="width: 500px">wide</p><p style="white-space: nowrap">{"far too long " * 9}</p>
        <div style="height: 30px; overflow: hidden">{"many lines " * 30}</div>
        <div style="overflow-x: auto"><p style="width: 900px; text-align: right">far right</p></div>
        <p style="width: 60px; overflow: hidden; text-overflow: ellipsis">incomprehensibilities</p>
        <p style="{pushed}: 900px">under</p><p style="{pushed}: 900px">over</p>
        <p style="{pushed}: 1000px">below</p><div style="{pushed}: 1000px; background: #000; width: 99px; height: 40px">
        </div>
        <img src="../a.png" style="width: 200px; height: 200px">
        <img src="../a.png" style="width: 201px; height: 200px; object-fit: cover">
        <img src="../b.png"><img src="../a.png" style="width: 200px">"""
    (view,) = view_page(submission, body)
    assert view.list_misfits() == [
        "the page is 764 px wide",
        "over the edge: 'far too long far too long far too long f'",
        "cut: 'many lines many lines many lines many li'",
        "cut: 'far right'",
        "cut: 'incomprehensibilities'",
        "covered: 'below'",
        "'under' is drawn over 'over'",
        "picture '../a.png' is stretched or cropped",
        "picture '../a.png' is stretched or cropped",
        "picture '../b.png' does not load",
    ]


HIDING = (
    *("display: none", "visibility: hidden", "opacity: 0", "position: absolute; left: -9999px"),
    "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)",
    *("color: #fff", "color: transparent", "opacity: 0.1", "background: #222; color: #262626"),
    *("-webkit-text-fill-color: #fefefe", "color: rgba(0, 0, 0, 0.1)"),
)


def test_hidden_words_are_neither_seen_nor_a_misfit(submission: Submission) -> None:
    hidden = (f'<p style="{style}">Hidden by {style}</p>' for style in HIDING)
    (view,) = view_page(submission, "".join(["<p>Shown</p>", *hidden]))
    assert (view.text, view.list_misfits()) == ("Shown", [])


def test_letters_that_stand_out_from_their_ground_are_seen(submission: Submission) -> None:
    styles = ("background: #222; color: #fff", "color: #777", "background: linear-gradient(#000, #111)")
    body = (f'<div style="{style}"><p style="position: relative">Shown</p></div>' for style in styles)
    (view,) = view_page(submission, "".join(body))
    assert view.text == "Shown Shown Shown"


def test_a_picture_of_which_much_is_clipped_is_not_whole(submission: Submission) -> None:
    styles = ("border-radius: 8px", "border-radius: 50%", "clip-path: inset(0 0 40% 0)")
    images = (f'<img src="../a.png" style="width: 100%; {style}">' for style in styles)
    (view,) = view_page(submission, "".join(images))
    assert [picture.state for picture in view.pictures] == ["seen", "cut", "cut"]
    assert view.list_misfits() == ["picture '../a.png' is cut"] * 2


def test_scripts_do_not_run_and_what_is_asked_of_others_is_told(submission: Submission) -> None:
    (submission.files / "key.txt").write_text("x")
    body = """<p>Text</p><script>document.body.textContent = "scripted"</script><img src="https://a.example/a.png">
        <link rel="stylesheet" href="/gone.css"><iframe src="file:///etc/passwd"></iframe>"""
    (view,) = view_page(submission, body)
    assert view.text == "Text"
    assert "https://a.example/a.png" in view.outside
    assert view.missing == ("gone.css",)


def test_a_page_is_looked_at_again_when_a_file_beside_it_changes(submission: Submission) -> None:
    body = '<link rel="stylesheet" href="a.css"><p>Text</p>'
    (submission.files / "site/a.css").write_text("p { display: none }")
    assert view_page(submission, body)[0].text == ""
    (submission.files / "site/a.css").write_text("p { color: red }")
    assert view_page(submission, body)[0].text == "Text"


def test_no_page_is_the_agents_fault_and_no_browser_is_ours(
    submission: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InsufficientEvidence):
        browse_page(submission, PAGE, (375,))
    (submission.files / PAGE).write_bytes(b"\x7fELF\0\0\0")
    with pytest.raises(InvalidArtifact):
        browse_page(submission, PAGE, (375,))
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "/nowhere")
        with pytest.raises(EnvironmentInvalid, match="no Chromium"):
            view_page(submission, "<p>Text</p>")
    monkeypatch.setattr(chromium, "find_chromium", lambda: shutil.which("false"))
    with pytest.raises(EnvironmentInvalid, match="Chromium cannot render"):
        view_page(submission, "<p>Text</p>")
