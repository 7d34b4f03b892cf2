"""Sentences of a text, and their phonemes."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from yardkit.models.embedded.spoken_english.pronunciation import Pronouncer, begins_with_vowel
from yardkit.models.embedded.spoken_english.spoken_text import Rules, read_out
from yardkit.models.embedded.spoken_english.tagging import tag_words

_END = re.compile(r"(?<=[.!?…])[\"”’)\]]*\s+(?=\S)")
_CLAUSE = re.compile(r"(?<=[,;:—])\s+")
_LETTERS = r"[^\W\d_]+(?:['_.-][^\W\d_]+)*"
_TOKEN = re.compile(rf"{_LETTERS}\.(?<=[A-Za-z]\.[A-Za-z]\.)|{_LETTERS}'?|[^\w\s]")
_PAUSES = ";:,.!?—…"
_MARKS = {"-": "—", "\u2013": "—", '"': "", "(": "(", ")": ")", "“": "“", "”": "”"}
_BEFORE_NUMBERS = {"no", "nos", "fig", "vol", "p", "pp", "ch", "art"}
_MOST = 400
"""Phonemes that a model is given at a time."""


@dataclass(frozen=True)
class English:
    """The data for reading English aloud.

    Attributes:
        rules: rules for text other than plain words.
        titles: titles after which a full stop does not end a sentence.
        tagger: the weights of the tagger.
        pronouncer: the pronouncer of words.
    """

    rules: Rules
    titles: Collection[str]
    tagger: Mapping[str, Any]
    pronouncer: Pronouncer

    def phonemes(self, text: str) -> list[str]:
        """Yield the phonemes of a text, a string for each sentence or part of a long one."""
        return [
            part
            for sentence in self._split_sentences(text)
            for part in _split_phonemes(self._pronounce_sentence(sentence))
            if part
        ]

    def unread(self, text: str) -> list[str]:
        """List words that cannot be pronounced in English, such as those in another script."""
        words = (match[0] for match in _TOKEN.finditer(read_out(text, self.rules)) if match[0][0].isalpha())
        return [word for word in dict.fromkeys(words) if not self.pronouncer.pronounce(word, "NN", before_vowel=False)]

    def _split_sentences(self, text: str) -> list[str]:
        sentences = []
        for line in filter(None, map(str.strip, text.splitlines())):
            start = 0
            for end in _END.finditer(line):
                if self._is_sentence_end(line, end.start(), line[end.end()]):
                    sentences.append(line[start : end.start()])
                    start = end.end()
            sentences.append(line[start:])
        return sentences

    def _is_sentence_end(self, line: str, end: int, after: str) -> bool:
        """Whether a sentence ends there, instead of a title, an initial or an abbreviation."""
        word = line[:end].rpartition(" ")[2].removesuffix(".").lstrip("(\"“'")
        if line[end - 1] != ".":
            return not after.islower()
        goes_on = after.islower() or (after.isdigit() and (word.lower() in _BEFORE_NUMBERS or "." in word))
        return not (goes_on or word in self.titles or (len(word) == 1 and word.isupper()))

    def _pronounce_sentence(self, sentence: str) -> str:
        text = read_out(sentence, self.rules)
        tokens = list(_TOKEN.finditer(text))
        tags = tag_words([token[0] for token in tokens], self.tagger)
        sounds, vowel = "", None
        for token, tag in zip(reversed(tokens), reversed(tags), strict=True):
            sound = self._pronounce_token(token[0], tag, vowel)
            spaced = " " if text[token.end() : token.end() + 1].isspace() else ""
            sounds = sound + spaced + sounds
            if sound:
                vowel = None if sound in _PAUSES else begins_with_vowel(sound)
        return " ".join(sounds.split())

    def _pronounce_token(self, token: str, tag: str, before_vowel: bool | None) -> str:
        if token[0].isalpha():
            return self.pronouncer.pronounce(token, tag, before_vowel)
        return token if token in _PAUSES else _MARKS.get(token, "")


def _split_phonemes(phonemes: str) -> list[str]:
    """Split text that is too long at clauses, else between words."""
    if len(phonemes) <= _MOST:
        return [phonemes]
    parts = [""]
    for clause in _CLAUSE.split(phonemes):
        for word in [clause] if len(clause) <= _MOST else clause.split():
            if parts[-1] and len(parts[-1]) + len(word) >= _MOST:
                parts.append("")
            parts[-1] = f"{parts[-1]} {word}".strip()[:_MOST]
    return parts
