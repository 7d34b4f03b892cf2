"""Pages are created, read, checked, compared, and seen in the browser."""

from pathlib import Path

import pypdfium2
import pytest
from support.answers import Call, list_pictures, read_facts, read_text

GOOD = (
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width">\n<title>Good</title>\n</head>\n<body>\n'
    '<h1>Good</h1>\n<p id="there">Text <a href="#there">here</a> and <a href="other.html#b">there</a>.</p>\n'
    '<img src="red.png" alt="A red square">\n<form><label for="q">Name</label><input id="q"></form>\n'
    "<table><tr><th>a</th></tr><tr><td>1</td></tr></table>\n</body>\n</html>\n"
)


@pytest.fixture
def good(files: Path) -> Path:
    import PIL.Image

    PIL.Image.new("RGB", (30, 30), "red").save(files / "red.png")
    (files / "other.html").write_text('<p id="b">x')
    (files / "good.html").write_text(GOOD)
    return files / "good.html"


def test_a_page_from_markdown_reads_back_as_the_same_markdown(files: Path, call: Call) -> None:
    text = (
        "# Report 报告\n\nSome **bold** and *soft* [link](a.html).\n\n- one\n- two\n  - three\n\n"
        "1. first\n2. second\n\n"
        "> said\n\n```\ncode <b>\n```\n\n| a | b |\n| --- | --- |\n| 1 | x &#124; y |\n"
    )
    answer = call("create_page", path="r.html", markdown=text, language="de")
    assert read_facts(answer)["file"]["path"] == "r.html"
    assert read_facts(call("read_page_text", path="r.html"))["text"] == text.replace("x &#124; y", "x \\| y")
    assert read_facts(call("read_page_text", path="r.html", format="text"))["text"].splitlines()[-2:] == [
        "a b",
        "1 x | y",
    ]
    summary = read_facts(call("inspect_page", path="r.html"))
    assert (summary["title"], summary["language"], summary["parse_errors"]) == ("Report 报告", "de", 0)
    checked = read_facts(call("check_page", path="r.html", in_browser=False))
    assert checked["errors"] == 1  # the link to a.html
    (files / "a.html").write_text("x")
    assert read_facts(call("check_page", path="r.html")) == {"errors": 0, "warnings": 0}


def test_a_template_is_filled_with_values_as_text(files: Path, call: Call) -> None:
    (files / "t.html").write_text(
        "<title>{{title}}</title><ul>{{#rows}}<li>{{name}}: {{n}} {{^paid}}open{{/paid}}"
        "{{#paid}}paid{{/paid}}</li>{{/rows}}"
        "</ul>{{&html}}{{^none}}nothing{{/none}}{{address.city}}"
    )
    values = {
        "title": "A & <b>",
        "rows": [{"name": "Ada", "n": 1, "paid": True}, {"name": "Bo", "n": 2.5, "paid": False}],
        "html": "<hr>",
        "address": {"city": "Graz"},
        "unused": 1,
    }
    answer = call("create_page", path="o.html", template="t.html", values=values)
    assert (files / "o.html").read_text() == (
        "<title>A &amp; &lt;b&gt;</title><ul><li>Ada: 1 paid</li><li>Bo: 2.5 open</li></ul><hr>nothingGraz"
    )
    assert "the template does not use 'unused'" in read_text(answer)
    missing = call("create_page", path="o2.html", template="t.html", values={"title": "x"})
    assert "asks for 'address.city', which has no value; given: title" in read_text(
        missing
    ) or "asks for 'html'" in read_text(missing)
    assert not (files / "o2.html").exists()
    (files / "t.html").write_text("{{#rows}}x")
    assert "section 'rows' of the template is not closed" in read_text(
        call("create_page", path="o2.html", template="t.html", values={"rows": [1]})
    )


