"""Solutions and near misses of studio/podcast_episode."""

import re
from pathlib import Path

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf
from yardkit.evaluators.readers.media.sounds import Chapter, decode_sound, find_in
from yardkit.evaluators.solving.solver import hear_words, read_full_text
from yardkit.evaluators.sound_files import save_again

EPISODE, DRAFTS = "episode.mp3", "drafts"


def solve(agent: Agent) -> str:
    """Clean, cut, level each track, join, level the whole, set the chapters where questions begin; measure, repair."""
    sheet = read_full_text(agent, "show_sheet.md")
    _cut_interview(agent)
    outro_s = _join_tracks(agent)
    for ceiling_dbtp in (-1.1, -1.8, -2.6):
        _normalize_level(agent, "drafts/all.wav", "drafts/level.mp3", -16, ceiling_dbtp)
        _add_labels(agent, sheet, "drafts/level.mp3", outro_s)
        levels = agent.call("get_audio_info", path=EPISODE)["levels"]
        if levels["true_peak_dbtp"] <= -1 and abs(levels["loudness_lufs"] + 16) < 0.4:
            break
    agent.call("draw_sound", path=EPISODE, target="drafts/episode.png", kind="spectrogram")
    agent.call("delete_path", path=DRAFTS, recursive=True)
    return "The episode is ready."


def alternative_packed_by_another_encoder(agent: Agent, files: Path) -> str:
    """The same at 256 kbit/s, with a year and a comment."""
    answer = solve(agent)
    sound = decode_sound(files / EPISODE)
    save_again(files / EPISODE, sound, tags={**sound.tags, "date": "2026", "comment": "made by hand"}, bitrate_kbps=256)
    return answer


def alternative_with_short_pauses_and_early_chapters(agent: Agent, files: Path) -> str:
    """All pauses are cut to 0.7 s, chapters begin a little earlier, and the whole is half a decibel softer."""
    sheet = read_full_text(agent, "show_sheet.md")
    _cut_interview(agent, longest_pause_s=0.7)
    outro_s = _join_tracks(agent, gap_s=0.3)
    _normalize_level(agent, "drafts/all.wav", "drafts/level.mp3", -16.2, -2)
    _add_labels(agent, sheet, "drafts/level.mp3", outro_s, early_s=0.6)
    agent.call("find_silence", path=EPISODE)
    agent.call("delete_path", path=DRAFTS, recursive=True)
    sound = decode_sound(files / EPISODE)
    save_again(files / EPISODE, sound, sound.samples * 0.99, bitrate_kbps=320)
    return "Done"


near_miss_never_listened = misses.never_inspected()
near_miss_too_soft = misses.sound_changed(EPISODE, lambda sound: {"samples": sound.samples * 0.9}, caught_by="levels")
near_miss_no_artist = misses.sound_changed(
    EPISODE, lambda sound: {"tags": {"title": sound.tags["title"]}}, caught_by="tags"
)
near_miss_track_deleted = misses.delete_file("outro.wav")


@caught_by_leaf("chapters")
def near_miss_chapters_of_the_uncut_recording(work: Solved) -> None:
    sound = decode_sound(work.files / EPISODE)
    later = [
        Chapter(chapter.start_s + 5 * (number > 1), chapter.end_s, chapter.title)
        for number, chapter in enumerate(sound.chapters)
    ]
    save_again(work.files / EPISODE, sound, chapters=later)


@caught_by_leaf("cut")
def near_miss_slip_left_in(work: Solved) -> None:
    _with_piece(work, *work.facts["cut"][0][1:])


@caught_by_leaf("clean")
def near_miss_hum_left_below_the_words(work: Solved) -> None:
    import numpy as np

    sound = decode_sound(work.files / EPISODE)
    hum = 0.012 * np.sin(2 * np.pi * 50 * np.arange(len(sound.samples)) / sound.sample_rate_hz)
    save_again(work.files / EPISODE, sound, sound.samples + hum[:, None])


@caught_by_leaf("pauses")
def near_miss_long_pause_left(work: Solved) -> None:
    _with_piece(work, 0, 0, silence_s=3.0)


@caught_by_leaf("balance")
def near_miss_jingle_far_louder_than_the_voices(work: Solved) -> None:
    sound = decode_sound(work.files / EPISODE)
    samples = sound.samples.copy()
    samples[: 4 * sound.sample_rate_hz] *= 1.8
    save_again(work.files / EPISODE, sound, samples)


