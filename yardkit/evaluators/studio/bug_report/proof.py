"""Solutions and near misses of studio/bug_report."""

import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solving.films import read_over_time

FIRST, AGAIN, PAGE, RECORDING = "report/first.png", "report/again.png", "report/report.html", "screen_recording.mp4"
Box = Sequence[float]


def solve(agent: Agent) -> str:
    """Find total and account on the screen, read the total of every frame, mark, cover, look, write."""
    return _make_report(agent)


def alternative_pixels_and_an_ellipse(agent: Agent, _files: Path) -> str:
    """A mosaic hides the account, the mark is thick and dark red, other frames are chosen, the page has a table."""
    return _make_report(agent, later=0.3, way="pixelate", color="#C00000", width_px=7, table=True)


def alternative_saved_again_by_another_program(agent: Agent, files: Path) -> str:
    """The pictures are saved again by Pillow, with a palette of colours; headings have other levels."""
    from PIL import Image

    answer = _make_report(agent)
    for path in (FIRST, AGAIN):
        with Image.open(files / path) as opened:
            saved = opened.convert("RGB").quantize(200)
        saved.save(files / path)
    page = (files / PAGE).read_text("utf-8")
    (files / PAGE).write_text(re.sub(r"(</?)h2", r"\1h1", page), "utf-8")
    agent.look("view_image", path=FIRST)
    agent.look("view_image", path=AGAIN)
    return f"It is seen from this second on:\n{answer}"


def _read_frame(work: Solved, time_s: float) -> Any:
    """The frame of the recording at a time."""
    import av

    with av.open(str(work.files / RECORDING)) as film:
        return next(
            video_frame for video_frame in film.decode(video=0) if (video_frame.time or 0) > time_s - 0.05
        ).to_image()


def _draw_marked_frame(work: Solved, time_s: float, up_px: int = 0) -> Any:
    """The frame at a time, with cover and a mark, so much above the total."""
    from PIL import ImageDraw

    frame = _read_frame(work, time_s)
    frame.paste((0, 0, 0), tuple(work.facts["private"]))
    left, top, right, bottom = work.facts["total"]
    box = (left - 10, top - 10 - up_px, right + 10, bottom + 8 - up_px)
    ImageDraw.Draw(frame).rectangle(box, outline="red", width=4)
    return frame


def _uncover_account(picture: Any, work: Solved, right_px: int) -> Any:
    """The account is to be read, but for so much on its right."""
    left, top, right, bottom = work.facts["private"]
    picture.paste(_read_frame(work, 0.2).crop((left, top, right - right_px, bottom)), (left, top))
    return picture


near_miss_when_the_total_is_right_again = misses.picture_changed(
    FIRST, lambda _picture, work: _draw_marked_frame(work, work.facts["shown"][0]["end_s"] + 0.5), "right_moments"
)
near_miss_the_dialog_that_is_no_fault = misses.picture_changed(
    AGAIN, lambda _picture, work: _draw_marked_frame(work, work.facts["shown"][1]["start_s"] - 1.8), "right_moments"
)
near_miss_the_second_time_twice = misses.overwrite_file(FIRST, AGAIN, caught_by="right_moments")
near_miss_other_amount_framed = misses.picture_changed(
    FIRST, lambda _picture, work: _draw_marked_frame(work, work.facts["shown"][0]["start_s"] + 0.2, 80), "marked"
)
near_miss_account_not_covered = misses.picture_changed(
    FIRST, lambda picture, work: _uncover_account(picture, work, 0), "hidden"
)
near_miss_key_covered_and_address_not = misses.picture_changed(
    AGAIN, lambda picture, work: _uncover_account(picture, work, 125), "hidden"
)
near_miss_half_the_size = misses.picture_shrunk(FIRST, 480, caught_by="right_moments")
near_miss_the_second_time_alone = misses.change_answer(lambda work: work.facts["shown"][1]["start_s"])
near_miss_recording_deleted = misses.delete_file(RECORDING)
near_miss_not_looked_at = misses.never_inspected()
near_miss_first_time_not_told = misses.text_changed(
    PAGE, lambda page, work: page.replace(f"{work.facts['shown'][0]['start_s']:.1f}", "a few"), "told"
)
near_miss_right_total_not_told = misses.text_changed(
    PAGE, lambda page, work: page.replace(work.facts["right"], "less"), "told"
)
near_miss_steps_in_one_sentence = misses.text_changed(PAGE, ("li>", "span>"), "laid_out")
near_miss_key_in_the_report = misses.text_changed(
    PAGE, lambda page, work: page.replace("</ol>", f"</ol>{work.facts['secrets'][1]}"), "hidden"
)


