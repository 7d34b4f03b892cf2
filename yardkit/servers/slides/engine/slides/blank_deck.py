"""A new deck in the default design, as the bytes of a package."""

from __future__ import annotations

import io
import zipfile
from functools import lru_cache

from yardkit.kit.ooxml.relations import PACKAGE_REL, REL, TYPES
from yardkit.servers.slides.engine.package.units import EMU_PER_CM
from yardkit.servers.slides.engine.slides import default_design

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_ML = "application/vnd.openxmlformats-officedocument.presentationml"
_P = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    f'xmlns:r="{REL}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
WIDTHS_CM = {"16:9": 12_192_000 / EMU_PER_CM, "4:3": 25.4}
TABLE_STYLE = "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"


@lru_cache(maxsize=4)
def build_blank_deck(size: str) -> bytes:
    """A deck without slides, 16:9 (33.87 x 19.05 cm) or 4:3 (25.4 x 19.05 cm)."""
    width = WIDTHS_CM[size]
    drawn = default_design.write_layouts(width)
    parts = {
        "ppt/presentation.xml": _write_presentation(width),
        "ppt/presProps.xml": f"{_HEAD}<p:presentationPr {_P}/>",
        "ppt/tableStyles.xml": f'{_HEAD}<a:tblStyleLst {_P.split(" xmlns:r")[0]} def="{TABLE_STYLE}"/>',
        "ppt/theme/theme1.xml": default_design.write_theme(),
        "ppt/slideMasters/slideMaster1.xml": default_design.write_master(width, len(drawn)),
        **{f"ppt/slideLayouts/slideLayout{n}.xml": xml for n, xml in enumerate(drawn, 1)},
    }
    targets = [f"../slideLayouts/slideLayout{n}.xml" for n in range(1, len(drawn) + 1)]
    rels = {
        "_rels/.rels": _write_relations(("officeDocument", "ppt/presentation.xml")),
        "ppt/_rels/presentation.xml.rels": _write_relations(
            ("slideMaster", "slideMasters/slideMaster1.xml"),
            ("presProps", "presProps.xml"),
            ("theme", "theme/theme1.xml"),
            ("tableStyles", "tableStyles.xml"),
        ),
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": _write_relations(
            *(("slideLayout", target) for target in targets), ("theme", "../theme/theme1.xml")
        ),
        **{
            f"ppt/slideLayouts/_rels/slideLayout{n}.xml.rels": _write_relations(
                ("slideMaster", "../slideMasters/slideMaster1.xml")
            )
            for n in range(1, len(drawn) + 1)
        },
    }
    return _zip_members({"[Content_Types].xml": _write_types(list(parts)), **rels, **parts})


def _write_presentation(width: float) -> str:
    wide, high = round(width * EMU_PER_CM), round(default_design.HEIGHT_CM * EMU_PER_CM)
    levels = "".join(
        f'<a:lvl{n}pPr marL="{457200 * (n - 1)}" algn="l"><a:defRPr sz="1800" kern="1200"><a:solidFill>'
        '<a:schemeClr val="tx1"/>'
        '</a:solidFill><a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/>'
        f"</a:defRPr></a:lvl{n}pPr>"
        for n in range(1, 10)
    )
    return (
        f'{_HEAD}<p:presentation {_P} saveSubsetFonts="1"><p:sldMasterIdLst><p:sldMasterId id="2147483648" '
        'r:id="rId1"/>'
        f'</p:sldMasterIdLst><p:sldSz cx="{wide}" cy="{high}"/><p:notesSz cx="6858000" cy="9144000"/>'
        f"<p:defaultTextStyle>{levels}</p:defaultTextStyle></p:presentation>"
    )


def _write_relations(*targets: tuple[str, str]) -> str:
    entries = "".join(
        f'<Relationship Id="rId{n}" Type="{REL}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(targets, 1)
    )
    return f'{_HEAD}<Relationships xmlns="{PACKAGE_REL}">{entries}</Relationships>'


def _write_types(parts: list[str]) -> str:
    kinds = {
        "presentation": f"{_ML}.presentation.main+xml",
        "presProps": f"{_ML}.presProps+xml",
        "tableStyles": f"{_ML}.tableStyles+xml",
        "theme": "application/vnd.openxmlformats-officedocument.theme+xml",
        "slideMaster": f"{_ML}.slideMaster+xml",
        "slideLayout": f"{_ML}.slideLayout+xml",
    }
    named = {part: part.rsplit("/", 1)[-1].removesuffix(".xml").rstrip("0123456789") for part in parts}
    entries = "".join(f'<Override PartName="/{part}" ContentType="{kinds[name]}"/>' for part, name in named.items())
    return (
        f'{_HEAD}<Types xmlns="{TYPES}"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
        'ContentType="application/xml"/>'
        f"{entries}</Types>"
    )


def _zip_members(members: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(zipfile.ZipInfo(name), text.encode())
    return buffer.getvalue()
