"""What the worker is asked, after it was read and checked: pictures decoded, sound as samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels of the picture."""


@dataclass(frozen=True)
class ObjectsRequest:
    """Find what words name, with at least this score (0 to 1); of more than `limit` the best."""

    image: "Image"
    queries: tuple[str, ...]
    threshold: float
    limit: int = 300


@dataclass(frozen=True)
class MasksRequest:
    """Masks of what boxes enclose, of what points (x, y, whether inside) tell, or of what words name."""

    image: "Image"
    boxes: tuple[Box, ...] = ()
    points: tuple[tuple[float, float, bool], ...] = ()
    query: str = ""
    threshold: float = 0.3


@dataclass(frozen=True)
class ChatRequest:
    """The next message of a talk about pictures.

    Attributes:
        messages: of the talk, as chat templates take them: role, and parts of type text or image.
        images: those that the messages hold, in order.
        max_tokens: of the answer.
        temperature: of the choice of words; 0 takes the likeliest.
        seed: of the choice.
    """

    messages: Sequence[dict[str, Any]]
    images: Sequence["Image"]
    max_tokens: int
    temperature: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class EmbeddingRequest:
    """The place of a picture or of a text in the space that a model makes of both."""

    item: "Image | str"


@dataclass(frozen=True)
class TranscriptionRequest:
    """The words that are spoken in a sound: samples at 16 kHz, one channel, from -1 to 1."""

    samples: "NDArray[np.float32]"
    language: str = ""
    word_times: bool = False


@dataclass(frozen=True)
class SpeechRequest:
    """A text to be spoken."""

    text: str
    voice: str = ""
    speed: float = 1.0
    seed: int = 0


@dataclass(frozen=True)
class ImageRequest:
    """Pictures to be made from a prompt, or from other pictures and an instruction.

    Sizes in pixels. 0 of a size, of the steps or of the strength, and -1 of the guidance leaves it to the model.
    """

    prompt: str
    seed: int
    width: int = 0
    height: int = 0
    count: int = 1
    steps: int = 0
    guidance: float = -1.0
    negative_prompt: str = ""
    images: "Sequence[Image]" = ()
    strength: float = 0.0


@dataclass(frozen=True)
class VideoRequest:
    """A video to be made from a prompt. 0 of a size, of the seconds, frames per second or steps, and -1 of the guidance
    leaves it to the model.
    """

    prompt: str
    seed: int
    width: int = 0
    height: int = 0
    seconds: float = 0.0
    frames_per_s: float = 0.0
    steps: int = 0
    guidance: float = -1.0
    negative_prompt: str = ""


@dataclass(frozen=True)
class MusicRequest:
    """Music to be made from a prompt, with lyrics where the model sings."""

    prompt: str
    seed: int
    seconds: float
    lyrics: str = ""
    steps: int = 0


Request = (
    ObjectsRequest
    | MasksRequest
    | ChatRequest
    | EmbeddingRequest
    | TranscriptionRequest
    | SpeechRequest
    | ImageRequest
    | VideoRequest
    | MusicRequest
)


@dataclass(frozen=True)
class DetectedObject:
    """An object in a picture: what it is called, how sure the model is (0 to 1), and where."""

    label: str
    score: float
    box: Box


@dataclass(frozen=True)
class DetectedMask:
    """A part of a picture.

    Attributes:
        mask: (height, width), 255 inside and 0 outside.
        score: how sure the model is, 0 to 1.
    """

    mask: "NDArray[np.uint8]"
    score: float


@dataclass(frozen=True)
class Completion:
    """What a model answers in words: the text, tokens of the question and of the answer, and why it ended."""

    text: str
    tokens_in: int
    tokens_out: int
    reason: str = "stop"


@dataclass(frozen=True)
class Segment:
    """A stretch of speech, in seconds."""

    start_s: float
    end_s: float
    text: str


@dataclass(frozen=True)
class Transcript:
    """What was said: the text, its language where the model tells, segments, and words where they were asked for."""

    text: str
    language: str
    segments: tuple[Segment, ...] = ()
    words: tuple[Segment, ...] = ()


@dataclass(frozen=True)
class Sound:
    """Sound that was made: samples (channels, count) from -1 to 1."""

    samples: "NDArray[np.float32]"
    sample_rate_hz: int


@dataclass(frozen=True)
class Film:
    """A video that was made: frames (count, height, width, 3) in eight bits."""

    frames: "NDArray[np.uint8]"
    frames_per_s: float
