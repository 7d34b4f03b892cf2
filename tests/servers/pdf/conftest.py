"""PDFs made by ReportLab, WeasyPrint, LibreOffice and by hand."""

import subprocess
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfgen.canvas import Canvas
from support.answers import Call, Golden

from yardkit.world.fonts import font_file


@pytest.fixture
def ok(done: Call) -> Call:
    return done


def write_letter(path: Path) -> None:
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=1)
    canvas.setTitle("Letter about Jane Roe")
    canvas.bookmarkPage("start")
    canvas.addOutlineEntry("Case of Jane Roe", "start")
    canvas.setFont("Helvetica", 12)
    canvas.drawString(72, 720, "Dear Jane Roe, your number is 4711-22.")
    canvas.drawString(72, 700, "We write to you about the office at the river, and Jane")
    canvas.drawString(72, 684, "Roe may answer until Friday.")
    canvas.linkURL("https://example.org/", (72, 640, 200, 655))
    canvas.showPage()
    canvas.setFont("Helvetica", 12)
    canvas.drawString(100, 100, "Turned page text")
    canvas.showPage()
    canvas.save()
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.pages[1].obj.Rotate = 90
        pdf.save(path, deterministic_id=True)


@pytest.fixture
def letter(golden: Golden) -> Path:
    """Two pages of ReportLab text, the second turned, with a bookmark, a link and metadata."""
    return golden("letter.pdf", write_letter)


def write_form(path: Path) -> None:
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(595, 842))
    page.obj.Contents = pdf.make_stream(b"BT /F1 14 Tf 50 800 Td (Antrag) Tj ET")
    helvetica = pdf.make_indirect(
        pikepdf.Dictionary(
            Type=pikepdf.Name.Font,
            Subtype=pikepdf.Name.Type1,
            BaseFont=pikepdf.Name.Helvetica,
            Encoding=pikepdf.Name.WinAnsiEncoding,
        )
    )
    page.obj.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=helvetica))

    def face(operators: bytes) -> Any:
        return pdf.make_stream(operators, Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=[0, 0, 14, 14])

    def widget(rect: list[float], **entries: Any) -> Any:
        widget_object = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Widget, Rect=rect, F=4, P=page.obj
        )
        for key, value in entries.items():
            widget_object["/" + key] = value
        return pdf.make_indirect(widget_object)

    name = pikepdf.Name
    empty, cross = face(b""), face(b"0 0 m 14 14 l 0 14 m 14 0 l S")
    box = {"MK": pikepdf.Dictionary(BC=[0, 0, 0]), "BS": pikepdf.Dictionary(W=1)}
    person = pdf.make_indirect(pikepdf.Dictionary(T="person", Kids=[]))
    full = widget(
        [50, 740, 250, 760], FT=name.Tx, T="full", Parent=person, DA="/Helv 0 Tf 0 0 1 rg", TU="Full name", **box
    )
    person.Kids.append(full)
    notes = widget([50, 640, 250, 720], FT=name.Tx, T="notes", Ff=4096, DA="/Helv 10 Tf 0 g", **box)
    code = widget([300, 740, 400, 760], FT=name.Tx, T="code", Ff=1 << 24, MaxLen=5, DA="/Helv 12 Tf 0 g", **box)
    agree = widget(
        [50, 600, 64, 614], FT=name.Btn, T="agree", AP=pikepdf.Dictionary(N={"/ja": cross, "/Off": empty}), AS=name.Off
    )
    color = pdf.make_indirect(pikepdf.Dictionary(FT=name.Btn, T="color", Ff=1 << 15, Kids=[], Opt=["Rot", "Grün"]))
    for number in range(2):
        look = pikepdf.Dictionary(N={f"/{number}": cross, "/Off": empty})
        color.Kids.append(widget([50 + 40 * number, 560, 64 + 40 * number, 574], Parent=color, AP=look, AS=name.Off))
    options = pikepdf.Array([pikepdf.Array(["de", "Germany"]), pikepdf.Array(["fr", "France"])])
    country = widget([50, 520, 170, 540], FT=name.Ch, T="country", Ff=1 << 17, Opt=options, DA="/Helv 12 Tf 0 g", **box)
    langs = widget(
        [50, 430, 170, 500],
        FT=name.Ch,
        T="langs",
        Ff=1 << 21,
        Opt=["English", "Dutch", "Greek"],
        DA="/Helv 12 Tf 0 g",
        **box,
    )
    fixed = widget([300, 600, 400, 620], FT=name.Tx, T="fixed", Ff=1, V="unchangeable", DA="/Helv 12 Tf 0 g")
    page.obj.Annots = pdf.make_indirect(pikepdf.Array([full, notes, code, agree, *color.Kids, country, langs, fixed]))
    pdf.Root.AcroForm = pikepdf.Dictionary(
        Fields=[person, notes, code, agree, color, country, langs, fixed],
        DR=pikepdf.Dictionary(Font=pikepdf.Dictionary(Helv=helvetica)),
        DA="/Helv 12 Tf 0 g",
    )
    pdf.save(path, static_id=True)


@pytest.fixture
def form(golden: Golden) -> Path:
    """A form written by hand: a check box whose state is ``/ja``, radios with texts of their own, all kinds."""
    return golden("form.pdf", write_form)


def write_scan_picture(path: Path) -> None:
    image = Image.new("RGB", (1240, 900), "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.truetype(font_file("Liberation Sans"), 48)
    pen.text((120, 150), "Invoice number 2026 117", fill="black", font=font)
    pen.text((120, 320), "Payable to Jane Roe", fill="black", font=font)
    image.save(path, dpi=(150, 150))


@pytest.fixture
def scan(golden: Golden) -> Path:
    """A page that is only a picture of text; the picture stands beside it."""
    picture = golden("scan.png", write_scan_picture)

    def write_scan(path: Path) -> None:
        canvas = Canvas(str(path), pagesize=(595.2, 432), invariant=1)
        canvas.drawImage(str(picture), 0, 0, 595.2, 432)
        canvas.save()

    return golden("scan.pdf", write_scan)


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PDF by LibreOffice (subset TrueType fonts, kerning), with a term in body, table and header."""
    folder = tmp_path_factory.mktemp("office")
    (folder / "memo.html").write_text(
        "<html><head><title>Memo on Jane Roe</title></head><body><h1>About Jane Roe</h1><p style='text-align:justify'>"
        + "The case of <b>Jane</b> Roe is long and has many words that are justified over the whole line. " * 6
        + "</p><table border=1><tr><td>Name</td><td>Jane Roe</td></tr>"
        + "<tr><td>City</td><td>Kraków</td></tr></table></body></html>",
        "utf-8",
    )
    command = [
        "soffice",
        "--headless",
        f"-env:UserInstallation=file://{folder}/profile",
        "--convert-to",
        "pdf:writer_web_pdf_Export",
    ]
    subprocess.run(
        [*command, "--outdir", str(folder), str(folder / "memo.html")], check=True, capture_output=True, timeout=120
    )
    return folder / "memo.pdf"
