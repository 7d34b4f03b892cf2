"""Shared steps of reference solutions, using only tool calls."""

import csv
import datetime
import quopri
from collections.abc import Mapping, Sequence
from email import message_from_string
from email.message import EmailMessage
from email.policy import default
from typing import Any

from yardkit.evaluators.proof import Agent

Row = Sequence[Any]
_PICTURE_LINES: dict[str, list[str]] = {}
"""By the digest of the picture."""


def read_full_text(agent: Agent, path: str) -> str:
    """Read a text file over all its pages, without a byte order mark."""
    text, offset = "", 0
    while offset is not None:
        part = agent.call("read_file", path=path, offset=offset)
        content = str(part["content"])
        text += content if content.endswith("\n") else f"{content}\n"
        offset = part["next_offset"]
    return text.lstrip("\ufeff")


def read_mail_file(agent: Agent, path: str) -> str:
    """Read the text of a mail that lies as a file, with its headers."""
    raw = str(agent.call("read_file", path=path)["content"])
    return quopri.decodestring(raw.encode()).decode("utf-8").replace("\r", "")


def read_csv_records(agent: Agent, path: str) -> list[dict[str, str]]:
    """Read the rows of a CSV file by header."""
    return list(csv.DictReader(read_full_text(agent, path).splitlines()))


def read_full_sheet(agent: Agent, path: str, sheet: str, offset: int = 0) -> list[list[Any]]:
    """Read the rows of a sheet with up to a few thousand."""
    rows: list[list[Any]] = agent.call("read_cells", path=path, sheet=sheet, offset=offset, limit=9000)["rows"]
    return rows


def read_blocks(agent: Agent, path: str, **options: Any) -> list[dict[str, Any]]:
    """Read the blocks of a Word document over all its pages."""
    blocks: list[dict[str, Any]] = []
    offset: int | None = 0
    while offset is not None:
        page = agent.call("read_document", path=path, offset=offset, limit=1000, **options)
        blocks += page["blocks"]
        offset = page.get("next_offset")
    return blocks


def read_mail_files(agent: Agent, folder: str) -> list[EmailMessage]:
    """Read the mails (.eml) in a folder, in the order of their names."""
    texts = [read_full_text(agent, path).replace("\r", "") for path in find_paths(agent, folder, ".eml")]
    return [message_from_string(text, policy=default) for text in texts]


def table_rows(text: str, head: str) -> list[list[str]]:
    """Parse the rows of the Markdown table with this first header."""
    lines = text[text.index(f"| {head} |") :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def find_paths(agent: Agent, folder: str, ending: str = "") -> list[str]:
    """List the paths in a folder, in order."""
    entries = agent.call("list_folder", path=folder)["entries"]
    return sorted(entry["path"] for entry in entries if entry["path"].endswith(ending))


def value_beside(pieces: Sequence[Mapping[str, Any]], label: str) -> str:
    """Find the text to the right of a label in a picture, in its line; pieces are those of `read_image_text`.

    Blanks and letter case do not matter; a value read in one piece with its label is separated from it.
    """
    sought_label = label.replace(" ", "").casefold()
    of = next(piece for piece in pieces if piece["text"].replace(" ", "").casefold().startswith(sought_label))
    middle = (of["bbox_px"][1] + of["bbox_px"][3]) / 2
    line = [piece for piece in pieces if piece["bbox_px"][1] < middle < piece["bbox_px"][3] and piece is not of]
    right = max(line, key=lambda piece: float(piece["bbox_px"][0]), default=None)
    return str(right["text"]) if right else str(of["text"]).replace(" ", "")[len(sought_label) :]


def read_picture_lines(agent: Agent, path: str) -> list[str]:
    """Read the lines of text in a picture, once for each content: it takes seconds, and alternatives see the same."""
    digest = str(agent.call("describe_path", path=path, sha256=True)["sha256"])
    if digest not in _PICTURE_LINES:
        rows: dict[int, str] = {}
        for piece in agent.call("read_image_text", path=path)["pieces"]:
            rows[piece["row"]] = f"{rows.get(piece['row'], '')} {piece['text']}".strip()
        _PICTURE_LINES[digest] = list(rows.values())
    return _PICTURE_LINES[digest]


def write_book(
    agent: Agent, path: str, sheets: Mapping[str, Sequence[Row]], decimals: Mapping[str, str] | None = None
) -> None:
    """Write rows into sheets, and format the numbers in some ranges with two decimals."""
    for sheet, rows in sheets.items():
        agent.call("write_cells", path=path, sheet=sheet, rows=list(rows))
    for sheet, cells in (decimals or {}).items():
        agent.call("format_cells", path=path, sheet=sheet, range=cells, number_format="#,##0.00")


def to_iso_day(text: str, *forms: str) -> str:
    """Convert a day in one of some formats, such as ``%d.%m.%Y``, to YYYY-MM-DD; other texts stay unchanged."""
    for form in forms:
        try:
            return datetime.datetime.strptime(text, form).date().isoformat()  # noqa: DTZ007 - a day
        except ValueError:
            continue
    return text


def hear_words(agent: Agent, path: str, language: str = "en") -> list[tuple[float, str]]:
    """Transcribe the words of a sound, with punctuation and the start of each."""
    segments = agent.call("transcribe_speech", path=path, language=language, words=True)["segments"]
    return [(float(word["start_s"]), str(word["text"])) for segment in segments for word in segment["words"]]
