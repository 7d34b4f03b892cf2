"""Solutions and near misses of gta/quiz_sheet."""

import re
from functools import partial
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.solving.workflow import markdown_table, read_all_parts, write_table
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved

QUIZ, TOPICS = "generated/quiz.docx", "generated/topics.csv"
TRUTH_PATTERNS = {
    "year": r"(?:built in|finished in|followed in) (\d{4})",
    "builder": r"(?:by |^|\. )([^\W\d]\w+ \w+)(?:\. It is| built the|, who built it)",
    "height": r"(?:It is|With a height of|it became) (\d+) m",
}
NOTED = {"year": r"wrong: it was built in (\d+)", "builder": r"wrong: (.+) built it", "height": r"wrong: it is (\d+) m"}
YEAR, BUILDER, HEIGHT = "In which year was the {} built?", "Who built the {}?", "How high is the {}, in metres?"
ASK = {"year": YEAR, "builder": BUILDER, "height": HEIGHT}
Facts = dict[str, dict[str, str]]


def solve(agent: Agent) -> str:
    """Read what is told of each building, correct it by the notes, ask in the order of the slides."""
    return _deliver_quiz(agent)


def alternative_options_as_lines_of_one_paragraph(agent: Agent, files: Path) -> str:
    """Line breaks instead of paragraphs, the options turned; saved by another program, the list with semicolons."""
    answer = _deliver_quiz(agent, "\n", turn=1)
    with misses.open_edited(files / QUIZ):
        pass
    (files / TOPICS).write_text((files / TOPICS).read_text("utf-8").replace(",", ";"), "utf-8-sig")
    return f"**{answer} questions**"


def alternative_with_a_title_by_style_and_units(agent: Agent, files: Path) -> str:
    """The title has its own style and the headings one level less; heights say their unit."""
    answer = _deliver_quiz(agent, unit=" m")
    with misses.open_edited(files / QUIZ) as document:
        for paragraph in document.paragraphs:
            number = re.fullmatch(r"Heading (\d)", paragraph.style.name)
            if number:
                paragraph.style = document.styles[f"Heading {int(number[1]) - 1}" if number[1] > "1" else "Title"]
    return answer


in_quiz, in_topics = (partial(misses.text_changed, path) for path in (QUIZ, TOPICS))
near_miss_it_left_in_the_question = in_quiz(
    lambda text, _: re.sub(r"built the .*\?|is the .*,|was the .* built", "built it?", text), caught_by="asked"
)
near_miss_option_given_twice = in_quiz(lambda text, _: re.sub(r"^D\) .*", "D) 1800", text), caught_by="options")
near_miss_letters_left_out = in_quiz(("B) ", "A) "), caught_by="options")
near_miss_all_of_the_above = in_quiz(lambda text, _: re.sub(r"^C\) .*", "C) none of these", text), caught_by="options")
near_miss_markdown_left = in_quiz(("Answer key", "**Answer key**"), caught_by="neat")
near_miss_key_of_one_letter = in_quiz(
    lambda text, _: "A" if text in ("A", "B", "C", "D") else text, caught_by="letters"
)
near_miss_slides_counted_without_the_title = in_topics(
    lambda text, _: re.sub(r",(\d),", lambda match: f",{int(match[1]) - 1},", text), caught_by="told"
)
near_miss_left_out_building_asked = in_topics((",no", ",yes"), caught_by="told")
near_miss_heading_as_bold_text = misses.style_lost(QUIZ, "Answer key", caught_by="headings")
near_miss_key_forgotten = misses.edit_file(
    QUIZ, lambda quiz: quiz.tables[0]._element.clear(), caught_by=("letters", "about")
)
near_miss_older_lesson_deleted = misses.delete_file("lesson_2024.pptx")


@misses.make_edit_decorator(QUIZ, caught_by="alike")
def near_miss_right_options_in_bold(document: Any, work: Solved) -> None:
    """The sheet tells the answers."""
    asked = {str(work.facts["buildings"][name][kind]) for name, kind in work.facts["asked"]}
    for paragraph in document.paragraphs:
        if re.match("[A-D]\\)", paragraph.text) and paragraph.text[3:] in asked:
            paragraph.runs[0].bold = True


def _read_sources(agent: Agent) -> tuple[Facts, list[tuple[str, str]], dict[str, int]]:
    """What is true of each building, what is asked of which, and the slides."""
    chapter = read_all_parts(agent, "ReadDOCX", file="chapter_2.docx")
    sections = re.findall(r"^(2\.\d) (.+)\n(.+)", chapter, re.MULTILINE)
    facts = {
        name: {kind: re.findall(pattern, text)[0] for kind, pattern in TRUTH_PATTERNS.items()}
        for _, name, text in sections
    }
    asked: list[tuple[str, str]] = []
    slides: dict[str, int] = {}
    for number, text in enumerate(read_all_parts(agent, "ReadPPTX", file="lesson.pptx").split("<!-- slide")):
        name = next((name for name in facts if name in text), "")
        slides |= {name: number} if name else {}
        if name and (note := re.search(r"Quiz: (.*?)\?", text)):
            asked.append((name, next(kind for kind, words in ASK.items() if words[:3] == note[1][:3])))
            for kind, pattern in NOTED.items():
                facts[name][kind] = (re.findall(pattern, text) or [facts[name][kind]])[0]
    return facts, asked, slides


def _deliver_quiz(agent: Agent, line: str = "\n\n", turn: int = 0, unit: str = "") -> str:
    facts, asked, slides = _read_sources(agent)
    parts, key = ["# Quiz: the harbour quarter", "## Questions"], []
    for number, (name, kind) in enumerate(asked, 1):
        others = [building_facts[kind] for other, building_facts in facts.items() if other != name]
        place = (number + turn) % 4
        options = [*others[number % 3 :][:place], facts[name][kind], *others[number % 3 + place :]][:4]
        end = unit if kind == "height" else ""
        lines = [f"{letter}) {option}{end}" for letter, option in zip("ABCD", options, strict=True)]
        parts += [f"### Question {number}", ASK[kind].format(name), line.join(lines)]
        key.append((number, "ABCD"[place], name))
    parts += ["## Answer key", markdown_table(("Question", "Answer", "Building"), key, left=3)]
    agent.text("DocxFileGenerator", filename="quiz", content="\n\n".join(parts), render_markdown=True)
    topic_rows = {name: [name, slides.get(name, ""), "yes" if name in dict(asked) else "no"] for name in facts}
    rows = [[f"2.{number}", *row] for number, row in enumerate(topic_rows.values(), 1)]
    write_table(agent, "CsvFileGenerator", "topics", [["Section", "Building", "Slide", "In quiz"], *rows])
    return str(len(asked))
