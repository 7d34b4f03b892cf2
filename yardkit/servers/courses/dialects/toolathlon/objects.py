"""The objects of Canvas's REST API, made of the records."""

import re
from typing import Any

from yardkit.apps.courses import (
    Assignment,
    AssignmentGroup,
    Attempt,
    Conversation,
    Course,
    Enrolment,
    File,
    Folder,
    Message,
    Module,
    ModuleItem,
    Page,
    Post,
    Question,
    QuestionKind,
    Quiz,
    QuizKind,
    Rubric,
    School,
    Submission,
    SubmissionKind,
    Topic,
    User,
)
from yardkit.servers.courses.engine import quizzes, work
from yardkit.servers.courses.engine.campus import Campus, sorted_name
from yardkit.servers.courses.engine.views import without_answers

Facts = dict[str, Any]
ROOT = "https://canvas.example.com"
"""Where links lead; nothing is there."""
SUBMISSION_TYPES: dict[SubmissionKind, str] = {
    "text": "online_text_entry",
    "link": "online_url",
    "upload": "online_upload",
    "quiz": "online_quiz",
    "none": "none",
    "paper": "on_paper",
}
QUIZ_TYPES: dict[QuizKind, str] = {
    "assignment": "assignment",
    "practice": "practice_quiz",
    "survey": "survey",
    "graded_survey": "graded_survey",
}
QUESTION_TYPES: dict[QuestionKind, str] = {
    "multiple_choice": "multiple_choice_question",
    "true_false": "true_false_question",
    "multiple_answers": "multiple_answers_question",
    "short_answer": "short_answer_question",
    "numerical": "numerical_question",
    "essay": "essay_question",
    "text_only": "text_only_question",
}
_ROLES = {
    "student": "StudentEnrollment",
    "teacher": "TeacherEnrollment",
    "ta": "TaEnrollment",
    "observer": "ObserverEnrollment",
    "designer": "DesignerEnrollment",
}
_ITEM_TYPES = {
    "assignment": "Assignment", "quiz": "Quiz", "page": "Page", "file": "File", "topic": "Discussion",
    "link": "ExternalUrl", "heading": "SubHeader",
}  # fmt: skip
_STATES = {"inactive": "inactive", "completed": "completed", "deleted": "deleted", "invited": "invited"}


def course(campus: Campus, one: Course) -> Facts:
    """A course."""
    mine = [e for e in campus.people(one.id) if e[1].id == campus.me.id]
    return {
        "id": one.id,
        "name": one.name,
        "account_id": campus.school.id,
        "uuid": f"course-{one.id}",
        "start_at": one.starts,
        "end_at": one.ends,
        "is_public": one.public,
        "created_at": one.created or None,
        "course_code": one.code,
        "default_view": "modules",
        "root_account_id": campus.school.id,
        "enrollment_term_id": 1,
        "term": {"id": 1, "name": one.term or "Default Term"},
        "license": one.settings.get("license", "private"),
        "public_description": one.description or None,
        "hide_final_grades": bool(one.settings.get("hide_final_grades", False)),
        "time_zone": one.time_zone or campus.school.time_zone,
        "workflow_state": one.state,
        "enrollments": [
            {"type": e.role, "role": _ROLES[e.role], "user_id": e.user_id, "enrollment_state": e.state} for e, _ in mine
        ],
        "total_students": len({u.id for e, u in campus.people(one.id, "student") if e.state == "active"}),
        "calendar": {"ics": f"{ROOT}/feeds/calendars/course_{one.id}.ics"},
        "syllabus_body": one.syllabus or None,
    }


def user(one: User) -> Facts:
    """A person."""
    return {
        "id": one.id,
        "name": one.name,
        "created_at": one.created or None,
        "sortable_name": sorted_name(one),
        "short_name": one.short_name or one.name,
        "sis_user_id": None,
        "login_id": one.email,
        "email": one.email,
    }


