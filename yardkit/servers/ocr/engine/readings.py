"""What was recognised last is kept: a second look at a picture, or at its table after its text, does not wait."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from yardkit.servers.ocr.backends import Recognised, Recogniser

if TYPE_CHECKING:
    from yardkit.servers.ocr.backends import Pixels

_MAX_CACHED = 64
"""Pictures whose lines are kept in a process: some hundred kilobytes at most for each."""

_Key = tuple[str, str, tuple[str, ...], tuple[int, ...], bytes]
_cache: OrderedDict[_Key, Recognised] = OrderedDict()
_lock = threading.Lock()


def recognise_text(reader: Recogniser, pixels: Pixels, languages: list[str]) -> Recognised:
    """What stands in a picture, recognised once for the same pixels, languages and model."""
    import numpy as np

    digest = hashlib.sha256(np.ascontiguousarray(pixels).data).digest()
    key = (reader.name, reader.model(), tuple(languages), pixels.shape, digest)
    with _lock:
        if key in _cache:
            _cache.move_to_end(key)
            return _cache[key]
    recognised = reader.read(pixels, languages)
    with _lock:
        _cache[key] = recognised
        while len(_cache) > _MAX_CACHED:
            _cache.popitem(last=False)
    return recognised
