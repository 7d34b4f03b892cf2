"""The kinds of models that the worker can run, by the kind in their configuration."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

from yardkit.models.service import Capability
from yardkit.world import Problem

MAX_CONFIG_BYTES = 10_000_000


@dataclass(frozen=True)
class Family:
    """The models that one file of `families` runs.

    Attributes:
        name: the name of that file.
        capabilities: what they can do.
        kinds: ``model_type`` in ``config.json`` (transformers), or ``_class_name`` in ``model_index.json`` (diffusers).
    """

    name: str
    capabilities: tuple[Capability, ...]
    kinds: frozenset[str]


def _make_family(name: str, capabilities: str, kinds: str) -> Family:
    known = {word: word for word in get_args(Capability)}
    return Family(name, tuple(known[word] for word in capabilities.split()), frozenset(kinds.split()))


FAMILIES = (
    _make_family("phrase_objects", "objects", "grounding-dino mm-grounding-dino"),
    _make_family("word_objects", "objects", "owlv2 owlvit"),
    _make_family("prompted_masks", "masks", "sam2 sam2_video"),
    _make_family("named_masks", "masks", "sam3 sam3_video"),
    _make_family(
        "chat",
        "vision ocr formulas",
        "qwen3_vl qwen3_5 qwen2_vl qwen2_5_vl gemma3 gemma4 internvl smolvlm idefics3 llava llava_onevision mistral3 "
        "paddleocr_vl glm_ocr glm4v glm46v lfm2_vl",
    ),
    _make_family("formulas", "formulas", "pp_formulanet"),
    _make_family("embeddings", "embeddings", "clip siglip siglip2"),
    _make_family("transcription", "transcription", "whisper"),
    _make_family("voice", "voice", "vits"),
    _make_family(
        "images",
        "images image_edits",
        "Flux2KleinPipeline StableDiffusionPipeline StableDiffusionXLPipeline",
    ),
    _make_family("images", "images", "ZImagePipeline FluxPipeline QwenImagePipeline"),
    _make_family("images", "image_edits", "QwenImageEditPipeline QwenImageEditPlusPipeline LongCatImageEditPipeline"),
    _make_family("video", "video", "WanPipeline LTXPipeline"),
    _make_family("music", "music", "AceStepPipeline"),
    _make_family("token_music", "music", "musicgen"),
)


def read_kind(folder: Path) -> str:
    """Read the kind from the configuration of the model in a directory.

    Raises:
        Problem: the kind is missing or unreadable.
    """
    index, config = folder / "model_index.json", folder / "config.json"
    if index.is_file():
        name = read_json(index).get("_class_name")
    elif config.is_file():
        name = read_json(config).get("model_type")
    else:
        raise Problem(
            f"{folder.name!r} holds no model: there is neither config.json nor model_index.json in it; "
            "give the directory that a model of transformers or diffusers was saved to"
        )
    if not isinstance(name, str):
        raise Problem(f"the configuration in {folder.name!r} does not say what kind of model it is; download it again")
    return name


def family_of(folder: Path, capabilities: tuple[str, ...]) -> Family:
    """Find the family that runs the model in a directory with all of these capabilities.

    Raises:
        Problem: there is none; the message lists the supported kinds.
    """
    kind = read_kind(folder)
    families = [family for family in FAMILIES if kind in family.kinds]
    for family in families:
        if set(capabilities) <= set(family.capabilities):
            return family
    capability_text = " and ".join(capabilities)
    if families:
        does = ", ".join(word for family in families for word in family.capabilities)
        raise Problem(f"a model of the kind {kind!r} is not suitable for {capability_text}; it is for {does}")
    near = get_close_matches(kind, kinds_for(capabilities[0]), n=1)
    raise Problem(
        f"the worker cannot run a model of the kind {kind!r}"
        + (f" (near it: {near[0]!r})" if near else "")
        + f"; for {capability_text} it runs: {', '.join(kinds_for(capabilities[0]))}. Or serve it with vLLM or another "
        f"OpenAI-compatible server, and set YARDKIT_{capabilities[0].upper()}_URL"
    )


def kinds_for(capability: str) -> list[str]:
    """List the kinds that the worker can run for a capability."""
    return sorted({kind for family in FAMILIES if capability in family.capabilities for kind in family.kinds})


def read_json(path: Path) -> Mapping[str, Any]:
    """Read a configuration file: a JSON object of at most ten megabytes.

    Raises:
        Problem: it is not such an object.
    """
    try:
        if path.stat().st_size > MAX_CONFIG_BYTES:
            raise Problem(f"{path.name!r} has more than {MAX_CONFIG_BYTES:,} bytes; a configuration has not")
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError, OSError) as error:
        raise Problem(
            f"{path.name!r} in {path.parent.name!r} is not valid JSON: it is damaged; download the model again"
        ) from error
    if not isinstance(content, dict):
        raise Problem(f"{path.name!r} in {path.parent.name!r} holds no JSON object; download the model again")
    return content