def profile(campus: Campus, one: User) -> Facts:
    """What a person says of themselves."""
    return {
        "id": one.id,
        "name": one.name,
        "short_name": one.short_name or one.name,
        "sortable_name": sorted_name(one),
        "title": one.title or None,
        "bio": one.bio or None,
        "primary_email": one.email,
        "login_id": one.email,
        "time_zone": one.time_zone or campus.school.time_zone,
        "locale": None,
        "calendar": {"ics": f"{ROOT}/feeds/calendars/user_{one.id}.ics"},
    }


def enrolment(one: Enrolment, person: User | None = None, grade: work.Grade | None = None) -> Facts:
    """Who takes part, with what they have."""
    made: Facts = {
        "id": one.id,
        "user_id": one.user_id,
        "course_id": one.course_id,
        "course_section_id": one.section_id,
        "type": _ROLES[one.role],
        "role": _ROLES[one.role],
        "enrollment_state": _STATES.get(one.state, "active"),
        "created_at": one.created or None,
        "html_url": f"{ROOT}/courses/{one.course_id}/users/{one.user_id}",
    }
    if grade is not None:
        made["grades"] = {
            "html_url": f"{ROOT}/courses/{one.course_id}/grades/{one.user_id}",
            "current_score": grade.percent,
            "current_grade": None,
            "final_score": grade.percent,
            "final_grade": None,
        }
    return made | ({"user": user(person)} if person else {})


def assignment(campus: Campus, one: Assignment) -> Facts:
    """An assignment."""
    rubric_of = campus.one(Rubric, id=one.rubric_id) if one.rubric_id else None
    made: Facts = {
        "id": one.id,
        "name": one.name,
        "description": one.description or None,
        "due_at": one.due,
        "unlock_at": None,
        "lock_at": None,
        "points_possible": _number(one.points),
        "grading_type": "points",
        "assignment_group_id": one.group_id,
        "created_at": one.created or None,
        "course_id": one.course_id,
        "submission_types": [SUBMISSION_TYPES[kind] for kind in one.kinds],
        "allowed_extensions": one.extensions,
        "has_submitted_submissions": bool(campus.one(Submission, assignment_id=one.id)),
        "is_quiz_assignment": one.quiz_id is not None,
        "published": one.published,
        "workflow_state": "published" if one.published else "unpublished",
        "html_url": f"{ROOT}/courses/{one.course_id}/assignments/{one.id}",
    }
    made |= {"quiz_id": one.quiz_id} if one.quiz_id else {}
    return made | ({"rubric": rubric_of.criteria, "rubric_settings": {"id": rubric_of.id}} if rubric_of else {})


def group(one: AssignmentGroup) -> Facts:
    """A group of assignments."""
    return {"id": one.id, "name": one.name, "position": one.position, "group_weight": _number(one.weight), "rules": {}}


def submission(campus: Campus, one: Submission, what: Assignment) -> Facts:
    """What somebody handed in."""
    state = "graded" if one.graded else "submitted" if one.submitted else "unsubmitted"
    made: Facts = {
        "id": one.id or None,
        "assignment_id": one.assignment_id,
        "user_id": one.user_id,
        "submission_type": SUBMISSION_TYPES[one.kind] if one.kind else None,
        "body": one.body or None,
        "url": one.url or None,
        "grade": one.grade,
        "score": None if one.score is None else _number(one.score),
        "submitted_at": one.submitted,
        "graded_at": one.graded,
        "grader_id": one.grader_id,
        "attempt": one.attempt or None,
        "workflow_state": state,
        "late": work.is_late(one, what),
        "missing": work.is_missing(one, what, campus.now),
        "excused": one.excused,
        "submission_comments": [_comment(campus, number, said) for number, said in enumerate(one.comments, 1)],
    }
    files = [file(found) for number in one.files if (found := campus.one(File, id=number))]
    return made | ({"attachments": files} if files else {})


def rubric(one: Rubric) -> Facts:
    """A rubric."""
    return {
        "id": one.id,
        "title": one.title,
        "context_id": one.course_id,
        "context_type": "Course",
        "points_possible": _number(one.points),
        "reusable": False,
        "read_only": False,
        "data": [
            {
                "id": f"_{one.id}_{number}",
                "description": said.get("description", ""),
                "points": said.get("points", 0),
                "ratings": [{"id": f"r{at}"} | rating for at, rating in enumerate(said.get("ratings", []), 1)],
            }
            for number, said in enumerate(one.criteria, 1)
        ],
    }


