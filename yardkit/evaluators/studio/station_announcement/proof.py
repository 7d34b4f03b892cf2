"""Solutions and near misses of studio/station_announcement."""

import re
from pathlib import Path

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf
from yardkit.evaluators.readers.media.sounds import decode_sound, find_in
from yardkit.evaluators.solving.solver import find_paths, read_full_text
from yardkit.evaluators.sound_files import save_sound

MIX, DRAFTS = "announcement.wav", "drafts"
NUMBERS = {"ten": "10", "twenty": "20", "forty": "40", "two": "2", "five": "5", "seven": "7", "nine": "9"}


def solve(agent: Agent) -> str:
    """Choose the takes by what is said, mix, listen, and mix softer music until each word is understood."""
    lines, seconds = _read_sheet(agent)
    takes = _choose_takes(agent, lines)
    for music_lufs in (-14, -22):
        begins_s = _mix_announcement(agent, takes, seconds, music_lufs, duck_db=13)
        if _is_right(agent, lines, begins_s):
            break
    agent.call("delete_path", path=DRAFTS, recursive=True)
    return "The announcement is ready."


def alternative_with_less_music_and_longer_pauses(agent: Agent, files: Path) -> str:
    """The voice begins later, pauses are longer, the music is soft all the time; saved by another program."""
    lines, seconds = _read_sheet(agent)
    _mix_announcement(agent, _choose_takes(agent, lines), seconds, -25, duck_db=9, first_s=3.6, gap_s=1.0)
    agent.call("draw_sound", path=MIX, target=f"{DRAFTS}/look.png", kind="spectrogram")
    agent.call("delete_path", path=DRAFTS, recursive=True)
    sound = decode_sound(files / MIX)
    save_sound(files / MIX, sound.samples, sound.sample_rate_hz, tags={"title": "Delay"})
    return "Done"


def alternative_with_music_that_begins_late_and_elsewhere(agent: Agent, files: Path) -> str:
    """Another part of the music, which comes in with the voice; the whole a little softer."""
    lines, seconds = _read_sheet(agent)
    _mix_announcement(agent, _choose_takes(agent, lines), seconds, -22, duck_db=14, music_s=2.5, from_s=7.3)
    agent.call("transcribe_speech", path=MIX, language="en")
    agent.call("delete_path", path=DRAFTS, recursive=True)
    sound = decode_sound(files / MIX)
    save_sound(files / MIX, sound.samples * 0.92, sound.sample_rate_hz)
    return "Done"


near_miss_never_listened = misses.never_inspected()
near_miss_louder_until_it_clips = misses.sound_changed(
    MIX, lambda sound: {"samples": (sound.samples * 6).clip(-1, 1)}, caught_by="levels"
)
near_miss_a_second_short = misses.sound_changed(
    MIX, lambda sound: {"samples": sound.samples[:-48_000]}, caught_by="length"
)
near_miss_take_deleted = misses.delete_file("takes/*.wav")


def _with_music(work: Solved, gain: float, start_s: float, end_s: float) -> None:
    """Add the music as it is, or take some away."""
    mix, music = decode_sound(work.files / MIX), decode_sound(work.files / "music.flac")
    samples = mix.samples.copy()
    span = slice(round(start_s * 48_000), round(end_s * 48_000))
    samples[span] += gain * music.samples[span]
    save_sound(work.files / MIX, samples, 48_000)


@caught_by_leaf("ducked")
def near_miss_music_as_loud_as_the_voice(work: Solved) -> None:
    _with_music(work, 0.3, 1.5, work.facts["seconds"] - 2)


@caught_by_leaf("fades")
def near_miss_music_that_ends_at_once(work: Solved) -> None:
    _with_music(work, 0.3, work.facts["seconds"] - 3, work.facts["seconds"])


@caught_by_leaf("swells")
def near_miss_music_that_does_not_come_up(work: Solved) -> None:
    mix, last = decode_sound(work.files / MIX), decode_sound(work.files / work.facts["takes"][-1]).heard
    samples = mix.samples.copy()
    samples[round((find_in(mix, last).offset_s + last.duration_s + 0.5) * 48_000) :] *= 0.1
    save_sound(work.files / MIX, samples, 48_000)


@caught_by_leaf("gong")
def near_miss_gong_left_out(work: Solved) -> None:
    samples = decode_sound(work.files / MIX).samples.copy()
    samples[:50_000] = 0
    save_sound(work.files / MIX, samples, 48_000)


@caught_by_leaf("said")
def near_miss_take_with_another_platform(work: Solved) -> None:
    _replace_take(work, work.facts["takes"][2], work.facts["others"][1])