def test_tables_spread_their_spanning_cells(files: Path, call: Call) -> None:
    (files / "a.html").write_text(
        "<table><caption>C</caption><tr><th colspan=2>H<th rowspan=2>R<tr><th>a<th>b<tr><td>1<td>2<td>3</table>"
    )
    (table,) = read_facts(call("read_page_tables", path="a.html"))["tables"]
    assert table["rows"] == [["H", "H", "R"], ["a", "b", "R"], ["1", "2", "3"]]
    assert (table["caption"], table["header_rows"]) == ("C", 2)


def test_links_are_checked_without_network(good: Path, call: Call) -> None:
    good.write_text(
        '<a href="other.html#b">1</a><a href="other.html#no">2</a><a href="none.html">3</a>'
        '<a href="../../etc/passwd">4</a><a href="https://example.com/">5</a><a href="#top">6</a>'
        '<a href="mailto:a@b.c">7</a><img src="red.png"><a href="/">8</a>'
    )
    links = read_facts(call("list_page_links", path="good.html"))
    assert [link["status"] for link in links["links"]] == [
        *("ok", "missing anchor", "missing file", "outside workspace", "external", "ok", "ok", "ok", "missing file"),
    ]
    assert links["broken"] == 4
    assert len(read_facts(call("list_page_links", path="good.html", only_broken=True))["links"]) == 4


def test_a_good_page_has_no_findings(good: Path, call: Call) -> None:
    assert read_facts(call("check_page", path="good.html")) == {"errors": 0, "warnings": 0}


@pytest.mark.parametrize(
    ("old", "new", "kind", "line"),
    [
        ("<!DOCTYPE html>\n", "", "parse error", 1),
        ("</p>", "</b></p>", "parse error", 10),
        (' lang="en"', "", "language", 1),
        ("<title>Good</title>", "", "title", None),
        ('<meta charset="utf-8">', "", "charset", None),
        (' alt="A red square"', "", "alt text", 11),
        ("red.png", "none.png", "missing asset", 11),
        ('"#there"', '"#nowhere"', "broken link", 10),
        ("<h1>Good</h1>", "<h1>Good</h1><h4>x</h4>", "headings", 9),
        ('<label for="q">Name</label>', "", "label", 12),
        ('<input id="q">', '<input id="q"><p id="q">', "duplicate id", 12),
        ("<th>a</th>", "<td>a</td>", "table", 13),
        (">here</a>", "></a>", "empty link", 10),
    ],
    ids=lambda value: str(value)[:14].replace("\n", " "),
)
def test_each_fault_of_the_source_is_found_at_its_line(
    good: Path, call: Call, old: str, new: str, kind: str, line: int | None
) -> None:
    assert old in GOOD
    good.write_text(GOOD.replace(old, new, 1))
    checked = read_facts(call("check_page", path="good.html", in_browser=False))
    findings = [finding for finding in checked["findings"] if finding["kind"] == kind]
    assert findings
    assert line is None or line in [finding.get("line") for finding in findings]


def test_each_fault_that_only_a_browser_sees_is_found_at_its_line(good: Path, call: Call) -> None:
    faults = (
        '<h1 style="color: #aaa">Good</h1>\n<h2 style="width: 1400px">Wide</h2>\n'
        '<h2 style="width:50px;overflow:hidden;white-space:nowrap">Good as gold</h2>\n'
        "<script>nothing.there()</script>"
    )
    good.write_text(GOOD.replace("<h1>Good</h1>", faults))
    findings = {
        finding["kind"]: finding.get("line")
        for finding in read_facts(call("check_page", path="good.html", widths=[1280]))["findings"]
    }
    assert findings == {"contrast": 9, "overflow": 10, "clipped text": 11, "script error": None}


def test_cells_of_one_faint_colour_are_one_finding(good: Path, call: Call) -> None:
    good.write_text(GOOD.replace("<table>", '<table style="color: #aaa">'))
    checked = read_facts(call("check_page", path="good.html", widths=[1280]))
    findings = [finding for finding in checked["findings"] if finding["kind"] == "contrast"]
    assert len(findings) == 1
    assert "others: contrast" in findings[0]["text"] or "other: contrast" in findings[0]["text"]


