"""Pictures on slides, effects on them, and font files."""

import base64
import binascii
import tempfile
from pathlib import Path
from typing import Annotated, Any

from pydantic import StringConstraints, TypeAdapter, ValidationError

from yardkit.compat.toolathlon.slides.app import (
    PresentationId,
    build_answer,
    choose_presentation,
    edit_presentation,
    id_of,
    index_of,
    shape_at,
    slide_at,
    to_cm,
    to_rgb,
)
from yardkit.kit.dialect import Answer
from yardkit.kit.surface import FileRef
from yardkit.servers.slides import engine
from yardkit.servers.slides.engine.looks import picture_effects as looks
from yardkit.servers.slides.engine.shapes import picture_retouch
from yardkit.servers.slides.engine.text import font_files
from yardkit.world import InFile, OutFile, Problem, current_world, lock_file, save_bytes
from yardkit.world.paths import out_file

Base64 = Annotated[
    str,
    StringConstraints(
        pattern="^(data:image/[a-z+.-]+;base64,|iVBORw0KGgo|/9j/|R0lGOD|Qk|SUkq|TU0A)[\\sA-Za-z0-9+/]{40}"
    ),
]
"""A picture as base64, known by how PNG, JPEG, GIF, BMP and TIFF begin."""
SUFFIX = {b"\x89P": ".png", b"\xff\xd8": ".jpg", b"GI": ".gif", b"BM": ".bmp", b"II": ".tif", b"MM": ".tif"}


def manage_image(
    slide_index: int,
    operation: str,
    image_source: Base64 | InFile,
    source_type: str = "file",
    left: float = 1.0,
    top: float = 1.0,
    width: float | None = None,
    height: float | None = None,
    enhancement_style: str | None = None,
    brightness: float = 1.0,
    contrast: float = 1.0,
    saturation: float = 1.0,
    sharpness: float = 1.0,
    blur_radius: float = 0,
    filter_type: str | None = None,
    output_path: OutFile | None = None,
    presentation_id: PresentationId = None,
) -> Answer:
    if isinstance(image_source, str) != (source_type == "base64"):
        raise Problem(f"image_source does not match source_type {source_type!r}; give a file, or base64 of a picture")
    if operation == "add":
        path = choose_presentation(presentation_id)
        slide_at(path, slide_index)
        return _add(path, slide_index, image_source, (left, top, width, height))
    if isinstance(image_source, str):
        raise Problem("enhance needs a file as image_source, not base64")
    change = (
        picture_retouch.PRESENTATION
        if enhancement_style == "presentation"
        else picture_retouch.Retouch(brightness, contrast, saturation, sharpness, blur_radius, filter_type)
    )
    return _enhance_picture(image_source, output_path, change)


def _add(path: Path, slide_index: int, source: str | Path, box: tuple[float | None, ...]) -> Answer:
    left, top, width, height = (None if value is None else to_cm(value) for value in box)
    with tempfile.TemporaryDirectory(prefix="yardkit-slides-") as folder, edit_presentation(path) as copy:
        image = _decode_picture(source, Path(folder)) if isinstance(source, str) else source
        new_picture = engine.place_picture(
            copy, slide_index + 1, image, None, (left, top, width, height), fit="stretch", alt_text=None, name=None
        )
    facts = {} if isinstance(source, str) else {"image_path": id_of(source)}
    index = index_of(path, slide_index, new_picture)
    kind = "image from base64" if isinstance(source, str) else "image"
    return build_answer(f"Added {kind} to slide {slide_index}", path, shape_index=index, **facts)


