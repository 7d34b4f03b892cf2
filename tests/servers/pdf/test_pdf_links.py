"""Links within a PDF made from Markdown or HTML."""

from collections.abc import Callable
from typing import Any

import pytest

from yardkit.kit.markdown.html_page import to_html

Ok = Callable[..., dict[str, Any]]
TEXT = (
    "[jump](#two) [again](#two-1) [words](#a-b_c-code--more) [中](#中文-题)\n\n"
    "## Two\n\n## *Two*\n\n# A b_c `Code` & more!\n\n### 中文 题\n\n## ???\n"
)


def test_links_to_headings_of_markdown_lead_to_them(ok: Ok) -> None:
    reply = ok("create_pdf", path="a.pdf", markdown=TEXT)
    assert reply.get("warnings", []) == []
    links = ok("list_pdf_items", path="a.pdf", what="links")["items"]
    assert len(links) == 4
    assert {link["to_page"] for link in links} == {1}


def test_each_heading_has_an_id_of_its_own_as_on_github() -> None:
    html, _ = to_html("# Two\n# Two\n# Two-1\n# Two\n# ?!\n")
    assert [line.split('"')[1] for line in html.splitlines() if "id=" in line] == ["two", "two-1", "two-1-1", "two-2"]
    assert "<h1>?!</h1>" in html


def test_links_to_pages_that_are_not_taken_along_go(ok: Ok) -> None:
    two = "<h1 id='two' style='break-before: page'>Two</h1>"
    text = f"[next](#two) [here](#one) [out](https://example.org)\n\n# One\n\n{two}"
    ok("create_pdf", path="a.pdf", markdown=text)
    ok("merge_pdfs", sources=[{"path": "a.pdf", "pages": "1"}, {"path": "a.pdf"}], target="m.pdf")
    ok("arrange_pdf_pages", path="a.pdf", edits=[{"op": "keep", "pages": "1"}], target="k.pdf")
    merged = ok("list_pdf_items", path="m.pdf", what="links")["items"]
    assert [(link["page"], link.get("to_page")) for link in merged] == [(1, 1), (1, None), (2, 3), (2, 2), (2, None)]
    assert {link["kind"] for link in merged} == {"page", "uri"}
    links = ok("list_pdf_items", path="k.pdf", what="links")["items"]
    assert [link.get("to_page") for link in links] == [1, None]


@pytest.mark.parametrize(
    "source",
    [
        {"markdown": "# One\n\n[a](#one) [b](#nowhere) [c](other.html#x)\n"},
        {"html": "<h1 id=one>One</h1><a name=n>x</a><a href='#one'>a</a><a href='#nowhere'>b</a><a href='#n'>c</a>"},
    ],
)
def test_a_link_to_an_anchor_that_is_nowhere_is_told(ok: Ok, source: dict[str, str]) -> None:
    reply = ok("create_pdf", path="a.pdf", **source)
    assert reply["warnings"] == ["leads nowhere: a link to '#nowhere', which no heading or id is"]
