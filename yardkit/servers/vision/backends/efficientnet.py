"""The embedded embedder: the pooled features of EfficientNet-Lite0. It knows pictures, no words."""

from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.models.contract import ModelUnavailable, Origin
from yardkit.models.embedded.catalog import embedded_model
from yardkit.models.embedded.image_classes import MODEL, look_at_picture
from yardkit.models.embedded.running import origin_of, run_in_process
from yardkit.models.embedded.store import SET_COMMAND, is_there, require_model
from yardkit.models.service import service_options

if TYPE_CHECKING:
    from yardkit.servers.vision.backends import Vector


class EfficientNet:
    """Copies of a picture are nearer than .75, other pictures of the scene .9; pictures of other things below .5."""

    @property
    def origin(self) -> Origin:
        return origin_of(MODEL)

    def missing(self) -> str:
        return "" if is_there(embedded_model(MODEL)) else f"it was not added; `{SET_COMMAND}`"

    def embed_picture(self, path: Path) -> "Vector":
        return run_in_process(look_at_picture, require_model(MODEL), path).vector

    def embed_words(self, words: str) -> "Vector":  # noqa: ARG002 - it knows none
        raise ModelUnavailable(
            "a search by words",
            "a CLIP model, which relates pictures and words",
            service_options("embeddings"),
            "tag_images tags the pictures of a folder",
        )
