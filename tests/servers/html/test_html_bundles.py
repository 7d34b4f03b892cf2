"""A page is written with all that it needs in one file."""

from pathlib import Path

import PIL.Image
import pytest
from support.answers import Call, read_facts

HEAD = '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>B</title>\n'


@pytest.fixture
def pictures(files: Path) -> Path:
    for folder in ("css", "img", "js"):
        (files / folder).mkdir()
    PIL.Image.new("RGB", (60, 40), "red").save(files / "img" / "r.png")
    PIL.Image.new("RGB", (60, 40), "blue").save(files / "img" / "b.png")
    return files


def test_a_bundled_page_keeps_when_its_styles_and_scripts_count(pictures: Path, call: Call) -> None:
    (pictures / "css" / "print.css").write_text("body { display: none }")
    (pictures / "js" / "a.js").write_text('document.getElementById("a").textContent = "ran </script>";')
    (pictures / "js" / "m.js").write_text('const x = 5; document.getElementById("m").textContent = `is ${x}`;')
    (pictures / "p.html").write_text(
        HEAD + '<link rel="stylesheet" href="css/print.css" media="print"><script src="js/a.js" defer></script>'
        '<script type="module" src="js/m.js"></script></head><body><p id="a">not</p><p id="m">not</p></body></html>'
    )
    call("bundle_page", path="p.html", target="out/one.html")
    seen = read_facts(call("render_web_page", path="out/one.html", selector="#a"))
    assert "script_errors" not in seen
    assert "missing" not in seen
    boxes = read_facts(call("measure_elements", path="out/one.html", selector="p"))["boxes"]
    assert [box["text"] for box in boxes] == ["ran </script>", "is 5"]


def test_every_picture_that_a_page_names_goes_into_its_bundle(pictures: Path, call: Call) -> None:
    (pictures / "css" / "base.css").write_text(".x { background: url(../img/r.png) }")
    (pictures / "css" / "m.css").write_text(
        "@import \"base.css\";\n/* url(no.png) */ .b { background: url('../img/b.png') }"
    )
    (pictures / "p.html").write_text(
        HEAD + "<link rel=stylesheet href=css/m.css><link rel=icon href=img/r.png>"
        "<style>.e { background: url(img/r.png) }</style></head><body><p class=x>a<p class=b>b<p class=e>c"
        "<p style=\"background: url('img/b.png')\">d<img src=img/r.png srcset='img/b.png 1x, img/r.png 2x' alt=''>"
        "<picture><source srcset=img/b.png><img src=img/r.png alt=''></picture><video poster=img/r.png></video>"
        "<svg><image xlink:href='img/r.png' width=9 height=9 /></svg></body></html>"
    )
    answer = read_facts(call("bundle_page", path="p.html", target="one.html"))
    assert answer["done"] == "Took in 4 files"
    assert "warnings" not in answer
    for folder in ("css", "img"):
        for file in (pictures / folder).iterdir():
            file.unlink()
    assert "missing" not in read_facts(call("render_web_page", path="one.html"))
    assert "no.png" in (pictures / "one.html").read_text()


def test_what_a_bundle_cannot_take_in_is_named_with_its_reason(pictures: Path, call: Call) -> None:
    (pictures / "js" / "m.js").write_text('import {x} from "./lib.js";')
    (pictures / "m.css").write_text(".b { background: url(none.png) }")
    (pictures / "p.html").write_text(
        HEAD + "<link rel=stylesheet href=m.css><script type=module src=js/m.js></script></head><body>"
        '<iframe src="other.html" title=o></iframe><video src="v.mp4"></video><a href="there.html">x</a></body></html>'
    )
    assert read_facts(call("bundle_page", path="p.html", target="one.html"))["warnings"] == [
        "'none.png' stays as it is: not a file of the workspace",
        "'./lib.js' stays as it is: imported by a script",
        "'other.html' stays as it is: a page within the page",
        "'v.mp4' stays as it is: not a file of the workspace",
    ]


def test_letters_that_the_encoding_of_a_page_lacks_stay_letters_in_its_bundled_styles(
    pictures: Path, call: Call
) -> None:
    (pictures / "s.css").write_text(".x { font-family: '楷体' }", "utf-8")
    (pictures / "a.js").write_text('document.getElementById("a").textContent = "Größe → 1";', "utf-8")
    page = (
        '<!DOCTYPE html><html lang=de><meta charset="iso-8859-1"><title>Größe</title><link rel=stylesheet href=s.css>'
    )
    (pictures / "p.html").write_bytes((page + "<p class=x id=a>x</p><script src=a.js></script>").encode("latin-1"))
    call("bundle_page", path="p.html", target="one.html")
    [box] = read_facts(call("measure_elements", path="one.html", selector="p"))["boxes"]
    assert box["text"] == "Größe → 1"
    assert "楷体" in box["font"]


def test_addresses_count_from_the_base_that_a_page_states(pictures: Path, call: Call) -> None:
    (pictures / "sub").mkdir()
    (pictures / "sub" / "p.html").write_text(
        HEAD + '<base href="/img/"></head><body><img src="r.png" alt=""></body></html>'
    )
    [link] = read_facts(call("list_page_links", path="sub/p.html"))["links"]
    assert link["status"] == "ok"
    assert read_facts(call("bundle_page", path="sub/p.html", target="one.html"))["done"] == "Took in 1 file"
