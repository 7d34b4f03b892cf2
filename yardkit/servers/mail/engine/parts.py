"""The parts of a message (RFC 2045): what a mail program shows as its text, and every other leaf as an attachment."""

import binascii
import mimetypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email.message import Message
from email.policy import default

from yardkit.servers.mail.engine.headers import decode_raw, decode_words
from yardkit.servers.mail.engine.html_text import seen_text
from yardkit.world.decoding import decode_bytes

MAX_PARTS = 2_000
"""Parts of one message that are looked at."""
_MAX_DEPTH = 50
_MAX_NAME_BYTES = 200
_SAME_TEXT = ("text/plain", "text/html", "text/enriched", "text/richtext", "text/x-amp-html", "text/watch-html")
"""Kinds of alternatives that say what the others say; any other kind is a thing of its own, such as an invitation."""
_SUFFIXES = {
    "message/rfc822": ".eml",
    "message/global": ".eml",
    "message/delivery-status": ".txt",
    "text/rfc822-headers": ".txt",
    "text/calendar": ".ics",
    "text/vcard": ".vcf",
    "application/pkcs7-signature": ".p7s",
    "application/x-pkcs7-signature": ".p7s",
    "application/pkcs7-mime": ".p7m",
    "application/x-pkcs7-mime": ".p7m",
    "application/pgp-signature": ".asc",
    "application/ms-tnef": ".dat",
}
_AS_WRITTEN = default.clone(refold_source="none", linesep="\r\n")
_CONTROLS = re.compile("[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069/\\\\]")
"""Signs that no name of a file keeps: they lead elsewhere, or let a name look like another one."""
_BLANK = re.compile("[\\s\u00a0\u034f\u200b-\u200d\u2060\ufeff\u00ad]*")
_UUENCODED = re.compile(r"^begin [0-7]{3,4} ([^\n]{1,200})\n((?:[ -`]{1,86}\n){1,100000}?)end[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Leaf:
    """A part that holds no others, or an attached message as it stands. name: as the message gives it, or empty."""

    media_type: str
    name: str
    data: bytes
    charset: str = ""
    content_id: str = ""


@dataclass
class Layout:
    """What stands where in a message.

    Attributes:
        text: what a mail program shows.
        html: whether it was made of HTML.
        attachments: all other leaves, in the order of the message.
        notes: what is to be known of what could not be read.
    """

    text: str = ""
    html: bool = False
    attachments: list[Leaf] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass
class _Shown:
    """The texts of a part of the tree, in order, and what else is in it."""

    texts: list[Message] = field(default_factory=list)
    others: list[Message] = field(default_factory=list)


def lay_out(message: Message) -> Layout:
    """The text and the attachments of a message, whatever program wrote it."""
    branch = _collect_parts(message, _MAX_DEPTH)
    rest = branch.others
    if not branch.texts:  # a mail that is nothing but an invitation, a table or the file of a scanner
        branch.texts = [part for part in rest if _is_readable(part)][:1]
    layout = Layout(html=any(part.get_content_type() == "text/html" for part in branch.texts))
    texts = [_read_text(part, layout) for part in branch.texts]
    layout.text = "\n".join(text.rstrip("\n") + "\n" for text in texts) if len(texts) > 1 else "".join(texts)
    layout.attachments += [_read_leaf(part) for part in rest[:MAX_PARTS]]
    layout.notes += _note_unread(message, layout, len(rest))
    return layout


def find_html(message: Message) -> str:
    """The source of the HTML text of a message; empty where it has none."""
    waiting = [message]
    while waiting:
        part = waiting.pop(0)
        if part.get_content_type() == "text/html" and not _is_file(part):
            return _decode_part(part, Layout())
        waiting[:0] = _list_children(part)
    return ""


def name_leaf(leaf: Leaf, number: int) -> str:
    """The name of an attachment as a file, made where the message gives none; its ending is never cut."""
    suffix = _SUFFIXES.get(leaf.media_type) or mimetypes.guess_extension(leaf.media_type) or ""
    name = _CONTROLS.sub("_", leaf.name).strip() or f"attachment-{number}{suffix}"
    if len(name.encode("utf-8", "replace")) <= _MAX_NAME_BYTES:
        return name
    stem, dot, ending = name.rpartition(".")
    ending = f"{dot}{ending}" if stem and len(ending) <= 20 else ""
    stem = name.removesuffix(ending)
    room = _MAX_NAME_BYTES - len(ending.encode("utf-8", "replace"))
    return stem.encode("utf-8", "replace")[:room].decode("utf-8", "ignore") + ending


def _collect_parts(part: Message, depth: int) -> _Shown:
    _mend_headers(part)
    children = _list_children(part) if depth else []
    if not children:
        return _Shown([], [part]) if _is_file(part) or not _is_text(part) else _Shown([part], [])
    collected = [_collect_parts(child, depth - 1) for child in children]
    others = [other for branch in collected for other in branch.others]
    kind = part.get_content_type()
    if kind == "multipart/alternative":
        others = [other for other in others if not _says_the_same(other)]
        return _Shown(_choose_alternative([branch.texts for branch in collected]), others)
    if kind == "multipart/related":
        root = _find_root(part, children)
        inline = [text for branch in collected if branch is not collected[root] for text in branch.texts]
        return _Shown(collected[root].texts, [*others, *inline])
    return _Shown([text for branch in collected for text in branch.texts], others)


def _mend_headers(part: Message) -> None:
    """Let the parser understand what programs write beside the rules: bytes in names, signs behind an encoding."""
    for name in ("Content-Type", "Content-Disposition"):
        raw = next((str(value) for key, value in part.raw_items() if key.casefold() == name.casefold()), "")
        if not raw.isascii():
            part.replace_header(name, decode_raw(raw))
    encoding = str(part.get("Content-Transfer-Encoding", ""))
    if (first := re.match(r"\s*([\w-]*)", encoding)) and first[1] != encoding:
        part.replace_header("Content-Transfer-Encoding", first[1])


def _list_children(part: Message) -> list[Message]:
    """The parts of a multipart; attached messages, reports of delivery and broken parts are leaves."""
    payload = part.get_payload()
    if part.get_content_maintype() != "multipart" or not isinstance(payload, list):
        return []
    return [child for child in payload if isinstance(child, Message)]


def _choose_alternative(choices: Sequence[list[Message]]) -> list[Message]:
    """The first that is plain text and says something, then the first that says something at all."""
    layout = Layout()
    telling = [texts for texts in choices if any(not _BLANK.fullmatch(_read_text(text, layout)) for text in texts)]
    plain_texts = [texts for texts in telling if all(text.get_content_type() == "text/plain" for text in texts)]
    return next(iter(plain_texts or telling or [texts for texts in choices if texts]), [])


def _says_the_same(part: Message) -> bool:
    """Whether an alternative is but another form of the text; an invitation is a thing of its own."""
    if _is_file(part) or part.get_content_maintype() != "text":
        return False
    return part.get_content_type() in _SAME_TEXT or not _read_bytes(part).strip()


def _find_root(part: Message, children: Sequence[Message]) -> int:
    start = str(part.get_param("start") or "").strip()
    named = [number for number, child in enumerate(children) if start and str(child.get("Content-ID", "")) == start]
    return named[0] if named else 0


def _is_text(part: Message) -> bool:
    # A part that says to be a multipart and has no parts is shown as it stands, as mail programs do.
    return part.get_content_type() in _SAME_TEXT or (
        part.get_content_maintype() == "multipart" and isinstance(part.get_payload(), str)
    )


def _is_readable(part: Message) -> bool:
    return part.get_content_maintype() == "text" and part.get_content_disposition() != "attachment"


def _is_file(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or bool(_read_name(part))


def _read_name(part: Message) -> str:
    """The name of a file in any of the ways in which programs write it: RFC 2231, RFC 2047, bytes as they are."""
    try:
        return decode_words(part.get_filename() or "")
    except (ValueError, LookupError, AttributeError, TypeError):  # damaged parameters
        return ""


def _read_leaf(part: Message) -> Leaf:
    return Leaf(
        part.get_content_type(),
        _read_name(part),
        _read_bytes(part),
        _read_charset(part),
        str(part.get("Content-ID", "")).strip(),
    )


def _read_bytes(part: Message) -> bytes:
    """The content of a leaf; of an attached message the message itself, without the header of its part."""
    payload = part.get_payload()
    if not isinstance(payload, list):
        content = part.get_payload(decode=True)
        return content if isinstance(content, bytes) else b""
    blocks = [block for block in payload if isinstance(block, Message)]
    if part.get_content_type() == "message/delivery-status":  # blocks of headers
        return b"\r\n".join(_write_message(block).rstrip(b"\r\n") + b"\r\n" for block in blocks)
    inner = b"".join(map(_write_message, blocks))
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().casefold()
    if encoding in ("base64", "quoted-printable"):  # forbidden for messages, and done
        holder = Message()
        holder["Content-Transfer-Encoding"] = encoding
        holder.set_payload(inner.decode("ascii", "surrogateescape").lstrip())
        content = holder.get_payload(decode=True)
        return content if isinstance(content, bytes) else inner
    return inner


def _write_message(message: Message) -> bytes:
    try:
        return message.as_bytes(policy=_AS_WRITTEN)
    except (ValueError, LookupError, AttributeError, KeyError, IndexError, TypeError):  # damaged headers within it
        return message.as_string(policy=_AS_WRITTEN).encode("utf-8", "surrogateescape")


def _read_charset(part: Message) -> str:
    try:
        return str(part.get_content_charset() or "")
    except (ValueError, LookupError, AttributeError, TypeError, IndexError):
        return ""


def _read_text(part: Message, layout: Layout) -> str:
    """The text of a part as it is shown; what is odd in it goes to the notes and attachments of `layout`."""
    text = _decode_part(part, layout)
    if part.get_content_type() == "text/html":
        return seen_text(text)
    if str(part.get_param("format") or "").casefold() == "flowed":
        text = _join_flowed(text, delete_space=str(part.get_param("delsp") or "").casefold() == "yes")
    return _UUENCODED.sub(lambda match: _take_uuencoded(match, layout), text)


def _decode_part(part: Message, layout: Layout) -> str:
    is_html = part.get_content_type() == "text/html"
    decoded = decode_bytes(_read_bytes(part), _read_charset(part), html=is_html)
    if decoded.lost:
        layout.notes.append(
            f"{decoded.lost} characters of the text cannot be read as {decoded.encoding} and are shown as \ufffd"
        )
    return decoded.text.replace("\r\n", "\n")


def _join_flowed(text: str, *, delete_space: bool) -> str:
    """Text whose paragraphs were cut for the line (RFC 3676), with its paragraphs in one line each."""
    joined: list[str] = []
    open_depth = -1
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        flows = content.endswith(" ") and content != "-- "
        if open_depth == depth and content != "-- ":
            joined[-1] += content
        else:
            joined.append(f"{'>' * depth}{' ' if depth else ''}{content}")
        if flows and delete_space:
            joined[-1] = joined[-1][:-1]
        open_depth = depth if flows else -1
    return "\n".join(joined)


def _take_uuencoded(match: "re.Match[str]", layout: Layout) -> str:
    """Put a file that was written into the text among the attachments; one that is damaged stays text."""
    try:
        data = b"".join(binascii.a2b_uu(line.rstrip()) for line in match[2].split("\n") if line.strip(" `"))
    except binascii.Error:
        return match[0]
    name = match[1].strip()
    layout.attachments.append(Leaf(mimetypes.guess_type(name)[0] or "application/octet-stream", name, data))
    return f"[attachment: {name}]"


def _note_unread(message: Message, layout: Layout, count: int) -> Iterator[str]:
    kinds = {leaf.media_type for leaf in layout.attachments}
    root = message.get_content_type()
    if "application/ms-tnef" in kinds or any(leaf.name.casefold() == "winmail.dat" for leaf in layout.attachments):
        yield "winmail.dat is in Outlook's own format (TNEF); the files and formats inside it cannot be read here"
    if root == "multipart/encrypted" or str(message.get_param("smime-type") or "").casefold() == "enveloped-data":
        yield "the message is encrypted and cannot be read here"
    elif root in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        yield "the message is inside its S/MIME signature or encryption and cannot be read here"
    if count > MAX_PARTS:
        yield f"only the first {MAX_PARTS:,} of {count:,} attachments are listed"
