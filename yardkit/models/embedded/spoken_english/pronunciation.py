"""Phonemes of English words: from a dictionary, by their endings, letter by letter, or by a network that guesses."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Entry = str | Mapping[str, str | None]
_PRIMARY, _SECONDARY = "ˈ", "ˌ"
_VOWELS = frozenset("AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻɐ")
_VOICELESS_BEFORE_S, _HISSES = "ptkfθ", "szʃʒʧʤ"
_VOICELESS_BEFORE_D = "pkfθʃsʧ"
_FLAPS_AFTER = frozenset("AIOWYiuæɑəɛɪɹʊʌ")
_DOUBLED = re.compile(r"([bcdgklmnprstvxz])\1ing$|cking$")


@dataclass(frozen=True)
class Pronouncer:
    """Words to phonemes.

    Attributes:
        sure: the dictionary checked by people.
        likely: the dictionary that was not checked.
        guess: guesses words that are in neither.
    """

    sure: Mapping[str, Entry]
    likely: Mapping[str, Entry]
    guess: Callable[[str], str]

    def pronounce(self, word: str, tag: str, before_vowel: bool | None) -> str:
        """Return the phonemes of a word.

        Args:
            word: letters, apostrophes, hyphens.
            tag: its part of speech.
            before_vowel: whether the next word begins with a vowel; None before a pause.
        """
        phonemes = (
            _function_word(word, tag, before_vowel)
            or self._look_up(word, tag, before_vowel)
            or self._pronounce_inflected(word, tag, before_vowel)
            or self._pronounce_compound(word, tag, before_vowel)
            or (self._spell_word(word) if _is_spelled(word) else "")
            or self.guess(word)
        )
        return phonemes.replace("ɾ", "T").replace("ʔ", "t")

    def _look_up(self, word: str, tag: str, before_vowel: bool | None) -> str:
        name = tag.startswith("NNP") and word.isupper() and len(word) > 1
        for form in dict.fromkeys((word, word.lower(), word.capitalize())):
            entry = self.sure.get(form) or (None if name else self.likely.get(form))
            if entry is None:
                continue
            phonemes = entry if isinstance(entry, str) else _by_tag(entry, tag, pause=before_vowel is None)
            if phonemes and not (name and form != word and _PRIMARY not in phonemes):
                return phonemes
        return ""

    def _pronounce_inflected(self, word: str, tag: str, before_vowel: bool | None) -> str:
        """Pronounce a word by its stem and the sound of -s, -ed or -ing after it."""
        for ending, stems, joined in _ENDINGS:
            if not word.lower().endswith(ending) or len(word) < len(ending) + 2:
                continue
            for cut, added in stems:
                if _can_end_stem(word, ending, cut) and (
                    stem := self._look_up(word[: len(word) - cut] + added, tag, before_vowel=False)
                ):
                    return joined(stem)
        if word.endswith("'"):
            return self.pronounce(word[:-1], tag, before_vowel)
        return ""

    def _pronounce_compound(self, word: str, tag: str, before_vowel: bool | None) -> str:
        """Pronounce words joined by hyphens or dots, with the stress on the last: well-known, example.com."""
        for mark, sign_phonemes in ((".", f" d{_SECONDARY}ɑt "), ("_", " "), ("-", "")):
            parts = [part for part in word.split(mark) if part]
            if len(parts) > 1 and any(len(part) > 1 for part in parts):
                *first, last = (self.pronounce(part, tag, before_vowel) for part in parts)
                return sign_phonemes.join([*(sound.replace(_PRIMARY, _SECONDARY) for sound in first), last])
        return ""

    def _spell_word(self, word: str) -> str:
        """Spell a word letter by letter, with the stress on the last."""
        letters = [self.sure.get(letter.upper()) for letter in word if letter.isalpha()]
        sounds = "".join(letter for letter in letters if isinstance(letter, str)).replace(_PRIMARY, _SECONDARY)
        head, _, last = sounds.rpartition(_SECONDARY)
        return f"{head}{_PRIMARY}{last}"


def _function_word(word: str, tag: str, before_vowel: bool | None) -> str:
    """Pronounce words whose sound depends on the next word."""
    match word.lower():
        case "the" if word != "THE" or tag == "DT":
            return "ði" if before_vowel else "ðə"
        case "to" if word != "TO" or tag in ("TO", "IN"):
            return {None: "tu", False: "tə", True: "tʊ"}[before_vowel]
        case "a" if tag == "DT":
            return "ɐ"
        case "an" if tag == "DT":
            return "ɐn"
        case "am" if before_vowel is not None and word == "am":
            return "ɐm"
        case "i" if word == "I" and tag == "PRP":
            return "ˌI"
        case "in" if word != "IN" and before_vowel is not None and tag == "IN":
            return "ɪn"
        case "in" if word != "IN":
            return "ˈɪn"
    return ""


def _by_tag(entry: Mapping[str, str | None], tag: str, *, pause: bool) -> str:
    kinds = {"VB": "VERB", "NN": "NOUN", "RB": "ADV", "JJ": "ADJ"}
    names = ["None"] if pause and "None" in entry else []
    names += [tag, kinds.get(tag[:2], tag)]
    return next((phonemes for name in names if (phonemes := entry.get(name, ""))), entry["DEFAULT"] or "")


def _is_spelled(word: str) -> bool:
    letters = word.replace(".", "")
    return letters.isalpha() and (len(letters) == 1 or word.isupper() or ("." in word.strip(".") and len(letters) < 4))


def _can_end_stem(word: str, ending: str, cut: int) -> bool:
    """Whether a stem may end there, unlike in `grass` or before a doubled letter."""
    lower = word.lower()
    if ending == "s" and cut == 1:
        return not lower.endswith("ss")
    return ending != "ing" or cut != 4 or bool(_DOUBLED.search(lower))


def _pronounce_plural(stem: str) -> str:
    if stem[-1] in _VOICELESS_BEFORE_S:
        return f"{stem}s"
    return f"{stem}ᵻz" if stem[-1] in _HISSES else f"{stem}z"


def _pronounce_past(stem: str) -> str:
    if stem[-1] in _VOICELESS_BEFORE_D:
        return f"{stem}t"
    if stem[-1] == "d":
        return f"{stem}ᵻd"
    if stem[-1] != "t":
        return f"{stem}d"
    return f"{stem[:-1]}ɾᵻd" if stem[-2:-1] in _FLAPS_AFTER else f"{stem}ᵻd"


def _pronounce_going(stem: str) -> str:
    return f"{stem[:-1]}ɾɪŋ" if stem[-1] == "t" and stem[-2:-1] in _FLAPS_AFTER else f"{stem}ɪŋ"


_ENDINGS: tuple[tuple[str, tuple[tuple[int, str], ...], Callable[[str], str]], ...] = (
    ("'s", ((2, ""),), _pronounce_plural),
    ("ies", ((3, "y"), (1, "")), _pronounce_plural),
    ("es", ((1, ""), (2, "")), _pronounce_plural),
    ("s", ((1, ""),), _pronounce_plural),
    ("ed", ((1, ""), (2, "")), _pronounce_past),
    ("d", ((1, ""),), _pronounce_past),
    ("ing", ((3, ""), (3, "e"), (4, "")), _pronounce_going),
)
"""An ending; how many letters are cut from the word and what is put there for its stem; the sound of both."""


def begins_with_vowel(phonemes: str) -> bool | None:
    """Whether phonemes begin with a vowel; None if there are none."""
    for sound in phonemes:
        if sound not in (_PRIMARY, _SECONDARY, " "):
            return sound in _VOWELS
    return None
