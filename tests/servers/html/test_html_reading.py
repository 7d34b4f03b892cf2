"""What a page says keeps its lines and leaves nothing out."""

from pathlib import Path

from support.answers import Call, read_facts, read_text


def test_the_lines_of_a_cell_stay_apart(files: Path, call: Call) -> None:
    (files / "a.html").write_text(
        "<table><tr><th>n</th><th>m</th></tr><tr><td>100<br>200</td><td>a<table><tr><td>inner<td>b<tr><td>c</table>"
        "</td></tr><tr><td><p>1</p><p>2</p></td><td>x\n y<ul><li>one<li>two</ul><b>th</b>ree</td></tr></table>"
    )
    outer = read_facts(call("read_page_tables", path="a.html"))["tables"][0]
    assert outer["rows"] == [["n", "m"], ["100\n200", "a\ninner b\nc"], ["1\n2", "x y\none\ntwo\nthree"]]
    text = read_facts(call("read_page_text", path="a.html"))["text"]
    assert text.splitlines()[2:] == [
        "| 100<br>200 | a<br>inner b<br>c |",
        "| 1<br>2 | x y<br>one<br>two<br>three |",
    ]


def test_links_to_headings_of_markdown_lead_to_them(files: Path, call: Call) -> None:
    call("create_page", path="a.html", markdown="# Top\n\n[jump](#two-words) [no](#none)\n\n## Two words\n")
    links = read_facts(call("list_page_links", path="a.html"))["links"]
    assert [link["status"] for link in links] == ["ok", "missing anchor"]


def test_all_that_is_shown_in_a_list_is_in_the_markdown(files: Path, call: Call) -> None:
    (files / "a.html").write_text(
        "<ul><p>lost?</p><li>one</li>bare <b>words</b></ul><hr>"
        "<ol start=3><li>three<li>four<ul><li>in</ul></li><ul><li>below<li>too</ul><li>five</ol>"
    )
    assert read_facts(call("read_page_text", path="a.html"))["text"] == (
        "lost?\n\n- one\n\nbare **words**\n\n---\n\n3. three\n4. four\n   - in\n   - below\n   - too\n5. five\n"
    )


def test_items_have_the_numbers_that_they_state_or_count_down_to(files: Path, call: Call) -> None:
    (files / "a.html").write_text(
        "<ol><li>one<li value=4>four<li>five</ol>x<ol reversed><li>two<li>one</ol><ol start=²><li>i</ol>"
    )
    assert read_facts(call("read_page_text", path="a.html"))["text"] == (
        "1. one\n4. four\n5. five\n\nx\n\n2. two\n1. one\n\n1. i\n"
    )


def test_links_around_blocks_keep_their_lines_apart(files: Path, call: Call) -> None:
    (files / "a.html").write_text(
        '<a href="x.html"><h3>Card</h3><p>Some <b>words</b></p></a><a href="y.html"><ul><li>item</ul></a>'
        "<span>a<div>b</div></span><fieldset><legend>Who</legend><label>Name</label></fieldset>"
    )
    assert read_facts(call("read_page_text", path="a.html"))["text"] == (
        "### [Card](x.html)\n\n[Some **words**](x.html)\n\n- item\n\n[y.html](y.html)\n\na\n\nb\n\nWho\n\nName\n"
    )


def test_words_stay_apart_where_a_line_ends(files: Path, call: Call) -> None:
    (files / "a.html").write_text('<h1 id="t">One<br>two</h1><pre>a<br>b</pre><a href="#t">x<br/>y</a>')
    assert read_facts(call("inspect_page", path="a.html"))["headings"][0]["text"] == "One two"
    assert read_facts(call("list_page_links", path="a.html"))["links"][0]["text"] == "x y"
    assert "```\na\nb\n```" in read_facts(call("read_page_text", path="a.html"))["text"]


def test_what_is_hidden_is_not_in_the_markdown_but_in_the_tables(files: Path, call: Call) -> None:
    (files / "a.html").write_text(
        "<p>a<b hidden>x</b></p><p hidden>y</p>one <div hidden>z</div>two<ol><li hidden>h<li>i</ol>"
        "<table><tr><th>n<th hidden>m</tr><tr><td>1<i hidden>9</i><td hidden>2<tr hidden><td>3<td>4</table>"
    )
    assert read_facts(call("read_page_text", path="a.html"))["text"] == (
        "a\n\none two\n\n1. i\n\n| n |\n| --- |\n| 1 |\n"
    )
    (table,) = read_facts(call("read_page_tables", path="a.html"))["tables"]
    assert table["rows"] == [["n", "m"], ["19", "2"], ["3", "4"]]


