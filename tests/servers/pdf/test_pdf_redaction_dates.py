"""Redaction and dates: those a file states of itself stay whole or go whole, in strings and in XMP."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest_pdf import assert_gone

Ok = Callable[..., dict[str, Any]]


def dates_of(path: Path) -> list[str | None]:
    """Of the file, twice, and of the first comment, twice."""
    with pikepdf.open(path) as pdf:
        note = next(annot for annot in pdf.pages[0].obj.Annots if annot.Subtype == "/Text")
        keys = ((pdf.docinfo, "/CreationDate"), (pdf.docinfo, "/ModDate"), (note, "/CreationDate"), (note, "/M"))
        return [str(container[key]) if key in container else None for container, key in keys]


def test_patterns_of_numbers_leave_dates_whole_and_terms_take_them_whole(ok: Ok, letter: Path, files: Path) -> None:
    note = {"kind": "note", "page": 1, "boxes": [[20, 20]], "text": "Call 20261234"}
    ok("annotate_pdf", path="letter.pdf", add=[note])
    ok("set_pdf_metadata", path="letter.pdf", properties={"author": "Room 20269999"})
    before = dates_of(letter)
    done = ok("redact_pdf", path="letter.pdf", patterns=[r"\d{4,}"], target="numbers.pdf")
    assert dates_of(files / "numbers.pdf") == before
    assert done["elsewhere"] == {"other texts": 1, "comments": 1}
    assert "4 dates of when something was made or changed stayed" in done["warnings"][0]
    assert_gone(files / "numbers.pdf", "20261234", "20269999", "4711")
    for how in ({"terms": ["202603"]}, {"patterns": [r"D:202603\d+"]}):
        done = ok("redact_pdf", path="letter.pdf", **how, target="dates.pdf")
        assert done["elsewhere"] == {"dates": 3}
        assert dates_of(files / "dates.pdf") == [before[0], None, None, None]
        assert_gone(files / "dates.pdf", "202603")


def with_xmp(path: Path, **values: str) -> None:
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as metadata:
            for key, value in values.items():
                metadata[key.replace("_", ":")] = value
        pdf.save(path)


def xmp_of(path: Path) -> dict[str, Any]:
    with pikepdf.open(path) as pdf, pdf.open_metadata(strict=True) as metadata:
        return {key.rpartition("}")[2]: value for key, value in metadata.items()}


@pytest.mark.parametrize("how", [{"patterns": [r"\d{4}-\d\d-\d\d"]}, {"terms": ["2024-03"]}])
def test_dates_of_xmp_go_whole(ok: Ok, letter: Path, how: dict[str, Any]) -> None:
    dates = {"xmp_CreateDate": "2024-03-05T12:00:00+00:00", "xmp_ModifyDate": "2024-03-05"}
    with_xmp(letter, **dates, xmp_MetadataDate="2025", dc_title="From 2024-03-05")
    done = ok("redact_pdf", path="letter.pdf", **how)
    assert done["elsewhere"] == {"dates": 2, "metadata, scripts and other streams": 1}
    left = xmp_of(letter)
    assert left.pop("title").startswith("From ██")
    assert left == {"MetadataDate": "2025"}


@pytest.mark.parametrize("term", ["Li", "Title", "adobe"])
def test_xmp_whose_markup_holds_a_term_goes_whole(ok: Ok, letter: Path, term: str) -> None:
    with_xmp(letter, dc_title="By Li", xmp_CreatorTool="Title Maker")
    done = ok("redact_pdf", path="letter.pdf", terms=[term])
    assert any(warning.startswith("metadata (XMP) was removed") for warning in done["warnings"])
    with pikepdf.open(letter) as pdf:
        assert "/Metadata" not in pdf.Root


def test_a_pattern_that_only_dates_match_is_told_so(refused: Callable[..., str], letter: Path) -> None:
    message = refused("redact_pdf", path="letter.pdf", patterns=[r"\d{8}"])
    assert message.startswith(
        r"nothing to redact was found: '\\d{8}'; 2 dates of when something was made or changed stayed"
    )
