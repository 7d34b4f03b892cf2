"""Solutions and near misses of gta/invitation."""

import datetime
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses.edits import make_miss
from yardkit.evaluators.misses.lettering import type_face
from yardkit.evaluators.proof import Agent, Solved

PICTURE, PAGE = "invitation.png", "invitation.html"
INKS = {"light": "#1c2430", "dark": "#fffaf0"}
ROWS = {"title": 590, "when": 646, "where": 700}
"""Where the lower edges of the texts stand."""
HERE = {"output_dir": ".", "filename": "invitation"}
HTML = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>body {{ max-width: 800px; margin: 0 auto; padding: 12px }} img {{ max-width: 100%; height: auto }}</style></head>
<body><h1>{title}</h1>
<p><img src="invitation.png" alt="{title}"></p>
<p>{when}</p>
<p>{where}, {town}</p>
<p>{answer_by}: <a href="mailto:{mail}">{mail}</a></p>
</body></html>"""
Plan = Mapping[str, Any]


def solve(agent: Agent) -> str:
    """Find the sharp shot, set the texts one by one, look where day and time stand, and frame them."""
    plan = _read_plan(agent)
    picture = plan["shot"]
    for name, text in plan["texts"].items():
        place = f"(40, {ROWS[name]})"
        picture = agent.text("AddText", image=picture, text=text, position=place, color=INKS[plan["ground"]], **HERE)
    left, top, right, bottom = next(
        box for box, text in _read_lines(agent, PICTURE) if text[-5:] == plan["texts"]["when"][-5:]
    )
    agent.text("DrawBox", image=PICTURE, bbox=f"({left - 8}, {top - 4}, {right + 8}, {bottom + 4})", **HERE)
    agent.text("HtmlFileGenerator", filename=PAGE, html_code=_build_page(plan), output_dir=".")
    return "The invitation is in invitation.png, and invitation.html shows it."


def alternative_drawn_by_another_program(agent: Agent, files: Path) -> str:
    """Pillow sets bold letters in the middle, the frame is dark red; the page is laid out in a table."""
    plan = _read_plan(agent)
    _paint_invitation(files, plan, face="Caladea", color="#B01218")
    rows = "".join(f"<tr><td>{plan['texts'][name]}</td></tr>" for name in ("when", "where"))
    mail = f'<a href="mailto:{plan["mail"]}?subject=Yes">{plan["mail"]}</a>'
    code = (
        f'```html\n<h1>{plan["texts"]["title"].upper()}</h1><img style="width: 90%" src="./{PICTURE}" '
        f'alt="{plan["texts"]["title"]}">'
        f"<table>{rows}<tr><td>{plan['town']}</td></tr></table><p>{plan['answer_by']}. {mail}</p>\n```"
    )
    agent.text("HtmlFileGenerator", filename="invitation", html_code=code, output_dir=".")
    return "Done."


def alternative_framed_first(agent: Agent, files: Path) -> str:
    """The frame is drawn first, wide enough; drafts lie in the usual folder, and the last one is copied."""
    plan = _read_plan(agent)
    picture = agent.text("DrawBox", image=plan["shot"], bbox="(30, 604, 640, 652)")
    for name, text in plan["texts"].items():
        place = f"({44 if name == 'when' else 36}, {ROWS[name]})"
        picture = agent.text(
            "AddText", image=picture, text=text, position=place, color="black" if plan["ground"] == "light" else "white"
        )
    (files / PICTURE).write_bytes((files / picture).read_bytes())
    agent.text("HtmlFileGenerator", filename=PAGE, html_code=_build_page(plan), output_dir=".")
    return "Done."


def _repaint_picture(caught_by: str, **changes: Any) -> Any:
    """The picture painted anew; a change that is a function gets the facts."""

    def corrupt_world(work: Solved) -> None:
        changed_values = {name: value(work.facts) if callable(value) else value for name, value in changes.items()}
        _paint_invitation(
            work.files,
            {**work.facts, **changed_values},
            **{name: changed_values.pop(name) for name in ("color", "framed", "rows", "ink") if name in changed_values},
        )

    return make_miss(caught_by, corrupt_world)


near_miss_shot_out_of_focus = _repaint_picture("shot", shot=lambda facts: facts["soft"])
near_miss_title_on_the_photograph = _repaint_picture("free", rows=ROWS | {"title": 300})
near_miss_letters_in_the_red_of_the_tool = _repaint_picture("contrast", ink="#FF0000")
near_miss_frame_around_the_title = _repaint_picture("framed", framed="title")
near_miss_old_time_on_the_picture = _repaint_picture(
    "when", texts=lambda facts: {**facts["texts"], "when": facts["texts"]["when"][:-5] + facts["old"][1]}
)
near_miss_old_house_on_the_picture = _repaint_picture(
    "where",
    texts=lambda facts: {**facts["texts"], "where": f"{facts['old'][2]}, {facts['texts']['where'].split(', ')[1]}"},
)
near_miss_answer_by_the_day_itself = misses.text_changed(
    PAGE,
    lambda text, work: text.replace(work.facts["answer_by"][17:], work.facts["texts"]["when"][:-7]),
    caught_by="words",
)
near_miss_old_day_named_as_well = misses.text_changed(
    PAGE, lambda text, work: text.replace("</body>", f"<p>Not on {work.facts['old'][0]}.</p></body>"), caught_by="words"
)
near_miss_picture_stretched = misses.text_changed(PAGE, ("height: auto", "height: 200px"), caught_by="shown")
near_miss_title_as_a_paragraph = misses.text_changed(PAGE, ("h1>", "p>"), caught_by="heading")
near_miss_no_alternative_text = misses.text_changed(
    PAGE, lambda text, _: re.sub(r' alt="[^"]*"', "", text), caught_by="named"
)
near_miss_address_without_a_link = misses.text_changed(PAGE, ("mailto:", "#"), caught_by="linked")


def _read_plan(agent: Agent) -> Plan:
    """The sharp shot and the texts by the brief, its changes and the card."""
    brief = agent.text("ReadDOCX", file="brief.docx")
    house, day, time = re.findall(r"We go to (.+), on (\w+, \d+ \w+), and begin at ([\d:]+)", brief)[0]
    card = _read_lines(agent, "houses.png")
    top = next(box[1] for box, text in card if text == house)
    street, town = [
        text for box, text in sorted(card, key=lambda line: line[0][1]) if box[0] > 300 and box[1] > top - 20
    ][:2]
    date = datetime.datetime.strptime(f"{day.split(', ')[1]} 2026", "%d %B %Y").date() - datetime.timedelta(days=7)  # noqa: DTZ007 - a day
    title = re.findall(r"Title: (.+)", brief)[0]
    return {
        "texts": {"title": title, "when": f"{day}, {time}", "where": f"{house}, {street}"},
        "town": town,
        "answer_by": f"Please answer by {date:%A}, {date.day} {date:%B}",
        "mail": re.findall(r"address (\S+@[\w.-]+\w)", brief)[0],
        "ground": re.findall(r"plain (\w+) ground", brief)[0],
        "shot": _find_sharpest(agent, re.findall(r"It shows the (\w+)", brief)[0]),
    }


def _read_lines(agent: Agent, picture: str) -> list[tuple[tuple[int, ...], str]]:
    """The lines of a picture with their boxes."""
    boxed_lines = re.findall(r"\((\d+), (\d+), (\d+), (\d+)\) (.*)", agent.text("OCR", image=picture))
    return [(tuple(map(int, box)), text) for *box, text in boxed_lines]


def _find_sharpest(agent: Agent, subject: str) -> str:
    """Of the shots on which the subject is found, the one with the most detail."""
    shots = re.findall(r"photos/\w+\.jpg", agent.prompt)
    scores = {shot: re.findall(r"score (\d+)", agent.text("TextToBbox", image=shot, text=subject)) for shot in shots}
    subject_shots = [shot for shot in shots if scores[shot] and int(scores[shot][0]) >= 50]
    variances = {
        shot: re.findall(r"variance: ([\d.]+)", agent.text("ImageQualityTest", image=shot))[0] for shot in subject_shots
    }
    return str(max(subject_shots, key=lambda shot: float(variances[shot])))


def _build_page(plan: Plan) -> str:
    return HTML.format(**plan["texts"], town=plan["town"], answer_by=plan["answer_by"], mail=plan["mail"])


def _paint_invitation(
    files: Path, plan: Plan, *, ink: str = "", face: str = "DejaVu Sans", color: str = "#E01010", framed: str = "when",
    rows: Mapping[str, int] = ROWS,
) -> None:  # fmt: skip
    """The invitation by Pillow."""
    import PIL.Image
    import PIL.ImageDraw

    with PIL.Image.open(files / plan["shot"]) as shot:
        image = shot.convert("RGB")
    draw, font = PIL.ImageDraw.Draw(image), type_face(face, 30)
    for name, text in plan["texts"].items():
        draw.text((400, rows[name] - 8), text, font=font, fill=ink or INKS[plan["ground"]], anchor="mb")
        if name == framed:
            left, top, right, bottom = draw.textbbox((400, rows[name] - 8), text, font=font, anchor="mb")
            draw.rectangle((left - 12, top - 6, right + 12, bottom + 6), outline=color, width=4)
    image.save(files / PICTURE)
