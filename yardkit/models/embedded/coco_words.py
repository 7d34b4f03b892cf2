"""Everyday words for COCO's 80 classes."""

from difflib import get_close_matches

from yardkit.models.embedded.coco_detection import list_classes
from yardkit.world import Problem

_OTHER_WORDS = {
    "bike": "bicycle",
    "motorbike": "motorcycle",
    "plane": "airplane",
    "aeroplane": "airplane",
    "people": "person",
    "man": "person",
    "woman": "person",
    "child": "person",
    "sofa": "couch",
    "television": "tv",
    "monitor": "tv",
    "phone": "cell phone",
    "mobile phone": "cell phone",
    "mug": "cup",
    "fridge": "refrigerator",
    "plant": "potted plant",
    "table": "dining table",
    "ball": "sports ball",
    "bag": "handbag",
    "glass": "wine glass",
    "hairdryer": "hair drier",
    "doughnut": "donut",
}
"""What people call what the model calls otherwise."""
_PLURALS = (("ves", "fe"), ("ies", "y"), ("es", ""), ("s", ""))


def coco_class(label: str) -> str:
    """Find the class of a word, in singular or plural.

    Raises:
        Problem: it is not one of the 80 classes.
    """
    word = " ".join(label.lower().split())
    singulars = [word.removesuffix(plural) + single for plural, single in _PLURALS if word.endswith(plural)]
    for form in (word, *singulars):
        if (name := _OTHER_WORDS.get(form, form)) in list_classes():
            return name
    near = get_close_matches(word, list_classes(), n=3)
    hint = f"near it: {', '.join(near)}" if near else f"it knows: {', '.join(list_classes())}"
    raise Problem(f"the embedded model does not know {label!r}, only the 80 classes of COCO; {hint}")
