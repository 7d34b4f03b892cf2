"""Embedders behind HTTP, of the CLIP kind: they know pictures and words. The route is OpenAI's, with pictures."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from yardkit.models.chat import picture_url
from yardkit.models.contract import Origin
from yardkit.models.service import service_of_tier
from yardkit.world import Unavailable

if TYPE_CHECKING:
    from yardkit.servers.vision.backends import Vector


class EmbeddingService:
    """A model behind HTTP, of one tier."""

    def __init__(self, tier: Literal["endpoint", "local"]) -> None:
        self._tier = tier
        self._service, self._reason = service_of_tier("embeddings", tier)

    @property
    def origin(self) -> Origin:
        return self._service.origin if self._service else Origin(self._tier, "a CLIP model", "full")

    def missing(self) -> str:
        return self._reason

    def embed_picture(self, path: Path) -> "Vector":
        return self._embed_content({"image_url": {"url": picture_url(path)}})

    def embed_words(self, words: str) -> "Vector":
        return self._embed_content(words)

    def _embed_content(self, what: object) -> "Vector":
        import numpy as np

        if self._service is None:
            raise Unavailable(self.missing())
        answer = self._service.ask("/embeddings", {"input": [what]})
        try:
            vector = np.asarray(answer["data"][0]["embedding"], np.float32)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise Unavailable(f"the service of {self._service.setting} returned no vector") from error
        length = float(np.linalg.norm(vector))
        if vector.ndim != 1 or not 0 < length < float("inf"):
            raise Unavailable(f"the service of {self._service.setting} returned no vector")
        unit: Vector = vector / length
        return unit
