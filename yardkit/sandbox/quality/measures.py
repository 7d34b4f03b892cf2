"""How each capability is measured: the tool, the data and the figures."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from yardkit.kit.sounds import read_sound
from yardkit.models.quality.box_precision import PredictedBox, average_precision
from yardkit.models.quality.figures import class_accuracy, count_errors, equal_error, sound_ratio_db
from yardkit.models.quality.text_errors import expression_match, letter_errors, measure_word_recall, word_errors
from yardkit.sandbox.quality.data_layouts import (
    PICTURES,
    SOUNDS,
    classes_of,
    coco_boxes,
    noisy_sounds,
    texts_of,
    voice_pairs,
)
from yardkit.sandbox.quality.tool_calls import ToolCaller
from yardkit.world import Problem

Figures = dict[str, float]
TIERS = ("endpoint", "local", "embedded")
RECOGNISERS = ("rapidocr", "tesseract")
_MODELS = ("endpoint", "local")
_LEAST_SCORE, _MOST_BOXES = 0.05, 100
_CLEAN_HZ = 48_000


@dataclass(frozen=True)
class Measured:
    """The result of a measurement.

    Attributes:
        capability: the measured capability.
        model: the measured model.
        items: the number of files or pairs that were tried.
        figures: the figures by name; `MEANINGS` explains the names.
        seconds: the median time of a call.
        failures: the errors of failed calls.
    """

    capability: str
    model: str
    items: int
    figures: Figures
    seconds: float
    failures: tuple[str, ...]


MEANINGS: Mapping[str, str] = {
    "AP": "average precision of boxes, over overlaps from 0.5 to 0.95",
    "AP50": "the same at an overlap of 0.5",
    "AP75": "the same at an overlap of 0.75",
    "AR100": "share of objects that are found, over these overlaps",
    "exact": "share of counts that are exact",
    "MAE": "mean absolute error of the counts",
    "told": "share of counts that are given; the others cannot be determined",
    "CER": "edits over letters",
    "WER": "edits over words",
    "precision": "share of the recognized words that are correct",
    "recall": "share of the true words that are recognized",
    "F1": "their harmonic mean",
    "match": "share of formulas that are exactly right",
    "sign errors": "edits over signs",
    "top-1": "share of pictures whose class comes first",
    "top-5": "share of pictures whose class is among the first five",
    "SI-SDR before": "dB of speech over noise in the noisy sounds",
    "SI-SDR": "dB of speech over all else afterwards",
    "gain": "dB gained",
    "EER": "rate at which false acceptances equal false rejections",
    "threshold": "similarity at which that happens",
}


def measure_capability(capability: str, folder: Path, backend: str, limit: int | None) -> Measured:
    """Measure a capability on data.

    Args:
        capability: one of `MEASURES`.
        folder: the folder with the data.
        backend: one of the capability's backends, or ``auto``.
        limit: the maximum number of files; None for all.

    Raises:
        Problem: the folder contains no such data, or the first call fails.
    """
    work = MEASURES[capability]
    options = {} if backend == "auto" else {"backend": backend}
    if options and not work.backends:
        raise Problem(f"{capability} has one model, the embedded one; leave --backend out")
    if options and backend not in work.backends:
        raise Problem(f"{capability} has no backend {backend!r}; give one of {', '.join(work.backends)}")
    caller = ToolCaller(work.server, folder.resolve(), options)
    items, figures = work.measure(caller, limit)
    seconds = median(caller.seconds) if caller.seconds else 0.0
    return Measured(capability, caller.model, items, figures, seconds, tuple(caller.failures))


@dataclass(frozen=True)
class Measure:
    """How a capability is measured.

    Attributes:
        server: the server whose tools are called.
        data: a description of the data that it takes.
        measure: tries the data; returns the number of items and the figures.
        backends: the backends that its tool can use.
    """

    server: str
    data: str
    measure: Callable[[ToolCaller, int | None], tuple[int, Figures]]
    backends: Sequence[str] = TIERS


def _measure_objects(caller: ToolCaller, limit: int | None) -> tuple[int, Figures]:
    data = coco_boxes(caller.folder)
    pictures, predicted_boxes, seen = data.pictures[:limit], [], set()
    for picture in pictures:
        call_arguments = {"classes": list(data.classes), "min_confidence": _LEAST_SCORE, "limit": _MOST_BOXES}
        answer = caller.call("detect_objects", picture, **call_arguments)
        if answer is not None:
            seen.add(str(picture))
            predicted_boxes += [
                PredictedBox(
                    str(picture), detected_object["label"], tuple(detected_object["box"]), detected_object["score"]
                )
                for detected_object in answer["objects"]
            ]
    return len(pictures), average_precision((box for box in data.boxes if box.picture in seen), predicted_boxes)


def _measure_counts(caller: ToolCaller, limit: int | None) -> tuple[int, Figures]:
    data = coco_boxes(caller.folder)
    there = Counter((box.picture, box.label) for box in data.boxes if not box.crowd)
    expected_counts = [(Path(name), label, count) for (name, label), count in there.items()][:limit]
    answers = [(count, caller.call("count_objects", path, classes=[label])) for path, label, count in expected_counts]
    given = [(count, answer["count"]) for count, answer in answers if answer is not None]
    known_counts = [(count, int(answered_count)) for count, answered_count in given if answered_count is not None]
    return len(expected_counts), {**count_errors(known_counts), "told": len(known_counts) / max(1, len(given))}


def _measure_reading(caller: ToolCaller, limit: int | None) -> tuple[int, Figures]:
    items = texts_of(caller.folder, PICTURES)[:limit]
    by_model = caller.options.get("backend") in _MODELS
    answers = [(item, caller.call("transcribe_image" if by_model else "read_image_text", item.path)) for item in items]
    read = [(item, answer["text"] if by_model else _text_of(answer)) for item, answer in answers if answer]
    lines = [(item.right, text) for item, text in read if not item.words]
    words = [(item.words, text) for item, text in read if item.words]
    return len(items), {**(letter_errors(lines) if lines else {}), **(measure_word_recall(words) if words else {})}


def _text_of(answer: Mapping[str, Any]) -> str:
    return "\n".join(piece["text"] for piece in answer["pieces"])


def _measure_speech(caller: ToolCaller, limit: int | None) -> tuple[int, Figures]:
    return _measure_texts(caller, limit, SOUNDS, "transcribe_speech", "text", word_errors)


def _measure_formulas(caller: ToolCaller, limit: int | None) -> tuple[int, Figures]:
    return _measure_texts(caller, limit, PICTURES, "read_formula", "latex", expression_match)


def _measure_texts(
    caller: ToolCaller,
    limit: int | None,
    kinds: Sequence[str],
    tool: str,
    part: str,
    figures: Callable[[Sequence[tuple[str, str]]], Figures],
) -> tuple[int, Figures]:
    items = texts_of(caller.folder, kinds)[:limit]
    answers = [(item.right, caller.call(tool, item.path)) for item in items]
    return len(items), figures([(right, str(answer[part])) for right, answer in answers if answer is not None])


def _measure_classes(caller: ToolCaller, limit: int | None) -> tuple[int, Figures]:
    items, pairs = classes_of(caller.folder)[:limit], []
    for item in items:
        if (answer := caller.call("tag_images", item.path)) is not None:
            labels = [str(tag["label"]).lower() for tag in answer["pictures"][0]["tags"]]
            pairs.append((item.right.lower().replace("_", " "), labels))
    return len(items), class_accuracy(pairs)


def _measure_noise(caller: ToolCaller, limit: int | None) -> tuple[int, Figures]:
    items, ratios = noisy_sounds(caller.folder)[:limit], []
    with tempfile.TemporaryDirectory() as folder:
        caller.folder = Path(folder)
        for item in items:
            noisy = Path(shutil.copy(item.path, folder))
            if caller.call("remove_noise", noisy, target="clean.wav") is not None:
                sounds = [
                    read_sound(path, _CLEAN_HZ).samples for path in (item.other, noisy, Path(folder, "clean.wav"))
                ]
                clean, before, after = (sound[: min(map(len, sounds))] for sound in sounds)
                ratios.append((sound_ratio_db(clean, before), sound_ratio_db(clean, after)))
    means = [sum(pair[side] for pair in ratios) / max(1, len(ratios)) for side in (0, 1)]
    return len(items), {"SI-SDR before": means[0], "SI-SDR": means[1], "gain": means[1] - means[0]}


def _measure_voices(caller: ToolCaller, limit: int | None) -> tuple[int, Figures]:
    items, pairs = voice_pairs(caller.folder)[:limit], []
    for item in items:
        other = item.other.relative_to(caller.folder).as_posix()
        if (answer := caller.call("compare_speakers", item.path, other=other)) is not None:
            pairs.append((item.same, float(answer["score"])))
    return len(items), equal_error(pairs)


_COCO = "COCO: a JSON of boxes (images, annotations, categories) and its pictures"
_TEXTS = "files with NAME.txt beside each, or a .csv of file,text"
MEASURES: Mapping[str, Measure] = {
    "objects": Measure("detection", _COCO, _measure_objects),
    "counting": Measure("counting", _COCO, _measure_counts),
    "classes": Measure(
        "vision", "a folder of pictures for each class, or a .csv of file,class", _measure_classes, backends=()
    ),
    "ocr": Measure("ocr", f"pictures: {_TEXTS}, or gt_NAME.txt of ICDAR", _measure_reading, (*RECOGNISERS, *_MODELS)),
    "formulas": Measure("formulas", f"pictures: {_TEXTS}, LaTeX", _measure_formulas),
    "transcription": Measure("speech", f"sounds: {_TEXTS}, or the .trans.txt of LibriSpeech", _measure_speech),
    "noise": Measure("speech", "sounds of one name in the folders noisy and clean", _measure_noise, backends=()),
    "speakers": Measure("speech", "a .txt of lines '1 a.wav b.wav', as VoxCeleb has it", _measure_voices, backends=()),
}
"""By capability."""
