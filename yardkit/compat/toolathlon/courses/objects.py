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
from yardkit.servers.courses.engine.school_view import Campus, sorted_name
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


def build_course(campus: Campus, course: Course) -> Facts:
    """A course."""
    mine = [e for e in campus.list_people(course.id) if e[1].id == campus.me.id]
    return {
        "id": course.id,
        "name": course.name,
        "account_id": campus.school.id,
        "uuid": f"course-{course.id}",
        "start_at": course.starts,
        "end_at": course.ends,
        "is_public": course.public,
        "created_at": course.created or None,
        "course_code": course.code,
        "default_view": "modules",
        "root_account_id": campus.school.id,
        "enrollment_term_id": 1,
        "term": {"id": 1, "name": course.term or "Default Term"},
        "license": course.settings.get("license", "private"),
        "public_description": course.description or None,
        "hide_final_grades": bool(course.settings.get("hide_final_grades", False)),
        "time_zone": course.time_zone or campus.school.time_zone,
        "workflow_state": course.state,
        "enrollments": [
            {"type": e.role, "role": _ROLES[e.role], "user_id": e.user_id, "enrollment_state": e.state} for e, _ in mine
        ],
        "total_students": len({u.id for e, u in campus.list_people(course.id, "student") if e.state == "active"}),
        "calendar": {"ics": f"{ROOT}/feeds/calendars/course_{course.id}.ics"},
        "syllabus_body": course.syllabus or None,
    }


def build_user(user: User) -> Facts:
    """A person."""
    return {
        "id": user.id,
        "name": user.name,
        "created_at": user.created or None,
        "sortable_name": sorted_name(user),
        "short_name": user.short_name or user.name,
        "sis_user_id": None,
        "login_id": user.email,
        "email": user.email,
    }


def build_profile(campus: Campus, user: User) -> Facts:
    """What a person says of themselves."""
    return {
        "id": user.id,
        "name": user.name,
        "short_name": user.short_name or user.name,
        "sortable_name": sorted_name(user),
        "title": user.title or None,
        "bio": user.bio or None,
        "primary_email": user.email,
        "login_id": user.email,
        "time_zone": user.time_zone or campus.school.time_zone,
        "locale": None,
        "calendar": {"ics": f"{ROOT}/feeds/calendars/user_{user.id}.ics"},
    }


def build_enrolment(enrolment: Enrolment, person: User | None = None, grade: work.Grade | None = None) -> Facts:
    """Who takes part, with what they have."""
    enrolment_facts: Facts = {
        "id": enrolment.id,
        "user_id": enrolment.user_id,
        "course_id": enrolment.course_id,
        "course_section_id": enrolment.section_id,
        "type": _ROLES[enrolment.role],
        "role": _ROLES[enrolment.role],
        "enrollment_state": _STATES.get(enrolment.state, "active"),
        "created_at": enrolment.created or None,
        "html_url": f"{ROOT}/courses/{enrolment.course_id}/users/{enrolment.user_id}",
    }
    if grade is not None:
        enrolment_facts["grades"] = {
            "html_url": f"{ROOT}/courses/{enrolment.course_id}/grades/{enrolment.user_id}",
            "current_score": grade.percent,
            "current_grade": None,
            "final_score": grade.percent,
            "final_grade": None,
        }
    return enrolment_facts | ({"user": build_user(person)} if person else {})


