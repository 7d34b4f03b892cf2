"""PDFs made from Markdown and HTML: how they look on the page."""

import itertools
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pdfplumber
import pikepdf
import pypdfium2
import pytest
from conftest_pdf import pixels_of, text_of
from PIL import Image

from yardkit.kit.markdown.formulas import _load_library
from yardkit.kit.markdown.html_page import to_html
from yardkit.servers.pdf.calls import run

Ok = Callable[..., dict[str, Any]]


def lines_of_ink(path: Path) -> list[int]:
    """How dark the lines of the first page are, from the top."""
    with pypdfium2.PdfDocument(path) as document:
        picture = document[0].render(scale=2).to_pil().convert("L")
    rows = [
        sum(255 - value for value in picture.crop((0, y, picture.width, y + 1)).tobytes())
        for y in range(picture.height)
    ]
    line_starts, within = list[int](), False
    for ink in rows:
        if ink:
            line_starts = [*line_starts[:-1], line_starts[-1] + ink] if within else [*line_starts, ink]
        within = bool(ink)
    return line_starts


def test_bold_chinese_japanese_and_korean_is_darker_and_as_wide(ok: Ok, files: Path) -> None:
    for text in ("中文标题永国", "日本語の題名", "한국어제목"):
        line = f"<p style='font-size: 30pt; line-height: 2; margin: 0'>{text}</p>"
        ok("create_pdf", path="a.pdf", html=f"{line}<b>{line}</b>")
        regular_lines, bold = lines_of_ink(files / "a.pdf")
        assert 1.2 * regular_lines < bold < 1.7 * regular_lines
        assert text_of(files / "a.pdf").split() == [text, text]
        with pdfplumber.open(files / "a.pdf") as pdf:
            places = [(character["x0"], character["x1"]) for character in pdf.pages[0].chars]
        assert places[: len(text)] == places[len(text) :]


def test_a_heading_of_two_scripts_is_bold_in_both(ok: Ok, files: Path) -> None:
    ok("create_pdf", path="h.pdf", markdown="# 财务报告 Report")
    ok("create_pdf", path="again.pdf", markdown="# 财务报告 Report")
    ok("create_pdf", path="p.pdf", markdown="<p style='font-size: 20pt'>财务报告 <b>Report</b></p>")
    assert lines_of_ink(files / "h.pdf")[0] > 1.1 * lines_of_ink(files / "p.pdf")[0]
    assert (files / "h.pdf").read_bytes() == (files / "again.pdf").read_bytes()


def test_footnotes_of_markdown_stand_at_the_end_and_are_linked_both_ways(ok: Ok, files: Path) -> None:
    text = "One[^a], two[^b], one again[^a].\n\n[^a]: The *first* note.\n[^b]: The second.\n\n    With more.\n"
    assert ok("create_pdf", path="n.pdf", markdown=text).get("warnings", []) == []
    written = text_of(files / "n.pdf")
    assert "[^" not in written
    assert written.split()[:2] == ["One[1],", "two[2],"]
    assert written.count("[1]") == 2
    assert written.index("again[1]") < written.index("The first note.") < written.index("With more.")
    assert ok("list_pdf_items", path="n.pdf", what="links")["total"] == 6


def test_formulas_of_markdown_are_drawn(ok: Ok, files: Path) -> None:
    markdown = "$$\n\\frac{\\sqrt{\\pi}}{2}\n$$\n\nwhere $x_1 \\leq 2$ holds; `$code$`, \\$y\\$, 5$, $5 and $6."
    reply = ok("create_pdf", path="f.pdf", markdown=markdown)
    assert reply.get("warnings", []) == []
    written = text_of(files / "f.pdf")
    assert " ".join(written.split()) == "where holds; $code$, $y$, 5$, $5 and $6."
    with pdfplumber.open(files / "f.pdf") as pdf:
        drawn = [*pdf.pages[0].curves, *pdf.pages[0].rects]
    assert len(drawn) > 5
    with pikepdf.open(files / "f.pdf") as pdf:
        expected_formulas = {
            str(thing["/Alt"]) for thing in pdf.objects if isinstance(thing, pikepdf.Dictionary) and "/Alt" in thing
        }
    assert expected_formulas == {r"\frac{\sqrt{\pi}}{2}", r"x_1 \leq 2"}


def test_a_formula_that_cannot_be_set_stays_as_it_is_written_and_is_told(ok: Ok, files: Path) -> None:
    text = r"Broken $\frac{1$, foreign $\text{中文}$, long $" + "a" * 1500 + "$."
    reply = ok("create_pdf", path="b.pdf", markdown=text)
    assert len(reply["warnings"]) == 3
    assert r"$\frac{1$" in reply["warnings"][0]
    assert r"Broken $\frac{1$, foreign $\text{中文}$" in text_of(files / "b.pdf")