def test_values_fill_html_and_are_refused_with_markdown(files: Path, call: Call) -> None:
    reply = call("create_page", path="a.html", html="<p>Hello {{name}}</p>", values={"name": "A & B", "other": 1})
    assert "<p>Hello A &amp; B</p>" in (files / "a.html").read_text("utf-8")
    assert "the template does not use 'other'" in read_text(reply)
    assert "asks for 'city'" in read_text(call("create_page", path="b.html", html="{{city}}", values={"name": "A"}))
    assert "values only apply to html" in read_text(
        call("create_page", path="b.html", markdown="{{name}}", values={"name": "A"})
    )
    assert not (files / "b.html").exists()


def test_a_br_of_markdown_ends_a_line_and_other_html_is_shown_as_text(files: Path, call: Call) -> None:
    table = "| a | b |\n| --- | --- |\n| 100<br>200 | <b>x</b> `<br>` |\n"
    call("create_page", path="a.html", markdown=table)
    (read,) = read_facts(call("read_page_tables", path="a.html"))["tables"]
    assert read["rows"][1] == ["100\n200", "<b>x</b> <br>"]


def test_links_and_emphasis_stay_in_the_cells_of_markdown(files: Path, call: Call) -> None:
    (files / "a.html").write_text('<table><tr><th>a<tr><td><b>x</b> | <a href="u.html">y</a><br>z</table>')
    assert read_facts(call("read_page_text", path="a.html"))["text"].splitlines()[2] == "| **x** \\| [y](u.html)<br>z |"
    assert read_facts(call("read_page_tables", path="a.html"))["tables"][0]["rows"][1] == ["x | y\nz"]


def test_plain_text_keeps_code_as_it_stands_and_controls_apart(files: Path, call: Call) -> None:
    (files / "a.html").write_text(
        "<pre>if x:\n    y  = 1</pre><p>Name<textarea>long</textarea><button>Send</button></p><video>old</video>"
    )
    text = read_facts(call("read_page_text", path="a.html", format="text"))["text"]
    assert text == "if x:\n    y  = 1\nName long Send\n"
    assert "old" not in read_facts(call("read_page_text", path="a.html"))["text"]


def test_raised_numbers_are_not_read_as_digits_of_the_number_before(files: Path, call: Call) -> None:
    (files / "a.html").write_text(
        "<p>10<sup>6</sup> m<sup>\u22123</sup> of H<sub>2</sub>O, x<sup>n</sup><sup><a href='#1'>[1]</a></sup>"
        "<table><tr><th>Unit<tr><td>cm<sup>2</sup></table>"
    )
    assert read_facts(call("read_page_text", path="a.html"))["text"].startswith(
        "10<sup>6</sup> m<sup>\u22123</sup> of H<sub>2</sub>O, x<sup>n</sup>[[1]](#1)\n"
    )
    text = read_facts(call("read_page_text", path="a.html", format="text"))["text"]
    assert text == "10⁶ m⁻³ of H₂O, xn[1]\nUnit\ncm²\n"
    assert read_facts(call("read_page_tables", path="a.html"))["tables"][0]["rows"] == [["Unit"], ["cm²"]]


def test_raised_letters_of_markdown_are_raised_and_a_lonely_tag_is_text(files: Path, call: Call) -> None:
    text = "10<sup>6</sup> and **H<sub>2</sub>O** and a<sup> b</sub> `<sup>x</sup>`\n"
    call("create_page", path="a.html", markdown=text)
    elements = read_facts(call("query_elements", path="a.html", selector="sup, sub"))["elements"]
    assert [(element["tag"], element["text"]) for element in elements] == [("sup", "6"), ("sub", "2")]
    assert "a<sup> b</sub>" in read_facts(call("read_page_text", path="a.html", format="text"))["text"]
    assert read_facts(call("read_page_text", path="a.html"))["text"] == text


