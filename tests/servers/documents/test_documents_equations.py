"""Equations: LaTeX to Office Math and back, by a law over a grammar, and in documents."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from support.answers import Call

from yardkit.servers.documents.engine.formulas.latex_parser import to_omml
from yardkit.servers.documents.engine.formulas.latex_writer import to_latex
from yardkit.world import Problem

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"

_atoms = st.sampled_from(
    ["x", "y", "n", "2", "10", "3.14", "\\alpha ", "\\Omega ", "\\infty ", "\\mathbb{R}", "\\text{if 5\\%}", "\\dots "]
)
_signs = st.sampled_from(["+", "-", "=", "\\leq ", "\\cdot ", "\\to ", ",", "\\quad ", "\\in "])


def _enlarge_formula(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    group = inner.map(lambda text: "{" + text + "}")
    return st.one_of(
        st.tuples(inner, _signs, inner).map("".join),
        st.tuples(group, group).map(lambda pair: f"\\frac{pair[0]}{pair[1]}"),
        st.tuples(_atoms, group).map(lambda pair: f"{{{pair[0]}}}^{pair[1]}"),
        st.tuples(group, group, group).map(lambda three: f"{three[0]}_{three[1]}^{three[2]}"),
        group.map(lambda text: f"\\sqrt{text}"),
        st.tuples(inner, group).map(lambda pair: f"\\sqrt[{pair[0]}]{pair[1]}"),
        st.tuples(st.sampled_from(["\\sum", "\\int", "\\prod\\nolimits"]), group, group, group).map(
            lambda four: f"{four[0]}_{four[1]}^{four[2]}{four[3]}"
        ),
        st.tuples(st.sampled_from(["\\sin", "\\lim_{n\\to 0}", "\\operatorname{rank}"]), group).map("".join),
        inner.map(lambda text: f"\\left( {text} \\right]"),
        st.tuples(st.sampled_from(["\\hat", "\\overline", "\\underbrace", "\\boxed"]), group).map("".join),
        st.tuples(inner, inner, inner, inner).map(
            lambda four: f"\\begin{{pmatrix}}{four[0]} & {four[1]} \\\\ {four[2]} & {four[3]}\\end{{pmatrix}}"
        ),
        st.tuples(inner, inner).map(lambda pair: f"\\begin{{aligned}}{pair[0]} &= {pair[1]} \\\\ &= 1\\end{{aligned}}"),
        st.tuples(group, group).map(lambda pair: f"\\overset{pair[0]}{pair[1]}"),
    )


@settings(max_examples=150)
@given(st.recursive(_atoms, _enlarge_formula, max_leaves=12))
def test_latex_of_a_formula_gives_that_formula_again(latex: str) -> None:
    formula = to_omml(latex)
    again = to_omml(to_latex(formula))
    assert etree.tostring(again) == etree.tostring(formula)


@pytest.mark.parametrize(
    ("latex", "written"),
    [
        ("E=mc^2", "E=mc^{2}"),
        ("\\sum_{i=1}^n i^2 = 5", "\\sum_{i=1}^{n}{i^{2}}=5"),
        ("\\sin^2 x+\\cos^2 x=1", "\\sin^{2}{x}+\\cos^{2}{x}=1"),
        ("$\\frac{1}{2}$", "\\frac{1}{2}"),
        ("f'(x)", "f^{\\prime}(x)"),
        ("\\binom{n}{k}", "\\binom{n}{k}"),
        ("\\operatorname{arg\\,max}x", "\\operatorname{arg\\,max}{x}"),
        ("\\text{5\\,kg \\{R\\&D\\}}", "\\text{5\u2009kg \\{R\\&D\\}}"),
        ("\\begin{dcases}a&b\\end{dcases}", "\\begin{cases} a & b \\end{cases}"),
    ],
)
def test_usual_formulas_come_back_as_they_are_usually_written(latex: str, written: str) -> None:
    assert to_latex(to_omml(latex)) == written


def test_a_sum_is_a_real_sum_with_limits_and_operand() -> None:
    formula = to_omml("\\sum_{i=1}^n i^2 = 5")
    sum_, rest = formula
    assert sum_.tag == f"{M}nary"
    assert sum_.find(f"{M}naryPr/{M}chr").get(f"{M}val") == "∑"
    assert ["".join(sum_.find(f"{M}{name}").itertext()) for name in ("sub", "sup", "e")] == ["i=1", "n", "i2"]
    assert "".join(rest.itertext()) == "=5"


@pytest.mark.parametrize(
    "latex",
    [
        "\\frac{a",
        "a}",
        "\\nosuch x",
        "a & b",
        "x_1_2",
        "",
        "\\begin{foo}x\\end{foo}",
        "\\left( x",
        "{" * 100,
        "a \\\\ b",
        "\\text{a \\foo b}",
        "\\text{a\\",
        "\\operatorname{\\alpha}",
    ],
)
def test_what_is_no_formula_is_refused_with_the_reason(latex: str) -> None:
    with pytest.raises(Problem, match="formula"):
        to_omml(latex)


def test_equations_are_added_changed_and_deleted_in_a_document(files: Path, done: Callable[..., Any]) -> None:
    document = docx.Document()
    document.add_paragraph("Energy is here. And more.")
    document.save(str(files / "e.docx"))
    done("edit_equations", path="e.docx", edits=[
        {"op": "add", "text": "Energy", "latex": "E=mc^2"},
        {"op": "add", "text": "more", "latex": "\\frac{a}{b}", "display": True},
    ])  # fmt: skip
    equations = done("read_annotations", path="e.docx", kind="equations")["equations"]
    assert [(equation["id"], equation["latex"], equation["display"]) for equation in equations] == [
        ("eq1", "E=mc^{2}", False),
        ("eq2", "\\frac{a}{b}", True),
    ]
    edits = [{"op": "change", "id": "eq1", "latex": "x"}, {"op": "delete", "id": "eq2"}]
    done("edit_equations", path="e.docx", edits=edits)
    [left] = done("read_annotations", path="e.docx", kind="equations")["equations"]
    assert left["latex"] == "x"
    assert [paragraph.text for paragraph in docx.Document(str(files / "e.docx")).paragraphs] == [
        "Energy  is here. And more."
    ]
    done("edit_equations", path="e.docx", edits=[{"op": "delete", "id": "eq1"}])
    assert [paragraph.text for paragraph in docx.Document(str(files / "e.docx")).paragraphs] == [
        "Energy is here. And more."
    ]


def test_a_formula_that_a_page_cannot_show_stays_as_latex_and_is_told(files: Path, done: Callable[..., Any]) -> None:
    document = docx.Document()
    math = [to_omml("\\sum\\nolimits_{a}{x}"), to_omml("\\frac{1}{2}")]
    math[0].find(f".//{M}chr").set(f"{M}val", "★")
    for element in math:
        document.add_paragraph("Text ")._p.append(element)
    document.save(str(files / "e.docx"))
    reply = done("convert_document", path="e.docx", target="e.html")
    assert reply["notes"] == ["not set as a formula, only its LaTeX is shown: ★\\nolimits_{a}{x}"]
    html = (files / "e.html").read_text()
    assert "★\\nolimits_{a}{x}" in html
    assert html.count("<mfrac>") == 1


def test_reading_shows_equations_as_latex_and_anchors_stay(files: Path, done: Callable[..., Any]) -> None:
    blocks = [{"text": "Area is * here"}, {"kind": "table", "rows": [["a|b", "value"]]}, {"text": "Last."}]
    done("edit_blocks", path="eq.docx", edits=[{"op": "insert", "blocks": blocks}])
    for add in ({"text": "is"}, {"text": "value"}, {"text": "Last.", "display": True}):
        edit = {"op": "add", "latex": "\\frac{1}{2}", **add}
        done("edit_equations", path="eq.docx", edits=[edit])
    read_blocks = done("read_document", path="eq.docx")["blocks"]
    assert read_blocks[0]["text"] == "Area is $\\frac{1}{2}$ * here"
    assert read_blocks[1]["rows"] == [["a|b", "value $\\frac{1}{2}$"]]
    assert read_blocks[-1]["text"] == "$$\\frac{1}{2}$$"
    markdown = done("read_document", path="eq.docx", format="markdown")["markdown"]
    assert "Area is $\\frac{1}{2}$ \\* here" in markdown
    assert "| a\\|b | value $\\frac{1}{2}$ |" in markdown
    assert markdown.endswith("\n$$\\frac{1}{2}$$")
    runs = done("read_document", path="eq.docx", format="details")["blocks"][0]["runs"]
    assert [run["text"] for run in runs if run.get("equation")] == ["$\\frac{1}{2}$"]
    done(
        "format_document", path="eq.docx", edits=[{"anchors": [read_blocks[-1]["anchor"]], "look": {"align": "right"}}]
    )


def test_what_reading_shows_of_equations_is_written_back_as_equations(done: Call, files: Path) -> None:
    blocks = [
        {"text": "Area $\\pi r^{2}$ and **bold $x_{1}$**"},
        {"text": "$$\\frac{a}{b}$$"},
        {"kind": "table", "rows": [["h"], ["value $x^{2}$"]]},
        {"text": "no $x_{1}$", "literal": True},
    ]
    done("edit_blocks", path="a.docx", edits=[{"op": "insert", "blocks": blocks}])
    equations = done("read_annotations", path="a.docx", kind="equations")["equations"]
    expected_equations = [("\\pi r^{2}", False), ("x_{1}", False), ("\\frac{a}{b}", True), ("x^{2}", False)]
    assert [(equation["latex"], bool(equation.get("display"))) for equation in equations] == expected_equations
    markdown = done("read_document", path="a.docx", format="markdown")["markdown"]
    assert "Area $\\pi r^{2}$ and **bold** $x_{1}$" in markdown
    assert "no \\$x_{1}$" in markdown


def test_prices_and_what_is_no_formula_stay_text(done: Call, files: Path) -> None:
    texts = ["costs $5 and $6", "$5-$6, $HOME/$USER and US$4", "\\$x$ and {$y", "odd $\\nosuch{x}$ end"]
    notes = done("edit_blocks", path="a.docx", edits=[{"op": "insert", "blocks": [{"text": text} for text in texts]}])
    read = done("read_document", path="a.docx")["blocks"]
    assert [block["text"] for block in read] == [texts[0], texts[1], "$x$ and {$y", texts[3]]
    assert "\\nosuch" in notes["notes"][0]
    assert done("read_annotations", path="a.docx", kind="equations")["total"] == 0


@pytest.mark.parametrize("text", ["from $5 to 6$ or 7$", "the $100 bill and a 5$ note"])
def test_prices_of_markdown_are_no_equations(done: Call, files: Path, text: str) -> None:
    (files / "a.md").write_text(text)
    done("convert_document", path="a.md", target="a.docx")
    assert done("read_document", path="a.docx")["blocks"][0]["text"] == text


@pytest.mark.parametrize("track", [True, False])
@pytest.mark.parametrize(
    ("new", "left"),
    [
        ("So $x^{2}$ and then $y_{1}$ hold.", 2),
        ("$x^{2}$ holds with $y_{1}$", 2),
        ("Only $y_{1}$, new words", 1),
        ("Only x2 and words", 0),
    ],
)
def test_equations_that_a_new_text_names_stay_in_it_and_the_others_go(
    done: Call, files: Path, new: str, left: int, track: bool
) -> None:
    block = {"text": "Let $x^{2}$ and $y_{1}$"}
    anchor = done("edit_blocks", path="a.docx", edits=[{"op": "insert", "blocks": [block]}])["anchors"][0]
    edits = [{"op": "set_text", "anchor": anchor, "text": new}]
    done("edit_blocks", path="a.docx", edits=edits, track=track)
    assert done("read_document", path="a.docx")["blocks"][0]["text"] == new
    if track:
        (files / "b.docx").write_bytes((files / "a.docx").read_bytes())
        done("settle_changes", path="b.docx", action="reject")
        assert done("read_document", path="b.docx")["blocks"][0]["text"] == block["text"]
        done("settle_changes", path="a.docx", action="accept")
    assert done("read_document", path="a.docx")["blocks"][0]["text"] == new
    assert done("read_annotations", path="a.docx", kind="equations")["total"] == left


def test_a_new_text_may_write_an_equation_that_stays_in_another_way(done: Call) -> None:
    block = {"text": "Let $x^{2}$ hold"}
    anchor = done("edit_blocks", path="a.docx", edits=[{"op": "insert", "blocks": [block]}])["anchors"][0]
    edits = [{"op": "set_text", "anchor": anchor, "text": "For $5 let $x^2$ be"}]
    done("edit_blocks", path="a.docx", edits=edits)
    assert done("read_document", path="a.docx")["blocks"][0]["text"] == "For $5 let $x^{2}$ be"


@pytest.mark.parametrize("track", [True, False])
def test_markup_in_cells_counts_whether_changes_are_tracked_or_not(done: Call, files: Path, track: bool) -> None:
    rows = [["a", "b<br>c"], ["d", "old \\<br\\>"]]
    done("edit_blocks", path="a.docx", edits=[{"op": "insert", "blocks": [{"kind": "table", "rows": rows}]}])
    table = done("read_document", path="a.docx")["blocks"][0]
    assert table["rows"] == [["a", "b\nc"], ["d", "old <br>"]]
    edits = [{"op": "set_cells", "range": "A1:B2", "values": [["**A**", "$x^{2}$"], ["d<br>e", "\\*new\\*"]]}]
    done("edit_document_table", path="a.docx", anchor=table["anchor"], edits=edits, track=track)
    if track:
        done("settle_changes", path="a.docx", action="accept")
    assert done("read_document", path="a.docx")["blocks"][0]["rows"] == [["A", "$x^{2}$"], ["d\ne", "*new*"]]