PROSE = (
    "Revenue ($m) and costs ($m)", "It costs $5 (about 8 CA$).", "$5.\nOther: US$", "sum of $A:$A and $B:$B",
    "$HOME/$USER, PATH=$PATH:$HOME", "`x`$5 and 6$", "see $A$1 and $B$2", "US$5 to CA$6", "between $5 and €4, or 8 CA$",
    "from $5,000-$10,000 (in $)", "It is $5, that is $.", "S$1m-S$2m; A$3", "prices from $$ to $$$", "$FOO_BAR/$BAZ_2",
)  # fmt: skip
FORMULAS = (
    "x", "-5", "[0,1)", "]0,1[", "f(x)", "2n", "AB + CD", r"O(n \log n)", r"a \text{ if even, else } b", "x_{max}, y",
)  # fmt: skip


def test_a_command_that_latex_does_not_know_is_drawn_as_text_and_told_once(ok: Ok, files: Path) -> None:
    text = r"Of $\alpha + \badcmd{x}$ and $\alpha + \badcmd{x}$, $\text{a\b}$, $\sqrt{\R}$, $\begin{foo}y\end{foo}$."
    warnings = ok("create_pdf", path="a.pdf", markdown=text)["warnings"]
    assert warnings == [
        r"\badcmd is not a LaTeX command known here and is drawn as text: \alpha + \badcmd{x}",
        r"\b is not a LaTeX command known here and is drawn as text: \text{a\b}",
        r"\R is not a LaTeX command known here and is drawn as text: \sqrt{\R}",
        r"the environment foo is not known here and left out: \begin{foo}y\end{foo}",
    ]


@pytest.mark.parametrize(
    ("written", "plain_latex"),
    [
        (r"\bigl\{x\bigr\}", r"\{x\}"),
        (r"\Big\langle y", r"\langle y"),
        (r"\text{5\% a\_b}", r"\text{5% a_b}"),
        (r"\text{R\&D}", r"\text{R&D}"),
        (r"\begin{gather}a\\ b\end{gather}", r"\displaylines{a\\ b}"),
        (r"\begin{eqnarray*}a&=&b\end{eqnarray*}", r"\begin{array}{rcl}a&=&b\end{array}"),
        (r"\begin{alignat*}{2}a&=b\end{alignat*}", r"\begin{align*}a&=b\end{align*}"),
        (r"f=\begin{dcases}a&b\end{dcases}", r"f=\begin{cases}a&b\end{cases}"),
    ],
)
def test_sized_brackets_signs_in_words_and_other_environments_are_drawn(
    ok: Ok, files: Path, written: str, plain_latex: str
) -> None:
    for name, latex in (("written.pdf", written), ("plain.pdf", plain_latex)):
        assert "warnings" not in ok("create_pdf", path=name, markdown=f"$${latex}$$")
    assert pixels_of(files / "written.pdf").tobytes() == pixels_of(files / "plain.pdf").tobytes()


def formulas_in(path: Path) -> list[str]:
    with pikepdf.open(path) as pdf:
        return [
            str(thing["/Alt"]) for thing in pdf.objects if isinstance(thing, pikepdf.Dictionary) and "/Alt" in thing
        ]


def test_prices_units_and_variables_of_a_shell_are_no_formulas(ok: Ok, files: Path) -> None:
    ok("create_pdf", path="p.pdf", markdown="\n\n".join(PROSE))
    assert formulas_in(files / "p.pdf") == []
    assert text_of(files / "p.pdf").split() == "\n".join(PROSE).replace("`", "").split()


def test_formulas_within_a_line_are_set_also_before_punctuation_and_endings(ok: Ok, files: Path) -> None:
    text = "\n\n".join(
        [*(f"Let (${formula}$), or ${formula}$." for formula in FORMULAS), "The $k$th of $p$s and $q$-axes."]
    )
    assert ok("create_pdf", path="s.pdf", markdown=text).get("warnings", []) == []
    assert sorted(set(formulas_in(files / "s.pdf"))) == sorted({*FORMULAS, "k", "p", "q"})
    assert "$" not in text_of(files / "s.pdf")


def test_nested_formulas_do_not_take_the_time_of_the_whole_document(ok: Ok, files: Path) -> None:
    deep = [r"\frac{1}{" * 60 + "x" + "}" * 60, "x^{" * 200 + "x" + "}" * 200, r"\left(" * 70 + "x" + r"\right)" * 70]
    mixed = r"\frac{1}{\sqrt{x^{\left(\hat{" * 3 + "x" + r"}\right)}}}" * 3
    text = "\n\n".join(f"${formula}$" for formula in [*deep, mixed, r"\frac{1}{1+\frac{1}{1+\frac{1}{1+x}}}"])
    reply = ok("create_pdf", path="d.pdf", markdown=text)
    assert len(reply["warnings"]) == 4
    assert formulas_in(files / "d.pdf") == [r"\frac{1}{1+\frac{1}{1+\frac{1}{1+x}}}"]


