"""The JSON bodies of OpenAI's routes and ours, and their conversion to the worker's requests."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from yardkit.models.local.requests import (
    ChatRequest,
    EmbeddingRequest,
    ImageRequest,
    MasksRequest,
    MusicRequest,
    ObjectsRequest,
    SpeechRequest,
    VideoRequest,
)
from yardkit.models.local.worker.reading import picture_of
from yardkit.world import Problem

Coordinate = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
Side = Annotated[int, Field(ge=0, le=4096)]
Steps = Annotated[int, Field(ge=0, le=200)]
Guidance = Annotated[float, Field(ge=-1, le=100)]
Seed = Annotated[int, Field(ge=0, lt=2**63)]
Words = Annotated[str, Field(min_length=1, max_length=20_000)]


class Body(BaseModel):
    """What all have: the model's name; without it the first that can do it."""

    model_config = ConfigDict(extra="ignore")
    model: str = ""


class Objects(Body):
    image: str
    queries: list[Annotated[str, Field(min_length=1, max_length=200)]] = Field(min_length=1, max_length=100)
    threshold: float = Field(0.3, ge=0, le=1)
    limit: int = Field(300, ge=1, le=5000)

    def request(self) -> ObjectsRequest:
        return ObjectsRequest(picture_of(self.image), tuple(self.queries), self.threshold, self.limit)


class Point(BaseModel):
    x: Coordinate
    y: Coordinate
    inside: bool = True


class Masks(Body):
    image: str
    boxes: list[tuple[Coordinate, Coordinate, Coordinate, Coordinate]] = Field(default=[], max_length=200)
    points: list[Point] = Field(default=[], max_length=200)
    query: str = Field("", max_length=200)
    threshold: float = Field(0.3, ge=0, le=1)

    def request(self) -> MasksRequest:
        if not (self.boxes or self.points or self.query):
            raise Problem("say what the masks are of: boxes, points or a query")
        points = tuple((point.x, point.y, point.inside) for point in self.points)
        return MasksRequest(picture_of(self.image), tuple(self.boxes), points, self.query, self.threshold)


class ImageUrl(BaseModel):
    url: str


class Part(BaseModel):
    type: Literal["text", "image_url"]
    text: str = ""
    image_url: ImageUrl | None = None


class Message(BaseModel):
    role: Literal["system", "user", "assistant"]
    content: str | list[Part]

    @property
    def parts(self) -> list[Part]:
        return [Part(type="text", text=self.content)] if isinstance(self.content, str) else self.content


class Chat(Body):
    messages: list[Message] = Field(min_length=1, max_length=200)
    max_tokens: int | None = Field(None, ge=1, le=32_768)
    max_completion_tokens: int | None = Field(None, ge=1, le=32_768)
    temperature: float | None = Field(None, ge=0, le=2)
    seed: int | None = Field(None, ge=0)
    stream: bool = False
    n: Literal[1] = 1

    def request(self) -> ChatRequest:
        if self.stream:
            raise Problem("this worker does not stream answers; leave out stream")
        parts = [part for message in self.messages for part in message.parts]
        images = [picture_of(part.image_url.url) for part in parts if part.image_url]
        given = iter(images)
        messages = [{"role": m.role, "content": list(_list_contents(m.parts, given))} for m in self.messages]
        usual = 0.0 if self.seed is None else 0.7
        temperature = usual if self.temperature is None else self.temperature
        most = self.max_completion_tokens or self.max_tokens or 1024
        return ChatRequest(messages, images, most, temperature, self.seed or 0)


def _list_contents(parts: list[Part], images: Iterator[Any]) -> Iterator[dict[str, Any]]:
    for part in parts:
        if part.image_url:
            yield {"type": "image", "image": next(images)}
        else:
            yield {"type": "text", "text": part.text}


class ImageItem(BaseModel):
    image_url: ImageUrl


class Embeddings(Body):
    input: str | ImageItem | list[str | ImageItem]
    encoding_format: Literal["float"] = "float"

    def to_requests(self) -> list[EmbeddingRequest]:
        items = self.input if isinstance(self.input, list) else [self.input]
        if not 0 < len(items) <= 256:
            raise Problem(f"{len(items)} inputs; give 1 to 256 at a time")
        return [EmbeddingRequest(item if isinstance(item, str) else picture_of(item.image_url.url)) for item in items]


class Speech(Body):
    input: Annotated[str, Field(min_length=1, max_length=4096)]
    voice: str = Field("", max_length=100)
    speed: float = Field(1.0, ge=0.25, le=4)
    response_format: Literal["wav"] = "wav"
    seed: Seed = 0

    def request(self) -> SpeechRequest:
        return SpeechRequest(self.input, self.voice, self.speed, self.seed)


def _size_of(text: Any) -> Any:
    """Parse ``WIDTHxHEIGHT`` into two numbers; ``auto`` leaves the size to the model."""
    if text in (None, "", "auto"):
        return (0, 0)
    width, cross, height = str(text).partition("x")
    if not (cross and width.isascii() and width.isdigit() and height.isascii() and height.isdigit()):
        raise ValueError("give WIDTHxHEIGHT, such as 1024x768, or auto")
    return (int(width), int(height))


Size = Annotated[tuple[Side, Side], BeforeValidator(_size_of)]


class Wishes(Body):
    """The options of a generation; unknown ones are refused by name instead of ignored."""

    model_config = ConfigDict(extra="forbid")


class Images(Wishes):
    prompt: Words
    n: int = Field(1, ge=1, le=8)
    size: Size = (0, 0)
    seed: Seed = 0
    num_inference_steps: Steps = 0
    guidance_scale: Guidance = -1.0
    negative_prompt: str = Field("", max_length=20_000)
    response_format: Literal["b64_json"] = "b64_json"

    def request(self, pictures: tuple[Any, ...] = (), strength: float = 0.0) -> ImageRequest:
        return ImageRequest(
            self.prompt, self.seed, *self.size, self.n, self.num_inference_steps, self.guidance_scale,
            self.negative_prompt, pictures, strength,
        )  # fmt: skip


class Edits(Images):
    strength: float = Field(0.0, ge=0, le=1)


class Video(Wishes):
    prompt: Words
    seed: Seed = 0
    size: Size = (0, 0)
    seconds: float = Field(0.0, ge=0, le=60)
    fps: float = Field(0.0, ge=0, le=60)
    num_inference_steps: Steps = 0
    guidance_scale: Guidance = -1.0
    negative_prompt: str = Field("", max_length=20_000)

    def request(self) -> VideoRequest:
        return VideoRequest(
            self.prompt, self.seed, *self.size, self.seconds, self.fps, self.num_inference_steps,
            self.guidance_scale, self.negative_prompt,
        )  # fmt: skip


class Music(Wishes):
    prompt: Words
    seed: Seed = 0
    seconds: float = Field(10.0, gt=0, le=600)
    lyrics: str = Field("", max_length=20_000)
    num_inference_steps: Steps = 0

    def request(self) -> MusicRequest:
        return MusicRequest(self.prompt, self.seed, self.seconds, self.lyrics, self.num_inference_steps)


class Transcription(Body):
    language: str = Field("", max_length=20, pattern=r"^[A-Za-z-]*$")
    response_format: Literal["json", "verbose_json", "text"] = "json"
