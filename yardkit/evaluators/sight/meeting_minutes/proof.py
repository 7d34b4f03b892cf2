"""Solutions and near misses of sight/meeting_minutes."""

import datetime
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import opened
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solver_steps import write_book

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
    actions, dropped = _heard(agent)
    _write(agent, [f"{action['Topic']}: {action['amount']}" for action in actions], dropped)
    rows = [[action[name] for name in HEAD] for action in actions]
    write_book(agent, BOOK, {"Actions": [HEAD, *rows]})
    return f"{_euros(actions)}"


def also_sentences_and_another_program(agent: Agent, files: Path) -> str:
    """Decisions as sentences, the owner beside the number in words only; both files saved again."""
    actions, dropped = _heard(agent)
    _write(
        agent,
        [f"{action['says']} for: {action['Topic'].lower()} ({action['Owner']})" for action in actions[::-1]],
        f"{dropped} was taken back",
    )
    rows = [[action["Topic"].upper(), action["Owner"], action["Due"], "open"] for action in actions]
    write_book(agent, BOOK, {"Actions": [[*HEAD[:3]], *[row[:3] for row in rows]]})
    for path in (MINUTES, BOOK):
        with opened(files / path):
            pass
    return f"So much may be spent:\n{_euros(actions):,} euros"


def also_with_a_title_and_dates_by_openpyxl(agent: Agent, files: Path) -> str:
    """A title above the headings; the days as dates of openpyxl."""
    answer = solve(agent)
    with opened(files / MINUTES) as document:
        document.paragraphs[0].insert_paragraph_before("Minutes of 24 March 2026", style="Title")
    with opened(files / BOOK) as book:
        for row in book["Actions"].iter_rows(min_row=2):
            row[2].value = datetime.datetime.fromisoformat(str(row[2].value)[:10])
    return answer


in_actions = misses.InSheet(BOOK, "Actions")
miss_day_that_was_moved = in_actions.column(
    "Due", lambda _day, _row, work: work.facts["moved"][1], where=lambda row: row, kills="days"
)
miss_days_as_text = in_actions.column("Due", lambda day: str(day)[:10], kills="days")
miss_somebody_of_the_same_first_name = in_actions.column("Owner", (r" \w+$", " Moss"), kills="owners")
miss_owner_by_first_name = in_actions.column("Owner", lambda owner: owner.split()[0], kills="owners")
miss_sorted_by_topic = in_actions.rows_sorted("Topic", kills="each_once")
miss_action_of_the_dropped_decision = in_actions.row_added(
    lambda work: [work.facts["dropped"][0], work.facts["actions"][0]["Owner"], datetime.date(2026, 6, 30)],
    kills="each_once",
)
miss_all_that_was_said_may_be_spent = misses.answered(lambda work: work.facts["all_euros"] + work.facts["refused"][0])
miss_recording_deleted = misses.deleted("*.wav")


@misses.edits(MINUTES, kills="decisions")
def miss_what_was_proposed_as_well(document: Any, work: Solved) -> None:
    paragraph = next(p for p in document.paragraphs if work.facts["decisions"][0][0] in p.text)
    paragraph.add_run(f", not {work.facts['refused'][0]}")


@misses.edits(MINUTES, kills=("decisions", "withdrawn"))
def miss_dropped_decision_among_the_others(document: Any, work: Solved) -> None:
    topic, _, amount = work.facts["dropped"]
    paragraph = next(p for p in document.paragraphs if topic in p.text)
    paragraph.text = ""
    document.paragraphs[1].insert_paragraph_before(f"{topic}: {amount}")


def _write(agent: Agent, decisions: Sequence[str], withdrawn: str) -> None:
    points = "".join(f"- {text}\n" for text in decisions)
    markdown = f"# Decisions\n\n{points}\n# Withdrawn\n\n- {withdrawn}\n"
    agent.call("write_file", path="minutes.md", content=markdown)
    agent.call("convert_document", path="minutes.md", target=MINUTES)
    agent.call("delete_path", path="minutes.md")


def _euros(actions: Sequence[Action]) -> int:
    return sum(int(action["amount"]) for action in actions if action["says"].endswith("euros"))


def _heard(agent: Agent) -> tuple[list[Action], str]:
    """The actions that stand, by their day, and the topic that was taken back."""
    said = " ".join(str(agent.call("transcribe_speech", path=SOUND, language="en")["text"]).split())
    agenda = agent.call("read_file", path="agenda_2026-03-24.txt")["content"]
    topics = re.findall(r"\d\. (.*)", agenda)
    team = re.findall(r"(.+),yes", agent.call("read_file", path="team.csv")["content"])
    names = {name.split()[0]: name for name in team}
    found: dict[str, Action] = {}
    topic = dropped = ""
    for sentence in re.split(r"(?<=[.!?])\s+", said):
        if re.search("topic is|another time|[Bb]ack to", sentence):
            topic = _topic_of(sentence, topics)
            dropped = topic if re.search("[Bb]ack to", sentence) else dropped
        found.setdefault(topic, {"Topic": topic}).update(_told(sentence, names))
    actions = [action for name, action in found.items() if name not in ("", dropped)]
    return sorted(actions, key=lambda action: action["Due"]), dropped


def _number(said: str) -> int:
    """A number up to some thousands, in figures or in words."""
    if said[0].isdigit():
        return int(re.sub(r"\D", "", said))
    total = last = 0
    for word in said.split():
        factor = {"thousand": 1000, "hundred": 100}.get(word)
        total, last = (total + last * factor, 0) if factor else (total, WORDS.get(word, 0))
    return total + last


def _topic_of(said: str, topics: Sequence[str]) -> str:
    """The topic of the agenda that a sentence speaks of."""
    word = next(word for word in CLUES if word in said.lower())
    return next((topic for topic in topics if CLUES[word] in topic.lower()), "")


def _told(sentence: str, names: Mapping[str, str]) -> Action:
    """What a sentence says of the topic that is spoken of: a decision, an owner, a day."""
    told: Action = {}
    if spent := SPENT.search(sentence):
        told["amount"] = str(_number(spent.group(1)))
        euros = "party" in sentence or "website" in sentence
        told["says"] = f"{told['amount']} {'euros' if euros else 'in all'}"
    if who := re.search(r"(\w+),? (?:will|we'll|'ll) ", sentence):
        told["Owner"] = names.get(who.group(1), "")
    if day := re.search(r"last day .*?(\d+)(?:st|nd|rd|th)? of (\w+)", sentence):
        told["Due"] = f"2026-{MONTHS[day.group(2)]:02d}-{int(day.group(1)):02d}"
    return told
