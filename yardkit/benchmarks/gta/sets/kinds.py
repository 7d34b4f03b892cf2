"""Tools by category, and the kinds of files that a task of GTA-2 asks for."""

import re
from collections.abc import Iterable, Mapping

CATEGORIES: Mapping[str, tuple[str, ...]] = {
    "P": (
        *("OCR", "ImageDescription", "RegionAttributeDescription", "TextToBbox", "ImageQualityTest", "SpeechToText"),
        *("SoundCharacteristicExtraction", "VideoDescription", "VideoObjectDetection", "VideoOCR"),
    ),
    "O": (
        *("DrawBox", "AddText", "GoogleSearch", "CsvFileGenerator", "XlsxFileGenerator", "DocxFileGenerator"),
        *("PdfFileGenerator", "PptxFileGenerator", "HtmlFileGenerator", "ReadCSV", "ReadXLSX", "ReadDOCX", "ReadPDF"),
        *("ReadPPTX", "AudioClipTool", "NoiseReduction", "PitchShifting", "VideoClip", "AddTextVideoTool"),
    ),
    "L": ("Calculator", "Solver", "Plot", "MathOCR", "CountGivenObject", "Prover"),
    "C": ("TextToImage", "ImageStylization", "TextToVideoTool"),
}
"""Perception, operation, logic and creation -> tools, by table 17 of GTA-2.

The paper gives success rates by capability (table VI) whose denominators fit no reading of it, so they are no published
figures: a task counts for each category of which it has a tool.
"""
ENDINGS: Mapping[str, tuple[str, ...]] = {
    "docx": ("docx", "doc"),
    "pdf": ("pdf",),
    "pptx": ("pptx", "ppt"),
    "xlsx": ("xlsx", "xls"),
    "csv": ("csv", "tsv"),
    "html": ("html", "htm"),
    "text": ("txt", "md", "json"),
    "image": ("png", "jpg", "jpeg", "webp", "gif", "bmp"),
    "audio": ("wav", "mp3", "m4a", "ogg", "flac"),
    "video": ("mp4", "mov", "webm"),
}
"""Kinds of files -> how their names end."""
_MAKERS: Mapping[str, tuple[str, ...]] = {
    "docx": ("DocxFileGenerator",),
    "pdf": ("PdfFileGenerator",),
    "pptx": ("PptxFileGenerator",),
    "xlsx": ("XlsxFileGenerator",),
    "csv": ("CsvFileGenerator",),
    "html": ("HtmlFileGenerator",),
    "image": ("Plot", "DrawBox", "AddText", "TextToImage", "ImageStylization"),
    "audio": ("AudioClipTool", "NoiseReduction", "PitchShifting"),
    "video": ("VideoClip", "AddTextVideoTool", "TextToVideoTool"),
}
ANSWER = "answer"
"""The kind of a task that asks for no file."""
_NAME = re.compile(r"[\w.-]+\.([A-Za-z0-9]{2,4})\b")


def unknown_tools(where: str, names: Iterable[str]) -> list[str]:
    """Make a remark on each tool that is in neither GTA nor GTA-2."""
    known = {name for members in CATEGORIES.values() for name in members}
    return [f"{where}: there is no tool {name!r}" for name in dict.fromkeys(names) if name not in known]


def list_capabilities(tools: Iterable[str]) -> tuple[str, ...]:
    """List the categories of these tools."""
    known = set(tools)
    return tuple(name for name, members in CATEGORIES.items() if known & set(members))


def asked_kinds(requirements: str, inputs: Iterable[str], tools: Iterable[str]) -> tuple[str, ...]:
    """List the kinds of files that a task asks for: those of the files that its checkpoints name and that are not
    inputs, or if they name none, those that its tools make; ``answer`` if there are none.
    """
    given = {path.rpartition("/")[2] for path in inputs}
    endings = {match[1].lower() for match in _NAME.finditer(requirements) if match[0] not in given}
    kinds = {kind for kind, known_endings in ENDINGS.items() if endings.intersection(known_endings)}
    if not kinds:
        known = set(tools)
        kinds = {kind for kind, makers in _MAKERS.items() if known & set(makers)}
    return tuple(kind for kind in ENDINGS if kind in kinds) or (ANSWER,)
