"""The form, the letter and the spoken reply say what the caller said in the end."""

import re

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, finding, group, leaf
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.calls import heard_in
from yardkit.evaluators.readers.media import sounds
from yardkit.evaluators.readers.media.sounds import read_sound
from yardkit.evaluators.readers.pages.pdf import read_pdf
from yardkit.evaluators.submission import Submission

FORM, LETTER, REPLY = "claim.pdf", "reply.docx", "reply.wav"
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
WHO, WHAT = ("order_number", "customer", "item"), ("pieces", "wish", "amount", "call_on")


def _fields(*names: str) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        blanks = read_pdf(submission, FORM).blanks
        found = {name: fold(blanks[name].value) if name in blanks and blanks[name].shown else None for name in names}
        wanted = {name: fold(facts["form"][name]) for name in names}
        return finding(found == wanted, f"the form says {found}, expected {wanted}")

    return check


def _form_kept(submission: Submission, _facts: Facts) -> Finding:
    old, new = read_pdf(submission.untouched, "claim_form.pdf"), read_pdf(submission, FORM)
    kinds = [{name: blank.kind for name, blank in read.blanks.items()} for read in (old, new)]
    printed = [word.text for page in old.pages for word in page.words]
    now = [word.text for page in new.pages for word in page.words]
    same = [page.rotation for page in old.pages] == [page.rotation for page in new.pages]
    return finding(kinds[0] == kinds[1] and same and set(printed) <= set(now), f"fields {kinds[1]}, words {now[:30]}")


def _words(text: str) -> list[str]:
    words = re.findall(r"[a-z]+|\d", text.lower())
    return [str(DIGITS.index(word)) if word in DIGITS else word for word in words]


def _spoken(submission: Submission, facts: Facts) -> Finding:
    """By the ledger's transcript of the delivered sound: of one that is as long."""
    told, form = heard_in(submission, REPLY), facts["form"]
    seconds = [float(number) for number in re.findall(r"([\d.]+) s of sound", told)]
    same = any(abs(number - read_sound(submission, REPLY).duration_s) < 0.15 for number in seconds)
    said = " ".join(_words(told))
    wanted = [" ".join(form["order_number"]), f"{form['pieces']} ", form["item"], facts["weekday"].lower()]
    never = [" ".join(facts["wrong"]), fold(form["customer"].split()[-1])]
    lacking = [text for text in wanted if text not in f"{said} "]
    holds = same and not lacking and not any(text in said for text in never)
    return finding(holds, f"of {seconds} s was heard {said[:300]!r}; missing {lacking}")


def _speech(submission: Submission, _facts: Facts) -> Finding:
    reply = read_sound(submission, REPLY)
    pauses = sounds.find_silences(reply.heard, -50, 1.55)
    noise = sounds.noise_floor_dbfs(reply, 0.03)
    holds = 4 < reply.duration_s < 20 and not pauses and noise < -48
    return finding(holds, f"{reply.duration_s:.1f} s, long pauses {pauses}, noise {noise:.1f} dBFS")


def _letter_says(facts: Facts) -> list[str]:
    form = facts["form"]
    paid = [f"EUR {form['amount']}"] if facts["refund"] else []
    return [form["customer"], form["order_number"], f"{form['pieces']} {form['item']}", facts["day"], *paid]


SOUND = leaves.sound_targets(REPLY, "length", "part", "speed", "noise")
CHECKS = group(
    "voice_mail",
    "The message is handled",
    group(
        "form",
        "The form is filled in",
        leaf("order", "It names the order that she meant", _fields(*WHO), observes=(f"fields:{FORM}",), weight=2),
        leaf("claim", "It states the damage and the request", _fields(*WHAT), observes=(f"fields:{FORM}",), weight=2),
        leaf("form_kept", "It is still the form", _form_kept, observes=(f"pages:{FORM}",), weight=0.5),
        weight=3,
    ),
    leaves.says(
        "letter",
        "The letter says it, and names no other order",
        LETTER,
        _letter_says,
        never=lambda facts: [facts["wrong"]],
        weight=2,
    ),
    group(
        "reply",
        "The reply is spoken",
        leaf(
            "spoken", "The repeated announcement is right", _spoken, observes=("calls", *SOUND), kind="tool", weight=2
        ),
        leaf("speech", "It is short, without holes and noise", _speech, observes=SOUND),
        leaves.sound_form("format", "It is a WAV in one channel", REPLY, "pcm_s16le", None, 1, weight=0.5),
        leaves.sound_levels("loud", "It is as loud as the other messages", REPLY, -18, 1),
        weight=3,
    ),
    leaves.inspected("Form, letter and reply were checked as they are", FORM, LETTER, REPLY),
    leaves.nothing_else(FORM, LETTER, REPLY),
)
