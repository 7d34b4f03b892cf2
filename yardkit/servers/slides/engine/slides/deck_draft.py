"""The draft of a presentation on a topic: headings and questions to answer, and no invented facts or figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["business", "academic", "creative"]
_SECTIONS: dict[Kind, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "business": (
        (
            "Situation",
            ("Where do things stand today with {}?", "What has changed, and since when?", "Who is affected?"),
        ),
        ("Goal", ("What is to be reached, and by when?", "How will success be measured?")),
        ("Options", ("Which ways are there?", "What does each cost, and what does it bring?")),
        ("Recommendation", ("Which option, and why this one?", "What is needed from the audience?")),
        ("Next steps", ("Who does what until when?", "What is decided next?")),
        ("Risks", ("What can go wrong?", "What is done about it?")),
        ("Costs and resources", ("What is needed for {}: money, people, time?", "Where does it come from?")),
        ("Stakeholders", ("Who decides, who takes part, who must know?", "What does each of them want?")),
    ),
    "academic": (
        ("Question", ("What is asked about {}?", "Why does the answer matter?")),
        ("State of research", ("What is known?", "Which works are the most important ones?", "What is open?")),
        ("Method", ("How was the question examined?", "Which data, and from where?")),
        ("Results", ("What was found?", "How certain is it?")),
        ("Discussion", ("What do the results mean for {}?", "Where are their limits?")),
        ("Outlook", ("Which questions follow?", "What is the next step?")),
        ("Theory", ("Which terms and models are used?", "How are they defined?")),
        ("Ethics and data", ("Which rules apply?", "Who may use the data?")),
    ),
    "creative": (
        ("Idea", ("What is {} in one sentence?", "What is new about it?")),
        ("Audience", ("Who is it for?", "What moves these people?")),
        ("Look and tone", ("How does it look, sound, feel?", "What does it never do?")),
        ("Story", ("How does it begin?", "What is the turn?", "How does it end?")),
        ("How it is made", ("Who makes it, and with what?", "What can be tried out first?")),
        ("Inspiration", ("What is it related to?", "What is borrowed, and what is left?")),
        ("Places", ("Where is {} met?", "What is different from place to place?")),
        ("Next steps", ("What is shown first, and to whom?", "What is decided then?")),
    ),
}
_SUBTITLES = {"business": "For a decision", "academic": "A talk", "creative": "A concept"}


@dataclass(frozen=True)
class DraftSlide:
    """A slide of a draft: a pattern with content, or with an empty place for a chart or a picture."""

    pattern: str
    content: dict[str, str] = field(default_factory=dict)
    place: Literal["", "chart", "picture"] = ""


def draft_deck(topic: str, kind: Kind, count: int, *, chart: bool, picture: bool) -> list[DraftSlide]:
    """As many slides as wanted (3 to 20) on a topic: an opening, an agenda, sections, an end."""
    opening = DraftSlide("title_slide", {"title": topic, "subtitle": _SUBTITLES[kind]})
    end = DraftSlide("thank_you_slide", {"thank_you": "Thank you", "questions": "Questions?"})
    middle = _draft_middle(topic, kind, count - 3, chart=chart, picture=picture)
    names = list(dict.fromkeys(next(iter(draft_slide.content.values())).partition(" (")[0] for draft_slide in middle))
    points = "\n".join(f"- {name}" for name in names) or f"- {topic}"
    agenda = DraftSlide("agenda_slide", {"title": "Agenda", "agenda_items": points})
    return [opening, agenda, *middle, end]


def _draft_middle(topic: str, kind: Kind, count: int, *, chart: bool, picture: bool) -> list[DraftSlide]:
    special = [DraftSlide("", {"title": "Figures"}, "chart")] if chart and count > 1 else []
    special += [DraftSlide("", {"title": "In a picture"}, "picture")] if picture and count > len(special) + 1 else []
    sections = _SECTIONS[kind]
    texts = [
        _draft_section(topic, *sections[at % len(sections)], at // len(sections)) for at in range(count - len(special))
    ]
    return [*texts[:2], *special, *texts[2:]]


def _draft_section(topic: str, title: str, questions: tuple[str, ...], again: int) -> DraftSlide:
    body = "\n".join(f"- {question.format(topic)}" for question in questions)
    heading = f"{title} ({again + 1})" if again else title
    return DraftSlide("agenda_slide", {"title": heading, "agenda_items": body})
