"""The drawings of the default design: one slide master, eleven layouts, a theme; written as PresentationML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from yardkit.servers.slides.engine.package.units import EMU_PER_CM

_NS = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_GROUP = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off '
    'x="0" y="0"/>'
    '<a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
)
_NUMBER = "{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}"
COLORS = {
    "dk1": "1F2530", "lt1": "FFFFFF", "dk2": "14213D", "lt2": "F2F5FA", "accent1": "2457C5", "accent2": "0B7F8A",
    "accent3": "C67600", "accent4": "B83A4F", "accent5": "6C4AB6", "accent6": "2F7D4F", "hlink": "1F4FB8",
    "folHlink": "6C4AB6",
}  # fmt: skip
FONT = "Arial"
HEIGHT_CM = 19.05
_EDGE = 1.6
_BULLETS = (("\u2022", 20), ("\u2013", 18), ("\u2022", 16), ("\u2013", 14), ("\u2022", 14))
_INDENT_EMU = 228_600


@dataclass(frozen=True)
class Area:
    """A box in cm."""

    left: float
    top: float
    width: float
    height: float

    def xml(self) -> str:
        left, top, width, height = (round(v * EMU_PER_CM) for v in (self.left, self.top, self.width, self.height))
        return f'<a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'


class Sheet:
    """Collects the shapes of a master or layout and numbers them."""

    def __init__(self) -> None:
        self.shapes: list[str] = []

    def bar(self, area: Area, color: str) -> None:
        """A filled rectangle that belongs to the design."""
        self.shapes.append(
            f'<p:sp><p:nvSpPr><p:cNvPr id="{len(self.shapes) + 2}" name="Design {len(self.shapes) + 1}"/><p:cNvSpPr/>'
            f'<p:nvPr userDrawn="1"/></p:nvSpPr><p:spPr>{area.xml()}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
            f'<a:solidFill><a:schemeClr val="{color}"/></a:solidFill><a:ln><a:noFill/></a:ln></p:spPr>'
            '<p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr lang="en-US"/></a:p></p:txBody></p:sp>'
        )

    def add_placeholder(
        self,
        kind: str,
        index: int,
        name: str,
        area: Area | None,
        *,
        prompt: str = "Click to edit text",
        body: str = "",
        levels: str = "",
    ) -> None:
        """A placeholder; without an area it lies where the master's does."""
        typed = f' type="{kind}"' if kind != "obj" else ""
        numbered = f' idx="{index}"' if index else ""
        place = f"<p:spPr>{area.xml()}</p:spPr>" if area else "<p:spPr/>"
        field = f'<a:fld id="{_NUMBER}" type="slidenum"><a:rPr lang="en-US"/><a:t>#</a:t></a:fld>'
        text = field if kind == "sldNum" else f'<a:r><a:rPr lang="en-US"/><a:t>{prompt}</a:t></a:r>'
        # LibreOffice takes the format of a footer from a run in the master.
        text = '<a:r><a:rPr lang="en-US"/><a:t> </a:t></a:r>' if kind in ("dt", "ftr") else text
        inner = f"<a:bodyPr{body}</a:bodyPr>" if body else "<a:bodyPr/>"
        self.shapes.append(
            f'<p:sp><p:nvSpPr><p:cNvPr id="{len(self.shapes) + 2}" name="{name}"/><p:cNvSpPr><a:spLocks noGrp="1"/>'
            f"</p:cNvSpPr><p:nvPr><p:ph{typed}{numbered}/></p:nvPr></p:nvSpPr>{place}<p:txBody>{inner}"
            f"<a:lstStyle>{levels}</a:lstStyle><a:p>{text}</a:p></p:txBody></p:sp>"
        )

    def add_feet(self, width: float, color: str = "") -> None:
        """Date, footer and slide number along the lower edge."""
        third = (width - 2 * _EDGE) / 3
        for number, (kind, name) in enumerate((("dt", "Date"), ("ftr", "Footer"), ("sldNum", "Slide Number"))):
            area = Area(_EDGE + number * third, 17.65, third, 0.9)
            align = ("l", "ctr", "r")[number]
            self.add_placeholder(
                kind,
                10 + number,
                f"{name} Placeholder",
                area,
                body=' lIns="0" rIns="0" anchor="ctr">',
                levels=_write_level(1, 10, color or _GREY, align=align),
            )


_GREY = '<a:schemeClr val="tx1"><a:lumMod val="65000"/><a:lumOff val="35000"/></a:schemeClr>'
_WHITE = '<a:schemeClr val="bg1"/>'
_PALE = '<a:schemeClr val="bg1"><a:lumMod val="85000"/></a:schemeClr>'
_DARK = '<a:schemeClr val="tx2"/>'


