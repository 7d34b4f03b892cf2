"""Removing dates from PDF files of LibreOffice and Chromium, so that the same document gives the same bytes."""

import hashlib
import re

_DATES = re.compile(rb"/(?:CreationDate|ModDate) ?\(D:[^()]*\)")
_ID = re.compile(rb"(/ID \[ <)[0-9A-F]{32}(>\s*<)[0-9A-F]{32}(> \]\s*/DocChecksum /)[0-9A-F]{32}")


def strip_dates(pdf: bytes) -> bytes:
    """Replace a PDF's dates by blanks and its id by one derived from the content, without moving any byte."""
    blanked = _DATES.sub(lambda match: b" " * len(match[0]), pdf)
    content = _ID.sub(rb"\1\2\3", blanked)
    name = hashlib.sha256(content).hexdigest()[:32].upper().encode()
    return _ID.sub(lambda match: match[1] + name + match[2] + name + match[3] + name, blanked)
