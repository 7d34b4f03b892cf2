"""What turns pictures, and words where it can, into vectors that are near where these are alike."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from yardkit.models.contract import Backend, ModelUnavailable, Option, choose_backend
from yardkit.models.embedded.store import SET_COMMAND
from yardkit.models.service import service_options

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

BackendChoice = Literal["auto", "endpoint", "local", "embedded"]


class Embedder(Backend, Protocol):
    """A backend that gives vectors."""

    def embed_picture(self, path: Path) -> "Vector":
        """The vector of a picture, of length 1.

        Raises:
            Problem: it cannot be read.
        """

    def embed_words(self, words: str) -> "Vector":
        """The vector of words, near those of pictures that show what they say.

        Raises:
            ModelUnavailable: the model knows no words.
        """


def chosen_embedder(backend: BackendChoice) -> Embedder:
    """The embedder that is wanted, or the best that is set up.

    Raises:
        ModelUnavailable: none is set up.
    """
    from yardkit.servers.vision.backends.efficientnet import EfficientNet
    from yardkit.servers.vision.backends.service import EmbeddingService

    way = Option("embedded", SET_COMMAND, model="EfficientNet-Lite0", disk_bytes=17_000_000)
    backends: Sequence[Embedder] = [EmbeddingService("endpoint"), EmbeddingService("local"), EfficientNet()]
    needs = ModelUnavailable("embeddings", "a model that compares pictures", [way, *service_options("embeddings")])
    return choose_backend(backends, backend, needs)
