"""Solutions and near misses of gta/price_board."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import FilmEdit, film_edited, rewrite_film
from yardkit.evaluators.misses.film_paints import with_title
from yardkit.evaluators.proof import Agent, Solved

FILM, CLIP, PRICES = "boards.mp4", "clip.mp4", "prices.csv"
FPS, BELOW = 10, (40, 322)
Prices = Mapping[str, str]
Piece = tuple[tuple[int, ...], str]


def solve(agent: Agent) -> str:
    """Read a frame of each second, cut at the frames without a text, write, list."""
    begin, end, prices, rise = _watch_board(agent)
    part = agent.text("VideoClip", video=FILM, start_time=begin, end_time=end)
    _add_caption(agent, part, "clip.mp4")
    _write_list(agent, prices)
    return f"The price went up by\n{rise}"


def alternative_written_before_it_is_cut(agent: Agent, _files: Path) -> str:
    """The whole film gets the caption, smaller letters, and is cut then; the rows are in another order."""
    begin, end, prices, rise = _watch_board(agent)
    written = _add_caption(agent, FILM, "written", font_scale=0.9, thickness=4)
    agent.text("VideoClip", video=written, start_time=begin, end_time=end, filename="clip", output_dir=".")
    _write_list(agent, dict(sorted(prices.items())))
    return f"{rise}"


def alternative_by_another_program(agent: Agent, files: Path) -> str:
    """Another encoder, letters with an outline; the table has Windows' line ends."""
    begin, end, prices, rise = _watch_board(agent)
    paint = with_title(_read_request(agent)[1], (90, 316), 99, 24)
    edit = FilmEdit(begin + 0.2, end, repaint=paint, options=(("crf", "27"), ("preset", "fast")))
    rewrite_film(files / FILM, files / CLIP, edit)
    rows = [f"{item.upper()},{price}" for item, price in prices.items()]
    (files / PRICES).write_text("\r\n".join(["Item,Price", *rows]), "utf-8", newline="")
    return f"By {rise} euros."


def _from_film(
    caught_by: str,
    begin: float = 0.6,
    end: float = 0.6,
    until_s: float = 99.0,
    place: tuple[int, int] = BELOW,
    **edit: Any,
) -> Any:
    """The clip made anew from the film, from so long before the board until so long after it."""

    def part(work: Solved) -> tuple[float, float]:
        return work.facts["begin_s"] - begin, work.facts["end_s"] + end

    return film_edited(
        CLIP, caught_by, source=FILM, start_s=lambda work: part(work)[0], end_s=lambda work: part(work)[1],
        repaint=lambda work: with_title(work.facts["caption"], place, part(work)[0] + until_s, 24), **edit,
    )  # fmt: skip


near_miss_first_half_of_the_board = _from_film("part", end=-2.0)
near_miss_next_board_seen_as_well = _from_film("part", begin=2.6, end=2.6)
near_miss_caption_gone_after_two_seconds = _from_film("caption", until_s=2.0)
near_miss_caption_on_the_board = _from_film("caption", place=(90, 150))
near_miss_no_caption = film_edited(
    CLIP, "caption", source=FILM,
    start_s=lambda work: work.facts["begin_s"] - 0.6, end_s=lambda work: work.facts["end_s"] + 0.6,
)  # fmt: skip
near_miss_colours_of_no_browser = film_edited(CLIP, "form", pixels="yuv444p")
near_miss_price_of_before = misses.text_changed(
    PRICES, lambda text, work: _change_price(text, *work.facts["dearer"]), caught_by="prices"
)
near_miss_sold_out_item_kept = misses.text_changed(
    PRICES, lambda text, work: f"{text.rstrip()}\n{','.join(work.facts['gone'])}\n", caught_by="items"
)
near_miss_new_price_answered = misses.change_answer(
    lambda work: f"{float(work.facts['dearer'][1]) + work.facts['rise']:.2f}"
)


def _change_price(text: str, item: str, price: str) -> str:
    return re.sub(rf"({item}),.+", rf"\1,{price}", text)


def _read_request(agent: Agent) -> tuple[str, str]:
    """The board and the caption."""
    return re.findall(r"board `(\w+)`", agent.prompt)[0], re.findall(r"to its end: (.+?)\. Nothing", agent.prompt)[0]


def _add_caption(agent: Agent, video: str, name: str, **look: Any) -> str:
    place = {"output_dir": "."} if name == CLIP else {}
    look = {"position": f"{BELOW[0]},346", "font_scale": 1.1, "color": "255,255,255", **look}
    return agent.text("AddTextVideoTool", video=video, text=_read_request(agent)[1], filename=name, **look, **place)


def _write_list(agent: Agent, prices: Prices) -> None:
    rows = [["Item", "Price"], *([item, price] for item, price in prices.items())]
    agent.text("CsvFileGenerator", filename="prices", data_str=json.dumps(rows), output_dir=".")


def _watch_board(agent: Agent) -> tuple[float, float, Prices, str]:
    """From when until when the board is seen with bare wall around, its prices in the end, and the rise of one."""
    board, _ = _read_request(agent)
    read = agent.text("VideoOCR", video=FILM, frame_skip=2 * FPS)
    frames = [(int(number), _parse_pieces(text)) for number, text in re.findall(r"Frame (\d+): (.*)", read)]
    seen = [at for at, (_, pieces) in enumerate(frames) if any(text == board for _, text in pieces)]
    begin, end = (max(0.1, frames[at][0] / FPS) for at in (seen[0] - 1, seen[-1] + 1))
    prices, rise = dict[str, str](), ""
    for (name, old), (_, new) in zip(_group_rows(frames[seen[0]][1]), _group_rows(frames[seen[-1]][1]), strict=True):
        if "sold" in " ".join(new):
            continue
        prices[name] = new[-1]
        if new[-1] != old[-1]:
            rise = agent.text("Calculator", expression=f"round({new[-1]} - {old[-1]}, 2)")
    return begin, end, prices, f"{float(rise):.2f}"


def _parse_pieces(text: str) -> list[Piece]:
    matches = re.findall(r"\((\d+), (\d+), (\d+), (\d+)\) ([^|]*)", text)
    return [(tuple(map(int, box)), piece.strip()) for *box, piece in matches]


def _group_rows(pieces: Sequence[Piece]) -> list[tuple[str, list[str]]]:
    """The lines of a board from the top: their items, and what stands right of each; its title is left out."""
    rows: list[tuple[float, str, list[str]]] = []
    for box, text in sorted(pieces):
        middle = (box[1] + box[3]) / 2
        beside = next((rest for at, _, rest in rows if abs(at - middle) < 20), None)
        if beside is None:
            rows.append((middle, text, []))
        else:
            beside.append(text)
    return [(item, rest) for _, item, rest in sorted(rows) if rest]
