"""Files that ask for what lies outside of their workspace, and a listener that hears who asked."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.web import Request, send_answer, serve_requests

_TYPES = """<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"""
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
_BODY = f"""<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="{_KINDS}"
 xmlns:wp="{_DRAWING}/wordprocessingDrawing" xmlns:a="{_DRAWING}/main" xmlns:pic="{_DRAWING}/picture"><w:body><w:p>
<w:r><w:t>hello</w:t></w:r><w:r><w:drawing><wp:inline><wp:extent cx="3000000" cy="3000000"/><wp:docPr id="1" name="p"/>
<a:graphic><a:graphicData uri="{_DRAWING}/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/>
</pic:nvPicPr><pic:blipFill><a:blip r:link="rId1"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm>
<a:off x="0" y="0"/><a:ext cx="3000000" cy="3000000"/></a:xfrm>
<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>
</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p></w:body></w:document>"""


@contextmanager
def listen_for_requests() -> Iterator[tuple[str, list[str]]]:
    """The address of a web server of this machine, and what was asked of it."""
    asked: list[str] = []

    def respond(request: Request) -> None:
        asked.append(f"{request.command} {request.path}")
        send_answer(request, 404)

    with serve_requests(respond) as address:
        yield address, asked


def linked_picture(path: Path, target: str) -> None:
    """A document whose picture is elsewhere."""

    def relations(kind: str, aim: str, mode: str = "") -> str:
        relation = f'<Relationship Id="rId1" Type="{_KINDS}/{kind}" Target="{aim}"{mode}/>'
        return f'<Relationships xmlns="{_RELATIONS}">{relation}</Relationships>'

    with zipfile.ZipFile(path, "w") as package:
        package.writestr("[Content_Types].xml", _TYPES)
        package.writestr("_rels/.rels", relations("officeDocument", "word/document.xml"))
        package.writestr("word/document.xml", _BODY)
        package.writestr("word/_rels/document.xml.rels", relations("image", target, ' TargetMode="External"'))


def form_bomb(levels: int = 9) -> bytes:
    """A PDF of 2 kB with forms of which each draws the next ten times."""
    parts = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"]
    parts.append(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>")
    parts.append(_build_stream(b"", b"/F Do"))
    for number in range(levels):
        named = b"/Resources<</XObject<</F %d 0 R>>>>" % (6 + number)
        inside = b"/F Do " * 10 if number < levels - 1 else b"0 0 9 9 re f"
        parts.append(
            _build_stream(b"/Type/XObject/Subtype/Form/BBox[0 0 99 99]" + named * (number < levels - 1), inside)
        )
    data, places = b"%PDF-1.7\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(parts) + 1, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1) + table + end


def _build_stream(entries: bytes, content: bytes) -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(content), content)
