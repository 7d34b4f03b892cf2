"""A voice memo in the noise of a street: decisions with amounts and days, one amount corrected, private talk around."""

import datetime
import json
import math
import random
from pathlib import Path
from typing import Any

from yardkit.state_init import sounds
from yardkit.state_init.documents import Paper
from yardkit.state_init.names import make_people
from yardkit.state_init.speech import SAMPLE_RATE_HZ
from yardkit.world import World

TOPICS = ("hall", "robes", "piano", "flyers")
COSTS = (450, 600, 800, 950, 1200)
DAYS = ("04-10", "04-17", "05-08", "05-15", "06-05", "06-12")
BEFORE, AFTER = ("door", "cable"), ("keys", "lunch")
PAUSE_S, VOICE_DBFS = 2.0, -20
_VOICES = Path(__file__).parent / "voices"
_DAYS = Path(__file__).parent.parent / "sight" / "voices"


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Record the memo and write minutes as a pattern; the facts hold what stands in the end, and when it is said."""
    *decided, postponed = rng.sample(TOPICS, 4)
    costs, days = rng.sample(COSTS, 4), rng.sample(DAYS, 3)
    memo_sentences = [
        [topic, f"cost-{cost}", f"due-{day}"] for topic, cost, day in zip(decided, costs, days, strict=False)
    ]
    memo_sentences.insert(rng.randint(0, 3), [f"later-{postponed}"])
    wrong = rng.randrange(3)
    correction = [f"wrong-{decided[wrong]}", f"cost-{costs[3]}"]
    memo = ["opening", *(name for part in memo_sentences for name in part), *correction, "closing"]
    before, after = rng.choice(BEFORE), rng.choice(AFTER)
    times = _record_memo(world.files / "memo.wav", before, memo, after, rng)
    begin, end = (math.ceil(times[at][1] + 0.5) for at in (0, -2))
    _write_pattern(world, rng)
    right = [costs[3] if at == wrong else cost for at, cost in enumerate(costs[:3])]
    texts = json.loads((_VOICES / "sentences.json").read_text("utf-8"))
    return {
        "decisions": [[topic, cost, _format_day(day)] for topic, cost, day in zip(decided, right, days, strict=True)],
        "wrong": [decided[wrong], costs[wrong]], "postponed": postponed, "sum": sum(right), "wrong_sum": sum(costs[:3]),
        "sentences": times[1:-1], "before_s": times[0][1], "after_s": times[-1][0],
        "transcript": " ".join(texts[name] for name in memo), "workflow_category": "Planning & Decision",
        "prompt": {"begin": begin, "end": end, "topics": ", ".join(TOPICS)},
    }  # fmt: skip


def _format_day(day: str) -> str:
    date = datetime.date.fromisoformat(f"2026-{day}")
    return f"{date.day} {date:%B %Y}"


def _record_memo(path: Path, before: str, memo: list[str], after: str, rng: random.Random) -> list[tuple[float, float]]:
    """When each sentence is spoken, private ones too."""
    names = [before, *memo, after]
    pauses = [PAUSE_S, *(rng.uniform(0.5, 0.8) for _ in memo[1:]), PAUSE_S]
    parts: list[Path | float] = [rng.uniform(0.4, 1.2)]
    for name, pause in zip(names, [*pauses, rng.uniform(0.5, 1.0)], strict=True):
        parts += [(_DAYS if name.startswith("due-") else _VOICES) / f"{name}.wav", pause]
    speech, times = sounds.join_speech(parts, SAMPLE_RATE_HZ)
    length = len(speech) / SAMPLE_RATE_HZ
    noise = sounds.apply_gain(sounds.pink_noise(rng, length, SAMPLE_RATE_HZ), rng.uniform(-39, -36))
    noise = noise + sounds.apply_gain(sounds.make_hum(length, SAMPLE_RATE_HZ), rng.uniform(-38, -34))
    for start, end in ((round(at * SAMPLE_RATE_HZ) for at in time) for time in times):
        speech[start:end] = sounds.normalize_level(speech[start:end], VOICE_DBFS)
    sounds.save_sound(speech + noise[: len(speech)], path, SAMPLE_RATE_HZ)
    return times


def _write_pattern(world: World, rng: random.Random) -> None:
    paper = Paper(
        "Minutes of February", author=make_people(rng, 1)[0].name, now=world.now - datetime.timedelta(days=28)
    )
    for heading, point in (
        ("Decisions", f"piano: {rng.choice((90, 120))} euros, 27 February 2026"),
        ("Postponed", "robes"),
        ("Transcript", "This is the memo of the choir board. We have the piano tuned. That is all from the board."),
    ):
        paper.add_heading(heading)
        paper.add_bullets([point]) if heading == "Decisions" else paper.add_paragraph(point)
    paper.save(world.files / "minutes_february.docx")
