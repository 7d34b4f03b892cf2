"""A solved world as other programs would have written it: whatever makes a file, a mail or an event, it is graded."""

from collections.abc import Callable, Collection, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from yardkit.evaluators.readers.mails import is_mail, read_new
from yardkit.evaluators.rewrites.media_files import chunked_wave, late_sound, turned_photo, variable_rate, wide_gamut
from yardkit.evaluators.rewrites.messages import html_alone, nested_parts, private_zone
from yardkit.evaluators.rewrites.office_files import (
    inline_strings,
    loose_objects,
    packed_objects,
    prefixed_cells,
    shared_formulas,
    split_runs,
)
from yardkit.evaluators.rewrites.texts import escaped_json, quoted_table, referenced_letters, windows_text
from yardkit.evaluators.submission import Submission
from yardkit.world.tree import file_digest

Way = Callable[[Path], None]

_OF_FILES: Mapping[str, tuple[Way, ...]] = {
    ".xlsx": (inline_strings, shared_formulas, prefixed_cells),
    ".docx": (split_runs,),
    ".pptx": (split_runs,),
    ".pdf": (packed_objects, loose_objects),
    ".png": (wide_gamut,),
    **dict.fromkeys((".jpg", ".jpeg", ".webp"), (wide_gamut, turned_photo)),
    ".wav": (chunked_wave,),
    ".mp4": (late_sound, variable_rate),
    ".csv": (quoted_table,),
    ".json": (escaped_json,),
    **dict.fromkeys((".html", ".htm"), (referenced_letters,)),
    **dict.fromkeys((".txt", ".md", ".srt", ".vtt"), (windows_text,)),
}
_OF_MAILS = (nested_parts, html_alone)
_OF_EVENTS = (private_zone,)
MOST_WAYS = max(len(_OF_MAILS), len(_OF_EVENTS), *map(len, _OF_FILES.values()))
"""The most ways in which a kind of deliverable is written again."""


def rewrite_deliverables(solved: Submission, root: Path, place: int, free: Collection[str] = ()) -> list[str]:
    """Write the deliverables in a copy of the solved world again, each in the way at this place of those for its kind.

    Args:
        solved: the solved world.
        root: the copy.
        place: the place of the ways, from 0 to `MOST_WAYS`.
        free: patterns of targets such as ``written:out.csv#quoted_table`` that are not written again.

    Returns:
        Descriptions such as ``written:letter.docx#split_runs``; none if no kind has so many ways.
    """
    ways = _list_ways_of_messages(solved, place) if solved.apps.is_dir() else {}
    # What was sent has to stay the same as the file that was sent, and what was moved is nobody's new file.
    known = {*solved.initial.values()}
    if solved.apps.is_dir():
        known |= {file.digest for mail in read_new(solved) for file in mail.files}
    for path, how in solved.list_changed().items():
        own = _OF_FILES.get(Path(path).suffix.lower(), ())
        if how != "deleted" and place < len(own) and file_digest(solved.files / path) not in known:
            ways[f"files/{path}"] = own[place]
    done = []
    for path, way in sorted(ways.items()):
        target = f"written:{path.partition('/')[2]}#{way.__name__}"
        if not any(fnmatchcase(target, pattern) for pattern in free):
            way(root / path)
            done.append(target)
    return done


def _list_ways_of_messages(solved: Submission, place: int) -> dict[str, Way]:
    """The ways for the mails that the solver wrote, and for the events that it added."""
    added = [path for path, how in solved.changed_apps().items() if how == "added"]
    ways: dict[str, Way] = {}
    if any(map(is_mail, added)) and place < len(_OF_MAILS):
        written = (mail for mail in read_new(solved) if not mail.invites and not mail.automatic)
        ways |= {f"apps/{mail.path}": _OF_MAILS[place] for mail in written}
    if place < len(_OF_EVENTS):
        ways |= {f"apps/{path}": _OF_EVENTS[place] for path in added if path.endswith(".ics")}
    return ways
