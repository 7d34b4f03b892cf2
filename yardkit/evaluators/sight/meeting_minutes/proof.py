"""Solutions and near misses of sight/meeting_minutes."""

import datetime
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solving.solver import write_book

MINUTES, BOOK = "minutes.docx", "actions.xlsx"
SOUND = "meeting_2026-03-24.wav"
UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
TENS = {"fourteen": 14, "fifteen": 15, "twenty": 20, "thirty": 30}
WORDS = TENS | {word: number for number, word in enumerate(UNITS, 1)}
CLUES = {"garden": "party", "designer": "website"} | {
    word: word for word in ("printer", "chair", "training", "party", "website")
}
"""Words by which people speak of a topic, and its word on the agenda."""
MONTHS = {"April": 4, "May": 5, "June": 6}
SPENT = re.compile(r"(?:We|we) (?:buy|pay for|spen[dt]) \W?([\d,.]+|[a-z]+(?: (?:thousand|hundred|[a-z]+ hundred))*)")
"""A decision; its number, in figures or words, may stand behind a sign of a currency."""
HEAD = ["Topic", "Owner", "Due"]
Action = dict[str, str]


def solve(agent: Agent) -> str:
    """Listen, follow what is said topic by topic, write what stands at the end."""
    actions, dropped = _parse_meeting(agent)
    _write_minutes(agent, [f"{action['Topic']}: {action['amount']}" for action in actions], dropped)
    rows = [[action[name] for name in HEAD] for action in actions]
    write_book(agent, BOOK, {"Actions": [HEAD, *rows]})
    return f"{_sum_euros(actions)}"


def alternative_sentences_and_another_program(agent: Agent, files: Path) -> str:
    """Decisions as sentences, the owner beside the number in words only; both files saved again."""
    actions, dropped = _parse_meeting(agent)
    _write_minutes(
        agent,
        [f"{action['says']} for: {action['Topic'].lower()} ({action['Owner']})" for action in actions[::-1]],
        f"{dropped} was taken back",
    )
    rows = [[action["Topic"].upper(), action["Owner"], action["Due"], "open"] for action in actions]
    write_book(agent, BOOK, {"Actions": [[*HEAD[:3]], *[row[:3] for row in rows]]})
    for path in (MINUTES, BOOK):
        with open_edited(files / path):
            pass
    return f"So much may be spent:\n{_sum_euros(actions):,} euros"


def alternative_with_a_title_and_dates_by_openpyxl(agent: Agent, files: Path) -> str:
    """A title above the headings; the days as dates of openpyxl."""
    answer = solve(agent)
    with open_edited(files / MINUTES) as document:
        document.paragraphs[0].insert_paragraph_before("Minutes of 24 March 2026", style="Title")
    with open_edited(files / BOOK) as book:
        for row in book["Actions"].iter_rows(min_row=2):
            row[2].value = datetime.datetime.fromisoformat(str(row[2].value)[:10])
    return answer


in_actions = misses.InSheet(BOOK, "Actions")
near_miss_day_that_was_moved = in_actions.column(
    "Due", lambda _day, _row, work: work.facts["moved"][1], where=lambda row: row, caught_by="days"
)
near_miss_days_as_text = in_actions.column("Due", lambda day: str(day)[:10], caught_by="days")
near_miss_somebody_of_the_same_first_name = in_actions.column("Owner", (r" \w+$", " Moss"), caught_by="owners")
near_miss_owner_by_first_name = in_actions.column("Owner", lambda owner: owner.split()[0], caught_by="owners")
near_miss_sorted_by_topic = in_actions.rows_sorted("Topic", caught_by="each_once")
near_miss_action_of_the_dropped_decision = in_actions.row_added(
    lambda work: [work.facts["dropped"][0], work.facts["actions"][0]["Owner"], datetime.date(2026, 6, 30)],
    caught_by="each_once",
)
near_miss_all_that_was_said_may_be_spent = misses.change_answer(
    lambda work: work.facts["all_euros"] + work.facts["refused"][0]
)
near_miss_recording_deleted = misses.delete_file("*.wav")


