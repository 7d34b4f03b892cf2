"""Tags and chapters set in a sound file whose sound is copied as it is."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.kit.containers import is_cover
from yardkit.kit.media_labels import WITH_CHAPTERS, Chapter, labels_in, write_labels
from yardkit.kit.sound_streams import KINDS, Form, form_of, seconds_of
from yardkit.kit.sounds import open_container, sound_track
from yardkit.servers.audio.engine.changes import ChangedSound, write_in_process
from yardkit.servers.audio.engine.labels import relabel_sound
from yardkit.world import Problem

PRELOAD = ("numpy", "av")
"""What the process that works on sounds keeps loaded."""
_CODECS = {
    ".wav": ("pcm_",),
    ".flac": ("flac",),
    ".mp3": ("mp3",),
    ".ogg": ("opus", "vorbis", "flac"),
    ".opus": ("opus",),
    ".m4a": ("aac", "alac"),
}
"""How the names of codecs begin whose sound a kind of file can hold."""


def set_tags(
    path: Path, target: Path, tags: Mapping[str, str | None], chapters: Sequence[Chapter] | None
) -> ChangedSound:
    """Write a sound with other tags and chapters, its samples and its cover as they are.

    Args:
        path: of the sound.
        target: where the result goes, in the format of the sound.
        tags: None leaves one, empty takes it out.
        chapters: None leaves them.

    Raises:
        Problem: nothing is given, the target is of another format or has no chapters, or a chapter is out of place.
    """
    cleaned_tags = {name: " ".join(text.split()) for name, text in tags.items() if text is not None}
    if not cleaned_tags and chapters is None:
        raise Problem(f"there is nothing to set; give chapters or at least one of {', '.join(tags)}")
    if chapters and target.suffix.lower() not in WITH_CHAPTERS:
        raise Problem(
            f"{target.name!r} cannot store chapters; convert to {', '.join(WITH_CHAPTERS)} with convert_audio"
        )
    return write_in_process(
        _set_tags,
        target,
        [path],
        path,
        cleaned_tags,
        None if chapters is None else tuple(chapters),
        dropped={"chapters", "tags"},
    )


def _set_tags(
    draft: Path, suffix: str, path: Path, tags: dict[str, str], chapters: tuple[Chapter, ...] | None
) -> tuple[float, Form, str]:
    import av

    form, seconds = form_of(path), seconds_of(path)
    with path.open("rb") as file, open_container(file, path) as source:
        track = sound_track(source, path)
        codec = track.codec_context.name
        if not codec.startswith(_CODECS[suffix]):
            raise Problem(f"{path.name!r} contains {codec}, which {suffix} cannot store; use convert_audio first")
        labels = relabel_sound(labels_in(source, track), tags, chapters, seconds)
        with av.open(str(draft), "w", format=KINDS[suffix]) as container:
            write_labels(container, labels, suffix)
            _copy_streams(source, container, [track, *_list_covers(source, suffix)])
    return seconds, form, str(labels)


def _list_covers(source: Any, suffix: str) -> list[Any]:
    """Pictures that belong to a sound, where the kind of file keeps them."""
    if suffix not in (".mp3", ".m4a", ".flac"):
        return []
    return [track for track in source.streams.video if is_cover(track)]


def _copy_streams(source: Any, container: Any, streams: list[Any]) -> None:
    copies = {}
    for stream in streams:
        copy = container.add_stream_from_template(stream)
        copy.disposition = stream.disposition
        copies[stream.index] = copy
    for packet in source.demux(streams):
        if packet.size:
            packet.stream = copies[packet.stream_index]
            container.mux(packet)