def build_assignment(campus: Campus, assignment: Assignment) -> Facts:
    """An assignment."""
    rubric_of = campus.find_first(Rubric, id=assignment.rubric_id) if assignment.rubric_id else None
    assignment_facts: Facts = {
        "id": assignment.id,
        "name": assignment.name,
        "description": assignment.description or None,
        "due_at": assignment.due,
        "unlock_at": None,
        "lock_at": None,
        "points_possible": _to_json_number(assignment.points),
        "grading_type": "points",
        "assignment_group_id": assignment.group_id,
        "created_at": assignment.created or None,
        "course_id": assignment.course_id,
        "submission_types": [SUBMISSION_TYPES[kind] for kind in assignment.kinds],
        "allowed_extensions": assignment.extensions,
        "has_submitted_submissions": bool(campus.find_first(Submission, assignment_id=assignment.id)),
        "is_quiz_assignment": assignment.quiz_id is not None,
        "published": assignment.published,
        "workflow_state": "published" if assignment.published else "unpublished",
        "html_url": f"{ROOT}/courses/{assignment.course_id}/assignments/{assignment.id}",
    }
    assignment_facts |= {"quiz_id": assignment.quiz_id} if assignment.quiz_id else {}
    return assignment_facts | (
        {"rubric": rubric_of.criteria, "rubric_settings": {"id": rubric_of.id}} if rubric_of else {}
    )


def build_group(group: AssignmentGroup) -> Facts:
    """A group of assignments."""
    return {
        "id": group.id,
        "name": group.name,
        "position": group.position,
        "group_weight": _to_json_number(group.weight),
        "rules": {},
    }


def build_submission(campus: Campus, submission: Submission, what: Assignment) -> Facts:
    """What somebody handed in."""
    state = "graded" if submission.graded else "submitted" if submission.submitted else "unsubmitted"
    submission_facts: Facts = {
        "id": submission.id or None,
        "assignment_id": submission.assignment_id,
        "user_id": submission.user_id,
        "submission_type": SUBMISSION_TYPES[submission.kind] if submission.kind else None,
        "body": submission.body or None,
        "url": submission.url or None,
        "grade": submission.grade,
        "score": None if submission.score is None else _to_json_number(submission.score),
        "submitted_at": submission.submitted,
        "graded_at": submission.graded,
        "grader_id": submission.grader_id,
        "attempt": submission.attempt or None,
        "workflow_state": state,
        "late": work.is_late(submission, what),
        "missing": work.is_missing(submission, what, campus.now),
        "excused": submission.excused,
        "submission_comments": [
            _build_comment(campus, number, comment) for number, comment in enumerate(submission.comments, 1)
        ],
    }
    files = [
        build_file(submitted_file)
        for number in submission.files
        if (submitted_file := campus.find_first(File, id=number))
    ]
    return submission_facts | ({"attachments": files} if files else {})


def build_rubric(rubric: Rubric) -> Facts:
    """A rubric."""
    return {
        "id": rubric.id,
        "title": rubric.title,
        "context_id": rubric.course_id,
        "context_type": "Course",
        "points_possible": _to_json_number(rubric.points),
        "reusable": False,
        "read_only": False,
        "data": [
            {
                "id": f"_{rubric.id}_{number}",
                "description": criterion.get("description", ""),
                "points": criterion.get("points", 0),
                "ratings": [{"id": f"r{at}"} | rating for at, rating in enumerate(criterion.get("ratings", []), 1)],
            }
            for number, criterion in enumerate(rubric.criteria, 1)
        ],
    }


def build_quiz(campus: Campus, quiz: Quiz) -> Facts:
    """A quiz."""
    return {
        "id": quiz.id,
        "title": quiz.title,
        "html_url": f"{ROOT}/courses/{quiz.course_id}/quizzes/{quiz.id}",
        "description": quiz.description or None,
        "quiz_type": QUIZ_TYPES[quiz.kind],
        "time_limit": quiz.minutes,
        "shuffle_answers": False,
        "scoring_policy": "keep_highest",
        "allowed_attempts": -1 if quiz.attempts is None else quiz.attempts,
        "question_count": len(campus.all(Question, quiz_id=quiz.id)),
        "points_possible": _to_json_number(quizzes.points_of(campus, quiz.id)),
        "due_at": quiz.due,
        "lock_at": None,
        "unlock_at": None,
        "published": quiz.published,
        "assignment_id": quiz.assignment_id,
        "permissions": {
            "read": True,
            "submit": campus.role(quiz.course_id) == "student" and quiz.published,
            "update": campus.is_teacher(quiz.course_id),
        },
    }