def _write_level(number: int, size: float, color: str = "", *, align: str = "", bold: bool | None = None) -> str:
    """A level of a list style without bullet."""
    aligned = f' algn="{align}"' if align else ""
    heavy = "" if bold is None else f' b="{int(bold)}"'
    fill = f"<a:solidFill>{color}</a:solidFill>" if color else ""
    return (
        f'<a:lvl{number}pPr marL="0" indent="0"{aligned}><a:buNone/>'
        f'<a:defRPr sz="{round(size * 100)}"{heavy}>{fill}</a:defRPr></a:lvl{number}pPr>'
    )


def _write_sizes(*sizes: int) -> str:
    """Smaller text for narrow placeholders: a size per level."""
    return "".join(f'<a:lvl{n}pPr><a:defRPr sz="{size * 100}"/></a:lvl{n}pPr>' for n, size in enumerate(sizes, 1))


def write_theme() -> str:
    colors = "".join(f'<a:{slot}><a:srgbClr val="{value}"/></a:{slot}>' for slot, value in COLORS.items())
    font = f'<a:latin typeface="{FONT}"/><a:ea typeface=""/><a:cs typeface=""/>'
    line = '<a:ln w="{}"><a:solidFill><a:schemeClr val="phClr"/></a:solidFill></a:ln>'
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
    effect = "<a:effectStyle><a:effectLst/></a:effectStyle>"
    return (
        f'{_HEAD}<a:theme {_NS.split(" xmlns:r")[0]} name="Yardkit"><a:themeElements><a:clrScheme '
        f'name="Yardkit">{colors}'
        f'</a:clrScheme><a:fontScheme name="Yardkit"><a:majorFont>{font}</a:majorFont><a:minorFont>{font}'
        "</a:minorFont>"
        f'</a:fontScheme><a:fmtScheme name="Yardkit"><a:fillStyleLst>{fill * 3}</a:fillStyleLst><a:lnStyleLst>'
        f"{line.format(9525)}{line.format(19050)}{line.format(28575)}</a:lnStyleLst><a:effectStyleLst>{effect * 3}"
        f"</a:effectStyleLst><a:bgFillStyleLst>{fill * 3}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>"
    )


def write_master(width: float, layouts: int) -> str:
    sheet = Sheet()
    sheet.bar(Area(0, 1.2, 0.45, 1.6), "accent1")
    sheet.add_placeholder(
        "title", 0, "Title Placeholder", _get_title_area(width), prompt="Click to edit title", body=_TITLE_BODY
    )
    sheet.add_placeholder(
        "body", 1, "Text Placeholder", _get_body_area(width), body=' lIns="0" rIns="0"><a:normAutofit/>'
    )
    sheet.add_feet(width)
    listed = "".join(f'<p:sldLayoutId id="{2147483649 + n}" r:id="rId{n}"/>' for n in range(1, layouts + 1))
    title = (
        '<a:lvl1pPr algn="l"><a:lnSpc><a:spcPct val="95000"/></a:lnSpc><a:spcBef><a:spcPct val="0"/></a:spcBef>'
        "<a:buNone/>"
        f'<a:defRPr sz="2800" b="1" kern="1200"><a:solidFill>{_DARK}</a:solidFill><a:latin typeface="+mj-lt"/>'
        '<a:ea typeface="+mj-ea"/><a:cs typeface="+mj-cs"/></a:defRPr></a:lvl1pPr>'
    )
    body = "".join(_write_bullet_level(number, *bullet) for number, bullet in enumerate(_BULLETS))
    other = "".join(
        f'<a:lvl{n}pPr marL="{457200 * (n - 1)}" algn="l"><a:defRPr sz="1800" kern="1200"><a:solidFill>'
        '<a:schemeClr val="tx1"/>'
        f'</a:solidFill><a:latin typeface="+mn-lt"/></a:defRPr></a:lvl{n}pPr>'
        for n in range(1, 10)
    )
    mapped = (
        'bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" '
        'accent4="accent4" '
        'accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"'
    )
    return (
        f'{_HEAD}<p:sldMaster {_NS}><p:cSld><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>'
        "<p:spTree>"
        f"{_GROUP}{''.join(sheet.shapes)}</p:spTree></p:cSld><p:clrMap {mapped}/><p:sldLayoutIdLst>{listed}"
        f"</p:sldLayoutIdLst><p:txStyles><p:titleStyle>{title}</p:titleStyle><p:bodyStyle>{body}</p:bodyStyle>"
        f"<p:otherStyle>{other}</p:otherStyle></p:txStyles></p:sldMaster>"
    )