@misses.make_edit_decorator(MINUTES, caught_by="decisions")
def near_miss_what_was_proposed_as_well(document: Any, work: Solved) -> None:
    paragraph = next(p for p in document.paragraphs if work.facts["decisions"][0][0] in p.text)
    paragraph.add_run(f", not {work.facts['refused'][0]}")


@misses.make_edit_decorator(MINUTES, caught_by=("decisions", "withdrawn"))
def near_miss_dropped_decision_among_the_others(document: Any, work: Solved) -> None:
    topic, _, amount = work.facts["dropped"]
    paragraph = next(p for p in document.paragraphs if topic in p.text)
    paragraph.text = ""
    document.paragraphs[1].insert_paragraph_before(f"{topic}: {amount}")


def _write_minutes(agent: Agent, decisions: Sequence[str], withdrawn: str) -> None:
    points = "".join(f"- {text}\n" for text in decisions)
    markdown = f"# Decisions\n\n{points}\n# Withdrawn\n\n- {withdrawn}\n"
    agent.call("write_file", path="minutes.md", content=markdown)
    agent.call("convert_document", path="minutes.md", target=MINUTES)
    agent.call("delete_path", path="minutes.md")


def _sum_euros(actions: Sequence[Action]) -> int:
    return sum(int(action["amount"]) for action in actions if action["says"].endswith("euros"))


def _parse_meeting(agent: Agent) -> tuple[list[Action], str]:
    """The actions that stand, by their day, and the topic that was taken back."""
    transcript = " ".join(str(agent.call("transcribe_speech", path=SOUND, language="en")["text"]).split())
    agenda = agent.call("read_file", path="agenda_2026-03-24.txt")["content"]
    topics = re.findall(r"\d\. (.*)", agenda)
    team = re.findall(r"(.+),yes", agent.call("read_file", path="team.csv")["content"])
    names = {name.split()[0]: name for name in team}
    actions_by_topic: dict[str, Action] = {}
    topic = dropped = ""
    for sentence in re.split(r"(?<=[.!?])\s+", transcript):
        if re.search("topic is|another time|[Bb]ack to", sentence):
            topic = _topic_of(sentence, topics)
            dropped = topic if re.search("[Bb]ack to", sentence) else dropped
        actions_by_topic.setdefault(topic, {"Topic": topic}).update(_parse_action(sentence, names))
    actions = [action for name, action in actions_by_topic.items() if name not in ("", dropped)]
    return sorted(actions, key=lambda action: action["Due"]), dropped


def _parse_number(spoken_number: str) -> int:
    """A number up to some thousands, in figures or in words."""
    if spoken_number[0].isdigit():
        return int(re.sub(r"\D", "", spoken_number))
    total = last = 0
    for word in spoken_number.split():
        factor = {"thousand": 1000, "hundred": 100}.get(word)
        total, last = (total + last * factor, 0) if factor else (total, WORDS.get(word, 0))
    return total + last


def _topic_of(sentence: str, topics: Sequence[str]) -> str:
    """The topic of the agenda that a sentence speaks of."""
    word = next(word for word in CLUES if word in sentence.lower())
    return next((topic for topic in topics if CLUES[word] in topic.lower()), "")


def _parse_action(sentence: str, names: Mapping[str, str]) -> Action:
    """What a sentence says of the topic that is spoken of: a decision, an owner, a day."""
    action: Action = {}
    if spent := SPENT.search(sentence):
        action["amount"] = str(_parse_number(spent.group(1)))
        euros = "party" in sentence or "website" in sentence
        action["says"] = f"{action['amount']} {'euros' if euros else 'in all'}"
    if who := re.search(r"(\w+),? (?:will|we'll|'ll) ", sentence):
        action["Owner"] = names.get(who.group(1), "")
    if day := re.search(r"last day .*?(\d+)(?:st|nd|rd|th)? of (\w+)", sentence):
        action["Due"] = f"2026-{MONTHS[day.group(2)]:02d}-{int(day.group(1)):02d}"
    return action
