"""Forms: what a field admits, values and appearances in the saved bytes, flattening."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest_pdf import change_pdf, dark_share, pixels_of, raw_streams, text_of
from PIL import ImageChops

Ok = Callable[..., dict[str, Any]]


def test_text_and_search_tell_of_values_of_fields_and_comments(ok: Ok, form: Path, letter: Path) -> None:
    change_pdf(form, lambda pdf: pdf.Root.AcroForm.Fields[-1].__delitem__("/V"))
    ok("fill_pdf_form", path="form.pdf", values={"agree": True})
    assert "note" not in ok("read_pdf_text", path="form.pdf")["pages"][0]
    ok("fill_pdf_form", path="form.pdf", values={"person.full": "Ann Lee"})
    assert "read_pdf_form" in ok("read_pdf_text", path="form.pdf")["pages"][0]["note"]
    assert ok("search_pdf", path="form.pdf", query="Ann Lee")["pages_with_fields_or_comments"] == "1"
    assert "pages_with_fields_or_comments" not in ok("search_pdf", path="letter.pdf", query="Ann Lee")
    ok("annotate_pdf", path="letter.pdf", add=[{"kind": "note", "page": 2, "boxes": [[9, 9]], "text": "Ann Lee"}])
    assert ok("search_pdf", path="letter.pdf", query="Ann Lee")["pages_with_fields_or_comments"] == "2"
    assert "list_pdf_items" in ok("read_pdf_text", path="letter.pdf", pages="2")["pages"][0]["note"]


def field_of(pdf: pikepdf.Pdf, name: str) -> Any:
    return next(field for field in pdf.Root.AcroForm.Fields if name == field.T)


def test_fields_are_listed_with_their_options(ok: Ok, form: Path) -> None:
    fields = {field["name"]: field for field in ok("read_pdf_form", path="form.pdf")["fields"]}
    assert fields["person.full"]["box"] == [50.0, 82.0, 250.0, 102.0]
    assert fields["person.full"]["label"] == "Full name"
    assert (fields["agree"]["kind"], fields["agree"]["value"], fields["agree"]["options"]) == (
        "checkbox",
        False,
        ["ja"],
    )
    assert (fields["color"]["kind"], fields["color"]["options"]) == ("radio", ["Rot", "Grün"])
    assert (fields["country"]["kind"], fields["country"]["options"]) == ("dropdown", ["Germany", "France"])
    assert fields["langs"]["flags"] == ["multi_select"]
    assert fields["code"]["flags"] == ["comb"]
    assert fields["fixed"]["flags"] == ["read_only"]


def test_filling_stores_the_states_of_the_file_and_what_every_viewer_shows(ok: Ok, form: Path) -> None:
    values = {"person.full": "Müller", "agree": True, "color": "Grün", "country": "France", "langs": ["Dutch", "Greek"]}
    filled = ok("fill_pdf_form", path="form.pdf", values=values, target="filled.pdf")
    assert filled["values"] == values
    with pikepdf.open(form.with_name("filled.pdf")) as pdf:
        agree, color, country = (field_of(pdf, name) for name in ("agree", "color", "country"))
        assert (agree.V, agree.AS) == ("/ja", "/ja")
        assert color.V == "/1"
        assert [kid.AS for kid in color.Kids] == ["/Off", "/1"]
        assert country.V == "fr"
        assert [str(choice) for choice in field_of(pdf, "langs").V] == ["Dutch", "Greek"]
        assert [int(index) for index in field_of(pdf, "langs").I] == [1, 2]
    page = pixels_of(form.with_name("filled.pdf"))
    assert dark_share(page, (50, 228, 64, 242)) > 0.03  # the cross of agree
    assert dark_share(page, (50, 268, 64, 282)) == 0  # the first radio
    assert dark_share(page, (90, 268, 104, 282)) > 0.03  # the second
    data = page.crop((52, 84, 120, 100)).tobytes()
    blue = [at for at in range(0, len(data), 3) if data[at + 2] > 180 and data[at] < 90]
    assert len(blue) > 10  # the text stands in the colour of the field


def test_letters_that_the_font_of_the_form_lacks_are_shown(ok: Ok, form: Path) -> None:
    ok("fill_pdf_form", path="form.pdf", values={"full": "Łukasz 王小明 Ωmega"})
    ok("flatten_pdf", path="form.pdf", target="flat.pdf")
    assert "Łukasz 王小明 Ωmega" in text_of(form.with_name("flat.pdf"))


def test_several_lines_and_single_cells(ok: Ok, form: Path) -> None:
    text = "First line\nSecond line that is so long that it has to be wrapped in the field"
    filled = ok("fill_pdf_form", path="form.pdf", values={"notes": text, "code": "AB12"}, flatten=True)
    assert filled["values"] == {"notes": text, "code": "AB12"}
    words = ok("read_pdf_text", path="form.pdf", format="words")["pages"][0]["pieces"]
    cells = [word["box"][0] for word in words if word["box"][0] > 290 and word["box"][1] < 110]
    assert [later - earlier for earlier, later in itertools.pairwise(cells)] == pytest.approx([20, 20, 20], abs=4)
    assert " ".join(word["text"] for word in words if 120 < word["box"][1] < 200) == " ".join(text.split())
    with pikepdf.open(form) as pdf:
        assert "/AcroForm" not in pdf.Root


def test_text_that_does_not_fit_is_reported(ok: Ok, form: Path) -> None:
    filled = ok("fill_pdf_form", path="form.pdf", values={"notes": "word " * 300})
    assert "lines are visible" in filled["warnings"][0]


def test_clearing_a_field(ok: Ok, form: Path) -> None:
    ok("fill_pdf_form", path="form.pdf", values={"agree": "JA", "color": "Rot", "full": "x", "country": "fr"})
    cleared = ok(
        "fill_pdf_form", path="form.pdf", values={"agree": False, "color": None, "full": None, "country": None}
    )
    assert cleared["values"] == {"agree": False, "color": None, "person.full": "", "country": None}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"country": "Spain"}, "'Germany', 'France'"),
        ({"color": "Blau"}, "'Rot', 'Grün'"),
        ({"agree": "maybe"}, "'ja'"),
        ({"code": "123456"}, "at most 5"),
        ({"code": "1\n2"}, "one line"),
        ({"fixed": "x"}, "read-only"),
        ({"fulll": "x"}, "'person.full'"),
        ({"full": True}, "takes text"),
        ({"country": ["Germany", "France"]}, "takes one option"),
    ],
)
def test_what_a_field_does_not_admit_changes_nothing(
    refused: Callable[..., str], form: Path, values: dict[str, Any], words: str
) -> None:
    before = form.read_bytes()
    assert words in refused("fill_pdf_form", path="form.pdf", values={"notes": "kept out", **values})
    assert form.read_bytes() == before


def test_filling_leaves_every_other_stream_as_it_is(ok: Ok, form: Path) -> None:
    before = raw_streams(form)
    ok("fill_pdf_form", path="form.pdf", values={"full": "Ann"})
    after = raw_streams(form)
    assert all(after.get(data, 0) >= count for data, count in before.items())


def test_filling_twice_gives_the_same_bytes(ok: Ok, form: Path) -> None:
    for target in ("a.pdf", "b.pdf"):
        ok("fill_pdf_form", path="form.pdf", values={"full": "Žofie", "agree": True}, target=target)
    assert form.with_name("a.pdf").read_bytes() == form.with_name("b.pdf").read_bytes()


def test_an_xfa_copy_goes_with_a_note(ok: Ok, form: Path) -> None:
    with pikepdf.open(form, allow_overwriting_input=True) as pdf:
        pdf.Root.AcroForm.XFA = pdf.make_stream(b"<xdp/>")
        pdf.save(form)
    assert "XFA" in ok("fill_pdf_form", path="form.pdf", values={"full": "Ann"})["warnings"][0]
    with pikepdf.open(form) as pdf:
        assert "/XFA" not in pdf.Root.AcroForm


def test_a_flattened_page_looks_the_same_and_has_no_fields(ok: Ok, form: Path) -> None:
    values = {"full": "Ann", "agree": True, "notes": "a\nb", "code": "AB", "country": "France", "langs": ["Dutch"]}
    ok("fill_pdf_form", path="form.pdf", values=values)
    before = pixels_of(form)
    ok("flatten_pdf", path="form.pdf", what="fields")
    difference = ImageChops.difference(pixels_of(form), before).convert("L").crop((0, 0, 595, 215))
    assert max(difference.tobytes()) < 40  # rounding of coordinates, no more; below it a field came without a look
    assert "unchangeable" in text_of(form)
    assert ok("read_pdf_form", path="form.pdf")["total"] == 0


def test_a_document_without_a_form_says_so(refused: Callable[..., str], letter: Path) -> None:
    assert "it has no form" in refused("fill_pdf_form", path="letter.pdf", values={"a": "b"})
