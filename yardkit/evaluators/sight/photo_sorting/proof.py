"""Solutions and near misses of sight/photo_sorting."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Miss, Solved, caught_by_leaf

HEAD = ["file", "folder", "taken", "copy_of"]
ANIMALS, DRINKS = {"cat", "dog", "horse", "bear", "bird"}, {"cup", "bottle", "wine glass"}
SURE_PERSON, SURE = 0.68, 0.33
"""The embedded detector calls a cat from near a person too, with less certainty."""
MOST_DIFFERENCE = 4.0
MEASURE = """
import glob, json
import numpy as np
from PIL import Image, ImageOps

seen = {}
for path in sorted(glob.glob("camera/*.jpg")):
    image = Image.open(path)
    taken = image.getexif().get_ifd(0x8769).get(0x9003, "")
    upright = ImageOps.exif_transpose(image).convert("L")
    small = np.asarray(upright.resize((24, 24)), dtype=float)
    seen[path] = {"taken": taken[:10].replace(":", "-"), "pixels": image.width * image.height, "small": small}
for path, about in seen.items():
    larger = [
        other for other, more in seen.items()
        if more["pixels"] > about["pixels"] and np.abs(more["small"] - about["small"]).mean() < ALIKE
    ]
    about["copy_of"] = max(larger, key=lambda other: seen[other]["pixels"], default="")
print(json.dumps({path: {key: about[key] for key in ("taken", "copy_of")} for path, about in seen.items()}))
"""
Rows = list[dict[str, str]]


def solve(agent: Agent) -> str:
    """Measure all pictures at once, look what is on each that is no copy, move them, write the catalogue."""
    rows = _build_rows(agent)
    _move_photos(agent, rows)
    agent.call("write_file", path="catalogue.csv", content=_build_csv(rows))
    return f"{sum(not row['copy_of'] for row in rows)}"


def alternative_with_a_catalogue_by_another_program(agent: Agent, files: Path) -> str:
    """Semicolons, days in words, columns in another order, Windows line ends."""
    rows = _build_rows(agent)
    _move_photos(agent, rows)
    lines = ["copy_of;taken;folder;file"]
    lines += [f"{row['copy_of']};{row['taken']};{row['folder'].upper()};{row['file']}" for row in rows]
    (files / "catalogue.csv").write_bytes("\r\n".join([*lines, ""]).encode("utf-8-sig"))
    return f"There are so many different pictures:\n\n**{sum(not row['copy_of'] for row in rows)}**"


def alternative_moved_in_two_steps(agent: Agent, files: Path) -> str:
    """Everything is renamed into `photos` first; the catalogue has a remark and paths."""
    rows = _build_rows(agent)
    for row in rows:
        agent.call("move_path", source=f"camera/{row['file']}", target=f"photos/{row['file']}")
    for row in reversed(rows):
        agent.call("move_path", source=f"photos/{row['file']}", target=f"photos/{row['folder']}/{row['file']}")
    text = _build_csv([{**row, "file": f"photos/{row['folder']}/{row['file']}"} for row in rows])
    (files / "catalogue.csv").write_text(text, "utf-8")
    return f"{sum(not row['copy_of'] for row in rows)} different pictures"


def _make_catalogue_miss(caught_by: str, change: Callable[[dict[str, str]], None]) -> Miss:
    """A near miss in each row of the catalogue."""

    def corrupt_world(work: Solved) -> None:
        path = work.files / "catalogue.csv"
        rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))
        for row in rows:
            change(row)
        path.write_text(_build_csv(rows), "utf-8")

    return caught_by_leaf(caught_by)(corrupt_world)


near_miss_copies_have_the_day_of_the_first = _make_catalogue_miss(
    "taken", lambda row: row.update(taken=row["taken"] or "2026-02-03")
)
near_miss_copies_in_the_folder_of_what_they_show = _make_catalogue_miss(
    "folder", lambda row: row.update(folder="people" if row["folder"] == "copies" else row["folder"])
)
near_miss_no_word_of_what_a_copy_is_of = _make_catalogue_miss("copy_of", lambda row: row.update(copy_of=""))
near_miss_cat_among_people = misses.move_file("photos/animals/*.jpg", "photos/people/", caught_by=("animals", "people"))
near_miss_rocket_among_people = misses.move_file("photos/other/*.jpg", "photos/people/", caught_by=("other", "people"))
near_miss_note_among_the_others = misses.move_file(
    "photos/papers/*.jpg", "photos/other/", caught_by=("papers", "other")
)
near_miss_copies_deleted = misses.delete_file("photos/copies/*.jpg", caught_by="copies", all_of=True)
near_miss_one_left_in_the_heap = misses.move_file("photos/drinks/*.jpg", "camera/", caught_by=("drinks", "heap"))
near_miss_all_pictures_counted = misses.change_answer(lambda work: len(work.facts["pictures"]))
near_miss_index_of_the_camera_tidied_away = misses.delete_file("camera/index.dat")


@caught_by_leaf("people", "copies")
def near_miss_second_shot_taken_for_a_copy(work: Solved) -> None:
    """A picture of a person lies among the copies."""
    path = sorted((work.files / "photos" / "people").iterdir())[0]
    path.rename(work.files / "photos" / "copies" / path.name)


@caught_by_leaf("papers")
def near_miss_pictures_saved_anew(work: Solved) -> None:
    """Turned upright and saved: no longer what the camera took."""
    import PIL.Image

    path = sorted((work.files / "photos" / "papers").iterdir())[0]
    with PIL.Image.open(path) as image:
        upright = image.convert("RGB")
    upright.save(path, quality=95)


def _build_rows(agent: Agent) -> Rows:
    code = MEASURE.replace("ALIKE", str(MOST_DIFFERENCE))
    measured = json.loads(agent.call("run_solver_code", code=code)["output"])
    rows = []
    for path, about in measured.items():
        folder = "copies" if about["copy_of"] else _find_subject(agent, path)
        name, original = path.rpartition("/")[2], about["copy_of"].rpartition("/")[2]
        rows.append({"file": name, "folder": folder, "taken": about["taken"], "copy_of": original})
    return rows


def _find_subject(agent: Agent, path: str) -> str:
    """What a picture shows, by its objects; if there are none, by the words on it."""
    best: dict[str, float] = {}
    for item in agent.call("detect_objects", path=path, min_confidence=SURE)["objects"]:
        best[item["label"]] = max(best.get(item["label"], 0.0), item["score"])
    if best.get("person", 0.0) >= SURE_PERSON:
        return "people"
    if ANIMALS & best.keys():
        return "animals"
    if DRINKS & best.keys():
        return "drinks"
    pieces = agent.call("read_image_text", path=path)["pieces"]
    return "papers" if sum(len(piece["text"]) > 3 for piece in pieces) >= 3 else "other"


def _move_photos(agent: Agent, rows: Rows) -> None:
    for row in rows:
        agent.call("move_path", source=f"camera/{row['file']}", target=f"photos/{row['folder']}/{row['file']}")


def _build_csv(rows: list[Mapping[str, Any]] | Rows) -> str:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, HEAD, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()
