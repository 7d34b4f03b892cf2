"""The bundled fonts: the same files on every machine. Sources and licences: ``fonts/README.md``."""

from pathlib import Path

from yardkit.world.problem import Problem

FONT_DIR = Path(__file__).parent / "fonts"
"""The directory that holds every bundled font file."""

CJK_FAMILY = "Droid Sans Fallback"
"""The family that holds Chinese, Japanese and Korean; a fallback behind any other family."""

_FILES: dict[str, dict[tuple[bool, bool], str]] = {
    "DejaVu Sans": {(False, False): "DejaVuSans.ttf", (True, False): "DejaVuSans-Bold.ttf"},
    "DejaVu Sans Mono": {(False, False): "DejaVuSansMono.ttf", (True, False): "DejaVuSansMono-Bold.ttf"},
    "Liberation Sans": {
        (False, False): "LiberationSans-Regular.ttf",
        (True, False): "LiberationSans-Bold.ttf",
        (False, True): "LiberationSans-Italic.ttf",
    },
    "Liberation Serif": {
        (False, False): "LiberationSerif-Regular.ttf",
        (True, False): "LiberationSerif-Bold.ttf",
        (False, True): "LiberationSerif-Italic.ttf",
    },
    "Liberation Mono": {(False, False): "LiberationMono-Regular.ttf", (True, False): "LiberationMono-Bold.ttf"},
    "Carlito": {
        (False, False): "Carlito-Regular.ttf",
        (True, False): "Carlito-Bold.ttf",
        (False, True): "Carlito-Italic.ttf",
        (True, True): "Carlito-BoldItalic.ttf",
    },
    "Caladea": {
        (False, False): "Caladea-Regular.ttf",
        (True, False): "Caladea-Bold.ttf",
        (False, True): "Caladea-Italic.ttf",
        (True, True): "Caladea-BoldItalic.ttf",
    },
    "Comic Neue": {(False, False): "ComicNeue-Regular.otf", (True, False): "ComicNeue-Bold.otf"},
    "Dancing Script": {(True, False): "DancingScript-Bold.otf"},
    CJK_FAMILY: {(False, False): "DroidSansFallback.ttf"},
}

FAMILIES = tuple(_FILES)
"""Names of the bundled families, as the font files state them."""


def font_file(family: str, bold: bool = False, italic: bool = False) -> Path:
    """Return the file of a bundled font, or of the nearest face of the family if the requested one is not bundled.

    Raises:
        Problem: the family is not bundled.
    """
    if family not in _FILES:
        raise Problem(f"no bundled font {family!r}; choose one of {', '.join(FAMILIES)}")
    faces = _FILES[family]
    style_preferences = [(bold, italic), (bold, False), (False, italic), (False, False), (True, False)]
    return FONT_DIR / next(faces[face] for face in style_preferences if face in faces)


def font_files() -> list[Path]:
    """List all bundled font files in a fixed order."""
    return [FONT_DIR / name for faces in _FILES.values() for name in faces.values()]
