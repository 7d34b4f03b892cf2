"""The form, the letter and the spoken reply say what the caller said in the end."""

import re

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.calls import heard_in
from yardkit.evaluators.readers.media import sounds
from yardkit.evaluators.readers.media.sounds import read_sound
from yardkit.evaluators.readers.pages.pdf import read_pdf
from yardkit.evaluators.submission import Submission

FORM, LETTER, REPLY = "claim.pdf", "reply.docx", "reply.wav"
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
WHO, WHAT = ("order_number", "customer", "item"), ("pieces", "wish", "amount", "call_on")


def _check_fields(*names: str) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        blanks = {name: blank for name, blank in read_pdf(submission, FORM).blanks.items() if blank.visible}
        field_values = {name: simplify_text(blanks[name].value) if name in blanks else None for name in names}
        expected_values = {name: simplify_text(facts["form"][name]) for name in names}
        return make_finding(
            field_values == expected_values, f"the form says {field_values}, expected {expected_values}"
        )

    return check


def _check_form_unchanged(submission: Submission, _facts: Facts) -> Finding:
    old, new = read_pdf(submission.untouched, "claim_form.pdf"), read_pdf(submission, FORM)
    kinds = [{name: blank.kind for name, blank in read.blanks.items()} for read in (old, new)]
    printed = [word.text for page in old.pages for word in page.words]
    now = [word.text for page in new.pages for word in page.words]
    same = [page.rotation for page in old.pages] == [page.rotation for page in new.pages]
    return make_finding(
        kinds[0] == kinds[1] and same and set(printed) <= set(now), f"fields {kinds[1]}, words {now[:30]}"
    )


def _list_words(text: str) -> list[str]:
    words = re.findall(r"[a-z]+|\d", text.lower())
    return [str(DIGITS.index(word)) if word in DIGITS else word for word in words]


def _check_spoken(submission: Submission, facts: Facts) -> Finding:
    """By the ledger's transcript of the delivered sound: of one that is as long."""
    transcript, form = heard_in(submission, REPLY), facts["form"]
    seconds = [float(number) for number in re.findall(r"([\d.]+) s of sound", transcript)]
    same = any(abs(number - read_sound(submission, REPLY).duration_s) < 0.15 for number in seconds)
    spoken_text = " ".join(_list_words(transcript))
    expected_texts = [" ".join(form["order_number"]), f"{form['pieces']} ", form["item"], facts["weekday"].lower()]
    never = [" ".join(facts["wrong"]), simplify_text(form["customer"].split()[-1])]
    missing_texts = [text for text in expected_texts if text not in f"{spoken_text} "]
    holds = same and not missing_texts and not any(text in spoken_text for text in never)
    return make_finding(holds, f"of {seconds} s was heard {spoken_text[:300]!r}; missing {missing_texts}")


def _check_speech(submission: Submission, _facts: Facts) -> Finding:
    reply = read_sound(submission, REPLY)
    pauses = sounds.find_silences(reply.heard, -50, 1.55)
    noise = sounds.noise_floor_dbfs(reply, 0.03)
    holds = 4 < reply.duration_s < 20 and not pauses and noise < -48
    return make_finding(holds, f"{reply.duration_s:.1f} s, long pauses {pauses}, noise {noise:.1f} dBFS")


def _list_letter_texts(facts: Facts) -> list[str]:
    form = facts["form"]
    paid = [f"EUR {form['amount']}"] if facts["refund"] else []
    return [form["customer"], form["order_number"], f"{form['pieces']} {form['item']}", facts["day"], *paid]


SOUND = leaves.sound_targets(REPLY, "length", "part", "speed", "noise")
CHECKS = make_group(
    "voice_mail",
    "The message is handled",
    make_group(
        "form",
        "The form is filled in",
        make_checkpoint(
            "order", "It names the order that she meant", _check_fields(*WHO), covers=(f"fields:{FORM}",), weight=2
        ),
        make_checkpoint(
            "claim",
            "It states the damage and the request",
            _check_fields(*WHAT),
            covers=(f"fields:{FORM}",),
            weight=2,
        ),
        make_checkpoint(
            "form_kept", "It is still the form", _check_form_unchanged, covers=(f"pages:{FORM}",), weight=0.5
        ),
        weight=3,
    ),
    leaves.check_texts(
        "letter",
        "The letter says it, and names no other order",
        LETTER,
        _list_letter_texts,
        never=lambda facts: [facts["wrong"]],
        weight=2,
    ),
    make_group(
        "reply",
        "The reply is spoken",
        make_checkpoint(
            "spoken",
            "The repeated announcement is right",
            _check_spoken,
            covers=("calls", *SOUND),
            kind="tool",
            weight=2,
        ),
        make_checkpoint("speech", "It is short, without holes and noise", _check_speech, covers=SOUND),
        leaves.sound_form("format", "It is a WAV in one channel", REPLY, "pcm_s16le", None, 1, weight=0.5),
        leaves.sound_levels("loud", "It is as loud as the other messages", REPLY, -18, 1),
        weight=3,
    ),
    leaves.check_inspected("Form, letter and reply were checked as they are", FORM, LETTER, REPLY),
    leaves.nothing_else(FORM, LETTER, REPLY),
)
