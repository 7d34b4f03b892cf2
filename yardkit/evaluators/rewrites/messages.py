"""Mails and events as other mailers and calendars write them."""

import html
import re
from collections.abc import Callable
from datetime import datetime
from email import message_from_bytes
from email.message import Message
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path
from zoneinfo import ZoneInfo

_MAX_LINE = 75
_TIME = re.compile(r"^(DTSTART|DTEND);TZID=([^:;]+):(\d{8}T\d{6})$", re.MULTILINE)
_ZONE = (
    "BEGIN:VTIMEZONE\nTZID:Customized Time Zone\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:{0}\n"
    "TZOFFSETTO:{0}\nEND:STANDARD\nEND:VTIMEZONE\n"
)


def nested_parts(path: Path) -> None:
    """A mail as Apple Mail sends it: the text also as HTML, in parts within parts, a line of text at the end."""
    message = message_from_bytes(path.read_bytes())
    text, files = _split_parts(message)
    related = MIMEMultipart("related")
    related.attach(MIMEText(_format_html(text), "html", "utf-8"))
    forms = MIMEMultipart("alternative")
    forms.attach(MIMEText(text, "plain", "utf-8"))
    forms.attach(related)
    _save_mail(path, message, [forms, *files, MIMEText("\n", "plain", "us-ascii")])


def html_alone(path: Path) -> None:
    """A mail as a mailer on the web sends it: HTML alone, the letters beyond ASCII as references."""
    message = message_from_bytes(path.read_bytes())
    text, files = _split_parts(message)
    page = _format_html(text).encode("ascii", "xmlcharrefreplace").decode()
    _save_mail(path, message, [MIMEText(page, "html", "us-ascii"), *files])


def _split_parts(message: Message) -> tuple[str, list[Message]]:
    """The text of a mail that one of our servers wrote, and its other parts."""
    leaves = [part for part in message.walk() if not part.is_multipart()]
    texts = [part for part in leaves if part.get_content_type() == "text/plain" and not part.get_filename()]
    words = b"".join(bytes(part.get_payload(decode=True) or b"") for part in texts[:1])
    charset = texts[0].get_content_charset() if texts else None
    return words.decode(charset or "utf-8").replace("\r\n", "\n"), [part for part in leaves if part.get_filename()]


def _format_html(text: str) -> str:
    """Each line in an element; lines that quote become a quotation."""
    parts, quoted = [], False
    for line in text.split("\n"):
        if line.startswith(">") != quoted:
            parts.append("</blockquote>" if quoted else '<blockquote type="cite">')
            quoted = not quoted
        parts.append(
            f"<div>{html.escape(line.removeprefix('>').removeprefix(' ') if quoted else line) or '<br>'}</div>"
        )
    return "<html><head><style>div { margin: 0 }</style></head><body>" + "\n".join(parts) + "</body></html>"


def _save_mail(path: Path, message: Message, parts: list[Message]) -> None:
    built = MIMEMultipart("mixed")
    for part in parts:
        built.attach(part)
    for name, value in message.raw_items():
        if name.casefold() not in ("mime-version", "content-type", "content-transfer-encoding", "content-disposition"):
            built[name] = str(value)
    path.write_bytes(built.as_bytes())


def private_zone(path: Path) -> None:
    """Events in a time zone that the file itself describes, as Outlook writes them."""

    def change(text: str) -> str:
        offsets = {_offset_of(zone, when) for _, zone, when in _TIME.findall(text)}
        if len(offsets) != 1 or "RRULE" in text:
            return text
        renamed = _TIME.sub(r"\1;TZID=Customized Time Zone:\3", text)
        return renamed.replace("BEGIN:VEVENT\n", _ZONE.format(*offsets) + "BEGIN:VEVENT\n", 1)

    _change_lines(path, change)


def _change_lines(path: Path, change: Callable[[str], str]) -> None:
    """Change the unfolded text of a calendar, and fold its lines again at 75 bytes, also within letters."""
    text = re.sub(rb"\r?\n[ \t]", b"", path.read_bytes()).decode().replace("\r\n", "\n")
    lines = change(text).encode().split(b"\n")[:-1]
    path.write_bytes(b"".join(b"\r\n ".join(_cut_line(line)) + b"\r\n" for line in lines))


def _cut_line(line: bytes) -> list[bytes]:
    return [line[:_MAX_LINE], *(line[at : at + _MAX_LINE - 1] for at in range(_MAX_LINE, len(line), _MAX_LINE - 1))]


def _offset_of(zone: str, when: str) -> str:
    return datetime.strptime(when, "%Y%m%dT%H%M%S").replace(tzinfo=ZoneInfo(zone)).strftime("%z")