def build_question(campus: Campus, question: Question, course_id: int) -> Facts:
    """A question; to students without what is right."""
    seen = question if campus.is_teacher(course_id) else without_answers(question)
    return {
        "id": question.id,
        "quiz_id": question.quiz_id,
        "position": question.position,
        "question_name": question.name,
        "question_type": QUESTION_TYPES[question.kind],
        "question_text": question.text,
        "points_possible": _to_json_number(question.points),
        "correct_comments": seen.comments.get("correct", ""),
        "incorrect_comments": seen.comments.get("incorrect", ""),
        "neutral_comments": seen.comments.get("neutral", ""),
        "answers": seen.answers,
    }


def build_attempt(campus: Campus, attempt: Attempt, of: Quiz) -> Facts:
    """An attempt at a quiz, which Canvas calls a submission of it."""
    state = "untaken" if attempt.finished is None else "complete" if attempt.score is not None else "pending_review"
    return {
        "id": attempt.id,
        "quiz_id": attempt.quiz_id,
        "user_id": attempt.user_id,
        "submission_id": attempt.id,
        "started_at": attempt.started,
        "finished_at": attempt.finished,
        "end_at": quizzes.ends_at(of, attempt),
        "attempt": attempt.number,
        "extra_attempts": None,
        "score": None if attempt.score is None else _to_json_number(attempt.score),
        "kept_score": None if attempt.score is None else _to_json_number(attempt.score),
        "quiz_points_possible": _to_json_number(quizzes.points_of(campus, attempt.quiz_id)),
        "validation_token": attempt.token,
        "workflow_state": state,
    }


def build_module(campus: Campus, module: Module) -> Facts:
    """A module."""
    items = campus.all(ModuleItem, module_id=module.id)
    return {
        "id": module.id,
        "name": module.name,
        "position": module.position,
        "unlock_at": module.unlocks,
        "require_sequential_progress": False,
        "published": module.published,
        "items_count": len(items),
        "items_url": f"{ROOT}/api/v1/courses/{module.course_id}/modules/{module.id}/items",
        "state": "unlocked",
    }


def build_module_item(module_item: ModuleItem, *, done: bool) -> Facts:
    """A thing of a module."""
    item_facts: Facts = {
        "id": module_item.id,
        "module_id": module_item.module_id,
        "position": module_item.position,
        "title": module_item.title,
        "indent": 0,
        "type": _ITEM_TYPES[module_item.kind],
        "published": module_item.published,
    }
    item_facts |= {"content_id": module_item.content_id} if module_item.content_id else {}
    item_facts |= {"external_url": module_item.url} if module_item.url else {}
    return item_facts | (
        {"completion_requirement": {"type": "must_mark_done", "completed": done}} if module_item.must_be_done else {}
    )


def build_topic(campus: Campus, topic: Topic) -> Facts:
    """A discussion or announcement."""
    author = campus.find_first(User, id=topic.author_id)
    posts = campus.all(Post, topic_id=topic.id)
    return {
        "id": topic.id,
        "title": topic.title,
        "message": topic.message,
        "html_url": f"{ROOT}/courses/{topic.course_id}/discussion_topics/{topic.id}",
        "posted_at": topic.posted,
        "last_reply_at": max((post.posted for post in posts), default=topic.posted),
        "delayed_post_at": topic.shows,
        "discussion_subentry_count": len(posts),
        "published": topic.published,
        "locked": False,
        "is_announcement": topic.announcement,
        "author": {"id": topic.author_id, "display_name": author.name if author else ""},
        "user_name": author.name if author else "",
        "context_code": f"course_{topic.course_id}",
    }


