"""The embedded detector: NanoDet-g, which knows the 80 classes of COCO."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from toolyard.models.contract import Origin
from toolyard.models.embedded.catalog import embedded_model
from toolyard.models.embedded.coco_detection import MODEL, Detection, classes, detect_objects
from toolyard.models.embedded.running import origin_of, run_apart
from toolyard.models.embedded.store import SET_COMMAND, is_there, require_model
from toolyard.world import Problem

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


class NanoDet:
    """A small model: single, large objects are found; small and crowded ones are missed, some are named wrongly."""

    @property
    def origin(self) -> Origin:
        return origin_of(MODEL)

    def missing(self) -> str:
        return "" if is_there(embedded_model(MODEL)) else f"it was not added; `{SET_COMMAND}`"

    def check_labels(self, labels: Sequence[str]) -> list[str]:
        return [_known(label) for label in labels]

    def detect(self, path: Path, min_score: float, tiles: int) -> tuple[list[Detection], tuple[int, int]]:
        return run_apart(detect_objects, require_model(MODEL), path, min_score, tiles)


def _known(label: str) -> str:
    """The class that a word names, in the plural too.

    Raises:
        Problem: it is none of the 80.
    """
    word = " ".join(label.lower().split())
    singulars = [word.removesuffix(plural) + single for plural, single in _PLURALS if word.endswith(plural)]
    for form in (word, *singulars):
        if (name := _OTHER_WORDS.get(form, form)) in classes():
            return name
    near = get_close_matches(word, classes(), n=3)
    hint = f"near it: {', '.join(near)}" if near else f"it knows: {', '.join(classes())}"
    raise Problem(f"the embedded model does not know {label!r}, only the 80 classes of COCO; {hint}")