def _make_report(agent: Agent, later: float = 0.2, way: str = "fill", *, table: bool = False, **mark: Any) -> str:
    """Make the report with frames so much later than the fault begins."""
    agent.call("extract_video_frames", path=RECORDING, folder="scratch/start", at_s=[0.2])
    screen = agent.call("list_folder", path="scratch/start")["entries"][0]["path"]
    pieces = agent.call("read_image_text", path=screen)["pieces"]
    total = next(piece for piece in pieces if piece["text"].startswith("Total"))
    beside = (piece for piece in pieces if abs(piece["bbox_px"][1] - total["bbox_px"][1]) < 20)
    amount = max(beside, key=lambda piece: piece["bbox_px"][0])
    account = [piece["bbox_px"] for piece in pieces if piece["bbox_px"][3] < 50 and piece["bbox_px"][0] > 480]
    left, top, right, bottom = amount["bbox_px"]
    around = [left - 34, top - 6, right + 10, bottom + 6]
    read = read_over_time(agent, RECORDING, around, 0.1)
    read_totals = [(time_s, digits.group()) for time_s, text in read if (digits := re.search(r"\d+\.\d\d", text))]
    wrong = _wrong_amount(read_totals)
    seen = [time_s for time_s, value in read_totals if value == wrong]
    starts = [seen[0], next(after for first_time, after in itertools.pairwise(seen) if after - first_time > 0.5)]
    cover = [min(box[0] for box in account) - 8, 6, 956, 44]
    for path, start in zip((FIRST, AGAIN), starts, strict=True):
        agent.call("extract_video_frames", path=RECORDING, folder="scratch/full", at_s=[start + later])
        frame = sorted(entry["path"] for entry in agent.call("list_folder", path="scratch/full")["entries"])[-1]
        marks = [{"kind": "box", "points": [around[:2], around[2:]], **mark}]
        agent.call("draw_on_image", path=frame, target=path, marks=marks)
        agent.call("cover_image_regions", path=path, target=path, boxes_px=[cover], way=way)
        agent.look("view_image", path=path)
    agent.call("write_file", path=PAGE, content=_build_page(wrong, read_totals[-1][1], starts, table=table))
    agent.call("delete_path", path="scratch", recursive=True)
    return f"{starts[0]:.1f}"


def _wrong_amount(read_totals: Sequence[tuple[float, str]]) -> str:
    """What is neither the first nor the last amount, and is read most often."""
    others = [value for _, value in read_totals if value not in (read_totals[0][1], read_totals[-1][1])]
    return max(sorted(set(others)), key=others.count)


def _build_page(wrong: str, right: str, starts: Sequence[float], *, table: bool) -> str:
    steps = ("Open an order.", "Click Enter voucher.", "Apply the voucher and look at the total.", "Save the order.")
    report_facts = {
        "Wrong total": f"-EUR {wrong}",
        "Right total": f"EUR {right}",
        "First seen": f"at {starts[0]:.1f} s",
    }
    row = "<tr><th>{}</th>\n<td>{}</td></tr>\n" if table else "<p>{}:\n{}</p>\n"
    rows = "".join(row.format(*fact) for fact in [*report_facts.items(), ("Seen again", f"at {starts[1]:.1f} s")])
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Negative total</title></head><body>\n'
        f"<h2>Steps to reproduce</h2>\n<ol>{''.join(f'<li>{step}</li>' for step in steps)}</ol>\n"
        f"<h2>What is wrong</h2>\n{f'<table>{rows}</table>' if table else rows}"
        '<img src="first.png" alt="The first time"><img src="again.png" alt="The second time">\n</body></html>\n'
    )