def _replace_take(work: Solved, old: str, new: str) -> None:
    """Where one take was heard, the music stops and another one is heard."""
    mix, old_take = decode_sound(work.files / MIX), decode_sound(work.files / old).heard
    new_take = decode_sound(work.files / new).heard
    start = round(find_in(mix, old_take).offset_s * 48_000)
    samples = mix.samples.copy()
    samples[start : start + round(old_take.duration_s * 48_000)] = 0
    voice = new_take.mono.repeat(3)[:, None] * 4
    samples[start : start + len(voice)] += voice
    save_sound(work.files / MIX, samples, 48_000)


def _read_sheet(agent: Agent) -> tuple[list[str], int]:
    """The lines, and how long the announcement lasts."""
    text = read_full_text(agent, "sheet.md")
    return re.findall(r"(?m)^\d\. (.+)$", text), int(re.findall(r"exactly (\d+) seconds", text)[0])


def _choose_takes(agent: Agent, lines: list[str]) -> list[str]:
    """The take of each line, by what is said in it."""
    paths = find_paths(agent, "takes", ".wav")
    agent.call("join_audio", paths=paths, target=f"{DRAFTS}/takes.wav", gap_s=1)
    text = agent.call("transcribe_speech", path=f"{DRAFTS}/takes.wav", language="en")["text"]
    sentence_words = [_list_words(sentence) for sentence in re.findall(r"[^.!?]+[.!?]", text)]
    return [paths[sentence_words.index(_list_words(line))] for line in lines]


def _list_words(text: str) -> list[str]:
    return [NUMBERS.get(word, word) for word in re.findall(r"[a-z]+|\d+", text.lower())]


def _mix_announcement(
    agent: Agent,
    takes: list[str],
    seconds: int,
    music_lufs: float,
    *,
    duck_db: float,
    first_s: float = 2.8,
    gap_s: float = 0.6,
    music_s: float = 1.1,
    from_s: float = 0.0,
) -> list[float]:
    """The announcement, with the music so loud before it steps back; when the lines begin."""

    def draft(name: str) -> str:
        return f"{DRAFTS}/{name}.wav"

    trimmed = [draft(Path(take).stem) for take in takes]
    for take, path in zip(takes, trimmed, strict=True):
        agent.call("trim_silence", path=take, target=path, below_dbfs=-50, keep_s=0.05)
    joined = agent.call("join_audio", paths=trimmed, target=draft("lines"), gap_s=gap_s)
    agent.call("normalize_loudness", path=draft("lines"), target=draft("voice"), loudness_lufs=-18, true_peak_dbtp=-2)
    end_s = from_s + seconds - music_s
    agent.call("clip_audio", path="music.flac", target=draft("part"), start_s=from_s, end_s=end_s)
    agent.call("normalize_loudness", path=draft("part"), target=draft("level"), loudness_lufs=music_lufs)
    agent.call("fade_audio", path=draft("level"), target=draft("music"), fade_in_s=0.5, fade_out_s=2)
    voice = {"path": draft("voice"), "start_s": first_s}
    music = {"path": draft("music"), "start_s": music_s, "duck_db": duck_db}
    agent.call("mix_audio", tracks=[voice, music, {"path": "gong.wav"}], target=draft("mix"))
    agent.call("normalize_loudness", path=draft("mix"), target=MIX, loudness_lufs=-18, true_peak_dbtp=-1.2)
    return [first_s + float(at) for at in re.findall(r"at ([\d.]+) s", joined["note"])]


def _is_right(agent: Agent, lines: list[str], begins_s: list[float]) -> bool:
    """Whether all words are heard, and the music between two lines is far softer than the lines."""
    heard = _list_words(agent.call("transcribe_speech", path=MIX, language="en")["text"])
    agent.call("draw_sound", path=MIX, target=f"{DRAFTS}/mix.png", kind="spectrogram")
    info = agent.call("get_audio_info", path=MIX)["levels"]
    levels = []
    for start_s, end_s in ((begins_s[1] - 0.45, begins_s[1] - 0.1), (begins_s[1] + 0.2, begins_s[2] - 0.7)):
        agent.call("clip_audio", path=MIX, target=f"{DRAFTS}/part.wav", start_s=start_s, end_s=end_s)
        levels.append(agent.call("get_audio_info", path=f"{DRAFTS}/part.wav")["levels"]["rms_dbfs"])
    loud = abs(info["loudness_lufs"] + 18) < 0.8 and info["true_peak_dbtp"] < -1
    return set(_list_words(" ".join(lines))) <= set(heard) and levels[1] - levels[0] > 13 and bool(loud)