def build_post(campus: Campus, post: Post) -> Facts:
    """What somebody said in a discussion."""
    author = campus.find_first(User, id=post.author_id)
    return {
        "id": post.id,
        "parent_id": post.parent_id,
        "created_at": post.posted,
        "user_id": post.author_id,
        "user_name": author.name if author else "",
        "message": post.message,
    }


def build_page(page: Page, *, body: bool) -> Facts:
    """A page; lists are without its text."""
    page_facts: Facts = {
        "page_id": page.id,
        "url": page.url,
        "title": page.title,
        "updated_at": page.updated or None,
        "published": page.published,
        "front_page": page.front,
        "html_url": f"{ROOT}/courses/{page.course_id}/pages/{page.url}",
    }
    return page_facts | ({"body": page.body} if body else {})


def build_file(course_file: File) -> Facts:
    """A file."""
    return {
        "id": course_file.id,
        "folder_id": course_file.folder_id,
        "display_name": course_file.name,
        "filename": course_file.name,
        "content-type": course_file.media_type,
        "url": f"{ROOT}/files/{course_file.id}/download",
        "size": course_file.size_bytes,
        "created_at": course_file.created,
        "locked": False,
        "hidden": False,
        "mime_class": re.sub(r"[^a-z]", "", course_file.media_type.rpartition("/")[2]) or "file",
    }


def build_folder(campus: Campus, folder: Folder) -> Facts:
    """A folder."""
    parents = {course_folder.id: course_folder for course_folder in campus.all(Folder, course_id=folder.course_id)}
    names, at = [folder.name], folder.parent_id
    while at in parents and len(names) < len(parents):
        names.insert(0, parents[at].name)
        at = parents[at].parent_id
    return {
        "id": folder.id,
        "name": folder.name,
        "full_name": "/".join(names),
        "context_id": folder.course_id,
        "context_type": "Course",
        "parent_folder_id": folder.parent_id,
        "files_count": len(campus.all(File, folder_id=folder.id)),
        "folders_count": sum(parent_folder.parent_id == folder.id for parent_folder in parents.values()),
    }


def build_conversation(
    campus: Campus, conversation: Conversation, messages: list[Message], *, with_messages: bool
) -> Facts:
    """A conversation; lists show its last message."""
    people = [participant for number in conversation.people if (participant := campus.find_first(User, id=number))]
    last = messages[-1] if messages else None
    conversation_facts: Facts = {
        "id": conversation.id,
        "subject": conversation.subject,
        "workflow_state": "read",
        "last_message": last.body[:100] if last else None,
        "last_message_at": last.sent if last else None,
        "message_count": len(messages),
        "subscribed": True,
        "private": False,
        "context_code": f"course_{conversation.course_id}" if conversation.course_id else None,
        "audience": [person.id for person in people if person.id != campus.me.id],
        "participants": [
            {"id": person.id, "name": person.short_name or person.name, "full_name": person.name} for person in people
        ],
    }
    if with_messages:
        conversation_facts["messages"] = [
            {
                "id": sent_message.id,
                "author_id": sent_message.author_id,
                "created_at": sent_message.sent,
                "body": sent_message.body,
                "generated": False,
            }
            for sent_message in reversed(messages)
        ]
    return conversation_facts


def build_account(school: School) -> Facts:
    """The school."""
    return {
        "id": school.id,
        "name": school.name,
        "uuid": f"account-{school.id}",
        "parent_account_id": None,
        "root_account_id": None,
        "default_time_zone": school.time_zone,
        "workflow_state": "active",
    }


def _build_comment(campus: Campus, number: int, comment_data: Facts) -> Facts:
    author = campus.find_first(User, id=comment_data["author_id"])
    return {
        "id": number,
        "author_id": comment_data["author_id"],
        "author_name": author.name if author else "",
        "comment": comment_data["text"],
        "created_at": comment_data["at"],
    }


def _to_json_number(value: float) -> float | int:
    """Whole numbers as JavaScript writes them."""
    return int(value) if float(value).is_integer() else value
