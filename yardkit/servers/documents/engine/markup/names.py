"""Names of WordprocessingML (ECMA-376 part 1), elements made by name, and children in the order of the schema."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

NS = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "w16se": "http://schemas.microsoft.com/office/word/2015/wordml/symex",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "cx": "http://schemas.microsoft.com/office/drawing/2014/chartex",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    "w15": "http://schemas.microsoft.com/office/word/2012/wordml",
    "cp": "http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "xml": "http://www.w3.org/XML/1998/namespace",
}
SPACE = f"{{{NS['xml']}}}space"
TWIPS_PER_CM = 1440 / 2.54
EMU_PER_CM = 360_000

_CHILD_ORDERS = {
    "w:pPr": "pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs "
    "suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd "
    "snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment "
    "textboxTightWrap outlineLvl divId cnfStyle rPr sectPr pPrChange",
    "w:rPr": "rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid "
    "vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em "
    "lang eastAsianLayout specVanish oMath rPrChange",
    "w:tblPr": "tblStyle tblpPr tblOverlap bidiVisual tblStyleRowBandSize tblStyleColBandSize tblW jc tblCellSpacing "
    "tblInd tblBorders shd tblLayout tblCellMar tblLook tblCaption tblDescription tblPrChange",
    "w:trPr": "cnfStyle divId gridBefore gridAfter wBefore wAfter cantSplit trHeight tblHeader tblCellSpacing jc "
    "hidden ins del trPrChange",
    "w:tcPr": "cnfStyle tcW gridSpan hMerge vMerge tcBorders shd noWrap tcMar textDirection tcFitText vAlign hideMark "
    "cellIns cellDel cellMerge tcPrChange",
    "w:sectPr": "headerReference footerReference footnotePr endnotePr type pgSz pgMar paperSrc pgBorders lnNumType "
    "pgNumType cols formProt vAlign noEndnote titlePg textDirection bidi rtlGutter docGrid printerSettings "
    "sectPrChange",
    "w:style": "name aliases basedOn next link autoRedefine hidden uiPriority semiHidden unhideWhenUsed qFormat locked "
    "personal personalCompose personalReply rsid pPr rPr tblPr trPr tcPr tblStylePr",
    "w:settings": "writeProtection view zoom removePersonalInformation removeDateAndTime doNotDisplayPageBoundaries "
    "displayBackgroundShape printPostScriptOverText printFractionalCharacterWidth printFormsData embedTrueTypeFonts "
    "embedSystemFonts saveSubsetFonts saveFormsData mirrorMargins alignBordersAndEdges bordersDoNotSurroundHeader "
    "bordersDoNotSurroundFooter gutterAtTop hideSpellingErrors hideGrammaticalErrors activeWritingStyle proofState "
    "formsDesign attachedTemplate linkStyles stylePaneFormatFilter stylePaneSortMethod documentType mailMerge "
    "revisionView trackRevisions doNotTrackMoves doNotTrackFormatting documentProtection autoFormatOverride "
    "styleLockTheme styleLockQFSet defaultTabStop autoHyphenation consecutiveHyphenLimit hyphenationZone "
    "doNotHyphenateCaps showEnvelope summaryLength clickAndTypeStyle defaultTableStyle evenAndOddHeaders "
    "bookFoldRevPrinting bookFoldPrinting bookFoldPrintingSheets drawingGridHorizontalSpacing "
    "drawingGridVerticalSpacing displayHorizontalDrawingGridEvery displayVerticalDrawingGridEvery "
    "doNotUseMarginsForDrawingGridOrigin drawingGridHorizontalOrigin drawingGridVerticalOrigin doNotShadeFormData "
    "noPunctuationKerning characterSpacingControl printTwoOnOne strictFirstAndLastChars noLineBreaksAfter "
    "noLineBreaksBefore savePreviewPicture doNotValidateAgainstSchema saveInvalidXml ignoreMixedContent "
    "alwaysShowPlaceholderText doNotDemarcateInvalidXml saveXmlDataOnly useXSLTWhenSaving saveThroughXslt "
    "showXMLTags alwaysMergeEmptyNamespace updateFields hdrShapeDefaults footnotePr endnotePr compat docVars rsids "
    "mathPr attachedSchema themeFontLang clrSchemeMapping doNotIncludeSubdocsInStats doNotAutoCompressPictures "
    "forceUpgrade captions readModeInkLockDown smartTagType schemaLibrary shapeDefaults doNotEmbedSmartTags "
    "decimalSymbol listSeparator",
}
_CHILD_ORDERS["w:tcBorders"] = _CHILD_ORDERS["w:tblBorders"] = (
    "top start left bottom end right insideH insideV tl2br tr2bl"
)
_CHILD_ORDERS["w:tblCellMar"] = _CHILD_ORDERS["w:tcMar"] = "top start left bottom end right"
_CHILD_ORDERS["w:pBdr"] = "top left bottom right between bar"


@cache
def qualify_name(name: str) -> str:
    """The qualified name of ``w:p``: ``{namespace}p``."""
    prefix, _, local = name.partition(":")
    return f"{{{NS[prefix]}}}{local}"


_CHILD_RANKS = {
    qualify_name(parent): {qualify_name(f"w:{name}"): rank for rank, name in enumerate(text.split())}
    for parent, text in _CHILD_ORDERS.items()
}
P, TBL, TR, TC, R, T = (qualify_name(f"w:{name}") for name in ("p", "tbl", "tr", "tc", "r", "t"))
SDT, SDT_CONTENT, SECT, TXBX = (
    qualify_name("w:sdt"),
    qualify_name("w:sdtContent"),
    qualify_name("w:sectPr"),
    qualify_name("w:txbxContent"),
)
VERSIONS = qualify_name("mc:AlternateContent")
"""Something for newer programs, and as older ones show it."""
_WRAPPERS = (SDT, qualify_name("w:customXml"), qualify_name("w:ins"), qualify_name("w:moveTo"))
VAL = qualify_name("w:val")
_OFF_VALUES = ("0", "false", "off", "none")


def make_element(name: str, /, *children: Any, text: str | None = None, **attributes: object) -> Any:
    """A new element: ``make("w:b")``, ``make("w:jc", val="center")``; attributes without prefix are of its namespace.

    Of the namespaces of DrawingML and VML attributes stand without one; write ``r_id`` for ``r:id``.
    """
    from lxml import etree

    prefix = name.partition(":")[0]
    element = etree.Element(qualify_name(name), nsmap={prefix: NS[prefix]})
    for key, value in attributes.items():
        if value is not None:
            element.set(_qualify_attribute(prefix, key), str(value))
    if text is not None:
        element.text = text
        if text != text.strip() or "  " in text:
            element.set(SPACE, "preserve")
    element.extend(children)
    return element


def _qualify_attribute(prefix: str, key: str) -> str:
    own, _, local = key.rpartition("_")
    if own in NS:
        return qualify_name(f"{own}:{local}")
    return qualify_name(f"{prefix}:{key}") if prefix in ("w", "m", "w14", "w15") else key


def get_attribute(element: Any, name: str, default: str | None = None) -> str | None:
    """The attribute ``w:val`` of an element that may be None."""
    if element is None:
        return default
    value: str | None = element.get(qualify_name(name), default)
    return value


def find_element(element: Any, path: str) -> Any:
    """The first element at a path such as ``w:pPr/w:pStyle``; None for none, and below None."""
    if element is None:
        return None
    steps = _split_steps(path)
    return _find_below(element, steps) if steps else element.find(path, NS)


@cache
def _split_steps(path: str) -> tuple[str, ...]:
    """The names of a path of children alone; empty for others. lxml takes much longer for a path."""
    steps = path.split("/")
    return tuple(map(qualify_name, steps)) if all(step.partition(":")[0] in NS for step in steps) else ()


def _find_below(element: Any, steps: tuple[str, ...]) -> Any:
    for child in element.iterchildren(steps[0]):
        matching_element = child if len(steps) == 1 else _find_below(child, steps[1:])
        if matching_element is not None:
            return matching_element
    return None


def find_all(element: Any, path: str) -> list[Any]:
    return [] if element is None else list(element.iterfind(path, NS))


def get_value(element: Any, path: str, default: str | None = None) -> str | None:
    """``w:val`` of the element at `path`."""
    return get_attribute(find_element(element, path), "w:val", default)


def is_on(element: Any, path: str) -> bool | None:
    """A switch such as ``w:b``: None if not stated."""
    flag_element = find_element(element, path)
    return None if flag_element is None else get_attribute(flag_element, "w:val", "1") not in _OFF_VALUES


def insert_child(parent: Any, child: Any) -> Any:
    """Put `child` into `parent` where the schema wants it, in place of one of the same name; `child`."""
    for old in parent.findall(child.tag):
        parent.remove(old)
    return add_in_order(parent, child)


def add_in_order(parent: Any, child: Any) -> Any:
    """Put `child` into `parent` where the schema wants it, after those of the same name."""
    ranks = _CHILD_RANKS.get(parent.tag, {})
    rank = ranks.get(child.tag, len(ranks))
    index = sum(1 for other in parent if ranks.get(other.tag, len(ranks)) <= rank)
    later = next((i for i, other in enumerate(parent) if ranks.get(other.tag, len(ranks)) > rank), index)
    parent.insert(min(index, later), child)
    return child


def ensure_child(parent: Any, name: str) -> Any:
    """The child `name` of `parent`, made in the right place if it is missing.

    ``w:pPr``, ``w:rPr``, ``w:tblPr``, ``w:trPr`` and ``w:tcPr`` come first in their elements.
    """
    known_child = parent.find(qualify_name(name))
    if known_child is not None:
        return known_child
    child = make_element(name)
    if parent.tag in _CHILD_RANKS:
        return add_in_order(parent, child)
    if name == "w:trPr":
        parent.insert(1 if len(parent) and parent[0].tag == qualify_name("w:tblPrEx") else 0, child)
    else:
        parent.insert(0, child)
    return child


def drop_children(parent: Any, name: str) -> None:
    """Remove the children `name` of `parent`, which may be None."""
    for child in [] if parent is None else parent.findall(qualify_name(name)):
        parent.remove(child)


def iter_unwrapped(container: Any) -> Iterator[Any]:
    """The children of a container of blocks or rows, those inside content controls and custom XML included.

    Of what stands in two versions, the newer one.
    """
    for child in container:
        if child.tag in _WRAPPERS:
            content = child.find(SDT_CONTENT)
            yield from iter_unwrapped(child if content is None else content)
        elif child.tag == VERSIONS:
            yield from iter_unwrapped(child[0]) if len(child) else ()
        else:
            yield child
