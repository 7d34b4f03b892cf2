"""Font files: what one holds, cut down to the letters of a text, and what it suits on slides."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.world import Problem
from yardkit.world.limits import check_bytes

_NAME_IDS = {"family": (16, 1), "style": (17, 2)}


@dataclass(frozen=True)
class FontFacts:
    """What a font file holds; weight from 100 (thin) to 900 (black), 400 is regular.

    Attributes:
        may_embed: what its maker allows: installable, editable, print and preview, or restricted.
        scripts: of Latin, Greek, Cyrillic, Arabic, Hebrew, Chinese, Japanese, Korean, Devanagari those it covers.
    """

    family: str
    style: str
    glyphs: int
    characters: int
    weight: int
    italic: bool
    monospaced: bool
    may_embed: str
    scripts: list[str]
    size_bytes: int


def analyze_font(path: Path) -> FontFacts:
    """What a font file (.ttf, .otf, .woff) holds.

    Raises:
        Problem: it is no font, or damaged.
    """
    with _open_font(path) as font:
        names, characters = font["name"], set(font.getBestCmap() or {})
        font_values = {
            key: next((str(debug_name) for number in ids if (debug_name := names.getDebugName(number))), "")
            for key, ids in _NAME_IDS.items()
        }
        table = font.get("OS/2")
        return FontFacts(
            font_values["family"],
            font_values["style"],
            len(font.getGlyphOrder()),
            len(characters),
            int(table.usWeightClass) if table is not None else 400,
            bool(font["head"].macStyle & 2),
            bool(font["post"].isFixedPitch) if "post" in font else False,
            _name_embedding(int(table.fsType) if table is not None else 0),
            [script for script, letters in _SCRIPTS.items() if {ord(letter) for letter in letters} <= characters],
            path.stat().st_size,
        )


_SCRIPTS = {
    "Latin": "AZazéñß",
    "Greek": "ΑΩαω",
    "Cyrillic": "АЯая",
    "Arabic": "ابي",
    "Hebrew": "אבת",
    "Chinese": "中文的",
    "Japanese": "あア日",
    "Korean": "한글",
    "Devanagari": "अकह",
}


def _name_embedding(flags: int) -> str:
    kinds = {2: "restricted", 4: "print and preview", 8: "editable"}
    return next((kind for bit, kind in kinds.items() if flags & bit), "installable")


def subset_font(source: Path, target: Path, text: str | None) -> tuple[int, int]:
    """Write a font with only the letters of `text` (with None all) and without hints; glyphs before and after.

    Raises:
        Problem: it is no font, or has none of the letters.
    """
    from fontTools import subset as cutting  # type: ignore[import-untyped]

    with _open_font(source) as font:
        before = len(font.getGlyphOrder())
        options = cutting.Options(hinting=False, notdef_outline=True, layout_features="*", name_IDs="*")
        options.drop_tables += ["FFTM"]  # times of an editor
        code_points = {ord(letter) for letter in text} if text else set(font.getBestCmap() or {})
        missing = "".join(
            sorted(chr(number) for number in code_points - set(font.getBestCmap() or {}) if not chr(number).isspace())
        )
        if text and len(missing) == len({letter for letter in text if not letter.isspace()}):
            raise Problem(f"{source.name!r} has none of the letters {missing[:40]!r}; give another font or text")
        cutter = cutting.Subsetter(options)
        cutter.populate(unicodes=code_points)
        cutter.subset(font)
        font.flavor = None
        font.save(target)
        return before, len(font.getGlyphOrder())


@contextmanager
def _open_font(path: Path) -> Iterator[Any]:
    from fontTools.ttLib import TTFont, TTLibError  # type: ignore[import-untyped]

    check_bytes(path, 100_000_000)
    try:
        with path.open("rb") as handle, TTFont(handle, lazy=True, fontNumber=0) as font:
            yield font
    except (TTLibError, KeyError, ValueError, AttributeError, OSError, EOFError, AssertionError) as error:
        raise Problem(f"{path.name!r} cannot be read as a font ({error}); give a .ttf, .otf or .woff file") from error


_ADVISED_SIZES = {
    "business": {"title": "28-36pt", "subtitle": "20-24pt", "body": "16-20pt", "caption": "12-14pt"},
    "creative": {"title": "36-54pt", "subtitle": "22-28pt", "body": "18-22pt", "caption": "12-14pt"},
    "academic": {"title": "26-32pt", "subtitle": "18-22pt", "body": "16-20pt", "caption": "12-14pt"},
}


def recommend_usage(font: FontFacts, kind: str) -> dict[str, object]:
    """What a font suits on slides of a kind (business, creative, academic), from its weight, width and letters."""
    heavy, thin = font.weight >= 700, font.weight <= 300
    suits = ["titles"] if heavy or thin else ["titles", "body_text", "captions"]
    tips = []
    if heavy:
        tips.append("Set titles and figures in it; longer text in this weight tires the eye")
    if thin:
        tips.append("Use it from 24 pt on; thin strokes vanish in smaller text on a projector")
    if font.italic:
        tips.append("Keep it for quotations and single words")
    if font.monospaced:
        suits = ["code", "figures in columns"]
        tips.append("Letters of one width suit code and columns of figures, not running text")
    if font.may_embed == "restricted":
        tips.append("Its maker does not allow it to be embedded: elsewhere another font is shown in its place")
    tips.append(
        f"It covers {', '.join(font.scripts) or 'none of the large scripts'}; other letters come from another font"
    )
    good = font.may_embed != "restricted" and "Latin" in font.scripts
    return {
        "suitable_for": suits,
        "recommended_sizes": _ADVISED_SIZES[kind],
        "usage_tips": tips,
        "compatibility": "good" if good else "limited",
    }
