"""RapidOCR with the PP-OCRv6-small models that its wheel carries (Latin, Chinese and Japanese scripts)."""

from __future__ import annotations

import importlib.util
import itertools
import os
import threading
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.servers.ocr.backends import BackendName, Line, Quad, Recognised, Word, measure_side, runs_down
from yardkit.servers.ocr.languages import language_name, tesseract_pack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yardkit.servers.ocr.backends import Pixels

# What the recognition model was trained on, by the package's own list, in our codes.
_TRAINED = (
    "af az bs ca cs cy da de en es et eu fi fr ga gl hr hu id is it ja la lb lt lv ms mt nl no oc pl pt ro sk sl sq "
    "sr-Latn sv sw tl tr uz vi zh-Hans zh-Hant"
)
_MODELS = ("PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx")
_MAX_THREADS = 4
_MAX_SIDE = 2560
# The detector enlarges the short side to this.
_DETECTOR_SIDE = 736
_MAX_ASPECT = 3
_MIN_SIDE = 48
# Latin letters are about half as wide as their line is high; a line with a mark per three heights is mostly unread.
_MAX_PITCH = 1.5
_MIN_LENGTH = 2.0
_SMALL_SHARE = 0.2
_TRIED_LINES = 8
_TURNED_BY = 0.1
_TURNED_WELL = 0.6
_TURNED_OVER_WELL = 0.85
# By how much the model is too shy of spaces. Of 15,280 spaces in English, German and French lines (8 fonts in 10 sizes,
# four of them noisy) it lost 35 by itself and invented 8; with this factor 3 and 10.
_SHYNESS = 10.0

_lock = threading.Lock()
_engine: Any = None


class RapidOcr:
    """One engine per process, loaded at the first image (about 1 s, 0.6 GB), used by one thread at a time."""

    name: BackendName = "rapidocr"
    small_text_px = 9.0
    reads_skewed = True
    doubtful_below = 0.93

    def missing(self) -> str:
        absent = [name for name in ("rapidocr", "onnxruntime", "cv2") if importlib.util.find_spec(name) is None]
        if absent:
            return f"the package {absent[0]!r} is not installed; pip install 'yardkit[ocr]'"
        gone = [name for name in _MODELS if not (_model_dir() / name).is_file()]
        return f"its model {gone[0]!r} is not in the package; pip install --force-reinstall rapidocr" if gone else ""

    def model(self) -> str:
        return "PP-OCRv6-small"

    def languages(self) -> list[str]:
        return [] if self.missing() else _TRAINED.split()

    def how_to_add(self, language: str) -> str:
        return (
            f"its model does not read {language_name(language)} ({language}) and none is downloaded; "
            f"use Tesseract: apt-get install tesseract-ocr tesseract-ocr-{tesseract_pack(language).replace('_', '-')}"
        )

    def read(self, image: Pixels, languages: list[str]) -> Recognised:  # noqa: ARG002 - one model for all languages
        image = _pad_image(image)[:, :, ::-1]
        with _lock:
            seen, recognised = _detected_and_read(_load_engine(), image)
        if recognised.txts is None or recognised.boxes is None:
            return Recognised((), tuple(quad for quad in seen if _like_a_line(quad, image)))
        lines = [
            Line(text.strip(), float(score), _to_quad(box), _build_words(words, text, float(score), box))
            for text, score, box, words in zip(
                recognised.txts, recognised.scores, recognised.boxes, recognised.word_results, strict=True
            )
        ]
        read = {line.quad: line for line in lines if not _is_sparse(line.text, line.quad)}
        return Recognised(
            tuple(read.values()), tuple(quad for quad in seen if quad not in read and _like_a_line(quad, image))
        )

    def read_strips(self, images: list[Pixels]) -> list[tuple[str, float]]:
        if not images:
            return []
        with _lock:
            engine = _load_engine()
            engine.update_params(return_word_box=False)
            read = engine.recognize_txt([image[:, :, ::-1] for image in images])
        return [(str(text), float(score)) for text, score in zip(read.txts, read.scores, strict=True)]

    def turns(self, image: Pixels, recognised: Recognised) -> tuple[int, ...]:
        """The longest lines are read as they lie and upside down."""
        quads = [*(line.quad for line in recognised.lines), *recognised.unread]
        down = sum(map(runs_down, quads)) > len(quads) / 2
        longest = sorted((quad for quad in quads if runs_down(quad) == down), key=_measure_length, reverse=True)[
            :_TRIED_LINES
        ]
        if not longest:
            return ()
        with _lock:
            as_is, over = _read_both_ways(_load_engine(), image[:, :, ::-1], longest)
        if down:
            return () if max(as_is, over) < _TURNED_WELL else (1,) if as_is >= over else (3,)
        return (2,) if over > max(as_is + _TURNED_BY, _TURNED_OVER_WELL) else ()


def _detected_and_read(engine: Any, image: Pixels) -> tuple[tuple[Quad, ...], Any]:
    """All regions that look like text, and the package's result, which leaves out those it read nothing in."""
    from rapidocr.utils.process_img import map_boxes_to_original

    # The classifier of line directions turns upright lines over; rotation is found by the caller.
    engine.update_params(use_cls=False, return_word_box=True)
    scaled, record = engine.preprocess_img(image)
    regions, directions, texts, crops = engine.run_ocr_steps(scaled, record)
    if regions.boxes is None:
        return (), texts
    boxes = map_boxes_to_original(regions.boxes.copy(), record, *image.shape[:2])
    return tuple(map(_to_quad, boxes)), engine.build_final_output(image, regions, directions, texts, crops, record)