def _with_piece(work: Solved, start_s: float, end_s: float, silence_s: float = 0.0) -> None:
    """Put a piece of the raw interview, or silence, behind its first sentence."""
    import numpy as np
    import scipy.signal

    sound, raw = decode_sound(work.files / EPISODE), decode_sound(work.files / "interview.wav")
    first = raw.part(*work.facts["kept"][0][1:])
    at = round((find_in(sound, first).offset_s + first.duration_s + 0.2) * sound.sample_rate_hz)
    piece = scipy.signal.resample_poly(raw.part(start_s, end_s).samples, 147, 80) if end_s else np.zeros((0, 1))
    piece = np.concatenate([piece, np.zeros((round(silence_s * sound.sample_rate_hz), 1))])
    samples = np.concatenate([sound.samples[:at], np.repeat(piece, 2, axis=1) * 2, sound.samples[at:]])
    save_again(work.files / EPISODE, sound, samples)


def _cut_interview(agent: Agent, longest_pause_s: float = 1.4) -> None:
    """The interview without noise, slip and long pauses: drafts/interview.wav."""
    agent.call("remove_noise", path="interview.wav", target="drafts/clean.wav")
    words = hear_words(agent, "drafts/clean.wav")
    silences = agent.call("find_silence", path="drafts/clean.wav", below_dbfs=-42, at_least_s=0.35)["silences"]
    bare = [_strip_word(word) for _, word in words]
    begins = [number for number in range(len(words)) if not number or words[number - 1][1][-1] in ".!?"]
    slip_number = next(number for number in range(len(words)) if bare[number : number + 2] == ["cut", "that"])
    slip = [number for number in begins if number <= slip_number][-2]
    goes_on = next(number for number in begins if number > bare.index("again", slip_number))
    before, follows = (min(silences, key=lambda pause: abs(pause["end_s"] - words[at][0])) for at in (slip, goes_on))
    agent.call("clip_audio", path="drafts/clean.wav", target="drafts/a.wav", end_s=before["start_s"] + 0.3)
    agent.call("clip_audio", path="drafts/clean.wav", target="drafts/b.wav", start_s=follows["end_s"] - 0.3)
    agent.call("join_audio", paths=["drafts/a.wav", "drafts/b.wav"], target="drafts/cut.wav")
    quiet = {"below_dbfs": -40, "keep_s": 0.3, "longest_pause_s": longest_pause_s}
    agent.call("trim_silence", path="drafts/cut.wav", target="drafts/interview.wav", **quiet)


def _join_tracks(agent: Agent, gap_s: float = 0.0) -> float:
    """All tracks at one level, one after the other: drafts/all.wav; when the outro begins."""
    tracks = {"jingle.wav": "j.wav", "drafts/interview.wav": "i.wav", "outro.wav": "o.wav"}
    for track, name in tracks.items():
        _normalize_level(agent, track, f"{DRAFTS}/{name}", -18, -2)
    paths = [f"{DRAFTS}/{name}" for name in tracks.values()]
    joined = agent.call("join_audio", paths=paths, target="drafts/joined.wav", gap_s=gap_s)
    agent.call("convert_audio", path="drafts/joined.wav", target="drafts/all.wav", sample_rate_hz=44_100)
    return float(re.findall(r"at ([\d.]+) s", joined["note"])[-1])


def _normalize_level(agent: Agent, path: str, target: str, lufs: float, peak_dbtp: float) -> None:
    agent.call("normalize_loudness", path=path, target=target, loudness_lufs=lufs, true_peak_dbtp=peak_dbtp)


def _add_labels(agent: Agent, sheet: str, path: str, outro_s: float, early_s: float = 0.25) -> None:
    """Set the chapters where their questions are heard, and the tags."""
    words = hear_words(agent, path)
    text = " ".join(_strip_word(word) for _, word in words)
    starts = {"Opening": 0.0, "Goodbye": outro_s}
    for title, question in re.findall(r"\| ([^|]+) \| ([^|]+) \.\.\. \|", sheet):
        starts[title] = words[text.partition(question.lower())[0].count(" ")][0] - early_s
    ordered = sorted((start_s, title) for title, start_s in starts.items())
    chapters = [{"start_s": start_s, "title": title} for start_s, title in ordered]
    title, artist, album = re.findall(r'(?:title|artist|album) "([^"]+)"', sheet)
    agent.call("set_audio_tags", path=path, target=EPISODE, chapters=chapters, title=title, artist=artist, album=album)


def _strip_word(word: str) -> str:
    return re.sub(r"[^a-z0-9]", "", word.lower())