def test_beyond_what_can_be_laid_out_formulas_stay_as_they_are_written(files: Path) -> None:
    html, notes = run(to_html, "$x$ " * 3000)
    assert 1000 < html.count("<img") < 2000
    assert html.count("<img") + html.count("$x$") == 3000
    assert "more of them than can be laid out" in notes[0]


def test_a_caret_before_brackets_is_no_footnote_and_one_that_is_not_cited_is_told(ok: Ok, files: Path) -> None:
    reply = ok("create_pdf", path="c.pdf", markdown="About 10^[3] here.[^a]\n\n[^a]: Cited.\n\n[^b]: Lost words.\n")
    assert "About 10^[3] here.[1]" in text_of(files / "c.pdf")
    assert len(reply["warnings"]) == 1
    assert "[^b]" in reply["warnings"][0]


def test_a_wide_table_and_a_long_word_of_markdown_stay_on_the_page(ok: Ok, files: Path) -> None:
    for columns in (10, 14, 22):
        row = "|".join(f"{number:,}" for number in range(100_000, 100_000 + columns))
        rule = "|".join("-" for _ in range(columns))
        ok("create_pdf", path="w.pdf", markdown=f"|{row}|\n|{rule}|\n|{row}|\n\n{'x' * 200}\n")
        with pdfplumber.open(files / "w.pdf") as pdf:
            page = pdf.pages[0]
            assert max(character["x1"] for character in page.chars) < page.width - 55


def test_a_list_within_a_list_opens_no_gap(ok: Ok, files: Path) -> None:
    ok("create_pdf", path="list.pdf", markdown="- one\n    - two\n    - three\n- four\n")
    with pdfplumber.open(files / "list.pdf") as pdf:
        tops = [word["top"] for word in pdf.pages[0].extract_words() if word["text"].isalpha()]
    assert len({round(below - above, 1) for above, below in itertools.pairwise(tops)}) == 1


def test_attributes_of_html_count_as_in_a_browser(ok: Ok, files: Path) -> None:
    Image.new("RGB", (600, 300), "teal").save(files / "a.png")
    ok("create_pdf", path="a.pdf", html="<img src=a.png width=200><table width=100%><tr><td align=right>9</table>")
    with pdfplumber.open(files / "a.pdf") as pdf:
        page = pdf.pages[0]
        assert round(page.images[0]["width"]) == 150  # points of 200 pixels
        assert page.chars[0]["x0"] > page.width / 2


def test_making_a_page_writes_nothing_to_the_log(tmp_path: Path) -> None:
    call = "from_text(out, 'Area $x^2$', True, '', Sheet(), base, base, '', datetime(2026, 1, 1))"
    program = f"""
import logging, sys
from datetime import datetime
from pathlib import Path
from yardkit.servers.pdf.engine.drawing.new_documents import Sheet, from_text
logging.basicConfig()
out = Path(sys.argv[1]); base = out.parent
{call}
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "a.pdf")], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert (tmp_path / "a.pdf").stat().st_size


def test_the_language_stated_before_a_text_is_that_of_the_document(ok: Ok, files: Path) -> None:
    (files / "a.md").write_text("---\ntitle: Bericht\nlang: de-AT\n---\n\n# Bericht\n", "utf-8")
    ok("create_pdf", path="a.pdf", source="a.md")
    ok("create_pdf", path="b.pdf", markdown="# Report")
    with pikepdf.open(files / "a.pdf") as stated, pikepdf.open(files / "b.pdf") as unstated:
        assert stated.Root.Lang == "de-AT"
        assert not str(unstated.Root.get("/Lang", ""))


def test_a_missing_library_is_no_fault_of_the_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    _load_library.cache_clear()
    monkeypatch.setitem(sys.modules, "ziamath", None)
    with pytest.raises(ModuleNotFoundError, match="ziamath"):
        to_html("It is $x^2$.")


def test_letters_that_no_font_has_are_told_of_a_new_document_and_of_a_comment(ok: Ok, files: Path) -> None:
    done = ok("create_pdf", path="t.pdf", markdown="Hello ไทย and 中文 😀\n")
    assert done["warnings"] == ["no installed font has 'ทยไ'; empty boxes are shown"]
    assert "warnings" not in ok("create_pdf", path="u.pdf", markdown="Hello 中文 😀\n")
    add = [
        {"kind": kind, "page": 1, "boxes": [[50, 500, 300, 540]], "text": "ไทย ok"} for kind in ("free_text", "stamp")
    ]
    warnings = ok("annotate_pdf", path="u.pdf", add=add)["warnings"]
    assert [
        "no installed font has 'ท' (U+0E17 THAI CHARACTER THO THAHAN) and 2 other signs" in text for text in warnings
    ] == [True] * 2
    note = [{"kind": "note", "page": 1, "boxes": [[50, 500]], "text": "ไทย"}]
    assert "warnings" not in ok("annotate_pdf", path="u.pdf", add=note)
