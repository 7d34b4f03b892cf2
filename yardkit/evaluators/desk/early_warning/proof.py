"""Solutions and near misses of desk/early_warning."""

import re
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.readers.mails import Mail
from yardkit.evaluators.solving.courses import Student, bare_address, read_students
from yardkit.evaluators.solving.desk import read_mails, read_note, read_today
from yardkit.evaluators.solving.warehouse import query_rows

CAME = """
SELECT p.EMAIL, 100.0 * count(*) FILTER (a.STATUS = 'present') / count(*) AS PERCENT
FROM (SELECT DISTINCT * FROM CAMPUS.PUBLIC.ATTENDANCE) a
JOIN CAMPUS.PUBLIC.SESSIONS s USING (SESSION_ID) JOIN CAMPUS.PUBLIC.STUDENTS p USING (STUDENT_ID)
WHERE s.COURSE_CODE = '{code}' AND s.STATUS = 'held' AND a.STATUS <> 'excused' GROUP BY p.EMAIL ORDER BY p.EMAIL
"""
ADVISED = """
SELECT p.EMAIL, a.ADVISER, a.ADVISER_EMAIL
FROM CAMPUS.PUBLIC.ADVISING a JOIN CAMPUS.PUBLIC.STUDENTS p USING (STUDENT_ID)
WHERE a.SINCE <= DATE '{today}' AND (a.UNTIL IS NULL OR a.UNTIL > DATE '{today}') ORDER BY p.EMAIL
"""


Warned = tuple[Student, str, str, list[str]]
"""A student at risk, the adviser's name and address, and the signals as letters write them."""


def solve(agent: Agent) -> str:
    """All four signals by the rubric, then a letter as last term's for each student at risk."""
    code, teacher, warned = _at_risk(agent)
    title, words = _last_letter(agent, code)
    for student, adviser, address, signals in warned:
        letter_fields = {"to": adviser.split()[0], "name": student.name, "first": student.name.split()[0]}
        text = words.format(**letter_fields, listed="\n".join(f"- {text}" for text in signals))
        subject = title.format(name=student.name, code=code)
        agent.call("send_message", to=[address], cc=[teacher], subject=subject, text=text)
    return f"{len(warned)} letters are sent."


def alternative_in_other_words(agent: Agent, _files: Path) -> str:
    """The last student first; adviser and teacher in one line, figures in a sentence."""
    code, teacher, warned = _at_risk(agent)
    for student, _, address, signals in reversed(warned):
        signal_text = "; ".join(signals).replace("mails of the teacher stay without an answer", "no reply to mails")
        text = f"Hello,\n\nin {code} we worry about {student.name} ({signal_text}). Could you talk to them?"
        agent.call("send_message", to=[teacher, address], subject=f"{student.name} in {code}", text=text)
    return ""


def alternative_by_drafts(agent: Agent, _files: Path) -> str:
    """Each letter is a draft at first; the copy is a blind one."""
    code, teacher, warned = _at_risk(agent)
    for student, _, address, signals in warned:
        text = "\n".join([f"{student.name}, {code}", *signals])
        draft = agent.call("save_draft", to=[address], bcc=[teacher], subject="Early warning", text=text)
        agent.call("send_draft", message_id=draft["id"])
    return ""


def _at_risk(agent: Agent) -> tuple[str, str, list[Warned]]:
    """The code of the course, its teacher's address, and who is at risk."""
    code = re.findall(r"warnings in (\S+) ", agent.prompt)[0]
    (course,) = agent.call("find_courses", query=code, state="available")["courses"]
    (teacher,) = agent.call("find_users", course_id=course["id"], role="teacher")["people"]
    students, rules = read_students(agent, course["id"]), read_note(agent, "Early warnings")
    mails = read_mails(agent, query=f"{code} a student", since=course["starts"])
    silent, gone = _read_mail_facts(students, mails, teacher["email"])
    came, grades = (
        {row["EMAIL"]: row["PERCENT"] for row in query_rows(agent, CAME, code=code)},
        agent.call("report_grades", course_id=course["id"])["grades"],
    )
    advisers = {
        row["EMAIL"]: (row["ADVISER"], row["ADVISER_EMAIL"])
        for row in query_rows(agent, ADVISED, today=read_today(agent))
    }
    limits = [int(number) for number in re.findall(r"(\d+) (?:%|or more works)", rules)]
    by_id = {student.id: student for student in students.values()}
    warned = []
    for grade in grades:
        student = by_id[grade["user_id"]]
        figures = float(came[student.address]), grade["percent"], grade["missing"], student.name in silent
        signals = _list_signals(limits, *figures)
        if student.name not in gone and (len(signals) > 1 or figures[0] < limits[3]):
            warned.append((student, *advisers[student.address], signals))
    return code, teacher["email"], warned


