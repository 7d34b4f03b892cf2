"""What a page says keeps its lines and leaves nothing out."""

from pathlib import Path

from support.answers import Call, facts


def test_the_lines_of_a_cell_stay_apart(files: Path, call: Call) -> None:
    (files / "a.html").write_text(
        "<table><tr><th>n</th><th>m</th></tr><tr><td>100<br>200</td><td>a<table><tr><td>inner<td>b<tr><td>c</table>"
        "</td></tr><tr><td><p>1</p><p>2</p></td><td>x\n y<ul><li>one<li>two</ul><b>th</b>ree</td></tr></table>"
    )
    outer = facts(call("read_page_tables", path="a.html"))["tables"][0]
    assert outer["rows"] == [["n", "m"], ["100\n200", "a\ninner b\nc"], ["1\n2", "x y\none\ntwo\nthree"]]
    text = facts(call("read_page_text", path="a.html"))["text"]
    assert text.splitlines()[2:] == [
        "| 100<br>200 | a<br>inner b<br>c |",
        "| 1<br>2 | x y<br>one<br>two<br>three |",
    ]


def test_links_to_headings_of_markdown_lead_to_them(files: Path, call: Call) -> None:
    call("create_page", path="a.html", markdown="# Top\n\n[jump](#two-words) [no](#none)\n\n## Two words\n")
    links = facts(call("list_page_links", path="a.html"))["links"]
    assert [each["status"] for each in links] == ["ok", "missing anchor"]
