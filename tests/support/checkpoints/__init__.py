"""Tiny checkpoints with random weights, made by the real classes and saved as the real ones are: no download.

What comes out of them means nothing; that it comes out, and in which shape, is what tests look at.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from yardkit.models.local.families.loading import require_torch

require_torch()
import torch  # noqa: E402 - after the worker has made it ready

from support.checkpoints import diffusion, pictures, sounds, talks  # noqa: E402 - they import it

_BUILDERS = (
    *(
        pictures.grounding_dino,
        pictures.mm_grounding_dino,
        pictures.build_owlv2,
        pictures.build_sam2,
        pictures.build_sam3,
        pictures.build_clip,
    ),
    *(
        talks.qwen3_vl,
        talks.paddleocr_vl,
        talks.pp_formulanet,
        sounds.build_whisper,
        sounds.build_vits,
        sounds.build_musicgen,
    ),
    *(diffusion.stable_diffusion, diffusion.flux2_klein, diffusion.build_wan, diffusion.ace_step),
)
BUILDERS: Mapping[str, Callable[[Path], Path]] = {
    builder.__name__.removeprefix("build_"): builder for builder in _BUILDERS
}


def build_checkpoint(name: str, folder: Path) -> Path:
    """A tiny checkpoint in a directory, always with the same weights."""
    torch.manual_seed(0)
    return BUILDERS[name](folder)
