"""The tools of GTA and GTA-2, by the names of our servers whose engines do the work."""

import hashlib


def name_by_content(word: str, content: str) -> str:
    """Name a file for which a caller gives no name: the same content has the same name."""
    return f"{word}_{hashlib.sha256(content.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
