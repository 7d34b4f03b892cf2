"""Code shared by diffusers pipelines: safe loading, supported arguments only, stopping at each step."""

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.local.families.contract import Watch
from yardkit.models.local.families.loading import open_weights
from yardkit.world import Problem

if TYPE_CHECKING:
    import torch


def open_pipeline(folder: Path, dtype: "torch.dtype") -> Any:
    """Open the pipeline in a directory."""
    import diffusers

    diffusers.utils.logging.set_verbosity_error()
    diffusers.utils.logging.disable_progress_bar()
    pipeline = open_weights(diffusers.DiffusionPipeline, folder, dtype)
    pipeline.set_progress_bar_config(disable=True)
    return pipeline


def modules_of(pipeline: Any) -> "list[torch.nn.Module]":
    """List the components with weights."""
    import torch

    return [part for part in pipeline.components.values() if isinstance(part, torch.nn.Module)]


def check_wishes(pipeline: Any, wishes: Mapping[str, Any]) -> None:
    """Refuse arguments that a pipeline does not take.

    Raises:
        Problem: it does not take an argument.
    """
    known = inspect.signature(pipeline.__call__).parameters
    unknown = next((name for name in wishes if name not in known), None)
    if unknown is not None:
        raise Problem(f"this model takes no {unknown}; ask without it")


def call_pipeline(pipeline: Any, wishes: Mapping[str, Any], seed: int, watch: Watch) -> Any:
    """Call a pipeline and return its output.

    Raises:
        Stopped: the client no longer waits.
        Problem: the pipeline refuses the request.
    """
    import torch

    def step_ended(pipe: Any, step: int, _time: Any, values: dict[str, Any]) -> dict[str, Any]:
        watch.report_progress((step + 1) / max(1, int(getattr(pipe, "num_timesteps", 0) or step + 1)))
        return values

    watch.report_progress(1e-4)
    # Random numbers from the CPU are the same for every device.
    generator = torch.Generator("cpu").manual_seed(seed)
    try:
        with torch.inference_mode():
            return pipeline(**wishes, generator=generator, callback_on_step_end=step_ended)
    except ValueError as error:
        raise Problem(f"the model refuses this: {' '.join(str(error).split())[:300]}") from error


def drop_unset(**wishes: Any) -> dict[str, Any]:
    """Drop unset arguments: None, empty, 0 or below."""
    return {name: wish for name, wish in wishes.items() if wish not in (None, "") and not _left_open(wish)}


def _left_open(wish: Any) -> bool:
    return isinstance(wish, (int, float)) and wish <= 0