def quiz(campus: Campus, one: Quiz) -> Facts:
    """A quiz."""
    return {
        "id": one.id,
        "title": one.title,
        "html_url": f"{ROOT}/courses/{one.course_id}/quizzes/{one.id}",
        "description": one.description or None,
        "quiz_type": QUIZ_TYPES[one.kind],
        "time_limit": one.minutes,
        "shuffle_answers": False,
        "scoring_policy": "keep_highest",
        "allowed_attempts": -1 if one.attempts is None else one.attempts,
        "question_count": len(campus.all(Question, quiz_id=one.id)),
        "points_possible": _number(quizzes.points_of(campus, one.id)),
        "due_at": one.due,
        "lock_at": None,
        "unlock_at": None,
        "published": one.published,
        "assignment_id": one.assignment_id,
        "permissions": {
            "read": True,
            "submit": campus.role(one.course_id) == "student" and one.published,
            "update": campus.teaches(one.course_id),
        },
    }


def question(campus: Campus, one: Question, course_id: int) -> Facts:
    """A question; to students without what is right."""
    seen = one if campus.teaches(course_id) else without_answers(one)
    return {
        "id": one.id,
        "quiz_id": one.quiz_id,
        "position": one.position,
        "question_name": one.name,
        "question_type": QUESTION_TYPES[one.kind],
        "question_text": one.text,
        "points_possible": _number(one.points),
        "correct_comments": seen.comments.get("correct", ""),
        "incorrect_comments": seen.comments.get("incorrect", ""),
        "neutral_comments": seen.comments.get("neutral", ""),
        "answers": seen.answers,
    }


def attempt(campus: Campus, one: Attempt, of: Quiz) -> Facts:
    """An attempt at a quiz, which Canvas calls a submission of it."""
    state = "untaken" if one.finished is None else "complete" if one.score is not None else "pending_review"
    return {
        "id": one.id,
        "quiz_id": one.quiz_id,
        "user_id": one.user_id,
        "submission_id": one.id,
        "started_at": one.started,
        "finished_at": one.finished,
        "end_at": quizzes.ends_at(of, one),
        "attempt": one.number,
        "extra_attempts": None,
        "score": None if one.score is None else _number(one.score),
        "kept_score": None if one.score is None else _number(one.score),
        "quiz_points_possible": _number(quizzes.points_of(campus, one.quiz_id)),
        "validation_token": one.token,
        "workflow_state": state,
    }


def module(campus: Campus, one: Module) -> Facts:
    """A module."""
    items = campus.all(ModuleItem, module_id=one.id)
    return {
        "id": one.id,
        "name": one.name,
        "position": one.position,
        "unlock_at": one.unlocks,
        "require_sequential_progress": False,
        "published": one.published,
        "items_count": len(items),
        "items_url": f"{ROOT}/api/v1/courses/{one.course_id}/modules/{one.id}/items",
        "state": "unlocked",
    }


def item(one: ModuleItem, *, done: bool) -> Facts:
    """A thing of a module."""
    made: Facts = {
        "id": one.id,
        "module_id": one.module_id,
        "position": one.position,
        "title": one.title,
        "indent": 0,
        "type": _ITEM_TYPES[one.kind],
        "published": one.published,
    }
    made |= {"content_id": one.content_id} if one.content_id else {}
    made |= {"external_url": one.url} if one.url else {}
    return made | (
        {"completion_requirement": {"type": "must_mark_done", "completed": done}} if one.must_be_done else {}
    )


