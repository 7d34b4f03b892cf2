"""Words of ABC (w:) put below the notes of the line before."""

import re

from yardkit.servers.music.engine.score import Event

_SYLLABLES = re.compile(r"(?:\\-|[^\s\-_*|])+-?|[-_*|]")
_MAX = 60


def assign_syllables(notes: list[tuple[int, Event]], text: str, verse: int) -> bool:
    """Give notes, each with the number of its bar, the syllables of a verse; whether all syllables found a note.

    `-` goes on within a word, `_` holds a syllable, `*` leaves a note out, `~` is a blank, `|` goes to the next bar.
    """
    at, sung = 0, None
    for syllable in _SYLLABLES.findall(text):
        if syllable == "|":
            at = _next_bar(notes, at)
        elif syllable == "-" and sung is not None and not sung.lyrics[-1].endswith("-"):
            sung.lyrics[-1] += "-"
        elif at >= len(notes):
            return False
        else:
            if syllable not in "*_-":
                sung = notes[at][1]
                sung.lyrics += [""] * (verse - 1 - len(sung.lyrics))
                sung.lyrics.append(syllable.replace("~", " ").replace("\\-", "-")[:_MAX])
            at += 1
    return True


def _next_bar(notes: list[tuple[int, Event]], at: int) -> int:
    """The first note of the bar after that of the note that was sung last."""
    bar = notes[at - 1][0] if at else notes[0][0] if notes else 0
    return next((index for index in range(at, len(notes)) if notes[index][0] > bar), len(notes))
