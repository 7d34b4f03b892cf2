"""The gong, the right lines in order, the music below them and up again, the length and the levels, by the samples."""

from itertools import pairwise

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.media import sounds
from yardkit.evaluators.readers.media.sounds import Place, Sound, find_in, read_sound, share_and_rest_dbfs
from yardkit.evaluators.submission import Submission

MIX = "announcement.wav"
LIKE, UNLIKE = 0.55, 0.45
"""How like a line is that is heard over the music, and another one at most."""
BELOW_DB, UNHEARD_DB, SWELL_DB = 12.0, 30.0, 6.0
SLACK_DB = 0.5


Line = tuple[Sound, Place]
"""A take, and where it is heard in the mix."""


def _locate_lines(submission: Submission, takes: list[str]) -> list[Line]:
    mix = read_sound(submission, MIX)
    recorded = [read_sound(submission.untouched, take).heard for take in takes]
    return [(take, find_in(mix, take)) for take in recorded]


def _check_lines(submission: Submission, facts: Facts) -> Finding:
    lines, others = _locate_lines(submission, facts["takes"]), _locate_lines(submission, facts["others"])
    likeness = [place.similarity for _, place in lines], [place.similarity for _, place in others]
    pauses = [after.offset_s - line.end_s for (_, line), (_, after) in pairwise(lines)]
    holds = min(likeness[0]) > LIKE and max(likeness[1]) < UNLIKE and all(0.2 < pause < 2.1 for pause in pauses)
    begins = lines[0][1].offset_s
    seen = ", ".join(f"{share:.2f}" for share in likeness[0]), ", ".join(f"{pause:.2f}" for pause in pauses)
    return make_finding(
        holds and 1.9 < begins < 5.1,
        f"likeness of the lines {seen[0]}, of others {max(likeness[1]):.2f}; pauses {seen[1]}; from {begins:.2f} s",
    )


def _check_gong(submission: Submission, _facts: Facts) -> Finding:
    place = find_in(read_sound(submission, MIX).part(0, 2.5), read_sound(submission.untouched, "gong.wav").part(0, 1.2))
    return make_finding(place.offset_s < 0.2 and place.similarity > 0.8, f"{place}; expected at the beginning, alone")


def _voices_and_music(submission: Submission, facts: Facts) -> list[tuple[float, float]]:
    """How loud each line is, and all that is heard with it."""
    mix = read_sound(submission, MIX)
    lines = _locate_lines(submission, facts["takes"])
    return [share_and_rest_dbfs(mix, take, place.offset_s) for take, place in lines]


def _check_ducking(submission: Submission, facts: Facts) -> Finding:
    below = [voice - music for voice, music in _voices_and_music(submission, facts)]
    holds = min(below) > BELOW_DB - SLACK_DB and max(below) < UNHEARD_DB + SLACK_DB
    return make_finding(holds, f"the other sounds are {', '.join(f'{gap:.1f}' for gap in below)} dB below the lines")


def _check_swell(submission: Submission, facts: Facts) -> Finding:
    mix, music = read_sound(submission, MIX), read_sound(submission.untouched, "music.flac")
    after = mix.part(_locate_lines(submission, facts["takes"])[-1][1].end_s + 0.9, facts["seconds"] - 1.9)
    up = sounds.rms_dbfs(after.narrow) - max(level for _, level in _voices_and_music(submission, facts))
    likeness = find_in(music, after).similarity if len(after.samples) else 0.0
    return make_finding(
        up > SWELL_DB - SLACK_DB and likeness > LIKE, f"up by {up:.1f} dB, like the music by {likeness:.2f}"
    )


def _check_fades(submission: Submission, _facts: Facts) -> Finding:
    mix = read_sound(submission, MIX)
    end = mix.duration_s
    spans = ((end - 2.6, end - 1.9), (end - 0.7, end - 0.3), (end - 0.06, end))
    before, late, last = (sounds.rms_dbfs(mix.part(*span).samples) for span in spans)
    return make_finding(last < -45 and late < before - 3 and before > -40, f"{before:.1f}, {late:.1f}, {last:.1f} dBFS")


CHECKS = make_group(
    "station_announcement",
    "The announcement sounds as the sheet wants it",
    make_group(
        "words",
        "The right takes are heard",
        make_checkpoint(
            "said",
            "The four lines are said once, in order, and no other",
            _check_lines,
            covers=leaves.sound_targets(MIX, "part", "length"),
            weight=3,
        ),
        make_checkpoint("gong", "The gong opens it", _check_gong, covers=leaves.sound_targets(MIX, "speed")),
        weight=3,
    ),
    make_group(
        "music",
        "The music steps back and comes up again",
        make_checkpoint(
            "ducked",
            "It is 12 to 30 dB below each line",
            _check_ducking,
            covers=leaves.sound_targets(MIX, "part"),
            weight=3,
        ),
        make_checkpoint(
            "swells",
            "It comes up again after the last word",
            _check_swell,
            covers=leaves.sound_targets(MIX, "length"),
            weight=2,
        ),
        make_checkpoint(
            "fades", "It fades away at the end", _check_fades, covers=leaves.sound_targets(MIX, "length", "noise")
        ),
        weight=3,
    ),
    make_group(
        "form",
        "The file has the requested format",
        leaves.sound_form("format", "It is a WAV of 48,000 Hz, heard on both sides", MIX, "pcm_s16le", 48_000, 2),
        leaves.sound_length("length", "It has the requested length", MIX, lambda facts: facts["seconds"], 0.051),
        leaves.sound_levels("levels", "Loudness and true peak are right", MIX, -18, 1, weight=2),
        weight=2,
    ),
    leaves.check_inspected("It was listened to as it is delivered", MIX),
    leaves.nothing_else(MIX),
)