_TITLE_BODY = ' lIns="0" rIns="0" anchor="ctr"><a:normAutofit/>'


def _write_bullet_level(number: int, mark: str, size: int) -> str:
    left = _INDENT_EMU + number * 342_900
    before = 1000 if number == 0 else 500
    return (
        f'<a:lvl{number + 1}pPr marL="{left}" indent="-{_INDENT_EMU}" algn="l"><a:lnSpc><a:spcPct '
        'val="100000"/></a:lnSpc>'
        f'<a:spcBef><a:spcPts val="{before}"/></a:spcBef><a:buClr><a:schemeClr val="accent1"/></a:buClr>'
        f'<a:buFont typeface="Arial"/><a:buChar char="{mark}"/><a:defRPr sz="{size * 100}" kern="1200"><a:solidFill>'
        '<a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/>'
        f'<a:cs typeface="+mn-cs"/></a:defRPr></a:lvl{number + 1}pPr>'
    )


def _get_title_area(width: float) -> Area:
    return Area(_EDGE, 0.9, width - 2 * _EDGE, 2.2)


def _get_body_area(width: float) -> Area:
    return Area(_EDGE, 3.7, width - 2 * _EDGE, 13.4)


def _split_columns(width: float, count: int, top: float, height: float) -> list[Area]:
    gap = 1.2
    value = (width - 2 * _EDGE - gap * (count - 1)) / count
    return [Area(_EDGE + n * (value + gap), top, value, height) for n in range(count)]


def _draw_cover(sheet: Sheet, width: float) -> None:
    sheet.bar(Area(0, 0, 0.9, HEIGHT_CM), "accent1")
    big = _write_level(1, 40, _WHITE, align="l", bold=True)
    box = Area(3, 4.4, width - 6, 5.2)
    sheet.add_placeholder("ctrTitle", 0, "Title", box, prompt="Click to edit title", body=_LOW, levels=big)
    sheet.bar(Area(3, 10.0, 3.2, 0.14), "accent3")
    text = _write_level(1, 20, _PALE, align="l")
    sheet.add_placeholder("subTitle", 1, "Subtitle", Area(3, 10.6, width - 6, 3), body=_TEXT, levels=text)
    sheet.add_feet(width, _PALE)


_LOW = ' lIns="0" rIns="0" anchor="b"><a:normAutofit/>'
_TEXT = ' lIns="0" rIns="0"><a:normAutofit/>'


def _draw_content(sheet: Sheet, width: float) -> None:
    sheet.add_placeholder("title", 0, "Title", None, prompt="Click to edit title")
    sheet.add_placeholder("obj", 1, "Content Placeholder", _get_body_area(width))
    sheet.add_feet(width)


def _draw_section(sheet: Sheet, width: float) -> None:
    sheet.bar(Area(3, 10.0, 3.2, 0.14), "accent3")
    big = _write_level(1, 34, _WHITE, align="l", bold=True)
    sheet.add_placeholder(
        "title", 0, "Title", Area(3, 5.4, width - 6, 4.2), prompt="Click to edit title", body=_LOW, levels=big
    )
    text = _write_level(1, 18, _WHITE, align="l")
    sheet.add_placeholder("body", 1, "Text Placeholder", Area(3, 10.6, width - 6, 3), body=_TEXT, levels=text)
    sheet.add_feet(width, _WHITE)


def _draw_several(count: int) -> Callable[[Sheet, float], None]:
    def draw(sheet: Sheet, width: float) -> None:
        sheet.add_placeholder("title", 0, "Title", None, prompt="Click to edit title")
        sizes = _write_sizes(18, 16, 14, 12, 12) if count == 2 else _write_sizes(16, 14, 12, 12, 12)
        for index, area in enumerate(_split_columns(width, count, 3.7, 13.4), 1):
            sheet.add_placeholder("obj", index, f"Content Placeholder {index}", area, body=_TEXT, levels=sizes)
        sheet.add_feet(width)

    return draw


def _draw_comparison(sheet: Sheet, width: float) -> None:
    sheet.add_placeholder("title", 0, "Title", None, prompt="Click to edit title")
    heads, bodies = _split_columns(width, 2, 3.6, 1.4), _split_columns(width, 2, 5.3, 11.8)
    heading = _write_level(1, 18, '<a:schemeClr val="accent1"/>', bold=True)
    for number, (head, body) in enumerate(zip(heads, bodies, strict=True)):
        name = f"Heading Placeholder {number + 1}"
        sheet.add_placeholder("body", 2 * number + 1, name, head, body=_LOW, levels=heading)
        sheet.bar(Area(head.left, 5.05, head.width, 0.06), "accent1")
        name = f"Content Placeholder {number + 1}"
        sheet.add_placeholder("obj", 2 * number + 2, name, body, body=_TEXT, levels=_write_sizes(18, 16, 14, 12, 12))
    sheet.add_feet(width)


