"""Solutions and near misses of studio/event_poster."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses.lettering import break_lines, type_face
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solving.solver import read_full_text

POSTER, PORTRAIT = "poster.png", "portrait.jpg"
WIDE, HIGH = 900, 1200
_MEASURE = {"title": "title_px", "when": "line_px", "where": "line_px"}
PANEL = "#101820D8"
Rules = Mapping[str, Any]
Look = tuple[str, float, str, str]
"""Font, size of its letters for capitals of one pixel, colour, and panel."""


def solve(agent: Agent) -> str:
    """Crop, find the face, set the lines from the bottom up, and once more on a panel as high as they turned out."""
    rules, texts = _read_rules(agent)
    _compose_poster(agent, rules, texts, ("DejaVu Sans", 1.39, "white", PANEL), "light")
    agent.call("find_faces", path=POSTER)
    agent.look("view_image", path=POSTER)
    return "The poster is in poster.png."


def alternative_dark_on_a_light_panel(agent: Agent, _files: Path) -> str:
    """The dark logo, another font, larger letters, everything on white."""
    rules, texts = _read_rules(agent)
    _compose_poster(agent, rules, texts, ("Liberation Sans", 1.5, "#101828", "#FFFFFF"), "dark")
    agent.call("read_image_text", path=POSTER)
    return "Done."


def alternative_by_another_program(agent: Agent, files: Path) -> str:
    """Pillow darkens the lower part more and more, and sets Caladea in the middle of the lines."""
    import PIL.Image
    import PIL.ImageDraw

    rules, texts = _read_rules(agent)
    face = _crop_portrait(agent)
    with PIL.Image.open(files / POSTER) as cropped:
        image = cropped.convert("RGB")
    mask = PIL.Image.new("L", (1, HIGH))
    mask.putdata([max(0, min(228, round((y - face[3] - 8) * 6))) for y in range(HIGH)])
    image.paste((14, 12, 20), (0, 0, WIDE, HIGH), mask.resize((WIDE, HIGH)))
    draw, y = PIL.ImageDraw.Draw(image), float(_compute_text_bottom(rules))
    for name in reversed(texts):
        font = type_face("Caladea", 1.65 * rules[_MEASURE[name]])
        for line in reversed(break_lines(texts[name], font, WIDE - 2 * rules["margin"])):
            y -= font.size * 1.15
            draw.text((WIDE / 2, y), line, font=font, fill=(255, 244, 214), anchor="ma")
    image.save(files / POSTER)
    _put_logo(agent, rules, "light", PANEL)
    agent.look("view_image", path=POSTER)
    return "Set in Caladea."


@misses.picture_changes(POSTER, caught_by="face")
def near_miss_panel_over_the_face(image: Any, work: Solved) -> Any:
    """The panel begins at the mouth."""
    image.paste(
        (16, 24, 32), (0, round(0.4 * _locate_face_side(work, 1) + 0.6 * _locate_face_side(work, 3)), WIDE, HIGH)
    )
    return image


@misses.picture_changes(POSTER, caught_by="fills", source=PORTRAIT)
def near_miss_portrait_stretched(image: Any) -> Any:
    return image.resize((WIDE, HIGH))


@misses.picture_changes(POSTER, caught_by="fills", source=PORTRAIT)
def near_miss_bars_above_and_below(image: Any) -> Any:
    import PIL.ImageOps

    return PIL.ImageOps.pad(image, (WIDE, HIGH), color=(16, 24, 32))


near_miss_mirrored = misses.picture_changed(POSTER, lambda image: image.transpose(0), caught_by="fills")


@misses.picture_changes(POSTER, caught_by="contrast")
def near_miss_faint_letters(image: Any) -> Any:
    """All is as pale as through fog."""
    import PIL.Image

    return PIL.Image.blend(image, PIL.Image.new("RGB", image.size, (128, 128, 128)), 0.72)


@misses.picture_changes(POSTER, caught_by="logo")
def near_miss_logo_gone(image: Any, work: Solved) -> Any:
    top = 0 if "top" in work.facts["corner"] else HIGH - 170
    left = 0 if "left" in work.facts["corner"] else WIDE - 330
    image.paste((16, 24, 32), (left, top, left + 330, top + 170))
    return image


def _reset_texts(**changed: Any) -> Any:
    """A change that sets the texts anew on the panel of the solved poster, some of them, or their looks, otherwise."""

    def change(image: Any, work: Solved) -> Any:
        import PIL.ImageDraw

        facts = {**work.facts, **changed}
        texts = {**work.facts["texts"], **changed.get("texts", {})}
        draw, margin = PIL.ImageDraw.Draw(image), facts.get("left", facts["margin"])
        box = (0, round(_locate_face_side(work, 3)) + 14, WIDE, HIGH)
        draw.rectangle(box, fill=(16, 24, 32))
        y = box[1] + 20.0
        for name, text in texts.items():
            font = type_face("Caladea", facts.get("part", 1.0) * 1.65 * facts[_MEASURE[name]])
            for line in break_lines(text, font, facts.get("wide", WIDE - 2 * margin)):
                draw.text((margin, y), line, font=font, fill="white")
                y += font.size * 1.15
        return image

    return change


near_miss_old_day = misses.picture_changed(
    POSTER, _reset_texts(texts={"when": "Monday, 6 April, 18:00"}), caught_by="when"
)
near_miss_subtitle_left_out = misses.picture_changed(
    POSTER, _reset_texts(texts={"title": "The Long Way Home"}), caught_by="title"
)
near_miss_letters_too_small = misses.picture_changed(POSTER, _reset_texts(part=0.7), caught_by="high")
near_miss_title_to_the_edge = misses.picture_changed(POSTER, _reset_texts(left=12), caught_by="within")
near_miss_place_runs_over_the_edge = misses.picture_changed(POSTER, _reset_texts(wide=3000), caught_by="title")
near_miss_smaller_screen = misses.picture_shrunk(POSTER, 450, caught_by="size")
near_miss_nobody_looked = misses.never_inspected()


def _locate_face_side(work: Solved, side: int) -> float:
    """Where a side of the face is on a poster as high as the portrait."""
    return float(work.facts["face"][side] * HIGH / work.facts["size"][1])


def _read_rules(agent: Agent) -> tuple[Rules, dict[str, str]]:
    """The measures of the rules, and the three texts with the correction."""
    rules, event = (read_full_text(agent, name) for name in ("poster_rules.md", "event.md"))
    measures = map(int, re.findall(r"(\d+)\s+pixels", rules))
    named = dict(zip(("high", "title_px", "line_px", "edge", "margin", "logo", "clear"), measures, strict=True))
    labels = (("title", "Title"), ("when", "[Dd]ay and time"), ("where", "Place"))
    texts = {name: re.findall(rf"{label}: (.+)", event)[-1].strip() for name, label in labels}
    info = agent.call("get_image_info", path="logo_dark.png")
    corner = "_".join(re.findall(r"the (\w+) (\w+) corner", rules)[0])
    return named | {"corner": corner, "tall": named["logo"] * info["height_px"] / info["width_px"]}, texts


def _crop_portrait(agent: Agent) -> Sequence[float]:
    """The middle of the portrait in the size of the poster; where the face is."""
    agent.call("resize_image", path=PORTRAIT, target=POSTER, width_px=WIDE, height_px=HIGH, fit="cover")
    face: Sequence[float] = agent.call("find_faces", path=POSTER)["faces"][0]["box"]
    return face


def _compute_text_bottom(rules: Rules) -> int:
    """Where the text has to end: above the logo if that is below."""
    below = 0 if "top" in rules["corner"] else rules["tall"] + rules["clear"] + 4
    return int(HIGH - rules["margin"] - below)


def _compose_poster(agent: Agent, rules: Rules, texts: Mapping[str, str], look: Look, logo: str) -> None:
    """Set everything, learn where it begins, and set it again on a panel that begins there."""
    panel = HIGH
    for _ in range(2):
        face = _crop_portrait(agent)
        if panel < face[3]:
            raise LookupError(f"the text begins at {panel}, the face ends at {face[3]}")
        _draw_panel(agent, (-20, panel, WIDE + 20, HIGH + 20), look[3])
        panel = _set_lines(agent, rules, texts, look) - 14
    _put_logo(agent, rules, logo, look[3])


def _draw_panel(agent: Agent, box: Sequence[float], color: str) -> None:
    mark = {"kind": "box", "points": [box[:2], box[2:]], "color": color, "fill": color, "width_px": 1}
    agent.call("draw_on_image", path=POSTER, target=POSTER, marks=[mark])


def _set_lines(agent: Agent, rules: Rules, texts: Mapping[str, str], look: Look) -> int:
    """The lines from the bottom up; where the first one begins."""
    y = _compute_text_bottom(rules)
    for name in reversed(list(texts)):
        looks = {"size_px": round(look[1] * rules[_MEASURE[name]]), "font": look[0], "color": look[2]}
        looks |= {"bold": name == "title", "margin_px": rules["margin"], "position_px": [rules["margin"], y]}
        place = {"path": POSTER, "target": POSTER, "place": "bottom_left"}
        note = agent.call("add_image_text", text=texts[name], **place, **looks)["note"]
        y = int(re.findall(r"covers \[-?\d+, (-?\d+)", note)[0]) - 10
    return y


def _put_logo(agent: Agent, rules: Rules, name: str, panel: str) -> None:
    """The logo in its corner; at the top on a panel of its own."""
    wide, margin = rules["logo"], rules["margin"]
    if "top" in rules["corner"]:
        x = -20 if "left" in rules["corner"] else WIDE - wide - margin - 18
        _draw_panel(agent, (x, -20, x + wide + margin + 38, margin + rules["tall"] + 18), panel)
    place = {"place": rules["corner"], "width_px": wide, "margin_px": margin}
    agent.call("overlay_image", path=POSTER, other=f"logo_{name}.png", target=POSTER, **place)
