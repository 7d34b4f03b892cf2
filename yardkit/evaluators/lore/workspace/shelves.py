"""Reading the records of a workspace with tools: every file once, then found by reference."""

import csv
import io
import quopri
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from yardkit.evaluators.proof import Agent, ToolFailed

Value = int | str
_REFERENCE = r"(?:\d{6}|[A-Z]{6,})"
_PLACE = r"([a-z]+/[\w.-]*\w)(?:, sheet (\w+))?"
_FIGURE = re.compile(r"\b(F\d+)(?:: | = | comes to | stands at )(\d+|[A-Z]+)\b")
_OPERATION = re.compile(r"\bOperation (\d+)\b")
_FORMULA = re.compile(r"\bX = ((?:\d \* )?F\d+(?: [-+&] (?:\d \* )?F\d+)*)")
_TARGET = re.compile(rf"\breference X(?: and lies)? in {_PLACE}")
_OTHER = re.compile(rf"\b({_REFERENCE}) in {_PLACE}")
_SLIDE = re.compile(rf"^# ({_REFERENCE}): (.*?)(?=^<!-- slide|\Z)", re.M | re.S)
_LINE = re.compile(rf"^({_REFERENCE})\b", re.M)
_BLOCK = re.compile(rf"^Reference ({_REFERENCE})\n(.*?)(?=^Reference {_REFERENCE}|\Z)", re.M | re.S)
_SUBJECT = re.compile(rf"^Subject: .* ({_REFERENCE})\r?$", re.M)
_MAILS_AT_ONCE = 10
_SELECT = "SELECT reference, entry, value, remarks FROM records ORDER BY reference"


@dataclass(frozen=True)
class Lead:
    """A record's reference and where it lies."""

    reference: str
    path: str
    sheet: str = ""


@dataclass(frozen=True)
class RecordText:
    """What a record says: a figure; or an operation, its formula and where its result leads; or other records."""

    figure: str = ""
    value: Value = 0
    operation: str = ""
    formula: str = ""
    target: tuple[str, str] = ("", "")
    others: tuple[Lead, ...] = ()


def parse_record(text: str) -> RecordText:
    """What the text of a record says."""
    flat = " ".join(text.split())
    operation, formula, target = _OPERATION.search(flat), _FORMULA.search(flat), _TARGET.search(flat)
    if operation and formula and target:
        return RecordText(operation=operation[1], formula=formula[1], target=(target[1], target[2] or ""))
    others = tuple(Lead(match[1], match[2], match[3] or "") for match in _OTHER.finditer(flat))
    figure = _FIGURE.search(flat)
    if others or not figure:
        return RecordText(others=others)
    return RecordText(figure=figure[1], value=int(figure[2]) if figure[2].isdigit() else figure[2])


