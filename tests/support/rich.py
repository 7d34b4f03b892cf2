"""Rich office files by several programs, and the parts that an edit changed, for tests of what edits leave alone."""

import io
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

from support.books import read_parts

PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def changed_parts(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    """Parts that were changed, added or taken away."""
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def make_picture(color: str = "navy") -> io.BytesIO:
    """A small PNG."""
    from PIL import Image

    data = io.BytesIO()
    Image.new("RGB", (60, 40), color).save(data, "PNG")
    data.seek(0)
    return data


def with_strange_parts(path: Path, owner: str, extra: dict[str, bytes] | None = None) -> Path:
    """Add what Office and add-ins leave in files and no library knows: custom XML, a font, a vendor's part, macros.

    The parts hang on the part `owner`; the vendor's relation type and content type are unknown to everybody.
    """
    parts = read_parts(path)
    folder = owner.split("/")[0]
    strange = {
        "customXml/item1.xml": b'<?xml version="1.0"?><ns0:data xmlns:ns0="urn:vendor"><ns0:x a="1"/> keep </ns0:data>',
        "customXml/itemProps1.xml": b'<?xml version="1.0" encoding="UTF-8" standalone="no"?><ds:datastoreItem '
        b'ds:itemID="{0F0F0F0F-1111-2222-3333-444444444444}" '
        b'xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml"/>',
        "customXml/_rels/item1.xml.rels": _build_relationships(
            [("rId1", f"{OFFICE}/customXmlProps", "itemProps1.xml")]
        ),
        f"{folder}/fonts/font1.fntdata": bytes(range(256)) * 9,
        f"{folder}/vendor/state.bin": b"\x00\x01vendor\xff" * 40,
        **(extra or {}),
    }
    rels = f"{folder}/_rels/{owner.split('/')[-1]}.rels"
    added = [
        ("rIdVendor1", f"{OFFICE}/customXml", "/customXml/item1.xml"),
        ("rIdVendor2", "urn:vendor/relations/state", "vendor/state.bin"),
        ("rIdVendor3", f"{OFFICE}/font", "fonts/font1.fntdata"),
    ]
    parts[rels] = _insert_text(
        parts[rels], "</Relationships>", "".join(_build_relationship(*relation) for relation in added)
    )
    parts["[Content_Types].xml"] = _insert_text(
        parts["[Content_Types].xml"],
        "</Types>",
        '<Default Extension="fntdata" ContentType="application/x-fontdata"/>'
        f'<Override PartName="/{folder}/vendor/state.bin" ContentType="application/vnd.vendor.state"/>'
        '<Override PartName="/customXml/itemProps1.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.customXmlProperties+xml"/>',
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**parts, **strange}.items():
            archive.writestr(name, data)
    return path


def workbook_by_xlsxwriter(path: Path) -> Path:
    """Charts with trendlines, a picture, a text box, data bars, icon sets, sparklines, validation, notes, a table,
    rich text, dynamic arrays, checkboxes, names, a hidden sheet, print set-up."""
    import xlsxwriter

    book = xlsxwriter.Workbook(path)
    data = book.add_worksheet("Data")
    data.write_row("A1", ["Month", "Sales", "Cost", "Profit"])
    for row in range(1, 25):
        data.write_row(row, 0, [f"M{row:02}", row * 100, row * 60])
        data.write_formula(row, 3, f"=B{row + 1}-C{row + 1}", None, row * 40)
    bold, red = book.add_format({"bold": True}), book.add_format({"font_color": "red"})
    data.write_rich_string("F1", "plain ", bold, "bold ", red, "red")
    data.write_dynamic_array_formula("F3", "=SORT(UNIQUE(B2:B25))")
    data.insert_checkbox("F2", boolean=True)
    data.add_table("H1:I4", {"name": "Rates", "data": [["EUR", 1], ["USD", 1.1], ["GBP", 0.9]]})
    data.conditional_format("B2:B25", {"type": "data_bar", "data_bar_2010": True})
    data.conditional_format("C2:C25", {"type": "icon_set", "icon_style": "3_arrows"})
    data.conditional_format("D2:D25", {"type": "cell", "criteria": ">", "value": 500, "format": red})
    data.data_validation("J2:J9", {"validate": "list", "source": ["yes", "no"]})
    data.add_sparkline("E2", {"range": "Data!B2:D2", "type": "column"})
    data.write_comment("B2", "A note")
    data.insert_image("L1", "dot.png", {"image_data": make_picture()})
    data.insert_textbox("L8", "A text box")
    data.merge_range("A30:D30", "Merged", bold)
    data.freeze_panes(1, 1)
    data.set_landscape()
    data.repeat_rows(0)
    data.set_header("&CHeader")
    data.write_url("A32", "https://example.com/", string="A link")
    chart = book.add_chart({"type": "line"})
    chart.add_series({"categories": "=Data!$A$2:$A$25", "values": "=Data!$B$2:$B$25", "trendline": {"type": "linear"}})
    chart.set_title({"name": "Sales"})
    data.insert_chart("L15", chart)
    hidden = book.add_worksheet("Hidden")
    hidden.write("A1", "secret")
    hidden.hide()
    other = book.add_worksheet("Other")
    other.write_formula("A1", "=SUM(Data!B2:B25)", None, 30000)
    book.define_name("Total", "=Other!$A$1")
    book.define_name("Rate", "=0.19")
    book.set_custom_property("Owner", "Ms Green")
    book.close()
    return with_strange_parts(path, "xl/workbook.xml")


def workbook_by_openpyxl(path: Path) -> Path:
    """Charts, comments, conditional formats, validations, protection, as openpyxl writes them."""
    import openpyxl
    from openpyxl.chart import BarChart, Reference
    from openpyxl.comments import Comment
    from openpyxl.drawing.image import Image
    from openpyxl.formatting.rule import ColorScaleRule
    from openpyxl.worksheet.datavalidation import DataValidation

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Data"
    for row in range(1, 30):
        sheet.append([row, row * 2, f"=A{row}+B{row}", f"text {row}"])
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=1, max_col=2, min_row=1, max_row=29))
    sheet.add_chart(chart, "H2")
    sheet["A1"].comment = Comment("checked", "Ann")
    sheet.conditional_formatting.add(
        "A1:A29",
        ColorScaleRule(start_type="min", start_color="FFFFFF", end_type="max", end_color="FF0000"),
    )
    validation = DataValidation(type="whole", operator="between", formula1=1, formula2=99)
    validation.add("B1:B29")
    sheet.add_data_validation(validation)
    sheet.add_image(Image(make_picture("green")), "H20")
    sheet.protection.sheet = True
    book.create_sheet("Other").append(["=Data!A1"])
    book.save(path)
    return with_strange_parts(path, "xl/workbook.xml")


