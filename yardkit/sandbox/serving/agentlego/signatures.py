"""AgentLego's description of a tool: its inputs and outputs by kind, as in ``toolmeta.json`` of GTA."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from fastmcp.tools import Tool

DIALECT = "gta"

Kind = Literal["image", "text", "audio", "video", "bool", "int", "float", "file"]

DELIVERS: Mapping[str, str] = {
    **dict.fromkeys(("Plot", "DrawBox", "AddText", "TextToImage", "ImageStylization"), "image/png"),
    **dict.fromkeys(("AudioClipTool", "NoiseReduction", "PitchShifting"), "audio/wav"),
    **dict.fromkeys(("VideoClip", "AddTextVideoTool", "TextToVideoTool"), "video/mp4"),
    "CsvFileGenerator": "text/csv",
    "XlsxFileGenerator": "office/xlsx",
    "DocxFileGenerator": "office/docx",
    "PptxFileGenerator": "office/pptx",
    "PdfFileGenerator": "application/pdf",
    "HtmlFileGenerator": "text/html",
}
"""Tools whose result is a file -> its type; what is behind the slash is the ending that AgentLego gives it."""
_NUMBERS = ("CountGivenObject",)
_READS: Mapping[str, str] = {
    "ReadCSV": "text/csv",
    "ReadXLSX": "office/xlsx",
    "ReadDOCX": "office/docx",
    "ReadPPTX": "office/pptx",
    "ReadPDF": "application/pdf",
}
_UPLOADED = {"image": "image", "file": "file", "csv_file": "file"}
"""Arguments that GTA's clients upload; sounds and videos are named by their paths."""
_GROUPS: Mapping[str, Kind] = {"image": "image", "audio": "audio", "video": "video"}
_KINDS: Mapping[str, Kind] = {"integer": "int", "number": "float", "boolean": "bool"}


@dataclass(frozen=True)
class Parameter:
    """An input or output of a tool.

    Attributes:
        type: its kind.
        name: the name of an input; None for an output.
        default: the default of an `optional` input.
        filetype: the type of a file; None for other kinds.
    """

    type: Kind
    name: str | None = None
    description: str | None = None
    optional: bool = False
    default: Any = None
    filetype: str | None = None


@dataclass(frozen=True)
class Signature:
    """A tool: its name, description, inputs and outputs."""

    name: str
    description: str
    inputs: tuple[Parameter, ...]
    output: Parameter

    @property
    def meta(self) -> dict[str, Any]:
        """The entry in ``toolmeta.json``."""
        inputs = [asdict(given) for given in self.inputs]
        return {
            "name": self.name,
            "description": self.description,
            "inputs": inputs,
            "outputs": [asdict(self.output)],
        }


def signature_of(tool: Tool) -> Signature:
    """Make the signature of a tool of the dialect."""
    required = tool.parameters.get("required", [])
    inputs = tuple(
        _make_input(tool.name, name, schema, optional=name not in required)
        for name, schema in tool.parameters.get("properties", {}).items()
    )
    return Signature(tool.name, tool.description or "", inputs, _make_output(tool.name))


def _make_input(tool: str, name: str, schema: Mapping[str, Any], *, optional: bool) -> Parameter:
    filetype = _READS.get(tool) if name in _UPLOADED else None
    kind: Kind = "image" if _UPLOADED.get(name) == "image" else "file" if filetype else _find_kind(schema)
    return Parameter(kind, name, schema.get("description"), optional, schema.get("default"), filetype)


def _find_kind(schema: Mapping[str, Any]) -> Kind:
    return _KINDS.get(str(schema.get("type")), "text")


def kind_of_result(tool: str) -> Kind:
    """The kind of result of a tool of the dialect; for a file, the kind of its content."""
    if tool in _NUMBERS:
        return "int"
    if tool not in DELIVERS:
        return "text"
    return _GROUPS.get(DELIVERS[tool].partition("/")[0], "file")


def _make_output(tool: str) -> Parameter:
    kind = kind_of_result(tool)
    return Parameter(kind, filetype=DELIVERS[tool] if kind == "file" else None)
