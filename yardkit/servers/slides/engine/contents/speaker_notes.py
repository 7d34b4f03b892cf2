"""Speaker notes."""

from __future__ import annotations

from pathlib import Path

from yardkit.servers.slides.engine.contents.deck_reader import notes_of
from yardkit.servers.slides.engine.inputs import Notes
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck
from yardkit.servers.slides.engine.slides.new_slides import write_notes


def set_notes(path: Path, notes: list[Notes], *, append: bool) -> None:
    """Write the notes of slides; read back from the saved file."""
    with edit_deck(path) as deck:
        new_notes = {}
        for note in notes:
            slide = deck.get_slide(note.slide)
            write_notes(slide, note.text, append=append and bool(notes_of(slide)))
            new_notes[note.slide] = notes_of(slide)
        deck.promise("the notes", lambda saved: _has_notes(saved, new_notes))


def _has_notes(saved: Deck, expected_notes: dict[int, str]) -> bool:
    return all(notes_of(saved.get_slide(number)) == text for number, text in expected_notes.items())
