"""The amount that a PDF draws, counted before drawing it, since forms that draw forms multiply."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import InvalidArtifact

MAX_DRAWN_FORMS = 20_000
"""How many forms (pieces of page that are drawn by name) a page may draw, those that its forms draw included."""
_DRAW = re.compile(rb"/([^\s/<>\[\](){}%]+)\s+Do\b")


def check_drawings(path: Path) -> None:
    """Refuse the PDF at `path` if a page draws far too much; any exception may be raised if it is not a PDF.

    Raises:
        InvalidArtifact: a page draws over `MAX_DRAWN_FORMS` forms, or one of them draws itself.
    """
    import pikepdf

    with pikepdf.open(path) as opened:
        counts: dict[Any, int | None] = {}
        for number, page in enumerate(opened.pages, 1):
            forms = _map_forms(page.obj.get("/Resources"))
            # Without forms nothing can multiply.
            if forms and _count_drawn(page.obj.get("/Contents"), forms, counts) > MAX_DRAWN_FORMS:
                raise InvalidArtifact(f"page {number} of {path.name} draws over {MAX_DRAWN_FORMS:,} forms")


def _map_forms(resources: Any) -> dict[str, Any]:
    """Map the names of the forms that can be drawn to the forms."""
    things = resources.get("/XObject") if resources is not None else None
    objects = dict(things.items()) if things is not None else {}
    return {name: thing for name, thing in objects.items() if thing.get("/Subtype") == "/Form"}


def _count_drawn(contents: Any, forms: Mapping[str, Any], counts: dict[Any, int | None]) -> int:
    """Count the forms drawn by `contents`, one or several streams."""
    names = Counter(_DRAW.findall(_read_bytes(contents)))
    used = {f"/{_unescape_name(name)}": times for name, times in names.items()}
    return sum(times * _weigh_form(forms[name], counts) for name, times in used.items() if name in forms)


def _weigh_form(form: Any, counts: dict[Any, int | None]) -> int:
    """Count a form and all that it draws; a form that is still being counted has no number in `counts`."""
    key = form.objgen
    if key not in counts:
        counts[key] = None
        counts[key] = 1 + _count_drawn(form, _map_forms(form.get("/Resources")), counts)
    stored_count = counts[key]
    if stored_count is None:
        raise InvalidArtifact(f"the form {key[0]} draws itself")
    return stored_count


def _read_bytes(contents: Any) -> bytes:
    import pikepdf

    if contents is None:
        return b""
    streams = contents if isinstance(contents, pikepdf.Array) else [contents]
    return b"\n".join(stream.read_bytes() for stream in streams)


def _unescape_name(name: bytes) -> str:
    """Decode the escapes in a PDF name."""
    return re.sub(rb"#([0-9A-Fa-f]{2})", lambda code: bytes([int(code[1], 16)]), name).decode("latin-1")
