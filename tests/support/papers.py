# ruff: noqa: E501 - lines of XML
"""Documents for tests: by python-docx, by LibreOffice, and written by hand with what those do not write."""

import subprocess
import zipfile
from pathlib import Path

import docx
from docx.enum.section import WD_SECTION
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm
from PIL import Image

LOREM = "Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy eirmod tempor. "
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_HAND_BODY = """<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>Terms</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">The pay</w:t></w:r><w:proofErr w:type="spellStart"/><w:r><w:rPr><w:b/></w:rPr>
<w:t>ment</w:t></w:r><w:r><w:t xml:space="preserve"> term is </w:t></w:r><w:del w:id="7" w:author="Ann"
 w:date="2026-01-01T00:00:00Z"><w:r><w:delText>sixty</w:delText></w:r></w:del><w:ins w:id="8" w:author="Ann"
 w:date="2026-01-01T00:00:00Z"><w:r><w:t>thirty</w:t></w:r></w:ins><w:r><w:t xml:space="preserve"> days; see </w:t></w:r>
<w:hyperlink r:id="rId9"><w:r><w:t>the payment page</w:t></w:r></w:hyperlink><w:r><w:t>.</w:t></w:r></w:p>
<w:p><w:bookmarkStart w:id="1" w:name="clause"/><w:r><w:t>Clause</w:t></w:r><w:bookmarkEnd w:id="1"/><w:r><w:t
 xml:space="preserve"> of page </w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText>
</w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>
<w:sdt><w:sdtPr><w:alias w:val="Client"/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>payment by Acme</w:t></w:r></w:p></w:sdtContent>
</w:sdt><w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/>
<wp:docPr id="3" name="Box"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape">
<wps:wsp><wps:txbx><w:txbxContent><w:p><w:r><w:t>Box pay</w:t></w:r><w:r><w:t>ment</w:t></w:r></w:p></w:txbxContent></wps:txbx>
<wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>
<w:txbxContent><w:p><w:r><w:t>Box payment</w:t></w:r></w:p></w:txbxContent></v:textbox></w:pict></mc:Fallback>
</mc:AlternateContent></w:r><w:r><w:t>after the box</w:t></w:r></w:p><w:p/><w:p/><w:p><w:r><w:t>Twin</w:t></w:r></w:p>
<w:p><w:r><w:t>Twin</w:t></w:r></w:p><w:p><w:r><w:t>Last payment</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>"""
_HAND_SPACES = (
    f'xmlns:w="{W}" xmlns:r="{_R}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)
_HAND = {
    "[Content_Types].xml": """<?xml version="1.0"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels"
 ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>
<Override PartName="/word/footnotes.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/></Types>""",
    "_rels/.rels": f"""<?xml version="1.0"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1"
 Type="{_R}/officeDocument" Target="word/document.xml"/></Relationships>""",
    "word/_rels/document.xml.rels": f"""<?xml version="1.0"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="{_R}/styles"
 Target="styles.xml"/><Relationship Id="rId2" Type="{_R}/footnotes" Target="footnotes.xml"/><Relationship Id="rId9"
 Type="{_R}/hyperlink" Target="https://example.org/pay" TargetMode="External"/></Relationships>""",
    "word/document.xml": f"""<?xml version="1.0"?>
<w:document {_HAND_SPACES}><w:body>{_HAND_BODY.replace(chr(10), "")}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:body></w:document>""",
    "word/styles.xml": f"""<?xml version="1.0"?>
<w:styles xmlns:w="{W}"><w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="Standard"/><w:pPr>
<w:outlineLvl w:val="0"/></w:pPr></w:style></w:styles>""",
    "word/footnotes.xml": f"""<?xml version="1.0"?>
<w:footnotes xmlns:w="{W}"><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>
<w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> note on payment</w:t></w:r></w:p></w:footnote>
</w:footnotes>""",
    "customXml/item1.xml": "<keep>me</keep>",
}


def read_parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def list_changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    """The names of parts that differ."""
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def write_by_hand(path: Path, **others: str) -> None:
    """A document with split runs, tracked changes, a link, a field, a content control, a text box and a footnote."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (_HAND | others).items():
            archive.writestr(name, text)


def write_commented_notes(path: Path) -> None:
    """Two paragraphs, each with a comment and with a footnote that says its number."""
    paper = docx.Document()
    notes = ""
    for number in (1, 2):
        paragraph = paper.add_paragraph(f"Paragraph {number}")
        paper.add_comment(paragraph.runs, text="Really?", author="Ann", initials="A")
        reference = OxmlElement("w:footnoteReference")
        reference.set(qn("w:id"), str(number))
        paragraph.add_run()._r.append(reference)
        notes += f'<w:footnote w:id="{number}"><w:p><w:r><w:t>Note {number}</w:t></w:r></w:p></w:footnote>'
    part = PackURI("/word/footnotes.xml")
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    notes_part = Part(part, kind, f'<w:footnotes xmlns:w="{W}">{notes}</w:footnotes>'.encode(), paper.part.package)
    paper.part.relate_to(notes_part, f"{_R}/footnotes")
    paper.save(str(path))


def write_with_python_docx(path: Path, picture: Path) -> None:
    """A report with headings, lists, a merged table, a picture, two sections, header and footer."""
    paper = docx.Document()
    paper.add_heading("Report", 0)
    paper.add_heading("Results", 1)
    paragraph = paper.add_paragraph("Revenue was ")
    paragraph.add_run("up ").bold = True
    paragraph.add_run("in March.").italic = True
    for text in ("apples", "pears"):
        paper.add_paragraph(text, "List Bullet")
    for text in ("first", "second"):
        paper.add_paragraph(text, "List Number")
    paper.add_heading("Details", 2)
    table = paper.add_table(4, 3, "Table Grid")
    for row in range(4):
        for column in range(3):
            table.cell(row, column).text = f"r{row + 1}c{column + 1}"
    table.cell(1, 0).merge(table.cell(2, 0))
    Image.new("RGB", (200, 100), "navy").save(picture)
    paper.add_picture(str(picture), width=Cm(5))
    paper.sections[0].header.paragraphs[0].text = "Draft report"
    paper.sections[0].footer.paragraphs[0].text = "Acme"
    paper.add_section(WD_SECTION.NEW_PAGE)
    paper.add_heading("Annex", 1)
    paper.add_paragraph("The end.")
    paper.save(str(path))


def resave_document(path: Path, folder: Path) -> Path:
    """The document as LibreOffice saves it."""
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = ["soffice", profile, "--headless", "--convert-to", "docx", "--outdir", str(folder), str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=240)
    return folder / path.name