def _title_only(sheet: Sheet, width: float) -> None:
    sheet.add_placeholder("title", 0, "Title", None, prompt="Click to edit title")
    sheet.add_feet(width)


def _draw_blank(sheet: Sheet, width: float) -> None:
    sheet.add_feet(width)


def _draw_captioned(kind: str, index: int, name: str) -> Callable[[Sheet, float], None]:
    def draw(sheet: Sheet, width: float) -> None:
        picture = kind == "pic"
        part = width * 0.56 if picture else (width - 2 * _EDGE) * 0.62
        area = Area(0, 0, part, HEIGHT_CM) if picture else Area(_EDGE, 3.7, part, 13.4)
        left = part + (1.4 if picture else _EDGE + 1.2)
        rest = width - left - _EDGE
        if picture:
            box = Area(left, 3.2, rest, 4.2)
            sheet.add_placeholder(
                "title",
                0,
                "Title",
                box,
                prompt="Click to edit title",
                body=_LOW,
                levels=_write_level(1, 26, _DARK, bold=True),
            )
        else:
            sheet.add_placeholder("title", 0, "Title", None, prompt="Click to edit title")
        sheet.add_placeholder(kind, index, name, area, prompt="Picture" if picture else "Click to edit text")
        below = Area(left, 7.9 if picture else 3.7, rest, 8.6 if picture else 13.4)
        small = "".join(_write_level(n, 16 if n == 1 else 14) for n in range(1, 6))
        sheet.add_placeholder("body", 2, "Text Placeholder", below, body=_TEXT, levels=small)
        sheet.add_feet(width) if not picture else None

    return draw


def _draw_quote(sheet: Sheet, width: float) -> None:
    # The line lies between the quote, however short, and who said it; one beside both would stand beside nothing too
    sheet.bar(Area(4.2, 10.0, 3.2, 0.14), "accent1")
    words = _write_level(1, 28, _DARK, align="l", bold=False)
    box = Area(4.2, 4.4, width - 8.4, 5.2)
    sheet.add_placeholder(
        "title",
        0,
        "Title",
        box,
        prompt="Click to edit quote",
        body=' lIns="0" rIns="0" anchor="b"><a:normAutofit/>',
        levels=words,
    )
    source = _write_level(1, 16, _GREY, align="l")
    sheet.add_placeholder("body", 1, "Text Placeholder", Area(4.2, 10.6, width - 8.4, 1.5), body=_TEXT, levels=source)
    sheet.add_feet(width)


_LAYOUTS: tuple[tuple[str, str, str, Callable[[Sheet, float], None]], ...] = (
    ("Title Slide", "title", "tx2", _draw_cover),
    ("Title and Content", "obj", "", _draw_content),
    ("Section Header", "secHead", "accent1", _draw_section),
    ("Two Content", "twoObj", "", _draw_several(2)),
    ("Comparison", "twoTxTwoObj", "", _draw_comparison),
    ("Title Only", "titleOnly", "", _title_only),
    ("Blank", "blank", "", _draw_blank),
    ("Content with Caption", "objTx", "", _draw_captioned("obj", 1, "Content Placeholder")),
    ("Picture with Caption", "picTx", "", _draw_captioned("pic", 1, "Picture Placeholder")),
    ("Three Content", "", "", _draw_several(3)),
    ("Quote", "", "", _draw_quote),
)


def write_layouts(width: float) -> list[str]:
    """The layouts' XML; the decoration of the master shows only where a plain title is."""
    layout_texts = []
    for name, kind, background, draw in _LAYOUTS:
        sheet = Sheet()
        draw(sheet, width)
        has_decoration = name not in ("Title Slide", "Section Header", "Blank", "Picture with Caption", "Quote")
        fill = f'<a:solidFill><a:schemeClr val="{background}"/></a:solidFill><a:effectLst/>'
        ground = f"<p:bg><p:bgPr>{fill}</p:bgPr></p:bg>" if background else ""
        typed = f' type="{kind}"' if kind else ""
        alone = "" if has_decoration else ' showMasterSp="0"'
        layout_texts.append(
            f'{_HEAD}<p:sldLayout {_NS}{typed} preserve="1"{alone}>'
            f'<p:cSld name="{name}">{ground}<p:spTree>{_GROUP}{"".join(sheet.shapes)}</p:spTree></p:cSld>'
            "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
        )
    return layout_texts
