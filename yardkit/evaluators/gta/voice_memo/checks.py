"""The memo is cut out and cleaned without harm to the voice, and the minutes hold what stands in the end."""

import itertools
import re
from difflib import SequenceMatcher

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.gta.voice_memo.sections import points_below
from yardkit.evaluators.readers.answers import find_numbers, simplify_text
from yardkit.evaluators.readers.media.sounds import Place, Sound, find_in, read_sound, rms_dbfs
from yardkit.evaluators.submission import Submission

MEMO, CLEAN, MINUTES = "memo.wav", "memo_clean.wav", "minutes.docx"
_HEADINGS = [(1, "Decisions"), (1, "Postponed"), (1, "Transcript")]
SOUND = leaves.sound_targets(CLEAN, "length", "part", "speed", "noise", "channels")
PAPER = (f"file:{MINUTES}", f"body:{MINUTES}", f"paragraphs:{MINUTES}*", f"rows:{MINUTES}*")
_NEAR_S, _EDGE_S, _LEAST_LIKENESS, _SOFTER_DB, _WORDS = 0.06, 0.08, 0.75, 8.0, 0.88
_DAY = re.compile(r"\d+ \w+ 2026")
_COUNTED = re.compile(r"\d.*|hundred|thousand|and|.*(?:th|ty|one|two|four|six|eight|nine|second)")
"""Words for numbers, and few others: some write them, some write figures."""


def _read_recordings(submission: Submission) -> tuple[Sound, Sound, Place]:
    """The recording, what is delivered, and where in the recording that stands."""
    memo, clean = read_sound(submission.untouched, MEMO), read_sound(submission, CLEAN)
    return memo, clean, find_in(memo, clean)


def _check_passage(submission: Submission, facts: Facts) -> Finding:
    """It begins in the pause before the first sentence and ends in the one after the last."""
    _, _, place = _read_recordings(submission)
    first, last = facts["sentences"][0][0], facts["sentences"][-1][1]
    starts = facts["before_s"] - _NEAR_S <= place.offset_s <= first + _NEAR_S
    ends = last - _NEAR_S <= place.end_s <= facts["after_s"] + _NEAR_S
    evidence = (
        f"{place.offset_s:.2f} to {place.end_s:.2f} s, for {first:.2f} to {last:.2f}; alike by {place.similarity:.2f}"
    )
    return make_finding(starts and ends and place.similarity > _LEAST_LIKENESS, evidence)


def _measure_clearness(sound: Sound, facts: Facts, begin_s: float) -> float:
    """How much louder the sentences are than the pauses between them, in decibels."""
    spoken = facts["sentences"]
    pauses = [(sentence_span[1] + _EDGE_S, other[0] - _EDGE_S) for sentence_span, other in itertools.pairwise(spoken)]
    levels = [
        sum(rms_dbfs(sound.part(start - begin_s, end - begin_s).samples) for start, end in spans) / len(spans)
        for spans in (spoken, pauses)
    ]
    return levels[0] - levels[1]


def _check_noise(submission: Submission, facts: Facts) -> Finding:
    memo, clean, place = _read_recordings(submission)
    before, after = _measure_clearness(memo, facts, 0.0), _measure_clearness(clean, facts, place.offset_s)
    return make_finding(
        after >= before + _SOFTER_DB, f"the voice is {after:.0f} dB above the pauses, before {before:.0f} dB"
    )


def _check_voice(submission: Submission, facts: Facts) -> Finding:
    """Each sentence of the recording is heard at its time."""
    memo, clean, place = _read_recordings(submission)
    wrong = []
    for start, end in facts["sentences"]:
        near = clean.part(start - place.offset_s - 0.2, end - place.offset_s + 0.2)
        sentence_match = find_in(near, memo.part(start, end))
        wrong += (
            [] if sentence_match.similarity > _LEAST_LIKENESS else [f"{start:.1f} s: {sentence_match.similarity:.2f}"]
        )
    return make_finding(not wrong, f"sentences that are lost or harmed: {wrong or 'none'}")


def _check_decisions(of: int) -> Check:
    """Each decision has one point and there is no other: with its amount (1) and no other one, or with its day (2)."""

    def check(submission: Submission, facts: Facts) -> Finding:
        points, wrong = points_below(submission, MINUTES, "Decisions"), []
        for decision in facts["decisions"]:
            own = [point for point in points if decision[0] in point]
            amounts = [find_numbers(_DAY.sub("", point)) for point in own]
            right = simplify_text(decision[2]) in own[0] if own and of == 2 else amounts == [[decision[1]]]
            wrong += [] if len(own) == 1 and right else [f"{decision[0]}: {own}, expected {decision[of]}"]
        return make_finding(
            not wrong and len(points) == len(facts["decisions"]), f"{len(points)} points; wrong: {wrong}"
        )

    return check


def _check_postponed(submission: Submission, facts: Facts) -> Finding:
    text = " ".join(points_below(submission, MINUTES, "Postponed"))
    named = [
        topic for topic in (facts["postponed"], *(decision[0] for decision in facts["decisions"])) if topic in text
    ]
    return make_finding(named == [facts["postponed"]], f"postponed: {named}, expected {facts['postponed']}")


def _list_bare_words(text: str) -> list[str]:
    return [word for word in re.findall(r"[a-z0-9]+", text.lower()) if not _COUNTED.fullmatch(word)]


def _check_transcript(submission: Submission, facts: Facts) -> Finding:
    """The words in their order, numbers aside, but for what is misheard here and there."""
    expected_words, written = (
        _list_bare_words(facts["transcript"]),
        _list_bare_words(" ".join(points_below(submission, MINUTES, "Transcript"))),
    )
    similarity = SequenceMatcher(None, expected_words, written, autojunk=False).ratio()
    return make_finding(
        similarity >= _WORDS, f"{len(written)} words for {len(expected_words)}, alike by {similarity:.2f}"
    )


CHECKS = make_group(
    "voice_memo",
    "The memo can be kept, and its minutes be sent",
    make_group(
        "sound",
        "The sound is the memo, cleaned",
        make_checkpoint("passage", "It holds the memo and no private word", _check_passage, covers=SOUND, weight=2),
        make_checkpoint("quiet", "The street is much softer", _check_noise, covers=SOUND, weight=2),
        make_checkpoint("voice", "The voice is as it was", _check_voice, covers=SOUND),
        leaves.sound_form("format", "It is a WAV file in one channel", CLEAN, "pcm_s16le", None, 1, weight=0.5),
        weight=3,
    ),
    make_group(
        "minutes",
        "The minutes are right",
        leaves.check_headings("headings", "They have the headings", MINUTES, lambda _: _HEADINGS),
        make_checkpoint(
            "amounts", "Each decision has its amount in the end", _check_decisions(1), covers=PAPER, weight=2
        ),
        make_checkpoint("days", "Each has its last day", _check_decisions(2), covers=PAPER, weight=2),
        make_checkpoint("postponed", "Open points are postponed", _check_postponed, covers=PAPER),
        make_checkpoint("transcript", "The spoken text is transcribed", _check_transcript, covers=PAPER, weight=2),
        weight=4,
    ),
    leaves.answer_number("The answer is the sum", lambda facts: facts["sum"]),
    leaves.drafts_open(),
    leaves.nothing_else(CLEAN, MINUTES, "generated/"),
)
