"""Assignments, submissions, grades, rubrics."""

from typing import Any

from yardkit.apps.courses import Assignment, AssignmentGroup, File, Rubric, SubmissionKind
from yardkit.compat.toolathlon.courses import objects
from yardkit.compat.toolathlon.courses.app import format_answer, open_for_changing, open_for_reading, require_values
from yardkit.kit.dialect import Offset, Text, TextPage
from yardkit.servers.courses.engine import contents, work
from yardkit.servers.courses.engine.school_view import Campus, time_of
from yardkit.world import InFile, Problem, current_world

_KINDS: dict[str, SubmissionKind] = {name: kind for kind, name in objects.SUBMISSION_TYPES.items()}


def canvas_list_assignments(course_id: int, include_submissions: bool = False, offset: Offset = 0) -> TextPage:
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        assignments = work.find_assignments(campus, course_id)
        return format_answer(
            [_with_submission(campus, assignment, include_submissions) for assignment in assignments], offset
        )


def canvas_get_assignment(course_id: int, assignment_id: int, include_submission: bool = False) -> TextPage:
    require_values(course_id=course_id, assignment_id=assignment_id)
    with open_for_reading() as campus:
        return format_answer(
            _with_submission(campus, campus.get_course_record(Assignment, assignment_id, course_id), include_submission)
        )


def canvas_create_assignment(
    course_id: int,
    name: str,
    description: str | None = None,
    due_at: str | None = None,
    points_possible: float | None = None,
    submission_types: list[str] | None = None,
    allowed_extensions: list[str] | None = None,
    published: bool | None = None,
) -> TextPage:
    require_values(course_id=course_id, name=name)
    world = current_world()
    with open_for_changing() as campus:
        new_assignment = work.save_assignment(
            campus, course_id, name=name, description=description, due=time_of(due_at, world), points=points_possible,
            kinds=_parse_kinds(submission_types), extensions=allowed_extensions, published=published,
        )  # fmt: skip
        return format_answer(objects.build_assignment(campus, new_assignment))


def canvas_update_assignment(
    course_id: int,
    assignment_id: int,
    name: str | None = None,
    description: str | None = None,
    due_at: str | None = None,
    points_possible: float | None = None,
    published: bool | None = None,
) -> TextPage:
    require_values(course_id=course_id, assignment_id=assignment_id)
    world = current_world()
    with open_for_changing() as campus:
        saved_assignment = work.save_assignment(
            campus, course_id, assignment_id, name=name, description=description, due=time_of(due_at, world),
            points=points_possible, published=published,
        )  # fmt: skip
        return format_answer(objects.build_assignment(campus, saved_assignment))


def canvas_delete_assignment(course_id: int, assignment_id: int) -> Text:
    require_values(course_id=course_id, assignment_id=assignment_id)
    with open_for_changing() as campus:
        work.delete_assignment(campus, course_id, assignment_id)
    return Text(f"Successfully deleted assignment {assignment_id} from course {course_id}")


def canvas_list_assignment_groups(course_id: int, offset: Offset = 0) -> TextPage:
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        campus.get_course(course_id)
        groups = campus.all(AssignmentGroup, "position", course_id=course_id)
        assignments = work.find_assignments(campus, course_id)
        return format_answer(
            [
                objects.build_group(group)
                | {
                    "assignments": [
                        objects.build_assignment(campus, what) for what in assignments if what.group_id == group.id
                    ]
                }
                for group in groups
            ],
            offset,
        )


def canvas_get_submission(course_id: int, assignment_id: int, user_id: int | None = None) -> TextPage:
    require_values(course_id=course_id, assignment_id=assignment_id)
    with open_for_reading() as campus:
        what = campus.get_course_record(Assignment, assignment_id, course_id)
        return format_answer(
            objects.build_submission(campus, work.submission_of(campus, course_id, what.id, user_id), what)
        )


def canvas_submit_assignment(
    course_id: int,
    assignment_id: int,
    submission_type: str,
    body: str | None = None,
    url: str | None = None,
    file_ids: list[int] | None = None,
) -> TextPage:
    require_values(course_id=course_id, assignment_id=assignment_id, submission_type=submission_type)
    (kind,) = _parse_kinds([submission_type]) or ["none"]
    with open_for_changing() as campus:
        new_submission = work.submit_work(campus, course_id, assignment_id, kind, body or "", url or "", file_ids or [])
        return format_answer(
            objects.build_submission(
                campus, new_submission, campus.get_course_record(Assignment, assignment_id, course_id)
            )
        )


def canvas_submit_grade(
    course_id: int, assignment_id: int, user_id: int, grade: float | str, comment: str | None = None
) -> TextPage:
    if not (course_id and assignment_id and user_id):
        raise Problem("Missing required fields for grade submission")
    with open_for_changing() as campus:
        graded_submission = work.grade_submission(campus, course_id, assignment_id, user_id, grade, comment or "")
        return format_answer(
            objects.build_submission(
                campus, graded_submission, campus.get_course_record(Assignment, assignment_id, course_id)
            )
        )


def canvas_upload_file_from_path(
    file_path: InFile, course_id: int | None = None, folder_id: int | None = None
) -> TextPage:
    with open_for_changing() as campus:
        uploaded_file = contents.upload_file(campus, current_world(), file_path, course_id, folder_id)
        return format_answer(objects.build_file(uploaded_file) | {"upload_status": "success"})


def canvas_submit_assignment_with_file(
    course_id: int, assignment_id: int, file_path: InFile, comment: str | None = None
) -> TextPage:
    require_values(course_id=course_id, assignment_id=assignment_id, file_path=file_path)
    with open_for_changing() as campus:
        file: File = contents.upload_file(campus, current_world(), file_path, course_id)
        new_submission = work.submit_work(
            campus, course_id, assignment_id, "upload", files=[file.id], comment=comment or ""
        )
        return format_answer(
            objects.build_submission(
                campus, new_submission, campus.get_course_record(Assignment, assignment_id, course_id)
            )
        )


def canvas_list_rubrics(course_id: int, offset: Offset = 0) -> TextPage:
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        campus.get_course(course_id)
        return format_answer(
            [objects.build_rubric(rubric) for rubric in campus.all(Rubric, course_id=course_id)], offset
        )


def canvas_get_rubric(course_id: int, rubric_id: int) -> TextPage:
    require_values(course_id=course_id, rubric_id=rubric_id)
    with open_for_reading() as campus:
        return format_answer(objects.build_rubric(campus.get_course_record(Rubric, rubric_id, course_id)))


def _with_submission(campus: Campus, assignment: Assignment, with_submissions: bool) -> dict[str, Any]:
    assignment_data = objects.build_assignment(campus, assignment)
    if with_submissions:
        own = work.submission_of(campus, assignment.course_id, assignment.id)
        assignment_data["submission"] = objects.build_submission(campus, own, assignment)
    return assignment_data


def _parse_kinds(types: list[str] | None) -> list[SubmissionKind] | None:
    if types is None:
        return None
    if unknown := [kind_name for kind_name in types if kind_name not in _KINDS]:
        raise Problem(f"there is no submission type {unknown[0]!r}; there are {', '.join(_KINDS)}")
    return [_KINDS[kind_name] for kind_name in types]