def test_the_browser_shows_what_does_not_fit_at_each_width(good: Path, call: Call) -> None:
    good.write_text(GOOD.replace("<table>", '<table style="width: 700px">'))
    answer = call("render_web_page", path="good.html", widths=[390, 1280])
    narrow, wide = list_pictures(answer)
    assert (narrow.width, wide.width) == (390, 1280)
    assert (255, 0, 0) in {colour for _, colour in wide.convert("RGB").getcolors(1 << 24)}
    seen = read_facts(answer)["widths"]
    assert seen[0]["content_width_px"] > 700
    assert "table" in seen[0]["misfits"][0]
    assert "misfits" not in seen[1]
    (part,) = list_pictures(call("render_web_page", path="good.html", selector="img"))
    assert part.convert("RGB").getcolors() == [(900, (255, 0, 0))]


def test_a_long_table_that_does_not_fit_is_named_once_and_hides_nothing_else(good: Path, call: Call) -> None:
    table = "<table>" + "<tr><td>left<td>a_word_that_does_not_break_" * 20 + "</table>"
    good.write_text(GOOD.replace("</body>", f'{table}<div style="width: 600px">wide</div></body>'))
    (seen,) = read_facts(call("render_web_page", path="good.html", widths=[200]))["widths"]
    table, div = seen["misfits"]
    assert "> table:nth-of-type(2) reaches" in table
    assert "> div reaches" in div


def test_elements_are_measured_and_found_again_by_their_path(good: Path, call: Call) -> None:
    measured = read_facts(call("measure_elements", path="good.html", selector="img, h1"))
    assert measured["total"] == 2
    box = measured["boxes"][1]
    assert (box["tag"], box["width"], box["height"]) == ("img", 30, 30)
    again = read_facts(call("query_elements", path="good.html", selector=box["path"], with_html=True))
    assert [element["html"] for element in again["elements"]] == ['<img src="red.png" alt="A red square">']
    assert "nothing on the page matches" in read_text(call("measure_elements", path="good.html", selector="video"))


def test_a_page_is_printed_as_the_browser_prints_it(good: Path, call: Call) -> None:
    answer = call("print_page_to_pdf", path="good.html", target="out/a.pdf", paper="A5")
    assert (read_facts(answer)["done"], read_facts(answer)["file"]["path"]) == ("Printed 1 page", "out/a.pdf")
    document = pypdfium2.PdfDocument(good.parent / "out" / "a.pdf")
    assert "Good" in document[0].get_textpage().get_text_range()
    assert round(document.get_page_size(0)[0]) == pytest.approx(420, abs=1)


def test_letters_that_no_font_has_are_told_when_a_page_is_printed(files: Path, call: Call) -> None:
    (files / "a.html").write_text(
        "<meta charset=utf-8><p>Caf\u00e9 \u4e2d \U0001f600 \u16a0\u16a2 \ufb01n</p>", "utf-8"
    )
    notes = read_facts(call("print_page_to_pdf", path="a.html", target="a.pdf"))["warnings"]
    assert len(notes) == 1
    assert "'\u16a0\u16a2'" in notes[0]


def test_two_pages_are_compared_by_what_they_say(good: Path, call: Call) -> None:
    other = good.with_name("other.html")
    other.write_text(GOOD.replace('<html lang="en">', "<html   lang=en >").replace("\n<img", "<img"))
    assert read_facts(call("compare_web_pages", path="good.html", other="other.html")) == {"differences": []}
    other.write_text(GOOD.replace("Text ", "Words ").replace('href="#there"', 'href="#b"').replace("<h1>", "<hr><h1>"))
    kinds = [
        difference["kind"]
        for difference in read_facts(call("compare_web_pages", path="good.html", other="other.html"))["differences"]
    ]
    assert kinds == ["text changed", "element added", "attribute href"]


def test_a_bundled_page_needs_no_other_file(good: Path, call: Call) -> None:
    (good.parent / "s.css").write_text("body { background: url(red.png); color: navy }")
    good.write_text(GOOD.replace("</head>", '<link rel="stylesheet" href="s.css">\n</head>'))
    answer = call("bundle_page", path="good.html", target="one.html")
    assert read_facts(answer)["done"] == "Took in 2 files"
    (good.parent / "s.css").unlink()
    (good.parent / "red.png").unlink()
    seen = read_facts(call("render_web_page", path="one.html"))
    assert "missing" not in seen
    assert "color: navy" in (good.parent / "one.html").read_text()


