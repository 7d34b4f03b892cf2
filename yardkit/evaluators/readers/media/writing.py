"""The text on a picture: words with their boxes, by a recogniser (PP-OCRv6 in the package rapidocr)."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import EnvironmentInvalid
from yardkit.evaluators.readers.media.memory import remember_result
from yardkit.evaluators.submission import Submission

Box = tuple[float, float, float, float]
_MODELS = ("PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx")
_SURE = 0.6


@dataclass(frozen=True)
class Line:
    """A line of text: its text without blanks, its box in pixels, and its words with their boxes."""

    text: str
    box: Box
    words: tuple[tuple[str, Box], ...]


def read_lines(submission: Submission, picture: Any, *, factor: float = 1.0) -> tuple[Line, ...]:
    """Read the lines on a picture, an array (height, width, 3), RGB, from top to bottom; once for all leaves.

    `factor` enlarges small text for reading. Boxes are in the picture's own pixels.

    Raises:
        EnvironmentInvalid: the recogniser is not installed.
    """
    return _make_lines(
        remember_result(submission, f"lines {factor}", [picture], lambda: _recognize_picture(picture, factor))
    )


def normalize_text(text: str) -> str:
    """Reduce a text to lower-case letters and digits, since recognisers lose blanks and signs first."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _make_lines(rows: Any) -> tuple[Line, ...]:
    lines = (
        Line(normalize_text(text), tuple(box), tuple((word, tuple(of)) for word, of in words))
        for text, box, words in rows
    )
    return tuple(sorted(lines, key=lambda line: (line.box[1], line.box[0])))


def _recognize_picture(picture: Any, factor: float) -> list[Any]:
    import cv2
    import numpy as np

    large = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC) if factor != 1 else picture
    read = _load_recognizer()(np.ascontiguousarray(large[:, :, ::-1]), return_word_box=True, use_cls=False)
    if read.txts is None or read.boxes is None:
        return []
    rows = []
    for text, score, quad, words in zip(read.txts, read.scores, read.boxes, read.word_results, strict=True):
        boxed_words = [[word, _compute_box(of, factor)] for word, _, of in words if of is not None]
        rows += [[text, _compute_box(quad, factor), boxed_words]] if score >= _SURE else []
    return rows


def _compute_box(quad: Any, factor: float) -> list[float]:
    import numpy as np

    points = np.asarray(quad, float) / factor
    return [round(float(side), 1) for side in (*points.min(axis=0), *points.max(axis=0))]


@cache
def _load_recognizer() -> Any:
    """Load one recogniser per process, with one thread, so that it works in a fork."""
    try:
        import rapidocr
    except ImportError as error:
        raise EnvironmentInvalid("reading pictures needs rapidocr; pip install 'yardkit[suites]'") from error
    folder = Path(rapidocr.__file__).parent / "models"
    detector, reader = (str(folder / name) for name in _MODELS)
    return rapidocr.RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_cls": False,
            "Global.max_side_len": 2560,
            "Det.model_path": detector,
            "Rec.model_path": reader,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
