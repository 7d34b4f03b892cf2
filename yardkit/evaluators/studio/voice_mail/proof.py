"""Solutions and near misses of studio/voice_mail."""

import datetime
import re
from collections.abc import Mapping
from pathlib import Path

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf
from yardkit.evaluators.readers.media.sounds import decode_sound
from yardkit.evaluators.solving.solver import read_csv_records
from yardkit.evaluators.sound_files import save_again

FORM, LETTER, REPLY, DRAFT = "claim.pdf", "reply.docx", "reply.wav", "draft.wav"
REPLY_TEXT = (
    "Hello. This is about your order {digits}. We are sorry that {pieces} {item} arrived broken. "
    "We will call you on {day}."
)
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
Claim = Mapping[str, str]


def solve(agent: Agent) -> str:
    """Listen, fill in, write, speak; listen to what was spoken, and speak slower until each digit is heard."""
    claim = _listen_to_caller(agent)
    _fill_in(agent, claim)
    _write_letter(agent, claim, "We are sorry that {pieces} {item} of your order {order_number} arrived broken.")
    for rate in (1.15, 0.95, 0.8):
        _speak_reply(agent, claim, rate)
        heard = _parse_digits(agent.call("transcribe_speech", path=REPLY, language="en")["text"])
        if claim["order_number"] in heard and claim["pieces"] in heard:
            break
    return "The message is dealt with."


def alternative_in_other_words_and_saved_by_other_programs(agent: Agent, files: Path) -> str:
    """The letter first, with the number at the end; form, letter and reply are saved again."""
    claim = _listen_to_caller(agent)
    _write_letter(agent, claim, "{pieces} {item} were broken: we regret that (order no. {order_number}).")
    _fill_in(agent, claim)
    _speak_reply(agent, claim, 0.9, "On {day} we will call you, about {pieces} broken {item}. Your order is {digits}.")
    agent.call("transcribe_speech", path=REPLY)
    for path in (FORM, LETTER):
        with open_edited(files / path):
            pass
    sound = decode_sound(files / REPLY)
    save_again(files / REPLY, sound, sound.samples * 0.95, tags={"title": "Reply"})
    return "Done"


def alternative_slower_and_a_little_louder(agent: Agent, _files: Path) -> str:
    """The reply is spoken more slowly, in other words, a little louder than asked for."""
    claim = _listen_to_caller(agent)
    _fill_in(agent, claim)
    _write_letter(agent, claim, "Of your order {order_number}, {pieces} {item} were broken, as you told us.")
    _speak_reply(
        agent, claim, 0.85, "{pieces} {item} were broken, order {digits}. We call on {day}.", loudness_lufs=-17.6
    )
    agent.call("transcribe_speech", path=REPLY, language="en")
    return "Done"


near_miss_never_listened = misses.never_inspected(caught_by=("inspected", "spoken"))
near_miss_letter_with_the_number_that_was_taken_back = misses.text_changed(
    LETTER, lambda text, work: text.replace(work.facts["form"]["order_number"], work.facts["wrong"]), caught_by="letter"
)
near_miss_message_deleted = misses.delete_file("voicemail.wav")
near_miss_reply_far_too_soft = misses.sound_changed(
    REPLY, lambda sound: {"samples": sound.samples * 0.3}, caught_by="loud"
)


@caught_by_leaf("order")
def near_miss_order_of_a_stranger(work: Solved) -> None:
    _refill_field(work, "order_number", work.facts["wrong"])


@caught_by_leaf("claim")
def near_miss_call_a_week_later(work: Solved) -> None:
    day = datetime.date.fromisoformat(work.facts["form"]["call_on"]) + datetime.timedelta(days=7)
    _refill_field(work, "call_on", day.isoformat())


@caught_by_leaf("spoken")
def near_miss_another_weekday_is_heard(work: Solved) -> None:
    for call in work.calls:
        if call["tool"] == "transcribe_speech" and call["arguments"]["path"] == REPLY:
            call["text"] = call["text"].replace(work.facts["weekday"], "Monday")


def _refill_field(work: Solved, name: str, value: str) -> None:
    with open_edited(work.files / FORM) as document:
        field = next(field for field in document.Root.AcroForm.Fields if str(field.T) == name)
        field.V = value


def _listen_to_caller(agent: Agent) -> Claim:
    """What the form holds, and the weekday on which we call."""
    transcript = str(agent.call("transcribe_speech", path="voicemail.wav", language="en")["text"])
    number = _parse_digits(transcript.partition("order number is")[2])[:4]
    last = re.findall(r"last digit is (\w+)", transcript)
    number = number[:3] + (_parse_digits(last[-1]) if last else number[3:])
    order = next(row for row in read_csv_records(agent, "orders.csv") if row["Order"] == number)
    pieces = _parse_digits(re.findall(r"parcel,? (\w+) of them", transcript)[0])
    weekday = next(day for day in WEEKDAYS if f"me on {day}" in transcript)
    refund = "money back" in transcript
    return {
        "order_number": number,
        "customer": order["Customer"],
        "item": order["Item"],
        "pieces": pieces,
        "wish": "money back" if refund else "new pieces",
        "amount": f"{int(pieces) * float(order['Price each EUR']):.2f}" if refund else "0.00",
        "call_on": _find_next_day(agent, weekday).isoformat(),
    }


def _parse_digits(text: str) -> str:
    words = re.findall(r"[a-z]+|\d", text.lower())
    return "".join(
        str(DIGITS.index(word)) if word in DIGITS else word for word in words if word in DIGITS or word.isdigit()
    )


def _find_next_day(agent: Agent, weekday: str) -> datetime.date:
    """The next such day after today, which the prompt names."""
    day, month, year = re.findall(r"(\d+) (\w+) (\d{4})", agent.prompt)[0]
    today = datetime.datetime.strptime(f"{day} {month} {year}", "%d %B %Y").date()  # noqa: DTZ007 - a day
    return today + datetime.timedelta(days=(WEEKDAYS.index(weekday) - today.weekday() - 1) % 7 + 1)


def _fill_in(agent: Agent, claim: Claim) -> None:
    agent.call("fill_pdf_form", path="claim_form.pdf", values=dict(claim), target=FORM)
    agent.look("show_pdf_page", path=FORM, page=1)


def _write_letter(agent: Agent, claim: Claim, sentence: str) -> None:
    day = datetime.date.fromisoformat(claim["call_on"])
    does = f"We pay back EUR {claim['amount']}" if claim["wish"] == "money back" else "We send you new ones"
    calls = f"and we call you on {day:%A}, {day.day} {day:%B %Y}."
    text = f"Dear {claim['customer']}, {sentence.format(**claim)} {does}, {calls}"
    agent.call("write_file", path="draft.md", content=text)
    agent.call("convert_document", path="draft.md", target=LETTER)
    agent.call("delete_path", path="draft.md")
    agent.call("read_document", path=LETTER)


def _speak_reply(
    agent: Agent,
    claim: Claim,
    rate: float,
    text: str = REPLY_TEXT,
    loudness_lufs: float = -18,
) -> None:
    day = datetime.date.fromisoformat(claim["call_on"])
    spoken_text = text.format(
        digits=", ".join(DIGITS[int(digit)] for digit in claim["order_number"]),
        pieces=DIGITS[int(claim["pieces"])],
        item=claim["item"],
        day=f"{day:%A}",
    )
    agent.call("speak_text", text=spoken_text, target=DRAFT, rate=rate)
    agent.call("normalize_loudness", path=DRAFT, target=REPLY, loudness_lufs=loudness_lufs, true_peak_dbtp=-1.5)
    agent.call("delete_path", path=DRAFT)