def test_what_is_chosen_and_entered_in_fields_is_read_and_quotes_are_in_quotes(files: Path, call: Call) -> None:
    (files / "a.html").write_text(
        "<p>Size <select><option>S<option selected>M</select> name <input value='Ann'> <q>well</q>"
        "<p><input type=checkbox checked> paid <input type=hidden value=t><input type=submit value=Go>"
        "<table><tr><th>Size<tr><td><select><option>S<option selected>M</select></table>"
    )
    lines = "Size M (or S) name Ann “well”", "\u2611 paid Go"
    assert read_facts(call("read_page_text", path="a.html", format="text"))["text"].splitlines()[:2] == list(lines)
    assert read_facts(call("read_page_text", path="a.html"))["text"].split("\n\n")[:2] == list(lines)
    assert read_facts(call("read_page_tables", path="a.html"))["tables"][0]["rows"] == [["Size"], ["M"]]


def test_the_words_of_a_drawing_and_the_language_of_code_are_read(files: Path, call: Call) -> None:
    (files / "a.html").write_text(
        "<p>Sales <svg><title>hint</title><g><text x=1>Q1</text><text>1,<tspan>200</tspan></text></g></svg> up</p>"
        '<pre><code class="hl language-python">x = 1\n</code></pre>'
    )
    assert (
        read_facts(call("read_page_text", path="a.html"))["text"] == "Sales hint Q1 1,200 up\n\n```python\nx = 1\n```\n"
    )
    assert read_facts(call("read_page_text", path="a.html", format="text"))["text"].startswith(
        "Sales hint Q1 1,200 up\n"
    )


def test_pictures_of_several_sizes_and_of_films_are_links_too(files: Path, call: Call) -> None:
    (files / "a.png").write_bytes(b"")
    (files / "a.html").write_text(
        '<img src="a.png" srcset="a.png 1x, b,c.png 2x"><video poster="p.png"><track src="t.vtt"></video>'
    )
    links = read_facts(call("list_page_links", path="a.html"))["links"]
    assert [(link["kind"], link["address"], link["status"]) for link in links] == [
        ("img", "a.png", "ok"),
        ("img", "b,c.png", "missing file"),
        ("video", "p.png", "missing file"),
        ("track", "t.vtt", "missing file"),
    ]


def test_each_word_of_a_page_is_read(files: Path, call: Call) -> None:
    (files / "a.html").write_text(
        "<details><summary>Sum9</summary><p>Closed9</p></details><select><optgroup label=Group9><option>One9"
        "<option selected>Two9<option label=Three9></select><img alt=Alt9 src=a.png><button aria-label=Close9></button>"
        "<a href=b.html title=Home9><i></i></a><svg><title>Drawing9</title><text>Svg9</text><foreignObject><p>Foreign9"
        "</p></foreignObject></svg><input value=Value9><input placeholder=Ask9><input type=submit value=Send9>"
        "<input type=image alt=Go9><textarea placeholder=Write9></textarea><math><mi>x9</mi></math>"
        "<math alttext='\\frac9'><mi>y</mi></math><iframe srcdoc='&lt;p&gt;Frame9'></iframe><ruby>Base9<rp>(</rp><rt>"
        "Above9</rt><rp>)</rp></ruby><datalist><option value=Maybe9></datalist><table><tr><td>Cell9<table><tr><td>In9"
        "<td><img alt=Icon9></table></table>"
    )
    words = (
        *("Sum9", "Closed9", "Group9", "One9", "Two9", "Three9", "Alt9", "Close9", "Home9", "Drawing9", "Svg9", "In9"),
        *("Foreign9", "Value9", "Ask9", "Send9", "Go9", "Write9", "x9", "\\frac9", "Frame9", "Base9(Above9)", "Maybe9"),
        *("Cell9", "Icon9"),
    )
    for form in ("markdown", "text"):
        text = read_facts(call("read_page_text", path="a.html", format=form))["text"]
        assert [word for word in words if word not in text] == []
        assert "Two9 (or Group9, One9, Three9)" in text


def test_a_long_list_of_choices_says_that_it_is_cut(files: Path, call: Call) -> None:
    (files / "a.html").write_text("<select>" + "".join(f"<option>c{number}" for number in range(60)) + "</select>")
    assert "c40, 19 more: query_elements)" in read_facts(call("read_page_text", path="a.html"))["text"]