def _list_signals(limits: list[int], came: float, percent: float | None, missing: int, silent: bool) -> list[str]:
    signals = [f"attendance: {came:.0f} %"] if came < limits[0] else []
    signals += [f"grades: {percent:.0f} %"] if percent is not None and percent < limits[1] else []
    signals += [f"missing work: {missing}"] if missing >= limits[2] else []
    return [*signals, *(["mails of the teacher stay without an answer"] if silent else [])]


def _read_mail_facts(students: Mapping[str, Student], mails: list[Any], teacher: str) -> tuple[set[str], set[str]]:
    """Who does not answer, and who has changed to another course."""
    silent, gone = set[str](), set[str]()
    for mail in mails:
        for name in (student.name for student in students.values() if student.name in mail["text"]):
            if bare_address(mail["sender"]) != teacher:
                gone |= {name} if f"{name} has changed from" in mail["text"] else set()
            elif "has not answered" in mail["text"]:
                silent.add(name)
            else:
                silent.discard(name)
    return silent, gone


def _last_letter(agent: Agent, code: str) -> tuple[str, str]:
    """Subject and text of last term's letters, with gaps."""
    old = read_mails(agent, subject="Early warning", mailbox="Sent")[-1]
    name = re.findall(r"Early warning: (.+), ", old["subject"])[0]
    text = re.sub(r"(?m)^- .*(?:\n- .*)*", "{listed}", old["text"]).replace(name, "{name}")
    text = re.sub(r"Dear \w+,", "Dear {to},", re.sub(r"talk to \S+,", "talk to {first},", text))
    return old["subject"].replace(name, "{name}").replace(code, "{code}"), text


def _match_letter(case: str) -> Callable[[Mail, Facts], bool]:
    """The letter about a student whose name is a fact."""
    return lambda mail, facts: (
        mail.sender == facts["owner"] and facts[case] in mail.subject and facts["teacher"] in mail.people
    )


def _edit_letter(case: str, change: Callable[[str, Facts], str], caught_by: str) -> Miss:
    """What the letter about a student says is something else."""

    def edit(message: EmailMessage, facts: Facts) -> None:
        message.set_content(change(message.get_content(), facts))

    return misses.mail_edited(_match_letter(case), edit, caught_by=caught_by)


def _sent_to(case: str, field: str, fact: str, caught_by: str | tuple[str, ...] = "sent") -> Miss:
    """A letter has somebody else in a field; nobody for an empty fact."""

    def edit(message: EmailMessage, facts: Facts) -> None:
        del message[field]
        if fact:
            message[field] = facts[fact]

    return misses.mail_edited(_match_letter(case), edit, caught_by=caught_by)


def _change_student(case: str) -> Miss:
    """The letter about one student is about another one."""
    return _edit_letter("scanned_twice", lambda text, facts: text.replace(facts["scanned_twice"], facts[case]), "names")


near_miss_double_scans_counted = misses.mail_removed(_match_letter("scanned_twice"), caught_by="sent")
near_miss_former_adviser_warned = _sent_to("all_of_it", "To", "former")
near_miss_teacher_not_copied = _sent_to("hardly_there", "Cc", "")
near_miss_student_copied = _sent_to("hardly_there", "Cc", "student", ("sent", "students"))
near_miss_who_changed_warned = _change_student("changed")
near_miss_who_left_warned = _change_student("left")
near_miss_cancelled_session_counted = _change_student("by_the_cancelled_one")
near_miss_who_answered_warned = _change_student("answered")
near_miss_excused_absence_counted = _edit_letter("stays", lambda text, _: text.replace("64 %", "58 %"), "figures")
near_miss_silence_left_out = _edit_letter("low_and_silent", lambda text, _: re.sub("- mails .*", "", text), "figures")
near_miss_compared_with_another = _edit_letter(
    "twin", lambda text, facts: f"{text}\n{facts['other_twin']} has more.", "names"
)
