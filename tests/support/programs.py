"""Programs of fonts whose codes mean other letters than the usual ones, made with fontTools from Liberation Sans."""

import io
from typing import Any

from fontTools.cffLib import TopDict
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from yardkit.world.fonts import font_file

LETTERS = "JaneRo "
CODES = "Mdqhur "
"""What the usual encoding makes of the codes of these letters."""
_EM = 2048
_BYTES = [chr(code) for code in range(256)]


def encode_text(text: str) -> str:
    """The codes that show a text, as characters of the usual encoding."""
    return text.translate(str.maketrans(LETTERS, CODES))


def _map_glyph_names() -> dict[str, str]:
    return {letter: StandardEncoding[ord(letter)] for letter in LETTERS}


def list_widths() -> list[int]:
    """Of all codes, in thousandths."""
    metrics = TTFont(font_file("Liberation Sans"))["hmtx"]
    by_code = {ord(code): metrics[_map_glyph_names()[letter]][0] for letter, code in zip(LETTERS, CODES, strict=True)}
    return [round(by_code.get(code, 0) * 1000 / _EM) for code in range(256)]


def _begin_font(*, outlines: bool) -> tuple[FontBuilder, Any]:
    builder = FontBuilder(_EM, isTTF=not outlines)
    builder.setupGlyphOrder([".notdef", *_map_glyph_names().values()])
    return builder, TTFont(font_file("Liberation Sans")).getGlyphSet()


def _draw_charstring(glyphs: Any, name: str) -> T2CharString:
    pen = T2CharStringPen(glyphs[name].width, glyphs)
    glyphs[name].draw(pen)
    return pen.getCharString()


def build_compact_font(encoding: str = "") -> bytes:
    """A program in the Compact Font Format, with codes of its own or an encoding that has a name."""
    builder, glyphs = _begin_font(outlines=True)
    strings = {name: _draw_charstring(glyphs, name) for name in builder.font.getGlyphOrder()}
    builder.setupCFF("Odd", {"FontMatrix": [1 / _EM, 0, 0, 1 / _EM, 0, 0]}, strings, {})
    fonts = builder.font["CFF "].cff
    top: TopDict = fonts[0]
    top.Encoding = encoding or [
        _map_glyph_names()[LETTERS[CODES.index(code)]] if code in CODES else ".notdef" for code in _BYTES
    ]
    out = io.BytesIO()
    fonts.compile(out, builder.font)
    return out.getvalue()


def strange_compact() -> bytes:
    """One with an operator that is reserved where its box should be: viewers pass it over, fontTools does not."""
    program = build_compact_font()
    end_of_box = b"\x1c\x05\x81\x05"  # its upper edge, 1409, and the operator
    assert program.count(end_of_box) == 1
    return program.replace(end_of_box, end_of_box[:-1] + b"\x16")


def true_type(*, encoding_stated: bool) -> bytes:
    """A TrueType program whose table gives glyphs to codes; without `told` it names no glyph."""
    builder, glyphs = _begin_font(outlines=False)
    shapes = {}
    for name in builder.font.getGlyphOrder():
        pen = TTGlyphPen(glyphs)
        glyphs[name].draw(pen)
        shapes[name] = pen.glyph()
    builder.setupGlyf(shapes)
    builder.setupHorizontalMetrics({name: (glyphs[name].width, 0) for name in shapes})
    builder.setupHorizontalHeader(ascent=1800, descent=-400)
    builder.setupCharacterMap(
        {0xF000 + ord(code): _map_glyph_names()[letter] for letter, code in zip(LETTERS, CODES, strict=True)}
    )
    for table in builder.font["cmap"].tables:
        table.platformID, table.platEncID = 3, 0
    builder.font["cmap"].tables = builder.font["cmap"].tables[:1]
    builder.setupPost(keepGlyphNames=encoding_stated)
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()