def document_by_python_docx(path: Path) -> Path:
    """Headings, formats, tables, lists, a picture, header, footer, a comment, a text box and a content control."""
    import docx
    from docx.oxml import parse_xml
    from docx.shared import Cm

    document = docx.Document()
    document.add_heading("Report", 0)
    for number in range(1, 6):
        document.add_heading(f"Part {number}", 1)
        paragraph = document.add_paragraph("Revenue rose by ")
        paragraph.add_run("ten").bold = True
        paragraph.add_run(" per cent in ")
        paragraph.add_run("March").italic = True
        paragraph.add_run(f" of year {number}.")
        document.add_paragraph("An item", style="List Bullet")
    table = document.add_table(rows=3, cols=3, style="Table Grid")
    for row in table.rows:
        for cell in row.cells:
            cell.text = "cell"
    document.add_picture(make_picture(), width=Cm(3))
    document.sections[0].header.paragraphs[0].text = "The header"
    document.sections[0].footer.paragraphs[0].text = "The footer"
    document.add_comment(document.paragraphs[2].runs, "Is that so?", author="Ann", initials="A")
    document.element.body.insert(1, parse_xml(_TEXT_BOX))
    document.element.body.insert(2, parse_xml(_CONTROL))
    document.save(str(path))
    return with_strange_parts(path, "word/document.xml")