def _decode_picture(text: str, folder: Path) -> Path:
    try:
        data = base64.b64decode("".join(text.rpartition(",")[2].split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Problem(f"image_source is not valid base64 of a picture ({error}); give all of it, or a file") from error
    path = folder / f"picture{SUFFIX.get(data[:2], '.png')}"
    path.write_bytes(data)
    return path


def _enhance_picture(source: Path, target: Path | None, change: picture_retouch.Retouch) -> Answer:
    name = source.with_name(f"{source.stem}_enhanced{source.suffix}")
    path = target or out_file(id_of(name))
    with tempfile.TemporaryDirectory(prefix="yardkit-slides-") as folder:
        temporary_path = Path(folder) / path.name
        picture_retouch.retouch_picture(source, temporary_path, change)
        with lock_file(path, current_world().locks):
            save_bytes(path, temporary_path.read_bytes())
    facts = {"message": f"Enhanced image: {id_of(source)}", "enhanced_path": id_of(path)}
    return Answer(facts, FileRef.from_path(path))


EFFECTS: dict[str, tuple[Any, dict[str, str]]] = {
    "shadow": (
        looks.Shadow,
        {
            "shadow_type": "kind",
            "blur_radius": "blur_pt",
            "distance": "distance_pt",
            "direction": "direction_deg",
            "color": "color",
            "transparency": "transparency",
        },
    ),
    "reflection": (
        looks.Reflection,
        {"size": "size", "transparency": "transparency", "distance": "distance_pt", "blur": "blur_pt"},
    ),
    "glow": (looks.Glow, {"size": "size_pt", "color": "color", "transparency": "transparency"}),
    "soft_edges": (looks.SoftEdges, {"radius": "radius_pt"}),
    "rotation": (looks.Rotation, {"rotation": "degrees"}),
    "transparency": (looks.Transparency, {"transparency": "share"}),
    "bevel": (looks.Bevel, {"bevel_type": "kind", "width": "width_pt", "height": "height_pt"}),
    "filter": (looks.Filter, {"filter_type": "kind", "intensity": "intensity"}),
}
"""Their effects and parameters, as the engine calls them."""


def apply_picture_effects(
    slide_index: int, shape_index: int, effects: dict[str, dict[str, Any]], presentation_id: PresentationId = None
) -> Answer:
    path = choose_presentation(presentation_id)
    shape = shape_at(path, slide_index, shape_index)
    picture_effects = [_parse_effect(name, values) for name, values in effects.items()]
    with edit_presentation(path) as copy:
        looks.apply_effects(copy, slide_index + 1, shape.id, picture_effects)
    message = f"Applied {len(picture_effects)} effects to shape {shape_index} on slide {slide_index}"
    return build_answer(message, path, applied_effects=list(effects))


def _parse_effect(name: str, values: dict[str, Any]) -> looks.Effect:
    if name not in EFFECTS:
        raise Problem(f"{name!r} is not a valid effect; use {', '.join(EFFECTS)}")
    kind, fields = EFFECTS[name]
    unknown = [key for key in values if key not in fields]
    if unknown:
        raise Problem(f"{name} has no parameter {unknown[0]!r}; it takes {', '.join(fields)}")
    effect_fields = {fields[key]: value for key, value in values.items()}
    color = effect_fields.get("color")
    if isinstance(color, list):
        if len(color) != 3 or not all(isinstance(number, int) and 0 <= number <= 255 for number in color):
            raise Problem(f"the color of {name} is {color}; give [red, green, blue], each 0-255")
        effect_fields["color"] = to_rgb(color)
    try:
        parsed_effect: looks.Effect = TypeAdapter(kind).validate_python(effect_fields)
    except ValidationError as error:
        first = error.errors()[0]
        raise Problem(f"{name} is not right: {first['loc'][0]}: {first['msg']} (given: {first['input']!r})") from None
    return parsed_effect


def manage_fonts(
    operation: str,
    font_path: InFile,
    output_path: OutFile | None = None,
    presentation_type: str = "business",
    text_content: str | None = None,
) -> Answer:
    if operation == "optimize":
        return _subset_font(font_path, output_path, text_content)
    font_facts = font_files.analyze_font(font_path)
    facts = {
        "file_path": id_of(font_path),
        "font_family": font_facts.family,
        "font_style": font_facts.style,
        "num_glyphs": font_facts.glyphs,
        "num_characters": font_facts.characters,
        "weight": font_facts.weight,
        "italic": font_facts.italic,
        "monospaced": font_facts.monospaced,
        "embedding": font_facts.may_embed,
        "scripts": font_facts.scripts,
        "file_size": font_facts.size_bytes,
        "analysis_success": True,
    }
    if operation == "analyze":
        return Answer(facts)
    advice = font_files.recommend_usage(font_facts, presentation_type)
    return Answer({"font_analysis": facts, "presentation_type": presentation_type, "recommendations": advice})


def _subset_font(source: Path, target: Path | None, text: str | None) -> Answer:
    path = target or out_file(id_of(source.with_name(f"{source.stem}_subset.ttf")))
    with tempfile.TemporaryDirectory(prefix="yardkit-slides-") as folder:
        temporary_path = Path(folder) / path.name
        before, after = font_files.subset_font(source, temporary_path, text)
        with lock_file(path, current_world().locks):
            save_bytes(path, temporary_path.read_bytes())
    facts = {"original_path": id_of(source), "optimized_path": id_of(path), "glyphs_before": before, "glyphs": after}
    sizes = {"original_size": source.stat().st_size, "optimized_size": path.stat().st_size}
    return Answer({"message": f"Optimized font: {id_of(source)}", **facts, **sizes}, FileRef.from_path(path))
