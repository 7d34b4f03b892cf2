"""Barcodes, written and read."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFilter, ImageOps
from support.answers import Call, make_caller, read_text
from support.scale import count_tries

from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.barcodes import engine
from yardkit.servers.barcodes.engine import decode_barcodes, encode_barcode


@pytest.fixture
def call(files: Path) -> Call:
    return make_caller(load_server("barcodes"))


def call_tool(call: Call, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = call(tool, **arguments)
    assert not answer.is_error, read_text(answer)
    facts: dict[str, Any] = answer.structured_content
    return facts


_alphabets: dict[str, st.SearchStrategy[str]] = {
    "QRCode": st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60),
    "DataMatrix": st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40),
    "Aztec": st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40),
    "PDF417": st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40),
    "Code128": st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=20),
    "Code93": st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=20),
    "Code39": st.text("ABCXYZ0189-. ", min_size=1, max_size=20),
    "EAN13": st.text("0123456789", min_size=12, max_size=12),
    "EAN8": st.text("0123456789", min_size=7, max_size=7),
    "UPCA": st.text("0123456789", min_size=11, max_size=11),
}


@settings(max_examples=count_tries(400, 60), deadline=None)
@given(st.sampled_from(sorted(_alphabets)).flatmap(lambda kind: st.tuples(st.just(kind), _alphabets[kind])))
def test_whatever_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, written: tuple[engine.Kind, str]
) -> None:
    kind, text = written
    data, encoded_text, *_ = encode_barcode(text, kind, 3, label=False, correction="M", suffix=".png")
    path = tmp_path_factory.getbasetemp() / "code.png"
    path.write_bytes(data)
    assert encoded_text.startswith(text)
    [barcode], _ = decode_barcodes(path, None)
    assert barcode.text.removeprefix("0" if kind == "UPCA" else "") == encoded_text


def draw_board(call: Call, files: Path) -> list[tuple[str, str]]:
    """Three codes on one picture, one of them turned, one on a slant, one small and grey."""
    codes = [("QRCode", "https://example.org/a?b=1"), ("EAN13", "4006381333931"), ("DataMatrix", "lot 7")]
    picture = Image.new("RGB", (900, 700), (235, 230, 220))
    for (kind, text), place, turn in zip(codes, ((60, 60), (420, 80), (300, 430)), (0, 90, 25), strict=True):
        call_tool(call, "write_barcode", text=text, kind=kind, target=f"{kind}.png", module_px=5 if turn == 25 else 3)
        with Image.open(files / f"{kind}.png") as code:
            picture.paste(code.convert("RGB").rotate(turn, expand=True, fillcolor=(235, 230, 220)), place)
    picture.save(files / "board.jpg", quality=80)
    return codes


def test_several_codes_of_a_picture_are_read_where_they_are(call: Call, files: Path) -> None:
    codes = draw_board(call, files)
    barcodes = call_tool(call, "mark_barcodes", path="board.jpg", target="marks.png")["barcodes"]
    assert sorted((barcode["format"], barcode["text"]) for barcode in barcodes) == sorted(codes)
    upper_left = next(barcode for barcode in barcodes if barcode["format"] == "QRCode")
    assert upper_left["box"] == pytest.approx([72, 72, 147, 147], abs=4)
    [alone] = call_tool(call, "read_barcodes", path="board.jpg", bbox_px=[0, 0, 250, 250])["barcodes"]
    assert alone["box"] == upper_left["box"]
    assert (files / "marks.png").is_file()


def test_a_picture_without_codes_has_none(call: Call, files: Path) -> None:
    Image.new("RGB", (300, 200), "white").save(files / "empty.png")
    text = read_text(call("read_barcodes", path="empty.png"))
    assert text.startswith("0 barcodes read in 300 x 200 px; a code that is small")


def test_check_digits_are_made_and_checked(call: Call) -> None:
    assert (
        call_tool(call, "write_barcode", text="400638133393", kind="EAN13", target="a.png")["text"] == "4006381333931"
    )
    refused = read_text(call("write_barcode", text="4006381333932", kind="EAN13", target="b.png"))
    assert "Invalid check digit '2', expecting '1'; it takes 12 digits" in refused


@pytest.mark.parametrize(
    ("kind", "text", "wrong"),
    [
        ("Code39", "abc", "would encode 'ABC' instead of 'abc'; it takes capital letters"),
        ("ITF", "123", "would encode '0123' instead of '123'; it takes an even number of digits"),
        ("EAN8", "cup", "it takes 7 digits"),
        ("QRCode", "x" * 4000, "too long"),
    ],
)
def test_what_a_kind_cannot_say_as_it_stands_is_refused(
    call: Call, files: Path, kind: str, text: str, wrong: str
) -> None:
    assert wrong in read_text(call("write_barcode", text=text, kind=kind, target="code.png"))
    assert list(files.iterdir()) == []


def test_an_svg_holds_the_same_code_with_its_label(call: Call, files: Path) -> None:
    written = call_tool(call, "write_barcode", text="ABC-1", kind="Code128", target="code.svg", label=True)
    drawing = (files / "code.svg").read_text()
    assert drawing.startswith("<?xml")
    assert "ABC-1" in drawing
    assert written["text"] == "ABC-1"
    assert "end it with .png or .svg" in read_text(call("write_barcode", text="a", target="code.gif"))


def test_blurred_bars_are_read_from_sharpened_copies_that_agree(call: Call, files: Path) -> None:
    call("write_barcode", text="400638133393", kind="EAN13", target="label.png", module_px=4)
    with Image.open(files / "label.png") as label:
        paper = ImageOps.expand(label.convert("L"), 40, fill=255)
    paper.filter(ImageFilter.GaussianBlur(2.4)).save(files / "photo.png")
    barcodes = call_tool(call, "read_barcodes", path="photo.png")["barcodes"]
    assert [(code["format"], code["text"]) for code in barcodes] == [("EAN13", "4006381333931")]


@pytest.mark.parametrize("kind", ["Code128", "DataMatrix", "QRCode", "Aztec"])
@pytest.mark.parametrize(
    "fields",
    [[("01", "09501101530003"), ("10", "AB12")], [("00", "395011015300001018")], [("21", "7"), ("17", "261231")]],
)
def test_fields_in_parentheses_become_a_gs1_code_and_are_read_as_one(
    call: Call, files: Path, kind: str, fields: list[tuple[str, str]]
) -> None:
    text = "".join(f"({identifier}){value}" for identifier, value in fields)
    written = call_tool(call, "write_barcode", text=text, kind=kind, target="label.png")
    assert (written["is_gs1"], written["note"], written["text"]) == (True, "", text)
    with Image.open(files / "label.png") as label:
        ImageOps.expand(label.convert("L"), 40, fill=255).save(files / "photo.png")
    (code,) = call_tool(call, "read_barcodes", path="photo.png")["barcodes"]
    assert (code["gs1"], code["text"].replace("\x1d", "")) == (text, "".join(map("".join, fields)))


def test_what_is_no_gs1_code_stays_plain_text_and_a_wrong_one_is_refused(call: Call) -> None:
    for text, kind in (("(030)1234567", "QRCode"), ("(01)09501101530003", "PDF417")):
        written = call_tool(call, "write_barcode", text=text, kind=kind, target="plain.png")
        assert (written["is_gs1"], written["text"]) == (False, text)
        assert "plain text, not a GS1 code" in written["note"]
    wrong = read_text(call("write_barcode", text="(01)09501101530004", kind="QRCode", target="wrong.png"))
    assert "the check digit of (01) must be 3" in wrong
    assert "Invalid data length for AI (17)" in read_text(
        call("write_barcode", text="(17)2612(10)A", kind="Code128", target="wrong.png")
    )