def deck_by_python_pptx(path: Path) -> Path:
    """Title, bullets, a table, charts, pictures, a group, notes, a connector, a transition."""
    import pptx
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
    from pptx.oxml import parse_xml
    from pptx.util import Cm

    deck = pptx.Presentation()
    for number in range(1, 6):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"Title {number}"
        slide.placeholders[1].text = "first\nsecond"
        slide.notes_slide.notes_text_frame.text = f"Say {number}"
    slide = deck.slides[1]
    data = CategoryChartData()
    data.categories = ["a", "b", "c"]
    data.add_series("Sales", (1, 2, 3))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Cm(2), Cm(8), Cm(10), Cm(8), data)
    slide.shapes.add_picture(make_picture(), Cm(14), Cm(8), Cm(4))
    table = deck.slides[2].shapes.add_table(3, 3, Cm(2), Cm(8), Cm(15), Cm(5)).table
    table.cell(0, 0).text = "Head"
    group = deck.slides[3].shapes.add_group_shape()
    group.shapes.add_shape(MSO_SHAPE.RECTANGLE, Cm(1), Cm(1), Cm(2), Cm(2))
    group.shapes.add_shape(MSO_SHAPE.OVAL, Cm(4), Cm(1), Cm(2), Cm(2))
    deck.slides[3].shapes.add_connector(MSO_CONNECTOR.STRAIGHT, Cm(1), Cm(9), Cm(9), Cm(12))
    deck.slides[4]._element.append(parse_xml(_TRANSITION))
    deck.save(str(path))
    return with_strange_parts(path, "ppt/presentation.xml")


def by_libreoffice(source: Path, target: Path) -> Path:
    """The file as LibreOffice saves it, in the format of the target's suffix."""
    profile = f"-env:UserInstallation=file://{target.parent}/lo-profile"
    folder = target.parent / "lo-out"
    kind = target.suffix.lstrip(".")
    command = ["soffice", "--headless", profile, "--convert-to", kind, "--outdir", str(folder), str(source)]
    subprocess.run(command, check=True, capture_output=True, timeout=240)
    converted_path = folder / f"{source.stem}{target.suffix}"
    assert converted_path.exists(), f"LibreOffice did not open {source.name}"
    shutil.move(converted_path, target)
    return target


def _build_relationships(relations: list[tuple[str, str, str]]) -> bytes:
    inner = "".join(_build_relationship(*relation) for relation in relations)
    return f'<?xml version="1.0"?><Relationships xmlns="{PACKAGE}/relationships">{inner}</Relationships>'.encode()


def _build_relationship(identity: str, kind: str, target: str) -> str:
    return f'<Relationship Id="{identity}" Type="{kind}" Target="{target}"/>'


def _insert_text(data: bytes, before: str, text: str) -> bytes:
    assert before.encode() in data
    return data.replace(before.encode(), text.encode() + before.encode())


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TEXT_BOX = f"""<w:p {_W} xmlns:v="urn:schemas-microsoft-com:vml"><w:r><w:pict>
<v:shape id="box1" style="width:120pt;height:40pt"><v:textbox><w:txbxContent>
<w:p><w:r><w:t>In a box: ten per cent</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>"""
_CONTROL = f"""<w:sdt {_W}><w:sdtPr><w:alias w:val="Client"/><w:tag w:val="client"/></w:sdtPr>
<w:sdtContent><w:p><w:r><w:t>Client name</w:t></w:r></w:p></w:sdtContent></w:sdt>"""
_TRANSITION = """<p:transition xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" spd="slow">
<p:fade/></p:transition>"""


MAKERS: dict[str, tuple[Any, ...]] = {
    ".xlsx": (workbook_by_xlsxwriter, workbook_by_openpyxl),
    ".docx": (document_by_python_docx,),
    ".pptx": (deck_by_python_pptx,),
}
