"""Web pages in the browser: what they see, what they cannot reach, pictures, PDF."""

import io
import os
import socket
import threading
from pathlib import Path

import PIL.Image
import pypdfium2
import pytest

from yardkit.kit.pages import browser
from yardkit.kit.pages.browser import Paper, Shot, View
from yardkit.world import Problem


def open_image(data: bytes) -> PIL.Image.Image:
    return PIL.Image.open(io.BytesIO(data)).convert("RGB")


def test_a_page_loads_its_files_and_lists_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.html").write_text(
        '<link rel=stylesheet href="/style.css"><img src="../no such.png"><h1>Hi</h1><script src="x.js"></script>'
    )
    (tmp_path / "style.css").write_text("h1 { color: rgb(1, 2, 3) }")
    (tmp_path / "sub" / "x.js").write_text("document.title = 'from script'")
    script = "() => getComputedStyle(document.querySelector('h1')).color"
    seen = browser.visit_page(tmp_path / "sub" / "a.html", tmp_path, scripts=[(script, None)])
    assert seen.title == "from script"
    assert seen.values == ["rgb(1, 2, 3)"]
    assert seen.missing == ["no such.png"]
    assert seen.blocked == []


def test_a_page_cannot_leave_the_workspace(tmp_path: Path) -> None:
    files, outside = tmp_path / "files", tmp_path / "outside"
    files.mkdir()
    outside.mkdir()
    (outside / "secret.js").write_text("document.title = 'secret'")
    (files / "link.js").symlink_to(outside / "secret.js")
    (files / "up").symlink_to(outside)
    os.mkfifo(files / "pipe.js")
    sources = ["../outside/secret.js", "%2e%2e/outside/secret.js", "link.js", "up/secret.js", "pipe.js"]
    sources.append((outside / "secret.js").as_uri())
    tags = "".join(f'<script src="{source}"></script>' for source in sources)
    (files / "a.html").write_text(f"<title>mine</title>{tags}")
    seen = browser.visit_page(files / "a.html", files)
    assert seen.title == "mine"
    assert {"link.js", "up/secret.js", "pipe.js"} <= set(seen.missing)


def test_a_page_has_no_network_not_even_this_machine(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        asked: list[object] = []

        def accept() -> None:
            try:
                asked.append(server.accept())
            except OSError:
                return

        threading.Thread(target=accept, daemon=True).start()
        (tmp_path / "a.html").write_text(
            f'<img src="http://127.0.0.1:{port}/x.png"><script>new WebSocket("ws://127.0.0.1:{port}/");'
            f'fetch("http://localhost:{port}/y").catch(() => 0); '
            f'navigator.sendBeacon("http://127.0.0.1:{port}/z", "q");'
            f"document.write('<link rel=preconnect href=\"http://127.0.0.1:{port}\">');"
            'fetch("https://example.com/").catch(() => document.title = "refused")</script>'
        )
        seen = browser.visit_page(tmp_path / "a.html", tmp_path, scripts=[("() => document.title", None)])
        assert seen.values == ["refused"]
        assert asked == []
    assert f"http://127.0.0.1:{port}/x.png" in seen.blocked
    assert f"ws://127.0.0.1:{port}/" in seen.blocked
    assert "https://example.com/" in seen.blocked


def test_a_picture_shows_the_page_at_its_width(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<!DOCTYPE html><body style="margin:0"><div style="background:rgb(200,0,0);height:1500px"></div>'
        '<div id=b style="background:rgb(0,0,200);height:40px;width:60px"></div>'
    )
    seen = browser.visit_page(tmp_path / "a.html", tmp_path, view=View(400), shot=Shot())
    assert seen.picture
    screenshot = open_image(seen.picture.data)
    assert screenshot.size == (seen.picture.width_px, seen.picture.height_px) == (400, 1540)
    assert screenshot.getpixel((200, 1400)) == (200, 0, 0)
    part = browser.visit_page(tmp_path / "a.html", tmp_path, shot=Shot(selector="#b")).picture
    assert part
    assert open_image(part.data).getcolors() == [(60 * 40, (0, 0, 200))]


def test_the_picture_of_an_endless_page_is_cut_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<div style="height:90000px">x</div>')
    seen = browser.visit_page(tmp_path / "a.html", tmp_path, view=View(300), shot=Shot())
    assert seen.picture
    assert seen.cut
    assert seen.picture.height_px == browser.MAX_SHOT_HEIGHT
    assert seen.height_px > 90000


def test_text_in_any_script_has_its_letters(tmp_path: Path) -> None:
    """A box for a missing letter would look the same for each letter."""
    pictures = set()
    for letter in "中国日本あア한국€":
        page = f'<meta charset=utf-8><span id=x style="font: 40px Arial">{letter}</span>'
        seen = browser.visit_page(tmp_path / "a.html", tmp_path, content=page, shot=Shot(selector="#x"))
        assert seen.picture
        pictures.add(open_image(seen.picture.data).tobytes())
    assert len(pictures) == 9


def test_a_page_is_printed_on_its_paper(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>One</p><p style='break-before: page'>Two</p>")
    pdf = pypdfium2.PdfDocument(
        browser.visit_page(tmp_path / "a.html", tmp_path, paper=Paper("A5", landscape=True)).pdf
    )
    assert len(pdf) == 2
    width, height = pdf.get_page_size(0)
    assert (width, height) == pytest.approx((595, 420), abs=1.5)
    assert "Two" in pdf[1].get_textpage().get_text_range()


def test_dialogs_and_downloads_do_not_hold_a_page(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        "<script>alert(1); confirm(2); const a = document.createElement('a'); a.href = 'data:text/plain,x';"
        "a.download = 'x.txt'; a.click(); window.open('b.html'); document.title = 'done'</script>"
    )
    assert browser.visit_page(tmp_path / "a.html", tmp_path).title == "done"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html"]


def test_an_element_that_is_not_there_cannot_be_shown(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>x")
    with pytest.raises(Problem, match=r"no visible element of 'a.html' matches '#none'"):
        browser.visit_page(tmp_path / "a.html", tmp_path, shot=Shot(selector="#none"))


def test_one_visit_leaves_nothing_for_the_next(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        "<script>document.title = localStorage.getItem('x') || document.cookie || 'clean';"
        "localStorage.setItem('x', 'kept'); document.cookie = 'x=kept'</script>"
    )
    assert [browser.visit_page(tmp_path / "a.html", tmp_path).title for _ in range(2)] == ["clean", "clean"]
