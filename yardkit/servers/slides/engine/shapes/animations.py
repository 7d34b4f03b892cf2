"""The animations of a slide, of which those go that animate shapes that are gone."""

from __future__ import annotations

import itertools
from typing import Any

from yardkit.servers.slides.engine.package.shape_tree import P


def drop_orphans(slide: Any) -> None:
    """Take out the animations of shapes that are gone, for which PowerPoint would repair the file; others stay."""
    timing = slide._element.find(f"{P}timing")
    if timing is None:
        return
    there = {element.get("id") for element in slide._element.iter(f"{P}cNvPr")}
    for target in [sp_tgt for sp_tgt in timing.iter(f"{P}spTgt") if sp_tgt.get("spid") not in there]:
        if any(element is timing for element in target.iterancestors()):
            _prune_step(timing, _find_effect(target, timing))
    for listing in timing.findall(f"{P}bldLst"):
        for build in [candidate for candidate in listing if candidate.get("spid") not in there]:
            listing.remove(build)
        if not len(listing):
            timing.remove(listing)
    if timing.find(f"{P}tnLst") is None:
        slide._element.remove(timing)


def _find_effect(target: Any, timing: Any) -> Any:
    """The effect to which a target belongs, else the innermost step that can be taken out."""
    steps = _list_steps(target)
    effects = [step for step in steps if step.find(f"{P}cTn[@presetClass]") is not None]
    return (effects or steps or [timing.find(f"{P}tnLst")])[0]


def _prune_step(timing: Any, step: Any) -> None:
    """Take out a step, and the steps around it that hold nothing then."""
    holder = step.getparent()
    holder.remove(step)
    if holder is timing or len(holder):
        return
    _prune_step(timing, (_list_steps(holder) or [timing.find(f"{P}tnLst")])[0])


def _list_steps(element: Any) -> list[Any]:
    """The steps of an animation around an element, the innermost first."""
    around = list(element.iterancestors())
    return [inner for inner, outer in itertools.pairwise(around) if outer.tag == f"{P}childTnLst"]
