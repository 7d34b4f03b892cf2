"""Films as cameras, phones, recorders and broadcasters write them: tiny, made by code, each with its truth."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from zoo.film_recipes import (
    BEEPS_S,
    FPS,
    HLG,
    LEVELS,
    PQ,
    SECONDS,
    SIZE,
    WIDE,
    Recipe,
    trim_by_edit_list,
    write_call,
    write_film,
    write_rich_film,
)


@dataclass(frozen=True)
class Film:
    """A film of the zoo.

    Attributes:
        name: of its file.
        build: writes it.
        size: of its pictures as displayed.
        times_s: when its pictures are seen, from the first.
        seconds: how long it is.
        beeps_s: when its beeps begin; empty without sound.
        first: number of its first picture.
        info: what `get_video_info` says of it, by names.
        warnings: words that each tool says that writes it anew, since it cannot keep that.
        exact: whether its colours are those that went in, not those of a palette or of fewer bits.
    """

    name: str
    build: Callable[[Path], None]
    size: tuple[int, int] = SIZE
    times_s: tuple[float, ...] = tuple(number / FPS for number in range(round(SECONDS * FPS)))
    seconds: float = SECONDS
    beeps_s: tuple[float, ...] = BEEPS_S
    first: int = 0
    info: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    exact: bool = True

    def level_at(self, time_s: float) -> int:
        """The level of the picture that is seen at a time."""
        return LEVELS[self.first + max(0, sum(start <= time_s + 1e-3 for start in self.times_s) - 1)]


def _make_builder(**changed: Any) -> Callable[[Path], None]:
    recipe = replace(Recipe(), **changed)
    return lambda path: write_film(path, recipe)


_MPEG2: dict[str, Any] = {
    "codec": "mpeg2video",
    "sound_codec": "mp2",
    "fps": 25,
    "options": (("b", "4000000"), ("bf", "0")),
}
_TIMES_25 = tuple(number / 25 for number in range(20))
_SCREEN = (0.0, 1.0, *(1.1 + number / 20 for number in range(10)), 1.9)
_BRIGHT: dict[str, Any] = {
    "codec": "libx265",
    "pixels": "yuv420p10le",
    "options": (("x265-params", "log-level=none:bframes=0"), ("crf", "4")),
}
FILMS = (
    Film("plain.mp4", _make_builder(), info={"variable_rate": False, "frames": 20, "hdr": "", "rotation": 0}),
    Film(
        "phone-upright.mp4",
        _make_builder(turn=lambda picture: np.rot90(picture, 1), matrix=(0, 1, -1, 0)),
        info={"rotation": 270},
    ),
    Film(
        "phone-upside-down.mov",
        _make_builder(turn=lambda picture: np.rot90(picture, 2), matrix=(-1, 0, 0, -1)),
        info={"rotation": 180},
    ),
    Film(
        "selfie-mirrored.mp4",
        _make_builder(turn=lambda picture: picture[:, ::-1], matrix=(-1, 0, 0, 1)),
        info={"mirrored": True},
    ),
    Film(
        "selfie-turned.mp4",
        _make_builder(turn=lambda picture: picture.swapaxes(0, 1), matrix=(0, 1, 1, 0)),
        info={"mirrored": True},
    ),
    Film("camera-hdv.mkv", _make_builder(stored=(48, 48), aspect=Fraction(4, 3)), info={"pixel_aspect": 1.3333}),
    Film(
        "dvd.mpg",
        _make_builder(**_MPEG2, stored=(72, 48), aspect=Fraction(8, 9), times_s=_TIMES_25, sound_s=(0.0, 0.8)),
        times_s=_TIMES_25,
        seconds=0.8,
        beeps_s=BEEPS_S[:1],
        info={"pixel_aspect": 0.8889},
        exact=False,
    ),
    Film(
        "screen.mp4",
        _make_builder(times_s=_SCREEN, sound_s=(0.0, SECONDS)),
        times_s=_SCREEN,
        info={"variable_rate": True, "frames": 13},
    ),
    Film(
        "screen.webm",
        _make_builder(
            codec="libvpx", sound_codec="libopus", options=(("deadline", "realtime"), ("b", "4000000")), times_s=_SCREEN
        ),
        times_s=_SCREEN,
        info={"variable_rate": True},
        exact=False,
    ),
    Film("late-sound.mp4", _make_builder(sound_s=(1.0, SECONDS)), beeps_s=BEEPS_S[1:], info={"sound_start_s": 1.0}),
    Film("late-sound.mkv", _make_builder(sound_s=(1.0, SECONDS)), beeps_s=BEEPS_S[1:], info={"sound_start_s": 1.0}),
    Film(
        "early-sound.mkv",
        _make_builder(begin_s=1.0, sound_s=(-1.0, SECONDS)),
        info={"sound_start_s": -1.0},
        warnings=("sound before the first picture",),
    ),
    Film("lost-packets.mkv", _make_builder(gap_s=(0.8, 1.2))),
    Film("joined-late.mkv", _make_builder(begin_s=3600.0)),
    Film(
        "broadcast.ts",
        _make_builder(**_MPEG2, times_s=_TIMES_25, sound_s=(0.0, 0.8)),
        times_s=_TIMES_25,
        seconds=0.8,
        beeps_s=BEEPS_S[:1],
        exact=False,
    ),
    Film(
        "broadcast-fields.ts",
        _make_builder(
            **{**_MPEG2, "options": (*_MPEG2["options"], ("flags", "+ildct+ilme"))},
            interlaced=True,
            times_s=_TIMES_25,
            sound_s=None,
        ),
        times_s=_TIMES_25,
        seconds=0.8,
        beeps_s=(),
        info={"interlaced": True},
        exact=False,
    ),
    Film(
        "hdr-pq.mp4",
        _make_builder(**_BRIGHT, curve=PQ),
        info={"hdr": "PQ"},
        warnings=("high dynamic range (PQ",),
        exact=False,
    ),
    Film(
        "hdr-hlg.mov",
        _make_builder(**_BRIGHT, curve=HLG),
        info={"hdr": "HLG"},
        warnings=("high dynamic range (HLG",),
        exact=False,
    ),
    Film(
        "wide-colors.mp4",
        _make_builder(**_BRIGHT, curve=WIDE),
        info={"wide_colors": True, "hdr": ""},
        warnings=("wide colours (BT.2020",),
        exact=False,
    ),
    Film("studio.mkv", _make_builder(pixels="yuv422p"), warnings=("colours of each pixel (4:2:2; now 4:2:0)",)),
    Film("ten-bits.mkv", _make_builder(pixels="yuv420p10le"), warnings=("10 bits a colour",)),
    Film("full-range.mp4", _make_builder(pixels="yuvj420p", full_range=True)),
    Film(
        "camera.avi",
        _make_builder(
            codec="mjpeg", pixels="yuvj420p", sound_codec="pcm_s16le", options=(("q", "2"),), full_range=True
        ),
    ),
    Film(
        "old.flv",
        _make_builder(codec="flv1", sound_codec="pcm_s16le", sound_s=None, options=(("b", "4000000"),)),
        beeps_s=(),
        exact=False,
    ),
    Film(
        "reordered.avi",
        _make_builder(codec="mpeg4", sound_s=None, options=(("b", "4000000"), ("bf", "2"))),
        beeps_s=(),
        info={"variable_rate": False, "frames": 20},
        exact=False,
    ),
    Film("windows.wmv", _make_builder(codec="wmv2", sound_codec="wmav2", options=(("b", "4000000"),)), exact=False),
    Film(
        "animation.mov",
        _make_builder(codec="qtrle", pixels="argb", sound_s=None, options=()),
        beeps_s=(),
        warnings=("transparency",),
    ),
    Film(
        "moving.gif",
        _make_builder(codec="gif", pixels="rgb8", sound_s=None, options=()),
        beeps_s=(),
        exact=False,
        warnings=("colours of each pixel (4:4:4; now 4:2:0)",),
    ),
    Film(
        "edited.mp4",
        trim_by_edit_list,
        times_s=tuple(number / FPS for number in range(15)),
        seconds=1.5,
        beeps_s=(0.0, 1.0),
        first=5,
    ),
    Film("fragments.mp4", _make_builder(container=(("movflags", "frag_keyframe+empty_moov+delay_moov"),))),
    Film("still.mp4", _make_builder(times_s=(0.0,), sound_s=(0.0, 0.1)), times_s=(0.0,), seconds=0.1, beeps_s=()),
    Film(
        "disc.mkv",
        write_rich_film,
        info={"sound_tracks": 2, "chapters": 2, "other_parts": 1},
        warnings=("keeper", "sound track", "2 tracks of subtitles", "attached file"),
    ),
    Film("call.ts", write_call, beeps_s=(), exact=False),
)
BY_NAME = {film.name: film for film in FILMS}
