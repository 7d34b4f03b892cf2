"""Mutants of films: cuts and shifts are copied without decoding; changed frames are encoded again."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from yardkit.evaluators.mutations.film_edits import FilmEdit, Repaint, rewrite_film
from yardkit.evaluators.mutations.mutant import Mutant, on_files

_SHIFT_S = 1
_FROZEN_FROM_S = 1.0


def generate_mutants(workspace: Path, path: str) -> Iterator[Mutant]:
    """Generate mutants: sound or subtitles dropped, sound late, cut short, frames black, frozen, mirrored, squeezed."""
    kinds = _list_kinds(workspace / path)
    if "audio" in kinds:
        yield _make_copy_mutant("film_silent", f"{path}#sound", "has no sound", leaves_out="audio")
        yield _make_copy_mutant("film_sound_late", f"{path}#sound", "has its sound a second late", late="audio")
    if "subtitle" in kinds:
        yield _make_copy_mutant("film_unsubtitled", f"{path}#subtitles", "has no subtitles", leaves_out="subtitle")
    if "video" in kinds:
        yield _make_copy_mutant("film_cut_off", f"{path}#length", "ends after two thirds", part=Fraction(2, 3))
        yield _make_paint_mutant(
            "film_black", path, "shows black frames", lambda picture, _: picture.point(lambda _: 0)
        )
        yield _make_paint_mutant("film_frozen", path, "freezes after one second", _freeze_picture)
        yield _make_paint_mutant("film_mirrored", path, "is mirrored", lambda picture, _: picture.transpose(0))
        yield _make_paint_mutant("film_squeezed", path, "is squeezed to three quarters of its width", _squeeze_picture)


def _list_kinds(path: Path) -> set[str]:
    import av

    with av.open(str(path)) as film:
        return {stream.type for stream in film.streams}


def _make_copy_mutant(
    operator: str, target: str, description: str, *, leaves_out: str = "", late: str = "", part: Fraction = Fraction(1)
) -> Mutant:
    def edit(source: Any, target_film: Any) -> None:
        streams = [stream for stream in source.streams if stream.type not in (leaves_out, "data", "attachment")]
        copies = {stream.index: target_film.add_stream_from_template(stream) for stream in streams}
        end_s = float(part) * (source.duration or 0) / 1_000_000
        for packet in source.demux(*streams):
            if packet.pts is None or (part < 1 and float(packet.pts * packet.time_base) >= end_s):
                continue
            if packet.stream.type == late:
                ticks = round(_SHIFT_S / packet.time_base)
                packet.pts, packet.dts = packet.pts + ticks, packet.dts + ticks
            packet.stream = copies[packet.stream.index]
            target_film.mux(packet)

    path = target.partition("#")[0]
    return Mutant(
        operator, f"film:{target}", f"{path} {description}", on_files(lambda files: _remux_film(files / path, edit))
    )


def _remux_film(path: Path, edit: Callable[[Any, Any], None]) -> None:
    """Rewrite the film at `path` with `edit`, which gets the old and the new film, both opened by PyAV."""
    import av

    draft = path.with_name(f"draft_{path.name}")
    options = {"movflags": "+faststart"} if path.suffix.lower() == ".mp4" else {}
    with av.open(str(path)) as source, av.open(str(draft), "w", options=options) as target_film:
        edit(source, target_film)
    draft.replace(path)


def _freeze_picture(picture: Any, time_s: float) -> Any:
    return None if time_s > _FROZEN_FROM_S else picture


def _squeeze_picture(picture: Any, _time_s: float) -> Any:
    width, height = picture.size
    return picture.resize((max(2, width * 3 // 8 * 2), height))


def _make_paint_mutant(operator: str, path: str, description: str, repaint: Repaint) -> Mutant:
    def edit(files: Path) -> None:
        rewrite_film(files / path, files / path, FilmEdit(repaint=repaint))

    return Mutant(operator, f"film:{path}#frames", f"{path} {description}", on_files(edit))