@pytest.mark.parametrize("data", [b"PK\x03\x04xx", b"\x89PNG\r\n", b"%PDF-1.7", b"abc\0def"])
def test_what_is_no_page_is_refused(files: Path, call: Call, data: bytes) -> None:
    (files / "a.html").write_bytes(data)
    for name in ("inspect_page", "check_page"):
        answer = call(name, path="a.html")
        assert answer.is_error
        assert "'a.html' is binary, not an HTML page" in read_text(answer)


def test_two_sources_of_a_new_page_are_one_too_many(files: Path, call: Call) -> None:
    assert "give exactly one of markdown, html and template" in read_text(
        call("create_page", path="a.html", markdown="x", html="y")
    )
    assert "is already a complete page" in read_text(call("create_page", path="a.html", html="<!doctype html><p>x"))
    assert not list(files.iterdir())


def test_a_wide_table_of_markdown_scrolls_within_a_phone(files: Path, call: Call) -> None:
    row = "|".join(f"Column{number}" for number in range(14))
    rule = "|".join("-" for _ in range(14))
    call("create_page", path="w.html", markdown=f"# Wide\n\n|{row}|\n|{rule}|\n|{row}|\n\n- [x] done\n- [ ] open\n")
    assert read_facts(call("check_page", path="w.html", in_browser=True, widths=[390])) == {"errors": 0, "warnings": 0}
    assert read_facts(call("read_page_text", path="w.html"))["text"].endswith("- \u2611 done\n- \u2610 open\n")


def test_a_page_of_markdown_has_footnotes_and_formulas_and_says_what_could_not_be_set(files: Path, call: Call) -> None:
    text = (
        "# Growth\n\nIt grows as $e^{kt}$ and costs $5.[^1]\n\n$$\\frac{a}{b}$$\n\nOdd: $\\left( x$\n\n[^1]: In 2026.\n"
    )
    reply = read_facts(call("create_page", path="g.html", markdown=text))
    page = (files / "g.html").read_text("utf-8")
    assert page.count('class="formula') == 2
    assert 'alt="e^{kt}"' in page
    assert "costs $5." in page
    assert "In 2026." in page
    assert [warning for warning in reply["warnings"] if "left(" in warning]
    findings = read_facts(call("check_page", path="g.html", widths=[390]))
    assert findings["errors"] == 0


def test_what_stands_before_markdown_is_no_text_but_gives_the_title(files: Path, call: Call) -> None:
    call(
        "create_page",
        path="f.html",
        markdown="---\ntitle: 'The menu'\nauthor: Me\n---\n\n# Bread\n\n---\n\nkey: word\n",
    )
    assert read_facts(call("read_page_text", path="f.html"))["text"] == "# Bread\n\n---\n\nkey: word\n"
    assert read_facts(call("inspect_page", path="f.html"))["title"] == "The menu"


def test_formulas_read_back_as_they_were_written_and_pictures_without_their_data(good: Path, call: Call) -> None:
    call("create_page", path="f.html", markdown="A circle has $\\pi r^2$:\n\n$$a=b$$\n")
    assert read_facts(call("read_page_text", path="f.html"))["text"] == "A circle has $\\pi r^2$:\n\n$$a=b$$\n"
    call("bundle_page", path="good.html", target="whole.html")
    text = read_facts(call("read_page_text", path="whole.html"))["text"]
    assert "![A red square](data:image/png,… " in text
    [link] = [
        candidate
        for candidate in read_facts(call("list_page_links", path="whole.html"))["links"]
        if candidate["kind"] == "img"
    ]
    [change] = read_facts(call("compare_web_pages", path="good.html", other="whole.html"))["differences"]
    assert link["address"] == change["after"]
    assert change["after"].endswith(" characters")
