"""Everyday words for COCO's 80 classes."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from yardkit.models.embedded.coco_detection import list_classes
from yardkit.world import Problem

Relation = Literal["same", "narrower", "wider"]
_SAME = {
    "bike": "bicycle",
    "motorbike": "motorcycle",
    "plane": "airplane",
    "aeroplane": "airplane",
    "people": "person",
    "human": "person",
    "sofa": "couch",
    "television": "tv",
    "phone": "cell phone",
    "mobile phone": "cell phone",
    "fridge": "refrigerator",
    "hairdryer": "hair drier",
    "doughnut": "donut",
    "mug": "cup",
    "monitor": "tv",
}
"""What people call what the model calls otherwise."""
_PERSONS = ("man", "woman", "child", "kid", "boy", "girl", "baby", "lady", "player", "worker", "customer", "pedestrian")
_NARROWER = dict.fromkeys(_PERSONS, "person") | {
    "kitten": "cat",
    "puppy": "dog",
    "taxi": "car",
    "van": "car",
    "pickup": "truck",
}
"""Words for some of what a class holds, which the model cannot tell from the rest of it."""
_ANIMALS = ("bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra", "giraffe")
_VEHICLES = ("bicycle", "car", "motorcycle", "airplane", "bus", "train", "truck", "boat")
_WIDER = {
    "plant": ("potted plant",),
    "table": ("dining table",),
    "ball": ("sports ball",),
    "glass": ("wine glass",),
    "mouse": ("mouse",),
    "bag": ("backpack", "handbag", "suitcase"),
    "luggage": ("backpack", "handbag", "suitcase"),
    "animal": _ANIMALS,
    "pet": ("bird", "cat", "dog"),
    "vehicle": _VEHICLES,
    "fruit": ("banana", "apple", "orange"),
    "cutlery": ("fork", "knife", "spoon"),
    "seat": ("chair", "couch", "bench"),
    "computer": ("laptop",),
}
"""Words for more than the classes that the model knows of it. Its mouse is the one of a computer."""
_PLURALS = (("ves", "fe"), ("ies", "y"), ("es", ""), ("s", ""))
_ODD_PLURALS = {"men": "man", "women": "woman", "children": "child", "mice": "mouse"}


@dataclass(frozen=True)
class KnownWord:
    """A word, and the classes that are looked for in its place.

    Attributes:
        relation: of what the word means to these classes.
    """

    word: str
    classes: tuple[str, ...]
    relation: Relation = "same"

    def __str__(self) -> str:
        return f"{self.word!r} was looked for as {' or '.join(self.classes)}"


def find_word(label: str) -> KnownWord:
    """Find the classes for a word, in singular or plural.

    Raises:
        Problem: the model knows none for it.
    """
    word = " ".join(label.lower().split())
    head, _, last = word.rpartition(" ")
    singulars = [word.removesuffix(plural) + single for plural, single in _PLURALS if word.endswith(plural)]
    irregular = [f"{head} {_ODD_PLURALS[last]}".strip()] if last in _ODD_PLURALS else []
    for form in (word, *irregular, *singulars):
        if form in _WIDER:
            return KnownWord(label, _WIDER[form], "wider")
        if form in _NARROWER:
            return KnownWord(label, (_NARROWER[form],), "narrower")
        if (name := _SAME.get(form, form)) in list_classes():
            return KnownWord(label, (name,))
    near = get_close_matches(word, list_classes(), n=3)
    hint = f"near it: {', '.join(near)}" if near else f"it knows: {', '.join(list_classes())}"
    raise Problem(f"the embedded model does not know {label!r}, only the 80 classes of COCO; {hint}")


def explain_words(words: Sequence[KnownWord]) -> str:
    """What an answer about these words says in truth; empty where it says what was asked."""
    narrower = [word for word in words if word.relation == "narrower"]
    wider = [word for word in words if word.relation == "wider"]
    parts = [f"{word}: the model cannot tell which of these are {word.word}" for word in narrower]
    parts += [f"{word}: the model knows no others" for word in wider]
    return f"{'; '.join(parts)}." if parts else ""