class Shelves:
    """The records of the workspace, read when they are needed."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._read: dict[tuple[str, str], Mapping[str, str]] = {}

    def list_starts(self) -> list[Lead]:
        """The records that the agent is told."""
        rows = _below_head(self._cells("start.xlsx", "Start"))
        return [Lead(row["Reference"], row["File or folder"], row["Sheet"]) for row in rows]

    def read_record(self, lead: Lead) -> RecordText:
        """What a record says.

        Raises:
            ToolFailed: there is no such record.
        """
        folder = lead.path.partition("/")[0]
        if folder == "notes":
            return parse_record(self._read_text(f"{lead.path}/{lead.reference}.md"))
        if folder == "slips":
            return parse_record(self._read_slip(f"{lead.path}/{lead.reference}.png"))
        place = (lead.path, lead.sheet)
        if place not in self._read:
            self._read[place] = dict(self._list_records(*place))
        if lead.reference not in self._read[place]:
            raise ToolFailed(f"{lead.path} has no record {lead.reference}")
        return parse_record(self._read[place][lead.reference])

    def _list_records(self, path: str, sheet: str) -> Iterator[tuple[str, str]]:
        """References with texts."""
        suffix = PurePosixPath(path).suffix
        if suffix == ".xlsx":
            return _of_rows(_below_head(self._cells(path, sheet)))
        if suffix == ".csv":
            return _of_rows(_below_head(list(csv.reader(io.StringIO(self._read_text(path))))))
        others = {
            ".pptx": self._list_slides,
            ".docx": self._list_paragraphs,
            ".pdf": self._list_pages,
            ".sqlite": self._list_table_rows,
        }
        return others.get(suffix, self._list_mails)(path)

    def _cells(self, path: str, sheet: str) -> list[Sequence[Any]]:
        rows: list[Sequence[Any]] = []
        while True:
            part = self._agent.call("read_cells", path=path, sheet=sheet, offset=len(rows))
            rows += part["rows"]
            if not part["rows"] or len(rows) >= part["total_rows"]:
                return rows

    def _read_text(self, path: str) -> str:
        text, more = "", {"offset": 0, "column": 0}
        while True:
            part = self._agent.call("read_file", path=path, **more)
            text += str(part["content"])
            if part.get("next_offset") is None:
                return text
            more = {"offset": part["next_offset"], "column": part.get("next_column") or 0}

    def _read_slip(self, path: str) -> str:
        """The words of each row of a picture, such as ``Figure F9: 4120``."""
        rows: dict[int, list[str]] = {}
        for piece in self._agent.call("read_image_text", path=path)["pieces"]:
            rows.setdefault(piece["row"], []).append(piece["text"])
        return "\n".join(": ".join(words) for words in rows.values())

    def _list_slides(self, path: str) -> Iterator[tuple[str, str]]:
        yield from _SLIDE.findall(self._agent.call("read_deck_text", path=path)["text"])

    def _list_paragraphs(self, path: str) -> Iterator[tuple[str, str]]:
        offset = 0
        while True:
            part = self._agent.call("read_document", path=path, offset=offset)
            for block in part["blocks"]:
                if "rows" in block:
                    yield from _of_rows(_below_head(block["rows"]))
                elif match := _LINE.match(block.get("text", "")):
                    yield match[1], block["text"].partition("): ")[2]
            offset += len(part["blocks"])
            if not part["blocks"] or offset >= part["total"]:
                return

    def _list_pages(self, path: str) -> Iterator[tuple[str, str]]:
        text, more = "", {"pages": None, "offset": 0}
        while True:
            part = self._agent.call("read_pdf_text", path=path, **more)
            text += "".join(f"{page['text']}\n" for page in part["pages"])
            if not part.get("next_pages"):
                break
            more = {"pages": part["next_pages"], "offset": part["next_offset"]}
        for line in text.splitlines():
            if _LINE.match(line) and line.count("\t") > 1:
                reference, *_, figure, value = line.split("\t")
                yield reference, f"{figure}: {value}"
        yield from _BLOCK.findall(text)

    def _list_table_rows(self, path: str) -> Iterator[tuple[str, str]]:
        rows: list[Sequence[Any]] = [("Reference", "Entry", "Value", "Remarks")]
        more: int | None = 0
        while more is not None:
            part = self._agent.call("query_database", path=path, sql=_SELECT, offset=more, limit=1000)
            rows += part["rows"]
            more = part.get("next_offset")
        yield from _of_rows(_below_head(rows))

    def _list_mails(self, folder: str) -> Iterator[tuple[str, str]]:
        listed = self._agent.call("list_folder", path=folder, limit=1000)
        paths = [entry["path"] for entry in listed["entries"]]
        for start in range(0, len(paths), _MAILS_AT_ONCE):
            for file in self._agent.call("read_files", paths=paths[start : start + _MAILS_AT_ONCE])["files"]:
                head, _, body = file["text"]["content"].replace("\r\n", "\n").partition("\n\n")
                subject = _SUBJECT.search(head)
                if subject:
                    yield subject[1], quopri.decodestring(body.encode()).decode()


def _below_head(rows: Sequence[Sequence[Any]]) -> list[dict[str, str]]:
    """Rows below the one with ``Reference`` as mappings of text, empty for empty cells."""
    top = next(number for number, row in enumerate(rows) if "Reference" in row)
    head = rows[top]
    return [
        {str(name): "" if cell is None else str(cell) for name, cell in zip(head, row, strict=False)}
        for row in rows[top + 1 :]
    ]


def _of_rows(rows: list[dict[str, str]]) -> Iterator[tuple[str, str]]:
    for row in rows:
        entry = row.get("Entry", row.get("Figure", ""))
        yield row["Reference"], f"{entry}: {row['Value'] or row.get('Remarks', '')}"
