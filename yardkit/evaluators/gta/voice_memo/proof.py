"""Solutions and near misses of gta/voice_memo."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.misses.edits import make_miss
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.readers.media.sounds import decode_sound
from yardkit.evaluators.sound_files import save_again

CLEAN, MINUTES = "memo_clean.wav", "minutes.docx"
NUMBERS = {"four hundred and fifty": 450, "nine hundred and fifty": 950, "one thousand two hundred": 1200}
CLUES = {"hole": "hall", "haul": "hall", "rows": "robes", "ropes": "robes", "fliers": "flyers"}
"""What is misheard for words of the list of the board."""
ORDINALS = {"fifth": 5, "eighth": 8, "tenth": 10, "twelfth": 12, "fifteenth": 15, "seventeenth": 17}
Decision = tuple[str, int, str]


def solve(agent: Agent) -> str:
    """Listen, clean, cut at the marks, write."""
    transcript = _transcribe_memo(agent)
    decided, postponed = _parse_decisions(transcript, _list_topics(agent))
    begin, end = _read_marks(agent)
    cleaned = agent.text("NoiseReduction", audio="memo.wav")
    agent.text("AudioClipTool", audio=cleaned, start_time=begin, end_time=end, filename=CLEAN, output_dir=".")
    points = [f"- {topic}: {amount} euros, {day}" for topic, amount, day in decided]
    _write_minutes(agent, points, [postponed], transcript)
    total = agent.text("Calculator", expression=" + ".join(str(amount) for _, amount, _ in decided))
    return f"The memo is cleaned, the minutes are written. Decided are, in euros:\n{total}"


def alternative_cut_first_and_by_another_program(agent: Agent, files: Path) -> str:
    """Cut before it is cleaned, closer to the words, and levelled by another program; decisions in a table."""
    transcript = _transcribe_memo(agent)
    decided, postponed = _parse_decisions(transcript, _list_topics(agent))
    begin, end = _read_marks(agent)
    part = agent.text("AudioClipTool", audio="memo.wav", start_time=begin + 0.2, end_time=end - 0.2)
    sound = decode_sound(files / agent.text("NoiseReduction", audio=part))
    (files / CLEAN).write_bytes((files / part).read_bytes())
    save_again(files / CLEAN, sound, sound.samples * 1.3)
    rows = [f"| {topic} | EUR {amount:,} | {day} |" for topic, amount, day in decided[::-1]]
    _write_minutes(agent, [rows[0], "|---|---|---|", *rows[1:]], [f"We postpone: {postponed}."], transcript)
    return f"{sum(amount for _, amount, _ in decided):,} euros"


def alternative_minutes_saved_by_another_program(agent: Agent, files: Path) -> str:
    """The minutes have a title above, and are saved once more."""
    answer = solve(agent)
    with open_edited(files / MINUTES) as document:
        document.paragraphs[0].insert_paragraph_before("Choir board, March", style="Title")
    return answer


def _recut_memo(
    caught_by: str, first: int, begin: float, last: int, end: float, name: str = "generated/memo_denoised.wav"
) -> Any:
    """Another part of the recording: from a sentence on and up to another one, by seconds beside them."""

    def corrupt_world(work: Solved) -> None:
        spans = work.facts["sentences"]
        save_again(
            work.files / CLEAN, decode_sound(work.files / name).part(spans[first][0] + begin, spans[last][1] + end)
        )

    return make_miss(caught_by, corrupt_world)


near_miss_private_talk_before = _recut_memo("passage", 0, -2.9, -1, 0.5)
near_miss_last_word_cut = _recut_memo("passage", 0, -0.5, -1, -0.4)
near_miss_correction_cut_off = _recut_memo("voice", 0, -0.5, -4, 0.3)
near_miss_not_cleaned = _recut_memo("quiet", 0, -0.5, -1, 0.5, "memo.wav")
near_miss_sentence_silenced = misses.sound_changed(
    CLEAN, lambda sound: {"samples": _silence_part(sound.samples)}, caught_by="voice"
)
near_miss_amount_before_the_correction = misses.text_changed(
    MINUTES,
    lambda text, work: re.sub(rf"^({work.facts['wrong'][0]}): \d+", rf"\1: {work.facts['wrong'][1]}", text),
    caught_by="amounts",
)
near_miss_day_of_another_decision = misses.text_changed(
    MINUTES,
    lambda text, work: text.replace(work.facts["decisions"][0][2], work.facts["decisions"][1][2]),
    caught_by="days",
)
near_miss_another_topic_postponed = misses.text_changed(
    MINUTES,
    lambda text, work: work.facts["decisions"][0][0] if text == work.facts["postponed"] else text,
    caught_by="postponed",
)
near_miss_summary_instead_of_a_transcript = misses.text_changed(
    MINUTES,
    lambda text, _: "The board decided on three things." if text.startswith("This is") else text,
    caught_by="transcript",
)
near_miss_heading_by_hand = misses.style_lost(MINUTES, "Postponed", caught_by="headings")
near_miss_sum_before_the_correction = misses.change_answer(lambda work: work.facts["wrong_sum"])


def _silence_part(samples: Any) -> Any:
    changed, third = samples.copy(), len(samples) // 3
    changed[third : third + third // 3] = 0
    return changed


def _transcribe_memo(agent: Agent) -> str:
    """What is said from the first sentence of the memo to its last."""
    heard = " ".join(agent.text("SpeechToText", audio="memo.wav").split())
    return str(re.findall(r"[Tt]his is the memo.*from the board\.?", heard)[0])


def _parse_decisions(transcript: str, topics: Sequence[str]) -> tuple[list[Decision], str]:
    """What is decided in the end, and what is not."""
    amounts, days, postponed, topic = dict[str, int](), dict[str, str](), "", ""
    for sentence in re.split(r"(?<=[.!?,])\s+", transcript):
        words = [CLUES.get(word, word) for word in re.findall(r"[a-z]+", sentence.lower())]
        topic = next((word for word in words if word in topics), topic)
        if "next month" in sentence:
            postponed = topic
        if cost := re.search(r"costs? \W?([\d,.]+\d|[a-z ]+) euros?", sentence):
            amounts[topic] = NUMBERS.get(cost[1]) or int(re.sub(r"\D", "", cost[1]))
        if day := re.search(r"last day .*?(\w+) of (\w+)", sentence):
            days[topic] = f"{ORDINALS.get(day[1]) or re.sub(r'[^0-9]', '', day[1])} {day[2]} 2026"
    return [(topic, amounts[topic], days[topic]) for topic in amounts], postponed


def _list_topics(agent: Agent) -> list[str]:
    return str(re.findall(r"list \((.+?)\)", agent.prompt)[0]).split(", ")


def _read_marks(agent: Agent) -> tuple[float, float]:
    begin, end = re.findall(r"between second (\d+) and second (\d+)", agent.prompt)[0]
    return float(begin), float(end)


def _write_minutes(agent: Agent, decisions: Sequence[str], postponed: Sequence[str], transcript: str) -> None:
    names = re.findall(
        r"^(?:Decisions|Postponed|Transcript)$", agent.text("ReadDOCX", file="minutes_february.docx"), re.MULTILINE
    )
    parts = ("\n".join(decisions), "\n".join(postponed), transcript)
    content = "\n\n".join(f"# {name}\n\n{part}" for name, part in zip(names, parts, strict=True))
    agent.text("DocxFileGenerator", filename=MINUTES, content=content, output_dir=".")