def _read_both_ways(engine: Any, image: Pixels, quads: list[Quad]) -> tuple[float, float]:
    """Mean confidence over the regions as they lie (those that stand, turned counter-clockwise) and turned over."""
    import numpy as np

    crops = engine.crop_text_regions(image, np.array(quads, np.float32))
    engine.update_params(return_word_box=True)
    scores = []
    for ways in (crops, [np.rot90(crop, 2) for crop in crops]):
        read = engine.recognize_txt(ways)
        good = [
            0.0 if _is_sparse(text, quad) else float(score)
            for text, score, quad in zip(read.txts, read.scores, quads, strict=True)
        ]
        scores.append(float(np.mean(good)))
    return scores[0], scores[1]


def _is_sparse(text: str, quad: Quad) -> bool:
    """Whether a text has too few letters for the stretch it was read in, as where most letters are unknown."""
    across, down = sorted((measure_side(quad, 0, 1), measure_side(quad, 1, 2)), reverse=True)
    return across > _MAX_PITCH * down * len("".join(text.split()))


def _like_a_line(quad: Quad, image: Pixels) -> bool:
    """Whether a region is long, or small in its picture: others are textures of photographs."""
    across, down = sorted((measure_side(quad, 0, 1), measure_side(quad, 1, 2)), reverse=True)
    return across >= _MIN_LENGTH * down or across * down <= _SMALL_SHARE * image.shape[0] * image.shape[1]


def _measure_length(quad: Quad) -> float:
    return max(measure_side(quad, 0, 1), measure_side(quad, 1, 2))


def _pad_image(image: Pixels) -> Pixels:
    """Room below and to the right of strips: the detector enlarges the short side, so a strip would take gigabytes."""
    import cv2
    import numpy as np

    height, width = image.shape[:2]
    down = max(0, min(_DETECTOR_SIDE, width // _MAX_ASPECT) - height, _MIN_SIDE - height)
    across = max(0, min(_DETECTOR_SIDE, height // _MAX_ASPECT) - width, _MIN_SIDE - width)
    if not down and not across:
        return image
    ground = [int(value) for value in np.median(image.reshape(-1, 3), axis=0)]
    padded = cv2.copyMakeBorder(image, 0, down, 0, across, cv2.BORDER_CONSTANT, value=ground)
    return np.asarray(padded, np.uint8)


def _build_words(word_parts: Any, text: str, confidence: float, box: Any) -> tuple[Word, ...]:
    words = tuple(Word(str(part), float(score), _to_quad(quad)) for part, score, quad in word_parts if quad is not None)
    return words or (Word(text.strip(), confidence, _to_quad(box)),)


def _to_quad(box: Any) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in box)
    return a, b, c, d


def _model_dir() -> Path:
    spec = importlib.util.find_spec("rapidocr")
    return Path(spec.origin if spec and spec.origin else "rapidocr").parent / "models"


class _Spaced:
    """The package's decoder, which also takes a space for read where the model held one for possible.

    The model was trained mostly on scripts without spaces: between words it often says "nothing here" with a trace of
    "space", where between the letters of a word there is not even that.
    """

    def __init__(self, decoder: Any) -> None:
        import numpy as np

        self._decoder = decoder
        self._apart = np.array([_has_word_spaces(character) for character in decoder.character])

    def __call__(self, chances: NDArray[np.float32], *others: Any, **named: Any) -> Any:
        """Decode chances of shape (lines, frames, characters), the first of them "nothing", the last a space."""
        chances = chances.copy()
        for line in chances:
            self._let_spaces_win(line)
        return self._decoder(chances, *others, **named)

    def _let_spaces_win(self, line: NDArray[np.float32]) -> None:
        import numpy as np

        read = line.argmax(axis=1)
        seen = np.flatnonzero(read)
        for before, after in itertools.pairwise(seen):
            gap = line[before + 1 : after]
            if not len(gap) or not (self._apart[read[before]] and self._apart[read[after]]):
                continue
            at = gap[:, -1].argmax()
            if gap[at, -1] * _SHYNESS >= gap[at, 0]:
                gap[at, -1] = np.nextafter(gap[at, 0], np.float32(2))


def _has_word_spaces(character: str) -> bool:
    """Whether spaces stand between words of such characters: not so in Chinese and Japanese."""
    return len(character) == 1 and not character.isspace() and unicodedata.east_asian_width(character) not in "WF"


def _load_engine() -> Any:
    global _engine  # noqa: PLW0603 - one engine per process is the point
    if _engine is None:
        from rapidocr import RapidOCR

        detector, reader = (str(_model_dir() / name) for name in _MODELS)
        _engine = RapidOCR(
            params={
                "Global.log_level": "critical",
                "Global.use_cls": False,
                "Global.max_side_len": _MAX_SIDE,
                "Det.model_path": detector,
                "Rec.model_path": reader,
                "EngineConfig.onnxruntime.intra_op_num_threads": min(_MAX_THREADS, os.cpu_count() or 1),
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            }
        )
        reading = _engine._load_rec_model()  # at once, to get at its decoder
        reading.postprocess_op = _Spaced(reading.postprocess_op)
    return _engine
