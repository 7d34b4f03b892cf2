"""The parts of a message (RFC 2045): what a mail program shows as its text, and every other leaf as an attachment."""

import binascii
import html
import mimetypes
import quopri
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from email import message_from_bytes
from email.message import Message
from email.policy import default
from email.utils import collapse_rfc2231_value

from yardkit.servers.mail.engine.headers import decode_raw, decode_words, mend_head, read_header
from yardkit.servers.mail.engine.html_text import read_seen_text
from yardkit.servers.mail.engine.transfer import Transferred, decode_base64, decode_transferred
from yardkit.world.decoding import decode_bytes
from yardkit.world.wording import format_count

MAX_PARTS = 2_000
"""Parts of one message that are looked at."""
_MAX_DEPTH = 50
_MAX_NAME_BYTES = 200
_MAX_REFERENCE = 200
"""Characters of a plain text that may say no more than where the real text is."""
_SAME_TEXT = ("text/plain", "text/html", "text/enriched", "text/richtext", "text/x-amp-html", "text/watch-html")
"""Kinds of alternatives that say what the others say; any other kind is a thing of its own, such as an invitation."""
_SUFFIXES = {
    "message/rfc822": ".eml",
    "message/global": ".eml",
    "message/delivery-status": ".txt",
    "message/disposition-notification": ".txt",
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
_ENVELOPES = {"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}
_HEADER_BLOCKS = ("message/delivery-status", "message/disposition-notification")
_SHOWN_HEADS = ("From", "To", "Date", "Subject")
_AS_WRITTEN = default.clone(refold_source="none", linesep="\r\n")
_CONTROLS = re.compile("[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069/\\\\]")
"""Signs that no name of a file keeps: they lead elsewhere, or let a name look like another one."""
_META_CHARSET = re.compile(r"(<meta\b[^>]{0,500}?\bcharset\s*=\s*[\"']?\s*)[\w.:-]{1,40}", re.IGNORECASE)
"""What an HTML text says of its bytes, which are others where it is sent on."""
_BLANK = re.compile("[\\s\u00a0\u034f\u200b-\u200d\u2060\ufeff\u00ad]*")
_UUENCODED = re.compile(r"^begin [0-7]{3,4} ([^\n]{1,200})\n((?:[ -`]{1,86}\n){1,100000}?)end[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Leaf:
    """A part that holds no others, or an attached message as it stands.

    Attributes:
        name: as the message gives it, or empty.
        content_id, location: by which HTML shows it.
        inside: the number of the attached message that it is in; 0 for the message itself.
    """

    media_type: str
    name: str
    data: bytes
    charset: str = ""
    content_id: str = ""
    location: str = ""
    inside: int = 0


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


def lay_out(message: Message, levels: int = 3) -> Layout:
    """The text and the attachments of a message, whatever program wrote it; attached messages are opened, too."""
    branch = _collect_parts(message, _MAX_DEPTH)
    rest = branch.others
    if not branch.texts:  # a mail that is nothing but an invitation, a table or the file of a scanner
        branch.texts = [part for part in rest if _is_readable(part)][:1]
    layout = Layout(html=any(part.get_content_type() == "text/html" for part in branch.texts))
    texts = [_read_text(part, layout) for part in branch.texts]
    layout.text = "\n".join(text.rstrip("\n") + "\n" for text in texts) if len(texts) > 1 else "".join(texts)
    layout.attachments += [_read_leaf(part) for part in rest[:MAX_PARTS]]
    if levels:
        _open_attached(layout, levels - 1)
    layout.notes += _note_unread(message, layout, len(rest))
    return layout


def _open_attached(layout: Layout, levels: int) -> None:
    """Show what the attached messages say below the text, as mail programs do, and list what is attached to them."""
    for number, leaf in enumerate([*layout.attachments], 1):
        is_message = leaf.media_type in ("message/rfc822", "message/global") or leaf.name.casefold().endswith(".eml")
        if not is_message or len(layout.attachments) >= MAX_PARTS:
            continue
        try:
            inner = message_from_bytes(mend_head(leaf.data))
        except RecursionError:
            continue
        opened = lay_out(inner, levels)
        heads = [f"{name}: {text}" for name in _SHOWN_HEADS if (text := read_header(inner, name))]
        text = "\n".join([f"[attached message {number}]", *heads, "", opened.text.rstrip()]).rstrip()
        layout.text = f"{layout.text.rstrip()}\n\n{text}\n".lstrip("\n")
        layout.attachments += [replace(other, inside=other.inside or number) for other in opened.attachments]
        layout.notes += [f"in attached message {number}: {note}" for note in opened.notes]


def find_html(message: Message) -> str:
    """The source of the HTML that a mail program shows, with plain texts around it; empty where there is none."""
    texts = _collect_parts(message, _MAX_DEPTH, wants_html=True).texts
    if not any(text.get_content_type() == "text/html" for text in texts):
        return ""
    pages = [
        _decode_part(text, Layout())
        if text.get_content_type() == "text/html"
        else f"<pre>{html.escape(_read_text(text, Layout()))}</pre>"
        for text in texts
    ]
    return "\n".join(_META_CHARSET.sub(r"\1utf-8", page) for page in pages)


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


def _collect_parts(part: Message, depth: int, *, wants_html: bool = False) -> _Shown:
    _mend_headers(part)
    children = _list_children(part) if depth else []
    if not children:
        return _Shown([], [part]) if _is_file(part) or not _is_text(part) else _Shown([part], [])
    collected = [_collect_parts(child, depth - 1, wants_html=wants_html) for child in children]
    others = [other for branch in collected for other in branch.others]
    kind = part.get_content_type()
    if kind == "multipart/alternative":
        others = [other for other in others if not _says_the_same(other)]
        return _Shown(_choose_alternative([branch.texts for branch in collected], wants_html=wants_html), others)
    if kind == "multipart/related":
        root = _find_root(part, children, [branch.texts for branch in collected])
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


def _choose_alternative(choices: Sequence[list[Message]], *, wants_html: bool) -> list[Message]:
    """The first that is plain text and says something, then the first that says something at all; or the HTML.

    Plain text that only refers to the other form says next to nothing.
    """
    lengths = [sum(len(_BLANK.sub("", _read_text(text, Layout()))) for text in texts) for texts in choices]
    most = max(lengths, default=0)
    telling = [(texts, length) for texts, length in zip(choices, lengths, strict=True) if length]
    if wants_html:
        pages = [texts for texts, _ in telling if any(text.get_content_type() == "text/html" for text in texts)]
        return next(iter(pages or [texts for texts, _ in telling]), [])
    plain_texts = [
        texts
        for texts, length in telling
        if all(text.get_content_type() == "text/plain" for text in texts)
        and (length > _MAX_REFERENCE or length * 2 > most)
    ]
    richest = [texts for texts, length in telling if length * 2 > most]
    return next(iter(plain_texts or richest or [texts for texts in choices if texts]), [])


def _says_the_same(part: Message) -> bool:
    """Whether an alternative is but another form of the text; an invitation is a thing of its own."""
    if _is_file(part) or part.get_content_maintype() != "text":
        return False
    return part.get_content_type() in _SAME_TEXT or not _read_bytes(part).strip()


def _find_root(part: Message, children: Sequence[Message], texts: Sequence[list[Message]]) -> int:
    """Which part is the text: the one that is named, of the kind that is named, or the first that is a text at all."""
    start = str(part.get_param("start") or "").strip().strip("<>")
    kind = str(part.get_param("type") or "").strip().casefold()
    numbers = range(len(children))
    named = [
        number for number in numbers if start and str(children[number].get("Content-ID", "")).strip(" <>") == start
    ]
    if named or (texts[0] and not kind):
        return [*named, 0][0]
    of_kind = [number for number in numbers if children[number].get_content_type() == kind and texts[number]]
    return next((number for number in (*of_kind, *numbers) if texts[number]), 0)


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
        for header, parameter in (("Content-Disposition", "filename"), ("Content-Type", "name")):
            values = [value for name, value in part.get_params([], header) if name.casefold() == parameter]
            coded = [value for value in values if isinstance(value, tuple)]
            # The coded form is the name; the other one is for programs that cannot read it (RFC 6266, 4.3).
            if name := next(iter([*coded, *values]), ""):
                return decode_words(collapse_rfc2231_value(name).strip())
        return ""
    except (ValueError, LookupError, AttributeError, TypeError):  # damaged parameters
        return ""


def _read_leaf(part: Message) -> Leaf:
    return Leaf(
        part.get_content_type(),
        _read_name(part),
        _read_bytes(part),
        _read_charset(part),
        str(part.get("Content-ID", "")).strip(),
        str(part.get("Content-Location", "")).strip(),
    )


def _read_bytes(part: Message) -> bytes:
    """The content of a leaf; of an attached message the message itself, without the header of its part."""
    return _read_transferred(part).data


def _read_transferred(part: Message) -> Transferred:
    payload = part.get_payload()
    if not isinstance(payload, list):
        return decode_transferred(part)
    blocks = [block for block in payload if isinstance(block, Message)]
    if part.get_content_type() in _HEADER_BLOCKS:
        return Transferred(b"\r\n".join(_write_message(block).rstrip(b"\r\n") + b"\r\n" for block in blocks))
    inner = b"".join(map(_write_message, blocks))
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().casefold()
    if encoding == "base64":  # forbidden for messages, and done
        return decode_base64(inner.lstrip(), text=True)
    if encoding == "quoted-printable":
        return Transferred(quopri.decodestring(inner.lstrip()))
    return Transferred(inner)


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
        seen = read_seen_text(text)
        if seen.hidden:
            layout.notes.append(f"{format_count(seen.hidden, 'character')} that the sender hides by style are left out")
        return seen.text
    if str(part.get_param("format") or "").casefold() == "flowed":
        text = _join_flowed(text, delete_space=str(part.get_param("delsp") or "").casefold() == "yes")
    return _UUENCODED.sub(lambda match: _take_uuencoded(match, layout), text)


def _decode_part(part: Message, layout: Layout) -> str:
    transferred, declared = _read_transferred(part), _read_charset(part)
    texts = []
    for data in filter(None, (transferred.data, transferred.added)):
        decoded = decode_bytes(data, declared, html=part.get_content_type() == "text/html")
        texts.append(decoded.text.replace("\r\n", "\n"))
        if decoded.lost:
            layout.notes.append(
                f"{decoded.lost} characters of the text cannot be read as {decoded.encoding} and are shown as \ufffd"
            )
    return "\n".join(texts)


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
    own = [leaf for leaf in layout.attachments if not leaf.inside]
    parts = [*_walk_parts(message)]
    kinds = {part.get_content_type() for part in parts}
    names = {leaf.name.casefold() for leaf in own}
    if "application/ms-tnef" in kinds or "winmail.dat" in names:
        yield "winmail.dat is in Outlook's own format (TNEF); the files and formats inside it cannot be read here"
    if kinds & _ENVELOPES or "smime.p7m" in names:
        types = {str(part.get_param("smime-type") or "").casefold() for part in parts}
        if "multipart/encrypted" in kinds or "enveloped-data" in types:
            yield "the message is encrypted and cannot be read here"
        else:
            yield "the message is inside its S/MIME signature or encryption and cannot be read here"
    elif re.search("^-----BEGIN PGP MESSAGE-----", layout.text, re.MULTILINE):
        yield "the text is encrypted (PGP) and cannot be read here"
    if "message/partial" in kinds:
        yield "this is one part of a message that was sent in pieces; put together it cannot be read here"
    if "message/external-body" in kinds:
        yield "an attachment is not in the message, which only says where it lies"
    if count > MAX_PARTS:
        yield f"only the first {MAX_PARTS:,} of {count:,} attachments are listed"


def _walk_parts(message: Message) -> Iterator[Message]:
    """All parts, without those of attached messages."""
    waiting = [message]
    while waiting:
        yield (part := waiting.pop())
        waiting += reversed(_list_children(part))
