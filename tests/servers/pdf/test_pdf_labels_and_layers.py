"""Pages that go into another document keep their labels, and what their layers hide stays hidden."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name

Ok = Callable[..., Any]


def make_layered_pdf(path: Path, text: str, *, default: dict[str, Any], labels: list[Any] | None = None) -> None:
    """Three pages with a word on each, and SECRET on the layer `mark`."""
    with pikepdf.new() as pdf:
        font = pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
        layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=pikepdf.String("mark")))
        for number in range(3):
            page = pdf.add_blank_page(page_size=(300, 200))
            page.Resources = Dictionary(Font=Dictionary(F1=font), Properties=Dictionary(L=layer))
            drawn = f"BT /F1 20 Tf 20 150 Td ({text} {number}) Tj ET"
            hidden = "/OC /L BDC BT /F1 40 Tf 20 60 Td (SECRET) Tj ET EMC"
            page.Contents = pdf.make_stream(f"{drawn} {hidden}".encode())
        settings = {key: Array([layer]) if value == "layer" else value for key, value in default.items()}
        order = Array([pikepdf.String("Marks"), Array([layer])])
        pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary({"/Order": order, **settings}))
        if labels is not None:
            pdf.Root.PageLabels = Dictionary(Nums=Array(labels))
        pdf.save(path)


def list_visible(path: Path) -> list[bool]:
    """Of each page whether there is ink where SECRET would be."""
    with pypdfium2.PdfDocument(path) as pdf:
        pictures = [page.render(scale=1).to_numpy()[100:160] for page in pdf]
    return [bool((picture < 128).any()) for picture in pictures]


def list_labels(path: Path) -> list[str]:
    with pypdfium2.PdfDocument(path) as pdf:
        return [pdf.get_page_label(number) for number in range(len(pdf))]


HIDDEN = [{"/OFF": "layer"}, {"/BaseState": Name.OFF}]
ROMAN = [0, Dictionary(S=Name.r), 2, Dictionary(S=Name.D, P=pikepdf.String("A-"), St=7)]


@pytest.mark.parametrize("default", HIDDEN)
def test_what_a_layer_hides_stays_hidden_in_merged_and_split_files(
    ok: Ok, files: Path, default: dict[str, Any]
) -> None:
    make_layered_pdf(files / "hidden.pdf", "one", default=default)
    make_layered_pdf(files / "open.pdf", "two", default={})
    ok("merge_pdfs", sources=[{"path": "open.pdf", "pages": "1"}, {"path": "hidden.pdf"}], target="all.pdf")
    assert list_visible(files / "all.pdf") == [True, False, False, False]
    ok("split_pdf", path="hidden.pdf", folder="parts", every=2)
    assert [any(list_visible(part)) for part in sorted((files / "parts").iterdir())] == [False, False]


@pytest.mark.parametrize("inserted", HIDDEN)
@pytest.mark.parametrize("own", [{}, {"/BaseState": Name.OFF, "/ON": "layer"}])
def test_what_a_layer_hides_stays_hidden_where_pages_are_inserted(
    ok: Ok, files: Path, own: dict[str, Any], inserted: dict[str, Any]
) -> None:
    make_layered_pdf(files / "hidden.pdf", "one", default=inserted)
    make_layered_pdf(files / "open.pdf", "two", default=own)
    ok(
        "arrange_pdf_pages",
        path="open.pdf",
        edits=[{"op": "insert", "source": "hidden.pdf", "pages": "1", "before": 2}],
    )
    assert list_visible(files / "open.pdf") == [True, False, True, True]
    ok("arrange_pdf_pages", path="hidden.pdf", edits=[{"op": "insert", "source": "open.pdf", "pages": "1"}])
    assert list_visible(files / "hidden.pdf") == [False, False, False, True]


def test_pages_keep_their_labels_wherever_they_go(ok: Ok, files: Path) -> None:
    make_layered_pdf(files / "book.pdf", "one", default={}, labels=ROMAN)
    make_layered_pdf(files / "plain.pdf", "two", default={})
    assert list_labels(files / "book.pdf") == ["i", "ii", "A-7"]
    ok("merge_pdfs", sources=[{"path": "book.pdf", "pages": "3,1"}, {"path": "plain.pdf"}], target="all.pdf")
    assert list_labels(files / "all.pdf") == ["A-7", "i", "3", "4", "5"]
    ops = [{"op": "move", "pages": "3", "before": 1}, {"op": "blank", "before": 2}]
    ok("arrange_pdf_pages", path="book.pdf", edits=ops)
    assert list_labels(files / "book.pdf") == ["A-7", "2", "i", "ii"]
    ok("arrange_pdf_pages", path="book.pdf", edits=[{"op": "keep", "pages": "4,4"}])
    assert list_labels(files / "book.pdf") == ["ii", "ii"]
    ok("arrange_pdf_pages", path="plain.pdf", edits=[{"op": "insert", "source": "book.pdf", "pages": "1", "before": 1}])
    assert list_labels(files / "plain.pdf") == ["ii", "2", "3", "4"]


@pytest.mark.parametrize(
    "labels",
    [
        [0, 5],
        [0, Dictionary(S=pikepdf.String("D"), St=Name.X)],
        [7, Dictionary(S=Name.D)],
        [-1, Dictionary(S=Name.r)],
        [],
    ],
)
def test_odd_labels_harm_nothing(ok: Ok, files: Path, labels: list[Any]) -> None:
    make_layered_pdf(
        files / "odd.pdf", "one", default={"/Order": 3, "/OFF": Dictionary(), "/AS": Array([1])}, labels=labels
    )
    ok("arrange_pdf_pages", path="odd.pdf", edits=[{"op": "move", "pages": "1"}])
    ok("merge_pdfs", sources=[{"path": "odd.pdf"}, {"path": "odd.pdf"}], target="all.pdf")
    assert len(list_labels(files / "all.pdf")) == 6


def test_tags_that_do_not_come_along_are_told(ok: Ok, files: Path) -> None:
    ok("create_pdf", path="tagged.pdf", markdown="# Title\n\nText.")
    assert ok("inspect_pdf", path="tagged.pdf")["tagged"]
    merged = ok("merge_pdfs", sources=[{"path": "tagged.pdf"}, {"path": "tagged.pdf"}], target="all.pdf")
    assert merged["warnings"] == ["tags for screen readers were not copied"]
    assert "tagged" not in ok("inspect_pdf", path="all.pdf")
