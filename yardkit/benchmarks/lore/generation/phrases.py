"""Sentences in which documents say values, rules and names, and fields that matter to nobody."""

import random
from collections.abc import Sequence

from yardkit.benchmarks.lore.generation.operators import Draw, Kind, Value, random_value

_VALUES = (
    "v{k}: {value}.",
    "Field v{k} contains {value}.",
    "Parameter v{k} is set to {value}.",
    "The value of v{k} is {value}.",
    "v{k} = {value}.",
    "Entry v{k} reads {value}.",
)
_RULES = (
    "Read the document '{name}' next, where X is {rule}.",
    "The document to be read is '{name}'; put {rule} in place of X.",
    "Continue with '{name}', X being {rule}.",
    "X is {rule}. Read the document '{name}'.",
)
_LISTS = (
    "Read also these documents: {names}.",
    "More is to be found in {names}.",
    "See the documents {names}.",
)
_PICTURE_RULES = (
    "X is the value of the expression in the picture. Read the document '{name}'.",
    "Work out the expression in the picture and read the document '{name}', X being its value.",
    "The document to be read is '{name}'; put the value of the expression in the picture in place of X.",
)
_PICTURE_FORMS = (
    "Write X with a minus sign if it is negative and without a sign otherwise. The picture may have been transformed: "
    "rotate, flip or stretch it back, or leave it if it can be read as it is."
)
_MOST_IDLE = 3


def value_sentence(variable: int, value: Value, rng: random.Random) -> str:
    """That a variable has a value."""
    return rng.choice(_VALUES).format(k=variable, value=value)


def rule_sentence(number: int, rule: str, rng: random.Random) -> str:
    """That the document ``v<number>%X`` is to be read, where X follows by a rule."""
    return rng.choice(_RULES).format(name=f"v{number}%X", rule=rule)


def format_picture_rule(number: int, rng: random.Random) -> str:
    """That the document ``v<number>%X`` is to be read, where X follows by an expression in a picture."""
    return f"{rng.choice(_PICTURE_RULES).format(name=f'v{number}%X')} {_PICTURE_FORMS}"


def list_sentence(names: Sequence[str], rng: random.Random) -> str:
    """That there are more documents."""
    return rng.choice(_LISTS).format(names=", ".join(f"'{name}'" for name in names))


class Idle:
    """Fields that no rule uses, with variables of their own, among the sentences of documents.

    Attributes:
        rate: how many documents of all get one or more.
    """

    def __init__(
        self, rate: float, first: int, kinds: Sequence[Kind], rng: random.Random, value: Draw = random_value
    ) -> None:
        self._rate, self._next, self._kinds, self._rng, self._value = rate, first, kinds, rng, value

    def surround_sentence(self, sentence: str) -> str:
        """A document's text: its sentence, with idle fields before and behind it."""
        rng = self._rng
        count = rng.randint(1, _MOST_IDLE) if rng.random() < self._rate else 0
        sentences = [self._make_field() for _ in range(count)]
        sentences.insert(rng.randint(0, count), sentence)
        return " ".join(sentences)

    def _make_field(self) -> str:
        self._next += 1
        return value_sentence(self._next - 1, self._value(self._rng.choice(self._kinds), self._rng), self._rng)
