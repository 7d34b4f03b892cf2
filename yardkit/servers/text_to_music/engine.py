"""The work of the text_to_music server, without MCP."""

from yardkit.models.long_work import BegunWork, LongWork
from yardkit.models.service import ServiceChoice

MUSIC = LongWork(
    capability="music",
    needs="a model that makes music from words",
    route="/music",
    suffixes=(".wav", ".flac", ".mp3", ".ogg"),
    check_tool="check_music",
    save_tool="save_music",
    may_lack=("seed", "lyrics"),
)


def start_music(
    prompt: str, *, lyrics: str = "", duration_s: float = 30.0, seed: int = 0, backend: ServiceChoice = "auto"
) -> BegunWork:
    """Begin a piece of music.

    Args:
        prompt: how it sounds: style, instruments, mood, tempo.
        lyrics: what is sung; empty for none.
        duration_s: how long it is; a model may round it.
        seed: of the chance in it.
        backend: which tier.

    Raises:
        ModelUnavailable: no model is set up.
        Problem: the service refuses the words.
        Unavailable: no usable answer came.
    """
    wishes = {"prompt": prompt, "lyrics": lyrics or None, "seconds": f"{duration_s:g}", "seed": seed}
    return MUSIC.begin(wishes, backend)
