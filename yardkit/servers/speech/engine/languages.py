"""Which language a text is in, or is spoken in a sound."""

from dataclasses import dataclass
from pathlib import Path

from yardkit.kit.sounds import read_sound
from yardkit.models.contract import Origin
from yardkit.models.embedded import text_language, whisper_speech
from yardkit.models.embedded.running import origin_of, run_in_process
from yardkit.models.embedded.store import require_model
from yardkit.models.languages import language_name
from yardkit.world import Problem
from yardkit.world.decoding import decode_bytes, is_binary, note_reading, trim_cut
from yardkit.world.limits import check_bytes

_LISTED, _LEAST = 5, 0.01
_HEARD_S = 120.0
_TEXT_BYTES, _READ_CHARACTERS = 20_000_000, 50_000
_SHORT = 20
_DOUBTFUL = 0.6


@dataclass(frozen=True)
class LanguageChance:
    """A language, and how likely it is, in [0, 1]."""

    language: str
    name: str
    score: float


@dataclass(frozen=True)
class Languages:
    """Languages that a text or a sound may be in.

    Attributes:
        languages: likeliest first.
        note: what to know of the answer.
        model: with the tier and the quality.
    """

    languages: tuple[LanguageChance, ...]
    note: str
    model: str

    def __str__(self) -> str:
        likely = [f"{language.name} {language.score:.2f}" for language in self.languages]
        return "\n".join([*(likely or ["no language"]), *filter(None, [self.note]), f"by {self.model}"])


def detect_language(text: str | None, path: Path | None) -> Languages:
    """The languages that a text, a text file or a sound may be in.

    Raises:
        Problem: neither or both are given, or the file is neither text nor sound.
        ModelUnavailable: the model that listens was not added.
    """
    if (text is None) == (path is None):
        raise Problem("give exactly one of text and path")
    if path is not None:
        text = _text_of(path)
    if text is not None:
        return _of_text(text)
    assert path is not None  # noqa: S101 - one of both was given
    return _of_sound(path)


def likely_language(text: str) -> tuple[str, float]:
    """The likeliest language of a text and its chance."""
    ranked_languages: list[tuple[str, float]] = run_in_process(text_language.rank_languages, text[:_READ_CHARACTERS])
    return ranked_languages[0]


def _of_text(text: str) -> Languages:
    if not any(letter.isalpha() for letter in text):
        raise Problem("the text has no letters; give some words")
    ranked_languages = run_in_process(text_language.rank_languages, text[:_READ_CHARACTERS])
    notes = []
    if len(text.strip()) < _SHORT:
        notes.append("The text is short: similar languages are easily confused.")
    return _list_languages(ranked_languages, Origin("embedded", "py3langid", "full"), notes)


def _of_sound(path: Path) -> Languages:
    sound = read_sound(path, whisper_speech.RATE_HZ, 0.0, _HEARD_S)
    ranked_languages = run_in_process(
        whisper_speech.detect_language, require_model(whisper_speech.MODEL), sound.samples
    )
    if not ranked_languages:
        raise Problem(f"no speech was found in the first {_HEARD_S:g} s of {path.name!r}; give a part with speech")
    return _list_languages(ranked_languages, origin_of(whisper_speech.MODEL), [])


def _list_languages(ranked_languages: list[tuple[str, float]], origin: Origin, notes: list[str]) -> Languages:
    likely = [pair for pair in ranked_languages[:_LISTED] if pair[1] >= _LEAST] or ranked_languages[:1]
    if likely[0][1] < _DOUBTFUL:
        notes = [*notes, "No language is clearly the likeliest."]
    listed = tuple(LanguageChance(code, language_name(code), score) for code, score in likely)
    return Languages(listed, " ".join(notes), str(origin))


def _text_of(path: Path) -> str | None:
    """What a text file says; None for what is no text."""
    check_bytes(path)
    is_whole = path.stat().st_size <= _TEXT_BYTES
    with path.open("rb") as file:
        data = file.read(_TEXT_BYTES if is_whole else 4 * _READ_CHARACTERS)
    if is_binary(data):
        return None
    decoded = decode_bytes(data if is_whole else trim_cut(data))
    note_reading(path.name, decoded)
    return decoded.text