def topic(campus: Campus, one: Topic) -> Facts:
    """A discussion or announcement."""
    author = campus.one(User, id=one.author_id)
    posts = campus.all(Post, topic_id=one.id)
    return {
        "id": one.id,
        "title": one.title,
        "message": one.message,
        "html_url": f"{ROOT}/courses/{one.course_id}/discussion_topics/{one.id}",
        "posted_at": one.posted,
        "last_reply_at": max((post.posted for post in posts), default=one.posted),
        "delayed_post_at": one.shows,
        "discussion_subentry_count": len(posts),
        "published": one.published,
        "locked": False,
        "is_announcement": one.announcement,
        "author": {"id": one.author_id, "display_name": author.name if author else ""},
        "user_name": author.name if author else "",
        "context_code": f"course_{one.course_id}",
    }


def post(campus: Campus, one: Post) -> Facts:
    """What somebody said in a discussion."""
    author = campus.one(User, id=one.author_id)
    return {
        "id": one.id,
        "parent_id": one.parent_id,
        "created_at": one.posted,
        "user_id": one.author_id,
        "user_name": author.name if author else "",
        "message": one.message,
    }


def page(one: Page, *, body: bool) -> Facts:
    """A page; lists are without its text."""
    made: Facts = {
        "page_id": one.id,
        "url": one.url,
        "title": one.title,
        "updated_at": one.updated or None,
        "published": one.published,
        "front_page": one.front,
        "html_url": f"{ROOT}/courses/{one.course_id}/pages/{one.url}",
    }
    return made | ({"body": one.body} if body else {})


def file(one: File) -> Facts:
    """A file."""
    return {
        "id": one.id,
        "folder_id": one.folder_id,
        "display_name": one.name,
        "filename": one.name,
        "content-type": one.media_type,
        "url": f"{ROOT}/files/{one.id}/download",
        "size": one.size_bytes,
        "created_at": one.created,
        "locked": False,
        "hidden": False,
        "mime_class": re.sub(r"[^a-z]", "", one.media_type.rpartition("/")[2]) or "file",
    }


def folder(campus: Campus, one: Folder) -> Facts:
    """A folder."""
    parents = {found.id: found for found in campus.all(Folder, course_id=one.course_id)}
    names, at = [one.name], one.parent_id
    while at in parents and len(names) < len(parents):
        names.insert(0, parents[at].name)
        at = parents[at].parent_id
    return {
        "id": one.id,
        "name": one.name,
        "full_name": "/".join(names),
        "context_id": one.course_id,
        "context_type": "Course",
        "parent_folder_id": one.parent_id,
        "files_count": len(campus.all(File, folder_id=one.id)),
        "folders_count": sum(found.parent_id == one.id for found in parents.values()),
    }


def conversation(campus: Campus, one: Conversation, messages: list[Message], *, whole: bool) -> Facts:
    """A conversation; lists show its last message."""
    people = [found for number in one.people if (found := campus.one(User, id=number))]
    last = messages[-1] if messages else None
    made: Facts = {
        "id": one.id,
        "subject": one.subject,
        "workflow_state": "read",
        "last_message": last.body[:100] if last else None,
        "last_message_at": last.sent if last else None,
        "message_count": len(messages),
        "subscribed": True,
        "private": False,
        "context_code": f"course_{one.course_id}" if one.course_id else None,
        "audience": [person.id for person in people if person.id != campus.me.id],
        "participants": [
            {"id": person.id, "name": person.short_name or person.name, "full_name": person.name} for person in people
        ],
    }
    if whole:
        made["messages"] = [
            {"id": said.id, "author_id": said.author_id, "created_at": said.sent, "body": said.body, "generated": False}
            for said in reversed(messages)
        ]
    return made


def account(one: School) -> Facts:
    """The school."""
    return {
        "id": one.id,
        "name": one.name,
        "uuid": f"account-{one.id}",
        "parent_account_id": None,
        "root_account_id": None,
        "default_time_zone": one.time_zone,
        "workflow_state": "active",
    }


def _comment(campus: Campus, number: int, said: Facts) -> Facts:
    author = campus.one(User, id=said["author_id"])
    return {
        "id": number,
        "author_id": said["author_id"],
        "author_name": author.name if author else "",
        "comment": said["text"],
        "created_at": said["at"],
    }


def _number(value: float) -> float | int:
    """Whole numbers as JavaScript writes them."""
    return int(value) if float(value).is_integer() else value
