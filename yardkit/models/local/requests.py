"""Parsed and checked requests to the worker: pictures decoded, sound as samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yardkit.world.boxes import Box

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image


@dataclass(frozen=True)
class ObjectsRequest:
    """Find the objects named by words, with at least this score (0 to 1); only the best `limit` ones."""

    image: "Image"
    queries: tuple[str, ...]
    threshold: float
    limit: int = 300


@dataclass(frozen=True)
class MasksRequest:
    """Make masks of objects given by boxes, by points (x, y, whether inside) or by words."""

    image: "Image"
    boxes: tuple[Box, ...] = ()
    points: tuple[tuple[float, float, bool], ...] = ()
    query: str = ""
    threshold: float = 0.3


@dataclass(frozen=True)
class ChatRequest:
    """Generate the next message of a chat about pictures.

    Attributes:
        messages: the messages for the chat template: role, and parts of type text or image.
        images: the images in the messages, in order.
        max_tokens: the token limit of the answer.
        temperature: the sampling temperature; 0 is greedy.
        seed: the seed of the sampling.
    """

    messages: Sequence[dict[str, Any]]
    images: Sequence["Image"]
    max_tokens: int
    temperature: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class EmbeddingRequest:
    """Embed a picture or a text in a model's common space."""

    item: "Image | str"


@dataclass(frozen=True)
class TranscriptionRequest:
    """Transcribe the speech in a sound: samples at 16 kHz, one channel, from -1 to 1."""

    samples: "NDArray[np.float32]"
    language: str = ""
    word_times: bool = False


@dataclass(frozen=True)
class SpeechRequest:
    """Speak a text."""

    text: str
    voice: str = ""
    speed: float = 1.0
    seed: int = 0


@dataclass(frozen=True)
class ImageRequest:
    """Generate pictures from a prompt, or from other pictures and an instruction.

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
    """Generate music from a prompt, with lyrics if the model sings."""

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
    """An object in a picture: its label, the model's score (0 to 1), and its box."""

    label: str
    score: float
    box: Box


@dataclass(frozen=True)
class DetectedMask:
    """A part of a picture.

    Attributes:
        mask: (height, width), 255 inside and 0 outside.
        score: the model's score, 0 to 1.
    """

    mask: "NDArray[np.uint8]"
    score: float


@dataclass(frozen=True)
class Completion:
    """A model's text answer: the text, tokens of the prompt and of the answer, and why it ended."""

    text: str
    tokens_in: int
    tokens_out: int
    reason: str = "stop"


@dataclass(frozen=True)
class Segment:
    """A part of speech, in seconds."""

    start_s: float
    end_s: float
    text: str


@dataclass(frozen=True)
class Transcript:
    """A transcript: the text, its language if the model detects it, segments, and words if requested."""

    text: str
    language: str
    segments: tuple[Segment, ...] = ()
    words: tuple[Segment, ...] = ()


@dataclass(frozen=True)
class Sound:
    """Generated sound: samples (channels, count) from -1 to 1."""

    samples: "NDArray[np.float32]"
    sample_rate_hz: int


@dataclass(frozen=True)
class Film:
    """A generated video: frames (count, height, width, 3) in eight bits."""

    frames: "NDArray[np.uint8]"
    frames_per_s: float
